/** Rows of instants as the tables have them. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { InstantStatus } from "./InstantStatus.ts"
import type { InstantRecord } from "./Schedules.ts"

export type Sql = SqlClient.SqlClient
export type Which = Pick<InstantRecord, "pipeline" | "instant">

export interface InstantRow {
  readonly pipeline: string
  readonly instant: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: InstantStatus
  readonly owner: string | null
  readonly run_id: string | null
  readonly attempt: number
  readonly reason: string | null
  readonly replaced_by: number | null
  readonly claimed_at: number
  readonly begun_at: number | null
  readonly next_at: number | null
  readonly ended_at: number | null
}

const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

export const toRecord = (row: InstantRow): InstantRecord => ({
  pipeline: row.pipeline,
  instant: Number(row.instant),
  due: Number(row.due),
  cause: row.cause,
  status: row.status,
  owner: row.owner ?? undefined,
  runId: row.run_id ?? undefined,
  attempt: Number(row.attempt),
  reason: row.reason === null ? undefined : Text.decode(row.reason),
  replacedBy: numberOf(row.replaced_by),
  claimedAt: Number(row.claimed_at),
  begunAt: numberOf(row.begun_at),
  nextAt: numberOf(row.next_at),
  endedAt: numberOf(row.ended_at)
})

export const textOf = (reason: string | undefined) => (reason === undefined ? null : Text.encode(reason))

/** All that are not over, oldest first. */
export const open = (sql: Sql) =>
  Effect.map(sql<InstantRow>`SELECT * FROM instants WHERE ended_at IS NULL ORDER BY pipeline, instant`, (rows) =>
    rows.map(toRecord)
  )
