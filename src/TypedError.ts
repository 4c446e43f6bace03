/** Base of error classes that declare what a failure ends, and the exit code of a process that fails of it. */
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import { ExitCode } from "./TypedError/ExitCode.ts"

/**
 * What a failure ends:
 * - `row`: the row that it happened to. The step's `onError` settles it, and the other rows go on.
 * - `step`: the step cannot start or continue, whatever the row: an output that cannot be written, for example.
 * - `run`: every step would fail of it: a refused key, a used up budget, a lost ledger.
 */
export type ErrorScope = "row" | "step" | "run"

/** What an error declares about itself. */
export interface Declared<Scope extends ErrorScope = ErrorScope> {
  readonly scope: Scope
  readonly exitCode: ExitCode
}

/** Class that {@link TypedError} returns. */
export interface TypedErrorClass<Tag extends string, Scope extends ErrorScope> {
  new <Fields extends object = Record<never, never>>(
    ...fields: keyof Fields extends never ? [] : [Readonly<Fields>]
  ): YieldableError & { readonly _tag: Tag } & Declared<Scope> & Readonly<Fields>
}

/** `Data.TaggedError` with a scope and an exit code. Both stand on the prototype, so that no error prints them. */
export const TypedError = <const Tag extends string, const Scope extends ErrorScope>(
  tag: Tag,
  declared: { readonly scope: Scope; readonly exitCode?: ExitCode }
): TypedErrorClass<Tag, Scope> => {
  class Typed extends Data.TaggedError(tag)<Record<string, unknown>> {
    get scope(): Scope {
      return declared.scope
    }
    get exitCode(): ExitCode {
      return declared.exitCode ?? ExitCode.failed
    }
  }
  return Typed as TypedErrorClass<Tag, Scope>
}
