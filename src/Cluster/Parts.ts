/**
 * Parts of submitted runs, as reported by workers: begun, returned, completed or failed. `Carrier.ts` delivers them.
 *
 * - A part is `open`, `completed` or `failed`.
 * - A worker that ends or returns a part first settles its delivery, in the same transaction: a late report from a worker that lost the
 *   part changes nothing. Locks are taken in the order run, delivery, part.
 * - Transactions that end parts of one run share a lock on the run, unless their part may be the last: that one waits for all others, so
 *   that exactly one of them adds the finish.
 * - Attempts: `begin` counts one. Returning the part undoes that, and progress in the ledger restarts the count, so it is the number of
 *   consecutive workers that were lost with the part. After two, the part is a suspect, which a worker executes alone.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { retryLost } from "../Database/ConnectionLoss.ts"
import * as Dialect from "../Database/Dialect.ts"
import { decodeNullable, describing } from "../Ledger/Connection.ts"
import { finalStatuses } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger/Service.ts"
import { Carrier, type Delivery, type Offer } from "./Carrier.ts"
import type { PartResult } from "./PartResult.ts"

/**
 * Kind of a part. The split reads the source, shards process its rows, and the finish publishes. A run that is not split has only a finish.
 */
export type Kind = "split" | "shard" | "finish"

/** Numbers of the parts other than shards. Shards count from 0. */
export const splitPart = -1
export const finishPart = -2

export interface Part {
  readonly runId: string
  readonly part: number
  readonly kind: Kind
  readonly source: string | undefined
  /** True if the part was deferred before, because another run held what it needs. */
  readonly hasWaited: boolean
}

/** A part begun by a worker. */
export interface Begun {
  readonly part: Part
  /** The submission as it was saved; `taskOf` decodes it. */
  readonly saved: { readonly task: string; readonly used: string | null; readonly elapsed: number | null }
  /** Consecutive attempts without progress, including this one. */
  readonly attempts: number
  /** True if several consecutive workers were lost with the part. */
  readonly isSuspect: boolean
}

/** Consecutive attempts without progress after which a part fails. */
export const maxAttempts = 5

/** Attempts after which a part is a suspect: a worker executes it alone, so that a further lost worker can be blamed on this part. */
const suspectAfter = 2

/** Seconds before a deferred part is offered again. */
const deferTime = 5

/** SQL: the run id of a part whose row has this alias. */
export const partRunId = (alias: string) =>
  `${alias}.run_id || CASE ${alias}.kind WHEN 'split' THEN '.split' WHEN 'finish' THEN ''
    ELSE '.s' || lpad(${alias}.part::text, greatest(4, length(${alias}.part::text)), '0') END`

/** SQL: a number that grows whenever run `r` makes progress. */
const progressOfRun = `(coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'given')), 0)
  + coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'rejected')), 0)
  + r.row_count + r.reject_count + r.call_pages + r.call_unpriced + r.job_unpriced
  + (r.call_credits + r.job_credits)::numeric + CASE WHEN r.status = 'publishing' THEN 1 ELSE 0 END)::text`

/** Identifies one delivery of a part. */
const tokenOf = ({ attempt, id }: Delivery): string => `${id}:${attempt}`

/** SQL: milliseconds since 1970, as the ledger counts them. */
export const nowMillis = "floor(extract(epoch FROM now()) * 1000)::bigint"

export interface RunRow {
  readonly status: string
  readonly turn: number
}

/** Records the attempt; returns no row if the part is not open, or its run has ended. */
const beginRow = (sql: SqlClient, delivery: Delivery, worker: string) =>
  sql<{
    kind: Kind
    source: string | null
    attempts: number
    suspect: boolean
    task: string
    used: string | null
    elapsed: number | null
  }>`WITH was AS MATERIALIZED (
    SELECT p.beginnings, run.progress, coalesce(p.reached, '0') = coalesce(run.progress, '0') AS stays
    FROM parts p LEFT JOIN LATERAL (SELECT ${sql.literal(progressOfRun)} AS progress FROM runs r
      WHERE r.id = ${sql.literal(partRunId("p"))}) run ON TRUE
    WHERE p.run_id = ${delivery.runId} AND p.part = ${delivery.part})
  UPDATE parts p SET worker = ${worker}, token = ${tokenOf(delivery)}, begun_at = now(), error = NULL,
    reached = was.progress, beginnings = CASE WHEN NOT stays THEN 1
      WHEN p.token = ${tokenOf(delivery)} THEN was.beginnings ELSE was.beginnings + 1 END
  FROM was, submissions s WHERE p.run_id = ${delivery.runId} AND p.part = ${delivery.part} AND p.status = 'open'
    AND s.run_id = p.run_id AND s.status = 'running'
  RETURNING p.kind, p.source, p.beginnings AS attempts, stays AND p.beginnings > ${suspectAfter} AS suspect,
    s.task, s.used, floor(extract(epoch FROM now() - s.began_at) * 1000)::bigint AS elapsed`

/** Locks a run: exclusively, or shared with others that change its parts. */
export const lockRun = (sql: SqlClient, runId: string, mode: "UPDATE" | "SHARE") =>
  Effect.map(
    sql<RunRow>`SELECT status, turn FROM submissions WHERE run_id = ${runId} FOR ${sql.literal(mode)}`,
    ([row]) => row
  )

/** Offer of a part. The finish and the split never come after shards of their run. */
export const offerOf = (runId: string, part: number, turn: number): Offer => ({
  runId,
  part,
  turn: turn - Math.max(part, 0)
})

/** Adds the finish once the source is read and all shards are completed. A repeated call changes nothing. */
export const finishIfDone = (sql: SqlClient, carrier: Context.Tag.Service<Carrier>, runId: string) =>
  Effect.flatMap(
    sql`INSERT INTO parts (run_id, part, kind)
      SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
        AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
      ON CONFLICT DO NOTHING RETURNING part`,
    (rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.flatMap(sql<RunRow>`SELECT status, turn FROM submissions WHERE run_id = ${runId}`, ([row]) =>
            row === undefined ? Effect.void : carrier.offer([offerOf(runId, finishPart, row.turn)])
          )
  )

/** SQL: true if another part of the run will end after this one, because it has not been begun or reads the source. */
const othersFollow = (sql: SqlClient, { part, runId }: Delivery) =>
  sql`EXISTS (SELECT 1 FROM parts WHERE run_id = ${runId} AND part <> ${part} AND status = 'open'
    AND (worker IS NULL OR kind = 'split'))`

export interface PartFailure {
  readonly status: "failed" | "budget"
  readonly reason: string
  readonly error: string
}

/** Records that a part has failed, and its run with it. */
const failRows = (sql: SqlClient, { part, runId }: Delivery, { error, reason, status }: PartFailure) =>
  Effect.gen(function* () {
    const message = Dialect.encodeText(error)
    yield* sql`UPDATE parts SET status = 'failed', reason = ${reason}, error = ${message}, ended_at = now()
      WHERE run_id = ${runId} AND part = ${part}`
    yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${message}, ended_at = now()
      WHERE run_id = ${runId} AND status = 'running'`
    yield* sql`UPDATE runs SET status = ${status}, error = ${message},
      ended_at = ${sql.literal(nowMillis)}, updated_at = ${sql.literal(nowMillis)}
      WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
  })

/** Reports of workers about parts. */
export const make = Effect.gen(function* () {
  const { connection } = yield* Ledger
  const { sql } = connection
  const carrier = yield* Carrier
  const recording = (what: string, { runId }: Delivery) =>
    describing(connection, `recording ${what} of a part of run ${runId}`)

  /**
   * Settles a delivery and records the part as returned: its worker was not lost, so the attempt does not count. False if the delivery was
   * already lost.
   */
  const returned = (
    delivery: Delivery,
    again: { readonly isSuspect?: boolean; readonly after?: number },
    error?: string
  ) =>
    Effect.gen(function* () {
      const { part, runId } = delivery
      const run = yield* lockRun(sql, runId, "SHARE")
      if (!(yield* carrier.settle(delivery))) return false
      yield* sql`UPDATE parts SET worker = NULL, beginnings = greatest(beginnings - 1, 0),
        error = ${error === undefined ? null : Dialect.encodeText(error)}
        WHERE run_id = ${runId} AND part = ${part} AND status = 'open'`
      if (run?.status !== "running") return true
      const hasWaited = error === undefined ? delivery.hasWaited : true
      yield* carrier.offer([{ ...delivery, hasWaited, isSuspect: again.isSuspect ?? delivery.isSuspect }], again.after)
      return true
    }).pipe(sql.withTransaction)

  return {
    /**
     * Records that a worker begins a part, and counts the attempt. Undefined if there is nothing to execute: the run has ended, or a slow
     * worker has completed the part. A part that has become a suspect is not begun but returned, unless it was delivered as a suspect.
     */
    begin: (delivery: Delivery, worker: string) =>
      Effect.gen(function* () {
        const { isSuspect: isAlone = false, part, runId } = delivery
        const [row] = yield* beginRow(sql, delivery, worker)
        if (row === undefined) {
          yield* Effect.gen(function* () {
            const run = yield* lockRun(sql, runId, "SHARE")
            const [open] =
              yield* sql`SELECT 1 FROM parts WHERE run_id = ${runId} AND part = ${part} AND status = 'open'`
            yield* carrier.settle(delivery)
            // The run was resumed in between.
            if (run?.status === "running" && open !== undefined) yield* carrier.offer([delivery])
          }).pipe(sql.withTransaction)
          return undefined
        }
        if (row.suspect && !isAlone) {
          if (!(yield* returned(delivery, { isSuspect: true })))
            yield* sql`UPDATE parts SET worker = nullif(worker, ${worker}) WHERE run_id = ${runId} AND part = ${part}`
          return undefined
        }
        if (row.elapsed === null)
          yield* sql`UPDATE submissions SET began_at = now() WHERE run_id = ${runId} AND began_at IS NULL`
        const begun: Begun = {
          part: {
            runId,
            part,
            kind: row.kind,
            source: decodeNullable(row.source),
            hasWaited: delivery.hasWaited === true
          },
          saved: row,
          attempts: Number(row.attempts),
          isSuspect: row.suspect
        }
        return begun
      }).pipe(retryLost, recording("the start", delivery)),

    /**
     * Returns a part. If its delivery was lost, only uncounts the attempt: this worker was slow, not lost. A repeated call, whose first
     * response may have been lost, does not uncount it again.
     */
    release: (delivery: Delivery, worker: string) => {
      let isRepeated = false
      return Effect.gen(function* () {
        const mayHaveReleased = isRepeated
        isRepeated = true
        const { part, runId } = delivery
        if (yield* returned(delivery, {})) return
        const taken = mayHaveReleased ? 0 : 1
        yield* sql`UPDATE parts SET beginnings = greatest(beginnings - ${taken}, 0), worker = nullif(worker, ${worker})
          WHERE run_id = ${runId} AND part = ${part} AND status = 'open'`
      }).pipe(retryLost, recording("the return", delivery))
    },

    /** Returns a part for some time, because another run holds a lock that the part needs. */
    defer: (delivery: Delivery, why: string) =>
      retryLost(returned(delivery, { after: deferTime }, why)).pipe(recording("the return", delivery)),

    /** Records the part as completed. False if the delivery was already lost: then nothing is recorded. */
    complete: (delivery: Delivery, kind: Kind, result: PartResult) =>
      Effect.gen(function* () {
        const { part, runId } = delivery
        const shared =
          kind === "shard"
            ? yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} AND ${othersFollow(sql, delivery)} FOR SHARE`
            : []
        const isLast = shared.length === 0
        if (isLast) yield* lockRun(sql, runId, "UPDATE")
        if (!(yield* carrier.settle(delivery))) return false
        const [done] = yield* sql<{ more: boolean }>`UPDATE parts SET status = 'completed', ended_at = now(),
          result = ${JSON.stringify(result)}, error = NULL, reason = NULL
          WHERE run_id = ${runId} AND part = ${part} RETURNING ${othersFollow(sql, delivery)} AS more`
        if (done === undefined) return false
        if (kind === "finish") {
          yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`
          return true
        }
        if (kind === "split") yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`
        if (!isLast && done.more) return true
        // With the exclusive lock on the run, each statement sees the parts that ended before.
        if (!isLast) yield* lockRun(sql, runId, "UPDATE")
        yield* finishIfDone(sql, carrier, runId)
        return true
      }).pipe(sql.withTransaction, recording("the end", delivery)),

    /**
     * Ends the run with this part; false if its delivery was already lost. Other delivered parts are executed to their end, and no further
     * part is delivered.
     */
    fail: (delivery: Delivery, failure: PartFailure) =>
      Effect.gen(function* () {
        const { part, runId } = delivery
        yield* lockRun(sql, runId, "UPDATE")
        if (!(yield* carrier.settle(delivery))) return false
        // The run has been resumed since, so the part is attempted again.
        const stale = yield* sql`UPDATE parts SET worker = NULL WHERE run_id = ${runId} AND part = ${part}
          AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId} AND status = 'running')
          RETURNING part`
        if (stale.length > 0) {
          yield* carrier.offer([delivery])
          return true
        }
        yield* failRows(sql, delivery, failure)
        yield* carrier.withdraw(runId, "waiting")
        return true
      }).pipe(sql.withTransaction, recording("the end", delivery))
  }
})
