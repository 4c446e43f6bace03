/**
 * How good the first ten results of the local index are on judged searches over manuals of Debian packages, beside MiniSearch and a plain
 * BM25. Needs `apt-get` and `dpkg`. `BENCH_MANUALS` names a folder that keeps the packages, and `BENCH_HALF=development` asks the queries
 * that the ranking was made with, in place of those for tests.
 */
import { join } from "node:path"
import { atLeast, type Bench, type Figure, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"
import { ndcg } from "./Search/Collection.ts"
import { installPeers, ours, theirs } from "./Search/Engines.ts"
import { download, type JudgedSet, read } from "./Search/Manuals.ts"
import { rankings } from "./Search/ReferenceBm25.ts"

const half = process.env.BENCH_HALF === "development" ? "development" : "test"

const scoresOf = async (folder: string, { entries, name, topics }: JudgedSet) => {
  const queries = topics.map(({ query }) => query)
  return {
    ours: ndcg(topics, (await ours(join(folder, name), entries, queries)).rankings),
    minisearch: ndcg(topics, theirs(folder, "minisearch", entries, queries).rankings),
    "BM25, k1 = 2": ndcg(topics, rankings(entries, queries, 2)),
    "BM25, k1 = 1.2": ndcg(topics, rankings(entries, queries, 1.2))
  }
}

type Scores = Awaited<ReturnType<typeof scoresOf>>

export const bench: Bench = {
  name: "search-quality",
  run: async () => {
    const folder = folderFor("disk")
    try {
      const manuals = process.env.BENCH_MANUALS ?? join(folder, "manuals")
      if (!download(manuals)) throw new Error("the manuals are packages of Debian 12, which apt-get could not download")
      installPeers(folder)
      const figures: Array<Figure> = []
      const sets: Array<Scores> = []
      for (const set of read(manuals, half)) {
        const scores = await scoresOf(folder, set)
        sets.push(scores)
        figures.push(noted(`${set.name}, ${half} half`, set.entries.length, "documents"))
        figures.push(noted(`${set.name}, ${half} half`, set.topics.length, "queries"))
        for (const [engine, score] of Object.entries(scores))
          figures.push(noted(`${set.name}: nDCG@10, ${engine}`, score, ""))
      }
      const passages = sets.at(-1)
      const mean = (engine: keyof Scores) => sets.reduce((sum, scores) => sum + scores[engine], 0) / sets.length
      return [
        ...figures,
        noted("mean nDCG@10, ours", mean("ours"), ""),
        atLeast("passages, ours / BM25, k1 = 1.2", (passages?.ours ?? 0) / (passages?.["BM25, k1 = 1.2"] ?? 1), "×", 1),
        atLeast("mean nDCG@10, ours / minisearch", mean("ours") / mean("minisearch"), "×", 1.08),
        atLeast("mean nDCG@10, ours / BM25, k1 = 2", mean("ours") / mean("BM25, k1 = 2"), "×", 1.02),
        atLeast("mean nDCG@10, ours / BM25, k1 = 1.2", mean("ours") / mean("BM25, k1 = 1.2"), "×", 1.02)
      ]
    } finally {
      remove(folder)
    }
  }
}
