/** A page that causes a defect is a failed page, and the worker pool continues. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as CrawlParams from "../../../src/Api/CrawlParams.ts"
import { Unprocessable } from "../../../src/Api/Errors.ts"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import type { Task } from "../../../src/Engine/Fetch/FairScheduler.ts"
import { Robots } from "../../../src/Engine/Fetch/Robots.ts"
import { type JobRow, writeSpec } from "../../../src/Engine/Jobs/JobRecord.ts"
import type { Finished } from "../../../src/Engine/Jobs/PageOutcome.ts"
import { land, makeRunning, type RunningJob } from "../../../src/Engine/Jobs/RunningJob.ts"
import * as Visit from "../../../src/Engine/Jobs/Visit.ts"
import type { ScrapeTarget } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import { PageLookup, Scraper, type Service } from "../../../src/Engine/Scrape/Scraper.ts"
import { plainly, seam } from "../../../src/Engine/Teams/Work.ts"
import { describe, expect, it } from "../../It.ts"
import { alone, scraperOf } from "../Alone.ts"

const job: JobRow = {
  id: "job",
  team: "t",
  key_id: "k",
  kind: "batch",
  version: 2,
  url: "http://a.example/",
  spec: writeSpec({ options: settle(ScrapeOptions.fields, {}) }),
  status: "scraping",
  seeded: 1,
  error: null,
  code: null,
  page_limit: 1,
  queued: 0,
  active: 1,
  claimed: 1,
  results: 0,
  completed: 0,
  blocked: 0,
  bytes: 0,
  credits: 0,
  created_at: 0,
  updated_at: 0,
  finished_at: null,
  purged: 0
}

const settled = settle(ScrapeOptions.fields, {})
const pace = { slowDown: () => undefined, pauseOf: () => 0 }
type Visits = Effect.Effect.Success<typeof Visit.make>

const visited = (visit: Visits["visit"], running: RunningJob, task: Task) =>
  plainly<Finished, never>((work) => visit(work, running, task, pace))

const openRobots = { load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [] }) }

describe("a visit", () => {
  it.effect("sends headers to the site of the start in a crawl, and to each page in a batch", function* () {
    const asked: Array<ScrapeTarget> = []
    const { visit } = yield* Visit.make.pipe(
      Effect.provideService(
        Scraper,
        scraperOf((target) =>
          Effect.sync(() => {
            asked.push(target)
            return { document: { metadata: {} }, url: target.url, statusCode: 200, links: [] }
          })
        )
      ),
      Effect.provideService(Robots, openRobots),
      Effect.provide(alone)
    )
    const crawl: JobRow = {
      ...job,
      kind: "crawl",
      spec: writeSpec({ options: settled, params: settle(CrawlParams.fields, { allowExternalLinks: true }) })
    }
    const task = { id: 1, jobId: "job", url: "http://b.example/", depth: 1, queued_at: 0 }
    for (const row of [crawl, job]) yield* visited(visit, makeRunning(row, yield* seam, []), task)
    expect(asked.map(({ headersFor }) => headersFor)).toEqual(["http://a.example/", undefined])
  })

  it.effect(
    "is postponed if the host that a redirect leads to asks for it, and held while that is paused",
    function* () {
      const task = { id: 1, jobId: "job", url: "http://a.example/", depth: 0, queued_at: 0 }
      const there = "http://b.example/"
      const scraper = (open: Service["open"]) =>
        Effect.provideService(Scraper, { ...scraperOf(() => Effect.never), open })
      const answered = yield* Visit.make.pipe(
        scraper(async () => ({ document: {}, url: there, statusCode: 503, links: [], retryAfter: 3_000 })),
        Effect.provideService(Robots, openRobots),
        Effect.provide(alone)
      )
      const running = makeRunning(job, yield* seam, [])
      const asked = yield* visited(answered.visit, running, task)
      expect(asked).toMatchObject({ url: there, postponed: 3_000 })
      expect([asked.isHeld, asked.isUnsent]).toEqual([undefined, undefined])
      const redirected = yield* Visit.make.pipe(
        scraper(async (work, { mayFollow, url }) => {
          const isFollowed =
            (await mayFollow?.(work, `${url}next`)) === true && (await mayFollow?.(work, there)) === true
          if (!isFollowed) throw new Unprocessable({ error: "not followed", code: "SCRAPE_REDIRECT_ERROR" })
          return { document: {}, url: there, statusCode: 200, links: [] }
        }),
        Effect.provideService(Robots, openRobots),
        Effect.provide(alone)
      )
      const visit = (paused: string, more: Partial<Task>) => {
        const pauses = { ...pace, pauseOf: (url: string) => (url.startsWith(paused) ? 2_000 : 0) }
        return Effect.map(
          plainly<Finished, never>((work) => redirected.visit(work, running, { ...task, ...more }, pauses)),
          ({ isHeld, isUnsent, postponed, url }) => ({ isHeld, isUnsent, postponed, url })
        )
      }
      const held = { isHeld: true, isUnsent: undefined, postponed: 2_000, url: there }
      expect(yield* visit(there, {})).toEqual(held)
      expect(yield* visit(there, { postponed: 3 })).toEqual(held)
      // The second time it is known where the page leads, so nothing is sent.
      expect(yield* visit(there, { leadsTo: there })).toEqual({ ...held, isUnsent: true })
      expect(yield* visit("http://c.example/", { leadsTo: there })).toMatchObject({ postponed: undefined, url: there })
    }
  )

  it.effect.each([
    { name: "that robots.txt forbids", rules: { isAllowed: () => false }, cached: false },
    { name: "of a site whose robots.txt cannot be read", rules: { unreadable: "answered 500" }, cached: false },
    { name: "from the cache that excludes itself", rules: {}, cached: true }
  ])("of a page $name is no request", function* ({ cached, rules }) {
    const task = { id: 1, jobId: "job", url: "http://a.example/", depth: 0, queued_at: 0 }
    const { visit } = yield* Visit.make.pipe(
      Effect.provideService(
        Scraper,
        scraperOf(({ url }) =>
          Effect.succeed({
            document: { metadata: {} },
            url,
            statusCode: 200,
            links: [],
            isUnsent: cached,
            directives: { canonical: undefined, nofollowLinks: [], next: [], header: "noindex" }
          })
        )
      ),
      Effect.provideService(Robots, {
        load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [], ...rules })
      }),
      Effect.provide(alone)
    )
    const params = settle(CrawlParams.fields, { respectNoindex: true })
    const row: JobRow = { ...job, kind: "crawl", spec: writeSpec({ options: settled, params }) }
    const finished = yield* visited(visit, makeRunning(row, yield* seam, []), task)
    expect([finished.body === undefined || finished.failure !== undefined, finished.isUnsent]).toEqual([true, true])
  })

  it.effect("that causes a defect is logged with the reason, and reported without it", function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => logged.push(String(message)))
    const { visit } = yield* Visit.make.pipe(
      Effect.provideService(
        Scraper,
        scraperOf(() => Effect.die(new Error("secret inside")))
      ),
      Effect.provideService(Robots, openRobots),
      Effect.provide(alone)
    )
    const task = { id: 1, jobId: "job", url: "http://a.example/", depth: 0, queued_at: 0 }
    const finished = yield* visited(visit, makeRunning(job, yield* seam, []), task).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    expect(finished.failure?.code).toBe("UNKNOWN_ERROR")
    expect(finished.body?.toString()).not.toContain("secret")
    expect(JSON.parse(finished.body?.toString() ?? "")).toMatchObject({ metadata: { sourceURL: task.url } })
    expect(logged.join()).toContain("secret inside")
  })
})

describe("pages that are answered without a visit", () => {
  const row: JobRow = {
    ...job,
    kind: "crawl",
    spec: writeSpec({ options: settled, params: settle(CrawlParams.fields, {}) })
  }
  const taskOf = (url: string) => ({ id: 1, jobId: "job", url, depth: 0, queued_at: 0 })
  const pageOf = (url: string) => ({
    document: { metadata: { sourceURL: url } },
    url,
    statusCode: 200,
    links: [`${url}/link`]
  })
  const unreadable = {
    get title(): string {
      throw new Error("a defect")
    }
  }
  const urls = ["http://a.example/1", "http://a.example/2", "http://a.example/3"]

  it.effect(
    "are answered although another one of their group fails, which is visited and whose links are found then",
    function* () {
      const crawl = makeRunning(row, yield* seam, [])
      const { answerUnvisited, visit } = yield* Visit.make.pipe(
        Effect.provideService(
          Scraper,
          scraperOf(({ url }) => Effect.succeed(pageOf(url)))
        ),
        Effect.provideService(PageLookup, (targets) =>
          Effect.succeed(
            targets.map(({ url }) => ({
              page: url === urls[1] ? { ...pageOf(url), document: { metadata: unreadable } } : pageOf(url)
            }))
          )
        ),
        Effect.provideService(Robots, openRobots),
        Effect.provide(alone)
      )
      const { due, finished } = yield* plainly<Visit.Unvisited, never>((work) =>
        answerUnvisited(work, crawl, urls.map(taskOf), () => undefined)
      )
      expect(due.map(({ url }) => url)).toEqual([urls[1]])
      const again = yield* Effect.forEach(due, (task) => visited(visit, crawl, task))
      expect([...finished, ...again].map(({ found, url }) => [url, found.map(({ address }) => address.href)])).toEqual(
        [urls[0], urls[2], urls[1]].map((url) => [url, [`${url}/link`]])
      )
    }
  )

  it.effect("are judged by the robots.txt of each origin, which are loaded at once", function* () {
    const loading = new Set<string>()
    const both = yield* Deferred.make<void>()
    const crawl = makeRunning(row, yield* seam, [])
    const { answerUnvisited } = yield* Visit.make.pipe(
      Effect.provideService(
        Scraper,
        scraperOf(({ url }) => Effect.succeed(pageOf(url)))
      ),
      Effect.provideService(PageLookup, (targets) => Effect.succeed(targets.map(({ url }) => ({ page: pageOf(url) })))),
      Effect.provideService(Robots, {
        load: (origin) =>
          Effect.suspend(() => {
            expect(loading.has(origin)).toBe(false)
            loading.add(origin)
            return loading.size === 2 ? Deferred.succeed(both, undefined) : Deferred.await(both)
          }).pipe(
            Effect.as({
              crawlDelay: 2,
              isAllowed: (url) => !url.endsWith("closed"),
              sitemaps: [],
              ...(origin.includes("b.") ? { unreadable: "b.example/robots.txt answered 500" } : {})
            })
          )
      }),
      Effect.provide(alone)
    )
    const slowed: Array<readonly [string, number]> = []
    const asked = ["http://a.example/1", "http://b.example/1", "http://a.example/closed"]
    const { due, finished } = yield* plainly<Visit.Unvisited, never>((work) =>
      answerUnvisited(work, crawl, asked.map(taskOf), (url, millis) => {
        slowed.push([url, millis])
      })
    )
    expect(due).toEqual([])
    expect(finished.map(({ blocked, failure }) => failure?.code ?? blocked)).toEqual([false, "ROBOTS_UNREADABLE", true])
    expect(slowed).toContainEqual(["http://a.example", 2000])
    expect(slowed).toContainEqual(["http://b.example", 2000])
  })
})

describe("a crawl that has forgotten the links that it has seen", () => {
  const site = "http://a.example"
  const directives = { canonical: undefined, nofollowLinks: [], next: [] }
  const pages = (page: (url: string) => object) =>
    Visit.make.pipe(
      Effect.provideService(
        Scraper,
        scraperOf(({ url }) =>
          Effect.succeed({ document: { metadata: { sourceURL: url } }, url, statusCode: 200, links: [], ...page(url) })
        )
      ),
      Effect.provideService(PageLookup, () => Effect.succeed([])),
      Effect.provideService(Robots, openRobots),
      Effect.provide(alone)
    )
  const crawlOf = (params: object) =>
    Effect.map(seam, (own) => {
      const spec = writeSpec({ options: settled, params: { ...settle(CrawlParams.fields, {}), ...params } })
      return makeRunning({ ...job, kind: "crawl", spec }, own, [], () => 1_000)
    })
  const found = (visit: Visits["visit"], crawl: RunningJob, url: string) =>
    visited(visit, crawl, { id: 1, jobId: "job", url, depth: 0, queued_at: 0 }).pipe(
      Effect.map((finished) => finished.found.map(({ address }) => address.href))
    )

  it.effect("does not follow a link that another page has called a logout", function* () {
    const links = [`${site}/bye`, `${site}/next`]
    const { visit } = yield* pages((url) => ({
      links,
      directives: { ...directives, logoutLinks: url.endsWith("/1") ? links.slice(0, 1) : [] }
    }))
    const crawl = yield* crawlOf({})
    expect(yield* found(visit, crawl, `${site}/1`)).toEqual(links.slice(1))
    for (let n = 0; n < 1_000; n++) crawl.seenLinks.add(`${site}/page/${n}`)
    expect(crawl.seenLinks.has(links[1] ?? "")).toBe(false)
    expect(yield* found(visit, crawl, `${site}/2`)).toEqual([])
  })

  it.effect("follows links that were left out before the start landed where they are", function* () {
    const links = ["http://b.example/docs/x"]
    const { visit } = yield* pages((url) =>
      url === "http://a.example/" ? { url: "http://b.example/docs/" } : { links }
    )
    const crawl = yield* crawlOf({})
    expect(yield* found(visit, crawl, `${site}/1`)).toEqual([])
    expect(yield* found(visit, crawl, `${site}/`)).toEqual([])
    expect(yield* found(visit, crawl, `${site}/2`)).toEqual(links)
    land(crawl, "http://b.example/docs/")
    expect(crawl.seenLinks.has(links[0] ?? "")).toBe(true)
  })

  it.effect("keeps one of two pages that name each other as canonical", function* () {
    const { visit } = yield* pages((url) => ({
      directives: { ...directives, canonical: url.endsWith("/1") ? `${site}/2` : `${site}/1` }
    }))
    const crawl = yield* crawlOf({ respectCanonical: true })
    expect(yield* found(visit, crawl, `${site}/1`)).toEqual([`${site}/2`])
    for (let n = 0; n < 1_000; n++) crawl.canonicals.add(`${site}/page/${n}`)
    expect(yield* found(visit, crawl, `${site}/2`)).toEqual([])
  })
})
