/** Cost of the sinks and of expressions, each against the bare library in the same process. */
import { open } from "node:fs/promises"
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
import { atLeast, type Bench, median, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

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

/** The bare way's CPU over ours: the median of rounds in which both take their turn. */
const ratio = async (bare: () => Promise<unknown>, ours: () => Promise<unknown>): Promise<number> => {
  const rounds: Array<number> = []
  await ours()
  for (let round = 0; round < 21; round++) rounds.push((await cpu(bare)) / (await cpu(ours)))
  return median(rounds)
}

/**
 * A chunk of 1,000 rows and a commit, in turns. The files are in memory where the system offers that, and CPU time is
 * what counts: the commits are ours to pay for, the disk's part of them is not.
 */
const throughSink = <Config, Encoded>(sink: Sink.Sink<string, Config, Encoded>, config: Encoded, folder: string) =>
  Effect.gen(function* () {
    const writer = yield* sink.open(yield* Schema.decode(sink.config)(config), {
      folder,
      names: { runId: "bench" },
      bindings: () => ({ names: {} })
    })
    for (let index = 0; index < chunks; index++) {
      yield* writer.write(rows)
      yield* writer.commit
    }
    return yield* publish([yield* writer.seal])
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer), Effect.runPromise)

/** One write for each chunk and nothing else: no commits, no second name. */
const throughHandle = async (path: string, spell: () => string) => {
  const handle = await open(path, "w")
  for (let index = 0; index < chunks; index++) await handle.write(Buffer.from(spell()))
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
  { source: "metadata.title", least: 20 },
  { source: "metadata.statusCode = 200 and $length(markdown) > 200", least: 10 },
  { source: "$count($split(markdown, /\\s+/))", least: undefined }
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

export const bench: Bench = {
  name: "sinks",
  run: async () => {
    const folder = folderFor("memory")
    const bare = join(folder, "bare")
    const csvRatio = await ratio(
      () => throughHandle(bare, () => stringify([...chunk], { columns: names })),
      () => throughSink(csv, { csv: "x.csv", columns }, folder)
    )
    const jsonlRatio = await ratio(
      () => throughHandle(bare, () => chunk.map((row) => `${JSON.stringify(row)}\n`).join("")),
      () => throughSink(jsonl, { jsonl: "x.jsonl" }, folder)
    )
    remove(folder)
    const figures = [
      atLeast("CSV sink with a commit every 1,000 rows, CPU of bare csv-stringify / ours", csvRatio, "×", 0.8),
      atLeast(
        "JSONL sink with a commit every 1,000 rows, CPU of bare JSON.stringify and write / ours",
        jsonlRatio,
        "×",
        0.8
      )
    ]
    for (const { least, source } of expressions) {
      const { direct, times } = await compareExpression(source)
      const metric = `${source}, against bare JSONata`
      figures.push(noted(source, direct, "rows/s"))
      figures.push(least === undefined ? noted(metric, times, "×") : atLeast(metric, times, "×", least))
    }
    return figures
  }
}
