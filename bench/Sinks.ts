/** What the sinks and the expressions cost, each against the bare thing in the same process. */
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { stringify } from "csv-stringify/sync"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import jsonata from "jsonata"
import { compile } from "../src/Row/Expression.ts"
import { csv } from "../src/Sink/Csv.ts"
import { jsonl } from "../src/Sink/Jsonl.ts"
import { publish } from "../src/Sink/Publish.ts"
import type * as Sink from "../src/Sink.ts"

type Rows = ReadonlyArray<Record<string, unknown>>

const chunk: Rows = Array.from({ length: 1000 }, (_, index) => ({
  url: `https://example.com/page/${index}`,
  title: `A "quoted" title, number ${index}`,
  words: index * 3,
  ok: index % 2 === 0,
  summary: "Lorem ipsum dolor sit amet. ".repeat(6)
}))
const rows = chunk.map((data) => ({ data }))
const columns = { url: "string", title: "string", words: "integer", ok: "boolean", summary: "string" } as const
const names = Object.keys(columns)
const chunks = 200

/** CPU milliseconds of this process for `work`. */
const cpu = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The bare way's CPU over ours, in rounds that take turns; the least disturbed round of each counts. */
const ratio = async (bare: () => Promise<unknown>, ours: () => Promise<unknown>): Promise<number> => {
  let theirs = Number.POSITIVE_INFINITY
  let own = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    theirs = Math.min(theirs, await cpu(bare))
    own = Math.min(own, await cpu(ours))
  }
  return theirs / own
}

const throughSink = <Config, Encoded>(sink: Sink.Sink<string, Config, Encoded>, config: Encoded, folder: string) =>
  Effect.gen(function* () {
    const writer = yield* sink.open(yield* Schema.decode(sink.config)(config), {
      folder,
      names: { runId: "bench" },
      bindings: () => ({ names: {} })
    })
    for (let index = 0; index < chunks; index++) yield* writer.write(rows)
    return yield* publish([yield* writer.seal])
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer), Effect.runPromise)

/** One write for each chunk, and a sync at the end, as the sinks do. */
const throughHandle = async (path: string, spell: () => string) => {
  const handle = await open(path, "w")
  for (let index = 0; index < chunks; index++) await handle.write(Buffer.from(spell()))
  await handle.sync()
  await handle.close()
}

/** Evaluations a second, for rows of a chunk at a time. */
const rate = async (work: () => Promise<unknown>): Promise<number> => {
  await work()
  const started = performance.now()
  let rounds = 0
  while (performance.now() - started < 500) {
    await work()
    rounds++
  }
  return (rounds * chunk.length * 1000) / (performance.now() - started)
}

const expressions = [
  { source: "metadata.title", target: 20 },
  { source: "metadata.statusCode = 200 and $length(markdown) > 200", target: 10 },
  { source: "$count($split(markdown, /\\s+/))", target: 0 }
]
const pages = Array.from({ length: 1000 }, (_, index) => ({
  metadata: { title: `Page ${index}`, statusCode: 200 },
  markdown: "Lorem ipsum dolor sit amet. ".repeat(10)
}))

const compareExpression = async (source: string) => {
  const ours = Effect.runSync(compile(source))
  const theirs = jsonata(source)
  const direct = await rate(() => Effect.runPromise(ours.evaluateChunk(pages, () => ({ names: {} }))))
  const bare = await rate(async () => {
    for (const page of pages) await theirs.evaluate(page)
  })
  return { direct, times: direct / bare }
}

const measure = (metric: string, value: number, unit: string, target: number) => ({
  metric,
  value: Math.round(value * 100) / 100,
  unit,
  target: target === 0 ? "none" : `≥ ${target}`,
  reached: value >= target
})

export const bench = {
  name: "sinks",
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-bench-"))
    const bare = join(folder, "bare")
    const csvRatio = await ratio(
      () => throughHandle(bare, () => stringify([...chunk], { columns: names })),
      () => throughSink(csv, { csv: "x.csv", columns }, folder)
    )
    const jsonlRatio = await ratio(
      () => throughHandle(bare, () => chunk.map((row) => `${JSON.stringify(row)}\n`).join("")),
      () => throughSink(jsonl, { jsonl: "x.jsonl" }, folder)
    )
    await rm(folder, { recursive: true })
    const results = [
      measure("CSV sink, CPU of bare csv-stringify over ours", csvRatio, "ratio", 0.8),
      measure("JSONL sink, CPU of bare JSON.stringify and write over ours", jsonlRatio, "ratio", 0.8)
    ]
    for (const { source, target } of expressions) {
      const { direct, times } = await compareExpression(source)
      results.push(
        measure(`${source}`, direct, "rows/s", 0),
        measure(`${source}, against bare JSONata`, times, "times", target)
      )
    }
    return results
  }
}
