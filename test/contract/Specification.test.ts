/** What the interface description says of the details of requests and answers. */
import type { ServerResponse } from "node:http"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Keys from "../../src/Engine/Teams/Keys.ts"
import { pages } from "../Engine/Scrape/Site.ts"
import { describe, expect, it, layer } from "../It.ts"
import { drain, Local, layer as local, page, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"

const day = () => {
  const date = new Date(Date.now() - 86_400_000)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

layer(local)("by the specification", (it) => {
  it.scoped("a search applies tbs and location at the top to sources that are objects without their own", function* () {
    const { call } = yield* Local
    const { url } = yield* site((path) => page(`Barge ${path}`, [], "The barge carries gravel to the lock."))
    yield* call.post("/v2/scrape", { url: `${url}/a` })
    const query = `barge inurl:${new URL(url).port}`
    const search = (more: object) => call.post("/v2/search", { query, sources: [{ type: "web" }], ...more })
    expect((yield* search({})).json.data.web).toHaveLength(1)
    const past = { tbs: `cdr:1,cd_min:01/01/2001,cd_max:${day()}` }
    const none = yield* search(past)
    expect(none.json.data.web).toEqual([])
    expect(none.json.warning).not.toContain("tbs")
    expect((yield* search({ ...past, sources: [{ type: "web", tbs: "qdr:d" }] })).json.data.web).toHaveLength(1)
    expect((yield* search({ location: "Germany" })).json.warning).toContain("location")
  })

  it.scoped(
    "sources and categories may be names and objects, mixed, and asked sources without hits are empty arrays",
    function* () {
      const { call } = yield* Local
      const { json, status } = yield* call.post("/v2/search", {
        query: "zyzzyva nothing has",
        sources: ["web", { type: "news", limit: 3 }, "images"],
        categories: ["pdf", { type: "github" }]
      })
      expect(status).toBe(200)
      expect(json.data).toEqual({ web: [], news: [], images: [] })
      const wrong = yield* call.post("/v2/search", { query: "x", sources: ["web", { type: "video" }] })
      expect(wrong.status).toBe(400)
    }
  )

  it.scoped("a result that cannot be scraped has a status beside its error", function* () {
    const { call } = yield* Local
    let isGone = false
    const { url } = yield* site(() =>
      isGone
        ? { headers: { "content-type": "image/png" }, body: Buffer.from("89504e470d0a1a0a0000000d", "hex") }
        : page("Weir", [], "The weir holds back the river.")
    )
    yield* call.post("/v2/scrape", { url: `${url}/weir` })
    isGone = true
    const { json } = yield* call.post("/v2/search", {
      query: `weir inurl:${new URL(url).port}`,
      scrapeOptions: { formats: ["markdown"] }
    })
    expect(json.data.web).toMatchObject([{ metadata: { statusCode: 415, error: expect.any(String) } }])
  })

  it.scoped.skipIf(skipsLong)("an ended job gives all its documents in one answer, up to 10 MB", function* () {
    const { call } = yield* Local
    const { url } = yield* site((path) => page(`Lock ${path}`))
    const urls = Array.from({ length: 130 }, (_, n) => `${url}/${n}`)
    for (const version of ["v1", "v2"]) {
      const { json } = yield* call.post(`/${version}/batch/scrape`, { urls })
      yield* drain(call, `/${version}/batch/scrape/${json.id}`)
      const ended = yield* call.get(`/${version}/batch/scrape/${json.id}`)
      expect(ended.json).toMatchObject({ status: "completed", total: 130 })
      expect(ended.json.data).toHaveLength(130)
      expect(ended.json.next ?? null).toBeNull()
      const part = yield* call.get(`/${version}/batch/scrape/${json.id}?limit=100`)
      expect(part.json.data).toHaveLength(100)
      expect(part.json.next).toContain("skip=100")
    }
  })

  it.scoped("an active crawl lists formats and parsers as strings, and masks secret headers alone", function* () {
    const { call } = yield* Local
    const { url } = yield* site(() => ({ body: page("Slow", ["/b"]), delay: 2_000 }))
    const started = yield* call.post("/v2/crawl", {
      url,
      scrapeOptions: {
        formats: ["markdown", { type: "links" }],
        parsers: [{ type: "pdf", maxPages: 3 }],
        headers: { "accept-language": "de", authorization: "Bearer x" }
      }
    })
    for (const version of ["v1", "v2"]) {
      const { json } = yield* call.get(`/${version}/crawl/active`)
      const { scrapeOptions } = json.crawls.find(({ id }: { readonly id: string }) => id === started.json.id).options
      expect(scrapeOptions).toMatchObject({
        formats: ["markdown", "links"],
        headers: { "accept-language": "de", authorization: "***" },
        ...(version === "v2" ? { parsers: ["pdf"] } : { parsePDF: true })
      })
    }
    yield* call.del(`/v2/crawl/${started.json.id}`)
  })

  it.scoped("the delay of a preview is a whole number of seconds", function* () {
    const { call } = yield* Local
    for (const [prompt, delay] of [
      ["wait 1.5 seconds between requests", 2],
      ["4 requests per second", 1],
      ["delay: 3", 3]
    ] as const) {
      const { json } = yield* call.post("/v2/crawl/params-preview", { url: "https://example.com", prompt })
      expect(json.data.delay, prompt).toBe(delay)
    }
  })

  it.scoped("lengths count characters, not the units of their encoding", function* () {
    const { call } = yield* Local
    const status = (path: string, body: object) => Effect.map(call.post(path, body), ({ status }) => status)
    expect(yield* status("/v2/search", { query: "🚤".repeat(500) })).toBe(200)
    expect(yield* status("/v2/search", { query: "🚤".repeat(501) })).toBe(400)
    const preview = (prompt: string) => status("/v2/crawl/params-preview", { url: "https://example.com", prompt })
    expect(yield* preview("🚤".repeat(10_000))).toBe(200)
    expect(yield* preview("🚤".repeat(10_001))).toBe(400)
    const profile = (name: string) => status("/v2/browser", { profile: { name } })
    expect(yield* profile("🚤".repeat(129))).toBe(400)
    // Profile names are counted where no browser has to start: an engine without one answers 503.
    expect(yield* profile("🚤".repeat(128))).not.toBe(400)
    for (const version of ["v1", "v2"]) {
      const crawl = (prompt: string) => status(`/${version}/crawl`, { url: "http://127.0.0.1:9/", limit: 1, prompt })
      expect(yield* crawl("🚤".repeat(10_001)), version).toBe(400)
    }
    expect(yield* profile("")).toBe(400)
  })

  it.scoped("a file has the title, description and language of the page that it is", function* () {
    const { call } = yield* Local
    const site = '<meta property="og:site_name" content="The Tide Office">'
    const open = (title: string) => `<meta property="og:title" content="${title}">`
    const heads = [
      "<title>Tides - The Tide Office</title>",
      `<title>Tides - The Tide Office</title>${site}${open("Tides")}`,
      `${site}${open("Tides")}`,
      `<title></title>${open("Tides")}`,
      '<title>Tides</title><meta name="description" content="High &amp; low"><meta name="keywords" content="sea">',
      ""
    ]
    const pagesOf = heads.map((head) => `<!doctype html><html lang="en"><head>${head}</head><body><h1>Tide</h1><p>x`)
    const url = yield* pages(
      Object.fromEntries(
        pagesOf.map((html, at) => [
          `/${at}`,
          (_: unknown, response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end(html)
        ])
      )
    )
    for (const [at, html] of pagesOf.entries()) {
      const body = new FormData()
      body.append("file", new Blob([html]), "a.html")
      const parsed = yield* call.send("/v2/parse", { method: "POST", body })
      const scraped = yield* call.post("/v2/scrape", { url: `${url}/${at}` })
      expect([parsed.status, scraped.status]).toEqual([200, 200])
      const { description, keywords, language, title } = scraped.json.data.metadata
      const own = parsed.json.data.metadata
      expect([own.title, own.description, own.keywords, own.language], html).toEqual([
        title,
        description,
        keywords,
        language
      ])
    }
  })

  it.scoped("a map takes what the public API documents", function* () {
    const { call } = yield* Local
    let language: string | undefined
    const url = yield* pages({
      "/": (request, response) => {
        language = request.headers["accept-language"]
        response.writeHead(200, { "content-type": "text/html" }).end(page("Map", ["/a"]))
      }
    })
    const { json, status } = yield* call.post("/v2/map", {
      url,
      ignoreCache: true,
      useIndex: false,
      timeout: 20_000,
      location: { country: "DE", languages: ["de"] }
    })
    expect(status).toBe(200)
    expect(json.links.map(({ url }: { readonly url: string }) => url)).toContain(`${url}/a`)
    expect(json.warning).toContain("No proxy in DE")
    expect(language).toMatch(/^de/)
  })
})

describe("keys", () => {
  const key = (digit: string) => `fc-${digit.repeat(32)}`

  it.scoped("without a team are named when the engine starts", NodeContext.layer, function* () {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => void said.push(String(message)))
    const setting = Redacted.make(`anna:${key("a")},blog/ben:${key("b")}`)
    yield* Layer.build(Keys.layer("/nowhere", setting)).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    expect(said).toEqual([expect.stringMatching(/Keys without a team .*: anna\./)])
  })

  it("without a team beside others are named in a warning", () => {
    const warningOf = (text: string) => Keys.withoutTeam(Redacted.make(text))
    expect(warningOf(`anna:${key("a")}`)).toBeUndefined()
    expect(warningOf(`shop/anna:${key("a")},blog/ben:${key("b")}`)).toBeUndefined()
    expect(warningOf(`anna:${key("a")},ben:${key("b")}`)).toContain("anna, ben")
    expect(warningOf(`anna:${key("a")},blog/ben:${key("b")}`)).toMatch(/: anna\./)
    expect(warningOf(`anna:${key("a")},blog/ben:${key("b")}`)).not.toContain(key("a"))
  })
})
