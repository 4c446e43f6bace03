/** The page cache as a source: which requests it answers, and which pages it stores. */

import { readdirSync, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import * as HostTrust from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import type { ScrapeTarget } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { type Answer, fetchLayer, options, pages } from "../Scrape/Site.ts"

const layerIn = (folder: string, bytes?: number) =>
  ScraperFile.layer.pipe(
    Layer.provide([PageCache.layer(folder, bytes), HostTrust.layer]),
    Layer.provide(Store.layer(folder)),
    Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
    Layer.provide(alone)
  )

const layer = Layer.unwrapScoped(Effect.map(tempDir, (folder) => layerIn(folder)))

const scrape = (url: string, given: ScrapeOptions = {}, more: Partial<ScrapeTarget> = {}) =>
  Effect.flatMap(ScraperFile.Scraper, (scraper) =>
    scraper.scrape({ url, options: options(given), teamId: "team", ...more })
  )

const markdown = (url: string, given: ScrapeOptions = {}, more: Partial<ScrapeTarget> = {}) =>
  Effect.map(scrape(url, given, more), ({ document }) => document.markdown)

/** A page that changes with every request. */
const counter = (headers: Record<string, string> = {}, status = 200): Answer => {
  let times = 0
  return (_, response) => {
    times += 1
    response.writeHead(status, { "content-type": "text/html", ...headers })
    const body = `<title>Visit</title><h1>Visit ${times}</h1><p>${"Herons wait by the water. ".repeat(60)}</p>`
    response.end(headers["content-encoding"] === "gzip" ? gzipSync(body) : body)
  }
}

const longPage = `<title>Long</title>${Array.from({ length: 500 }, (_, at) => `<p>Heron ${at} stands in the reeds, ${at * 7919} steps from the <a href="/${at}">water</a>.`).join("\n")}`
/** Compresses to less than a hundredth. */
const samePage = `<title>Same</title>${"<p>Herons wait by the water.</p>".repeat(30_000)}`

const site = Effect.map(
  Effect.suspend(() =>
    pages({
      "/": counter(),
      "/packed": counter({ "content-encoding": "gzip" }),
      "/long": longPage,
      "/same": samePage,
      "/moved": (_, response) => void response.writeHead(302, { location: "/#there" }).end(),
      "/broken": counter({}, 500),
      // Some sites answer 304 without having been asked.
      "/empty": (_, response) => void response.writeHead(304).end()
    })
  ),
  (origin) => origin
)

const visit = (text: string | null | undefined) => /Visit (\d+)/.exec(text ?? "")?.[1]

describe("cached pages", () => {
  it.scoped("are not returned once their site has answered 404 or 410", layer, function* () {
    for (const gone of [404, 410]) {
      let status = 200
      const origin = yield* pages({
        "/": (_, response) => void response.writeHead(status, { "content-type": "text/html" }).end("<p>Herons wait.")
      })
      const statusOf = (given: ScrapeOptions) =>
        Effect.map(scrape(origin, given), ({ document }) => document.metadata?.statusCode)
      expect(yield* statusOf({})).toBe(200)
      status = gone
      expect(yield* statusOf({ maxAge: 60_000 })).toBe(200)
      expect([yield* statusOf({}), yield* statusOf({ maxAge: 60_000 })]).toEqual([gone, gone])
    }
  })

  it.scoped("are returned while they are younger than maxAge, with the time of their fetch", layer, function* () {
    const url = `${yield* site}/`
    yield* TestClock.adjust("1 hour")
    const first = yield* scrape(url, { maxAge: 60_000 })
    expect(first.document.metadata).toMatchObject({ cacheState: "miss" })
    expect(first.document.metadata).not.toHaveProperty("cachedAt")
    yield* TestClock.adjust("59 seconds")
    const second = yield* scrape(url, { maxAge: 60_000, formats: ["html", "links"] })
    expect(visit(second.document.html)).toBe("1")
    expect(second.document.links).toEqual([])
    expect(second.document.metadata).toMatchObject({
      cacheState: "hit",
      cachedAt: "1970-01-01T01:00:00.000Z",
      sourceURL: url,
      statusCode: 200,
      contentType: "text/html",
      title: "Visit"
    })
    yield* TestClock.adjust("2 seconds")
    expect(visit(yield* markdown(url, { maxAge: 60_000 }))).toBe("2")
  })

  it.scoped("are not used without maxAge, and the metadata then has no cache fields", layer, function* () {
    const url = `${yield* site}/`
    for (const [given, time] of [
      [{}, "1"],
      [{ maxAge: 0 }, "2"]
    ] as const) {
      const { document } = yield* scrape(url, given)
      expect(visit(document.markdown)).toBe(time)
      expect(document.metadata).not.toHaveProperty("cacheState")
    }
  })

  it.scoped.skipIf(skipsLong)(
    "take less room than their sites have sent, and equal a fetch, however well they compress",
    function* () {
      const folder = yield* tempDir
      const origin = yield* site
      yield* Effect.gen(function* () {
        for (const [path, page] of [
          ["/long", longPage],
          ["/same", samePage]
        ] as const) {
          yield* scrape(`${origin}${path}`, { formats: ["rawHtml"] })
          const { document } = yield* scrape(`${origin}${path}`, { formats: ["rawHtml"], maxAge: 1000 })
          expect(document.metadata).toMatchObject({ cacheState: "hit" })
          expect(document.rawHtml).toBe(page)
        }
      }).pipe(Effect.provide(layerIn(folder)))
      const stored = readdirSync(`${folder}/copies`).map((name) => readFileSync(`${folder}/copies/${name}`))
      expect(stored.some((bytes) => bytes.includes("Heron 400 stands in the reeds"))).toBe(false)
    }
  )

  it.scoped("of compressed and of redirected pages equal a fetch", layer, function* () {
    const origin = yield* site
    const fetched = yield* scrape(`${origin}/packed`, { formats: ["rawHtml"] })
    const copied = yield* scrape(`${origin}/packed`, { formats: ["rawHtml"], maxAge: 1000 })
    expect(copied.document.rawHtml).toBe(fetched.document.rawHtml)
    expect(copied.document.metadata).toMatchObject({ cacheState: "hit" })
    const moved = yield* scrape(`${origin}/moved`)
    const again = yield* scrape(`${origin}/moved`, { maxAge: 1000 })
    expect(again.document.metadata).toMatchObject({ cacheState: "hit", url: `${origin}/#there` })
    expect([again.url, again.links, again.statusCode]).toEqual([moved.url, moved.links, moved.statusCode])
  })

  it.scoped("survive a restart", function* () {
    const folder = yield* tempDir
    const origin = yield* site
    for (const path of ["/", "/packed"]) {
      const url = origin + path
      expect(visit(yield* Effect.provide(markdown(url), layerIn(folder)))).toBe("1")
      expect(visit(yield* Effect.provide(markdown(url, { maxAge: 1000 }), layerIn(folder)))).toBe("1")
      expect(visit(yield* Effect.provide(markdown(url, { maxAge: 1000 }), layerIn(folder, 0)))).toBe("2")
    }
  })

  it.scoped("are separate by team and by every option that changes the response", layer, function* () {
    const url = `${yield* site}/`
    expect(visit(yield* markdown(url, { headers: { "Accept-Language": "de" } }))).toBe("1")
    const hit = (given: ScrapeOptions, more?: Partial<ScrapeTarget>) =>
      Effect.map(Effect.either(scrape(url, { lockdown: true, ...given }, more)), (answer) => answer._tag === "Right")
    const german = { headers: { "accept-language": "de" } }
    expect(yield* hit(german)).toBe(true)
    expect(yield* hit({ ...german, onlyMainContent: false, timeout: 5000, proxy: "auto" })).toBe(true)
    expect(yield* hit(german, { url: `${url}#herons` })).toBe(true)
    expect(yield* hit(german, { url: `${url}#/herons` })).toBe(false)
    expect(yield* hit(german, { url: `${url}?herons` })).toBe(false)
    expect(yield* hit({})).toBe(false)
    expect(yield* hit({ headers: { "accept-language": "fr" } })).toBe(false)
    expect(yield* hit({ ...german, skipTlsVerification: true })).toBe(false)
    expect(yield* hit(german, { teamId: "others" })).toBe(false)
    expect(yield* hit(german, { userAgent: "Heron" })).toBe(false)
    expect(yield* hit(german, { headersFor: "http://elsewhere.test/" })).toBe(false)
  })

  it.scoped("are not stored with zero data retention, for errors, and with credentials", layer, function* () {
    const origin = yield* site
    const known = (path: string, given: ScrapeOptions = {}) =>
      Effect.map(Effect.either(scrape(origin + path, { ...given, lockdown: true })), ({ _tag }) => _tag === "Right")
    yield* scrape(`${origin}/`, { storeInCache: false })
    yield* scrape(`${origin}/`, { zeroDataRetention: true })
    expect(yield* known("/")).toBe(false)
    for (const path of ["/broken", "/empty"]) {
      yield* scrape(origin + path)
      expect(yield* known(path), path).toBe(false)
    }
    for (const name of ["Authorization", "Cookie", "X-Api-Key", "X-Key", "X-Signature"]) {
      const given = { headers: { [name]: "mine" } }
      yield* scrape(`${origin}/`, given)
      expect(yield* known("/", given), name).toBe(false)
      expect(yield* known("/"), name).toBe(false)
    }
  })

  it.scoped("are returned for a request with zero data retention", layer, function* () {
    const url = `${yield* site}/`
    yield* scrape(url)
    expect(visit(yield* markdown(url, { maxAge: 1000, zeroDataRetention: true }))).toBe("1")
    expect(visit(yield* markdown(url, { maxAge: 1000, storeInCache: false }))).toBe("1")
  })

  it.scoped(
    "are all that lockdown reads: without one it answers 404, and the site gets no request",
    layer,
    function* () {
      const asked: Array<string> = []
      const origin = yield* pages({
        "/": (request, response) => {
          asked.push(request.url ?? "")
          response.writeHead(200, { "content-type": "text/html" }).end("<p>Herons</p>")
        }
      })
      const failure = yield* Effect.flip(scrape(`${origin}/`, { lockdown: true }))
      expect(failure).toMatchObject({ _tag: "NotFound", code: "SCRAPE_LOCKDOWN_CACHE_MISS" })
      expect(failure.message).toContain(origin)
      expect(asked).toEqual([])
      yield* scrape(`${origin}/`)
      yield* TestClock.adjust("5 hours")
      const page = yield* scrape(`${origin}/`, { lockdown: true })
      expect(page.document).toMatchObject({ markdown: "Herons", metadata: { cacheState: "hit" } })
      expect(page.indexed).toBeUndefined()
      expect((yield* Effect.flip(scrape(`${origin}/`, { lockdown: true, maxAge: 1000 })))._tag).toBe("NotFound")
      expect(asked).toEqual(["/"])
    }
  )

  it.scoped("are all that minAge reads, if they are old enough", layer, function* () {
    const url = `${yield* site}/`
    const none = yield* Effect.flip(scrape(url, { minAge: 0 }))
    expect(none).toMatchObject({ _tag: "NotFound", code: "SCRAPE_NO_CACHED_DATA" })
    yield* scrape(url)
    expect(visit(yield* markdown(url, { minAge: 0 }))).toBe("1")
    expect((yield* Effect.flip(scrape(url, { minAge: 60_000 })))._tag).toBe("NotFound")
    yield* TestClock.adjust("1 minute")
    expect(visit(yield* markdown(url, { minAge: 60_000 }))).toBe("1")
    expect(visit(yield* markdown(url, { minAge: 60_000, maxAge: 60_000 }))).toBe("1")
    const senseless = yield* Effect.flip(scrape(url, { minAge: 60_000, maxAge: 1000 }))
    expect(senseless).toMatchObject({ _tag: "BadRequest", details: [{ path: ["maxAge"] }] })
    expect((yield* Effect.flip(scrape(url, { lockdown: true, maxAge: 0 })))._tag).toBe("BadRequest")
  })
})
