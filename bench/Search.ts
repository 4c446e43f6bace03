/**
 * The local index of the engine: how good its first ten results are on a test set made of manuals, beside MiniSearch and
 * Orama on the same; what it costs to take pages in, and to search a hundred thousand of them. Times are of the processor.
 */
import { statSync } from "node:fs"
import { join } from "node:path"
import { atLeast, atMost, type Bench, noted, quantile } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"
import * as Collection from "./Search/Collection.ts"
import { installPeers, ours, type Result, theirs } from "./Search/Engines.ts"

const many = 100_000
/** Entries that the peers get: they keep everything in memory. */
const some = 20_000
const searches = 300
/** Characters of a query that the API takes. */
const maxQuery = 500
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

/** From `least` to `most` words, as frequent as in a page, but none of the few words that every page has. */
const query = (least: number, most: number) => {
  const asked = new Set<string>()
  const count = least + Math.floor(random() * (most - least + 1))
  while (asked.size < count) asked.add(words[30 + Math.floor((words.length - 30) ** random())] ?? "ba")
  return [...asked].join(" ")
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
  const short = Array.from({ length: searches }, () => query(1, 4))
  const long = Array.from({ length: searches / 3 }, () => query(30, 80)).map((text) => text.slice(0, maxQuery))
  const characters = entries.reduce((sum, { text, title }) => sum + text.length + title.length, 0)
  const data = join(folder, "many")
  const own = await ours(data, entries, [...short, ...long])
  const [times, timesOfLong] = [own.times.slice(0, searches), own.times.slice(searches)]
  const [rate, p50, p95] = [(many * 1000) / own.indexed, quantile(times, 0.5), quantile(times, 0.95)]
  const beside = (["minisearch", "orama"] as const).map((name) => {
    const peer = theirs(folder, name, entries.slice(0, some), short.slice(0, 1))
    const value = rate / ((some * 1000) / peer.indexed)
    return noted(`documents/s, ours on disk / ${name} in memory`, value, "×")
  })
  const size = statSync(join(data, "engine.db")).size
  return [
    atLeast("indexing", rate, "documents/s", 5_000),
    noted("the same", characters / 1000 / own.indexed, "MB of text/s"),
    ...beside,
    atMost("search of 100,000, p50", p50, "ms", 30),
    atMost("search of 100,000, p95", p95, "ms", 60),
    atMost("search of 100,000 by 30 to 80 words, p95", quantile(timesOfLong, 0.95), "ms", 60),
    noted("size of the store / of the text", size / characters, "×")
  ]
}

export const bench: Bench = {
  name: "search",
  run: async () => {
    const folder = folderFor("memory")
    try {
      installPeers(folder, Collection.packages)
      return [...(await judged(folder)), ...(await timed(folder))]
    } finally {
      remove(folder)
    }
  }
}
