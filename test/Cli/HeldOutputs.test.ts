/** Held runs whose outputs are packed, or written by sinks of the project, over ledgers in a folder and in Postgres. */

import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import * as Server from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Two sinks of the project: `json` has a footer, `lines` can be appended to. */
const extensions = `import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import * as Sink from "${root}src/Sink.ts"
import { lineCodec } from "${root}src/Sink/Jsonl.ts"
export { json } from "${root}test/Sink/JsonArray.ts"
export const lines = Sink.make({
  key: "lines",
  summary: "Writes lines.",
  example: "write: { lines: a.lines }",
  state: Schema.Void,
  codec: () => lineCodec
})
`

const definition = `version: 1
name: shop
extensions: ./extensions.mts
health: { rows: { min: 10 } }
steps:
  - read: rows.jsonl
  - write: { jsonl: all.jsonl.gz, mode: append }
  - write: { csv: all.csv.gz, mode: append, columns: { id: integer } }
  - write: { lines: all.lines, mode: append }
  - write: { json: now.json.gz }
`

const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `{"id":${from + n}}\n`).join("")

const numbers = (text: string): ReadonlyArray<number> => (text.match(/\d+/g) ?? []).map(Number)

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n)

const project = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* folderOf({ "p.yaml": definition, "extensions.mts": extensions })
    const act = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], { env, cwd: folder })
    const run = (from: number, count: number) =>
      Effect.gen(function* () {
        writeFileSync(`${folder}/rows.jsonl`, lines(from, count))
        const { err, out } = yield* act("run", `${folder}/p.yaml`, "--out", `${folder}/out`, "--allow-code", "--json")
        const { runId, status } = JSON.parse(out)
        expect(status, err).toBe(count < 10 ? "held" : "completed")
        return String(runId)
      })
    const read = (name: string): ReadonlyArray<number> => {
      const bytes = readFileSync(`${folder}/out/${name}`)
      return numbers((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString())
    }
    const everyAppended = () => ["all.jsonl.gz", "all.csv.gz", "all.lines"].map(read)
    return { folder, act, run, read, everyAppended }
  })

const tests = (env: Effect.Effect<Readonly<Record<string, string>>, never, Scope.Scope>) => () => {
  live.skipIf(skipsLong)("publishes all of them, every row once, the oldest first", function* () {
    const { act, everyAppended, folder, read, run } = yield* project(yield* env)
    yield* run(0, 20)
    const first = yield* run(20, 5)
    const second = yield* run(25, 4)
    yield* run(29, 10)
    expect(everyAppended()).toEqual(Array.from({ length: 3 }, () => [...upTo(20), ...upTo(10, 29)]))
    const shown = yield* act("show", first, "--rows")
    expect(numbers(shown.out), shown.err).toEqual([...upTo(5, 20), ...upTo(5, 20)])
    // The sinks of the project are code, which this verb does not run.
    expect(shown.err).toMatch(/all\.lines: .*\n.*now\.json\.gz: /)
    const published = yield* act("publish", "--all", "shop", "--allow-code")
    expect(published.code, published.err).toBe(0)
    expect(everyAppended()).toEqual(Array.from({ length: 3 }, () => [...upTo(20), ...upTo(10, 29), ...upTo(9, 20)]))
    expect(read("now.json.gz")).toEqual(upTo(10, 29))
    expect(read(`now-${first}.json.gz`)).toEqual(upTo(5, 20))
    expect(read(`now-${second}.json.gz`)).toEqual(upTo(4, 25))
    expect((yield* list(`${folder}/out`)).filter((name) => name.includes("partial"))).toEqual([])
  })

  live.skipIf(skipsLong)("drops one, and publishes the other", function* () {
    const { act, everyAppended, folder, read, run } = yield* project(yield* env)
    yield* run(0, 20)
    const first = yield* run(20, 5)
    const second = yield* run(25, 4)
    expect((yield* act("discard", first)).code).toBe(0)
    const published = yield* act("publish", second, "--allow-code")
    expect(published.code, published.err).toBe(0)
    expect(everyAppended()).toEqual(Array.from({ length: 3 }, () => [...upTo(20), ...upTo(4, 25)]))
    expect(read("now.json.gz")).toEqual(upTo(4, 25))
    expect(yield* list(`${folder}/out`)).toEqual(["all.csv.gz", "all.jsonl.gz", "all.lines", "now.json.gz"])
  })
}

describe("held runs with packed outputs and sinks of the project", tests(Effect.succeed({})))

describeWithPostgres(
  "held runs over Postgres",
  tests(Effect.map(Server.place, (url) => ({ SLUICE_DATABASE_URL: url })))
)
