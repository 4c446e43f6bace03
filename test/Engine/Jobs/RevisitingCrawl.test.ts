/** Crawls that may leave pages out: which of them visit all pages, and what they know of the sitemap. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import type { Document } from "../../../src/Api/Document.ts"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import { Robots } from "../../../src/Engine/Fetch/Robots.ts"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import { readSpec } from "../../../src/Engine/Jobs/JobRecord.ts"
import type { Start } from "../../../src/Engine/Jobs/JobStart.ts"
import * as Jobs from "../../../src/Engine/Jobs/Jobs.ts"
import { Results } from "../../../src/Engine/Jobs/Results.ts"
import * as WorkerPool from "../../../src/Engine/Jobs/WorkerPool.ts"
import { packNow } from "../../../src/Engine/PageCache/Packing.ts"
import type { ListedAge } from "../../../src/Engine/Scrape/Recrawl/Revisit.ts"
import { PageLookup, Scraper } from "../../../src/Engine/Scrape/Scraper.ts"
import { Sitemap } from "../../../src/Engine/Scrape/Sitemap.ts"
import * as SearchIndex from "../../../src/Engine/Search/SearchIndex.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone, scraperOf } from "../Alone.ts"
import { pageOf } from "./Stage.ts"

const start = "http://herons.example/"

/** Long enough to be stored compressed. */
const markdownOf = (url: string): string => `Stored ${url} `.repeat(200)

const crawl = (params: Partial<typeof CrawlParams.CrawlParams.Type> = {}, scrape: ScrapeOptions.ScrapeOptions = {}) =>
  ({
    team: { id: "t", keyId: "k" },
    kind: "crawl",
    version: 2,
    url: start,
    spec: { options: settle(ScrapeOptions.fields, scrape), params: settle(CrawlParams.fields, params) },
    revisit: { atLeast: 1000, atMost: 10, fullEvery: 3 },
    pages: [{ address: { url: new URL(start), href: start, key: "herons.example" }, depth: 0 }],
    seeded: params.sitemap === "skip",
    limit: 10,
    invalidURLs: []
  }) satisfies Start

const jobs = (folder: string) =>
  Layer.mergeAll(Jobs.layer(Duration.hours(1)), Frontier.Default, Results.Default).pipe(
    Layer.provideMerge(Layer.mergeAll(Usage.layer, SearchIndex.layer, ChangeSignal.Default)),
    Layer.provideMerge(Store.layer(folder)),
    Layer.provide(NodeContext.layer),
    Layer.provideMerge(alone)
  )

describe("a crawl that may leave pages out", () => {
  it.scopedLive(
    "visits all pages every third time; crawls with other options are counted apart, whatever their limit",
    function* () {
      const begin = Effect.fnUntraced(function* (request: Start) {
        const sql = yield* Sql
        const { id } = yield* (yield* Jobs.Jobs).start(request)
        const [row] = yield* sql<{ spec: string }>`SELECT spec FROM jobs WHERE id = ${id}`
        return row === undefined ? undefined : readSpec(row).revisit
      })
      yield* Effect.gen(function* () {
        const audits: Array<boolean | undefined> = []
        for (const limit of [10, 10, 5, 10]) {
          audits.push((yield* begin(crawl({ limit })))?.isAudit)
          yield* begin(crawl({ limit }, { mobile: true }))
          yield* begin(crawl({ includePaths: ["^/a"] }))
        }
        expect(audits).toEqual([false, false, true, false])
        expect(yield* begin(crawl({ includePaths: ["^/b"] }))).toEqual({ ceiling: 1000, floor: 10, isAudit: false })
        expect(yield* begin({ ...crawl(), revisit: undefined })).toBeUndefined()
      }).pipe(Effect.provide(jobs(yield* tempDir)))
    }
  )

  it.scopedLive("follows the links of pages that need no visit, and asks robots.txt about them", function* () {
    const store = yield* Layer.build(jobs(yield* tempDir))
    const visited: Array<readonly [url: string, draw: boolean]> = []
    const stored = new Map<string, ReadonlyArray<string>>([
      [start, ["a", "b", "closed"]],
      [`${start}a`, ["c"]],
      [`${start}closed`, []],
      ...Array.from({ length: 100 }, (_, at) => [`${start}c/${at}`, []] as const)
    ])
    const pool = WorkerPool.layer({ workers: 8, perHost: 8 }).pipe(
      Layer.provide(
        Layer.mergeAll(
          Layer.succeed(Robots, {
            load: () => Effect.succeed({ isAllowed: (url) => !url.endsWith("closed"), sitemaps: [] })
          }),
          Layer.succeed(Sitemap, { urls: () => Effect.succeed({ urls: [], ages: new Map(), isWhole: true }) }),
          Layer.succeed(PageLookup, (targets) =>
            Effect.succeed(
              targets.map(({ url }) => {
                const links = stored.get(url)
                const content = packNow(Buffer.from(JSON.stringify({ markdown: markdownOf(url) })))
                return links === undefined
                  ? {}
                  : {
                      page: {
                        ...pageOf(url),
                        document: { metadata: { sourceURL: url } },
                        content,
                        links: links.map((link) => `${start}${link}`),
                        unchanged: "sitemap" as const,
                        isUnsent: true
                      }
                    }
              })
            )
          ),
          Layer.succeed(
            Scraper,
            scraperOf(({ revisit, url }) =>
              Effect.sync(() => {
                visited.push([url, revisit?.draw !== undefined])
                const links = url.endsWith("/c") ? Array.from({ length: 100 }, (_, at) => `${url}/${at}`) : []
                return { ...pageOf(url), links }
              })
            )
          )
        )
      )
    )
    yield* Effect.gen(function* () {
      yield* Layer.build(pool)
      const { find, start: begin } = yield* Jobs.Jobs
      const { id } = yield* begin({ ...crawl(), limit: 1000 })
      const job = find("t", "crawl", id)
      const ended = yield* Effect.repeat(Effect.delay(job, "10 millis"), {
        until: ({ status }) => status === "completed"
      })
      expect([...visited].sort()).toEqual([
        [`${start}b`, true],
        [`${start}c`, true]
      ])
      expect(ended).toMatchObject({ completed: 104, blocked: 1, credits: 2 })
      const { slices } = yield* (yield* Results).page(id, 0, 1000, 2)
      const parts = yield* Effect.forEach(slices, (slice) => slice)
      const documents: ReadonlyArray<Document> = JSON.parse(`[${Buffer.concat(parts)}]`)
      const shown = documents.filter(({ markdown }) => markdown?.startsWith("Stored"))
      expect(shown).toHaveLength(102)
      for (const { markdown, metadata } of shown) expect(markdown).toBe(markdownOf(metadata?.sourceURL ?? ""))
    }).pipe(Effect.provide(store))
  })

  it.scopedLive("reads the sitemap before the first page, and again after a restart", function* () {
    const store = yield* Layer.build(jobs(yield* tempDir))
    const begin = Effect.fnUntraced(function* () {
      const [isRead, isAsked, mayAnswer] = [
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>()
      ]
      const met: Array<readonly [url: string, listed: ListedAge | undefined]> = []
      const age = { lastModified: 5 }
      const pool = WorkerPool.layer({ workers: 8, perHost: 8 }).pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(Robots, { load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [] }) }),
            Layer.succeed(Sitemap, {
              urls: () =>
                Effect.as(Deferred.await(isRead), {
                  // The page is linked without the slash.
                  urls: [`${start}a/`],
                  ages: new Map([[`${start}a/`, age]]),
                  isWhole: true
                })
            }),
            Layer.succeed(
              Scraper,
              scraperOf(({ revisit, url }) =>
                Effect.sync(() => void met.push([url, revisit?.listed])).pipe(
                  Effect.zipRight(Deferred.succeed(isAsked, undefined)),
                  Effect.zipRight(Deferred.await(mayAnswer)),
                  Effect.as({ ...pageOf(url), links: [`${start}a`] })
                )
              )
            )
          )
        )
      )
      const scope = yield* Scope.make()
      yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
      yield* Layer.buildWithScope(pool, scope)
      return { age, isAsked, isRead, mayAnswer, met, stop: Scope.close(scope, Exit.void) }
    })
    yield* Effect.gen(function* () {
      const first = yield* begin()
      const { id } = yield* (yield* Jobs.Jobs).start(crawl())
      yield* Effect.sleep("50 millis")
      expect(first.met).toEqual([])
      yield* Deferred.succeed(first.isRead, undefined)
      yield* Deferred.await(first.isAsked)
      yield* first.stop
      const second = yield* begin()
      yield* Effect.sleep("50 millis")
      expect(second.met).toEqual([])
      yield* Deferred.succeed(second.isRead, undefined)
      yield* Deferred.succeed(second.mayAnswer, undefined)
      const job = (yield* Jobs.Jobs).find("t", "crawl", id)
      yield* Effect.repeat(Effect.delay(job, "10 millis"), { until: ({ status }) => status === "completed" })
      expect(new Map(second.met).get(`${start}a/`)).toEqual(second.age)
      expect(second.met).toHaveLength(2)
    }).pipe(Effect.provide(store))
  })
})
