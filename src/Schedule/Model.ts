/** Schedules, their occurrences and notifications, as they are stored. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Event } from "../Pipeline/Schedule.ts"
import type { InstantStatus } from "./InstantStatus.ts"

export const lead = "until "

/** Reason to store with a pause that ends at a given time. */
export const whyUntil = (instant: number): string => `${lead}${new Date(instant).toISOString()}`

/** Returns the end of a pause; undefined when it does not end by itself. */
export const untilOf = (why: string | undefined): number | undefined => {
  if (why === undefined || !why.startsWith(lead)) return undefined
  const instant = Date.parse(why.slice(lead.length))
  return Number.isNaN(instant) ? undefined : instant
}

/** Schedule of a pipeline, read from its definition. */
export interface Registration {
  readonly pipeline: string
  /** Absolute path of the definition. */
  readonly file: string
  /** The schedule as JSON. Kept while the definition has mistakes. */
  readonly schedule: string
  /** Fields that determine the scheduled times. When they change, earlier times are not caught up. */
  readonly times: string
}

/** Stored schedule of a pipeline. Times are in milliseconds since 1970. */
export interface ScheduleRecord extends Registration {
  /** Latest scheduled time that a daemon has processed. */
  readonly reached: number
  readonly pausedAt: number | undefined
  readonly pausedWhy: string | undefined
  /** When its definition was removed. */
  readonly removedAt: number | undefined
}

/** Occurrence of a schedule, with its outcome. */
export interface InstantRecord {
  readonly pipeline: string
  readonly instant: number
  /** The scheduled time plus jitter. */
  readonly due: number
  /** `hand`: requested by `sluice schedule run`. */
  readonly cause: "schedule" | "hand"
  readonly status: InstantStatus
  /** The lease holder that runs it; undefined when any daemon may take it. */
  readonly owner: string | undefined
  /** Run of the last attempt. */
  readonly runId: string | undefined
  /** Started attempts, without those that were stopped by a signal. */
  readonly attempt: number
  readonly reason: string | undefined
  /** The later occurrence that replaced this one. */
  readonly replacedBy: number | undefined
  readonly claimedAt: number
  /** When the first attempt began. */
  readonly begunAt: number | undefined
  readonly nextAt: number | undefined
  readonly endedAt: number | undefined
}

/** Notification to send. `target` is the index of its entry in the definition's `notify`. */
export interface NewNotice {
  readonly event: Event
  readonly target: number
  /** JSON. */
  readonly body: string
}

/** Request to run an occurrence, or to record it with its outcome. */
export interface Claim {
  readonly pipeline: string
  readonly instant: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: "waiting" | "missed" | "skipped" | "failed"
  readonly reason?: string | undefined
  /** Policy while an earlier occurrence is still running. */
  readonly overlap: "skip" | "queue" | "replace" | "allow"
  /** Stored only if the claim succeeds. */
  readonly notices: ReadonlyArray<NewNotice>
}

/** Outcome of an attempt. */
export interface Ending {
  readonly status: "completed" | "failed" | "budget" | "skipped" | "replaced" | "missed"
  readonly reason?: string | undefined
  readonly notices: ReadonlyArray<NewNotice>
}

/** When an occurrence is tried again, and why. */
export interface Later {
  readonly at: number
  readonly reason: string
  /** The run to resume; undefined to start a new one. */
  readonly runId: string | undefined
  /** False when the attempt does not count as a retry because it only came too early. */
  readonly counts: boolean
}

export type Which = Pick<InstantRecord, "pipeline" | "instant">

/** Filter for occurrences. Fields that are undefined match all. */
export interface InstantFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<InstantStatus> | undefined
  /** First scheduled time, inclusive. */
  readonly since?: number | undefined
  /** Last scheduled time, inclusive. */
  readonly until?: number | undefined
  readonly limit: number
  readonly offset?: number | undefined
}

/** Stored notification with its delivery status. */
export interface NoticeRecord extends NewNotice {
  readonly id: string
  readonly pipeline: string
  readonly instant: number
  readonly runId: string | undefined
  readonly madeAt: number
  /** Delivery attempts, including the current one. */
  readonly attempts: number
  readonly sentAt: number | undefined
  readonly gaveUpAt: number | undefined
  readonly error: string | undefined
}

/** Notifications to send: each at least once, by one sender at a time. */
export interface Notices {
  /** Leases up to `limit` due notifications for `hold` milliseconds. They become due again when the lease expires. */
  readonly take: (limit: number, hold: number) => Effect.Effect<ReadonlyArray<NoticeRecord>, LedgerError>
  readonly sent: (id: string) => Effect.Effect<void, LedgerError>
  /** Postpones a notification whose target is unknown here, without counting an attempt. */
  readonly leave: (id: string, until: number) => Effect.Effect<void, LedgerError>
  /** Records a failed delivery. Without `nextAt` it is not tried again. */
  readonly failed: (id: string, error: string, nextAt: number | undefined) => Effect.Effect<void, LedgerError>
  /** Newest first. */
  readonly list: (filter: {
    readonly pipeline?: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<NoticeRecord>, LedgerError>
}

/** Lease holder that runs occurrences and sends a heartbeat. Writes to occurrences that it no longer owns have no effect. */
export interface Carrier {
  readonly owner: string
  /** Never succeeds; fails when the lease has expired and was removed. */
  readonly lost: Effect.Effect<never, LedgerError>
  /** Claims occurrences in one transaction. Returns the ones that this holder won. */
  readonly claim: (claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** Claims a finished occurrence again, unless it was completed. Its status becomes `waiting`. */
  readonly again: (which: Which) => Effect.Effect<InstantRecord | undefined, LedgerError>
  /**
   * Records that a run starts. False when the occurrence belongs to another holder, or, with `alone`, while an earlier
   * occurrence of the pipeline is running.
   */
  readonly begin: (
    which: Which & { readonly runId: string; readonly alone: boolean }
  ) => Effect.Effect<boolean, LedgerError>
  /** Schedules another attempt. */
  readonly retry: (which: Which, later: Later) => Effect.Effect<boolean, LedgerError>
  readonly end: (which: Which, ending: Ending) => Effect.Effect<boolean, LedgerError>
  /** Releases unfinished occurrences to other holders. */
  readonly leave: (which: ReadonlyArray<Which>) => Effect.Effect<void, LedgerError>
  /** Takes over occurrences that were released or whose holder is gone, and that `accepts` returns true for. */
  readonly takeOver: (accepts: (which: Which) => boolean) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** Unfinished occurrences of this holder. */
  readonly own: Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
}

/** Schedules and their occurrences. */
export interface Schedules {
  /** Registers the caller as a lease holder until the scope closes. */
  readonly carry: Effect.Effect<Carrier, LedgerError | Locked, Scope.Scope>
  /** Lease holders whose heartbeat is current. */
  readonly carriers: Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Adds or updates the schedules of pipelines, and returns them. */
  readonly register: (
    pipelines: ReadonlyArray<Registration>
  ) => Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** Marks schedules as removed. When a definition comes back, times in between are not caught up. */
  readonly remove: (pipelines: ReadonlyArray<string>) => Effect.Effect<void, LedgerError>
  /** All schedules, ordered by name. */
  readonly list: Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** False when the pipeline has no schedule. */
  readonly pause: (pipeline: string, why: string | undefined) => Effect.Effect<boolean, LedgerError>
  readonly resume: (pipeline: string) => Effect.Effect<boolean, LedgerError>
  /** Times at which pipelines were paused, by name. */
  readonly paused: Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  readonly find: (which: Which) => Effect.Effect<InstantRecord | undefined, LedgerError>
  /** Newest first. */
  readonly instants: (filter: InstantFilter) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** The latest finished occurrence of each pipeline that was neither missed nor skipped. */
  readonly last: Effect.Effect<ReadonlyMap<string, InstantRecord>, LedgerError>
  readonly notices: Notices
  /**
   * Deletes finished occurrences and notifications, abandoned occurrences and removed schedules from before a time.
   * Returns the number of occurrences.
   */
  readonly forget: (before: number) => Effect.Effect<number, LedgerError>
}
