/** The engine's jobs without a server, over a web that is made up. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import { Robots } from "../../../src/Engine/Fetch/Robots.ts"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import type { Start } from "../../../src/Engine/Jobs/JobStart.ts"
import * as Jobs from "../../../src/Engine/Jobs/Jobs.ts"
import { Results } from "../../../src/Engine/Jobs/Results.ts"
import * as WorkerPool from "../../../src/Engine/Jobs/WorkerPool.ts"
import type { Page } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import { Scraper, type Service } from "../../../src/Engine/Scrape/Scraper.ts"
import { Sitemap } from "../../../src/Engine/Scrape/Sitemap.ts"
import * as SearchIndex from "../../../src/Engine/Search/SearchIndex.ts"
import * as Storage from "../../../src/Engine/Store/Storage.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { tempDir } from "../../Local.ts"
import { alone, scraperOf } from "../Alone.ts"

/** A batch of a team over some addresses. */
export const batch = (team: string, urls: ReadonlyArray<string>, more: Partial<Start> = {}): Start => ({
  team: { id: team, keyId: "k" },
  kind: "batch",
  version: 2,
  url: urls[0] ?? "",
  spec: { options: settle(ScrapeOptions.fields, {}) },
  pages: urls.map((href) => ({ address: { url: new URL(href), href, key: href }, depth: 0 })),
  seeded: true,
  limit: urls.length,
  invalidURLs: [],
  ...more
})

/** A crawl from `http://a.example/`. */
export const crawl = (params: Partial<typeof CrawlParams.CrawlParams.Type> = {}, more: Partial<Start> = {}): Start => {
  const url = "http://a.example/"
  return {
    ...batch("t", [url]),
    kind: "crawl",
    spec: { options: settle(ScrapeOptions.fields, {}), params: settle(CrawlParams.fields, params) },
    pages: params.sitemap === "only" ? [] : [{ address: { url: new URL(url), href: url, key: "a.example" }, depth: 0 }],
    seeded: params.sitemap === "skip",
    limit: 100,
    ...more
  }
}

export const pageOf = (url: string, markdown = url): Page => ({
  document: { markdown, metadata: { sourceURL: url, statusCode: 200 } },
  url,
  statusCode: 200,
  links: []
})

/** Every address answers as `scrape` says; robots.txt is empty, and so are sitemaps, unless `sitemap` gives their addresses. */
export const layers = (
  scrape: ((url: string) => Effect.Effect<Page>) | { readonly open: Service["open"] },
  pool: WorkerPool.WorkerPoolOptions = { workers: 8, perHost: 8 },
  limits = Storage.defaults,
  sitemap: Effect.Effect<ReadonlyArray<string>> = Effect.succeed([])
) =>
  Layer.unwrapScoped(
    Effect.map(tempDir, (folder) =>
      WorkerPool.layer(pool).pipe(
        Layer.provideMerge(Layer.mergeAll(Jobs.layer(Duration.hours(1)), Frontier.Default, Results.Default)),
        Layer.provideMerge(
          Layer.mergeAll(
            Usage.layer,
            SearchIndex.layer,
            ChangeSignal.Default,
            Layer.succeed(
              Scraper,
              typeof scrape === "function"
                ? scraperOf(({ url }) => scrape(url))
                : { ...scraperOf(() => Effect.never), ...scrape }
            ),
            Layer.succeed(Robots, { load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [] }) }),
            Layer.succeed(Sitemap, { urls: () => Effect.map(sitemap, (urls) => ({ urls, isWhole: true })) })
          )
        ),
        Layer.provideMerge(Store.layer(folder)),
        Layer.provide([alone, Layer.succeed(Storage.StorageLimits, limits), NodeContext.layer])
      )
    )
  )
