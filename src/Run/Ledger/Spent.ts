/** Credits by the time they were spent: what a budget per day is held against, whatever became of the runs. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"

/** Milliseconds of a slot: every time zone's midnight begins one. */
const slotMillis = 15 * 60_000

export const slotOf = (instant: number): number => Math.floor(instant / slotMillis) * slotMillis

export const add = (sql: SqlClient.SqlClient, pipeline: string, now: number, credits: number, unpriced: number) =>
  credits === 0 && unpriced === 0
    ? Effect.void
    : sql`INSERT INTO spent ${sql.insert({ pipeline: Text.encode(pipeline), slot: slotOf(now), credits, unpriced })}
        ON CONFLICT (pipeline, slot) DO UPDATE
        SET credits = spent.credits + excluded.credits, unpriced = spent.unpriced + excluded.unpriced`

export const since = (sql: SqlClient.SqlClient, pipeline: string, instant: number) =>
  Effect.map(
    sql<{ credits: number | null }>`SELECT sum(credits) AS credits FROM spent
      WHERE pipeline = ${Text.encode(pipeline)} AND slot >= ${slotOf(instant)}`,
    ([row]) => Number(row?.credits ?? 0)
  )
