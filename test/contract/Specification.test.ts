/** What the interface description says of the details of requests and answers. */
import { describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { withoutTeam } from "../../src/Engine/Teams/Keys.ts"
import { pages } from "../Engine/Scrape/Site.ts"
import { drain, Local, layer as local, page, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"

const day = () => {
  const date = new Date(Date.now() - 86_400_000)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

layer(local)("by the specification", (it) => {
  it.scoped("a search applies tbs and location at the top to sources that are objects without their own", () =>
    Effect.gen(function* () {
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
  )

  it.scoped(
    "sources and categories may be names and objects, mixed, and asked sources without hits are empty arrays",
    () =>
      Effect.gen(function* () {
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
      })
  )

  it.scoped("a result that cannot be scraped has a status beside its error", () =>
    Effect.gen(function* () {
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
  )

  it.scoped.skipIf(skipsLong)("an ended job gives all its documents in one answer, up to 10 MB", () =>
    Effect.gen(function* () {
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
  )

  it.scoped("an active crawl lists formats and parsers as strings, and masks secret headers alone", () =>
    Effect.gen(function* () {
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
  )

  it.scoped("the delay of a preview is a whole number of seconds", () =>
    Effect.gen(function* () {
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
  )

  it.scoped("lengths count characters, not the units of their encoding", () =>
    Effect.gen(function* () {
      const { call } = yield* Local
      const status = (path: string, body: object) => Effect.map(call.post(path, body), ({ status }) => status)
      expect(yield* status("/v2/search", { query: "🚤".repeat(500) })).toBe(200)
      expect(yield* status("/v2/search", { query: "🚤".repeat(501) })).toBe(400)
      const preview = (prompt: string) => status("/v2/crawl/params-preview", { url: "https://example.com", prompt })
      expect(yield* preview("🚤".repeat(10_000))).toBe(200)
      expect(yield* preview("🚤".repeat(10_001))).toBe(400)
      const profile = (name: string) => status("/v2/browser", { profile: { name } })
      expect(yield* profile("🚤".repeat(129))).toBe(400)
      expect(yield* profile("")).toBe(400)
    })
  )

  it.scoped("a map takes what the public API documents", () =>
    Effect.gen(function* () {
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
  )
})

describe("keys", () => {
  const key = (digit: string) => `fc-${digit.repeat(32)}`
  it("without a team beside others are named in a warning", () => {
    const warningOf = (text: string) => withoutTeam(Redacted.make(text))
    expect(warningOf(`anna:${key("a")}`)).toBeUndefined()
    expect(warningOf(`shop/anna:${key("a")},blog/ben:${key("b")}`)).toBeUndefined()
    expect(warningOf(`anna:${key("a")},ben:${key("b")}`)).toContain("anna, ben")
    expect(warningOf(`anna:${key("a")},blog/ben:${key("b")}`)).toMatch(/: anna\./)
    expect(warningOf(`anna:${key("a")},blog/ben:${key("b")}`)).not.toContain(key("a"))
  })
})
