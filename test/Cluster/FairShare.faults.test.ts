/** A small run behind a large one: it takes at most three times as long as by itself. */
import { writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, ended, folder, submit, worker } from "./Ground.ts"

const definition = (name: string): string => `version: 1
name: ${name}
steps:
  - read: ${name}.jsonl
  - use: { module: ./slow.mjs }
  - write: { jsonl: out-${name}.jsonl }
`

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
      yield* worker(layer, "one", { concurrency: 4 })
      const timed = (name: string) =>
        Effect.gen(function* () {
          const begun = performance.now()
          expect((yield* ended(yield* run(name, 5))).status).toBe("completed")
          return performance.now() - begun
        })
      yield* Effect.gen(function* () {
        yield* timed("warm")
        const alone = yield* timed("alone")
        const large = yield* run("large", 500)
        yield* Effect.sleep("5 seconds")
        const behind = yield* timed("behind")
        console.log(`5 parts took ${Math.round(alone)} ms alone, and ${Math.round(behind)} ms behind a run of 500`)
        expect(behind).toBeLessThan(3 * alone)
        expect(large).not.toBe("")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
