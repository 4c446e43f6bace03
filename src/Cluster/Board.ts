/** Where the parts of all runs stand, in Postgres: who may take one, who has it, and what became of it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { again } from "../Database/Postgres/Lost.ts"
import * as Text from "../Database/Text.ts"
import type { Json } from "../Row.ts"
import type { Used } from "../Run/Ledger/Groups.ts"
import * as Beginnings from "./Board/Beginnings.ts"
import { isAlive, millis } from "./Board/Signs.ts"
import * as Spending from "./Board/Spending.ts"
import * as Standing from "./Board/Standing.ts"
import * as Workers from "./Board/Workers.ts"
import type { Portion } from "./Portions.ts"
import type { Task } from "./Task.ts"

export type Kind = "split" | "shard" | "finish"

/** Numbers of the parts that are no shards; shards count from 0. */
export const splitPart = -1
export const finishPart = -2

export interface Part {
  readonly runId: string
  readonly part: number
  readonly kind: Kind
  readonly source: string | undefined
  /** It was taken before, and what it needs was somebody else's then. */
  readonly hasWaited: boolean
}

export interface Shard {
  readonly part: number
  readonly result: Json
}

interface PartRow {
  readonly run_id: string
  readonly part: number
  readonly kind: Kind
  readonly source: string | null
  readonly not_before: Date | null
}

const columns = "p.run_id, p.part, p.kind, p.source, p.not_before"

const toPart = ({ kind, not_before, part, run_id, source }: PartRow): Part => ({
  runId: run_id,
  part: Number(part),
  kind,
  source: source === null ? undefined : Text.decode(source),
  hasWaited: not_before !== null
})

/** Rows of one statement: it takes 65,535 values at most. */
const atOnce = 1000

/** Seconds after which a part that was taken and not begun, or whose worker is gone, is free again. */
const patience = 15

/** Seconds after which a part is taken again that had to wait for somebody. */
const pause = 5

export class Board extends Effect.Service<Board>()("sluice/Cluster/Board", {
  effect: Effect.map(PgClient.PgClient, (sql) => {
    const whole = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)

    const now = millis(sql)
    const beginnings = Beginnings.make(sql)

    /** When the source is read and all shards are done, the finish may begin; told by whoever sees it, as often as it likes. */
    const finishIfDone = (runId: string) => sql`
      INSERT INTO parts (run_id, part, kind)
      SELECT run_id, ${finishPart}, 'finish' FROM submissions s WHERE run_id = ${runId} AND is_split AND is_read
        AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.run_id = s.run_id AND p.part >= 0 AND p.status <> 'completed')
      ON CONFLICT DO NOTHING`

    return {
      submit: (task: Task) =>
        whole(
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

      /** With what counts of its budget: since somebody last went on with it, and its work began. */
      task: (runId: string) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const [row] = yield* again(sql<{
            task: string
            used: string | null
            elapsed: number | null
          }>`SELECT task, used,
            floor(extract(epoch FROM now() - began_at) * 1000)::bigint AS elapsed FROM submissions WHERE run_id = ${runId}`)
          if (row === undefined) return undefined
          if (row.elapsed === null)
            yield* again(sql`UPDATE submissions SET began_at = now() WHERE run_id = ${runId} AND began_at IS NULL`)
          const used: Used = row.used === null ? Spending.nothing : JSON.parse(row.used)
          const task: Task = JSON.parse(row.task)
          return { ...task, budgetFrom: { ...used, since: now - Number(row.elapsed ?? 0) } }
        }),

      /** Puts portions on the board; one that is there stays as it is. */
      announce: (runId: string, portions: ReadonlyArray<Portion>) =>
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable(portions), atOnce),
          (some) =>
            again(
              sql`INSERT INTO parts ${sql.insert(
                Chunk.toArray(some).map(({ file, part, rows }) => ({
                  run_id: runId,
                  part,
                  kind: "shard",
                  source: Text.encode(file),
                  rows
                }))
              )} ON CONFLICT DO NOTHING`
            ),
          { discard: true }
        ),

      /** Takes the oldest part that waits, under a token that nobody else has. */
      claim: (worker: string, token: string) =>
        Effect.map(
          again(sql<PartRow>`UPDATE parts SET status = 'claimed', token = ${token}, worker = ${worker},
              claimed_at = now(), begun_at = NULL
            WHERE (run_id, part) = (
              SELECT w.run_id, w.part
              FROM (SELECT run_id FROM submissions WHERE status = 'running' ORDER BY submitted_at, run_id) s,
                LATERAL (SELECT p.run_id, p.part FROM parts p WHERE p.run_id = s.run_id AND p.status = 'waiting'
                  AND (p.not_before IS NULL OR p.not_before <= now())
                  ORDER BY p.part LIMIT 1 FOR UPDATE SKIP LOCKED) w LIMIT 1)
            RETURNING run_id, part, kind, source, not_before`),
          ([row]) => (row === undefined ? undefined : toPart(row))
        ),

      /** The part of a token, now in these hands; undefined when it is done, or somebody else's. */
      begin: (worker: string, token: string) =>
        Effect.map(
          beginnings.begin<PartRow>(worker, token, columns),
          (begun) => begun && { part: toPart(begun.row), isDoubtful: begun.isDoubtful }
        ),

      count: beginnings.count,
      forgive: beginnings.forgive,

      /** Given back in order: that beginning is none that took a worker down. */
      release: (token: string) =>
        again(sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL,
          beginnings = greatest(beginnings - 1, 0) WHERE token = ${token} AND status = 'claimed'`),

      /** Given back for a while, as what it needs is somebody else's now. */
      defer: (token: string, why: string) =>
        again(sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = ${Text.encode(why)},
          not_before = now() + ${`${pause} seconds`}::interval, beginnings = greatest(beginnings - 1, 0)
          WHERE token = ${token} AND status = 'claimed'`),

      /** Frees what was taken and never begun, and what is held by workers that are gone and that the cluster gave to nobody. */
      free: again(sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL WHERE status = 'claimed'
        AND claimed_at < now() - ${`${patience} seconds`}::interval
        AND now() - pg_postmaster_start_time() > ${`${patience} seconds`}::interval
        AND (begun_at IS NULL OR NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = parts.worker
          AND w.beat >= now() - ${`${patience} seconds`}::interval))`),

      /** Whether a run that goes on has a part that will be free soon: somebody who is gone has it, or it waits for a while. */
      isOrphaned: Effect.map(
        again(sql`SELECT 1 FROM parts p JOIN submissions s ON s.run_id = p.run_id
          WHERE s.status = 'running' AND (p.status = 'waiting' AND p.not_before > now()
            OR p.status = 'claimed' AND NOT EXISTS (SELECT 1 FROM workers w
              WHERE w.id = p.worker AND ${isAlive(sql)})) LIMIT 1`),
        (rows) => rows.length > 0
      ),

      complete: ({ part, runId }: Part, token: string, result: Json) =>
        whole(
          Effect.gen(function* () {
            // Those who end parts of a run do so one after the other: the last one sees all others.
            yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`
            const done = yield* sql`UPDATE parts SET status = 'completed', result = ${JSON.stringify(result)},
              ended_at = now(), error = NULL, reason = NULL WHERE token = ${token} AND status = 'claimed' RETURNING part`
            if (done.length === 0) return
            if (part === finishPart) {
              yield* sql`UPDATE submissions SET status = 'completed', ended_at = now() WHERE run_id = ${runId}`
              return
            }
            if (part === splitPart) yield* sql`UPDATE submissions SET is_read = TRUE WHERE run_id = ${runId}`
            yield* finishIfDone(runId)
          })
        ),

      /** Ends the run with this part: what others are at comes to its end, and nothing more is begun. */
      fail: ({ runId }: Part, token: string, status: "failed" | "budget", reason: string, error: string) =>
        whole(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM submissions WHERE run_id = ${runId} FOR UPDATE`
            // Somebody has gone on with the run since: then it is the part's turn once more.
            const stale = yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL
              WHERE token = ${token} AND status = 'claimed' 
                AND begun_at < (SELECT reopened_at FROM submissions WHERE run_id = ${runId}) RETURNING part`
            if (stale.length > 0) return
            const failed = yield* sql`UPDATE parts SET status = 'failed', reason = ${reason},
              error = ${Text.encode(error)}, ended_at = now() WHERE token = ${token} AND status = 'claimed' RETURNING part`
            if (failed.length === 0) return
            yield* sql`UPDATE submissions SET status = ${status}, reason = ${reason}, error = ${Text.encode(error)},
              ended_at = now() WHERE run_id = ${runId} AND status = 'running'`
            yield* sql`UPDATE runs SET status = ${status}, error = ${Text.encode(error)},
              ended_at = ${now}, updated_at = ${now} WHERE id = ${runId} AND status <> 'completed'`
          })
        ),

      /** Goes on with a run that ended before its end: what failed waits again. */
      reopen: (runId: string) =>
        whole(
          Effect.gen(function* () {
            const used = yield* Spending.used(sql, runId)
            const open = yield* sql`UPDATE submissions SET status = 'running', reason = NULL, error = NULL,
              ended_at = NULL, reopened_at = clock_timestamp(), began_at = NULL, used = ${JSON.stringify(used)}
              WHERE run_id = ${runId} AND status IN ('failed', 'budget', 'stopped') RETURNING run_id`
            if (open.length === 0) return false
            yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL, error = NULL, beginnings = 0
              WHERE run_id = ${runId} AND status = 'failed'`
            yield* sql`UPDATE runs SET status = 'running', error = NULL, ended_at = NULL, updated_at = ${now}
              WHERE id = ${runId} AND status <> 'completed'`
            yield* finishIfDone(runId)
            return true
          })
        ),

      shards: (runId: string) =>
        Effect.map(
          again(sql<{ part: number; result: string }>`SELECT part, result FROM parts
            WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' ORDER BY part`),
          (rows) => rows.map(({ part, result }): Shard => ({ part: Number(part), result: JSON.parse(result) }))
        ),

      /** What the split has left. */
      reading: (runId: string) =>
        Effect.map(
          again(sql<{ result: string }>`SELECT result FROM parts
            WHERE run_id = ${runId} AND part = ${splitPart} AND status = 'completed'`),
          (rows) => rows.map(({ result }): Json => JSON.parse(result))
        ),

      ...Standing.make(sql),
      ...Workers.make(sql)
    }
  })
}) {}
