/** Failures of rows, steps and runs: why, where, what they end, and the exit code. */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import { ExitCode } from "../TypedError/ExitCode.ts"
import type { Declared, ErrorScope } from "../TypedError.ts"

interface Fields {
  /** Tag of the underlying error, or a word of the step's own. */
  readonly reason: string
  readonly message: string
  readonly cause?: unknown
  /** The site's answer, for a page that failed for its status. */
  readonly status?: number | undefined
  /** Calls that were made for the row, with their retries. */
  readonly attempts?: number | undefined
  /** Rows that are lost with the failed one, itself included; undefined for one. */
  readonly rows?: number | undefined
  /** The step it happened in, and where that is defined (`file:line:column`). */
  readonly step?: string | undefined
  readonly definedAt?: string | undefined
}

interface Undeclared {
  readonly scope?: ErrorScope | undefined
  readonly exitCode?: ExitCode | undefined
}

/** Why a row, or a whole step, could not go on. Unless it says otherwise it concerns its row alone. */
export class StepError extends Data.TaggedError("StepError")<Fields & Declared> {
  /** Reason of all instances, where the class declares one. */
  declare static readonly reason?: string

  constructor({ exitCode = ExitCode.failed, scope = "row", ...fields }: Fields & Undeclared) {
    super({ ...fields, scope, exitCode })
  }

  /**
   * By tag and reason: the command line and a project that imports the library have a copy of these classes each, and errors
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

  /** Failure of a part as the step's: the message says what to do, the tag is the reason. */
  static of(error: Declared & { readonly _tag: string; readonly message: string }): StepError {
    const { _tag: reason, exitCode, message, scope } = error
    return new StepError({ reason, message, cause: error, scope, exitCode })
  }

  /** The same failure, of the same class, with more said about it. */
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

/** Class of the failures with one reason. */
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

/** Work was not begun, because the run is ending: a resumed run does it. */
export class Stopped extends declare("Stopped", { scope: "run", exitCode: ExitCode.failed }) {}

/** A user has stopped the run from another process: a run of the cluster by a command, or any run in the dashboard. */
export class RunStopped extends declare("RunStopped", { scope: "run", exitCode: ExitCode.failed }) {}

/** So many rows were rejected that the run ends. */
export class TooManyRejects extends declare("TooManyRejects", { scope: "run", exitCode: ExitCode.tooManyRejects }) {}

/** The reject file cannot be written. */
export class RejectsUnwritable extends declare("RejectsUnwritable", { scope: "run", exitCode: ExitCode.failed }) {}

/** A row breaks a rule of `check`. */
export class CheckFailed extends declare("CheckFailed", { scope: "row", exitCode: ExitCode.checkFailed }) {}

/** The outputs are not as expected, and wait to be published or discarded. */
export class OutputsHeld extends declare("OutputsHeld", { scope: "run", exitCode: ExitCode.checkFailed }) {}

/** A definition may not read this file, or send a secret to this host. */
export class NotAllowed extends declare("NotAllowed", { scope: "row", exitCode: ExitCode.failed }) {}

/** The lock file of a pinned answer does not fit the definition. */
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

/** A failure that was saved by its reason, as the class that declares it: one of these, or of `others` by its tag. */
export const restored = (
  { attempts, message, reason, status }: Pick<Fields, "attempts" | "message" | "reason" | "status">,
  others: ReadonlyArray<DeclaringClass> = []
): StepError => {
  const Kind = kinds.find((each) => each.reason === reason)
  if (Kind !== undefined) return new Kind({ message, attempts, status })
  const { exitCode, scope } = others.find(({ prototype }) => prototype.name === reason)?.prototype ?? {}
  return new StepError({ reason, message, attempts, status, exitCode, scope })
}
