/** Interface between the scheduler and the program that starts it: options, events, status, and the runner that it calls. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import type { RunFailed, Summary } from "../Run/RunResult.ts"
import type { ExitCode } from "../TypedError/ExitCode.ts"
import type { Occurrence, ProposedRepair } from "./Model.ts"

/** Events to report to the user. */
export type SchedulerEvent =
  | { readonly _tag: "Added" | "Changed" | "Removed"; readonly pipeline: string; readonly file: string }
  /** `lines`: the mistakes of the message, one each. */
  | {
      readonly _tag: "Broken"
      readonly file: string
      readonly message: string
      readonly lines: ReadonlyArray<string>
    }
  | { readonly _tag: "Twice"; readonly pipeline: string; readonly file: string; readonly other: string }
  | { readonly _tag: "Began"; readonly pipeline: string; readonly scheduledTime: number; readonly runId: string }
  /** An occurrence has finished. The record contains its outcome. */
  | { readonly _tag: "Over"; readonly record: Occurrence }
  | {
      readonly _tag: "Retrying"
      readonly pipeline: string
      readonly scheduledTime: number
      readonly reason: string
      readonly nextAt: number
    }
  /** The ledger or another dependency failed; the operation is retried. */
  | { readonly _tag: "Trouble"; readonly message: string }

/** Folder of definitions, runner and times of a scheduler. */
export interface SchedulerOptions {
  /** Folder of the definitions; subfolders are ignored. */
  readonly definitions: string
  readonly runner: Runner
  /** Time that active runs get to stop when the scheduler stops. Default: 30 seconds. */
  readonly grace?: Duration.DurationInput | undefined
  /** Maximum concurrent runs. Default: 16. */
  readonly concurrency?: number | undefined
  /** An occurrence found this much later than it was due counts as missed, and `catchUp` applies. Default: 60 seconds. */
  readonly tolerance?: Duration.DurationInput | undefined
  /** Interval between scans of the folder. Default: 2 seconds. */
  readonly scanInterval?: Duration.DurationInput | undefined
  /** Maximum sleep before the clock is read again. Default: 30 seconds. */
  readonly maxSleep?: Duration.DurationInput | undefined
  /** Interval between checks for occurrences of dead schedulers. Default: 5 seconds. */
  readonly takeoverInterval?: Duration.DurationInput | undefined
  /** Retention of finished occurrences. Default: 90 days. */
  readonly retention?: Duration.DurationInput | undefined
  readonly onEvent?: ((event: SchedulerEvent) => void) | undefined
}

/** Status of one pipeline. */
export interface PipelineStatus {
  readonly pipeline: string
  readonly file: string
  readonly cron: string
  readonly timezone: string
  /** Next scheduled time, in milliseconds since 1970. */
  readonly next: number | undefined
  readonly pausedAt: number | undefined
  /** Error of the current definition. */
  readonly broken: string | undefined
}

/** State of a scheduler at one moment: its pipelines, and the files with errors. */
export interface SchedulerStatus {
  readonly owner: string
  readonly startedAt: number
  /** When the scheduler last looked for due occurrences. */
  readonly tickedAt: number
  readonly draining: boolean
  /** Earliest due time among all pipelines. */
  readonly next: number | undefined
  readonly pipelines: ReadonlyArray<PipelineStatus>
  /** Files whose definitions have errors. */
  readonly broken: ReadonlyArray<{ readonly file: string; readonly message: string }>
  readonly running: ReadonlyArray<{
    readonly pipeline: string
    readonly scheduledTime: number
    readonly runId: string | undefined
  }>
  readonly waiting: number
  /** Error of the last operation on the ledger or the folder; undefined once one succeeds. */
  readonly trouble: string | undefined
}

/** A running scheduler. */
export interface Scheduler {
  readonly status: Effect.Effect<SchedulerStatus>
  /** Last valid definition of a pipeline, whose `notify` targets get its notifications. */
  readonly definition: (pipeline: string) => Checked | undefined
  /** Scans the folder now. */
  readonly rescan: Effect.Effect<void>
  /** Never succeeds; fails when the scheduler has lost its lease. */
  readonly await: Effect.Effect<never, LedgerError>
}

/** Input of a runner for one attempt to run an occurrence. */
export interface Task {
  /** The current definition. */
  readonly checked: Checked
  /** Milliseconds since 1970: `scheduledFor` of the run. */
  readonly scheduledTime: number
  /** Run of an earlier attempt to resume, with the definition that it was started with; undefined to start a new run. */
  readonly resume: RunRecord | undefined
  /**
   * Call with the run's id before executing the run. If it fails, the run must not be executed: another process owns the occurrence by now,
   * or an earlier occurrence is still running.
   */
  readonly begun: (runId: string) => Effect.Effect<void, Refused>
  /** True for a past window (`schedule.backfill`). */
  readonly backfill?: boolean | undefined
  /** True if the earlier attempt has ended; otherwise its run may still be running elsewhere. */
  readonly again: boolean
  /** True if a later occurrence replaces this one. A run that continues on another machine must then be stopped. */
  readonly isReplaced: () => boolean
}

/** Failure of {@link Task.begun}. A runner passes it on. */
export interface Refused {
  readonly _tag: "ScheduledTimeRefused"
  readonly message: string
}

/** Error that prevented the run from starting, for example no service, or a definition that has changed. */
export interface Failure {
  readonly _tag: string
  readonly message: string
  /** Exit code of the process. Default: 1. */
  readonly exitCode?: ExitCode | undefined
}

/** Loads definitions and executes runs. */
export interface Runner {
  /** Loads and checks the definition in a file, in the same way as a run of it would. */
  readonly load: (file: string) => Effect.Effect<Checked, DefinitionInvalid>
  /**
   * The definition that a run was started with. Needed if a file is already invalid when the scheduler first reads it: notifications then
   * go to the `notify` targets of the last run's definition. If undefined, there are no notifications.
   */
  readonly former?: ((record: RunRecord) => Effect.Effect<Checked, { readonly message: string }>) | undefined
  /** Looks for changes to a definition that would repair a run whose outputs are held. Never fails, and makes no requests to sites. */
  readonly propose?: ((file: string, runId: string) => Effect.Effect<ProposedRepair | undefined>) | undefined
  /** Executes a task. Interruption stops the run at a checkpoint, so that it can be resumed. */
  readonly run: (task: Task) => Effect.Effect<Summary, RunFailed | Refused | Failure>
}
