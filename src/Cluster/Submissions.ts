/**
 * Submitted runs and their parts: what each part is, its result, and how the run ends. The parts are carried to workers by `Carrier.ts`.
 *
 * - A part is `open`, `completed` or `failed`. Every open part of a running run is with the carrier, because both change in one transaction;
 *   `offerOpen` mends what was lost, as after an upgrade.
 * - A worker that ends or returns a part settles its delivery first, in the same transaction: the late report of one that lost the part
 *   changes nothing. Locks are taken in the order run, delivery, part.
 * - Ends of one run share a lock on it, unless they may be the last: these wait for all others, so that one of them adds the finish.
 * - Attempts: `begin` counts one. Returning the part takes it back, and progress in the ledger starts the count again, so it is the number of
 *   workers in a row that were lost with the part. After two it is a suspect, which a worker executes alone.
 *
 * The tables are those of version 0.1. A worker of it that is still connected cannot claim parts any more; the migrations refuse one that
 * starts later.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type { Fragment } from "@effect/sql/Statement"
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
import { Carrier, type Delivery, type Offer, turnsOf } from "./Carrier.ts"
import type { InputSplit } from "./InputSplits.ts"
import { countBytes, PartResult } from "./Merge.ts"
import { decodeTask, folderOf, type Task } from "./Task.ts"
import { hasWorker, waitingParts } from "./Workers.ts"

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
  ),
  statements(
    4,
    "carrier",
    // The carrier knows which parts wait and which are out. `worker` began the part last.
    "DROP INDEX parts_open",
    // `token` names the delivery that was begun last, so that a repeated report of its beginning counts once.
    `ALTER TABLE parts DROP CONSTRAINT parts_token_key, DROP COLUMN claimed_at, DROP COLUMN not_before,
      ALTER COLUMN status SET DEFAULT 'open'`,
    "UPDATE parts SET status = 'open', worker = NULL WHERE status IN ('waiting', 'claimed')",
    "CREATE INDEX parts_held ON parts (worker) WHERE status = 'open' AND worker IS NOT NULL",
    "ALTER TABLE workers DROP COLUMN address",
    "ALTER TABLE submissions ADD COLUMN turn INTEGER NOT NULL DEFAULT 0"
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

/** A part that a worker has begun. */
export interface Begun {
  readonly part: Part
  /** The submission as it was saved; `taskOf` decodes it. */
  readonly saved: { readonly task: string; readonly used: string | null; readonly elapsed: number | null }
  /** Attempts in a row without progress; includes this one. */
  readonly attempts: number
  /** Several workers in a row were lost with it. */
  readonly isSuspect: boolean
}

/** Attempts in a row without progress after which a part is given up. */
export const maxAttempts = 5

/** Attempts after which a part is suspect: a worker executes it alone, so that the next lost worker convicts the right one. */
const suspectAfter = 2

/** Seconds until a deferred part is carried again. */
const deferTime = 5

/** Time for which ended runs that the ledger has forgotten, and silent workers, are kept. */
const retention = "1 day"

/** Rows of one INSERT: a statement takes 65,535 values. */
const insertRows = 1000

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

/** Name of one delivery of a part. */
const tokenOf = ({ attempt, id }: Delivery): string => `${id}:${attempt}`

/** SQL: milliseconds since 1970, as the ledger counts them. */
const nowMillis = "floor(extract(epoch FROM now()) * 1000)::bigint"

/** The run of a part that was begun, with the start of its budget: the last resume, and the first work since then. */
export const taskOf = ({ part: { runId }, saved: { elapsed, task, used } }: Begun) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const usage = used === null ? unused : yield* decodeUsage(`The budget of run ${runId}`, used)
    const decoded: Task = yield* decodeTask(runId, task)
    return { ...decoded, budgetFrom: { ...usage, since: now - Number(elapsed ?? 0) } } satisfies Task
  })

export class Submissions extends Effect.Service<Submissions>()("sluice/Cluster/Submissions", {
  effect: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const carrier = yield* Carrier

    interface RunRow {
      readonly status: string
      readonly turn: number
    }

    /** Locks a run: alone, or together with others that change parts of it. */
    const lockRun = (runId: string, mode: "UPDATE" | "SHARE") =>
      Effect.map(
        sql<RunRow>`SELECT status, turn FROM submissions WHERE run_id = ${runId} FOR ${sql.literal(mode)}`,
        ([row]) => row
      )

    /** Turn of a part: the finish and the split are never behind shards of their run. */
    const offerOf = (runId: string, part: number, turn: number): Offer => ({
      runId,
      part,
      turn: turn - Math.max(part, 0)
    })

    /**
     * SQL: the turn that the running runs of a priority have reached, where another run joins them: that of the next part that waits; if
     * none does, that of the last.
     */
    const turnNow = ({ priority = "normal", runId }: Pick<Task, "priority" | "runId">) => {
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

    /** Adds the finish when the source is read and all shards are completed. May be repeated. */
    const finishIfDone = (runId: string) =>
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

    /** SQL: another part of the run will end after this one: it has not been begun, or reads the source. */
    const othersFollow = (runId: string, part: number) =>
      sql`EXISTS (SELECT 1 FROM parts WHERE run_id = ${runId} AND part <> ${part} AND status = 'open'
        AND (worker IS NULL OR kind = 'split'))`

    /** Offers open parts that match. Those that wait or are out stay as they are. */
    const offerOpen = (which: Fragment) =>
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

    /**
     * Settles a delivery and records the part as returned: its worker was not lost, so the attempt is taken back. False if the delivery had
     * been lost before.
     */
    const returned = (
      delivery: Delivery,
      again: { readonly isSuspect?: boolean; readonly after?: number },
      error?: string
    ) =>
      Effect.gen(function* () {
        const { part, runId } = delivery
        const run = yield* lockRun(runId, "SHARE")
        if (!(yield* carrier.settle(delivery))) return false
        yield* sql`UPDATE parts SET worker = NULL, beginnings = greatest(beginnings - 1, 0),
          error = ${error === undefined ? null : Dialect.encodeText(error)}
          WHERE run_id = ${runId} AND part = ${part} AND status = 'open'`
        if (run?.status !== "running") return true
        const hasWaited = error === undefined ? delivery.hasWaited : true
        yield* carrier.offer(
          [{ ...delivery, hasWaited, isSuspect: again.isSuspect ?? delivery.isSuspect }],
          again.after
        )
        return true
      }).pipe(sql.withTransaction)

    return {
      submit: (task: Task) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const isSplit = task.whole === undefined
            const { runId } = task
            const part = isSplit ? splitPart : finishPart
            const [row] = yield* sql<RunRow>`INSERT INTO submissions (run_id, task, status, is_split, turn)
              VALUES (${runId}, ${JSON.stringify(task)}, 'running', ${isSplit}, ${turnNow(task)}) RETURNING status, turn`
            yield* sql`INSERT INTO parts ${sql.insert({ run_id: runId, part, kind: isSplit ? "split" : "finish" })}`
            yield* carrier.offer([offerOf(runId, part, row?.turn ?? 0)])
          })
        ),

      /** True if such a run was submitted. */
      isKnown: (runId: string) =>
        Effect.map(retryLost(sql`SELECT 1 FROM submissions WHERE run_id = ${runId}`), (rows) => rows.length > 0),

      /** Adds a shard for each input split. Shards that are there stay as they are. */
      addShards: (runId: string, splits: ReadonlyArray<InputSplit>) =>
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable(splits), insertRows),
          (some) =>
            Effect.gen(function* () {
              const run = yield* lockRun(runId, "SHARE")
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
        ),

      /**
       * Records that a worker begins a part, and counts the attempt. Undefined if there is nothing to execute: its run has ended, or a worker
       * that was slow has completed it. A part that has become a suspect is not begun, unless it was delivered as one: it goes back.
       */
      begin: (delivery: Delivery, worker: string) =>
        Effect.gen(function* () {
          const { isSuspect: isAlone = false, part, runId } = delivery
          const [row] = yield* sql<{
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
            WHERE p.run_id = ${runId} AND p.part = ${part})
          UPDATE parts p SET worker = ${worker}, token = ${tokenOf(delivery)}, begun_at = now(), error = NULL,
            reached = was.progress, beginnings = CASE WHEN NOT stays THEN 1
              WHEN p.token = ${tokenOf(delivery)} THEN was.beginnings ELSE was.beginnings + 1 END
          FROM was, submissions s WHERE p.run_id = ${runId} AND p.part = ${part} AND p.status = 'open'
            AND s.run_id = p.run_id AND s.status = 'running'
          RETURNING p.kind, p.source, p.beginnings AS attempts, stays AND p.beginnings > ${suspectAfter} AS suspect,
            s.task, s.used, floor(extract(epoch FROM now() - s.began_at) * 1000)::bigint AS elapsed`
          if (row === undefined) {
            yield* Effect.gen(function* () {
              const run = yield* lockRun(runId, "SHARE")
              const [open] =
                yield* sql`SELECT 1 FROM parts WHERE run_id = ${runId} AND part = ${part} AND status = 'open'`
              yield* carrier.settle(delivery)
              // It was resumed in between.
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
        }).pipe(retryLost),

      /**
       * Gives a part back. When its delivery was lost, takes only the attempt back: this worker was slow, not lost. A repeated call, whose
       * first answer may have been lost, takes no attempt back.
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
        }).pipe(retryLost)
      },

      /** Puts a part back for a while, because it needs a lock that another run holds. */
      defer: (delivery: Delivery, why: string) => retryLost(returned(delivery, { after: deferTime }, why)),

      /** False if the delivery had been lost before: then nothing is recorded. */
      complete: (delivery: Delivery, kind: Kind, result: PartResult) =>
        Effect.gen(function* () {
          const { part, runId } = delivery
          const record = Effect.gen(function* () {
            if (!(yield* carrier.settle(delivery))) return undefined
            const [done] = yield* sql<{ more: boolean }>`UPDATE parts SET status = 'completed', ended_at = now(),
              result = ${JSON.stringify(result)}, error = NULL, reason = NULL
              WHERE run_id = ${runId} AND part = ${part} RETURNING ${othersFollow(runId, part)} AS more`
            return done
          })
          const shared =
            kind === "shard"
              ? yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} AND ${othersFollow(runId, part)} FOR SHARE`
              : []
          const isLast = shared.length === 0
          if (isLast) yield* lockRun(runId, "UPDATE")
          const done = yield* record
          if (done === undefined) return false
          if (kind === "finish") {
            yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`
            return true
          }
          if (kind === "split") yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`
          if (!isLast && done.more) return true
          // Under the lock of all, each statement sees the ends that were recorded before.
          if (!isLast) yield* lockRun(runId, "UPDATE")
          yield* finishIfDone(runId)
          return true
        }).pipe(sql.withTransaction),

      /** Ends the run with this part, unless its delivery had been lost: then it is false. Other parts that are out are executed to their end, and no part is delivered any more. */
      fail: (
        delivery: Delivery,
        {
          error,
          reason,
          status
        }: { readonly status: "failed" | "budget"; readonly reason: string; readonly error: string }
      ) =>
        Effect.gen(function* () {
          const { part, runId } = delivery
          yield* lockRun(runId, "UPDATE")
          if (!(yield* carrier.settle(delivery))) return false
          // The run was resumed since: the part is attempted again.
          const stale = yield* sql`UPDATE parts SET worker = NULL WHERE run_id = ${runId} AND part = ${part}
            AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId} AND status = 'running')
            RETURNING part`
          if (stale.length > 0) {
            yield* carrier.offer([delivery])
            return true
          }
          yield* sql`UPDATE parts SET status = 'failed', reason = ${reason}, error = ${Dialect.encodeText(error)},
            ended_at = now() WHERE run_id = ${runId} AND part = ${part}`
          yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${Dialect.encodeText(error)},
            ended_at = now() WHERE run_id = ${runId} AND status = 'running'`
          yield* sql`UPDATE runs SET status = ${status}, error = ${Dialect.encodeText(error)},
            ended_at = ${sql.literal(nowMillis)}, updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
          yield* carrier.withdraw(runId, "waiting")
          return true
        }).pipe(sql.withTransaction),

      /** Resumes a run that ended before its end: its open and failed parts are carried again. False for other runs. */
      reopen: (runId: string) =>
        Effect.gen(function* () {
          const [ended] = yield* sql<{ task: string }>`SELECT task FROM submissions
            WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') FOR UPDATE`
          if (ended === undefined) return false
          yield* countBytes(sql, runId)
          const used = yield* usedBy(runId)
          // A submission that this version cannot read is left to the workers that can.
          const { priority } = Either.getOrElse(decodeTask(runId, ended.task), () => ({ priority: undefined }))
          yield* sql`UPDATE parts SET status = 'open', worker = NULL, error = NULL, beginnings = 0
            WHERE run_id = ${runId} AND status = 'failed'`
          yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
            ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)},
            turn = least(${turnsOf(priority ?? "normal").highest}, ${turnNow({ runId, priority })} + coalesce(
              (SELECT min(part) FROM parts WHERE run_id = ${runId} AND status = 'open' AND part >= 0), 0))
            WHERE run_id = ${runId}`
          yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL,
            updated_at = ${sql.literal(nowMillis)}
            WHERE id = ${runId} AND NOT ${sql.in("status", finalStatuses)}`
          yield* finishIfDone(runId)
          yield* offerOpen(sql`p.run_id = ${runId}`)
          return true
        }).pipe(sql.withTransaction),

      /** Stops a run, which can be resumed. Workers return its parts within a second or two. */
      stop: (runId: string) =>
        Effect.gen(function* () {
          const [row] = yield* sql<{ status: string; run: string | null }>`SELECT s.status,
            (SELECT status FROM runs WHERE runs.id = s.run_id) AS run
            FROM submissions s WHERE s.run_id = ${runId} FOR UPDATE`
          if (row === undefined) return "unknown" satisfies Stopped
          // The last step of the run has completed; only its part is still out.
          if (row.status !== "running" || row.run === "completed") return "over" satisfies Stopped
          yield* sql`UPDATE submissions SET status = 'stopped', ended_at = now() WHERE run_id = ${runId}`
          yield* sql`UPDATE runs SET status = 'stopped', ended_at = ${sql.literal(nowMillis)},
            updated_at = ${sql.literal(nowMillis)} WHERE id = ${runId} AND NOT ${sql.in("status", [...finalStatuses, "publishing"])}`
          yield* carrier.withdraw(runId, "all")
          return "stopped" satisfies Stopped
        }).pipe(sql.withTransaction, retryLost),

      /** Number of parts of a run that living workers have. */
      heldParts: (runId: string) =>
        Effect.map(
          retryLost(sql`SELECT part FROM parts p WHERE run_id = ${runId} AND status = 'open'
            AND ${sql.literal(hasWorker)}`),
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

      /** True if a running run has a part that can be taken now or soon: it waits, or its worker is lost. */
      hasWork: Effect.map(retryLost(sql`SELECT 1 ${sql.literal(waitingParts)} LIMIT 1`), (rows) => rows.length > 0),

      /** Offers all open parts that no living worker has: runs of an earlier version are not with the carrier. */
      offerAll: retryLost(offerOpen(sql`NOT ${sql.literal(hasWorker)}`)),

      /** Removes workers that were lost long ago, and runs that the ledger has forgotten, with their files. All workers may do so at once. */
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
          // A newer version submitted it, and removes it.
          if (Either.isLeft(decoded)) continue
          yield* files.remove(folderOf(decoded.right), { recursive: true, force: true })
          yield* sql`DELETE FROM submissions WHERE run_id = ${run_id}`
        }
      })
    }
  })
}) {}
