/**
 * Shard queue: the parts of all submitted runs, in Postgres. It alone knows which parts wait, who works on them, who is alive and how often
 * a part was attempted.
 *
 * - A part is `waiting`, `claimed`, `completed` or `failed`. Every change is one statement or one transaction, and a worker ends a part only
 *   by the token of its claim: the late report of a worker that lost the part changes nothing.
 * - Delivery: workers pull. `claim` takes the first waiting part of the oldest running run and skips rows that others are claiming.
 * - Liveness: a worker beats every second, and with each beat calls `requeueLost`, which requeues the parts of workers that were silent for
 *   4 seconds. It does nothing in the first 10 seconds of a database server, because no worker could beat before.
 * - Attempts: a claim counts one. Returning the part takes it back, and progress in the ledger starts the count again, so it is the number
 *   of workers in a row that were lost with the part.
 * - A silent worker may still live, so two workers may execute a part for a moment. The lock of its run in the ledger lets one of them write.
 * - All times are those of the database: the clocks of machines differ.
 *
 * The tables are those of version 0.1. A worker of it that was connected before the ledger was migrated claims and ends parts beside newer
 * ones; the migrations refuse one that starts later.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { retryLost } from "../Database/ConnectionLoss.ts"
import * as Dialect from "../Database/Dialect.ts"
import { type Migration, statements } from "../Database/Migration.ts"
import { decodeNullable } from "../Ledger/Connection.ts"
import { finalStatuses, Usage } from "../Ledger/Model.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { InputSplit } from "./InputSplits.ts"
import { countBytes, PartResult } from "./Merge.ts"
import { decodeTask, folderOf, type Task } from "./Task.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "cluster",
    // `task` is everything that a worker needs to know of the run.
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
    // Attempts in a row without progress, the progress at the last attempt, and the time from which the part may be claimed again.
    `ALTER TABLE parts ADD COLUMN beginnings INTEGER NOT NULL DEFAULT 0, ADD COLUMN reached TEXT,
      ADD COLUMN not_before TIMESTAMPTZ`,
    // The last resume, the first work since then, and the budget that was used before it.
    `ALTER TABLE submissions ADD COLUMN reopened_at TIMESTAMPTZ, ADD COLUMN began_at TIMESTAMPTZ, ADD COLUMN used TEXT`
  )
]

/** The split reads the source, shards process its rows, and the finish publishes. A run that is not split has a finish only. */
export type Kind = "split" | "shard" | "finish"

/** Numbers of the parts that are no shards. Shards count from 0. */
const splitPart = -1
const finishPart = -2

export interface Part {
  readonly runId: string
  readonly part: number
  readonly kind: Kind
  readonly source: string | undefined
  /** It was deferred before, because another run had what it needs. */
  readonly hasWaited: boolean
}

export interface Claim {
  readonly part: Part
  readonly token: string
  /** Attempts in a row without progress; includes this one, unless the part is suspect. */
  readonly attempts: number
  /** Several workers in a row were lost with it. Call `countAttempt` before it is executed, and execute one suspect at a time. */
  readonly isSuspect: boolean
}

/** Attempts in a row without progress after which a part is given up. */
export const maxAttempts = 5

/** Attempts after which a part is suspect: it runs beside no other suspect, so that the next lost worker convicts the right one. */
const suspectAfter = 2

/** Silence after which a worker counts as lost. The locks of its runs in the ledger expire at the same time. */
const workerExpiry = "4 seconds"

/** Time after the start of the database server in which no worker counts as lost. */
const restartGrace = "10 seconds"

/** Time until a deferred part may be claimed again. */
const deferTime = "5 seconds"

/** Time for which ended runs that the ledger has forgotten, and silent workers, are kept. */
const retention = "1 day"

/** Rows of one INSERT: a statement takes 65,535 values. */
const insertRows = 1000

export interface Worker {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly concurrency: number
}

export interface WorkerRow extends Worker {
  readonly draining: boolean
  readonly alive: boolean
  readonly working: number
}

/** `over`: it had ended before. `unknown`: no such run was submitted. */
type Stopped = "stopped" | "over" | "unknown"

const decodeUsage = decodeSaved(Schema.parseJson(Usage))
const decodeResult = decodeSaved(Schema.parseJson(PartResult))

const unused: Usage = { credits: 0, pages: 0, rows: 0, bytes: 0 }

/** SQL: the run id of a part, for the part's row under this alias. */
export const partRunId = (alias: string) =>
  `${alias}.run_id || CASE ${alias}.kind WHEN 'split' THEN '.split' WHEN 'finish' THEN ''
    ELSE '.s' || lpad(${alias}.part::text, greatest(4, length(${alias}.part::text)), '0') END`

/** SQL: grows whenever the run `r` gets anything done. */
const progressOfRun = `(coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'given')), 0)
  + coalesce((SELECT sum(value::numeric) FROM json_each_text(r.progress::json -> 'rejected')), 0)
  + r.row_count + r.reject_count + r.call_pages + r.call_unpriced + r.job_unpriced
  + (r.call_credits + r.job_credits)::numeric + CASE WHEN r.status = 'publishing' THEN 1 ELSE 0 END)::text`

/** SQL: whether the worker of a row of `workers` is alive. */
const isAlive = `beat >= now() - interval '${workerExpiry}'`

/** SQL: sets a part to waiting and takes its attempt back. */
const returned = "status = 'waiting', token = NULL, worker = NULL, beginnings = greatest(beginnings - 1, 0)"

/** SQL: milliseconds since 1970, as the ledger counts them. */
const nowMillis = "floor(extract(epoch FROM now()) * 1000)::bigint"

export class ShardQueue extends Effect.Service<ShardQueue>()("sluice/Cluster/ShardQueue", {
  effect: Effect.map(PgClient.PgClient, (sql) => {
    /** Transactions that end parts of one run follow each other, so the last one sees all others. */
    const lockRun = (runId: string) => sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`

    /** Adds the finish when the source is read and all shards are completed. May be repeated. */
    const finishIfDone = (runId: string) => sql`
      INSERT INTO parts (run_id, part, kind)
      SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
        AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
      ON CONFLICT DO NOTHING`

    /** Budget that the run and its shards have used. */
    const usedBy = (runId: string) =>
      Effect.map(
        sql<Usage>`SELECT coalesce(sum(call_credits + job_credits), 0) AS credits, coalesce(sum(output_rows), 0) AS rows,
          coalesce(sum(call_pages + job_pages), 0) AS pages, coalesce(sum(bytes), 0) AS bytes
          FROM runs WHERE group_id = ${Dialect.encodeText(runId)}`,
        // The driver gives sums as strings.
        ([row = unused]): Usage => ({
          credits: Number(row.credits),
          pages: Number(row.pages),
          rows: Number(row.rows),
          bytes: Number(row.bytes)
        })
      )

    return {
      submit: (task: Task) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const isSplit = task.whole === undefined
            yield* sql`INSERT INTO submissions ${sql.insert({
              run_id: task.runId,
              task: JSON.stringify(task),
              status: "running",
              is_split: isSplit
            })}`
            yield* sql`INSERT INTO parts ${sql.insert(
              isSplit
                ? { run_id: task.runId, part: splitPart, kind: "split" }
                : { run_id: task.runId, part: finishPart, kind: "finish" }
            )}`
          })
        ),

      /** The run, with the start of its budget: the last resume, and the first work since then. Undefined if none was submitted. */
      task: (runId: string) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const [row] = yield* retryLost(sql<{
            task: string
            used: string | null
            elapsed: number | null
          }>`SELECT task, used, floor(extract(epoch FROM now() - began_at) * 1000)::bigint AS elapsed
            FROM submissions WHERE run_id = ${runId}`)
          if (row === undefined) return undefined
          if (row.elapsed === null)
            yield* retryLost(sql`UPDATE submissions SET began_at = now() WHERE run_id = ${runId} AND began_at IS NULL`)
          const used = row.used === null ? unused : yield* decodeUsage(`The budget of run ${runId}`, row.used)
          const task: Task = yield* decodeTask(runId, row.task)
          return { ...task, budgetFrom: { ...used, since: now - Number(row.elapsed ?? 0) } }
        }),

      /** Adds a shard for each input split. Shards that are there stay as they are. */
      addShards: (runId: string, splits: ReadonlyArray<InputSplit>) =>
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable(splits), insertRows),
          (some) =>
            retryLost(
              sql`INSERT INTO parts ${sql.insert(
                Chunk.toArray(some).map(({ file, part, rows }) => ({
                  run_id: runId,
                  part,
                  kind: "shard",
                  source: Dialect.encodeText(file),
                  rows
                }))
              )} ON CONFLICT DO NOTHING`
            ),
          { discard: true }
        ),

      /**
       * Claims the next part under a token that was never used before. Not retried: if the answer is lost, `reconcile` returns the part.
       */
      claim: (worker: string, token: string) =>
        Effect.map(
          sql<{
            run_id: string
            part: number
            kind: Kind
            source: string | null
            not_before: Date | null
            attempts: number
            suspect: boolean
          }>`WITH next AS MATERIALIZED (
            SELECT w.* FROM (SELECT run_id FROM submissions WHERE status = 'running' ORDER BY submitted_at, run_id) s,
              LATERAL (SELECT p.run_id, p.part, p.kind, p.beginnings, p.reached FROM parts p
                WHERE p.run_id = s.run_id AND p.status = 'waiting' AND (p.not_before IS NULL OR p.not_before <= now())
                ORDER BY p.part LIMIT 1 FOR UPDATE SKIP LOCKED) w LIMIT 1),
          was AS (
            SELECT next.run_id, next.part, next.beginnings, run.progress,
              coalesce(next.reached, '0') = coalesce(run.progress, '0') AS stays
            FROM next LEFT JOIN LATERAL (SELECT ${sql.literal(progressOfRun)} AS progress FROM runs r
              WHERE r.id = ${sql.literal(partRunId("next"))}) run ON TRUE)
          UPDATE parts p SET status = 'claimed', token = ${token}, worker = ${worker}, claimed_at = now(), begun_at = now(),
            error = NULL, reached = was.progress, beginnings = CASE WHEN NOT stays THEN 1
              WHEN was.beginnings < ${suspectAfter} THEN was.beginnings + 1 ELSE was.beginnings END
          FROM was WHERE p.run_id = was.run_id AND p.part = was.part
          RETURNING p.run_id, p.part, p.kind, p.source, p.not_before, p.beginnings AS attempts,
            stays AND was.beginnings >= ${suspectAfter} AS suspect`,
          ([row]): Claim | undefined =>
            row && {
              token,
              attempts: Number(row.attempts),
              isSuspect: row.suspect,
              part: {
                runId: row.run_id,
                part: Number(row.part),
                kind: row.kind,
                source: decodeNullable(row.source),
                hasWaited: row.not_before !== null
              }
            }
        ),

      /** Counts the attempt of a suspect. May be repeated, as the answer may be lost. */
      countAttempt: ({ attempts, token }: Claim) =>
        sql`UPDATE parts SET beginnings = least(beginnings, ${attempts}) + 1 WHERE token = ${token} AND status = 'claimed'`,

      /**
       * Puts a claimed part back in the queue. When the claim has passed to another worker, takes only the attempt
       * back: this worker was slow, not lost. A repeated call, whose first answer may have been lost, takes no attempt back.
       */
      release: ({ part: { part, runId }, token }: Claim) => {
        let isRepeated = false
        return Effect.gen(function* () {
          const mayHaveReleased = isRepeated
          isRepeated = true
          const released = yield* sql`UPDATE parts SET ${sql.literal(returned)}
            WHERE token = ${token} AND status = 'claimed' RETURNING part`
          if (released.length > 0 || mayHaveReleased) return
          yield* sql`UPDATE parts SET beginnings = greatest(beginnings - 1, 0)
            WHERE run_id = ${runId} AND part = ${part} AND status IN ('waiting', 'claimed')`
        }).pipe(retryLost)
      },

      /** Puts a part back in the queue for a while, because it needs a lock that another run holds. */
      defer: ({ token }: Claim, why: string) =>
        retryLost(sql`UPDATE parts SET ${sql.literal(returned)}, error = ${Dialect.encodeText(why)},
          not_before = now() + ${deferTime}::interval WHERE token = ${token} AND status = 'claimed'`),

      complete: ({ part: { part, runId }, token }: Claim, result: PartResult) =>
        Effect.gen(function* () {
          yield* lockRun(runId)
          const done = yield* sql`UPDATE parts SET status = 'completed', result = ${JSON.stringify(result)},
            ended_at = now(), error = NULL, reason = NULL WHERE token = ${token} AND status = 'claimed' RETURNING part`
          if (done.length === 0) return
          if (part === finishPart) {
            yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`
            return
          }
          if (part === splitPart) yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`
          yield* finishIfDone(runId)
        }).pipe(sql.withTransaction),

      /** Ends the run with this part. Other claimed parts are executed to their end, and no part is claimed any more. */
      fail: (
        { part: { runId }, token }: Claim,
        {
          error,
          reason,
          status
        }: { readonly status: "failed" | "budget"; readonly reason: string; readonly error: string }
      ) =>
        Effect.gen(function* () {
          yield* lockRun(runId)
          // The run was resumed since: the part is attempted again.
          const stale = yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL
            WHERE token = ${token} AND status = 'claimed'
              AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId}) RETURNING part`
          if (stale.length > 0) return
          const failed = yield* sql`UPDATE parts SET status = 'failed', reason = ${reason},
            error = ${Dialect.encodeText(error)}, ended_at = now() WHERE token = ${token} AND status = 'claimed' RETURNING part`
          if (failed.length === 0) return
          yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${Dialect.encodeText(error)},
            ended_at = now() WHERE run_id = ${runId} AND status = 'running'`
          yield* sql`UPDATE runs SET status = ${status}, error = ${Dialect.encodeText(error)},
            ended_at = ${sql.literal(nowMillis)}, updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
        }).pipe(sql.withTransaction),

      /** Resumes a run that ended before its end: failed parts wait again. False for other runs. */
      reopen: (runId: string) =>
        Effect.gen(function* () {
          const [ended] = yield* sql`SELECT 1 FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`
          if (ended === undefined) return false
          yield* countBytes(sql, runId)
          const used = yield* usedBy(runId)
          yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)}
            WHERE run_id = ${runId}`
          yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`
          yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL,
            updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND NOT ${sql.in("status", finalStatuses)}`
          yield* finishIfDone(runId)
          return true
        }).pipe(sql.withTransaction),

      /** Stops a run, which can be resumed. Workers return its parts within a second or two. */
      stop: (runId: string) =>
        Effect.gen(function* () {
          const [row] = yield* sql<{ status: string; run: string | null }>`SELECT s.status,
            (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
            FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`
          if (row === undefined) return "unknown" satisfies Stopped
          // The last step of the run has completed; only its part is still claimed.
          if (row.status !== "running" || row.run === "completed") return "over" satisfies Stopped
          yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`
          yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${sql.literal(nowMillis)},
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
          return "stopped" satisfies Stopped
        }).pipe(sql.withTransaction, retryLost),

      /** Number of parts of a run that living workers have. */
      claimedParts: (runId: string) =>
        Effect.map(
          retryLost(sql`SELECT part FROM parts WHERE run_id = ${runId} AND status = 'claimed'
            AND EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)})`),
          (rows) => rows.length
        ),

      /** Results of the completed shards, in the order of their numbers. */
      shardResults: (runId: string) =>
        Effect.gen(function* () {
          const rows = yield* retryLost(sql<{ part: number; result: string }>`SELECT part, result FROM parts
            WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' ORDER BY part`)
          const results = new Map<number, PartResult>()
          for (const { part, result } of rows)
            results.set(Number(part), yield* decodeResult(`The result of shard ${part} of run ${runId}`, result))
          return results
        }),

      /** Result of the split; undefined until it is completed. */
      splitResult: (runId: string) =>
        Effect.gen(function* () {
          const [row] = yield* retryLost(sql<{ result: string }>`SELECT result FROM parts
            WHERE run_id = ${runId} AND part = ${splitPart} AND status = 'completed'`)
          return row && (yield* decodeResult(`The result of the split of run ${runId}`, row.result))
        }),

      /** Registers the worker, and marks it as alive. True when it was asked to drain. */
      beat: (worker: Worker) =>
        Effect.map(
          sql<{ draining: boolean }>`INSERT INTO workers ${sql.insert({ ...worker, address: worker.id })}
            ON CONFLICT (id) DO UPDATE SET beat = now() RETURNING draining`,
          ([row]) => row?.draining === true
        ),

      /** Requeues the parts of lost workers, and gives their number. The worker that calls is alive, however late it beats on a busy machine. */
      requeueLost: (self: string) =>
        Effect.map(
          sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL WHERE status = 'claimed' AND worker <> ${self}
            AND now() - pg_postmaster_start_time() > ${restartGrace}::interval
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker AND ${sql.literal(isAlive)}) RETURNING part`,
          (rows) => rows.length
        ),

      /**
       * Compares the claims of a worker with the tokens that it knows: returns parts whose claim was never answered, and gives the tokens
       * that the worker shall keep. It shall release all others: the part was requeued, or its run was stopped. Must not run while the worker claims.
       */
      reconcile: (worker: string, tokens: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const known = JSON.stringify(tokens)
          yield* sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'
            AND token NOT IN (SELECT json_array_elements_text(${known}::json))`
          if (tokens.length === 0) return new Set<string>()
          const kept = yield* sql<{
            token: string
          }>`SELECT p.token FROM parts p JOIN submissions s ON s.run_id = p.run_id
            WHERE p.worker = ${worker} AND p.status = 'claimed' AND s.status <> 'stopped'`
          return new Set(kept.map(({ token }) => token))
        }),

      /** Removes a worker and returns its parts. */
      leave: (worker: string) =>
        Effect.zipRight(
          sql`UPDATE parts SET ${sql.literal(returned)} WHERE worker = ${worker} AND status = 'claimed'`,
          sql`DELETE FROM workers WHERE id = ${worker}`
        ).pipe(sql.withTransaction),

      /** Asks workers, by id or host, to finish what they have and leave; gives their number. */
      drain: (id: string) =>
        Effect.map(
          retryLost(sql`UPDATE workers SET draining = TRUE WHERE id = ${id} OR host = ${id} RETURNING id`),
          (rows) => rows.length
        ),

      workers: Effect.map(
        retryLost(sql<WorkerRow>`SELECT id, host, pid, concurrency, draining, ${sql.literal(isAlive)} AS alive,
          (SELECT count(*) FROM parts WHERE worker = workers.id AND status = 'claimed') AS working
          FROM workers ORDER BY since`),
        (rows) => rows.map((row): WorkerRow => ({ ...row, pid: Number(row.pid), working: Number(row.working) }))
      ),

      /** True if a running run has a part that can be claimed now or soon: it waits, or its worker is lost. */
      hasWork: Effect.map(
        retryLost(sql`SELECT 1 FROM parts p JOIN submissions s ON s.run_id = p.run_id
          WHERE s.status = 'running' AND (p.status = 'waiting' OR p.status = 'claimed'
            AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = p.worker AND ${sql.literal(isAlive)})) LIMIT 1`),
        (rows) => rows.length > 0
      ),

      /** Removes workers that were lost long ago, and runs that the ledger has forgotten, with their files. All workers may do so at once. */
      sweep: Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* sql`DELETE FROM workers WHERE beat < now() - ${retention}::interval`
        yield* sql`DELETE FROM parts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = parts.run_id)
          AND coalesce(ended_at, claimed_at, now()) < now() - ${retention}::interval`
        const forgotten = yield* sql<{ run_id: string; task: string }>`SELECT run_id, task FROM submissions
          WHERE ended_at < now() - ${retention}::interval
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = submissions.run_id)`
        for (const { run_id, task } of forgotten) {
          const decoded = decodeTask(run_id, task)
          // A newer version submitted it, and removes it.
          if (Either.isLeft(decoded)) continue
          yield* files.remove(folderOf(decoded.right), { recursive: true, force: true })
          yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`
        }
      })
    }
  })
}) {}
