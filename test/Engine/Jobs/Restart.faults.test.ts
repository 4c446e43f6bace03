/** A process that is killed loses nothing, and the next one goes on. */

import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../../src/Database/Sqlite.ts"
import { describe, expect, it } from "../../It.ts"
import { type Caller, caller, drain, engine, keys, page, site, tempDir } from "../../Local.ts"
import { kill, spawnEngine } from "./Spawn.ts"

/** Rows in the store of a killed process. */
const written = (dataDir: string) =>
  Effect.gen(function* () {
    const sql = Context.get(yield* Layer.build(Sqlite.layer(`${dataDir}/engine.db`)), SqlClient.SqlClient)
    return yield* sql<{ readonly pages: number; readonly credits: number }>`
      SELECT (SELECT count(*) FROM job_results) AS pages, (SELECT sum(credits) FROM usage_ledger) AS credits`
  }).pipe(Effect.scoped, Effect.orDie)

const pages = 240

/** A tree of pages, each a little slow, so that a kill comes in the middle. */
const tree = (path: string) => {
  const n = path === "/" ? 0 : Number(path.slice(2))
  const children = [1, 2, 3, 4].map((k) => n * 4 + k).filter((child) => child < pages)
  return {
    body: page(
      `Page ${n}`,
      children.map((child) => `/p${child}`)
    ),
    delay: 8
  }
}

const until = (call: Caller, path: string, results: number): Effect.Effect<void> =>
  Effect.flatMap(call.get(`${path}?skip=${results}&limit=1`), ({ json }) =>
    json.data.length > 0 ? Effect.void : until(call, path, results)
  )

describe("a crawl whose process is killed", () => {
  it.scopedLive(
    "is resumed by the next process, and has every page once",
    function* () {
      const there = yield* site(tree)
      const dataDir = yield* tempDir
      const first = yield* spawnEngine(dataDir)
      const before = caller(first.baseUrl, keys.first)
      const { json } = yield* before.post("/v2/crawl", { url: there.url, sitemap: "skip", ignoreRobotsTxt: true })
      const path = `/v2/crawl/${json.id}`
      yield* until(before, path, 60)
      const kept = (yield* before.get(`${path}?limit=50`)).json.data
      yield* kill(first.child)
      const asked = there.requests.length
      // A page and what it costs are written together, wherever the kill came.
      const [store] = yield* written(dataDir)
      expect(store?.credits).toBe(store?.pages)
      expect(store?.pages).toBeGreaterThanOrEqual(60)

      const next = yield* engine({ dataDir })
      const { last, data } = yield* drain(caller(next.baseUrl, keys.first), path)
      expect(last).toMatchObject({ status: "completed", total: pages, completed: pages, creditsUsed: pages })
      expect(new Set(data.map(({ metadata }) => metadata.sourceURL)).size).toBe(pages)
      expect(data).toHaveLength(pages)
      // Positions are for ever: what was read before is where it was.
      expect(data.slice(0, 50)).toEqual(kept)
      expect(asked).toBeLessThan(pages)
      // Fetched twice: only pages that were running, or fetched and not committed, when the process died.
      expect(there.requests.length - new Set(there.requests).size).toBeLessThanOrEqual(32)
      const usage = yield* caller(next.baseUrl, keys.first).get("/v2/team/credit-usage/historical")
      expect(usage.json.periods.at(-1).creditsUsed).toBe(pages)
    },
    900_000
  )

  it.scopedLive("is resumed after an orderly stop too", function* () {
    const there = yield* site(tree)
    const dataDir = yield* tempDir
    const path = yield* Effect.scoped(
      Effect.gen(function* () {
        const call = caller((yield* engine({ dataDir })).baseUrl, keys.first)
        const { json } = yield* call.post("/v1/crawl", { url: there.url, ignoreSitemap: true, ignoreRobotsTxt: true })
        yield* until(call, `/v1/crawl/${json.id}`, 20)
        return `/v1/crawl/${json.id}`
      })
    )
    const stopped = there.requests.length
    yield* Effect.sleep("100 millis")
    expect(there.requests.length).toBe(stopped)
    const { last, data } = yield* drain(caller((yield* engine({ dataDir })).baseUrl, keys.first), path)
    expect(last).toMatchObject({ status: "completed", total: pages, completed: pages })
    expect(new Set(data.map(({ metadata }) => metadata.sourceURL)).size).toBe(data.length)
    expect(data[0].metadata).not.toHaveProperty("url")
  })

  it.scopedLive("is shared by two processes on one folder, and no page is fetched twice", function* () {
    const there = yield* site(tree)
    const dataDir = yield* tempDir
    const one = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const two = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const { json } = yield* one.post("/v2/crawl", { url: there.url, sitemap: "skip", ignoreRobotsTxt: true })
    const { last, data } = yield* drain(two, `/v2/crawl/${json.id}`)
    expect(last).toMatchObject({ status: "completed", total: pages, completed: pages, creditsUsed: pages })
    expect(data).toHaveLength(pages)
    expect(there.requests).toHaveLength(pages)
  })
})
