/**
 * Submitted runs: starts, stops, resumes and deletes them. Their parts are handled in `Parts.ts`.
 *
 * The carrier has every open part of a running run, because both change in one transaction; `offerAll` restores lost parts, for example
 * after an upgrade.
 *
 * The tables are those of version 0.1. A worker of that version that is still connected can no longer claim parts; the migrations refuse
 * one that starts later.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { retryLost } from "../Database/ConnectionLoss.ts"
import * as Dialect from "../Database/Dialect.ts"
import { type Migration, statements } from "../Database/Migration.ts"
import { describing } from "../Ledger/Connection.ts"
import { finalStatuses, Usage } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger/Service.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import { Carrier, turnsOf } from "./Carrier.ts"
import type { InputSplit } from "./InputSplits.ts"
import { countBytes } from "./Merge.ts"
import { PartResult } from "./PartResult.ts"
import {
  type Begun,
  finishIfDone,
  finishPart,
  lockRun,
  make as makeParts,
  nowMillis,
  offerOf,
  type RunRow,
  splitPart
} from "./Parts.ts"
import { decodeTask, folderOf, type Task } from "./Task.ts"
import { hasWorker, waitingParts } from "./Workers.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "cluster",
    // `task` contains everything that a worker needs to know about the run.
    `CREATE TABLE submissions (
      run_id TEXT PRIMARY KEY, task TEXT NOT NULL, status TEXT NOT NULL, is_split BOOLEAN NOT NULL,
      is_read BOOLEAN NOT NULL DEFAULT FALSE, adopted BOOLEAN NOT NULL DEFAULT FALSE,
      reason TEXT, error TEXT, submitted_at TIMESTAMPTZ NOT NULL DEFAULT now(), ended_at TIMESTAMPTZ)`,
    `CREATE TABLE parts (
      run_id TEXT NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting',
      source TEXT, token TEXT UNIQUE, worker TEXT, rows BIGINT NOT NULL DEFAULT 0, result TEXT, reason TEXT, error TEXT,
      claimed_at TIMESTAMPTZ, begun_at TIMESTAMPTZ, ended_at TIMESTAMPTZ, PRIMARY KEY (run_id, part))`,
    "CREATE INDEX parts_open ON parts (status, claimed_at) WHERE status IN ('waiting', 'claimed')",
    `CREATE TABLE workers (
      id TEXT PRIMARY KEY, host TEXT NOT NULL, address TEXT NOT NULL, pid BIGINT NOT NULL,
      concurrency INTEGER NOT NULL, draining BOOLEAN NOT NULL DEFAULT FALSE,
      since TIMESTAMPTZ NOT NULL DEFAULT now(), beat TIMESTAMPTZ NOT NULL DEFAULT now())`
  ),
  statements(
    2,
    "parts that are left",
    "CREATE INDEX parts_left ON parts (run_id, part) WHERE status <> 'completed'",
    "CREATE INDEX submissions_running ON submissions (submitted_at) WHERE status = 'running'"
  ),
  statements(
    3,
    "beginnings",
    // Consecutive attempts without progress, the progress at the last attempt, and the earliest time to claim the part again.
    `ALTER TABLE parts ADD COLUMN beginnings INTEGER NOT NULL DEFAULT 0, ADD COLUMN reached TEXT,
      ADD COLUMN not_before TIMESTAMPTZ`,
    // Time of the last resume, time of the first work since then, and the budget used before that resume.
    `ALTER TABLE submissions ADD COLUMN reopened_at TIMESTAMPTZ, ADD COLUMN began_at TIMESTAMPTZ, ADD COLUMN used TEXT`
  ),
  statements(
    4,
    "carrier",
    // The carrier knows which parts wait and which are delivered. `worker`: the worker that last began the part.
    "DROP INDEX parts_open",
    // `token` names the delivery with which a worker last began the part, so that a report of the start that is repeated counts once.
    `ALTER TABLE parts DROP CONSTRAINT parts_token_key, DROP COLUMN claimed_at, DROP COLUMN not_before,
      ALTER COLUMN status SET DEFAULT 'open'`,
    "UPDATE parts SET status = 'open', worker = NULL WHERE status IN ('waiting', 'claimed')",
    "CREATE INDEX parts_held ON parts (worker) WHERE status = 'open' AND worker IS NOT NULL",
    "ALTER TABLE workers DROP COLUMN address",
    "ALTER TABLE submissions ADD COLUMN turn INTEGER NOT NULL DEFAULT 0"
  )
]

/** Time for which silent workers, and ended runs that the ledger has deleted, are kept. */
const retention = "1 day"

/** Rows per INSERT: a statement takes 65,535 values. */
const insertRows = 1000

/** `over`: the run had already ended. `unknown`: no such run was submitted. */
type Stopped = "stopped" | "over" | "unknown"

const decodeUsage = decodeSaved(Schema.parseJson(Usage))
const decodeResult = decodeSaved(Schema.parseJson(PartResult))

const unused: Usage = { credits: 0, pages: 0, calls: 0, rows: 0, bytes: 0 }

/** The run of a begun part. Its budget counts from the first work after the last resume. */
export const taskOf = ({ part: { runId }, saved: { elapsed, task, used } }: Begun) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const usage = used === null ? unused : yield* decodeUsage(`The budget of run ${runId}`, used)
    const decoded: Task = yield* decodeTask(runId, task)
    return { ...decoded, budgetFrom: { ...usage, since: now - Number(elapsed ?? 0) } } satisfies Task
  })

/**
 * SQL: the turn that the active runs of a priority have reached, at which another run joins: the turn of the next waiting part, or else of
 * the last part.
 */
const turnNow = (sql: SqlClient, { priority = "normal", runId }: Pick<Task, "priority" | "runId">) => {
  const { first, highest, lowest } = turnsOf(priority)
  const others = sql`FROM submissions o, LATERAL`
  const isOther = sql`o.status = 'running' AND o.run_id <> ${runId} AND o.turn BETWEEN ${lowest} AND ${highest}`
  return sql`greatest(${lowest}, coalesce(
    (SELECT max(o.turn - greatest(n.part, 0)) ${others} (SELECT part FROM parts WHERE run_id = o.run_id
      AND status = 'open' AND worker IS NULL AND NOT (o.is_split AND kind = 'finish') ORDER BY part LIMIT 1) n
      WHERE ${isOther}),
    (SELECT min(o.turn - greatest(n.part, 0)) ${others} (SELECT max(part) AS part FROM parts
      WHERE run_id = o.run_id) n WHERE ${isOther}),
    ${first}))`
}

/** Offers open parts that match. Parts that are waiting or delivered stay as they are. */
const offerOpen = (sql: SqlClient, carrier: Context.Tag.Service<Carrier>, which: Fragment) =>
  Effect.flatMap(
    sql<{ run_id: string; part: number; turn: number }>`SELECT p.run_id, p.part, s.turn FROM parts p
      JOIN submissions s ON s.run_id = p.run_id WHERE s.status = 'running' AND p.status = 'open' AND ${which}`,
    (rows) =>
      Effect.forEach(
        Chunk.chunksOf(Chunk.fromIterable(rows), insertRows),
        (some) =>
          carrier.offer(Chunk.toArray(some).map(({ part, run_id, turn }) => offerOf(run_id, Number(part), turn))),
        { discard: true }
      )
  )

/** Usage of the run and its shards that counts towards its budget. */
const usedBy = (sql: SqlClient, runId: string) =>
  Effect.map(
    sql<Usage>`SELECT coalesce(sum(call_credits + job_credits), 0) AS credits, coalesce(sum(output_rows), 0) AS rows,
      coalesce(sum(call_pages + job_pages), 0) AS pages, coalesce(sum(call_count), 0) AS calls, coalesce(sum(bytes), 0) AS bytes
      FROM runs WHERE group_id = ${Dialect.encodeText(runId)}`,
    // The driver returns sums as strings.
    ([row = unused]): Usage => ({
      credits: Number(row.credits),
      pages: Number(row.pages),
      calls: Number(row.calls),
      rows: Number(row.rows),
      bytes: Number(row.bytes)
    })
  )

export class Submissions extends Effect.Service<Submissions>()("sluice/Cluster/Submissions", {
  effect: Effect.gen(function* () {
    const { connection } = yield* Ledger
    const { sql } = connection
    const carrier = yield* Carrier
    const reports = yield* makeParts
    const exists = (doing: string, query: Statement<object>) =>
      Effect.map(retryLost(query), (rows) => rows.length > 0).pipe(describing(connection, doing))

    return {
      ...reports,

      submit: (task: Task) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const isSplit = task.whole === undefined
              const { runId } = task
              const part = isSplit ? splitPart : finishPart
              const [row] = yield* sql<RunRow>`INSERT INTO submissions (run_id, task, status, is_split, turn)
              VALUES (${runId}, ${JSON.stringify(task)}, 'running', ${isSplit}, ${turnNow(sql, task)}) RETURNING status, turn`
              yield* sql`INSERT INTO parts ${sql.insert({ run_id: runId, part, kind: isSplit ? "split" : "finish" })}`
              yield* carrier.offer([offerOf(runId, part, row?.turn ?? 0)])
            })
          )
          .pipe(describing(connection, `submitting run ${task.runId}`)),

      /** True if the run was submitted. */
      isKnown: (runId: string) =>
        exists(`looking for run ${runId}`, sql`SELECT 1 FROM submissions WHERE run_id = ${runId}`),

      /** Adds a shard for each input split. Existing shards stay as they are. */
      addShards: (runId: string, splits: ReadonlyArray<InputSplit>) =>
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable(splits), insertRows),
          (some) =>
            Effect.gen(function* () {
              const run = yield* lockRun(sql, runId, "SHARE")
              const added = yield* sql<{ part: number }>`INSERT INTO parts ${sql.insert(
                Chunk.toArray(some).map(({ file, part, rows }) => ({
                  run_id: runId,
                  part,
                  kind: "shard",
                  source: Dialect.encodeText(file),
                  rows
                }))
              )} ON CONFLICT DO NOTHING RETURNING part`
              if (run?.status !== "running") return
              yield* carrier.offer(added.map(({ part }) => offerOf(runId, Number(part), run.turn)))
            }).pipe(sql.withTransaction),
          { discard: true }
        ).pipe(describing(connection, `adding shards to run ${runId}`)),

      /** Resumes a run that ended early: offers its open and failed parts again. False for other runs. */
      reopen: (runId: string) =>
        Effect.gen(function* () {
          const [ended] = yield* sql<{ task: string }>`SELECT task FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`
          if (ended === undefined) return false
          yield* countBytes(sql, runId)
          const used = yield* usedBy(sql, runId)
          // A submission that this version cannot read is left to the workers that can.
          const { priority } = Either.getOrElse(decodeTask(runId, ended.task), () => ({ priority: undefined }))
          yield* sql`UPDATE parts SET status = 'open', worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`
          yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)},
            turn = least(${turnsOf(priority ?? "normal").highest}, ${turnNow(sql, { runId, priority })} + coalesce(
              (SELECT min(part) FROM parts WHERE run_id = ${runId} AND status = 'open' AND part >= 0), 0))
            WHERE run_id = ${runId}`
          yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL,
            updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND NOT ${sql.in("status", finalStatuses)}`
          yield* finishIfDone(sql, carrier, runId)
          yield* offerOpen(sql, carrier, sql`p.run_id = ${runId}`)
          return true
        }).pipe(sql.withTransaction, describing(connection, `resuming run ${runId}`)),

      /** Stops a run so that it can be resumed. Workers return its parts within a second or two. */
      stop: (runId: string) =>
        Effect.gen(function* () {
          const [row] = yield* sql<{ status: string; run: string | null }>`SELECT s.status,
            (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
            FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`
          if (row === undefined) return "unknown" satisfies Stopped
          // The run's last step has completed; only its part has not been settled yet.
          if (row.status !== "running" || row.run === "completed") return "over" satisfies Stopped
          yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`
          yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${sql.literal(nowMillis)},
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
          yield* carrier.withdraw(runId, "all")
          return "stopped" satisfies Stopped
        }).pipe(sql.withTransaction, retryLost, describing(connection, `stopping run ${runId}`)),

      /** Number of a run's parts that living workers have. */
      heldParts: (runId: string) =>
        Effect.map(
          retryLost(sql`SELECT part FROM parts p WHERE run_id = ${runId} AND status = 'open'
            AND ${sql.literal(hasWorker)}`),
          (rows) => rows.length
        ).pipe(describing(connection, `counting the parts of run ${runId}`)),

      /** Results of the completed shards, by shard number. */
      shardResults: (runId: string) =>
        Effect.gen(function* () {
          const rows = yield* retryLost(sql<{ part: number; result: string }>`SELECT part, result FROM parts
            WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' ORDER BY part`)
          const results = new Map<number, PartResult>()
          for (const { part, result } of rows)
            results.set(Number(part), yield* decodeResult(`The result of shard ${part} of run ${runId}`, result))
          return results
        }).pipe(describing(connection, `reading the results of run ${runId}`)),

      /** Result of the split; undefined until it is completed. */
      splitResult: (runId: string) =>
        Effect.gen(function* () {
          const [row] = yield* retryLost(sql<{ result: string }>`SELECT result FROM parts
            WHERE run_id = ${runId} AND part = ${splitPart} AND status = 'completed'`)
          return row && (yield* decodeResult(`The result of the split of run ${runId}`, row.result))
        }).pipe(describing(connection, `reading the results of run ${runId}`)),

      /** True if an active run has a part that can be claimed now or soon: it waits, or its worker is lost. */
      hasWork: exists("looking for parts that wait", sql`SELECT 1 ${sql.literal(waitingParts)} LIMIT 1`),

      /** Offers all open parts that no living worker has: after an upgrade, the carrier does not know the runs of an earlier version. */
      offerAll: retryLost(offerOpen(sql, carrier, sql`NOT ${sql.literal(hasWorker)}`)).pipe(
        describing(connection, "offering parts to workers")
      ),

      /** Removes workers that were lost long ago, and runs that the ledger has deleted, with their files. All workers may do so at once. */
      sweep: Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* sql`DELETE FROM workers WHERE beat < now() - ${retention}::interval`
        yield* sql`DELETE FROM parts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = parts.run_id)
          AND coalesce(ended_at, begun_at, now()) < now() - ${retention}::interval`
        const forgotten = yield* sql<{ run_id: string; task: string }>`SELECT run_id, task FROM submissions
          WHERE ended_at < now() - ${retention}::interval
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = submissions.run_id)`
        for (const { run_id, task } of forgotten) {
          const decoded = decodeTask(run_id, task)
          // A newer version submitted the run, and will remove it.
          if (Either.isLeft(decoded)) continue
          yield* files.remove(folderOf(decoded.right), { recursive: true, force: true })
          yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`
        }
      }).pipe(describing(connection, "removing old runs and workers"))
    }
  })
}) {}
