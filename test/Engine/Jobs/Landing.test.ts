/** The pages of a sitemap belong to a crawl if they are where its start is, or where its start redirects to. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { readSpec } from "../../../src/Engine/Jobs/JobRecord.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import type { Page } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import * as Storage from "../../../src/Engine/Store/Storage.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "./Stage.ts"

const start = "http://a.example/"
const moved = "http://b.example/docs/"
const listed = [`${start}here`, `${moved}one`, `${moved}two`, "http://b.example/blog", "http://c.example/"]

const ended = (id: string) =>
  Effect.flatMap(Jobs, ({ find }) =>
    Effect.repeat(Effect.delay(find("t", "crawl", id), "5 millis"), { until: ({ status }) => status !== "scraping" })
  )

/** Runs the crawl; gives its row and the addresses that it asked for. */
const run = (
  crawl: ReturnType<typeof Stage.crawl>,
  answer: (url: string) => Effect.Effect<Page>,
  sitemap: Effect.Effect<ReadonlyArray<string>> = Effect.succeed(listed)
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const scrape = (url: string) =>
      Effect.zipRight(
        Effect.sync(() => void asked.push(url)),
        answer(url)
      )
    const work = Effect.gen(function* () {
      const { id } = yield* (yield* Jobs).start(crawl)
      return yield* ended(id)
    })
    const job = yield* Effect.provide(work, Stage.layers(scrape, undefined, Storage.defaults, sitemap))
    return { asked: asked.sort(), job }
  })

const redirected = (url: string) => Effect.succeed(Stage.pageOf(url === start ? moved : url))

describe("the pages of a sitemap", () => {
  it.scopedLive("are visited where the start redirects to, and those where it is do not wait for it", function* () {
    const isAsked = yield* Deferred.make<void>()
    const late = (url: string) => {
      if (url === start) return Effect.zipRight(Deferred.await(isAsked), redirected(url))
      return url.endsWith("here")
        ? Effect.zipRight(Deferred.succeed(isAsked, undefined), redirected(url))
        : redirected(url)
    }
    const { asked, job } = yield* run(Stage.crawl(), late)
    expect(asked).toEqual([start, `${start}here`, `${moved}one`, `${moved}two`])
    expect(job).toMatchObject({ status: "completed", completed: 4 })
    expect(readSpec(job).notFollowed).toBeUndefined()
  })

  it.scopedLive(
    "are visited where the start redirects to in a crawl of the sitemap alone, which asks for the start once",
    function* () {
      const answer = (url: string) =>
        Effect.map(redirected(url), (page) => ({ ...page, links: url.endsWith("one") ? [`${moved}three`] : [] }))
      const { asked, job } = yield* run(Stage.crawl({ sitemap: "only" }), answer)
      expect(asked).toEqual([start, `${start}here`, `${moved}one`, `${moved}three`, `${moved}two`])
      expect(job).toMatchObject({ status: "completed", completed: 4, credits: 4 })
      expect(readSpec(job).notFollowed).toEqual({ anotherSite: 1, notBelowStart: 1 })
    }
  )

  it.scopedLive("do not need the start if all of them are there", function* () {
    const { asked } = yield* run(Stage.crawl({ sitemap: "only" }), redirected, Effect.succeed([`${start}here`]))
    expect(asked).toEqual([`${start}here`])
  })

  it.scopedLive.each(["include", "only"] as const)("are those of the start if it fails (%s)", function* (sitemap) {
    const answer = (url: string) =>
      url === start ? Effect.die(new Error("a defect")) : Effect.succeed(Stage.pageOf(url))
    const { asked, job } = yield* run(Stage.crawl({ sitemap }), answer).pipe(
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )
    expect(asked).toEqual([start, `${start}here`])
    expect(job).toMatchObject({ status: "completed", completed: 1 })
  })

  it.scopedLive.each(["include", "only"] as const)(
    "are those of the start if it leads to an error page (%s)",
    function* (sitemap) {
      const answer = (url: string) =>
        Effect.map(redirected(url), (page) => (url === start ? { ...page, statusCode: 404 } : page))
      const { asked, job } = yield* run(Stage.crawl({ sitemap }), answer)
      expect(asked).toEqual([start, `${start}here`])
      expect(readSpec(job).landed).toBeUndefined()
    }
  )

  it.scopedLive("are visited where the start has landed before a restart", function* () {
    const crawl = Stage.crawl()
    // The start is no longer queued, as if its visit was committed before the sitemap was read.
    const { asked } = yield* run({ ...crawl, pages: [], spec: { ...crawl.spec, landed: moved } }, redirected)
    expect(asked).toEqual([`${start}here`, `${moved}one`, `${moved}two`])
  })
})
