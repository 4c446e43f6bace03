/** A run on many machines, for those who hand it in and follow it; without the database, whose types users may not have. */
import type { Settled } from "../Run/RunSpec.ts"

/** What a run is told beside its definition. */
export interface Submission
  extends Pick<Settled, "out" | "backfill" | "allowCode" | "scheduledFor" | "wanted" | "now" | "env" | "secrets"> {
  readonly shardRows?: number | undefined
  /** The id that the run gets; one is made where none is given. */
  readonly id?: string | undefined
  /** The instant of a schedule that the run is for: where that is no longer this run's, it is not handed in. */
  readonly instantOf?: string | undefined
}

/** How a run stands, for those who follow it. */
export interface Standing {
  readonly status: "running" | "completed" | "failed" | "budget" | "stopped"
  readonly isSplit: boolean
  /** True when the source has been read, so that no more shards come. */
  readonly isRead: boolean
  readonly shards: number
  readonly done: number
  readonly working: number
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly why: string | undefined
  readonly reason: string | undefined
  readonly error: string | undefined
  /** What a part waits for that somebody else has now. */
  readonly waitsFor: string | undefined
}
