/** The client against the engine: every part, every version, over HTTP. */

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ActiveCrawls } from "../../src/Client/ActiveCrawls.ts"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Browser } from "../../src/Client/Browser.ts"
import type { ClientError } from "../../src/Client/ClientErrors.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { CrawlPreview } from "../../src/Client/CrawlPreview.ts"
import { SiteMap } from "../../src/Client/Map.ts"
import { Parse } from "../../src/Client/Parse.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import * as Client from "../../src/Client.ts"
import { expect, layer } from "../It.ts"
import { keys, Local, layer as local, page, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"

const clientWith = (key: string) =>
  Client.layer.pipe(
    Layer.provide(
      Layer.unwrapEffect(Effect.map(Local, ({ baseUrl }) => Connection.layer({ baseUrl, apiKey: Redacted.make(key) })))
    )
  )

const client = Layer.provideMerge(clientWith(keys.first), local)

const wide = site((path) => {
  if (path === "/")
    return page(
      "Start",
      Array.from({ length: 30 }, (_, n) => `/p${n}`)
    )
  return /^\/p\d+$/.test(path) ? page(path) : undefined
})

const versions = ["v1", "v2"] as const
const missing = "00000000-0000-4000-8000-000000000000"

layer(client, { excludeTestServices: true })("the client and the engine", (it) => {
  for (const version of versions) {
    it.scoped.skipIf(skipsLong)(`agree on a crawl, from its start to its last document (${version})`, function* () {
      const crawl = yield* Crawl
      const { url } = yield* wide
      const { id } = version === "v1" ? yield* crawl.start({ url }, { version }) : yield* crawl.start({ url })
      const documents = Chunk.toReadonlyArray(yield* Stream.runCollect(crawl.stream(id, { version, limit: 7 })))
      expect(new Set(documents.map(({ metadata }) => metadata?.sourceURL)).size).toBe(31)
      expect(documents).toHaveLength(31)
      const status = yield* crawl.status(id, { version, skip: 30 })
      expect(status).toMatchObject({ status: "completed", total: 31, completed: 31, creditsUsed: 31 })
      expect((yield* crawl.errors(id, { version })).errors).toEqual([])
      expect((yield* Effect.flip(crawl.cancel(id, { version })))._tag).toBe("Conflict")
      expect((yield* (yield* ActiveCrawls).list({ version })).crawls).toEqual([])
    })

    it.scoped(`agree on a batch (${version})`, function* () {
      const batch = yield* BatchScrape
      const { url } = yield* wide
      const request = { urls: [`${url}/p1`, `${url}/p2`, `${url}/none`] }
      const options = { idempotencyKey: `${url} ${version}` }
      const start =
        version === "v1" ? batch.start(request, { version, ...options }) : batch.start(request, { ...options })
      const { id } = yield* start
      expect((yield* start).id).toBe(id)
      const documents = Chunk.toReadonlyArray(yield* Stream.runCollect(batch.stream(id, { version })))
      expect(documents.map(({ metadata }) => metadata?.statusCode).sort()).toEqual([200, 200, 404])
      expect((yield* batch.errors(id, { version })).errors).toMatchObject([{ url: `${url}/none` }])
    })

    it.scoped(`agree on pages, maps and usage (${version})`, function* () {
      const { url } = yield* wide
      const scrape = yield* Scrape
      const scraped = yield* version === "v1" ? scrape.run({ url }, { version }) : scrape.run({ url })
      expect(scraped.data.markdown).toContain("# Start")
      expect((yield* (yield* SiteMap).run({ url }, { version })).links.length).toBeGreaterThanOrEqual(30)
      const usage = yield* TokenUsage
      const before = (yield* usage.historical({ version })).periods.at(-1)?.totalTokens ?? 0
      yield* version === "v1" ? scrape.run({ url }, { version }) : scrape.run({ url })
      expect((yield* usage.historical({ version })).periods.at(-1)?.totalTokens).toBe(before + 15)
      expect((yield* usage.historical({ version, byApiKey: true })).periods[0]?.apiKey).toBe("first")
      expect((yield* usage.balance({ version })).data.remainingTokens).toBeGreaterThan(0)
      expect((yield* usage.credits({ version })).data.remainingCredits).toBeGreaterThan(0)
    })
  }

  it.scoped("agree on a search over what was gathered", function* () {
    const { url } = yield* site(() =>
      page("Quokka", [], "The quokka is a small wallaby that lives on Rottnest Island.")
    )
    yield* (yield* Scrape).run({ url })
    const { data, creditsUsed } = yield* (yield* Search).run({
      query: "quokka wallaby",
      scrapeOptions: { formats: ["markdown"] }
    })
    expect(data.web?.[0]).toMatchObject({
      title: "Quokka",
      position: 1,
      markdown: expect.stringContaining("Rottnest")
    })
    expect(creditsUsed).toBe(3)
    expect((yield* (yield* Search).run({ query: "zyzzyva" })).warning).toBeTypeOf("string")
  })

  it.scoped.skipIf(skipsLong)(
    "agree that a paid call is repeated under its key for nothing, and that the key is for no other",
    function* () {
      const { url } = yield* wide
      const [scrape, search, map, parse] = yield* Effect.all([Scrape, Search, SiteMap, Parse])
      const usage = yield* TokenUsage
      const credits = Effect.map(usage.historicalCredits(), ({ periods }) => periods.at(-1)?.totalCredits)
      const file = (title: string) => ({ file: Buffer.from(page(title)), name: "a.html" })
      const key = (name: string) => ({ idempotencyKey: `${name} ${url}` })
      const calls: ReadonlyArray<
        readonly [call: Effect.Effect<unknown, ClientError>, other: Effect.Effect<unknown, ClientError>]
      > = [
        [scrape.run({ url }, key("scrape")), scrape.run({ url, formats: ["links"] }, key("scrape"))],
        [search.run({ query: "start" }, key("search")), search.run({ query: "end" }, key("search"))],
        [map.run({ url }, key("map")), map.run({ url, limit: 1 }, key("map"))],
        [parse.parse(file("A"), {}, key("parse")), parse.parse(file("B"), {}, key("parse"))]
      ]
      for (const [call, other] of calls) {
        const first = yield* call
        const paid = yield* credits
        expect(yield* call).toEqual(first)
        expect((yield* Effect.flip(other))._tag).toBe("Conflict")
        expect(yield* credits).toBe(paid)
      }
    }
  )

  it.effect.skipIf(skipsLong)("agree on an upload, a preview, and what the team may do at once", function* () {
    const parse = yield* Parse
    const parsed = yield* parse.parse(
      { file: Buffer.from(page("Minutes")), name: "minutes.html" },
      { formats: ["markdown"] }
    )
    expect(parsed.data.markdown).toContain("# Minutes")
    const preview = yield* (yield* CrawlPreview).run({ url: "https://a.example/", prompt: "at most 12 pages" })
    expect(preview.data.limit).toBe(12)
    const usage = yield* TokenUsage
    expect((yield* usage.concurrency()).maxConcurrency).toBe(32)
    expect((yield* usage.queueStatus()).maxConcurrency).toBe(32)
    expect((yield* usage.historicalCredits()).periods).toHaveLength(1)
  })

  it.scoped(
    "agree on what fails: the wrong key, the wrong team, the wrong id, the wrong body, what is not built",
    function* () {
      const crawl = yield* Crawl
      const tag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
      expect(yield* tag(crawl.status(missing))).toBe("JobNotFound")
      expect(yield* tag(crawl.status("nonsense"))).toBe("InvalidRequest")
      expect(yield* tag(crawl.start({ url: "https://a.example/", includePaths: ["("] }))).toBe("InvalidRequest")
      const { url } = yield* wide
      const { id } = yield* crawl.start({ url })
      const asStranger = Effect.provide(
        Effect.flatMap(Crawl, (crawl) => tag(crawl.status(id))),
        clientWith(keys.stranger)
      )
      expect(yield* asStranger).toBe("JobNotFound")
      const asNobody = Effect.provide(
        Effect.flatMap(Crawl, (crawl) => tag(crawl.status(id))),
        clientWith("fc-wrong")
      )
      expect(yield* asNobody).toBe("Unauthorized")
      const browser = yield* Browser
      expect((yield* Effect.flip(browser.create())).message).toContain("no browser sessions")
      expect(yield* browser.list()).toEqual({ success: true, sessions: [] })
      for (const call of [browser.delete("x"), browser.execute("x", { code: "1" })]) {
        expect((yield* Effect.flip(call)).message).toContain("Browser session not found")
      }
    }
  )
})
