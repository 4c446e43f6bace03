/** Stores the schedules of pipelines, with their pauses and removals. Scheduled times before a schedule's `since` are never caught up. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import { decodeNullable, encodeOptional, numberOf } from "../Ledger/Connection.ts"
import type { Pause, Registration, ScheduleRecord } from "./Model.ts"

type Sql = SqlClient.SqlClient

interface ScheduleRow {
  readonly pipeline: string
  readonly file: string
  readonly times: string
  readonly schedule: string
  readonly since: number
  readonly reached: number | null
  readonly paused_at: number | null
  readonly paused_why: string | null
  readonly paused_until: number | null
  readonly removed_at: number | null
}

const toPause = (row: Pick<ScheduleRow, "paused_at" | "paused_why" | "paused_until">): Pause => ({
  pausedAt: numberOf(row.paused_at),
  pausedWhy: decodeNullable(row.paused_why),
  pausedUntil: numberOf(row.paused_until)
})

const toSchedule = (row: ScheduleRow, now: number): ScheduleRecord => ({
  pipeline: row.pipeline,
  file: Dialect.decodeText(row.file),
  times: row.times,
  schedule: Dialect.decodeText(row.schedule),
  // A clock that was ahead, and has been corrected, may have written a later time than now.
  reached: Math.max(Math.min(Number(row.since), now), Number(row.reached ?? 0)),
  ...toPause(row),
  removedAt: numberOf(row.removed_at)
})

/** All schedules. Only occurrences with the cause `schedule` count for `reached`, not those requested by hand. */
export const listSchedules = (sql: Sql) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.map(
      sql<ScheduleRow>`SELECT schedules.*, (SELECT occurrences.scheduled_time FROM occurrences
          WHERE occurrences.pipeline = schedules.pipeline AND occurrences.scheduled_time <= ${now}
            AND occurrences.cause = 'schedule' ORDER BY occurrences.scheduled_time DESC LIMIT 1) AS reached
        FROM schedules ORDER BY pipeline`,
      (rows) => rows.map((row) => toSchedule(row, now))
    )
  )

/** Milliseconds in which a removed definition may come back without counting as removed: editors may delete and recreate a file. */
const replaceWindow = 60_000

/**
 * Adds or updates schedules. New, restored and rescheduled pipelines count from now: earlier times are not caught up. So do those that were
 * written by a clock that was ahead.
 */
export const register = (sql: Sql, pipelines: ReadonlyArray<Registration>) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { file, pipeline, schedule, times } of [...pipelines].sort((a, b) =>
      a.pipeline < b.pipeline ? -1 : 1
    )) {
      yield* sql`INSERT INTO schedules ${sql.insert({
        pipeline,
        file: Dialect.encodeText(file),
        times,
        schedule: Dialect.encodeText(schedule),
        since: now,
        seen_at: now
      })} ON CONFLICT (pipeline) DO UPDATE SET file = excluded.file, schedule = excluded.schedule,
        since = CASE WHEN schedules.times = excluded.times AND coalesce(schedules.removed_at, ${now}) >= ${now - replaceWindow}
            AND schedules.since <= excluded.since
          THEN schedules.since ELSE excluded.since END,
        times = excluded.times, seen_at = excluded.seen_at, removed_at = NULL`
    }
    const names = new Set(pipelines.map(({ pipeline }) => pipeline))
    return (yield* listSchedules(sql)).filter(({ pipeline }) => names.has(pipeline))
  })

export const remove = (sql: Sql, pipelines: ReadonlyArray<string>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.forEach(
      pipelines,
      (pipeline) => sql`UPDATE schedules SET removed_at = ${now} WHERE pipeline = ${pipeline} AND removed_at IS NULL`,
      { discard: true }
    )
  )

const endPause = (sql: Sql, which: Fragment) =>
  sql`UPDATE schedules SET paused_at = NULL, paused_why = NULL, paused_until = NULL WHERE ${which} RETURNING pipeline`

export const pause = (sql: Sql, pipeline: string, why: string | undefined, until: number | undefined) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* endPause(sql, sql`pipeline = ${pipeline} AND paused_until <= ${now}`)
    const rows = yield* sql`UPDATE schedules SET paused_at = coalesce(paused_at, ${now}),
      paused_why = coalesce(${encodeOptional(why)}, paused_why), paused_until = coalesce(${until ?? null}, paused_until)
      WHERE pipeline = ${pipeline} RETURNING pipeline`
    return rows.length > 0
  })

export const paused = (sql: Sql) =>
  Effect.map(
    sql<
      Pick<ScheduleRow, "pipeline" | "paused_at" | "paused_why" | "paused_until">
    >`SELECT pipeline, paused_at, paused_why, paused_until FROM schedules WHERE paused_at IS NOT NULL`,
    (rows) => rows.map((row) => ({ pipeline: row.pipeline, ...toPause(row), pausedAt: Number(row.paused_at) }))
  )

export const resume = (sql: Sql, pipeline: string) =>
  Effect.map(endPause(sql, sql`pipeline = ${pipeline}`), (rows) => rows.length > 0)
