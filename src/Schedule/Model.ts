/**
 * Types of the schedule store: schedules, occurrences and notifications.
 *
 * `scheduledTime` is a time of a schedule, in milliseconds since 1970; `due` is that time plus jitter.
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Event } from "../Pipeline/Schedule.ts"
import type { OccurrenceStatus } from "./OccurrenceStatus.ts"

/** Schedule of a pipeline, read from its definition. */
export interface Registration {
  readonly pipeline: string
  /** Absolute path of the definition. */
  readonly file: string
  /** The schedule as JSON. Used while the definition is invalid. */
  readonly schedule: string
  /** The fields of the schedule that determine its times. When they change, earlier times are not caught up. */
  readonly times: string
}

/** Pause of a schedule. Times are in milliseconds since 1970. */
export interface Pause {
  readonly pausedAt: number | undefined
  readonly pausedWhy: string | undefined
  /** End of the pause; undefined when it does not end by itself. */
  readonly pausedUntil: number | undefined
}

/** True if the schedule is paused at `time`. A pause that has ended no longer counts, even if it is still stored. */
export const isPausedAt = ({ pausedAt, pausedUntil = Number.POSITIVE_INFINITY }: Pause, time: number): boolean =>
  pausedAt !== undefined && time < pausedUntil

/** Stored schedule of a pipeline. Times are in milliseconds since 1970. */
export interface ScheduleRecord extends Registration, Pause {
  /** Latest scheduled time that a daemon has processed. */
  readonly reached: number
  /** When the definition was removed. */
  readonly removedAt: number | undefined
}

/** Record of one scheduled time: when it was due, who took it, and how it ended. */
export interface Occurrence {
  readonly pipeline: string
  readonly scheduledTime: number
  /** The scheduled time plus jitter. */
  readonly due: number
  /** `hand`: requested by `sluice schedule run`. */
  readonly cause: "schedule" | "hand"
  readonly status: OccurrenceStatus
  /** The lease holder that runs it; undefined when any daemon may take it. */
  readonly owner: string | undefined
  /** Run of the last attempt. */
  readonly runId: string | undefined
  /** Number of started attempts, not counting those that a signal stopped. */
  readonly attempt: number
  readonly reason: string | undefined
  /** Later occurrence that replaced this one. */
  readonly replacedBy: number | undefined
  readonly claimedAt: number
  /** When the first attempt began. */
  readonly begunAt: number | undefined
  readonly nextAt: number | undefined
  readonly endedAt: number | undefined
}

/** Notification to send. `target` is the index of its entry in the definition's `notify`. */
export interface NewNotification {
  readonly event: Event
  readonly target: number
  /** Notification as JSON. */
  readonly body: string
}

/** Request to run an occurrence, or to record it with its outcome. */
export interface Claim {
  readonly pipeline: string
  readonly scheduledTime: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: "waiting" | "missed" | "skipped" | "failed"
  readonly reason?: string | undefined
  /** Policy while an earlier occurrence is still running. */
  readonly overlap: "skip" | "queue" | "replace" | "allow"
  /** Notifications of the occurrence. Stored only if the claim succeeds. */
  readonly notices: ReadonlyArray<NewNotification>
}

/** Final outcome of an occurrence. */
export interface Outcome {
  readonly status: "completed" | "failed" | "held" | "budget" | "skipped" | "replaced" | "missed"
  readonly reason?: string | undefined
  readonly notices: ReadonlyArray<NewNotification>
}

/** When to try an occurrence again, and why. */
export interface Retry {
  readonly at: number
  readonly reason: string
  /** The run to resume; undefined to start a new one. */
  readonly runId: string | undefined
  /** False if the attempt came too early, so it does not count as a retry. */
  readonly counts: boolean
}

export type OccurrenceId = Pick<Occurrence, "pipeline" | "scheduledTime">

/** Filter for occurrences. An undefined field matches all of them. */
export interface OccurrenceFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<OccurrenceStatus> | undefined
  /** First scheduled time, inclusive. */
  readonly since?: number | undefined
  /** Last scheduled time, inclusive. */
  readonly until?: number | undefined
  readonly limit: number
  readonly offset?: number | undefined
}

/** Stored notification with its delivery status. */
export interface Notification extends NewNotification {
  readonly id: string
  readonly pipeline: string
  readonly scheduledTime: number
  readonly runId: string | undefined
  readonly madeAt: number
  /** Delivery attempts, including the current one. */
  readonly attempts: number
  readonly sentAt: number | undefined
  readonly gaveUpAt: number | undefined
  readonly error: string | undefined
}

/** Notifications to send: each at least once, by one sender at a time. */
export interface NotificationOutbox {
  /** Leases up to `limit` due notifications for `hold` milliseconds. They become due again when the lease expires. */
  readonly take: (limit: number, hold: number) => Effect.Effect<ReadonlyArray<Notification>, LedgerError>
  readonly sent: (id: string) => Effect.Effect<void, LedgerError>
  /** Notifications of a target that are neither delivered nor given up, oldest first. */
  readonly unsent: (
    pipeline: string,
    target: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Notification>, LedgerError>
  /** Postpones a notification without counting an attempt: its target is unknown here, has quiet hours, or collects a digest. */
  readonly postpone: (id: string, until: number) => Effect.Effect<void, LedgerError>
  /** Records a failed delivery. Without `nextAt` it is not tried again. */
  readonly failed: (id: string, error: string, nextAt: number | undefined) => Effect.Effect<void, LedgerError>
  /** Notifications, newest first. */
  readonly list: (filter: {
    readonly pipeline?: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Notification>, LedgerError>
}

/** Lease holder that runs occurrences and sends a heartbeat. Writes to occurrences that it no longer owns have no effect. */
export interface LeaseHolder {
  readonly owner: string
  /** Never succeeds; fails when the lease has expired and was removed. */
  readonly lost: Effect.Effect<never, LedgerError>
  /** Claims occurrences in one transaction. Returns the ones that this holder won. */
  readonly claim: (claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<Occurrence>, LedgerError>
  /** Claims a finished occurrence again, unless it was completed. Its status becomes `waiting`. */
  readonly reclaim: (which: OccurrenceId) => Effect.Effect<Occurrence | undefined, LedgerError>
  /**
   * Records that a run starts. False when the occurrence belongs to another holder, or, with `alone`, while an earlier
   * occurrence of the pipeline is running.
   */
  readonly start: (
    which: OccurrenceId & { readonly runId: string; readonly alone: boolean }
  ) => Effect.Effect<boolean, LedgerError>
  /** Schedules another attempt. */
  readonly retry: (which: OccurrenceId, later: Retry) => Effect.Effect<boolean, LedgerError>
  readonly end: (which: OccurrenceId, outcome: Outcome) => Effect.Effect<boolean, LedgerError>
  /** Releases unfinished occurrences to other holders. */
  readonly release: (which: ReadonlyArray<OccurrenceId>) => Effect.Effect<void, LedgerError>
  /** Takes over occurrences that `accepts` approves, if they were released or their holder is gone. */
  readonly takeOver: (
    accepts: (which: OccurrenceId) => boolean
  ) => Effect.Effect<ReadonlyArray<Occurrence>, LedgerError>
  /** Unfinished occurrences of this holder. */
  readonly owned: Effect.Effect<ReadonlyArray<Occurrence>, LedgerError>
}

/** Schedules and their occurrences. */
export interface ScheduleStore {
  /** Registers the caller as a lease holder until the scope closes. */
  readonly acquireLease: Effect.Effect<LeaseHolder, LedgerError | Locked, Scope.Scope>
  /** Lease holders whose heartbeat is current. */
  readonly leaseHolders: Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Adds or updates the schedules of pipelines, and returns them. */
  readonly register: (
    pipelines: ReadonlyArray<Registration>
  ) => Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** Marks schedules as removed. If a definition comes back, the times in between are not caught up. */
  readonly remove: (pipelines: ReadonlyArray<string>) => Effect.Effect<void, LedgerError>
  /** All schedules, ordered by name. */
  readonly list: Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** Pauses a schedule, or changes its pause: a reason or end that is not given stays. False if the pipeline has no schedule. */
  readonly pause: (pipeline: string, why?: string, until?: number) => Effect.Effect<boolean, LedgerError>
  readonly resume: (pipeline: string) => Effect.Effect<boolean, LedgerError>
  /** Times at which pipelines were paused, by name. */
  readonly paused: Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  readonly find: (which: OccurrenceId) => Effect.Effect<Occurrence | undefined, LedgerError>
  /** Occurrences, newest first. */
  readonly occurrences: (filter: OccurrenceFilter) => Effect.Effect<ReadonlyArray<Occurrence>, LedgerError>
  /** Latest finished occurrence of each pipeline, ignoring missed and skipped ones. */
  readonly lastEnded: Effect.Effect<ReadonlyMap<string, Occurrence>, LedgerError>
  /** Scheduled time of the last visit of a watch whose changes `sluice watch` has printed; undefined before the first. */
  readonly printed: (pipeline: string) => Effect.Effect<number | undefined, LedgerError>
  readonly markPrinted: (pipeline: string, scheduledTime: number) => Effect.Effect<void, LedgerError>
  readonly notifications: NotificationOutbox
  /**
   * Deletes finished occurrences, notifications, abandoned occurrences and removed schedules that are older than a time. Returns the number
   * of deleted occurrences.
   */
  readonly prune: (before: number) => Effect.Effect<number, LedgerError>
}

/** Default retention of finished occurrences. */
export const defaultRetention = "90 days"

/** Changes to a definition that were tried successfully on the pages of a run whose outputs are held. */
export interface ProposedRepair {
  readonly changes: ReadonlyArray<{
    readonly field: string
    /** Source of the field in the definition; undefined for `rows`. */
    readonly from: string | undefined
    readonly to: string
    /** Result on the pages of the run, for example `57 of 57 equal`. */
    readonly proof: string
  }>
  /** Broken fields, or `rows`, for which no change is proved; undefined if there are none. */
  readonly notProved?: ReadonlyArray<string>
  /** Command that applies the changes and, if they repair all fields, reads the pages of the run again. */
  readonly command: string
}
