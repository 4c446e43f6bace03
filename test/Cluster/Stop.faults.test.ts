import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Cluster from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import { describeBeside } from "../WithPostgres.ts"
import {
  context,
  ended,
  ground,
  lines,
  submit,
  untilClaimed,
  untilReleased,
  whileStateIsHeld,
  worker
} from "./Ground.ts"

const steps = `
version: 1
name: stopped
steps:
  - read: rows.jsonl
  - select: { id: id }
  - write: { jsonl: pages.jsonl }
`

describeBeside("a run on many machines that is stopped", () => {
  it.live("is released by its workers at a commit, and continues from there without lost or duplicate rows", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps, 40)
      yield* worker(layer, "one", { concurrency: 2 })
      yield* Effect.gen(function* () {
        const queue = yield* Cluster.Submissions
        const { find } = yield* Ledger
        const { runId } = yield* submit(definition, out, { shardRows: 4 })
        yield* Effect.repeat(Effect.delay(Cluster.RunStatus.standing(runId), 20), {
          until: (now) => (now?.done ?? 0) > 0
        })
        expect(yield* queue.stop(runId)).toBe("stopped")
        expect(yield* queue.stop(runId)).toBe("over")
        yield* Effect.repeat(Effect.delay(queue.heldParts(runId), 20), { until: (left) => left === 0 })
        const standing = yield* Cluster.RunStatus.standing(runId)
        expect(standing).toMatchObject({ status: "stopped", working: 0 })
        expect(standing?.done).toBeLessThan(10)
        expect((yield* find(runId))?.status).toBe("stopped")
        expect(yield* Cluster.RunStatus.progress([runId, "another"])).toEqual(
          new Map([[runId, { done: standing?.done, shards: standing?.shards }]])
        )
        expect(yield* queue.reopen(runId)).toBe(true)
        expect((yield* ended(runId)).status).toBe("completed")
        expect(lines(out, "pages.").toSorted()).toEqual(lines(out, "rows").toSorted())
        const shards = yield* Cluster.RunStatus.shards(runId, 3)
        expect(shards.map(({ given, rows, shard, state }) => [shard, state, given, rows])).toEqual(
          [0, 1, 2].map((shard) => [shard, "completed", 4, 4])
        )
        expect(shards[0]?.worker).toMatch(/^one-/)
        expect(yield* queue.stop("another")).toBe("unknown")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("is released as soon as the queue accepts it, if it did not at first", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps.replace("steps:", "state: { key: ours }\nsteps:"), 1)
      const one = yield* worker(layer, "one", { concurrency: 1 })
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const queue = yield* Cluster.Submissions
        const { runId } = yield* submit(definition, out)
        yield* whileStateIsHeld(
          runId,
          Effect.gen(function* () {
            yield* sql.unsafe("ALTER TABLE parts ADD CONSTRAINT not_now CHECK (worker IS NOT NULL) NOT VALID")
            yield* queue.stop(runId)
            yield* untilReleased(one)
            yield* Effect.sleep(100)
            yield* sql.unsafe("ALTER TABLE parts DROP CONSTRAINT not_now")
            yield* Effect.timeout(untilClaimed(runId, 0), "10 seconds")
          })
        )
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("is not claimed by new workers until it is resumed", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps, 8)
      yield* Effect.gen(function* () {
        const queue = yield* Cluster.Submissions
        const { runId } = yield* submit(definition, out, { shardRows: 4 })
        yield* queue.stop(runId)
        const idle = yield* worker(layer, "one", { drain: true })
        yield* Fiber.join(idle.fiber)
        expect(yield* Cluster.RunStatus.standing(runId)).toMatchObject({ status: "stopped", done: 0, shards: 0 })
        yield* queue.reopen(runId)
        const busy = yield* worker(layer, "two", { drain: true })
        yield* Fiber.join(busy.fiber)
        expect((yield* ended(runId)).status).toBe("completed")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("is not submitted for a scheduled time that another scheduler has", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const id = "20260314T093001-7c2e"
        const refused = yield* Effect.flip(
          submit(definition, out, { id, scheduledPipeline: "stopped", scheduledFor: new Date(0) })
        )
        expect(refused._tag).toBe("ScheduledTimeRefused")
        const { find } = yield* Ledger
        expect(yield* find(id)).toBeUndefined()
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
