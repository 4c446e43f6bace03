/**
 * A small run behind a large one: it takes at most three times as long as by itself. Time is counted in parts of the large run, so that the load
 * of the machine does not matter.
 */
import { writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { RunStatus } from "../../src/Cluster.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, ended, folder, submit, worker } from "./Ground.ts"

const definition = (name: string): string => `version: 1
name: ${name}
steps:
  - read: ${name}.jsonl
  - use: { module: ./slow.mjs }
  - write: { jsonl: out-${name}.jsonl }
`

/** Parts of the small run, and parts that the worker carries out at once. */
const [small, slots] = [5, 4]

const slow = "export default (row) => new Promise((done) => setTimeout(() => done(row), 300))\n"

describeWithPostgres("a run of 5 parts behind one of 500", () => {
  it.live("ends within three times its own time", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const layer = yield* database
      writeFileSync(`${out}/slow.mjs`, slow)
      const run = (name: string, rows: number) =>
        Effect.gen(function* () {
          writeFileSync(`${out}/${name}.jsonl`, Array.from({ length: rows }, (_, id) => `{"id":${id}}\n`).join(""))
          const task = yield* submit(yield* checked(out, definition(name)), out, { shardRows: 1, allowCode: true })
          return task.runId
        })
      yield* worker(layer, "one", { concurrency: slots })
      yield* Effect.gen(function* () {
        const large = yield* run("large", 500)
        const done = Effect.map(RunStatus.standing(large), (standing) => standing?.done ?? 0)
        // Every slot has had a part of the large run.
        yield* Effect.repeat(Effect.delay(done, 100), { until: (count) => count >= 2 * slots })
        const before = yield* done
        expect((yield* ended(yield* run("small", small))).status).toBe("completed")
        const rounds = 3 * Math.ceil(small / slots)
        // A round more for parts that were under way, and one for the end, which is seen late.
        expect((yield* done) - before).toBeLessThanOrEqual(rounds * slots - small + 2 * slots)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
