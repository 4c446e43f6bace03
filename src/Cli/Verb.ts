/** A verb: its entry in the table of `Cli.ts`, and the command declared in its own file. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type { ExitCode } from "../TypedError/ExitCode.ts"
import type { Parameter, Reading, Values } from "./Parameter.ts"
import type { Terminal } from "./Terminal.ts"

/** An error that ends a program. Its message says what failed, on what, and what to do. */
export interface Failure {
  readonly _tag: string
  readonly message: string
  /** Exit code of the process; 1 by default. */
  readonly exitCode?: ExitCode | undefined
}

export type Program = Effect.Effect<void, Failure, FileSystem.FileSystem | Path.Path>

export interface Example {
  readonly line: string
  readonly what: string
}

/** Entry of the table. `load` imports the verb's file when the verb is used. */
export interface Verb {
  readonly name: string
  /** Operands as shown in the usage line: `FILE`, `[DIR]`; empty if there are none. */
  readonly operands: string
  /** One sentence. */
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

/** One call of a verb: the values of its parameters, and the program that executes it. */
export interface Call {
  readonly values: Readonly<Record<string, unknown>>
  readonly program: (terminal: Terminal, verbs: ReadonlyArray<Verb>) => Program
}

/** Declaration of a verb in its file: parameters, help and run function. */
export interface Command {
  readonly parameters: Readonly<Record<string, Parameter<unknown>>>
  readonly examples: ReadonlyArray<Example>
  readonly details?: string | undefined
  /** Reads the arguments given for each parameter, by the parameter's name. */
  readonly prepare: (given: Readonly<Record<string, ReadonlyArray<string>>>) => Reading<Call>
}

export type LoadedVerb = Verb & Command

export const loadVerb = (verb: Verb): Promise<LoadedVerb> =>
  verb.load().then(({ command }) => ({ ...verb, ...command }))

export const loadVerbs = (verbs: ReadonlyArray<Verb>): Promise<ReadonlyArray<LoadedVerb>> =>
  Promise.all(verbs.map(loadVerb))

interface Declaration<Parameters> extends Omit<Command, "prepare" | "parameters"> {
  readonly parameters: Parameters
  /** `verbs` is the whole table, for the verbs that describe the others. */
  readonly run: (options: Values<Parameters>, terminal: Terminal, verbs: ReadonlyArray<Verb>) => Program
}

/** Declares the command of a verb. */
export const make = <Parameters extends Readonly<Record<string, Parameter<unknown>>>>({
  run,
  ...declaration
}: Declaration<Parameters>): Command => ({
  ...declaration,
  prepare: (given) => {
    const values: Record<string, unknown> = {}
    for (const [name, parameter] of Object.entries(declaration.parameters)) {
      const reading = parameter.read(given[name] ?? [])
      if ("fault" in reading) {
        return { fault: parameter.kind !== "operand" ? `--${name} ${reading.fault}` : reading.fault }
      }
      values[name] = reading.value
    }
    return {
      value: { values, program: (terminal, verbs) => run(values as Values<Parameters>, terminal, verbs) }
    }
  }
})
