/** Result of a run, and its status as shown to users: a run whose process is gone counts as crashed. */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { isOver, isSpent, type RunRecord, statuses } from "../Ledger/Model.ts"
import type { RunFilter } from "../Ledger/Runs.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import type { OutputRows } from "../Row/Count.ts"
import type { Output } from "../Step/Output.ts"
import type { StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"

/** Summary of a run. */
export interface Summary {
  readonly runId: string
  /**
   * `stopped`, `budget` and `failed` runs can be resumed if `resumable` is true. The outputs of a `held` run wait to be published or
   * discarded.
   */
  readonly status: "completed" | "failed" | "stopped" | "budget" | "held"
  /** Rows that left the last step. */
  readonly rows: number
  /** Rows written to each output; undefined if there are none. */
  readonly written?: ReadonlyArray<OutputRows> | undefined
  /**
   * Rows that `dedupe` with `across: runs` found to be `new`, `changed` or `unchanged`, also those that it did not emit, and `gone` where
   * its `emit` has it; without such rows undefined.
   */
  readonly changes?: Readonly<Record<string, number>> | undefined
  readonly rejects: number
  readonly credits: number
  readonly unpricedCalls: number
  readonly durationMs: number
  readonly outputs: ReadonlyArray<Output>
  /** Path of the reject file; undefined without rejects. */
  readonly rejectFile?: string | undefined
  /** True if `sluice resume` has something to continue from. */
  readonly resumable: boolean
  /** Ids of jobs that continue at the service after the run has stopped. A resumed run reads their remaining results. */
  readonly runningJobs?: ReadonlyArray<string> | undefined
  /** Links that crawls found but did not follow, by reason; undefined if there are none. */
  readonly notFollowed?: Readonly<Record<string, number>> | undefined
}

/**
 * Phase of a run: created → running → ended or published. Only the runtime changes it; summaries read it at any time.
 * `Ended`: the ledger has recorded that the run ended without publishing.
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

/** Identity, counters and phase of a run. */
export interface RunHandle {
  readonly id: string
  readonly startedAt: number
  readonly counters: Counters
  readonly rejectFile: string
  readonly phase: Ref.Ref<Phase>
}

export const isPublished = ({ phase }: RunHandle): Effect.Effect<boolean> =>
  Effect.map(Ref.get(phase), ({ _tag }) => _tag === "Published")

/** Current summary of a run. A published run has its own status; any other gets `status`. */
export const summarize = (
  { counters, id, phase, rejectFile }: RunHandle,
  status: Summary["status"]
): Effect.Effect<Summary> =>
  Effect.zipWith(Clock.currentTimeMillis, Ref.get(phase), (now, phase) => ({
    runId: id,
    // An interrupt after the files were published does not change the status.
    status: phase._tag === "Published" ? phase.status : status,
    rows: counters.rows,
    ...(counters.files.size === 0 ? {} : { written: counters.outputs }),
    changes: counters.compared,
    rejects: counters.rejects,
    credits: counters.credits,
    unpricedCalls: counters.unpriced,
    durationMs: phase._tag === "Created" ? 0 : now - phase.begun,
    outputs: phase._tag === "Published" ? phase.outputs : [],
    rejectFile: counters.rejects > 0 ? rejectFile : undefined,
    resumable: phase._tag === "Running" || phase._tag === "Ended" ? phase.resumable : false,
    ...(counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] }),
    ...(Object.keys(counters.notFollowed).length === 0 ? {} : { notFollowed: counters.notFollowed })
  }))

/** Error of a run that did not complete. Only the outputs in the summary are complete and have their final names. */
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

/** Error of a resume: the ledger has no record of the run. */
export class RunUnknown extends Data.TaggedError("RunUnknown")<{ readonly id: string; readonly place: string }> {
  override get message() {
    return `there is no run ${this.id} in ${this.place}`
  }
}

/** Error of a resume: the definition or the inputs have changed since the run began. */
export class RunDiffers extends Data.TaggedError("RunDiffers")<{
  readonly id: string
  readonly what: "definition" | "inputs"
}> {
  override get message() {
    return this.what === "definition"
      ? `run ${this.id} began with another definition: give the same definition, or set withCurrent to continue with this one`
      : `run ${this.id} began with other inputs: give the same inputs`
  }
}

/** `crashed`: the run's process is gone. `waiting`: the run is on a cluster, and no worker runs it at the moment. */
export const runStatuses = [...statuses, "crashed", "waiting"] as const
export type RunStatus = (typeof runStatuses)[number]

/** Status of a run: if the ledger says that it is running but its process is gone, it has crashed. */
export const runStatus = (run: Pick<RunRecord, "group" | "id" | "status">, alive: boolean): RunStatus => {
  if (alive || (run.status !== "running" && run.status !== "publishing")) return run.status
  // On a cluster, the next free worker resumes it.
  return run.group === run.id ? "waiting" : "crashed"
}

/** Filter for runs whose {@link runStatus} this is. `ids`: runs whose lock is held, which is how a living process is recognized. */
export const withStatus = (status: RunStatus | undefined, ids: ReadonlyArray<string>): RunFilter => {
  switch (status) {
    case undefined:
      return {}
    case "running":
    case "publishing":
      return { status: [status], alive: { ids, is: true } }
    case "crashed":
    case "waiting":
      return { status: ["running", "publishing"], alive: { ids, is: false }, shared: status === "waiting" }
    default:
      return { status: [status] }
  }
}

/** True for a run that crashed, even before its first checkpoint. A run in shards counts only once it has begun to publish. */
const isCut = ({ group, id, progress, status }: RunRecord): boolean =>
  (status === "running" || status === "publishing") && (group !== id || progress !== null)

/** True if a resume has something to continue from: the run has crashed, or has done some work. Does not check locks. */
export const isResumable = (run: RunRecord): boolean => {
  const { credits, rejects, rows, status, unpriced } = run
  if (isCut(run)) return true
  return !isOver(status) && status !== "running" && !isSpent(run) && rows + rejects + credits + unpriced > 0
}

/** True if resuming the run may complete it, even when the run has done no work yet. */
export const mayCompleteOnResume = (run: RunRecord): boolean =>
  isCut(run) || (!isOver(run.status) && run.status !== "running" && run.status !== "publishing" && !isSpent(run))
