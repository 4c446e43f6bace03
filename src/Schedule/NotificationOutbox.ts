/** The rows of notices: written with what they tell of, and sent by whoever takes them. */
import { randomUUID } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../Database/Text.ts"
import type { Event } from "../Pipeline/Schedule.ts"
import type { InstantRecord, NewNotice, NoticeRecord } from "./Model.ts"

type Sql = SqlClient.SqlClient

interface NoticeRow {
  readonly id: string
  readonly pipeline: string
  readonly instant: number
  readonly run_id: string | null
  readonly event: Event
  readonly target: number
  readonly body: string
  readonly made_at: number
  readonly attempts: number
  readonly sent_at: number | null
  readonly gave_up_at: number | null
  readonly error: string | null
}

const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

const toRecord = (row: NoticeRow): NoticeRecord => ({
  id: row.id,
  pipeline: row.pipeline,
  instant: Number(row.instant),
  runId: row.run_id ?? undefined,
  event: row.event,
  target: Number(row.target),
  body: Text.decode(row.body),
  madeAt: Number(row.made_at),
  attempts: Number(row.attempts),
  sentAt: numberOf(row.sent_at),
  gaveUpAt: numberOf(row.gave_up_at),
  error: row.error === null ? undefined : Text.decode(row.error)
})

export const add = (
  sql: Sql,
  { instant, pipeline, runId }: InstantRecord,
  notices: ReadonlyArray<NewNotice>,
  now: number
) =>
  sql`INSERT INTO notices ${sql.insert(
    notices.map(({ body, event, target }) => ({
      id: randomUUID(),
      pipeline,
      instant,
      run_id: runId ?? null,
      event,
      target,
      body: Text.encode(body),
      made_at: now,
      attempts: 0,
      next_at: now
    }))
  )}`

export const areDue = (sql: Sql, now: number) =>
  Effect.map(sql`SELECT id FROM notices WHERE next_at <= ${now} LIMIT 1`, (rows) => rows.length > 0)

export const take = (sql: Sql, now: number, limit: number, hold: number) =>
  Effect.map(
    sql<NoticeRow>`UPDATE notices SET attempts = attempts + 1, next_at = ${now + hold}
      WHERE id IN (SELECT id FROM notices WHERE next_at <= ${now} ORDER BY next_at, id LIMIT ${limit})
        AND next_at <= ${now} RETURNING *`,
    (rows) => rows.map(toRecord)
  )

export const sent = (sql: Sql, id: string) =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => sql`UPDATE notices SET sent_at = ${now}, next_at = NULL, error = NULL WHERE id = ${id}`
  ).pipe(Effect.asVoid)

export const failed = (sql: Sql, id: string, error: string, nextAt: number | undefined) =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => sql`UPDATE notices SET error = ${Text.encode(error)}, next_at = ${nextAt ?? null},
      gave_up_at = ${nextAt === undefined ? now : null} WHERE id = ${id} AND sent_at IS NULL`
  ).pipe(Effect.asVoid)

export const leave = (sql: Sql, id: string, until: number) =>
  Effect.asVoid(
    sql`UPDATE notices SET next_at = ${until}, attempts = attempts - 1 WHERE id = ${id} AND sent_at IS NULL`
  )

export const list = (
  sql: Sql,
  { limit, pipeline }: { readonly pipeline?: string | undefined; readonly limit: number }
) =>
  Effect.map(
    pipeline === undefined
      ? sql<NoticeRow>`SELECT * FROM notices ORDER BY made_at DESC, id LIMIT ${limit}`
      : sql<NoticeRow>`SELECT * FROM notices WHERE pipeline = ${pipeline} ORDER BY made_at DESC, id LIMIT ${limit}`,
    (rows) => rows.map(toRecord)
  )
