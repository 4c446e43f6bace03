/** Failures of rows, steps and runs: reason, location, scope and exit code. */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import { ExitCode } from "../TypedError/ExitCode.ts"
import type { Declared, ErrorScope } from "../TypedError.ts"

interface Fields {
  /** Tag of the underlying error, or the step's own word for it. */
  readonly reason: string
  readonly message: string
  readonly cause?: unknown
  /** HTTP status, for a page that failed because of it. */
  readonly status?: number | undefined
  /** Number of calls made for the row, including retries. */
  readonly attempts?: number | undefined
  /** Number of rows lost with the failed one, itself included; undefined for one. */
  readonly rows?: number | undefined
  /** Step in which the failure happened, and where that step is defined (`file:line:column`). */
  readonly step?: string | undefined
  readonly definedAt?: string | undefined
}

interface Undeclared {
  readonly scope?: ErrorScope | undefined
  readonly exitCode?: ExitCode | undefined
}

/** Failure of a row or of a whole step. By default it concerns only its row. */
export class StepError extends Data.TaggedError("StepError")<Fields & Declared> {
  /** Reason of all instances, if the class declares one. */
  declare static readonly reason?: string

  constructor({ exitCode = ExitCode.failed, scope = "row", ...fields }: Fields & Undeclared) {
    super({ ...fields, scope, exitCode })
  }

  /**
   * Compares by tag and reason: the command line and a project that imports the library have separate copies of these classes, and errors
   * of the project's own steps pass from one to the other.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: the class that is asked for, one of those below too
    return (
      Predicate.isTagged(value, "StepError") &&
      (this.reason === undefined || (Predicate.hasProperty(value, "reason") && value.reason === this.reason))
    )
    // biome-ignore-end lint/complexity/noThisInStatic: as above
  }

  /** Converts another error (of the ledger, a sink, a job) to a `StepError`: keeps its message, and uses its tag as `reason`. */
  static of(error: Declared & { readonly _tag: string; readonly message: string }): StepError {
    const { _tag: reason, exitCode, message, scope } = error
    return new StepError({ reason, message, cause: error, scope, exitCode })
  }

  /** The same failure, of the same class, with more details. */
  with(more: Pick<Fields, "attempts" | "definedAt" | "step">): StepError {
    const { attempts, cause, definedAt, exitCode, message, reason, rows, scope, status, step } = this
    const copy = new StepError({
      ...{ reason, message, cause, status, scope, exitCode, attempts, rows, step, definedAt },
      ...more
    })
    // Subclasses are distinguished by `instanceof`, and their constructors take other arguments.
    return Object.setPrototypeOf(copy, Object.getPrototypeOf(this))
  }
}

/** Class of all failures with one reason. */
interface StepErrorClass {
  readonly reason: string
  new (fields: Omit<Fields, "reason">): StepError
}

const declare = (reason: string, declared: Declared): StepErrorClass =>
  class extends StepError {
    static override readonly reason = reason
    constructor(fields: Omit<Fields, "reason">) {
      super({ ...fields, ...declared, reason })
    }
  }

/** The budget is used up: nothing more may be bought. */
export class BudgetReached extends declare("BudgetReached", { scope: "run", exitCode: ExitCode.budgetReached }) {}

/** The work did not start because the run is ending: a resumed run does it. */
export class Stopped extends declare("Stopped", { scope: "run", exitCode: ExitCode.failed }) {}

/** A user has stopped the run from another process: a cluster run with a command, or any run in the dashboard. */
export class RunStopped extends declare("RunStopped", { scope: "run", exitCode: ExitCode.failed }) {}

/** Too many rows were rejected, so the run ends. */
export class TooManyRejects extends declare("TooManyRejects", { scope: "run", exitCode: ExitCode.tooManyRejects }) {}

/** The reject file cannot be written. */
export class RejectsUnwritable extends declare("RejectsUnwritable", { scope: "run", exitCode: ExitCode.failed }) {}

/** A row breaks a rule of `check`. */
export class CheckFailed extends declare("CheckFailed", { scope: "row", exitCode: ExitCode.checkFailed }) {}

/** The outputs are not as expected: they wait to be published or discarded. */
export class OutputsHeld extends declare("OutputsHeld", { scope: "run", exitCode: ExitCode.checkFailed }) {}

/** The definition has no permission to read this file, or to send a secret to this host. */
export class NotAllowed extends declare("NotAllowed", { scope: "row", exitCode: ExitCode.failed }) {}

/** The lock file of a pinned answer does not match the definition. */
export class PinUnusable extends declare("PinUnusable", { scope: "step", exitCode: ExitCode.invalid }) {}

interface DeclaringClass {
  readonly prototype: Declared & { readonly name: string }
}

const kinds = [
  BudgetReached,
  Stopped,
  RunStopped,
  TooManyRejects,
  RejectsUnwritable,
  CheckFailed,
  OutputsHeld,
  NotAllowed,
  PinUnusable
]

/** Restores a saved failure as an instance of the class that declares its reason: one of this file, or one of `others` by its tag. */
export const restored = (
  { attempts, message, reason, status }: Pick<Fields, "attempts" | "message" | "reason" | "status">,
  others: ReadonlyArray<DeclaringClass> = []
): StepError => {
  const Kind = kinds.find((each) => each.reason === reason)
  if (Kind !== undefined) return new Kind({ message, attempts, status })
  const { exitCode, scope } = others.find(({ prototype }) => prototype.name === reason)?.prototype ?? {}
  return new StepError({ reason, message, attempts, status, exitCode, scope })
}
