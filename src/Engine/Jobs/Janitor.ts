/** Removes what has expired, in small portions: of jobs the results first and in the end the job, and paid answers. */
import { hostname } from "node:os"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { keptFor } from "../Usage/PaidCalls.ts"
import { ChangeSignal, removed } from "./ChangeSignal.ts"
import { countFitting, Results } from "./Results.ts"

/** Rows deleted in one statement, so that nobody waits long. */
const portion = 500
/** Bytes of results deleted in one statement, or one result. */
const portionBytes = 4 * 1024 * 1024
/** The same of rows that have up to a megabyte. */
const largePortion = 50
/** How long an answer that has expired stays: it may just be on its way to somebody. */
const grace = Duration.hours(1)
/** The same of results, which nobody is given any more: a page of them may be on its way, slice by slice. */
export const sending = Duration.minutes(5)
/** How long a job that is gone is still known to have existed, unless somebody says otherwise. */
const memory = Duration.days(30)

/** `isRead` tells whether a page of a job's results is on its way from this process; `emptied` is called with each job whose data is gone. */
export const sweep = Effect.fn("Janitor.sweep")(function* (
  retention: Duration.Duration,
  remembered = memory,
  isRead: (jobId: string) => boolean = () => false,
  emptied: (jobId: string) => Effect.Effect<void> = () => Effect.void
) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const before = now - Duration.toMillis(retention)

  const drain = (step: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>, count = portion) =>
    Effect.repeat(Effect.zipLeft(step, Effect.yieldNow()), { until: (rows) => rows.length < count })

  // What has expired, what a sweep that was stopped has left half empty, and what its team has removed (3). That goes once its end is
  // delivered to its webhook and nobody reads it, and at the latest after the time that readers have, whether the receiver answers or not.
  // Where other processes work on the store, whose readers are not known here, it always has that time.
  const others = sql`EXISTS (SELECT 1 FROM job_owners WHERE (host <> ${hostname()} OR pid <> ${process.pid}) AND expires_at > ${now})`
  const over = sql`(purged = 2 OR (purged IN (0, 3) AND updated_at <= ${before - Duration.toMillis(sending)}
    AND status IN ('completed', 'failed', 'cancelled')) OR (purged = 3
    AND (updated_at <= ${now - Duration.toMillis(sending)}
      OR NOT (EXISTS (SELECT 1 FROM webhooks WHERE job_id = jobs.id AND open = 1) OR ${others}))))`

  /** Results are of any size: as many at once as the driver removes in a moment. */
  const drainResults = (id: string): Effect.Effect<void, SqlError.SqlError> =>
    Effect.gen(function* () {
      const rows = yield* sql<{ position: number; bytes: number }>`SELECT position, bytes FROM job_results
        WHERE job_id = ${id} ORDER BY position LIMIT ${portion}`
      const last = rows[countFitting(rows, portionBytes) - 1]
      if (last === undefined) return
      yield* sql`DELETE FROM job_results WHERE job_id = ${id} AND position <= ${last.position}`
      yield* nextTurn
      yield* drainResults(id)
    })

  const empty = (id: string) =>
    Effect.gen(function* () {
      // Asked again: since the jobs were listed, this one may have been extended.
      const ours = yield* sql`UPDATE jobs SET purged = 2 WHERE id = ${id} AND ${over} RETURNING id`
      if (ours.length === 0) return
      yield* drainResults(id)
      yield* drain(sql`DELETE FROM job_pages WHERE id IN (
        SELECT id FROM job_pages WHERE job_id = ${id} LIMIT ${portion}) RETURNING id`)
      yield* drain(sql`DELETE FROM job_errors WHERE id IN (
        SELECT id FROM job_errors WHERE job_id = ${id} LIMIT ${portion}) RETURNING id`)
      yield* sql`DELETE FROM webhooks WHERE job_id = ${id}`
      yield* sql`UPDATE jobs SET purged = 1, spec = '{}' WHERE id = ${id}`
      yield* emptied(id)
    })

  const jobs = yield* sql<{ id: string }>`SELECT id FROM jobs WHERE ${over}`
  yield* Effect.forEach(jobs, ({ id }) => (isRead(id) ? Effect.void : empty(id)), { discard: true })
  yield* sql`DELETE FROM jobs WHERE purged = 1 AND updated_at <= ${before - Duration.toMillis(remembered)}`
  yield* sql`DELETE FROM job_starts WHERE at <= ${before}`

  const paidBefore = now - Duration.toMillis(keptFor) - Duration.toMillis(grace)
  yield* drain(
    sql`DELETE FROM paid_call_parts WHERE rowid IN (
      SELECT part.rowid FROM paid_calls AS call
      JOIN paid_call_parts AS part ON part.team = call.team AND part.idempotency_key = call.idempotency_key
      WHERE call.at <= ${paidBefore} LIMIT ${largePortion}) RETURNING part`,
    largePortion
  )
  yield* drain(sql`DELETE FROM paid_calls WHERE rowid IN (
    SELECT rowid FROM paid_calls WHERE at <= ${paidBefore} LIMIT ${portion}) RETURNING at`)
})

/** Sweeps now and then for as long as the scope is open. */
export const layer = (retention: Duration.Duration, remembered?: Duration.Duration) =>
  Layer.scopedDiscard(
    Effect.flatMap(Effect.all([Results, ChangeSignal]), ([{ isRead }, { ring }]) =>
      sweep(retention, remembered, isRead, ring)
    ).pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning("Expired jobs could not be removed; trying again later", cause)
      ),
      (sweep) =>
        Effect.gen(function* () {
          const called = yield* (yield* ChangeSignal).listen(removed)
          yield* sweep
          yield* Effect.timeoutOption(called, Duration.minutes(1))
        }),
      Effect.forever,
      Effect.forkScoped
    )
  )
