/**
 * The local index of the engine: how good its first ten results are on a test set made of manuals, beside MiniSearch and
 * Orama on the same; what it costs to take pages in, and to search a hundred thousand of them. Times are of the processor.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IndexedPage } from "../src/Engine/Search/Gather.ts"
import { layer, SearchIndex } from "../src/Engine/Search/SearchIndex.ts"
import * as Store from "../src/Engine/Store.ts"
import { atLeast, atMost, type Bench, noted, quantile } from "./Measure/Figures.ts"
import { folderFor, install, remove } from "./Measure/Programs.ts"
import * as Collection from "./Search/Collection.ts"

const peers = { minisearch: "minisearch@7.2.0", orama: "@orama/orama@3.1.18" }
const many = 100_000
/** Entries that the peers get: they keep everything in memory. */
const some = 20_000
const searches = 300
/** Pages that a crawl brings at once. */
const portion = 100

const millis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** The same numbers in every run. */
let seed = 20_240_229
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 4_294_967_296
}

const syllables = "ba ce di fo gu ha ki lo mer nat or pel qui ras sto tum ul ver wex yan zor".split(" ")
/** No two alike, the frequent ones short. */
const spell = (at: number): string =>
  `${at < syllables.length ? "" : spell(Math.floor(at / syllables.length) - 1)}${syllables[at % syllables.length]}`
const words = Array.from({ length: 50_000 }, (_, at) => spell(at))
/** Few words are frequent and most are rare, as in a language. */
const word = () => words[Math.floor(words.length ** random()) - 1] ?? "ba"
const text = (count: number) => Array.from({ length: count }, word).join(" ")
const entry = (_: unknown, at: number): Collection.Entry => ({ id: `p${at}`, title: text(5), text: text(200) })

/** One to four words, as frequent as in a page, but none of the few words that every page has. */
const query = () => {
  const asked = new Set<string>()
  const count = 1 + Math.floor(random() * 4)
  while (asked.size < count) asked.add(words[30 + Math.floor((words.length - 30) ** random())] ?? "ba")
  return [...asked].join(" ")
}

const pageOf = ({ id, text, title }: Collection.Entry): IndexedPage => ({
  teamId: "bench",
  url: `https://bench.example/${id}`,
  title,
  description: "",
  text
})

interface Result {
  /** Milliseconds of the processor, of all documents and of every search. */
  readonly indexed: number
  readonly times: ReadonlyArray<number>
  readonly rankings: ReadonlyArray<ReadonlyArray<string>>
}

const ours = (folder: string, entries: ReadonlyArray<Collection.Entry>, queries: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const index = yield* SearchIndex
    const sql = yield* SqlClient.SqlClient
    const find = (query: string) => index.search("bench", { query })
    const begin = millis()
    for (let at = 0; at < entries.length; at += portion) {
      yield* sql.withTransaction(index.add(entries.slice(at, at + portion).map(pageOf)))
      // A user searches while the crawl runs.
      if (at % (10 * portion) === 0) yield* find("ba")
    }
    yield* find("ba")
    const indexed = millis() - begin
    const times: Array<number> = []
    const rankings: Array<ReadonlyArray<string>> = []
    for (const query of queries) {
      const before = millis()
      const { data } = yield* find(query)
      times.push(millis() - before)
      rankings.push((data.web ?? []).map(({ url }) => (url ?? "").slice("https://bench.example/".length)))
    }
    return { indexed, times, rankings } satisfies Result
  }).pipe(
    Effect.provide(layer.pipe(Layer.provideMerge(Store.layer(folder)))),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

/** In a process of its own, so that each has its own memory. */
const theirs = (
  folder: string,
  name: keyof typeof peers,
  entries: ReadonlyArray<Collection.Entry>,
  queries: ReadonlyArray<string>
): Result => {
  const file = join(folder, "documents.json")
  writeFileSync(file, JSON.stringify({ entries, queries }))
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, "peers.mjs"), file, name], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    timeout: 300_000
  })
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout) as Result
}

const judged = async (folder: string) => {
  const { entries, topics } = Collection.read(join(folder, "node_modules"))
  const queries = topics.map(({ query }) => query)
  const of = (result: Result) => Collection.ndcg(topics, result.rankings)
  const own = of(await ours(join(folder, "manuals"), entries, queries))
  const beside = (["minisearch", "orama"] as const).map((name) =>
    atLeast(`nDCG@10, ours / ${name}`, own / of(theirs(folder, name, entries, queries)), "×", 1)
  )
  return [
    noted("the test set", entries.length, "documents"),
    noted("the test set", topics.length, "queries"),
    atLeast("nDCG@10", own, "", 0.56),
    ...beside
  ]
}

const timed = async (folder: string) => {
  const entries = Array.from({ length: many }, entry)
  const queries = Array.from({ length: searches }, query)
  const characters = entries.reduce((sum, { text, title }) => sum + text.length + title.length, 0)
  const data = join(folder, "many")
  const own = await ours(data, entries, queries)
  const [rate, p50, p95] = [(many * 1000) / own.indexed, quantile(own.times, 0.5), quantile(own.times, 0.95)]
  const beside = (["minisearch", "orama"] as const).map((name) => {
    const peer = theirs(folder, name, entries.slice(0, some), queries.slice(0, 1))
    const value = rate / ((some * 1000) / peer.indexed)
    return noted(`documents/s, ours on disk / ${name} in memory`, value, "×")
  })
  const size = statSync(join(data, "engine.db")).size
  return [
    atLeast("indexing", rate, "documents/s", 5_000),
    noted("the same", characters / 1000 / own.indexed, "MB of text/s"),
    ...beside,
    atMost("search of 100,000, p50", p50, "ms", 30),
    atMost("search of 100,000, p95", p95, "ms", 100),
    noted("size of the store / of the text", size / characters, "×")
  ]
}

export const bench: Bench = {
  name: "search",
  run: async () => {
    const folder = folderFor("memory")
    try {
      install(folder, [...Object.values(peers), ...Collection.packages])
      copyFileSync(fileURLToPath(new URL("./Search/peers.mjs", import.meta.url)), join(folder, "peers.mjs"))
      return [...(await judged(folder)), ...(await timed(folder))]
    } finally {
      remove(folder)
    }
  }
}
