/** Where the parts of all runs stand, in Postgres: who may take one, who has it, and what became of it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { again } from "../Database/Postgres/Lost.ts"
import * as Text from "../Database/Text.ts"
import type { Usage } from "../Ledger/SharedLimits.ts"
import type { Json } from "../Row.ts"
import * as Beginnings from "./Board/Beginnings.ts"
import * as Endings from "./Board/Endings.ts"
import { finishPart, type Kind, type Part, splitPart } from "./Board/Part.ts"
import { isAlive } from "./Board/Signs.ts"
import * as Spending from "./Board/Spending.ts"
import * as Standing from "./Board/Standing.ts"
import * as Workers from "./Board/Workers.ts"
import type { Portion } from "./InputSplits.ts"
import type { Task } from "./Task.ts"

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
    const beginnings = Beginnings.make(sql)

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
          const used: Usage = row.used === null ? Spending.nothing : JSON.parse(row.used)
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
          (begun) => begun && { part: toPart(begun.row), beginnings: begun.beginnings, isDoubtful: begun.isDoubtful }
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

      ...Endings.make(sql),

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
