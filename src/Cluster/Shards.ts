/** The shards of runs on many machines, for those who look: where each stands, and how many are done. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../Database/Postgres/Lost.ts"
import * as Text from "../Database/Text.ts"
import { runOf } from "./Board/Beginnings.ts"

/** A shard as it stands. */
interface ShardRow {
  readonly shard: number
  readonly state: "waiting" | "working" | "completed" | "failed"
  /** Who works on it, or did last. */
  readonly worker: string | undefined
  /** Rows of the source that it was given. */
  readonly given: number
  /** Rows that came to their end in it, as of its last commit, and those that were rejected. */
  readonly rows: number
  readonly rejects: number
  readonly error: string | undefined
}

/** How many shards of a run there are, and how many are done. */
interface Progress {
  readonly done: number
  readonly shards: number
}

const stateOf = (status: string): ShardRow["state"] =>
  status === "claimed" ? "working" : status === "completed" || status === "failed" ? status : "waiting"

/** In their order, at most so many. A shard's own run is forgotten when the run is done: then its result tells. */
export const list = (runId: string, limit: number) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(
      again(sql<{
        part: number
        status: string
        worker: string | null
        given: number
        rows: number
        rejects: number
        error: string | null
      }>`SELECT p.part, p.status, p.worker, p.rows AS given, p.error,
          coalesce(r.row_count, (p.result::json #>> '{counted,rows}')::bigint, 0) AS rows,
          coalesce(r.reject_count, (p.result::json #>> '{counted,rejects}')::bigint, 0) AS rejects
        FROM parts p LEFT JOIN runs r ON r.id = ${runOf(sql)}
        WHERE p.run_id = ${runId} AND p.part >= 0 ORDER BY p.part LIMIT ${limit}`),
      (rows) =>
        rows.map(
          ({ error, given, part, rejects, rows, status, worker }): ShardRow => ({
            shard: Number(part),
            state: stateOf(status),
            worker: worker ?? undefined,
            given: Number(given),
            rows: Number(rows),
            rejects: Number(rejects),
            error: error === null ? undefined : Text.decode(error)
          })
        )
    )
  )

/** Of those runs among these that are split. */
export const progress = (runIds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    if (runIds.length === 0) return new Map<string, Progress>()
    const rows = yield* again(sql<{ run_id: string; done: number; shards: number }>`SELECT run_id,
        count(*) FILTER (WHERE status = 'completed') AS done, count(*) AS shards
      FROM parts WHERE part >= 0 AND ${sql.in("run_id", runIds)} GROUP BY run_id`)
    return new Map(
      rows.map(({ done, run_id, shards }) => [
        run_id,
        { done: Number(done), shards: Number(shards) } satisfies Progress
      ])
    )
  })
