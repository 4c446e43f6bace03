/** Result of a run. */
import * as Data from "effect/Data"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { Output } from "../Step/Output.ts"
import type { StepError } from "../Step.ts"

/** A run by its numbers. */
export interface Summary {
  readonly runId: string
  /** `stopped`, `budget` and `failed` runs can be resumed where something was done. */
  readonly status: "completed" | "failed" | "stopped" | "budget"
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly unpricedCalls: number
  readonly durationMs: number
  readonly outputs: ReadonlyArray<Output>
  /** Where the rejected rows are, when there are any. */
  readonly rejectFile?: string | undefined
  /** True when `sluice resume` has something to go on from. */
  readonly resumable: boolean
  /** Ids of jobs that go on at the service although the run has stopped: a resumed run reads them further. */
  readonly runningJobs?: ReadonlyArray<string> | undefined
}

/** The run ended before its end. Nothing stands under a final name but what the summary lists, which is whole. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly summary: Summary
  readonly reason: StepError | DefinitionInvalid
}> {
  override get message() {
    const { reason } = this
    return reason._tag === "StepError" && reason.step !== undefined
      ? `${reason.definedAt}  ${reason.step}: ${reason.message}`
      : reason.message
  }
}

/** The run to resume is not in the ledger. */
export class RunUnknown extends Data.TaggedError("RunUnknown")<{ readonly id: string; readonly place: string }> {
  override get message() {
    return `there is no run ${this.id} in ${this.place}`
  }
}

/** The run to resume was started by another pipeline. */
export class RunDiffers extends Data.TaggedError("RunDiffers")<{
  readonly id: string
  readonly what: "definition" | "inputs"
}> {
  override get message() {
    return this.what === "definition"
      ? `run ${this.id} began with another definition: give it the same, or say withCurrent to go on with this one`
      : `run ${this.id} began with other inputs: give it the same`
  }
}
