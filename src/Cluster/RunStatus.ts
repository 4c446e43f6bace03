/** Status of runs on a cluster: the run as a whole, its shards, and its summary once it has ended. */
import * as Effect from "effect/Effect"
import { retryLost } from "../Database/ConnectionLoss.ts"
import * as Dialect from "../Database/Dialect.ts"
import { decodeNullable } from "../Ledger/Connection.ts"
import { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import { inLedger, Ledger, ledgerSql } from "../Ledger/Service.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { comparedRows } from "../Run/Progress.ts"
import * as Run from "../Run.ts"
import { decodeOutputs } from "../Step/Output.ts"
import { RunStopped, restored } from "../Step/StepError.ts"
import { partRunId } from "./Parts.ts"
import { decodeTask, type Standing } from "./Task.ts"
import { hasWorker } from "./Workers.ts"

const pollInterval = "500 millis"

/** SQL: true if a living worker has part `p`. */
const isHeld = `(p.status = 'open' AND ${hasWorker})`

/** Status of a run; undefined if no such run was submitted. */
export const standing = (runId: string) =>
  Effect.gen(function* () {
    const sql = yield* ledgerSql
    const group = Dialect.encodeText(runId)
    const [row] = yield* retryLost(sql<{
      status: Standing["status"]
      task: string
      is_split: boolean
      is_read: boolean
      reason: string | null
      error: string | null
      shards: number
      done: number
      working: number
      waiting: number
      rows: number
      rejects: number
      credits: number
      waits_for: string | null
    }>`SELECT s.status, s.task, s.is_split, s.is_read, s.reason, s.error,
        count(p.part) FILTER (WHERE p.part >= 0) AS shards,
        count(p.part) FILTER (WHERE p.part >= 0 AND p.status = 'completed') AS done,
        count(p.part) FILTER (WHERE ${sql.literal(isHeld)}) AS working,
        count(p.part) FILTER (WHERE p.status = 'open' AND NOT ${sql.literal(isHeld)}) AS waiting,
        (SELECT coalesce(sum(row_count), 0) FROM runs WHERE group_id = ${group} AND id NOT LIKE '%.split') AS rows,
        (SELECT coalesce(sum(reject_count), 0) FROM runs WHERE group_id = ${group}) AS rejects,
        (SELECT coalesce(sum(call_credits + job_credits), 0) FROM runs WHERE group_id = ${group}) AS credits,
        min(p.error) FILTER (WHERE p.status = 'open') AS waits_for
      FROM submissions s LEFT JOIN parts p ON p.run_id = s.run_id WHERE s.run_id = ${runId} GROUP BY s.run_id`)
    if (row === undefined) return undefined
    const { priority = "normal", whole } = yield* decodeTask(runId, row.task)
    const status: Standing = {
      status: row.status,
      isSplit: row.is_split,
      isRead: row.is_read,
      shards: Number(row.shards),
      done: Number(row.done),
      working: Number(row.working),
      waiting: Number(row.waiting),
      priority,
      rows: Number(row.rows),
      rejects: Number(row.rejects),
      credits: Number(row.credits),
      why: whole,
      reason: row.reason ?? undefined,
      error: decodeNullable(row.error),
      waitsFor: decodeNullable(row.waits_for)
    }
    return status
  }).pipe(inLedger(`looking at run ${runId}`))

/** Ids of active runs, including those that no worker is working on. */
export const open = Effect.flatMap(ledgerSql, (sql) =>
  Effect.map(
    retryLost(sql<{ run_id: string }>`SELECT run_id FROM submissions WHERE status = 'running'`),
    (rows) => new Set(rows.map(({ run_id }) => run_id))
  )
).pipe(inLedger("looking for running runs"))

/** Completes when the run has ended. Keeps waiting while the database is unreachable, because the run continues. */
export const awaitEnd = (runId: string) =>
  Effect.flatMap(ledgerSql, (sql) =>
    Effect.map(
      sql<{ status: Standing["status"] }>`SELECT status FROM submissions WHERE run_id = ${runId}`,
      ([row]) => row?.status
    ).pipe(
      Effect.orElseSucceed(() => "running"),
      Effect.delay(pollInterval),
      Effect.repeat({ until: (status) => status !== "running" })
    )
  )

/** Summary of an ended run. Fails with `RunFailed` unless it completed. */
export const summary = (runId: string) =>
  Effect.gen(function* () {
    const { find } = yield* Ledger
    const record = yield* find(runId)
    const ended = yield* standing(runId)
    const isHeld = record?.status === "held"
    const status = isHeld ? "held" : ended?.status === undefined || ended.status === "running" ? "failed" : ended.status
    const rejects = Math.max(record?.rejects ?? 0, ended?.rejects ?? 0)
    // With `onReached: publish` the run is completed, although the budget ended it.
    const isPublished = status === "completed" || (status === "budget" && record?.status === "completed")
    const summary: Run.Summary = {
      runId,
      status,
      rows: isPublished ? (record?.rows ?? 0) : (ended?.rows ?? 0),
      changes: comparedRows(record?.progress ?? {}),
      rejects,
      credits: isPublished ? (record?.credits ?? 0) : (ended?.credits ?? 0),
      unpricedCalls: record?.unpriced ?? 0,
      durationMs: (record?.endedAt ?? record?.updatedAt ?? 0) - (record?.startedAt ?? 0),
      outputs: yield* decodeOutputs(`The outputs of run ${runId}`, record?.outputs ?? []),
      rejectFile: rejects > 0 && isPublished && record !== undefined ? `${record.folder}/rejects.jsonl` : undefined,
      resumable: !isPublished && !isHeld
    }
    if (status === "completed") return summary
    const reason =
      status === "stopped"
        ? new RunStopped({ message: `run ${runId} was stopped by a command` })
        : restored({ reason: ended?.reason ?? "Failed", message: ended?.error ?? "it failed" }, [
            DefinitionInvalid,
            LedgerError,
            Locked
          ])
    return yield* new Run.RunFailed({ summary, reason })
  })

interface ShardStatus {
  readonly shard: number
  readonly state: "waiting" | "working" | "completed" | "failed"
  /** Name of the worker that has the shard, or had it last. */
  readonly worker: string | undefined
  /** Number of consecutive starts by workers without progress. */
  readonly attempts: number
  /** Rows of the shard's input split. */
  readonly given: number
  /** As of its last commit. */
  readonly rows: number
  readonly rejects: number
  readonly error: string | undefined
}

interface Progress {
  readonly done: number
  readonly shards: number
}

const stateOf = (status: string, isHeld: boolean): ShardStatus["state"] =>
  isHeld ? "working" : status === "completed" || status === "failed" ? status : "waiting"

/** The first `limit` shards. Their rows come from the shard's own run, or from its result once that run was merged. */
export const shards = (runId: string, limit: number) =>
  Effect.flatMap(ledgerSql, (sql) =>
    Effect.map(
      retryLost(sql<{
        part: number
        status: string
        held: boolean
        attempts: number
        worker: string | null
        given: number
        rows: number
        rejects: number
        error: string | null
      }>`SELECT p.part, p.status, p.worker, p.rows AS given, p.error,
          p.beginnings AS attempts, ${sql.literal(isHeld)} AS held,
          coalesce(r.row_count, (p.result::json #>> '{counted,rows}')::bigint, 0) AS rows,
          coalesce(r.reject_count, (p.result::json #>> '{counted,rejects}')::bigint, 0) AS rejects
        FROM parts p LEFT JOIN runs r ON r.id = ${sql.literal(partRunId("p"))}
        WHERE p.run_id = ${runId} AND p.part >= 0 ORDER BY p.part LIMIT ${limit}`),
      (rows) =>
        rows.map(
          ({ attempts, error, given, held, part, rejects, rows, status, worker }): ShardStatus => ({
            shard: Number(part),
            state: stateOf(status, held),
            worker: worker ?? undefined,
            attempts: Number(attempts),
            given: Number(given),
            rows: Number(rows),
            rejects: Number(rejects),
            error: decodeNullable(error)
          })
        )
    )
  ).pipe(inLedger(`listing the shards of run ${runId}`))

/** Number of completed shards and of all shards of each split run, by run id. */
export const progress = (runIds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* ledgerSql
    if (runIds.length === 0) return new Map<string, Progress>()
    const rows = yield* retryLost(sql<{ run_id: string; done: number; shards: number }>`SELECT run_id,
        count(*) FILTER (WHERE status = 'completed') AS done, count(*) AS shards
      FROM parts WHERE part >= 0 AND ${sql.in("run_id", runIds)} GROUP BY run_id`)
    return new Map(
      rows.map(({ done, run_id, shards }) => [
        run_id,
        { done: Number(done), shards: Number(shards) } satisfies Progress
      ])
    )
  }).pipe(inLedger("counting the shards of runs"))
