/** Base of error classes that declare how much of a run they end, and the exit code of the process. */
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import { ExitCode } from "./TypedError/ExitCode.ts"

/**
 * Part of a run that an error ends:
 * - `row`: one row. The step's `onError` decides about it, and the other rows continue.
 * - `step`: the step cannot start or continue with any row, for example because an output is not writable.
 * - `run`: no step can continue, for example after a refused key, a used up budget or a lost ledger.
 */
export type ErrorScope = "row" | "step" | "run"

/** Declaration of an error class. */
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

/** `Data.TaggedError` with a scope and an exit code. Both are on the prototype, so that printed errors do not contain them. */
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
