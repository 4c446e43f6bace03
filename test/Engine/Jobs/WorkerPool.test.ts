/** A page that the store cannot keep for a reason of ours costs that page, and no other page or job. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import { Robots } from "../../../src/Engine/Fetch/Robots.ts"
import { ChangeSignal, work } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import * as Janitor from "../../../src/Engine/Jobs/Janitor.ts"
import type { JobRow } from "../../../src/Engine/Jobs/JobRecord.ts"
import type { Start } from "../../../src/Engine/Jobs/JobStart.ts"
import * as Jobs from "../../../src/Engine/Jobs/Jobs.ts"
import * as WorkerPool from "../../../src/Engine/Jobs/WorkerPool.ts"
import type { Page } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import { Scraper } from "../../../src/Engine/Scrape/Scraper.ts"
import { Sitemap } from "../../../src/Engine/Scrape/Sitemap.ts"
import { makeEntry } from "../../../src/Engine/Search/Entry.ts"
import * as SearchIndex from "../../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone, scraperOf } from "../Alone.ts"

const options = settle(ScrapeOptions.fields, {})

const job = (name: string): Start => ({
  team: { id: "t", keyId: "k" },
  kind: "batch",
  version: 2,
  url: `http://${name}.example/`,
  spec: { options },
  pages: ["1", "2"].map((page) => {
    const href = `http://${name}.example/${page}`
    return { address: { url: new URL(href), href, key: href }, depth: 0 }
  }),
  seeded: true,
  limit: 2,
  invalidURLs: []
})

/** The second page of the first site has text whose processing throws. */
const scraper = Layer.succeed(
  Scraper,
  scraperOf(({ url }) => {
    const text = url === "http://a.example/2" ? { toString: () => url } : url
    const page: Page = {
      document: { markdown: url },
      url,
      statusCode: 200,
      links: [],
      indexed: { ...makeEntry({ title: "", description: "", text: "" }), text: text as string }
    }
    return Effect.succeed(page)
  })
)

/** An index that does what none may: it dies. */
const index = Layer.succeed(SearchIndex.SearchIndex, {
  add: (pages) =>
    Effect.sync(() => {
      for (const { text } of pages) text.trim()
    }),
  search: () => Effect.succeed({ data: {} })
})

/** Every page links to the next. */
const chain = Layer.succeed(
  Scraper,
  scraperOf(({ url }) => {
    const [, host, page] = /^(.*\/)(\d+)$/.exec(url) ?? []
    return Effect.succeed({ document: { markdown: url }, url, statusCode: 200, links: [`${host}${Number(page) + 1}`] })
  })
)

const outside = Layer.mergeAll(
  Layer.succeed(Robots, { load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [] }) }),
  Layer.succeed(Sitemap, { urls: () => Effect.succeed({ urls: [], isWhole: true }) })
)

const layersOf = (site: Layer.Layer<Scraper>, seen: (jobId: string) => void = () => {}, workers = 8) =>
  Layer.unwrapScoped(
    Effect.map(tempDir, (folder) =>
      WorkerPool.layer({ workers, perHost: workers }).pipe(
        Layer.provideMerge(
          Layer.effect(
            Frontier,
            Effect.map(Frontier, (frontier) =>
              Frontier.make({
                ...frontier,
                keys: (jobId, most) =>
                  Effect.zipRight(
                    Effect.sync(() => seen(jobId)),
                    frontier.keys(jobId, most)
                  )
              })
            )
          )
        ),
        Layer.provideMerge(Layer.mergeAll(Jobs.layer(Duration.hours(1)), Frontier.Default)),
        Layer.provideMerge(Layer.mergeAll(Usage.layer, index, ChangeSignal.Default, outside, site)),
        Layer.provideMerge(Store.layer(folder)),
        Layer.provide([alone, NodeContext.layer])
      )
    )
  )

describe("the worker pool", () => {
  it.scopedLive("stores every page except the one that causes a defect, and every job ends", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs.Jobs
      yield* jobs.start(job("a"))
      yield* jobs.start(job("b"))
      const rows = sql<JobRow>`SELECT * FROM jobs ORDER BY url`
      const ended = yield* Effect.repeat(Effect.delay(rows, "20 millis"), {
        until: (found) => found.every(({ status }) => status !== "scraping")
      })
      expect(ended.map(({ status, completed, results }) => [status, completed, results])).toEqual([
        ["completed", 1, 2],
        ["completed", 2, 2]
      ])
      const errors = yield* sql`SELECT url, code FROM job_errors`
      expect(errors).toEqual([{ url: "http://a.example/2", code: "UNKNOWN_ERROR" }])
    }).pipe(Effect.provide(layersOf(scraper)), Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.scopedLive("joins a crawl once, also if it looks for jobs while pages are committed", () => {
    const taken: Array<string> = []
    return Effect.gen(function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs.Jobs
      const changes = yield* ChangeSignal
      const start = job("c")
      const params = settle(CrawlParams.fields, { crawlEntireDomain: true })
      yield* jobs.start({
        ...start,
        kind: "crawl",
        url: "http://c.example/1",
        pages: start.pages.slice(0, 1),
        spec: { options, params },
        limit: 20
      })
      const [ended] = yield* Effect.repeat(
        Effect.delay(Effect.zipRight(changes.notify(work), sql<JobRow>`SELECT * FROM jobs`), "3 millis"),
        { until: (found) => found.every(({ status }) => status !== "scraping") }
      )
      expect([ended?.status, ended?.completed]).toEqual(["completed", 20])
      expect(taken).toHaveLength(1)
    }).pipe(Effect.provide(layersOf(chain, (jobId) => taken.push(jobId))))
  })

  it.scopedLive("pauses the host that asked for it behind a redirect, not the one that led there", function* () {
    const asked: Array<string> = []
    const second = yield* Deferred.make<void>()
    const site = Layer.succeed(
      Scraper,
      scraperOf(({ url }) =>
        Effect.gen(function* () {
          asked.push(url)
          if (asked.length === 2) yield* Deferred.succeed(second, undefined)
          const page = { document: { markdown: url }, url, statusCode: 200, links: [] }
          return url === "http://a.example/1"
            ? { ...page, url: "http://b.example/", statusCode: 503, retryAfter: 60_000 }
            : page
        })
      )
    )
    const work = Effect.gen(function* () {
      const pages = [...job("a").pages, ...job("b").pages]
      yield* (yield* Jobs.Jobs).start({ ...job("a"), pages, limit: pages.length })
      yield* Deferred.await(second)
    })
    yield* Effect.provide(work, layersOf(site, undefined, 1))
    expect(asked).toEqual(["http://a.example/1", "http://a.example/2"])
  })

  it.scopedLive("releases all workers of jobs that are deleted while their pages end slowly", function* () {
    const cleaned = yield* Deferred.make<void>()
    let [begun, together] = [0, 0]
    const allTogether = yield* Deferred.make<void>()
    const page = (url: string) => ({ document: { markdown: url }, url, statusCode: 200, links: [] })
    const site = Layer.succeed(
      Scraper,
      scraperOf(({ url }) =>
        Effect.gen(function* () {
          begun += 1
          if (!url.startsWith("http://last.")) {
            return yield* Effect.onInterrupt(Effect.never, () => Deferred.await(cleaned))
          }
          together += 1
          if (together === 4) yield* Deferred.succeed(allTogether, undefined)
          yield* Deferred.await(allTogether)
          return page(url)
        })
      )
    )
    const start = (name: string, pages: number): Start => ({
      ...job(name),
      pages: Array.from({ length: pages }, (_, n) => {
        const href = `http://${name}.example/${n}`
        return { address: { url: new URL(href), href, key: href }, depth: 0 }
      }),
      limit: pages
    })
    const work = Effect.gen(function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs.Jobs
      const until = (isSo: () => boolean) =>
        Effect.repeat(Effect.delay(Effect.sync(isSo), "5 millis"), { until: (so) => so })
      for (const round of [1, 2, 3]) {
        const { id } = yield* jobs.start(start(`round${round}`, 1))
        yield* until(() => begun === round)
        yield* jobs.remove("t", "batch", id)
        yield* Janitor.sweep(Duration.hours(1))
        expect(yield* sql`SELECT id FROM job_pages`).toEqual([])
      }
      yield* Deferred.succeed(cleaned, undefined)
      yield* jobs.start(start("last", 4))
      yield* Deferred.await(allTogether)
    })
    yield* Effect.provide(work, layersOf(site, undefined, 4))
  })
})
