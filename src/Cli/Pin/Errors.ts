/** Why answers cannot be pinned, and what a build is told about lock files. */
import * as Data from "effect/Data"
import { ExitCode } from "../../TypedError/ExitCode.ts"

/** Lock files are missing or do not fit; `pin --check` was asked. */
export class LocksDue extends Data.TaggedError("LocksDue")<{ readonly reasons: ReadonlyArray<string> }> {
  readonly exitCode = ExitCode.checkFailed
  override get message() {
    return this.reasons.join("; ")
  }
}

/** The question of a step cannot be asked beforehand, or its answer not be kept. */
export class NotPinnable extends Data.TaggedError("NotPinnable")<{
  readonly step: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `the answer to ${this.step} cannot be pinned: ${this.reason}`
  }
}
