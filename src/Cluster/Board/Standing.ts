/** How runs on many machines stand, for those who follow them. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../../Database/Postgres/Lost.ts"
import * as Text from "../../Database/Text.ts"
import type { Standing, Task } from "../Task.ts"
export const make = (sql: PgClient.PgClient) => ({
  standing: (runId: string) => {
    const group = Text.encode(runId)
    return Effect.map(
      again(sql<{
        status: Standing["status"]
        task: string
        is_split: boolean
        is_read: boolean
        reason: string | null
        error: string | null
        shards: number
        done: number
        working: number
        rows: number
        rejects: number
        credits: number
        waits_for: string | null
      }>`SELECT s.status, s.task, s.is_split, s.is_read, s.reason, s.error,
          count(p.part) FILTER (WHERE p.part >= 0) AS shards,
          count(p.part) FILTER (WHERE p.part >= 0 AND p.status = 'completed') AS done,
          count(p.part) FILTER (WHERE p.status = 'claimed') AS working,
          (SELECT coalesce(sum(row_count), 0) FROM runs WHERE group_id = ${group} AND id NOT LIKE '%.split') AS rows,
          (SELECT coalesce(sum(reject_count), 0) FROM runs WHERE group_id = ${group}) AS rejects,
          (SELECT coalesce(sum(call_credits + job_credits), 0) FROM runs WHERE group_id = ${group}) AS credits,
          min(p.error) FILTER (WHERE p.not_before IS NOT NULL AND p.status IN ('waiting', 'claimed')) AS waits_for
        FROM submissions s LEFT JOIN parts p ON p.run_id = s.run_id WHERE s.run_id = ${runId} GROUP BY s.run_id`),
      ([row]): Standing | undefined =>
        row === undefined
          ? undefined
          : {
              status: row.status,
              isSplit: row.is_split,
              isRead: row.is_read,
              shards: Number(row.shards),
              done: Number(row.done),
              working: Number(row.working),
              rows: Number(row.rows),
              rejects: Number(row.rejects),
              credits: Number(row.credits),
              why: (JSON.parse(row.task) as Task).whole,
              reason: row.reason ?? undefined,
              error: row.error === null ? undefined : Text.decode(row.error),
              waitsFor: row.waits_for === null ? undefined : Text.decode(row.waits_for)
            }
    )
  },

  /** Where a run stands, in a word; undefined where none was handed in. */
  statusOf: (runId: string) =>
    Effect.map(
      sql<{ status: Standing["status"] }>`SELECT status FROM submissions WHERE run_id = ${runId}`,
      ([row]) => row?.status
    ),

  /** Ids of runs that are under way, also while no worker is at them. */
  open: Effect.map(
    again(sql<{ run_id: string }>`SELECT run_id FROM submissions WHERE status = 'running'`),
    (rows) => new Set(rows.map(({ run_id }) => run_id))
  )
})
