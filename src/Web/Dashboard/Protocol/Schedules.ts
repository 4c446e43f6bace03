/** Schedules and the calendar of their occurrences. */
import type { OccurrenceStatus } from "../../../Schedule/OccurrenceStatus.ts"

/** An instant; `due`: it is still to come. */
export interface Instant {
  readonly pipeline: string
  readonly instant: number
  readonly status: OccurrenceStatus | "due"
  readonly cause?: "schedule" | "hand" | undefined
  readonly run?: string | undefined
  readonly attempt?: number | undefined
  readonly reason?: string | undefined
  readonly begunAt?: number | undefined
  readonly nextAt?: number | undefined
  readonly endedAt?: number | undefined
}

export interface ScheduleLine {
  readonly pipeline: string
  readonly file: string
  /** Empty when the ledger's own account of it cannot be read. */
  readonly cron: string
  readonly timezone: string
  /** The next instants, at most 5; none while it is paused. */
  readonly next: ReadonlyArray<number>
  readonly pausedAt?: number | undefined
  readonly pausedWhy?: string | undefined
  /** Its definition has gone. */
  readonly removedAt?: number | undefined
  /** The last one that is over, and one that is not. */
  readonly last?: Instant | undefined
  readonly going?: Instant | undefined
}

export interface ScheduleList {
  readonly schedules: ReadonlyArray<ScheduleLine>
  /** Somebody carries them out now (`sluice schedule`). */
  readonly isServed: boolean
}

/** Ascending; at most 2,000: the oldest, and those that are farthest ahead, are left out (`isCut`). */
export interface Calendar {
  readonly instants: ReadonlyArray<Instant>
  readonly isCut: boolean
}

export interface Pause {
  readonly why?: string | undefined
}
