/** The shard queue: who has a part, when it is taken from a worker, and what is removed. */
import { existsSync, mkdirSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Cluster from "../../src/Cluster.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, claimed, context, ended, ground, submit, untilReleased, whileStateIsHeld, worker } from "./Ground.ts"

const steps = "version: 1\nname: queued\nsteps:\n  - urls: [https://a.example/]\n  - select: { url: url }\n"

const workerOf = (id: string) => ({ id, host: id, pid: 1, concurrency: 1 })

/** Attempts that are counted for the only part of a run. */
const attemptsOf = (runId: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT beginnings AS n FROM parts WHERE run_id = ${runId}`, ([row]) => Number(row?.n))
  )

describeWithPostgres("the shard queue", () => {
  it.live(
    "gives the parts of a silent worker to another one, leaves those of a living one, and ignores late reports",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const queue = yield* Cluster.ShardQueue
          const silentRun = yield* submit(definition, out)
          yield* queue.beat(workerOf("silent"))
          const lost = yield* claimed("silent")
          const livingRun = yield* submit(definition, out)
          yield* Effect.forkScoped(Effect.repeat(queue.beat(workerOf("living")), Schedule.spaced("1 second")))
          const kept = yield* claimed("living")
          expect([lost.part.runId, kept.part.runId]).toEqual([silentRun.runId, livingRun.runId])
          yield* worker(layer, "one")
          // The grace after the start of the server may come first.
          expect((yield* ended(silentRun.runId)).status).toBe("completed")
          expect(yield* Cluster.RunStatus.standing(livingRun.runId)).toMatchObject({ status: "running", working: 1 })
          yield* queue.complete(lost, { outputs: [], counted: null, runId: silentRun.runId, rejectFile: "" })
          yield* queue.release(lost)
          yield* queue.fail(lost, { status: "failed", reason: "Late", error: "it comes too late" })
          expect(yield* Cluster.RunStatus.standing(silentRun.runId)).toMatchObject({ status: "completed", working: 0 })
          // Its worker returns it in order, so that attempt does not count.
          yield* queue.release(kept)
          expect((yield* ended(livingRun.runId)).status).toBe("completed")
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live(
    "gives the part of a lost worker back while every living one is busy and more parts wait than there are slots",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(
          steps.replace("steps:", "state: { key: ours }\nsteps:").replace("- urls", "- when: true\n    urls")
        )
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          const queue = yield* Cluster.ShardQueue
          const lost = yield* submit(definition, out)
          yield* queue.beat(workerOf("lost"))
          yield* claimed("lost")
          yield* worker(layer, "busy", { concurrency: 1 })
          const held = yield* submit(
            yield* checked(out, steps.replace("name: queued", "name: held\nstate: { key: held }")),
            out
          )
          yield* submit(definition, out)
          yield* submit(definition, out)
          yield* whileStateIsHeld(
            held.runId,
            Effect.repeat(
              Effect.delay(sql<{ status: string }>`SELECT status FROM parts WHERE run_id = ${lost.runId}`, 50),
              { until: ([part]) => part?.status === "waiting" }
            )
          )
          expect((yield* ended(lost.runId)).status).toBe("completed")
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("returns a claim whose answer was lost, and tells a worker to release the parts of stopped runs", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const queue = yield* Cluster.ShardQueue
        const { runId } = yield* submit(definition, out)
        yield* queue.beat(workerOf("one"))
        yield* claimed("one")
        expect(yield* attemptsOf(runId)).toBe(1)
        expect(yield* queue.reconcile("one", [])).toEqual(new Set())
        expect(yield* attemptsOf(runId)).toBe(0)
        const { token } = yield* claimed("one")
        expect(yield* queue.reconcile("one", [token])).toEqual(new Set([token]))
        expect(yield* queue.claimedParts(runId)).toBe(1)
        yield* queue.stop(runId)
        expect(yield* queue.reconcile("one", [token])).toEqual(new Set())
        yield* queue.leave("one")
        expect(yield* Cluster.RunStatus.standing(runId)).toMatchObject({ status: "stopped", working: 0 })
        expect(yield* queue.workers).toEqual([])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("takes one attempt back when a release is repeated because its answer was lost", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const queue = yield* Cluster.ShardQueue
        const { runId } = yield* submit(definition, out)
        yield* queue.beat(workerOf("one"))
        yield* queue.beat(workerOf("two"))
        const lost = yield* claimed("one")
        yield* sql`UPDATE parts SET status = 'waiting', token = NULL, worker = NULL WHERE run_id = ${runId}`
        const release = queue.release(yield* claimed("two"))
        expect(yield* attemptsOf(runId)).toBe(2)
        yield* Effect.zipRight(release, release)
        expect(yield* attemptsOf(runId)).toBe(1)
        // The part had passed to another worker: that attempt is taken back once, too.
        const late = queue.release(lost)
        yield* Effect.zipRight(late, late)
        expect(yield* attemptsOf(runId)).toBe(0)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("leaves a run whose submission it cannot read to a worker that can", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { runId } = yield* submit(definition, out)
        const [row] = yield* sql<{ task: string }>`SELECT task FROM submissions WHERE run_id = ${runId}`
        const newer = JSON.stringify({ ...JSON.parse(row?.task ?? ""), shardRows: { most: 10 } })
        yield* sql`UPDATE submissions SET task = ${newer} WHERE run_id = ${runId}`
        const { said } = yield* worker(layer, "older")
        const part = Effect.delay(
          sql<{ status: string; error: string | null }>`SELECT status, error FROM parts WHERE run_id = ${runId}`,
          50
        )
        const [left] = yield* Effect.repeat(part, { until: ([row]) => row?.error != null })
        expect(left).toEqual({ status: "waiting", error: expect.stringContaining(`sluice stop ${runId}`) })
        expect(said.filter((line) => line.startsWith("leaves"))).toHaveLength(1)
        expect(yield* attemptsOf(runId)).toBe(0)
        // A worker of the version that submitted it.
        yield* sql`UPDATE submissions SET task = ${row?.task ?? ""} WHERE run_id = ${runId}`
        expect((yield* ended(runId)).status).toBe("completed")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("takes a part from a worker that was silent: it stops, and its attempt does not count as a lost worker", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(
        steps.replace("steps:", "state: { key: ours }\nsteps:").replace("- urls", "- when: true\n    urls")
      )
      // A run that is not split, and needs a state.
      const one = yield* worker(layer, "one", { concurrency: 1 })
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const queue = yield* Cluster.ShardQueue
        const { runId } = yield* submit(definition, out)
        yield* whileStateIsHeld(
          runId,
          Effect.gen(function* () {
            yield* queue.beat(workerOf("two"))
            yield* sql`UPDATE parts SET token = 'of two', worker = 'two' WHERE run_id = ${runId}`
            yield* untilReleased(one)
            yield* Effect.repeat(Effect.delay(attemptsOf(runId), 20), { until: (count) => count === 0 })
          })
        )
        yield* queue.leave("two")
        expect((yield* ended(runId)).status).toBe("completed")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live(
    "forgets a run a day after it has ended and the ledger has forgotten it, with its files, and not before",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          const [old, kept] = [yield* submit(definition, out), yield* submit(definition, out)]
          const files = (runId: string) => `${out}/.sluice/cluster/${runId}`
          for (const { runId } of [old, kept]) mkdirSync(files(runId), { recursive: true })
          yield* sql`UPDATE submissions SET status = 'failed', ended_at = now() - interval '25 hours'`
          yield* sql`UPDATE parts SET ended_at = now() - interval '25 hours'`
          yield* sql`DELETE FROM runs WHERE id = ${old.runId}`
          yield* (yield* Cluster.ShardQueue).sweep
          expect([yield* Cluster.RunStatus.standing(old.runId), existsSync(files(old.runId))]).toEqual([
            undefined,
            false
          ])
          const standing = yield* Cluster.RunStatus.standing(kept.runId)
          expect([standing?.status, existsSync(files(kept.runId))]).toEqual(["failed", true])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )
})
