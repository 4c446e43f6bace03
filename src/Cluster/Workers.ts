/**
 * Registry of workers: which are running, how many parts each executes at once, and which were asked to leave. `Carrier.ts` delivers the
 * parts, and takes them away from a silent worker.
 */
import * as Effect from "effect/Effect"
import { retryLost } from "../Database/ConnectionLoss.ts"
import { decodeNullable } from "../Ledger/Connection.ts"
import { inLedger, ledgerSql } from "../Ledger/Service.ts"

/** Silence after which a worker is shown as gone. */
const silence = "4 seconds"

export interface Worker {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly concurrency: number
}

export interface WorkerRow extends Worker {
  readonly draining: boolean
  readonly alive: boolean
  /** Parts that the worker is executing, in the order in which they were begun. */
  readonly parts: ReadonlyArray<PartAtWork>
}

export interface PartAtWork {
  readonly runId: string
  readonly pipeline: string
  /** Name such as `shard 3`, `split` or `finish`. */
  readonly part: string
  /** Number of consecutive starts by workers without progress. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly begunAt: number
}

/** SQL: true if the worker of this row of `workers` is alive. */
const isAlive = `beat >= now() - interval '${silence}'`

/** SQL: true if the worker that last began part `p` is alive. */
export const hasWorker = `EXISTS (SELECT 1 FROM workers w WHERE w.id = p.worker AND ${isAlive})`

/** SQL: FROM clause for parts `p` of active runs that no living worker has. */
export const waitingParts = `FROM parts p JOIN submissions s ON s.run_id = p.run_id
  WHERE s.status = 'running' AND p.status = 'open' AND NOT ${hasWorker}`

/**
 * Registers the worker and marks it as alive. Returns whether it was asked to drain, whether a worker that had begun a part is gone, and
 * for how many seconds the server has been up.
 */
export const beat = (worker: Worker) =>
  Effect.flatMap(ledgerSql, (sql) =>
    Effect.map(
      sql<{ draining: boolean; lost: boolean; up: number }>`INSERT INTO workers ${sql.insert({ ...worker })}
        ON CONFLICT (id) DO UPDATE SET beat = now()
        RETURNING draining, extract(epoch FROM now() - pg_postmaster_start_time())::bigint AS up,
          EXISTS (SELECT 1 FROM parts p WHERE p.status = 'open' AND p.worker IS NOT NULL
            AND NOT ${sql.literal(hasWorker)}) AS lost`,
      ([row]) => ({
        isAsked: row?.draining === true,
        hasLost: row?.lost === true,
        serverUp: Number(row?.up ?? 0)
      })
    )
  ).pipe(inLedger("sending the heartbeat of this worker"))

/** Removes a worker. */
export const leave = (id: string) =>
  Effect.flatMap(ledgerSql, (sql) => sql`DELETE FROM workers WHERE id = ${id}`).pipe(
    inLedger("removing this worker from the list of workers")
  )

/** Asks workers, by id or host, to finish their parts and leave; returns the number of workers. */
export const drain = (id: string) =>
  Effect.flatMap(ledgerSql, (sql) =>
    Effect.map(
      retryLost(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
      (rows) => rows.length
    )
  ).pipe(inLedger(`draining the worker ${id}`))

/** Number of parts of active runs that no living worker has. */
export const waiting = Effect.flatMap(ledgerSql, (sql) =>
  Effect.map(retryLost(sql<{ count: number }>`SELECT count(*) AS count ${sql.literal(waitingParts)}`), ([row]) =>
    Number(row?.count ?? 0)
  )
).pipe(inLedger("counting parts that wait"))

/** All workers, oldest first, with the parts they are executing. */
export const list = Effect.gen(function* () {
  const sql = yield* ledgerSql
  const workers = yield* retryLost(
    sql<Omit<WorkerRow, "parts">>`SELECT id, host, pid, concurrency, draining, ${sql.literal(isAlive)} AS alive
      FROM workers ORDER BY since`
  )
  const parts = yield* retryLost(
    sql<Omit<PartAtWork, "runId"> & { readonly worker: string; readonly run_id: string }>`SELECT p.worker, p.run_id,
      r.pipeline, CASE p.kind WHEN 'shard' THEN 'shard ' || p.part ELSE p.kind END AS part, p.beginnings AS attempts,
      floor(extract(epoch FROM p.begun_at) * 1000)::bigint AS "begunAt"
      FROM parts p JOIN submissions s ON s.run_id = p.run_id LEFT JOIN runs r ON r.id = p.run_id
      WHERE p.status = 'open' AND p.worker IS NOT NULL AND s.status = 'running' ORDER BY p.begun_at`
  )
  return workers.map(
    (row): WorkerRow => ({
      ...row,
      pid: Number(row.pid),
      parts: parts
        .filter(({ worker }) => worker === row.id)
        .map(({ attempts, begunAt, part, pipeline, run_id }) => ({
          runId: run_id,
          pipeline: decodeNullable(pipeline) ?? "",
          part,
          attempts: Number(attempts),
          begunAt: Number(begunAt)
        }))
    })
  )
}).pipe(inLedger("listing workers"))
