/** A verb as it declares itself: parsing, help and suggestions all come from this one value. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type { ExitCode } from "../TypedError/ExitCode.ts"
import type { Parameter, Reading, Values } from "./Parameter.ts"
import type { Terminal } from "./Terminal.ts"

/** What ends a program: its message says what failed, on what, and what to do. */
export interface Failure {
  readonly _tag: string
  readonly message: string
  /** Of the process that fails of it; 1 where it declares none. */
  readonly exitCode?: ExitCode | undefined
}

export type Program = Effect.Effect<void, Failure, FileSystem.FileSystem | Path.Path>

export interface Example {
  readonly line: string
  readonly what: string
}

export interface Verb {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  /** What else a reader of the help should know. */
  readonly details?: string | undefined
  readonly parameters: Readonly<Record<string, Parameter<unknown>>>
  readonly examples: ReadonlyArray<Example>
  /** From what was given for each parameter to what can be done; the program is only loaded then. */
  readonly prepare: (given: Readonly<Record<string, ReadonlyArray<string>>>) => Reading<Action>
}

export type Action = (terminal: Terminal) => Promise<Program>

interface Declaration<Parameters> extends Omit<Verb, "prepare" | "parameters"> {
  readonly parameters: Parameters
  readonly load: () => Promise<{ readonly program: (options: Values<Parameters>, terminal: Terminal) => Program }>
}

/** Declares a verb. */
export const make = <Parameters extends Readonly<Record<string, Parameter<unknown>>>>(
  declaration: Declaration<Parameters>
): Verb => ({
  ...declaration,
  prepare: (given) => {
    const values: Record<string, unknown> = {}
    for (const [name, parameter] of Object.entries(declaration.parameters)) {
      const reading = parameter.read(given[name] ?? [])
      if ("fault" in reading) {
        return { fault: parameter.kind === "flag" ? `--${name} ${reading.fault}` : reading.fault }
      }
      values[name] = reading.value
    }
    return {
      value: (terminal) =>
        Promise.all([declaration.load(), import("./Trust.ts")]).then(([{ program }, { within }]) =>
          within(values, terminal, program(values as Values<Parameters>, terminal))
        )
    }
  }
})
