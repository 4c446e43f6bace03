/** Behaviour beyond the contract that clients rely on: defaults, bounds, refusals, the shape of every response. */

import * as Effect from "effect/Effect"
import { WebSocket } from "ws"
import { describe, expect, layer } from "../It.ts"
import { type Caller, caller, drain, Local, layer as local, page, type Reply, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"

const slow = site((path) => (path === "/robots.txt" ? undefined : { body: page(path, ["/a", "/b"]), delay: 4_000 }))

const quick = site((path) =>
  path === "/sitemap.xml"
    ? { headers: { "content-type": "application/xml" }, body: "<urlset></urlset>", delay: 300 }
    : path === "/robots.txt"
      ? undefined
      : /^\/5\d\d$/.test(path)
        ? { status: Number(path.slice(1)), body: page("Broken") }
        : page(path)
)

const isBadRequest = (path: ReadonlyArray<string | number>) => ({
  status: 400,
  json: { success: false, code: "BAD_REQUEST", error: expect.any(String), details: [{ path }] }
})

const noJob = "00000000-0000-4000-8000-000000000000"

/** Starts a job that does not end by itself. */
const start = (call: Caller, path: string, body: object): Effect.Effect<string> =>
  Effect.map(call.post(path, body), ({ json }) => `${path}/${json.id}`)

layer(local, { excludeTestServices: true })("on the wire", (it) => {
  describe("requests", () => {
    const bodies = (url: string): ReadonlyArray<readonly [string, object]> => [
      ["/scrape", { url }],
      ["/map", { url, sitemap: "skip" }],
      ["/batch/scrape", { urls: [url] }],
      ["/crawl", { url, limit: 1, sitemap: "skip" }],
      ["/search", { query: "nothing has this" }]
    ]

    it.scoped.skipIf(skipsLong)("may name who sends them, on every endpoint", function* () {
      const { call } = yield* Local
      const { url } = yield* quick
      const sender = { origin: "js-sdk@4", integration: "elsewhere" }
      for (const [path, body] of bodies(url)) {
        expect((yield* call.post(`/v2${path}`, { ...body, ...sender })).status, path).toBe(200)
        if (path !== "/search") expect((yield* call.post(`/v1${path}`, { ...body, ...sender })).status).toBe(200)
      }
      const preview = { url, prompt: "5 pages", ...sender }
      expect((yield* call.post("/v2/crawl/params-preview", preview)).status).toBe(200)
    })

    it.scoped("of version 2 say nothing that is not understood; older ones, and previews, may", function* () {
      const { call } = yield* Local
      const { url } = yield* quick
      for (const [path, body] of bodies(url)) {
        const reply = yield* call.post(`/v2${path}`, { ...body, nonsense: 1 })
        expect(reply, path).toMatchObject(isBadRequest(["nonsense"]))
        expect(reply.json.error).toBe('Unrecognized key "nonsense"')
        if (path !== "/search") expect((yield* call.post(`/v1${path}`, { ...body, nonsense: 1 })).status).toBe(200)
      }
      const preview = { url, prompt: "5 pages", nonsense: 1 }
      expect((yield* call.post("/v2/crawl/params-preview", preview)).status).toBe(200)
    })

    it.effect("are held to their bounds, at both ends", function* () {
      const { call } = yield* Local
      const url = "http://127.0.0.1:1/"
      const cases: ReadonlyArray<readonly [string, object, ReadonlyArray<string | number>]> = [
        ["/v2/search", { query: "" }, ["query"]],
        ["/v2/search", { query: "x".repeat(501) }, ["query"]],
        ["/v2/search", { query: "x", limit: 0 }, ["limit"]],
        ["/v2/search", { query: "x", limit: 101 }, ["limit"]],
        ["/v2/search", { query: "x", tbs: "qdr:q" }, ["tbs"]],
        ["/v2/search", { query: "x", includeDomains: ["https://a.example/b"] }, ["includeDomains", 0]],
        ["/v2/search", { query: "x", enterprise: ["all"] }, ["enterprise", 0]],
        ["/v2/crawl/params-preview", { url, prompt: "x".repeat(10_001) }, ["prompt"]],
        ["/v2/crawl/params-preview", { url: "nowhere", prompt: "x" }, ["url"]],
        ["/v2/crawl/params-preview", { url }, ["prompt"]],
        ["/v2/scrape", { url: "ftp://a.example/" }, ["url"]],
        ["/v2/scrape", { url, timeout: 999 }, ["timeout"]],
        ["/v2/scrape", { url, timeout: 300_001 }, ["timeout"]],
        ["/v2/scrape", { url, waitFor: -1 }, ["waitFor"]],
        ["/v2/scrape", { url, maxAge: -1 }, ["maxAge"]],
        ["/v2/scrape", { url, profile: { name: "" } }, ["profile", "name"]],
        ["/v2/scrape", { url, profile: { name: "x".repeat(129) } }, ["profile", "name"]],
        ["/v2/crawl", { url, limit: 0 }, ["limit"]],
        ["/v2/crawl", { url, delay: -1 }, ["delay"]],
        ["/v2/batch/scrape", { urls: [] }, ["urls"]],
        ["/v2/map", { url, sitemap: "all" }, ["sitemap"]],
        ["/v2/browser", { ttl: 29 }, ["ttl"]],
        ["/v2/browser", { ttl: 3601 }, ["ttl"]],
        ["/v2/browser", { activityTtl: 9 }, ["activityTtl"]],
        ["/v2/browser", { profile: { name: "x".repeat(129) } }, ["profile", "name"]]
      ]
      for (const [path, body, at] of cases) {
        expect(yield* call.post(path, body), JSON.stringify([path, at])).toMatchObject(isBadRequest(at))
      }
      const wrong = yield* call.post("/v2/search", { query: "x", enterprise: ["all"] })
      expect(wrong.json.error).toBe('enterprise.0: Expected "zdr" or "anon" or "default", actual "all"')
      const longest = { query: "x".repeat(500), limit: 100, tbs: "sbd:1,qdr:w" }
      expect((yield* call.post("/v2/search", longest)).status).toBe(200)
    })

    it.effect("for uploads are refused what makes no sense for a file, by name", function* () {
      const { call } = yield* Local
      const unsupported = ["actions", "waitFor", "mobile", "location", "screenshot", "changeTracking", "branding"]
      for (const name of unsupported) {
        const option = {
          actions: { actions: [{ type: "wait", milliseconds: 1 }] },
          waitFor: { waitFor: 1 },
          mobile: { mobile: true },
          location: { location: { country: "DE" } }
        }[name] ?? { formats: [name] }
        const body = new FormData()
        body.append("options", JSON.stringify(option))
        body.append("file", new Blob([page("x")]), "x.html")
        const reply = yield* call.send("/v2/parse", { method: "POST", body })
        expect(reply, name).toMatchObject({ status: 400, json: { code: "PARSE_UNSUPPORTED_OPTIONS" } })
        expect(reply.json.error).toContain(name)
      }
    })

    it.scoped("belong to a team: another team's jobs do not exist, in any operation", function* () {
      const { baseUrl, call, stranger } = yield* Local
      const { url } = yield* slow
      const batch = yield* start(call, "/v2/batch/scrape", { urls: [url] })
      const crawl = yield* start(call, "/v2/crawl", { url })
      const notFound = { status: 404, json: { success: false, error: "Job not found" } }
      for (const path of [batch, crawl]) {
        for (const at of [path, path.replace("/v2", "/v1")]) {
          expect(yield* stranger.get(at)).toMatchObject(notFound)
          expect(yield* stranger.get(`${at}/errors`)).toMatchObject(notFound)
          expect(yield* stranger.del(at)).toMatchObject(notFound)
        }
        expect((yield* call.get(path)).json.status).toBe("scraping")
      }
      expect((yield* stranger.get("/v2/crawl/active")).json.crawls).toEqual([])
      expect(yield* call.get(`/v2/crawl/${noJob}`)).toMatchObject(notFound)
      expect(yield* caller(baseUrl, "").get(batch)).toMatchObject({ status: 401 })
      const more = { urls: [url], appendToId: batch.split("/").at(-1) }
      expect(yield* stranger.post("/v2/batch/scrape", more)).toMatchObject(notFound)
      yield* call.del(batch)
      yield* call.del(crawl)
    })
  })

  describe("pages", () => {
    it.scoped("that answer 5xx are documents that say so", function* () {
      const { call } = yield* Local
      const { url } = yield* quick
      for (const statusCode of [500, 503]) {
        expect(yield* call.post("/v2/scrape", { url: `${url}/${statusCode}` })).toMatchObject({
          status: 200,
          json: { success: true, data: { metadata: { statusCode, error: expect.any(String) } } }
        })
      }
    })

    it.scoped.skipIf(skipsLong)("and maps that take too long are 408, each with its code", function* () {
      const { call } = yield* Local
      const { url } = yield* slow
      const [scraped, mapped] = yield* Effect.all(
        [call.post("/v2/scrape", { url, timeout: 1_000 }), call.post("/v2/map", { url, timeout: 500 })],
        { concurrency: 2 }
      )
      expect(scraped).toMatchObject({ status: 408, json: { success: false, code: "SCRAPE_TIMEOUT" } })
      expect(mapped).toMatchObject({ status: 408, json: { success: false, code: "MAP_TIMEOUT" } })
    })
  })

  describe("jobs", () => {
    it.scoped("are never completed with nothing before the first page is known", function* () {
      const { call } = yield* Local
      const { url } = yield* quick
      const path = yield* start(call, "/v2/crawl", { url, sitemap: "only" })
      const { json } = yield* call.get(path)
      expect(json).toMatchObject({ success: true, status: "scraping", total: 0, completed: 0, data: [] })
      expect(json.next).toBe(`${call.baseUrl}${path}?skip=0`)
      yield* drain(call, path)
    })

    it.scoped(
      "say how to go on until everything is read, with the limit that was asked for, in either version",
      function* () {
        const { call } = yield* Local
        const { url } = yield* quick
        for (const version of ["/v1", "/v2"]) {
          const path = yield* start(call, `${version}/batch/scrape`, { urls: ["/1", "/2", "/3"].map((at) => url + at) })
          yield* drain(call, path)
          const first = (yield* call.get(`${path}?limit=2`)).json
          expect(first.next).toBe(`${call.baseUrl}${path}?skip=2&limit=2`)
          const second = (yield* call.get(first.next)).json
          expect(second.data).toHaveLength(1)
          expect(second).not.toHaveProperty("next")
          expect((yield* call.get(`${path}?skip=1`)).json.data).toEqual([first.data[1], second.data[0]])
          expect(Object.keys(first).sort()).toEqual(
            ["completed", "creditsUsed", "data", "expiresAt", "next", "status", "success", "total"].sort()
          )
          expect("url" in first.data[0].metadata).toBe(version === "/v2")
        }
      }
    )

    it.scoped("tell their errors without an envelope, and their cancellation once", function* () {
      const { call } = yield* Local
      const { url } = yield* slow
      for (const version of ["/v1", "/v2"]) {
        const path = yield* start(call, `${version}/batch/scrape`, { urls: [url] })
        expect((yield* call.get(`${path}/errors`)).json).toEqual({ errors: [], robotsBlocked: [] })
        expect(yield* call.del(path)).toMatchObject({ status: 200, json: { status: "cancelled" } })
        expect(yield* call.del(path)).toMatchObject({ status: 409, json: { success: false } })
      }
    })

    it.scoped("are listed while they run with all given and resolved options, in each version's words", function* () {
      const { call } = yield* Local
      const { url } = yield* slow
      const scrapeOptions = { formats: ["markdown", { type: "changeTracking", modes: ["git-diff"], tag: "t" }] }
      const path = yield* start(call, "/v2/crawl", { url, delay: 0.5, scrapeOptions })
      const of = (version: string) =>
        Effect.map(call.get(`/${version}/crawl/active`), ({ json }: Reply) =>
          json.crawls.find(({ id }: { readonly id: string }) => path.endsWith(id))
        )
      const v2 = yield* of("v2")
      expect(v2).toMatchObject({
        teamId: expect.any(String),
        url: `${url}/`,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        options: {
          limit: 10_000,
          sitemap: "include",
          deduplicateSimilarURLs: true,
          ignoreRobotsTxt: false,
          delay: 0.5
        }
      })
      expect(v2.options).not.toHaveProperty("maxDiscoveryDepth")
      const shared = { onlyMainContent: true, blockAds: true, removeBase64Images: true, timeout: 30_000 }
      expect(v2.options.scrapeOptions).toMatchObject({
        ...shared,
        formats: ["markdown", "changeTracking"],
        onlyCleanContent: false,
        lockdown: false
      })
      const v1 = (yield* of("v1")).options.scrapeOptions
      expect(v1).toMatchObject({
        ...shared,
        formats: ["markdown", "changeTracking"],
        changeTrackingOptions: { modes: ["git-diff"], tag: "t" },
        parsePDF: true
      })
      for (const absent of ["onlyCleanContent", "minAge", "parsers", "lockdown", "profile"]) {
        expect(v1).not.toHaveProperty(absent)
      }
      yield* call.del(path)
    })

    it.scoped("that run are listed without the secrets in their requests, in either version", function* () {
      const { call } = yield* Local
      const { url } = yield* slow
      const secrets = ["s3cret-key", "s3cret-cookie", "s3cret-hook", "s3cret-signature", "s3cret-user", "s3cret-pass"]
      const [key, cookie, hook, signature, user, pass] = secrets
      const at = url.replace("//", `//${user}:${pass}@`)
      const headers = { Authorization: `Bearer ${key}`, "X-Any-Name": "plain", Cookie: `session=${cookie}` }
      const webhook = { url: `${url}/hook?${hook}`, headers: { "x-hook": hook }, secret: signature }
      const scrapeOptions = { headers, formats: ["markdown"], waitFor: 0 }
      const ids: Array<string> = []
      for (const path of ["/v2/crawl", "/v1/crawl"]) {
        const { json } = yield* call.post(path, { url: at, limit: 3, scrapeOptions, webhook })
        ids.push(json.id)
      }
      for (const version of ["v1", "v2"]) {
        const { json } = yield* call.get(`/${version}/crawl/active`)
        const crawls = json.crawls.filter(({ id }: { readonly id: string }) => ids.includes(id))
        expect(crawls).toHaveLength(2)
        for (const crawl of crawls) {
          // The names are no secrets, and neither are values of headers that are not known to hold any.
          expect(crawl.options.scrapeOptions.headers).toEqual({
            Authorization: "***",
            "X-Any-Name": "plain",
            Cookie: "***"
          })
          expect(crawl.url).toBe(`${url}/`)
          for (const secret of secrets) expect(JSON.stringify(crawl)).not.toContain(secret)
        }
      }
      for (const id of ids) yield* call.del(`/v2/crawl/${id}`)
    })

    it.scoped.skipIf(skipsLong)(
      "have the metadata of the version that is asked, whichever version started them",
      function* () {
        const { baseUrl, call } = yield* Local
        const { url } = yield* quick
        const urls = [`${url}/a`, `${url}/500`, "http://127.0.0.1:1/"]
        const own = { url: expect.any(String), concurrencyLimited: expect.any(Boolean) }
        const watched = (path: string) =>
          Effect.async<ReadonlyArray<{ readonly metadata: object }>>((resume) => {
            const headers = { authorization: `Bearer fc-${"a".repeat(32)}` }
            const socket = new WebSocket(baseUrl.replace("http", "ws") + path, { headers })
            socket.on("message", (data) => resume(Effect.succeed(JSON.parse(String(data)).data.data)))
          })
        for (const startedBy of [1, 2]) {
          for (const [path, body, count] of [
            ["batch/scrape", { urls, maxConcurrency: 1 }, urls.length],
            ["crawl", { url: `${url}/`, limit: 1 }, 1]
          ] as const) {
            const { json } = yield* call.post(`/v${startedBy}/${path}`, body)
            const { data: latest } = yield* drain(call, `/v2/${path}/${json.id}`)
            const { data: oldest } = yield* drain(call, `/v1/${path}/${json.id}`)
            expect(latest).toHaveLength(count)
            for (const { metadata } of latest) expect(metadata).toMatchObject(own)
            const shared = latest.map(({ metadata, ...document }) => {
              const { url: _, concurrencyLimited: __, concurrencyQueueDurationMs: ___, ...rest } = metadata
              return { ...document, metadata: rest }
            })
            expect(oldest).toEqual(shared)
            expect((yield* call.get(`/v1/${path}/${json.id}?limit=1`)).json.data).toEqual(shared.slice(0, 1))
            expect(yield* watched(`/v1/${path}/${json.id}`)).toEqual(oldest)
            expect(yield* watched(`/v2/${path}/${json.id}`)).toEqual(latest)
          }
        }
      }
    )

    it.scoped("that failed before an old client watches them tell it so before they close", function* () {
      const { baseUrl, call } = yield* Local
      const { url } = yield* quick
      const path = yield* start(call, "/v1/crawl", { url: `${url}/500`, ignoreSitemap: true })
      const { last } = yield* drain(call, path)
      expect(last).toMatchObject({ success: true, status: "failed", error: expect.any(String) })
      const types = yield* Effect.async<ReadonlyArray<string>>((resume) => {
        const headers = { authorization: `Bearer fc-${"a".repeat(32)}` }
        const socket = new WebSocket(baseUrl.replace("http", "ws") + path, { headers })
        const seen: Array<string> = []
        socket.on("message", (data) => seen.push(JSON.parse(String(data)).type))
        socket.on("close", (code, reason) => resume(Effect.succeed([...seen, `${code}`, `${reason}`])))
      })
      expect(types).toEqual(["catchup", "error", "1000", '{"type":"failed"}'])
    })
  })

  describe("usage", () => {
    it.effect("names keys when it is asked to, never their secret, in months that follow one another", function* () {
      const { call } = yield* Local
      const [all, byKey] = yield* Effect.all([
        call.get("/v2/team/token-usage/historical?byApiKey=false"),
        call.get("/v1/team/token-usage/historical?byApiKey=true")
      ])
      for (const { apiKey, endDate, startDate, tokensUsed, totalTokens } of all.json.periods) {
        expect([apiKey, tokensUsed]).toEqual([undefined, totalTokens])
        expect(endDate).toMatch(/T23:59:59.999Z$/)
        expect(startDate).toMatch(/-01T00:00:00\.000Z$/)
        expect(totalTokens % 15).toBe(0)
      }
      expect(byKey.json.periods[0].apiKey).toBe("first")
      expect(byKey.text).not.toContain("fc-")
      expect(yield* call.get("/v2/team/token-usage/historical?byApiKey=maybe")).toMatchObject({ status: 400 })
    })
  })
})
