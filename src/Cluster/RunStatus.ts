/** Status of runs on a cluster: shards, progress, and the end of a run. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { again } from "../Database/Postgres/Lost.ts"
import * as Text from "../Database/Text.ts"
import { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import { Ledger } from "../Ledger.ts"
import { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import * as Run from "../Run.ts"
import type { Output } from "../Step/Output.ts"
import { RunStopped, restored } from "../Step/StepError.ts"
import { runOf } from "./Board/Beginnings.ts"
import { Board } from "./Board.ts"
import type { Standing } from "./Task.ts"

/** Between two looks at a run. */
const glance = "500 millis"

/** Until the run is over. While the database is away it is waited for: the run goes on without either. */
export const over = (runId: string) =>
  Effect.flatMap(Board, ({ statusOf }) =>
    Effect.orElseSucceed(statusOf(runId), () => "running").pipe(
      Effect.delay(glance),
      Effect.repeat({ until: (status) => status !== "running" })
    )
  )

const endOf = (status: Standing["status"] | undefined): Run.Summary["status"] =>
  status === undefined || status === "running" ? "failed" : status

/** What has become of the run, as the ledger has it. */
const summaryOf = (runId: string) =>
  Effect.gen(function* () {
    const { find } = yield* Ledger
    const record = yield* find(runId)
    const standing = yield* (yield* Board).standing(runId)
    const rejects = Math.max(record?.rejects ?? 0, standing?.rejects ?? 0)
    // A run that has published what was paid for is completed, and its end says that the budget was reached.
    const isCompleted =
      standing?.status === "completed" || (standing?.status === "budget" && record?.status === "completed")
    const summary: Run.Summary = {
      runId,
      status: endOf(standing?.status),
      rows: isCompleted ? (record?.rows ?? 0) : (standing?.rows ?? 0),
      rejects,
      credits: isCompleted ? (record?.credits ?? 0) : (standing?.credits ?? 0),
      unpricedCalls: record?.unpriced ?? 0,
      durationMs: (record?.endedAt ?? record?.updatedAt ?? 0) - (record?.startedAt ?? 0),
      outputs: (record?.outputs ?? []) as unknown as ReadonlyArray<Output>,
      rejectFile: rejects > 0 && isCompleted && record !== undefined ? `${record.folder}/rejects.jsonl` : undefined,
      resumable: !isCompleted
    }
    return { summary, standing }
  })

/** The summary of a run that is over, if it was completed. */
export const endedWell = (runId: string) =>
  Effect.gen(function* () {
    const { standing, summary } = yield* summaryOf(runId)
    if (summary.status === "completed") return summary
    const reason =
      summary.status === "stopped"
        ? new RunStopped({ message: `somebody has stopped run ${runId}` })
        : restored({ reason: standing?.reason ?? "Failed", message: standing?.error ?? "it failed" }, [
            DefinitionInvalid,
            LedgerError,
            Locked
          ])
    return yield* new Run.RunFailed({ summary, reason })
  })

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
export const shards = (runId: string, limit: number) =>
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
