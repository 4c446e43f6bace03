/** Pages that a crawl leaves out: which ones, when they are visited again, and how wrong sitemaps and rates are found out. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import { unpackNow } from "../../../src/Engine/PageCache/Packing.ts"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import { HostTrust, layer as hostTrust, newHost } from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import {
  chanceOfChange,
  type ListedAge,
  listedAge,
  rateOf,
  saysUnchanged
} from "../../../src/Engine/Scrape/Recrawl/Revisit.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { fetchLayer, options, serve } from "../Scrape/Site.ts"

const day = 86_400_000

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) => {
    const cache = Layer.merge(PageCache.layer(folder), hostTrust)
    return ScraperFile.layer.pipe(
      Layer.provideMerge(cache),
      Layer.provide(Store.layer(folder)),
      Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
      Layer.provide(alone),
      Layer.provideMerge(Logger.remove(Logger.defaultLogger))
    )
  })
)

/**
 * A clock that is set by hand, and on which sleeps take their usual time: hourly loops would need a second of a `TestClock` for each day.
 */
class Hand extends Context.Tag("test/Hand")<Hand, { now: number }>() {}

const withHand = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const hand = { now: 0 }
    const clock: Clock.Clock = Object.assign(Object.create(Clock.make()), {
      unsafeCurrentTimeMillis: () => hand.now,
      currentTimeMillis: Effect.sync(() => hand.now)
    })
    return effect.pipe(Effect.provideService(Hand, hand), Effect.withClock(clock))
  })

const wait = (time: Duration.DurationInput) =>
  Effect.map(Hand, (hand) => {
    hand.now += Duration.toMillis(time)
  })

/** The cache counts visits that it has written, which it does a second later. */
const written = Effect.sleep("1500 millis")

/** No page is checked, or each one is. */
const unchecked = Effect.withRandom(Random.fixed([1]))
const checked = Effect.withRandom(Random.fixed([0]))

const site = Effect.gen(function* () {
  const asked: Array<string> = []
  const texts = new Map<string, string | undefined>()
  const origin = yield* serve((request, response) => {
    const path = request.url ?? ""
    asked.push(path)
    if (texts.has(path) && texts.get(path) === undefined) return void response.writeHead(404).end("No.")
    response.writeHead(200, { "content-type": "text/html" })
    response.end(`<title>Herons</title><p>${texts.get(path) ?? "They wait."}</p><a href="/other">other</a>`)
  })
  return { asked, origin, texts }
})

const visit = (url: string, listed?: ListedAge, isAudit = false, floor = 0) =>
  Effect.flatMap(ScraperFile.Scraper, ({ scrape }) =>
    scrape({
      url,
      options: options({ onlyMainContent: false }),
      teamId: "team",
      revisit: { ceiling: 7 * day, floor, isAudit, listed }
    })
  )

const markOf = ({ document: { metadata } }: { readonly document: { readonly metadata?: unknown } }) => {
  const { check, unchanged } = metadata as { readonly check?: string; readonly unchanged?: string }
  return check ?? unchanged
}

describe("the rate of a page", () => {
  const none = { visits: 0, changes: 0, millis: 0 }
  const quiet = { visits: 50_000, changes: 5, millis: 50_000 * day }

  it("is that of its site at first, and its own with more visits", () => {
    const usual = rateOf({ visits: 3, changes: 0, millis: 3 * day }, quiet) ?? 0
    expect(usual * day).toBeCloseTo(5.5 / 50_000, 5)
    const busy = rateOf({ visits: 30, changes: 15, millis: 30 * day }, quiet) ?? 0
    expect(busy).toBeGreaterThan(20 * usual)
    const steady = { visits: 50_000, changes: 1000, millis: 50_000 * day }
    expect((rateOf({ visits: 3, changes: 0, millis: 3 * day }, steady) ?? 0) * day).toBeGreaterThan(0.01)
    expect((rateOf({ visits: 300, changes: 0, millis: 300 * day }, steady) ?? 0) * day).toBeLessThan(0.005)
  })

  it("counts changes that no visit has seen: a page that has changed at every visit changes more often than that", () => {
    const always = rateOf(
      { visits: 10, changes: 10, millis: 10 * day },
      { visits: 100, changes: 100, millis: 100 * day }
    )
    expect((always ?? 0) * day).toBeGreaterThan(2)
  })

  it("is unknown before the third visit, and where nothing is known of the site", () => {
    expect(rateOf({ visits: 2, changes: 0, millis: day }, quiet)).toBeUndefined()
    expect(rateOf({ visits: 3, changes: 0, millis: day }, none)).toBeUndefined()
    expect(chanceOfChange({ at: 0 }, quiet, day)).toBe(1)
  })

  it("gives a chance of change that grows with the time since the last visit", () => {
    const page = { at: 10 * day, history: { since: 0, visits: 10, changes: 0 } }
    const chance = (days: number) => chanceOfChange(page, quiet, (10 + days) * day)
    expect(chance(1)).toBeLessThan(0.001)
    expect(chance(1000)).toBeGreaterThan(0.05)
  })
})

describe("a sitemap", () => {
  it("says how old a page is by lastmod, and without it by changefreq", () => {
    const at = Date.UTC(2026, 2, 10)
    const now = at + 3 * day
    const says = (lastmod?: string, changefreq?: string) => saysUnchanged(listedAge(lastmod, changefreq), at, now)
    expect(says("2026-03-09T10:00:00Z")).toBe(true)
    expect(says("2026-03-11T10:00:00+02:00")).toBe(false)
    // Without a zone it may be the time of any.
    expect(says("2026-03-09T10:00:00")).toBe(true)
    expect(says("2026-03-09T14:00:00")).toBe(false)
    // A date is a whole day, in any time zone.
    expect(says("2026-03-08")).toBe(true)
    expect(says("2026-03-09")).toBe(false)
    expect(says(undefined, "monthly")).toBe(true)
    expect(says(undefined, "daily")).toBe(false)
    expect(says(undefined, "always")).toBeUndefined()
    expect(says("yesterday", "never")).toBe(true)
    expect(says("yesterday")).toBeUndefined()
    expect(says()).toBeUndefined()
  })
})

describe("a stored page of a crawl", () => {
  it.scopedLive.skipIf(skipsLong)(
    "is left out once its visits make a change unlikely, and is visited again after the ceiling",
    () =>
      Effect.gen(function* () {
        const { asked, origin } = yield* site
        // Many quiet pages, so that little is needed of each one.
        for (let page = 0; page < 30; page++) yield* visit(`${origin}/${page}`)
        for (let round = 0; round < 4; round++) {
          yield* wait("6 hours")
          for (let page = 0; page < 30; page++) yield* visit(`${origin}/${page}`)
        }
        const before = asked.length
        yield* written
        yield* wait("6 minutes")
        const left = yield* unchecked(visit(`${origin}/1`))
        expect(markOf(left)).toBe("notDue")
        expect(left).toMatchObject({ unchanged: "notDue", statusCode: 200, links: [`${origin}/other`] })
        expect(left.document.markdown).toContain("They wait.")
        expect(left.document.metadata).toMatchObject({ sourceURL: `${origin}/1`, statusCode: 200 })
        expect(left.indexed).toBeUndefined()
        expect(asked).toHaveLength(before)
        yield* wait("8 days")
        expect(markOf(yield* unchecked(visit(`${origin}/1`)))).toBeUndefined()
        expect(asked).toHaveLength(before + 1)
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive.skipIf(skipsLong)(
    "is answered together with others as by a scrape, and visited if it is to be checked",
    () =>
      Effect.gen(function* () {
        const { asked, origin, texts } = yield* site
        const lookUp = yield* ScraperFile.PageLookup
        const own = options({ onlyMainContent: false })
        const target = (path: string, draw: number, takesBytes = true) => ({
          url: `${origin}/${path}`,
          options: own,
          teamId: "team",
          takesBytes,
          revisit: { ceiling: 7 * day, floor: day, isAudit: false, draw }
        })
        texts.set("/gone", undefined)
        for (const path of ["a", "b", "gone"]) yield* visit(`${origin}/${path}`)
        yield* written
        yield* wait("1 hour")
        const before = asked.length
        const found = yield* lookUp([target("b", 1), target("unknown", 1), target("a", 1, false), target("gone", 1)])
        const pages = found.map(({ page }) => page)
        expect(pages.map((page) => page?.unchanged)).toEqual(["notDue", undefined, "notDue", undefined])
        const scraped = yield* visit(`${origin}/b`, undefined, false, day)
        expect(scraped.unchanged).toBe("notDue")
        const [b, , a] = pages
        const { metadata, ...content } = scraped.document
        expect(JSON.parse(Buffer.from(b?.content ? unpackNow(b.content) : []).toString())).toEqual(content)
        expect(b?.document).toEqual({ metadata })
        expect(b).toMatchObject({ isUnsent: true, links: [`${origin}/other`], statusCode: 200, url: `${origin}/b` })
        expect(a?.content).toBeUndefined()
        expect(a?.document).toMatchObject({ ...content, metadata: { sourceURL: `${origin}/a`, unchanged: "notDue" } })
        expect(asked).toHaveLength(before)
        // Where a sitemap is to be checked, the number that was drawn decides.
        const listed = { lastModified: -10 * day }
        const checkedOnes = [0, 0.999].map((draw) => {
          const { revisit, ...rest } = target("a", draw)
          return { ...rest, revisit: { ...revisit, listed } }
        })
        for (let time = 0; time < 20; time++) yield* (yield* HostTrust).note("team", new URL(origin), "told", "sitemap")
        for (let time = 0; time < 50; time++)
          yield* (yield* HostTrust).note("team", new URL(origin), "confirmed", "sitemap")
        expect((yield* lookUp(checkedOnes)).map(({ page }) => page?.unchanged)).toEqual([undefined, "sitemap"])
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive(
    "is left out where the sitemap has proved right, and visited where it says that the page has changed",
    () =>
      Effect.gen(function* () {
        const { asked, origin, texts } = yield* site
        yield* wait("10 days")
        for (const page of ["", "a", "b"]) yield* visit(`${origin}/${page}`)
        yield* wait("1 day")
        const old = { lastModified: 5 * day }
        for (let time = 0; time < 20; time++) expect(markOf(yield* visit(origin, old))).toBe("confirmed")
        // It has told of no change yet.
        expect(markOf(yield* visit(origin, old))).toBe("confirmed")
        for (const page of ["a", "b"]) {
          texts.set(`/${page}`, "They fly.")
          expect(markOf(yield* visit(`${origin}/${page}`, { lastModified: 11 * day }))).toBeUndefined()
        }
        const host = new URL(origin).host
        expect(yield* (yield* HostTrust).of("team", host, "sitemap")).toMatchObject({ confirmed: 21, told: 2 })
        expect(markOf(yield* unchecked(visit(origin, old)))).toBe("sitemap")
        const before = asked.length
        texts.set("/", "They fly.")
        yield* wait("1 hour")
        const changed = yield* unchecked(visit(origin, { lastModified: 11 * day + 1000 }))
        expect(changed.document.markdown).toContain("They fly.")
        expect(asked).toHaveLength(before + 1)
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive(
    "is left out within the floor, unless an audit or the sitemap asks for it; nothing is concluded from it",
    () =>
      Effect.gen(function* () {
        const { asked, origin, texts } = yield* site
        yield* visit(origin)
        yield* wait("59 minutes")
        const hourly = (listed?: ListedAge, isAudit = false) => checked(visit(origin, listed, isAudit, day / 24))
        expect(markOf(yield* hourly())).toBe("notDue")
        expect(asked).toHaveLength(1)
        texts.set("/", "They fly.")
        expect(markOf(yield* hourly(undefined, true))).toBe("missed")
        const trust = yield* HostTrust
        expect(yield* trust.of("team", new URL(origin).host, "rates")).toEqual(newHost)
        yield* wait("59 minutes")
        expect(markOf(yield* hourly({ lastModified: 118 * 60_000 }))).toBeUndefined()
        yield* wait("1 hour")
        expect(markOf(yield* hourly())).toBeUndefined()
        expect(asked).toHaveLength(4)
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive("is visited when the clock of its last visit was ahead", () =>
    Effect.gen(function* () {
      const { asked, origin } = yield* site
      yield* wait("300 days")
      yield* visit(origin)
      const hand = yield* Hand
      hand.now -= 200 * day
      expect(markOf(yield* unchecked(visit(origin, { lastModified: 5 * day }, false, day)))).toBeUndefined()
      expect(asked).toHaveLength(2)
    }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive("is visited after the sitemap was wrong for two pages, for 30 days", () =>
    Effect.gen(function* () {
      const { origin, texts } = yield* site
      const trust = yield* HostTrust
      yield* wait("10 days")
      for (const page of ["a", "b", "c"]) yield* visit(`${origin}/${page}`)
      const old = { lastModified: 5 * day }
      for (const page of ["a", "b"]) {
        texts.set(`/${page}`, "They fly.")
        expect(markOf(yield* checked(visit(`${origin}/${page}`, old)))).toBe("missed")
      }
      const host = new URL(origin).host
      expect(yield* trust.of("team", host, "sitemap")).toMatchObject({ liedAt: 10 * day })
      expect(yield* trust.of("team", host)).toEqual(newHost)
      expect(markOf(yield* unchecked(visit(`${origin}/c`, old)))).toBeUndefined()
      yield* wait("31 days")
      yield* visit(`${origin}/c`)
      yield* wait("1 day")
      expect(markOf(yield* checked(visit(`${origin}/c`, old)))).toBe("confirmed")
    }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive.skipIf(skipsLong)(
    "is compared by an audit, which finds removed and changed pages, and puts an end to rates that miss too many",
    () =>
      Effect.gen(function* () {
        const { origin, texts } = yield* site
        const trust = yield* HostTrust
        const pages = Array.from({ length: 20 }, (_, page) => `${origin}/${page}`)
        for (let round = 0; round < 6; round++) {
          for (const page of pages) yield* visit(page)
          if (round < 5) yield* wait("6 hours")
        }
        yield* written
        yield* wait("6 minutes")
        texts.set("/4", "They fly.")
        texts.set("/5", "They fly.")
        texts.set("/6", undefined)
        const audited = yield* Effect.forEach(pages, (page) => visit(page, undefined, true))
        // After the third miss the rates are not used any more.
        expect(audited.slice(3, 8).map(markOf)).toEqual(["confirmed", "missed", "missed", "missed", undefined])
        expect(yield* trust.of("team", new URL(origin).host, "rates")).toMatchObject({ liedAt: expect.any(Number) })
        expect(markOf(yield* unchecked(visit(`${origin}/7`)))).toBeUndefined()
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive(
    "is visited after an answer that was not the page, and one that fetching in full finds the same is not converted again",
    () =>
      Effect.gen(function* () {
        const { asked, origin, texts } = yield* site
        yield* wait("10 days")
        const old = { lastModified: 5 * day }
        const first = yield* visit(origin)
        const second = yield* visit(origin)
        expect(second.document).toEqual(first.document)
        expect(first.indexed).toBeDefined()
        expect(second.indexed).toBeUndefined()
        for (let time = 0; time < 20; time++) yield* visit(origin, old)
        texts.set("/", undefined)
        expect((yield* checked(visit(origin, old))).statusCode).toBe(404)
        const before = asked.length
        expect((yield* unchecked(visit(origin, old))).statusCode).toBe(404)
        expect(asked).toHaveLength(before + 1)
      }).pipe(Effect.provide(layer), withHand)
  )

  it.scopedLive("keeps the language that was detected, although it is not converted again", () =>
    Effect.gen(function* () {
      const { origin, texts } = yield* site
      texts.set(
        "/",
        "Die Reiher stehen am Ufer des Flusses und warten geduldig auf ihre Beute, oft viele Stunden lang."
      )
      yield* wait("10 days")
      const pages = [yield* visit(origin), yield* visit(origin)]
      expect(pages.map(({ document, indexed }) => [document.metadata?.language, indexed === undefined])).toEqual([
        ["de", false],
        ["de", true]
      ])
    }).pipe(Effect.provide(layer), withHand)
  )
})
