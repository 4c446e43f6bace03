/**
 * Registry of workers: who is there, how many parts each takes at once, and who was asked to leave. Parts are carried by `Carrier.ts`, and a
 * worker that is silent loses them there.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { retryLost } from "../Database/ConnectionLoss.ts"

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
  /** Number of parts that it works on. */
  readonly working: number
}

/** SQL: whether the worker of a row of `workers` is alive. */
const isAlive = `beat >= now() - interval '${silence}'`

/** SQL: whether the worker that began the part `p` last is alive. */
export const hasWorker = `EXISTS (SELECT 1 FROM workers w WHERE w.id = p.worker AND ${isAlive})`

/** SQL: parts `p` of running runs that no living worker has, to be counted or looked for. */
export const waitingParts = `FROM parts p JOIN submissions s ON s.run_id = p.run_id
  WHERE s.status = 'running' AND p.status = 'open' AND NOT ${hasWorker}`

/**
 * Registers the worker, and marks it as alive. Says whether it was asked to drain, whether a worker that is gone had begun a part, and for
 * how many seconds the server has been up.
 */
export const beat = (worker: Worker) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
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
  )

/** Removes a worker. */
export const leave = (id: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql`DELETE FROM workers WHERE id = ${id}`)

/** Asks workers, by id or host, to finish what they have and leave; gives their number. */
export const drain = (id: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(
      retryLost(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
      (rows) => rows.length
    )
  )

/** Number of parts of running runs that no living worker has. */
export const waiting = Effect.flatMap(PgClient.PgClient, (sql) =>
  Effect.map(retryLost(sql<{ count: number }>`SELECT count(*) AS count ${sql.literal(waitingParts)}`), ([row]) =>
    Number(row?.count ?? 0)
  )
)

/** All workers, the oldest first. */
export const list = Effect.flatMap(PgClient.PgClient, (sql) =>
  Effect.map(
    retryLost(sql<WorkerRow>`SELECT id, host, pid, concurrency, draining, ${sql.literal(isAlive)} AS alive,
      (SELECT count(*) FROM parts WHERE worker = workers.id AND status = 'open') AS working
      FROM workers ORDER BY since`),
    (rows) => rows.map((row): WorkerRow => ({ ...row, pid: Number(row.pid), working: Number(row.working) }))
  )
)
