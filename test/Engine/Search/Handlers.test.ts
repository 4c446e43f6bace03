/** Search over HTTP: results, credits and scraped content. */
import type { IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Team } from "../../../src/Api/Auth.ts"
import { migrate } from "../../../src/Database/Migration.ts"
import { run } from "../../../src/Engine/Handlers/SearchHandlers.ts"
import { Scraper } from "../../../src/Engine/Scrape/Scraper.ts"
import * as Index from "../../../src/Engine/Search/SearchIndex.ts"
import { parts } from "../../../src/Engine/Store/Schema.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { expect, it, layer } from "../../It.ts"
import * as Local from "../../Local.ts"
import { alone, scraperOf } from "../Alone.ts"
import { pages } from "../Scrape/Site.ts"
import { emptyStore } from "./MemoryIndex.ts"

const site = Effect.suspend(() => {
  let visits = 0
  return Local.site((path) => {
    // Quick at the first visit only.
    if (path === "/slow") return { body: Local.page("Slow"), delay: visits++ === 0 ? 0 : 20_000 }
    if (path === "/gone") return undefined
    return Local.page(`Harbour ${path}`, ["/gone"], `The harbour pilot of ${path} brings ships in.`)
  })
})

/** Scrapes pages, so that they are in the index. */
const gather = (call: Local.Caller, urls: ReadonlyArray<string>) =>
  Effect.forEach(urls, (url) => call.post("/v2/scrape", { url }), { discard: true })

const paths = (results: ReadonlyArray<{ readonly url: string }>) =>
  results.map(({ url }) => new URL(url).pathname).sort()

it.scopedLive("refuses formats that search results cannot have, before it searches", function* () {
  const call = Local.caller((yield* Local.engine()).baseUrl, Local.keys.first)
  const status = (formats: ReadonlyArray<string>) =>
    Effect.map(call.post("/v2/search", { query: "x", scrapeOptions: { formats } }), ({ status }) => status)
  expect(yield* status(["audio"])).toBe(501)
  expect(yield* status(["nonsense"])).toBe(400)
  expect(yield* status(["markdown"])).toBe(200)
})

it.effect("answers 408 when the index is too slow", () =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const held = yield* Effect.fork(sql.withTransaction(Effect.never))
    yield* Effect.yieldNow()
    const asked = yield* Effect.fork(Effect.flip(run({ query: "harbour", timeout: 5000 })))
    yield* TestClock.adjust("5 seconds")
    expect(yield* Fiber.join(asked)).toMatchObject({ _tag: "TimedOut", code: "SEARCH_TIMEOUT" })
    yield* Fiber.interrupt(held)
  }).pipe(
    Effect.provide(
      Layer.merge(Index.layer, Usage.layer).pipe(
        Layer.provideMerge(Layer.effectDiscard(Effect.flatMap(Sql, (sql) => migrate(sql, parts)))),
        Layer.provideMerge(Layer.merge(emptyStore, alone))
      )
    ),
    Effect.provideService(Team, { id: "team", keyId: "key", keyName: "key" }),
    Effect.provideService(
      Scraper,
      scraperOf(() => Effect.die("nothing was found that could be scraped"))
    )
  )
)

layer(Local.layer)("POST /v2/search", (it) => {
  it.scoped("finds scraped pages, and charges two credits per ten results, rounded up", function* () {
    const { call, stranger } = yield* Local.Local
    const { url } = yield* site
    yield* gather(
      call,
      Array.from({ length: 11 }, (_, i) => `${url}/dock-${i}`)
    )
    const query = `"harbour pilot" site:127.0.0.1 inurl:${new URL(url).port}`
    const ten = yield* call.post("/v2/search", { query })
    expect(ten.status).toBe(200)
    expect(ten.json).toMatchObject({ success: true, creditsUsed: 2, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(ten.json.data.web).toHaveLength(10)
    expect(ten.json.data.web[0].description).toContain("harbour pilot")
    expect((yield* call.post("/v2/search", { query, limit: 20 })).json.creditsUsed).toBe(4)
    expect((yield* call.post("/v2/search", { query, enterprise: ["zdr"] })).json.creditsUsed).toBe(10)
    expect((yield* call.post("/v2/search", { query, enterprise: ["anon"] })).json.creditsUsed).toBe(2)
    const usage = yield* call.get("/v2/team/token-usage/historical")
    expect(usage.json.periods.at(-1).totalTokens).toBe((11 + 2 + 4 + 10 + 2) * 15)
    const none = yield* stranger.post("/v2/search", { query })
    expect(none.json).toMatchObject({ success: true, data: {}, creditsUsed: 0, warning: expect.any(String) })
  })

  it.scoped("reads the publication date of a page, and lists it as news", function* () {
    const { call } = yield* Local.Local
    const published = '<meta property="article:published_time" content="2024-05-06T07:08:09Z">'
    const { url } = yield* Local.site((path) =>
      Local.page(`Regatta ${path}`).replace("<title>", `${path === "/report" ? published : ""}<title>`)
    )
    yield* gather(call, [`${url}/report`, `${url}/club`])
    const query = `regatta inurl:${new URL(url).port}`
    const { json } = yield* call.post("/v2/search", { query, sources: ["news"] })
    expect(json.data.news).toMatchObject([{ url: `${url}/report`, date: "2024-05-06T07:08:09.000Z" }])
    const old = yield* call.post("/v2/search", { query, tbs: "cdr:1,cd_min:05/06/2024,cd_max:05/06/2024" })
    expect(paths(old.json.data.web)).toEqual(["/report"])
    const recent = yield* call.post("/v2/search", { query, tbs: "qdr:w" })
    expect(paths(recent.json.data.web)).toEqual(["/club"])
  })

  it.scoped("finds a page's images and the date in its structured data as soon as it is scraped", function* () {
    const { call } = yield* Local.Local
    const article = '<script type="application/ld+json">{"@type":"Article","datePublished":"2023-04-05"}</script>'
    const figure =
      '<figure><img src="/i/heron.jpg" width="800" height="600" alt="A heron"><figcaption>On the quay</figcaption></figure>'
    const { url } = yield* Local.site((path) =>
      path === "/heron"
        ? Local.page("Herons").replace("</title>", `</title>${article}`).replace("<p>", `${figure}<p>`)
        : undefined
    )
    yield* gather(call, [`${url}/heron`])
    const { json } = yield* call.post("/v2/search", {
      query: `quay heron larger:640x480 site:${new URL(url).host}`,
      sources: ["images"]
    })
    expect(json.data).toEqual({
      images: [
        {
          title: "A heron — On the quay",
          imageUrl: `${url}/i/heron.jpg`,
          imageWidth: 800,
          imageHeight: 600,
          url: `${url}/heron`,
          position: 1
        }
      ]
    })
    expect(json.creditsUsed).toBe(2)
    const news = yield* call.post("/v2/search", { query: `herons site:${new URL(url).host}`, sources: ["news"] })
    expect(news.json.data.news).toMatchObject([
      { url: `${url}/heron`, date: "2023-04-05T00:00:00.000Z", imageUrl: `${url}/i/heron.jpg`, position: 1 }
    ])
  })

  it.scoped("finds a file by its real type, whatever its URL", function* () {
    const { call } = yield* Local.Local
    const { url } = yield* Local.site((path) =>
      path === "/download"
        ? { headers: { "content-type": "application/rtf" }, body: "{\\rtf1 Lighthouse keepers and lamps}" }
        : undefined
    )
    yield* gather(call, [`${url}/download`])
    const query = `lighthouse site:${new URL(url).host}`
    expect(paths((yield* call.post("/v2/search", { query: `${query} filetype:rtf` })).json.data.web)).toEqual([
      "/download"
    ])
    expect((yield* call.post("/v2/search", { query: `${query} -filetype:rtf` })).json.data).toEqual({ web: [] })
  })

  it.scoped("never finds a page that was fetched with credentials or with zero data retention", function* () {
    const { call } = yield* Local.Local
    const { url } = yield* Local.site((path) => Local.page(`Ledger ${path}`, [], "Ledger of the harbour master."))
    const host = new URL(url).host
    yield* call.post("/v2/scrape", { url: `${url}/open`, headers: { "Accept-Language": "de" } })
    yield* call.post("/v2/scrape", { url: `${url}/cookie`, headers: { Cookie: "session=1" } })
    yield* call.post("/v2/scrape", { url: `${url}/token`, headers: { "X-Api-Key": "1" } })
    yield* call.post("/v2/scrape", { url: `http://me:word@${host}/basic` })
    yield* call.post("/v2/scrape", { url: `${url}/unkept`, zeroDataRetention: true })
    yield* call.post("/v2/scrape", { url: `${url}/uncached`, storeInCache: false })
    const started = yield* call.post("/v2/batch/scrape", {
      urls: [`${url}/batch`],
      headers: { authorization: "Bearer 1" }
    })
    const status = call.get(`/v2/batch/scrape/${started.json.id}`)
    yield* Effect.repeat(status, { until: ({ json }) => json.status !== "scraping" })
    const { json } = yield* call.post("/v2/search", { query: `ledger site:${host}` })
    expect(paths(json.data.web)).toEqual(["/open"])
  })

  it.scoped("scrapes the requested formats; a page that fails carries the error in its metadata", function* () {
    const { call } = yield* Local.Local
    const closing = yield* Effect.scoped(Effect.tap(site, ({ url }) => gather(call, [`${url}/closed`])))
    const { url } = yield* site
    yield* gather(call, [`${url}/open`])
    const query = `harbour pilot inurl:${new URL(url).port}/open`
    const open = yield* call.post("/v2/search", { query, scrapeOptions: { formats: ["markdown", "links"] } })
    expect(open.json.data.web[0]).toMatchObject({
      url: `${url}/open`,
      markdown: expect.stringContaining("harbour pilot"),
      links: [`${url}/gone`],
      metadata: { statusCode: 200 }
    })
    expect(open.json.creditsUsed).toBe(3)
    const bare = yield* call.post("/v2/search", { query, scrapeOptions: { onlyMainContent: true } })
    expect(bare.json.data.web[0]).not.toHaveProperty("markdown")
    const failed = yield* call.post("/v2/search", {
      query: `harbour inurl:${new URL(closing.url).port}/closed`,
      scrapeOptions: { formats: ["markdown"] }
    })
    expect(failed.json.creditsUsed).toBe(2)
    expect(failed.json.data.web[0]).toMatchObject({
      title: "Harbour /closed",
      metadata: { error: expect.any(String) }
    })
  })

  it.scoped(
    "sends the headers of scrapeOptions to the results' hosts, but secret ones only to hosts named in the request",
    function* () {
      const { call } = yield* Local.Local
      const seen: Array<IncomingHttpHeaders> = []
      const origin = yield* pages({
        "/secretary-bird": (request, response) => {
          seen.push(request.headers)
          response.setHeader("content-type", "text/html").end(Local.page("Secretary bird"))
        }
      })
      yield* gather(call, [`${origin}/secretary-bird`])
      const search = (headers: Record<string, string>) =>
        call.post("/v2/search", {
          query: `secretary inurl:${new URL(origin).port}`,
          scrapeOptions: { formats: ["markdown"], headers }
        })
      const names = [
        "Authorization",
        "COOKIE",
        "X-Api-Key",
        "x-csrf-token",
        "X-Auth",
        "X-Key",
        "x-passwd",
        "X-Signature"
      ]
      const secrets = Object.fromEntries(names.map((name) => [name, "hush"]))
      const { json } = yield* search({
        ...secrets,
        "X-Trace": "1",
        "X-Author": "me",
        "X-Keyword": "bird",
        "Accept-Language": "de"
      })
      expect(json.data.web[0].markdown).toContain("Secretary bird")
      expect(json.warning).toBe(
        `These headers may be secrets, so they were not sent to the hosts of the results: ${names.join(", ")}.`
      )
      expect(seen.at(-1)).toMatchObject({ "x-trace": "1", "x-author": "me", "accept-language": "de" })
      for (const name of Object.keys(secrets)) expect(seen.at(-1)).not.toHaveProperty(name.toLowerCase())
      expect((yield* search({ "X-Trace": "1" })).json).not.toHaveProperty("warning")
    }
  )

  it.scoped("returns partial results when the timeout passes during scraping", function* () {
    const { call } = yield* Local.Local
    const { url } = yield* site
    yield* gather(call, [`${url}/slow`, `${url}/quick`])
    const reply = yield* call.post("/v2/search", {
      query: `inurl:${new URL(url).port}`,
      timeout: 700,
      scrapeOptions: { formats: ["markdown"] }
    })
    expect(paths(reply.json.data.web)).toEqual(["/quick", "/slow"])
    const slow = reply.json.data.web.find(({ url }: { readonly url: string }) => url.endsWith("/slow"))
    expect(slow.metadata.error).toContain("timeout")
    expect(reply.json.creditsUsed).toBe(3)
  })

  it.scoped("refuses both domain lists, an unknown key and a wrong time filter", function* () {
    const { call } = yield* Local.Local
    const both = yield* call.post("/v2/search", { query: "a", includeDomains: ["a.com"], excludeDomains: ["b.com"] })
    expect(both.status).toBe(400)
    expect(both.text).toContain("includeDomains and excludeDomains cannot both be specified")
    expect((yield* call.post("/v2/search", { query: "a", tbs: "soon" })).status).toBe(400)
    expect((yield* call.post("/v2/search", { query: "a", nope: 1 })).status).toBe(400)
  })
})
