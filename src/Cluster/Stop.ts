/** Stopping a run on many machines: nothing of it is begun any more, and workers give back what they have of it. */
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../Database/Postgres/Lost.ts"
import { isAlive, millis } from "./Board/Signs.ts"

/** `over`: it had come to its end before; `unknown`: no such run was handed in. */
type Stopped = "stopped" | "over" | "unknown"

/** Stops it; it can be gone on with. Who carries a part of it out hears of that within a second or two. */
export const stop = (runId: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.gen(function* (): Effect.fn.Return<Stopped, SqlError> {
      const [row] = yield* sql<{ status: string; run: string | null }>`SELECT s.status,
        (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
        FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`
      if (row === undefined) return "unknown"
      // A run whose last step has completed is only to be ticked off.
      if (row.status !== "running" || row.run === "completed") return "over"
      yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`
      yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${millis(sql)}, updated_at = ${millis(sql)}
        WHERE id = ${runId} AND status NOT IN ('completed', 'publishing')`
      return "stopped"
    }).pipe(sql.withTransaction, again)
  )

/** Parts of stopped runs that workers have not given back yet. */
export const held = (runId: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(
      again(sql`SELECT part FROM parts WHERE run_id = ${runId} AND status = 'claimed'
        AND EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${isAlive(sql)})`),
      (rows) => rows.length
    )
  )

/** Tokens of parts that this worker has of runs that were stopped. */
export const toGiveBack = (worker: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(
      sql<{ token: string }>`SELECT p.token FROM parts p JOIN submissions s ON s.run_id = p.run_id
        WHERE p.worker = ${worker} AND p.status = 'claimed' AND p.token IS NOT NULL AND s.status = 'stopped'`,
      (rows) => rows.map(({ token }) => token)
    )
  )
