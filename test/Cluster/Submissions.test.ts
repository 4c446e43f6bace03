/** Parts of submitted runs: who has one, when it is taken from a worker, in which order they come, and what is removed. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Cluster from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import type { Priority } from "../../src/Pipeline/Definition.ts"
import { skipsLong } from "../Long.ts"
import { describeBeside } from "../WithPostgres.ts"
import {
  checked,
  claimed,
  context,
  ended,
  ground,
  submit,
  untilClaimed,
  untilReleased,
  whileStateIsHeld,
  worker
} from "./Ground.ts"

const steps = "version: 1\nname: queued\nsteps:\n  - urls: [https://a.example/]\n  - select: { url: url }\n"

/** A run that is not split, and needs a state. */
const withState = steps.replace("steps:", "state: { key: ours }\nsteps:").replace("- urls", "- when: true\n    urls")

const workerOf = (id: string) => ({ id, host: id, pid: 1, concurrency: 1 })

/** Attempts that are counted for the only part of a run. */
const attemptsOf = (runId: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT beginnings AS n FROM parts WHERE run_id = ${runId}`, ([row]) => Number(row?.n))
  )

/** Names of the runs whose parts come next, in their order, one part after the other. */
const nextOf = (names: Readonly<Record<string, string>>, count: number) =>
  Effect.flatMap(Cluster.Carrier, ({ claim, settle }) =>
    Effect.replicateEffect(
      Effect.gen(function* () {
        const [delivery] = yield* claim("any", 1)
        if (delivery === undefined) return "none"
        yield* settle(delivery)
        return Object.keys(names).find((name) => names[name] === delivery.runId)
      }),
      count
    )
  )

/** Input splits of one row. */
const splits = (count: number) => Array.from({ length: count }, (_, part) => ({ file: `${part}`, part, rows: 1 }))

describeBeside("parts of submitted runs", () => {
  it.live.skipIf(skipsLong)(
    "go from a silent worker to another one, stay with a living one, and late reports change nothing",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const { complete, fail, release } = yield* Cluster.Submissions
          const { hold } = yield* Cluster.Carrier
          const silentRun = yield* submit(definition, out)
          const lost = yield* claimed("silent")
          const livingRun = yield* submit(definition, out)
          const kept = yield* claimed("living")
          const beat = Effect.zipRight(Cluster.Workers.beat(workerOf("living")), hold([kept]))
          yield* Effect.forkScoped(Effect.repeat(beat, Schedule.spaced("1 second")))
          expect([lost.runId, kept.runId]).toEqual([silentRun.runId, livingRun.runId])
          yield* worker(layer, "one")
          expect((yield* ended(silentRun.runId)).status).toBe("completed")
          expect(yield* Cluster.RunStatus.standing(livingRun.runId)).toMatchObject({ status: "running", working: 1 })
          yield* complete(lost, "split", { outputs: [], counted: null, runId: silentRun.runId, rejectFile: "" })
          yield* release(lost, "silent")
          yield* fail(lost, { status: "failed", reason: "Late", error: "it comes too late" })
          expect(yield* Cluster.RunStatus.standing(silentRun.runId)).toMatchObject({ status: "completed", working: 0 })
          // Its worker returns it in order, so that attempt does not count.
          yield* release(kept, "living")
          expect((yield* ended(livingRun.runId)).status).toBe("completed")
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "of a lost worker are delivered again while every living one is busy and more parts wait than there are slots",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        writeFileSync(`${out}/slow.mjs`, "export default () => new Promise(() => {})\n")
        const slow = `version: 1\nname: slow\nsteps:\n  - when: true\n    urls: [https://a.example/]\n  - use: { module: ./slow.mjs }\n`
        yield* Effect.gen(function* () {
          const { claim } = yield* Cluster.Carrier
          const lost = yield* submit(definition, out)
          yield* claimed("lost")
          const { runId } = yield* submit(yield* checked(out, slow), out, { allowCode: true })
          yield* worker(layer, "busy", { concurrency: 1 })
          yield* untilClaimed(runId, 1)
          for (let count = 0; count < 2; count++) yield* submit(definition, out)
          // Takes what waits, as workers with free slots would, until the lost part is among it.
          const taken = yield* Effect.iterate([...(yield* claim("any", 10))], {
            while: (all) => !all.some(({ runId }) => runId === lost.runId),
            body: (all) => Effect.map(Effect.delay(claim("any", 10), 500), (more) => [...all, ...more])
          })
          expect(taken.length).toBeGreaterThan(2)
          expect(taken.find(({ runId }) => runId === lost.runId)).toMatchObject({ attempt: 1 })
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "are taken from the worker when their run is stopped, and come back when it is resumed",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const { complete, heldParts, release, reopen, stop } = yield* Cluster.Submissions
          const { claim, hold } = yield* Cluster.Carrier
          const { runId } = yield* submit(definition, out)
          yield* Cluster.Workers.beat(workerOf("one"))
          const delivery = yield* claimed("one")
          expect(yield* hold([delivery])).toEqual(new Set([delivery.id]))
          expect(yield* heldParts(runId)).toBe(1)
          yield* stop(runId)
          expect(yield* hold([delivery])).toEqual(new Set())
          // It comes to its end at the same time: then its worker returns it, too.
          expect(yield* complete(delivery, "split", { outputs: [], counted: null, runId, rejectFile: "" })).toBe(false)
          yield* release(delivery, "one")
          expect(yield* heldParts(runId)).toBe(0)
          expect(yield* Cluster.RunStatus.standing(runId)).toMatchObject({ status: "stopped", working: 0 })
          expect(yield* claim("any", 1)).toEqual([])
          expect(yield* reopen(runId)).toBe(true)
          expect(yield* reopen(runId)).toBe(false)
          const [again] = yield* claim("any", 2)
          expect(again).toMatchObject({ runId, attempt: 0 })
          yield* Cluster.Workers.leave("one")
          expect(yield* Cluster.Workers.list).toEqual([])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "count a beginning and a return once, however often they are reported because the answer was lost",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const { begin, release } = yield* Cluster.Submissions
          const { offer, withdraw } = yield* Cluster.Carrier
          const { runId } = yield* submit(definition, out)
          const lost = yield* claimed("one")
          // As when its worker was silent: it is delivered again.
          yield* withdraw(runId, "all")
          yield* offer([lost])
          const taken = yield* claimed("two")
          yield* begin(taken, "two")
          const back = release(taken, "two")
          expect(yield* attemptsOf(runId)).toBe(2)
          yield* Effect.zipRight(back, back)
          expect(yield* attemptsOf(runId)).toBe(1)
          // The part had passed to another worker: that attempt is taken back once, too.
          const late = release(lost, "one")
          yield* Effect.zipRight(late, late)
          expect(yield* attemptsOf(runId)).toBe(0)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("of a submission that a worker cannot read are left to one that can", () =>
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
        expect(left).toEqual({ status: "open", error: expect.stringContaining(`sluice stop ${runId}`) })
        expect(said.filter((line) => line.startsWith("leaves"))).toHaveLength(1)
        expect(yield* attemptsOf(runId)).toBe(0)
        // A worker of the version that submitted it.
        yield* sql`UPDATE submissions SET task = ${row?.task ?? ""} WHERE run_id = ${runId}`
        expect((yield* ended(runId)).status).toBe("completed")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "are stopped by a worker that was silent, and its attempt does not count as a lost worker",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(withState)
        const one = yield* worker(layer, "one", { concurrency: 1 })
        yield* Effect.gen(function* () {
          const { release } = yield* Cluster.Submissions
          const { offer, withdraw } = yield* Cluster.Carrier
          const { runId } = yield* submit(definition, out)
          yield* whileStateIsHeld(
            runId,
            Effect.gen(function* () {
              yield* withdraw(runId, "all")
              yield* offer([{ runId, part: -2, turn: 0 }])
              const taken = yield* claimed("two")
              yield* untilReleased(one)
              yield* Effect.repeat(Effect.delay(attemptsOf(runId), 20), { until: (count) => count === 1 })
              yield* release(taken, "two")
            })
          )
          expect((yield* ended(runId)).status).toBe("completed")
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "are named beside the worker that has them, with their attempts, until they are settled",
    () =>
      Effect.gen(function* () {
        const { definition, layer, out } = yield* ground(steps)
        yield* Effect.gen(function* () {
          const { runId } = yield* submit(definition, out)
          yield* Cluster.Workers.beat(workerOf("one"))
          const now = Effect.all({ waiting: Cluster.Workers.waiting, workers: Cluster.Workers.list })
          expect(yield* now).toMatchObject({ waiting: 1, workers: [{ id: "one", alive: true, parts: [] }] })
          const delivery = yield* claimed("one")
          expect(yield* now).toMatchObject({
            waiting: 0,
            workers: [{ parts: [{ runId, pipeline: "queued", part: "split", attempts: 1 }] }]
          })
          yield* (yield* Cluster.Submissions).release(delivery, "one")
          expect(yield* now).toMatchObject({ waiting: 1, workers: [{ parts: [] }] })
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("have the priority of their definition, unless the submission names one", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(`${steps}priority: high\n`)
      yield* Effect.gen(function* () {
        const of = (priority?: Priority) =>
          Effect.flatMap(submit(definition, out, { priority }), ({ runId }) => Cluster.RunStatus.standing(runId))
        expect([(yield* of())?.priority, (yield* of("low"))?.priority]).toEqual(["high", "low"])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("come by the priority of their runs, and in turns from runs of one priority", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const { addShards } = yield* Cluster.Submissions
        const add = (name: string, shards: number, priority?: Priority) =>
          Effect.gen(function* () {
            const { runId } = yield* submit(definition, out, { priority })
            yield* addShards(runId, splits(shards))
            return [name, runId] as const
          })
        const sql = yield* PgClient.PgClient
        const large = yield* add("large", 500)
        const names = Object.fromEntries([large])
        // The split, and some shards, are done.
        expect(yield* nextOf(names, 100)).toEqual(Array.from({ length: 100 }, () => "large"))
        yield* sql`UPDATE parts SET status = 'completed' WHERE run_id = ${large[1]} AND part < 99`
        const all = Object.fromEntries([large, yield* add("small", 5), yield* add("low", 1, "low")])
        const mixed = yield* nextOf(all, 14)
        // The split and five shards, between as many of the large run.
        expect(mixed.filter((name) => name === "small")).toHaveLength(6)
        expect(mixed.filter((name) => name === "large")).toHaveLength(8)
        const high = Object.fromEntries([large, yield* add("high", 3, "high")])
        expect(yield* nextOf(high, 5)).toEqual(["high", "high", "high", "high", "large"])
        yield* nextOf(all, 500)
        expect(yield* nextOf(all, 1)).toEqual(["none"])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("say what a failure of their database kept from being done, on which ledger, and why", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const { place } = yield* Ledger
        const { offer } = yield* Cluster.Carrier
        const { stop } = yield* Cluster.Submissions
        const { runId } = yield* submit(definition, out)
        const sql = yield* PgClient.PgClient
        yield* sql`ALTER TABLE submissions RENAME TO elsewhere`
        const failed = `the ledger ${place} failed while`
        const reason = `relation "submissions" does not exist`
        const failures = yield* Effect.all([
          Effect.flip(stop(runId)),
          Effect.flip(Cluster.RunStatus.standing(runId)),
          Effect.flip(Cluster.Workers.waiting),
          Effect.flip(submit(definition, out))
        ])
        expect(failures.map(({ message }) => message)).toEqual([
          `${failed} stopping run ${runId}: ${reason}`,
          `${failed} looking at run ${runId}: ${reason}`,
          `${failed} counting parts that wait: ${reason}`,
          expect.stringMatching(/ failed while submitting run .*: relation "submissions" does not exist$/)
        ])
        const tooLong = { runId, part: 2 ** 40, turn: 2 ** 40 }
        expect((yield* Effect.flip(offer([tooLong]))).message).toContain(`${failed} offering parts to workers: `)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "are forgotten a day after their run has ended and the ledger has forgotten it, with its files, and not before",
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
          yield* (yield* Cluster.Submissions).sweep
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
