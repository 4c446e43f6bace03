/** Conditional requests: what is asked of a site, what a 304 gives, and how wrong validators are found out. */
import { createHash } from "node:crypto"
import type { ServerResponse } from "node:http"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type { ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as FairScheduler from "../../../src/Engine/Fetch/FairScheduler.ts"
import * as HostTurns from "../../../src/Engine/Fetch/HostTurns.ts"
import * as Validators from "../../../src/Engine/Fetch/Validators.ts"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import * as HostTrust from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import type { ScrapeTarget } from "../../../src/Engine/Scrape/ScrapedPage.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import type { Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import * as PageMemory from "../../../src/Engine/Teams/PageMemory.ts"
import { plainly } from "../../../src/Engine/Teams/Work.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { until } from "../../Run/Lives.ts"
import { alone, memory } from "../Alone.ts"
import { fetchLayerWith, options, serve } from "../Scrape/Site.ts"

const silent = Logger.remove(Logger.defaultLogger)

const layerIn = (
  folder: string,
  turns: Layer.Layer<HostTurns.HostTurns, never, Teams> = alone,
  pool: Layer.Layer<PageMemory.PageMemory> = memory
) =>
  ScraperFile.layer.pipe(
    Layer.provide(pool),
    Layer.provide([PageCache.layer(folder), HostTrust.layer]),
    Layer.provide(Store.layer(folder)),
    Layer.provide([fetchLayerWith(pool), ParserFile.layer, NodeContext.layer]),
    Layer.provideMerge(turns),
    Layer.provide(alone),
    Layer.provideMerge(silent)
  )

const layer = Layer.unwrapScoped(Effect.map(tempDir, (folder) => layerIn(folder)))

const scrape = (url: string, given: ScrapeOptions = {}, more: Partial<ScrapeTarget> = {}) =>
  Effect.flatMap(ScraperFile.Scraper, (scraper) =>
    scraper.scrape({ url, options: options({ onlyMainContent: false, ...given }), teamId: "team", ...more })
  )

/** No page is checked, or each one is. */
const unchecked = Effect.withRandom(Random.fixed([1]))
const checked = Effect.withRandom(Random.fixed([0]))
const uncheckedLayer = Layer.merge(layer, Layer.setRandom(Random.fixed([1])))
const checkedLayer = Layer.merge(layer, Layer.setRandom(Random.fixed([0])))

interface Site {
  body: string
  headers: Record<string, string | Array<string>>
  /** How the site answers a conditional request; by default as its validators say. */
  isCurrent?: (asked: Asked) => boolean
}

interface Asked {
  readonly path: string
  readonly etag: string | undefined
  readonly since: string | undefined
}

const html = (text: string) => `<title>Herons</title><p>${text}</p><a href="/other">other</a>`

/** `Date` is an hour after the `Last-Modified` of these tests. */
const date = "Mon, 01 Jan 2024 01:00:00 GMT"
const lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"

/** A site of one page at every path, and the requests that it got. */
const siteOf = Effect.fnUntraced(function* (site: Site) {
  const asked: Array<Asked> = []
  const origin = yield* serve((request, response: ServerResponse) => {
    const now = {
      path: request.url ?? "",
      etag: request.headers["if-none-match"],
      since: request.headers["if-modified-since"]
    }
    asked.push(now)
    const isCurrent =
      site.isCurrent?.(now) ??
      (now.etag === undefined
        ? now.since !== undefined && now.since === site.headers["last-modified"]
        : now.etag === site.headers.etag)
    if (now.path === "/moved") response.writeHead(302, { location: "/" }).end()
    else if (isCurrent) response.writeHead(304, { date, ...site.headers }).end()
    else response.writeHead(200, { "content-type": "text/html", date, ...site.headers }).end(site.body)
  })
  return { asked, origin }
})

const unchanged = { metadata: { unchanged: "notModified", statusCode: 200 } }

describe("a page that is stored", () => {
  it.scoped("is asked for with its validators, and a 304 gives the stored page", uncheckedLayer, function* () {
    const { asked, origin } = yield* siteOf({
      body: html("They wait."),
      headers: { etag: '"one"', "last-modified": lastModified }
    })
    const first = yield* scrape(`${origin}/`)
    expect(first.unchanged).toBeUndefined()
    expect(first.document.metadata).not.toHaveProperty("unchanged")
    const second = yield* unchecked(scrape(`${origin}/`, { formats: ["markdown", "links"] }))
    expect(second).toMatchObject({ unchanged: "notModified", statusCode: 200, links: first.links })
    expect(second.document).toMatchObject({ markdown: first.document.markdown, ...unchanged })
    expect(second.document.metadata).not.toHaveProperty("cacheState")
    expect(asked).toEqual([
      { path: "/", etag: undefined, since: undefined },
      { path: "/", etag: '"one"', since: lastModified }
    ])
  })

  it.scoped("is replaced when it has changed", uncheckedLayer, function* () {
    const site: Site = { body: html("One."), headers: { etag: '"one"' } }
    const { asked, origin } = yield* siteOf(site)
    yield* scrape(`${origin}/`)
    Object.assign(site, { body: html("Two."), headers: { etag: '"two"' } })
    const changed = yield* scrape(`${origin}/`)
    expect(changed.document.markdown).toContain("Two.")
    expect(changed.unchanged).toBeUndefined()
    expect((yield* scrape(`${origin}/`)).document).toMatchObject(unchanged)
    expect(asked.map(({ etag }) => etag)).toEqual([undefined, '"one"', '"two"'])
  })

  it.scoped("is confirmed across restarts, and its age begins anew for maxAge", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      const { asked, origin } = yield* siteOf({ body: html("They wait."), headers: { etag: 'W/"one"' } })
      yield* Effect.provide(scrape(`${origin}/`), layerIn(folder))
      yield* TestClock.adjust("20 days")
      const confirmed = yield* Effect.provide(scrape(`${origin}/`, { maxAge: 1000 }), layerIn(folder))
      expect(confirmed.document).toMatchObject({ metadata: { cacheState: "miss", unchanged: "notModified" } })
      yield* TestClock.adjust("20 days")
      const hit = yield* Effect.provide(scrape(`${origin}/`, { maxAge: 30 * 86_400_000 }), layerIn(folder))
      expect(hit.document).toMatchObject({ metadata: { cacheState: "hit", cachedAt: "1970-01-21T00:00:00.000Z" } })
      expect(asked).toHaveLength(2)
    }).pipe(unchecked)
  )

  it.scoped("has the whole timeout for its requests, however long each of them waited for its turn at the host", () =>
    Effect.gen(function* () {
      let held: (() => void) | undefined
      let visits = 0
      const origin = yield* serve((request, response) => {
        const isConditional = request.headers["if-none-match"] !== undefined
        const send = () =>
          isConditional
            ? response.writeHead(403).end()
            : response.writeHead(200, { "content-type": "text/html", etag: '"one"' }).end(html("They wait."))
        if (++visits === 3) held = send
        else send()
      })
      const limits = { perHost: 1, hosts: FairScheduler.makeHosts() }
      yield* Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        yield* scrape(`${origin}/`)
        const { within } = yield* HostTurns.HostTurns
        const other = yield* Effect.fork(
          plainly<void, never>((work) => within(work, origin, "team", () => work.run(Deferred.await(end))))
        )
        yield* Effect.yieldNow()
        const asking = yield* Effect.fork(scrape(`${origin}/`, { timeout: 1000 }))
        yield* TestClock.adjust("2 seconds")
        yield* Deferred.succeed(end, undefined)
        yield* until(() => held !== undefined)
        yield* TestClock.adjust("900 millis")
        held?.()
        expect((yield* Fiber.join(asking)).document.markdown).toContain("They wait.")
        yield* Fiber.join(other)
      }).pipe(Effect.provide(layerIn(yield* tempDir, HostTurns.layer(limits))))
    }).pipe(unchecked)
  )

  it.scoped("gets its validators at its own address only, behind a redirect too", uncheckedLayer, function* () {
    const { asked, origin } = yield* siteOf({ body: html("They wait."), headers: { etag: '"one"' } })
    yield* scrape(`${origin}/moved`)
    expect((yield* scrape(`${origin}/moved`)).document).toMatchObject(unchanged)
    expect(asked.map(({ etag, path }) => [path, etag])).toEqual([
      ["/moved", undefined],
      ["/", undefined],
      ["/moved", undefined],
      ["/", '"one"']
    ])
  })

  it.scoped(
    "is one team's: the request of another has no validators and gets the page of the site",
    uncheckedLayer,
    function* () {
      const { asked, origin } = yield* siteOf({ body: html("They wait."), headers: { etag: '"one"' } })
      yield* scrape(`${origin}/`)
      const other = yield* scrape(`${origin}/`, {}, { teamId: "others" })
      expect(other.unchanged).toBeUndefined()
      yield* scrape(`${origin}/`, { headers: { "accept-language": "de" } })
      expect(asked.map(({ etag }) => etag)).toEqual([undefined, undefined, undefined])
    }
  )

  it.scoped("is asked for without validators where the request or the answer forbids it", uncheckedLayer, function* () {
    for (const headers of [
      { etag: '"one"', "cache-control": "private, no-store" },
      { etag: '"one"', "cache-control": ["private", "no-store"] },
      { etag: '"one"', vary: "*" },
      { etag: '"one"', vary: "Accept-Language, *" },
      { etag: '"one"', vary: ["Accept-Language", "*"] },
      { etag: "one" },
      { "last-modified": "Mon, 01 Jan 2024 00:59:30 GMT" },
      { "last-modified": "yesterday" }
    ] as ReadonlyArray<Site["headers"]>) {
      const { asked, origin } = yield* siteOf({ body: html("They wait."), headers })
      yield* scrape(`${origin}/`)
      yield* scrape(`${origin}/`)
      expect(asked[1], JSON.stringify(headers)).toEqual({ path: "/", etag: undefined, since: undefined })
    }
    const { asked, origin } = yield* siteOf({ body: html("They wait."), headers: { etag: '"one"' } })
    for (const given of [
      { headers: { "Cache-Control": "no-cache" } },
      { storeInCache: false },
      { zeroDataRetention: true },
      { headers: { Cookie: "mine" } }
    ]) {
      yield* scrape(`${origin}/`, given)
      yield* scrape(`${origin}/`, given)
    }
    expect(asked.every(({ etag }) => etag === undefined)).toBe(true)
  })

  it.scoped("is fetched when the 304 is about another version", uncheckedLayer, function* () {
    const site: Site = { body: html("One."), headers: { etag: '"one"' } }
    const { asked, origin } = yield* siteOf(site)
    yield* scrape(`${origin}/`)
    Object.assign(site, {
      body: html("Two."),
      headers: { etag: '"two"' },
      isCurrent: ({ etag }: Asked) => etag !== undefined
    })
    const page = yield* scrape(`${origin}/`)
    expect(page.document.markdown).toContain("Two.")
    expect(asked).toHaveLength(3)
  })

  it.scoped(
    "is fetched in full when the site refuses the conditions, but not when it asks for fewer requests",
    uncheckedLayer,
    function* () {
      let status = 412
      const asked: Array<string | undefined> = []
      const origin = yield* serve((request, response) => {
        const etag = request.headers["if-none-match"]
        asked.push(etag)
        if (etag === undefined)
          response.writeHead(200, { "content-type": "text/html", etag: '"one"' }).end("<p>One</p>")
        else response.writeHead(status).end("No.")
      })
      yield* scrape(`${origin}/`)
      const page = yield* scrape(`${origin}/`)
      expect(page).toMatchObject({ statusCode: 200, document: { markdown: "One" } })
      expect(page.unchanged).toBeUndefined()
      status = 429
      expect((yield* scrape(`${origin}/`)).statusCode).toBe(429)
      expect(asked).toEqual([undefined, '"one"', undefined, '"one"'])
    }
  )

  it.scoped.skipIf(skipsLong)(
    "needs no memory besides the one that the site sends, so that jobs do not wait for themselves",
    function* () {
      const megabyte = 1024 * 1024
      const pool = PageMemory.make({ capacity: 6 * megabyte, perTeam: 6 * megabyte, perHost: 6 * megabyte })
      const plain = { "content-type": "text/plain" }
      const site: Site = { body: "heron ".repeat(megabyte / 2), headers: { ...plain, etag: '"one"' } }
      const { origin } = yield* siteOf(site)
      const visitAll = Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (page) => scrape(`${origin}/${page}`), {
        concurrency: "unbounded"
      })
      yield* Effect.gen(function* () {
        for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) yield* scrape(`${origin}/${page}`)
        for (const [mode, mark] of [
          [checked, "notModified"],
          [unchecked, "notModified"],
          [checked, undefined]
        ] as const) {
          if (mark === undefined)
            Object.assign(site, { body: "teals ".repeat(megabyte / 2), headers: { ...plain, etag: '"two"' } })
          expect((yield* mode(visitAll)).map(({ unchanged }) => unchanged)).toEqual(Array(8).fill(mark))
        }
      }).pipe(
        Effect.provide(
          Layer.unwrapScoped(
            Effect.map(tempDir, (folder) => layerIn(folder, alone, Layer.succeed(PageMemory.PageMemory, pool)))
          )
        )
      )
    }
  )
})

describe("validators", () => {
  const text = (page: { readonly document: { readonly markdown?: string | null | undefined } }) =>
    page.document.markdown ?? ""

  it.scoped("that are right are checked less and less", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* siteOf({ body: html("They wait."), headers: { etag: '"one"' } })
      yield* scrape(`${origin}/`)
      const first = 200
      for (let time = 0; time < first; time++) yield* scrape(`${origin}/`)
      // Nothing has changed so far: nobody knows whether the site would tell.
      expect(asked.filter(({ etag }) => etag === undefined)).toHaveLength(1 + first)
      const times = 100
      for (let time = 0; time < times; time++) yield* scrape(`${origin}/`)
      const full = asked.slice(1 + first).filter(({ etag }) => etag === undefined).length
      expect(asked).toHaveLength(1 + first + times)
      expect(full).toBeGreaterThan(0)
      expect(full).toBeLessThan(30)
    }).pipe(Effect.provide(layer), Effect.withRandom(Random.make("herons")))
  )

  it.scoped("of a host that says 304 for changed pages are not used for 30 days, also after a restart", function* () {
    const folder = yield* tempDir
    const inFolder = <A, E>(effect: Effect.Effect<A, E, ScraperFile.Scraper>) => Effect.provide(effect, layerIn(folder))
    const site: Site = { body: html("One."), headers: { etag: '"same"' } }
    const { asked, origin } = yield* siteOf(site)
    const visit = (path = "/") => inFolder(checked(scrape(origin + path)))
    yield* visit()
    yield* visit("/other")
    yield* inFolder(
      Effect.gen(function* () {
        for (const version of ["Two.", "Three."]) {
          site.body = html(version)
          const page = yield* checked(scrape(`${origin}/`))
          expect(text(page)).toContain(version)
          expect(page.unchanged).toBeUndefined()
        }
        // One page may be an exception.
        expect((yield* unchecked(scrape(`${origin}/`))).unchanged).toBe("notModified")
        site.body = html("Two.")
        expect(text(yield* checked(scrape(`${origin}/other`)))).toContain("Two.")
      })
    )
    asked.length = 0
    expect(text(yield* visit("/other"))).toContain("Two.")
    yield* TestClock.adjust("29 days")
    yield* visit()
    expect(asked.map(({ etag }) => etag)).toEqual([undefined, undefined])
    yield* TestClock.adjust("2 days")
    yield* inFolder(unchecked(scrape(`${origin}/`)))
    expect(asked.map(({ etag }) => etag).slice(2)).toEqual(['"same"'])
  })

  it.scoped(
    "of a host that answers 304 to every condition are found out, with new tags and for removed pages",
    checkedLayer,
    function* () {
      const site: Site = {
        body: html("One."),
        headers: { etag: '"one"' },
        isCurrent: ({ etag }) => etag !== undefined
      }
      for (const change of [
        (response: Site) => Object.assign(response, { body: html("Two.") }),
        (response: Site) => Object.assign(response, { body: html("Three."), headers: {} })
      ]) {
        const { asked, origin } = yield* siteOf(Object.assign(site, { headers: { etag: '"one"' } }))
        yield* scrape(`${origin}/`)
        yield* scrape(`${origin}/other`)
        change(site)
        expect((yield* scrape(`${origin}/`)).unchanged).toBeUndefined()
        expect((yield* scrape(`${origin}/other`)).unchanged).toBeUndefined()
        const before = asked.length
        yield* scrape(`${origin}/`)
        expect(asked.slice(before).map(({ etag }) => etag)).toEqual([undefined])
      }
    }
  )

  it.scoped(
    "that are weak may stand for other bytes: those of the site are the page, and the host is checked anew",
    checkedLayer,
    function* () {
      const site: Site = { body: html("They wait."), headers: { etag: 'W/"one"' } }
      const { asked, origin } = yield* siteOf(site)
      for (const path of ["/", "/other"]) yield* scrape(origin + path)
      for (let time = 0; time < 20; time++) yield* scrape(`${origin}/`)
      site.body = `<script type="application/ld+json">{"price":2}</script>${site.body}`
      for (const path of ["/", "/other"]) {
        const page = yield* scrape(origin + path, { formats: ["rawHtml"] })
        expect(page.document.rawHtml).toContain('{"price":2}')
        expect(page.unchanged).toBeUndefined()
      }
      asked.length = 0
      const often = Effect.withRandom(Random.fixed([0.99]))
      expect((yield* often(scrape(`${origin}/`))).unchanged).toBe("notModified")
      const kept = yield* unchecked(scrape(`${origin}/`, { formats: ["rawHtml"] }))
      expect(kept.document.rawHtml).toContain('{"price":2}')
      expect(asked.map(({ etag }) => etag)).toEqual([undefined, 'W/"one"'])
    }
  )

  it.scoped("are not wrong when a site says 304 about another version", checkedLayer, function* () {
    const site: Site = { body: html("One."), headers: { etag: '"one"' }, isCurrent: ({ etag }) => etag !== undefined }
    const { asked, origin } = yield* siteOf(site)
    for (const path of ["/", "/other"]) yield* scrape(origin + path)
    Object.assign(site, { body: html("Two."), headers: { etag: '"two"' } })
    for (const path of ["/", "/other"]) expect(text(yield* scrape(origin + path))).toContain("Two.")
    asked.length = 0
    expect((yield* unchecked(scrape(`${origin}/`))).unchanged).toBe("notModified")
    expect(asked.map(({ etag }) => etag)).toEqual(['"two"'])
  })

  it("are compared in a time that does not grow with the square of their length", () => {
    const tag = `"${"-".repeat(200_000)}"`
    expect(Validators.isSameTag(tag, `W/${tag}`)).toBe(true)
    expect(Validators.isSameTag('"one--gzip"', 'W/"one"')).toBe(true)
  })

  it.scoped(
    "whose tag is new each time for the same page are replaced by the time of change",
    uncheckedLayer,
    function* () {
      const site: Site = { body: html("They wait."), headers: { etag: '"0"', "last-modified": lastModified } }
      const { asked, origin } = yield* siteOf(site)
      for (let time = 0; time < 8; time++) {
        site.headers = { ...site.headers, etag: `"${time}"` }
        site.isCurrent = ({ etag, since }) => etag === undefined && since === lastModified
        yield* scrape(`${origin}/`)
      }
      expect(asked.map(({ etag }) => etag !== undefined)).toEqual([false, true, true, true, true, true, false, false])
      expect(asked.at(-1)?.since).toBe(lastModified)
      expect((yield* scrape(`${origin}/`)).unchanged).toBe("notModified")
      const changed = "Mon, 01 Jan 2024 00:30:00 GMT"
      Object.assign(site, { body: html("They fly."), headers: { etag: '"steady"', "last-modified": changed } })
      site.isCurrent = ({ since }) => since === changed
      for (let time = 0; time < 3; time++) yield* scrape(`${origin}/`)
      expect(asked.slice(-3).map(({ etag }) => etag)).toEqual([undefined, undefined, '"steady"'])
    }
  )

  it.scoped("are right or wrong by host and team", checkedLayer, function* () {
    const site: Site = { body: html("One."), headers: { etag: '"same"' } }
    const lying = yield* siteOf(site)
    const honest = yield* siteOf({ body: html("One."), headers: { etag: '"one"' } })
    for (const { origin } of [lying, honest]) {
      yield* scrape(`${origin}/`)
      yield* scrape(`${origin}/other`)
      yield* scrape(`${origin}/`, {}, { teamId: "others" })
    }
    site.body = html("Two.")
    yield* scrape(`${lying.origin}/`)
    yield* scrape(`${lying.origin}/other`)
    expect((yield* scrape(`${honest.origin}/`)).unchanged).toBe("notModified")
    lying.asked.length = 0
    yield* scrape(`${lying.origin}/`)
    yield* unchecked(scrape(`${lying.origin}/`, {}, { teamId: "others" }))
    expect(lying.asked.map(({ etag }) => etag)).toEqual([undefined, '"same"'])
  })

  it.scoped("are not wrong where a check finds no page", checkedLayer, function* () {
    const body = html("They wait.")
    const etag = `"${createHash("sha1").update(body).digest("hex")}"`
    let isBusy = false
    const origin = yield* serve((request, response) => {
      if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end()
      else if (isBusy) response.writeHead(503).end("busy")
      else response.writeHead(200, { "content-type": "text/html", etag }).end(body)
    })
    yield* scrape(`${origin}/`)
    isBusy = true
    expect((yield* scrape(`${origin}/`)).statusCode).toBe(503)
    expect((yield* unchecked(scrape(`${origin}/`))).document).toMatchObject(unchanged)
  })

  /** Processes with one store. `stop` ends one in order. */
  const processes = Effect.gen(function* () {
    const folder = yield* tempDir
    const store = yield* Layer.build(Layer.provide(Store.layer(folder), NodeContext.layer))
    const start = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const built = yield* Layer.buildWithScope(Layer.fresh(HostTrust.layer), scope)
      const { note, of } = Context.get(built, HostTrust.HostTrust)
      return { note, of, stop: Scope.close(scope, Exit.void) }
    }).pipe(Effect.provide(store), Effect.provide(silent))
    return { start, store }
  })
  const page = new URL("http://herons.test/")

  it.scoped(
    "that one process has found wrong stay unused when another one, which does not know it, adds to the record",
    function* () {
      const { start } = yield* processes
      const [one, other, third] = [yield* start, yield* start, yield* start]
      yield* other.note("team", page, "confirmed")
      yield* third.note("team", page, "confirmed")
      for (const path of ["/", "/teals"]) yield* one.note("team", new URL(path, page), "lied")
      yield* one.stop
      yield* other.note("team", page, "confirmed")
      yield* other.stop
      expect(yield* (yield* start).of("team", page.host)).toEqual({ ...HostTrust.newHost, liedAt: 0 })
      yield* TestClock.adjust("30 days")
      yield* third.note("team", page, "confirmed")
      yield* third.stop
      expect(yield* (yield* start).of("team", page.host)).toMatchObject({ confirmed: 2, liedAt: undefined })
    }
  )

  it.scoped(
    "are noted in the store in groups: after a second, at once when they are wrong, and at the end",
    function* () {
      const { start, store } = yield* processes
      const { note, stop } = yield* start
      const stored = Effect.flatMap(
        Sql,
        (sql) => sql<{ confirmed: number; lied_at: number | null }>`SELECT confirmed, lied_at FROM host_trust`
      ).pipe(Effect.provide(store))
      const soon = (isSo: (row: { confirmed: number; lied_at: number | null } | undefined) => boolean) =>
        Effect.repeat(stored, { until: ([row]) => isSo(row) })
      for (let visit = 0; visit < 100; visit++) yield* note("team", page, "confirmed")
      expect(yield* stored).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* soon((row) => row?.confirmed === 100)
      yield* note("team", page, "confirmed")
      yield* note("team", page, "lied")
      yield* note("team", new URL("/teals", page), "lied")
      yield* soon((row) => row?.lied_at === 1000)
      yield* note("team", page, "confirmed")
      yield* stop
      expect(yield* stored).toEqual([{ confirmed: 1, lied_at: 1000 }])
    }
  )
})
