/**
 * Outbox of notifications: one row for each `notify` target of an event.
 *
 * A notification is inserted in the transaction that records its event. A sender leases it by moving `next_at` into the future; a null
 * `next_at` means delivered or given up.
 */
import { randomUUID } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Dialect from "../Database/Dialect.ts"
import { decodeNullable, numberOf } from "../Ledger/Connection.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { type Event, scheduledTimeJson } from "../Pipeline/Schedule.ts"
import { writtenRows } from "../Row/Count.ts"
import type { Summary } from "../Run/RunResult.ts"
import type { ChangeRecord } from "../Step/ChangeHistory.ts"
import type { NewNotification, Notification, Occurrence, ProposedRepair } from "./Model.ts"
import type { OccurrenceStatus } from "./OccurrenceStatus.ts"

/** Event to notify about. */
export interface NotificationInput {
  readonly pipeline: string
  readonly file: string
  readonly scheduledTime: number
  readonly status: OccurrenceStatus
  readonly reason: string | undefined
  readonly runId?: string | undefined
  readonly attempt?: number | undefined
  readonly summary?: Summary | undefined
  /** Number of scheduled times that were missed together. */
  readonly missed?: number | undefined
  readonly changes?: Changes | undefined
  /** Proposed repair of the definition; not applied. */
  readonly repair?: ProposedRepair | undefined
}

/** Changes that a run found. */
export interface Changes {
  readonly total: number
  /** The first few changes. */
  readonly first: ReadonlyArray<Omit<ChangeRecord, "run">>
}

/** Maximum characters of a reason, which may quote a page. */
const maxReasonLength = 2000

/**
 * The event as a target receives it: `failed` includes runs that failed for their quality and held outputs, of this run or of the
 * backfill's window, unless the target asks for that event. Undefined if the target gets no message.
 */
const eventFor = (on: ReadonlyArray<Event>, event: Event, status: OccurrenceStatus): Event | undefined =>
  on.includes(event)
    ? event
    : (status === "failed" || status === "held") && on.includes("failed")
      ? "failed"
      : undefined

/** Makes one notification for each target that is subscribed to the event. */
export const notificationsFor = (
  checked: Checked | undefined,
  happened: Event,
  { changes, file, scheduledTime, reason, summary, ...rest }: NotificationInput
): ReadonlyArray<NewNotification> =>
  (checked?.frame.notify ?? []).flatMap(({ on }, target) => {
    const event = eventFor(on, happened, rest.status)
    return event === undefined
      ? []
      : [
          {
            event,
            target,
            body: JSON.stringify({
              event,
              ...rest,
              ...scheduledTimeJson(scheduledTime),
              file,
              reason: reason?.slice(0, maxReasonLength),
              ...(summary && Struct.pick(summary, "written", "rejects", "credits", "durationMs", "resumable")),
              ...(summary && { rows: writtenRows(summary) }),
              changes: changes?.first,
              changesTotal: changes?.total
            })
          }
        ]
  })

type Sql = SqlClient.SqlClient

interface NotificationRow {
  readonly id: string
  readonly pipeline: string
  readonly scheduled_time: number
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

const toRecord = (row: NotificationRow): Notification => ({
  id: row.id,
  pipeline: row.pipeline,
  scheduledTime: Number(row.scheduled_time),
  runId: row.run_id ?? undefined,
  event: row.event,
  target: Number(row.target),
  body: Dialect.decodeText(row.body),
  madeAt: Number(row.made_at),
  attempts: Number(row.attempts),
  sentAt: numberOf(row.sent_at),
  gaveUpAt: numberOf(row.gave_up_at),
  error: decodeNullable(row.error)
})

export const add = (
  sql: Sql,
  { scheduledTime, pipeline, runId }: Occurrence,
  notices: ReadonlyArray<NewNotification>,
  now: number
) =>
  sql`INSERT INTO notices ${sql.insert(
    notices.map(({ body, event, target }) => ({
      id: randomUUID(),
      pipeline,
      scheduled_time: scheduledTime,
      run_id: runId ?? null,
      event,
      target,
      body: Dialect.encodeText(body),
      made_at: now,
      attempts: 0,
      next_at: now
    }))
  )}`

export const areDue = (sql: Sql, now: number) =>
  Effect.map(sql`SELECT id FROM notices WHERE next_at <= ${now} LIMIT 1`, (rows) => rows.length > 0)

export const take = (sql: Sql, now: number, limit: number, hold: number) =>
  Effect.map(
    sql<NotificationRow>`UPDATE notices SET attempts = attempts + 1, next_at = ${now + hold}
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
    (now) => sql`UPDATE notices SET error = ${Dialect.encodeText(error)}, next_at = ${nextAt ?? null},
      gave_up_at = ${nextAt === undefined ? now : null} WHERE id = ${id} AND sent_at IS NULL`
  ).pipe(Effect.asVoid)

/** Notifications of a target that are neither delivered nor given up, oldest first. */
export const unsent = (sql: Sql, pipeline: string, target: number, limit: number) =>
  Effect.map(
    sql<NotificationRow>`SELECT * FROM notices WHERE pipeline = ${pipeline} AND target = ${target}
      AND next_at IS NOT NULL ORDER BY made_at, id LIMIT ${limit}`,
    (rows) => rows.map(toRecord)
  )

export const postpone = (sql: Sql, id: string, until: number) =>
  Effect.asVoid(
    sql`UPDATE notices SET next_at = ${until}, attempts = attempts - 1 WHERE id = ${id} AND sent_at IS NULL`
  )

export const list = (
  sql: Sql,
  { limit, pipeline }: { readonly pipeline?: string | undefined; readonly limit: number }
) =>
  Effect.map(
    pipeline === undefined
      ? sql<NotificationRow>`SELECT * FROM notices ORDER BY made_at DESC, id LIMIT ${limit}`
      : sql<NotificationRow>`SELECT * FROM notices WHERE pipeline = ${pipeline} ORDER BY made_at DESC, id LIMIT ${limit}`,
    (rows) => rows.map(toRecord)
  )
