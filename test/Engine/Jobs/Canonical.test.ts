/** With `respectCanonical`, one page is kept of two that are the same, also if the canonical address redirects to the other one. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import type { Page } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "./Stage.ts"

const start = "http://a.example/"
const [plain, english, other] = [`${start}p`, `${start}en/p`, `${start}other`]

const pageOf = (url: string, canonical?: string, links: ReadonlyArray<string> = []): Page => ({
  ...Stage.pageOf(url),
  links,
  directives: { canonical, nofollowLinks: [], next: [] }
})

/** Both addresses show the same page: `/p` redirects to `/en/p`, whose canonical address is `/p`. */
const answers: Record<string, Page> = {
  [plain]: pageOf(english, plain),
  [english]: pageOf(english, plain),
  [other]: pageOf(other, english)
}

/** Number of results of a crawl of the links, without the start. */
const results = (links: ReadonlyArray<string>, wait: (url: string, sql: Sql) => Effect.Effect<unknown>, workers = 8) =>
  Effect.gen(function* () {
    const sql = yield* Deferred.make<Sql>()
    const scrape = (url: string) =>
      Effect.as(
        Effect.flatMap(Deferred.await(sql), (store) => wait(url, store)),
        answers[url] ?? pageOf(url, undefined, links)
      )
    return yield* Effect.gen(function* () {
      yield* Deferred.succeed(sql, yield* Sql)
      const { find, start } = yield* Jobs
      const { id } = yield* start(Stage.crawl({ sitemap: "skip", respectCanonical: true }))
      const job = yield* Effect.repeat(Effect.delay(find("t", "crawl", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
      return job.completed - 1
    }).pipe(Effect.provide(Stage.layers(scrape, { workers, perHost: workers })))
  })

/** Waits until the visit of a page has been stored. */
const stored = (url: string, sql: Sql) =>
  Effect.repeat(Effect.delay(sql`SELECT 1 FROM job_pages WHERE url = ${url} AND state = 2`, "2 millis"), {
    until: (rows) => rows.length > 0
  })

describe("a canonical address that redirects to the page that names it", () => {
  it.scopedLive.each([
    { name: "alone", links: [english] },
    { name: "behind it", links: [english, plain] },
    { name: "before it", links: [plain, english] }
  ])("is kept once if it is found $name", function* ({ links }) {
    expect(yield* results(links, () => Effect.void)).toBe(1)
    expect(yield* results(links, () => Effect.void, 1)).toBe(1)
  })

  it.scopedLive.each([
    { name: "first", first: plain, second: english },
    { name: "last", first: english, second: plain }
  ])("is kept once if it is visited together with it and stored $name", function* ({ first, second }) {
    const wait = (url: string, sql: Sql) => (url === second ? stored(first, sql) : Effect.void)
    expect(yield* results([second, first], wait)).toBe(1)
  })

  it.scopedLive("is kept once if both are visited and stored together", function* () {
    const isAsked = yield* Deferred.make<void>()
    const wait = (url: string) =>
      url === plain ? Deferred.succeed(isAsked, undefined) : url === english ? Deferred.await(isAsked) : Effect.void
    expect(yield* results([english, plain], wait)).toBe(1)
  })

  it.scopedLive("gives way to the page if a third one names that page", function* () {
    expect(yield* results([other, english, plain], () => Effect.void, 1)).toBe(1)
  })
})
