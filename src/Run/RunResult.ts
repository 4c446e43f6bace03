/** Result of a run, and its status for readers: a run whose process is gone counts as crashed. */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { RunRecord } from "../Ledger/Model.ts"
import { isSpent, type Status } from "../Ledger/Model.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { Output } from "../Step/Output.ts"
import type { StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"

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

/**
 * How far a run has come: created → running → ended or published. The runtime alone moves it on; summaries read it at any time.
 * `ended`: the ledger knows that the run has ended before its files were published.
 */
export type Phase =
  | { readonly _tag: "Created" }
  | { readonly _tag: "Running" | "Ended"; readonly begun: number; readonly resumable: boolean }
  | {
      readonly _tag: "Published"
      readonly begun: number
      readonly status: "completed" | "budget"
      readonly outputs: ReadonlyArray<Output>
    }

/** A run that was made: its identity, its counters, and how far it has come. */
export interface RunHandle {
  readonly id: string
  readonly startedAt: number
  readonly counters: Counters
  readonly rejectFile: string
  readonly phase: Ref.Ref<Phase>
}

export const isPublished = ({ phase }: RunHandle): Effect.Effect<boolean> =>
  Effect.map(Ref.get(phase), ({ _tag }) => _tag === "Published")

/** Summary of a run now. `status` is that of a run which is not published. */
export const summarize = (
  { counters, id, phase, rejectFile }: RunHandle,
  status: Summary["status"]
): Effect.Effect<Summary> =>
  Effect.zipWith(Clock.currentTimeMillis, Ref.get(phase), (now, phase) => ({
    runId: id,
    // A run that is interrupted after its files were published is completed all the same.
    status: phase._tag === "Published" ? phase.status : status,
    rows: counters.rows,
    rejects: counters.rejects,
    credits: counters.credits,
    unpricedCalls: counters.unpriced,
    durationMs: phase._tag === "Created" ? 0 : now - phase.begun,
    outputs: phase._tag === "Published" ? phase.outputs : [],
    rejectFile: counters.rejects > 0 ? rejectFile : undefined,
    resumable: phase._tag === "Running" || phase._tag === "Ended" ? phase.resumable : false,
    ...(counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] })
  }))

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

/** `crashed`: no process works on it any more. `waiting`: it is shared among workers, and none has it now. */
export type RunStatus = Status | "crashed" | "waiting"

/** A run whose status says that it is running has crashed when no process works on it. */
export const runStatus = (run: Pick<RunRecord, "group" | "id" | "status">, alive: boolean): RunStatus => {
  if (alive || (run.status !== "running" && run.status !== "publishing")) return run.status
  // Shared among workers: the next one resumes it.
  return run.group === run.id ? "waiting" : "crashed"
}

/** Cut while it ran, also before its first commit. Of a run in shards only its end is work of this kind. */
const isCut = ({ group, id, progress, status }: RunRecord): boolean =>
  (status === "running" || status === "publishing") && (group !== id || progress !== null)

/** True when something is left to do, and worth going on with: the run has crashed, or something was done. Locks are not looked at. */
export const isResumable = (run: RunRecord): boolean => {
  const { credits, rejects, rows, status, unpriced } = run
  if (isCut(run)) return true
  return status !== "completed" && status !== "running" && !isSpent(run) && rows + rejects + credits + unpriced > 0
}

/** True for a run that did not end well, and may end otherwise when it is resumed, also when it had done nothing. */
export const mayCompleteOnResume = (run: RunRecord): boolean =>
  isCut(run) || (run.status !== "completed" && run.status !== "running" && run.status !== "publishing" && !isSpent(run))
