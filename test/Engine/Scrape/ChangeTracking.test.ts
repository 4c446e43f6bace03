/** A page against its last version. */

import { createHash } from "node:crypto"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import fc from "fast-check"
import type { Format, ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import { nextTurn } from "../../../src/Callback/EventLoop.ts"
import * as Model from "../../../src/Engine/Model/Model.ts"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as PageVersions from "../../../src/Engine/PageCache/PageVersions.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import { contentHash } from "../../../src/Engine/Scrape/ChangeTracking.ts"
import * as HostTrust from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { fakeModel } from "../Model/FakeModel.ts"
import { fetchLayer, options, pages } from "./Site.ts"

const layerWith = (model?: Model.ModelOptions) =>
  Layer.unwrapScoped(
    Effect.map(tempDir, (folder) =>
      ScraperFile.layer.pipe(
        Layer.provide([PageCache.layer(folder), HostTrust.layer, PageVersions.layer, Model.layer(model)]),
        Layer.provideMerge(Store.layer(folder)),
        Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
        Layer.provide(alone)
      )
    )
  )

const layer = layerWith()

/** A page that can be changed. */
const site = Effect.gen(function* () {
  const now = { status: 200, body: "<h1>Herons</h1><p>They wait.</p>" }
  const origin = yield* pages({
    "/": (_, response) => void response.writeHead(now.status, { "content-type": "text/html" }).end(now.body)
  })
  return { url: `${origin}/`, now }
})

const scrape = (url: string, given: ScrapeOptions, teamId = "team") =>
  Effect.flatMap(ScraperFile.Scraper, (scraper) => scraper.scrape({ url, options: options(given), teamId }))

const track = (url: string, particulars: object = {}, teamId?: string) =>
  Effect.map(
    scrape(url, { formats: [{ type: "changeTracking", ...particulars } as Format] }, teamId),
    ({ document }) => document.changeTracking
  )

describe("changeTracking", () => {
  it.scoped("says that a page is new, the same, changed, removed, and back again", layer, function* () {
    const { now, url } = yield* site
    yield* TestClock.adjust("1 second")
    expect(yield* track(url)).toEqual({ previousScrapeAt: null, changeStatus: "new", visibility: "visible" })
    yield* TestClock.adjust("1 second")
    expect(yield* track(url)).toEqual({
      previousScrapeAt: "1970-01-01T00:00:01.000Z",
      changeStatus: "same",
      visibility: "visible"
    })
    now.body = "<h1>Herons</h1>\n\n<p>They   stand.</p>"
    expect(yield* track(url)).toEqual({
      previousScrapeAt: "1970-01-01T00:00:02.000Z",
      changeStatus: "changed",
      visibility: "visible"
    })
    now.status = 404
    expect(yield* track(url)).toMatchObject({ changeStatus: "removed", previousScrapeAt: "1970-01-01T00:00:02.000Z" })
    now.status = 200
    expect(yield* track(url)).toMatchObject({ changeStatus: "same" })
  })

  it.scoped("shows the difference when it is asked to", layer, function* () {
    const { now, url } = yield* site
    const modes = { modes: ["git-diff"] }
    expect(yield* track(url, modes)).not.toHaveProperty("diff")
    expect(yield* track(url, modes)).not.toHaveProperty("diff")
    now.body = "<h1>Herons</h1><p>They stand.</p>"
    const changed = yield* track(url, modes)
    expect(changed?.diff).toMatchObject({
      text: "@@ -1,3 +1,3 @@\n # Herons\n \n-They wait.\n+They stand.",
      json: { files: [{ additions: 1, deletions: 1, chunks: [{ changes: expect.any(Array) }] }] }
    })
    expect(changed).not.toHaveProperty("json")
  })

  it.scoped("hands out the markdown only when that is asked for too", layer, function* () {
    const { url } = yield* site
    const alone = yield* scrape(url, { formats: ["changeTracking"] })
    expect(Object.keys(alone.document).sort()).toEqual(["changeTracking", "metadata"])
    const both = yield* scrape(url, { formats: ["markdown", "changeTracking"] })
    expect(both.document).toMatchObject({
      markdown: "# Herons\n\nThey wait.",
      changeTracking: { changeStatus: "same" }
    })
  })

  it.scoped("keeps teams, addresses and tags apart", layer, function* () {
    const { url } = yield* site
    const status = (particulars: object, address = url, team?: string) =>
      Effect.map(track(address, particulars, team), (answer) => answer?.changeStatus)
    expect(yield* status({})).toBe("new")
    expect(yield* status({ tag: null })).toBe("same")
    expect(yield* status({ tag: "daily" })).toBe("new")
    expect(yield* status({ tag: "daily" })).toBe("same")
    expect(yield* status({}, `${url}?page=2`)).toBe("new")
    expect(yield* status({}, url, "others")).toBe("new")
  })

  it.scoped("does not take a failing site for a change", layer, function* () {
    const { now, url } = yield* site
    yield* track(url)
    now.status = 503
    const { document } = yield* scrape(url, { formats: ["changeTracking"] })
    expect(document).not.toHaveProperty("changeTracking")
    expect(document.warning).toContain("503")
    now.status = 200
    expect(yield* track(url)).toMatchObject({ changeStatus: "same" })
  })

  it.scoped("looks at the page as it is, whatever copies there are", layer, function* () {
    const { now, url } = yield* site
    yield* track(url)
    now.body = "<p>Frogs</p>"
    const { document } = yield* scrape(url, { formats: ["changeTracking"], maxAge: 60_000 })
    expect(document.changeTracking).toMatchObject({ changeStatus: "changed" })
  })

  it.scoped("is refused where nothing may be kept, and where it makes no sense", layer, function* () {
    const refusal = (given: ScrapeOptions, particulars: object = {}) =>
      Effect.flip(
        scrape("http://192.0.2.1/", { ...given, formats: [{ type: "changeTracking", ...particulars } as Format] })
      )
    for (const given of [{ zeroDataRetention: true }, { lockdown: true }, { minAge: 1 }]) {
      const failure = yield* refusal(given)
      expect(failure).toMatchObject({ _tag: "BadRequest", details: [{ path: ["formats.changeTracking"] }] })
      expect(failure.message).toContain(Object.keys(given)[0])
    }
    const mode = yield* refusal({}, { modes: ["svn"] })
    expect(mode).toMatchObject({ _tag: "BadRequest" })
    expect(mode.message).toContain("modes")
    expect(yield* refusal({}, { modes: ["json"] })).toMatchObject({ _tag: "BadRequest" })
    const model = yield* refusal({}, { modes: ["json"], prompt: "How many?" })
    expect(model).toMatchObject({ _tag: "NotImplemented", code: "NOT_IMPLEMENTED" })
    expect(model.message).toContain("model")
  })

  it.scoped("keeps to its size: the versions that were longest left alone go", layer, function* () {
    const sql = yield* Sql
    const { url } = yield* site
    for (let page = 0; page < 5; page++) {
      yield* track(`${url}?page=${page}`)
      yield* TestClock.adjust("1 second")
    }
    yield* PageVersions.sweep({ count: 2, bytes: 1e6 })
    expect(yield* sql`SELECT at FROM page_versions ORDER BY at`).toEqual([{ at: 3000 }, { at: 4000 }])
    yield* PageVersions.sweep({ count: 2, bytes: 10 })
    expect(yield* sql`SELECT at FROM page_versions`).toEqual([])
  })

  it.scoped("compares field by field what a model has read out of both versions", function* () {
    const { asked, url: model } = yield* fakeModel(({ body }) => {
      const price = /costs (\d+)/.exec(body.messages.at(-1)?.content ?? "")?.[1]
      return JSON.stringify({ price: Number(price), name: "Heron", colours: ["grey"] })
    })
    yield* Effect.gen(function* () {
      const { now, url } = yield* site
      const modes = { modes: ["json"], prompt: "Name and price" }
      now.body = "<p>It costs 5</p>"
      expect(yield* track(url, modes)).toEqual({
        previousScrapeAt: null,
        changeStatus: "new",
        visibility: "visible"
      })
      now.body = "<p>It costs 7</p>"
      const changed = yield* track(url, modes)
      expect(changed).toMatchObject({ changeStatus: "changed", json: { price: { previous: 5, current: 7 } } })
      expect(Object.keys(changed?.json as object)).toEqual(["price"])
      expect(asked.length).toBe(2)
      // Another question is asked of the last version too.
      now.body = "<p>It costs 9</p>"
      expect(yield* track(url, { ...modes, prompt: "Price" })).toMatchObject({
        json: { price: { previous: 7, current: 9 } }
      })
      expect(asked.length).toBe(4)
    }).pipe(Effect.provide(layerWith({ url: model, name: "small" })))
  })

  it.scoped("still says that a page has changed when the model fails, and that it did", function* () {
    const { url: model } = yield* fakeModel(() => ({ status: 400, body: { error: { message: "No" } } }))
    yield* Effect.gen(function* () {
      const { now, url } = yield* site
      yield* track(url)
      now.body = "<p>Frogs</p>"
      const { document } = yield* scrape(url, {
        formats: [{ type: "changeTracking", modes: ["git-diff", "json"], prompt: "Who?" }]
      })
      expect(document.changeTracking).toMatchObject({ changeStatus: "changed", diff: { text: expect.any(String) } })
      expect(document.changeTracking).not.toHaveProperty("json")
      expect(document.warning).toContain("model")
    }).pipe(Effect.provide(layerWith({ url: model, name: "small" })))
  })
})

describe("the content hash", () => {
  const whole = (text: string) =>
    createHash("sha256")
      .update(JSON.stringify([text.replace(/\s+/g, " ").trim()]))
      .digest("base64url")

  it.effect.skipIf(skipsLong)("is that of earlier versions, wherever the text is cut into slices", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              fc.string({ unit: "binary", maxLength: 4 }),
              fc.constantFrom(" ", "\n\t", "\u00a0", "\ud83d\ude00", "\ud83d", '"')
            )
          ),
          fc.integer({ min: 2, max: 9 }),
          async (parts, length) => {
            const text = parts.join("")
            expect(await Effect.runPromise(contentHash(text, length))).toBe(whole(text))
          }
        ),
        { numRuns: 30 }
      )
    )
  )

  it.live("lets others go first while a long text is read", function* () {
    const text = "large text here, ".repeat(100_000)
    let turns = 0
    const other = yield* Effect.fork(
      Effect.forever(
        Effect.zipRight(
          Effect.sync(() => (turns += 1)),
          nextTurn
        )
      )
    )
    expect(yield* contentHash(text)).toBe(whole(text))
    yield* Fiber.interrupt(other)
    expect(turns).toBeGreaterThan(20)
  })
})
