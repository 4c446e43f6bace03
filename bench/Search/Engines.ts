/** Search engines on the same documents and queries: the local index, and peers that keep everything in memory. */
import { spawnSync } from "node:child_process"
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeEntry } from "../../src/Engine/Search/Entry.ts"
import type { IndexedPage } from "../../src/Engine/Search/Gather.ts"
import { layer, SearchIndex } from "../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../src/Engine/Store/Sql.ts"
import * as Store from "../../src/Engine/Store/Store.ts"
import { oneTeam } from "../../src/Engine/Teams/FairQueue.ts"
import { install } from "../Measure/Programs.ts"
import type * as Collection from "./Collection.ts"

const peers = { minisearch: "minisearch@7.2.0", orama: "@orama/orama@3.1.18" }

/** One more than are judged: a document that a query was taken from is left out. */
const maxResults = 11
/** Pages that a crawl brings at once. */
const portion = 100

/** Installs the peers, and these packages, into the folder. */
export const installPeers = (folder: string, packages: ReadonlyArray<string> = []): void => {
  install(folder, [...Object.values(peers), ...packages])
  copyFileSync(fileURLToPath(new URL("peers.mjs", import.meta.url)), join(folder, "peers.mjs"))
}

const millis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const pageOf = ({ id, text, title }: Collection.Entry): IndexedPage => ({
  teamId: "bench",
  url: `https://bench.example/${id}`,
  ...makeEntry({ title, description: "", text })
})

export interface Result {
  /** Milliseconds of the processor, of all documents and of every search. */
  readonly indexed: number
  readonly times: ReadonlyArray<number>
  readonly rankings: ReadonlyArray<ReadonlyArray<string>>
}

export const ours = (folder: string, entries: ReadonlyArray<Collection.Entry>, queries: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const index = yield* SearchIndex
    const sql = yield* Sql
    const find = (query: string) => index.search("bench", { query, limit: maxResults })
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
    Effect.provide(layer.pipe(Layer.provide(oneTeam), Layer.provideMerge(Store.layer(folder)))),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

/** Another engine, in a process of its own, so that each has its own memory. */
export const theirs = (
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
