/** With `maxDiscoveryDepth`, the depth of a page is the number of links of the shortest path that was found before its visit. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import type { FoundPage } from "../../../src/Engine/Jobs/PageOutcome.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "./Stage.ts"

const start = "http://a.example/"

const found = (path: string, depth: number): FoundPage => {
  const url = new URL(path, start)
  return { address: { url, href: url.href, key: url.href }, depth }
}

const seeds = (...pages: ReadonlyArray<FoundPage>) => ({ found: pages, isWhole: true, notFollowed: {} })

describe("the depth of a page", () => {
  it.scopedLive("is that of the shorter path, also if the longer one was found first", function* () {
    const asked: Array<string> = []
    const [isDeepAsked, isNextAsked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const links: Record<string, ReadonlyArray<string>> = {
      "/": ["fast", "slow"],
      "/fast": ["faster"],
      "/faster": ["deep"],
      "/slow": ["deep", "next"],
      "/deep": ["deeper"]
    }
    const waits: Record<string, Effect.Effect<unknown>> = {
      // Answers once the page is being visited at the depth of the longer path.
      "/slow": Deferred.await(isDeepAsked),
      "/deep": Effect.zipRight(Deferred.succeed(isDeepAsked, undefined), Deferred.await(isNextAsked)),
      "/next": Deferred.succeed(isNextAsked, undefined)
    }
    const scrape = (url: string) => {
      const { pathname } = new URL(url)
      asked.push(pathname)
      const page = { ...Stage.pageOf(url), links: (links[pathname] ?? []).map((path) => start + path) }
      return Effect.as(waits[pathname] ?? Effect.void, page)
    }
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.crawl({ sitemap: "skip", maxDiscoveryDepth: 3 }))
      yield* Effect.repeat(Effect.delay(jobs.find("t", "crawl", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
    }).pipe(Effect.provide(Stage.layers(scrape)))
    expect(asked.sort()).toEqual(["/", "/deep", "/deeper", "/fast", "/faster", "/next", "/slow"])
  })

  it.scopedLive.each([
    { name: "until the page has been visited", params: { maxDiscoveryDepth: 9 }, depths: [1, 5, 5] },
    { name: "only with maxDiscoveryDepth", params: {}, depths: [4, 5, 5] }
  ])(
    "becomes smaller in the queue $name",
    Stage.layers(() => Effect.never),
    function* ({ depths, params }) {
      const sql = yield* Sql
      const frontier = yield* Frontier
      // Its start is visited for as long as the test lasts, so that nothing else is leased.
      const { id } = yield* (yield* Jobs).start({ ...Stage.crawl({ ...params, sitemap: "skip" }), limit: 1 })
      yield* frontier.seed(id, seeds(found("queued", 4), found("visited", 5), found("close", 5)))
      yield* sql`UPDATE job_pages SET state = 2 WHERE url = ${`${start}visited`}`
      yield* frontier.seed(id, seeds(found("queued", 2), found("visited", 1), found("close", 6), found("queued", 1)))
      const known = new Map((yield* frontier.keys(id, 10, true)).map(({ depth, url_key }) => [url_key, depth]))
      expect(["queued", "visited", "close"].map((path) => known.get(start + path))).toEqual(depths)
      const [job] = yield* sql<{ pages: number }>`SELECT queued + active AS pages FROM jobs WHERE id = ${id}`
      expect(job?.pages).toBe(4)
    }
  )

  it.scopedLive("of the pages of a list is that of its first page, although they are links of it, too", function* () {
    const asked: Array<string> = []
    const list = [start, ...[1, 2, 3].map((page) => `${start}list/${page}`)]
    const scrape = (url: string) => {
      asked.push(url)
      const page = list.indexOf(url)
      if (page === -1) return Effect.succeed(Stage.pageOf(url))
      const directives = { canonical: undefined, nofollowLinks: [], next: list.slice(page + 1, page + 2) }
      return Effect.succeed({ ...Stage.pageOf(url), links: [...list, `${start}item/${page}`], directives })
    }
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.crawl({ sitemap: "skip", maxDiscoveryDepth: 1, next: "a.next" }))
      yield* Effect.repeat(Effect.delay(jobs.find("t", "crawl", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
    }).pipe(Effect.provide(Stage.layers(scrape, { workers: 1, perHost: 1 })))
    expect(asked.filter((url) => url.includes("item")).sort()).toEqual([0, 1, 2, 3].map((n) => `${start}item/${n}`))
  })
})
