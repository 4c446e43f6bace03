/**
 * Deletes expired data in small portions: first a job's results, then its other rows, later the job itself. Also deletes the stored answers
 * of paid calls.
 */
import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Sql } from "../Store/Sql.ts"
import { answerRetention } from "../Usage/PaidCalls.ts"
import { ChangeSignal, removed } from "./ChangeSignal.ts"
import { countFitting, Results } from "./Results.ts"

/** Rows deleted per statement, to keep transactions short. */
const rowsAtOnce = 500
/** Bytes of results deleted per statement; at least one result is deleted. */
const bytesAtOnce = 4 * 1024 * 1024
/** Rows deleted per statement if a row may have a megabyte. */
const largeRowsAtOnce = 50
/** Time for which the expired answer of a paid call stays, because a caller may be reading it. */
const answerGrace = Duration.hours(1)
/** Time for which expired results stay, because a caller may be reading them slice by slice. */
export const resultsGrace = Duration.minutes(5)
/** Time for which the row of an expired job stays. */
const rememberFor = Duration.days(30)

/**
 * Deletes everything that has expired. `isRead` returns true while this process sends results of the job. `emptied` is called for each job
 * whose data was deleted.
 */
export const sweep = Trace.fn("Janitor.sweep")(function* (
  retention: Duration.Duration,
  remembered = rememberFor,
  isRead: (jobId: string) => boolean = () => false,
  emptied: (jobId: string) => Effect.Effect<void> = () => Effect.void
) {
  const sql = yield* Sql
  const now = yield* Clock.currentTimeMillis
  const before = now - Duration.toMillis(retention)

  const drain = (step: Effect.Effect<ReadonlyArray<unknown>>, count = rowsAtOnce) =>
    Effect.repeat(Effect.zipLeft(step, Effect.yieldNow()), { until: (rows) => rows.length < count })

  // Jobs to empty: expired ones; ones that an interrupted sweep left half empty (purged = 2); and ones removed by their team (purged = 3).
  // A removed job waits until its webhook has got the last event and no process can be sending its results, at most `resultsGrace`. Readers
  // in other processes are unknown here, so with other processes on the store it waits the full time.
  const otherOwners = sql`EXISTS (SELECT 1 FROM job_owners WHERE (host <> ${hostname()} OR pid <> ${process.pid}) AND expires_at > ${now})`
  const emptiable = sql`(purged = 2 OR (purged IN (0, 3) AND updated_at <= ${before - Duration.toMillis(resultsGrace)}
    AND status IN ('completed', 'failed', 'cancelled')) OR (purged = 3
    AND (updated_at <= ${now - Duration.toMillis(resultsGrace)}
      OR NOT (EXISTS (SELECT 1 FROM webhooks WHERE job_id = jobs.id AND open = 1) OR ${otherOwners}))))`

  /** Deletes a limited number of bytes per statement, because results vary in size. */
  const drainResults = (id: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const rows = yield* sql<{ position: number; bytes: number }>`SELECT position, bytes FROM job_results
        WHERE job_id = ${id} ORDER BY position LIMIT ${rowsAtOnce}`
      const last = rows[countFitting(rows, bytesAtOnce) - 1]
      if (last === undefined) return
      yield* sql`DELETE FROM job_results WHERE job_id = ${id} AND position <= ${last.position}`
      yield* nextTurn
      yield* drainResults(id)
    })

  const empty = (id: string) =>
    Effect.gen(function* () {
      // Check again, because the job may have been extended since it was listed.
      const claimed = yield* sql`UPDATE jobs SET purged = 2 WHERE id = ${id} AND ${emptiable} RETURNING id`
      if (claimed.length === 0) return
      yield* drainResults(id)
      yield* drain(sql`DELETE FROM job_pages WHERE id IN (
        SELECT id FROM job_pages WHERE job_id = ${id} LIMIT ${rowsAtOnce}) RETURNING id`)
      yield* drain(sql`DELETE FROM job_errors WHERE id IN (
        SELECT id FROM job_errors WHERE job_id = ${id} LIMIT ${rowsAtOnce}) RETURNING id`)
      yield* sql`DELETE FROM webhooks WHERE job_id = ${id}`
      yield* sql`UPDATE jobs SET purged = 1, spec = '{}' WHERE id = ${id}`
      yield* emptied(id)
    })

  const jobs = yield* sql<{ id: string }>`SELECT id FROM jobs WHERE ${emptiable}`
  yield* Effect.forEach(jobs, ({ id }) => (isRead(id) ? Effect.void : empty(id)), { discard: true })
  yield* sql`DELETE FROM jobs WHERE purged = 1 AND updated_at <= ${before - Duration.toMillis(remembered)}`
  yield* sql`DELETE FROM job_starts WHERE at <= ${before}`

  const paidBefore = now - Duration.toMillis(answerRetention) - Duration.toMillis(answerGrace)
  yield* drain(
    sql`DELETE FROM paid_call_parts WHERE rowid IN (
      SELECT part.rowid FROM paid_calls AS call
      JOIN paid_call_parts AS part ON part.team = call.team AND part.idempotency_key = call.idempotency_key
      WHERE call.at <= ${paidBefore} LIMIT ${largeRowsAtOnce}) RETURNING part`,
    largeRowsAtOnce
  )
  yield* drain(sql`DELETE FROM paid_calls WHERE rowid IN (
    SELECT rowid FROM paid_calls WHERE at <= ${paidBefore} LIMIT ${rowsAtOnce}) RETURNING at`)
})

/** Sweeps every minute and whenever a job is removed, while the scope is open. */
export const layer = (retention: Duration.Duration, remembered?: Duration.Duration) =>
  Layer.scopedDiscard(
    Effect.flatMap(Effect.all([Results, ChangeSignal]), ([{ isRead }, { notify }]) =>
      sweep(retention, remembered, isRead, notify)
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
