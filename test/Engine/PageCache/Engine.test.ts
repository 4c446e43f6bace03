/** Cached pages and page versions over HTTP. */

import * as Effect from "effect/Effect"
import { describe, expect, layer } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { serve } from "../Scrape/Site.ts"

/** A site whose pages count their requests. */
const marsh = Effect.gen(function* () {
  const times = new Map<string, number>()
  return yield* Local.site((path) => {
    const time = (times.get(path) ?? 0) + 1
    times.set(path, time)
    if (path === "/") return Local.page(`Marsh ${time}`, ["/herons", "/frogs"])
    return path === "/herons" || path === "/frogs" ? Local.page(`${path} ${time}`) : undefined
  })
})

/** Follows a job to its end. */
const finish = (call: Local.Caller, path: string, body: object) =>
  Effect.gen(function* () {
    const { json } = yield* call.post(path, body)
    return yield* Local.drain(call, `${path}/${json.id}`)
  })

const titles = (data: ReadonlyArray<{ metadata: { title: string } }>) =>
  data.map(({ metadata }) => metadata.title).sort()

describe("cached pages", () => {
  layer(Local.layer)("over HTTP", (it) => {
    it.scoped("answer scrapes of v1 and v2, at the usual price", function* () {
      const { call, stranger } = yield* Local.Local
      const { url } = yield* marsh
      yield* call.post("/v2/scrape", { url })
      for (const version of ["v1", "v2"]) {
        const { json, status } = yield* call.post(`/${version}/scrape`, { url, maxAge: 60_000 })
        expect(status).toBe(200)
        expect(json.data.metadata).toMatchObject({
          title: "Marsh 1",
          cacheState: "hit",
          cachedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          creditsUsed: 1
        })
      }
      const theirs = yield* stranger.post("/v2/scrape", { url, maxAge: 60_000 })
      expect(theirs.json.data.metadata).toMatchObject({ title: "Marsh 2", cacheState: "miss" })
    })

    it.scoped("that are missing give 404 with the codes that clients expect, and are free", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const locked = yield* call.post("/v2/scrape", { url: site.url, lockdown: true })
      expect(locked.status).toBe(404)
      expect(locked.json).toMatchObject({ success: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" })
      const old = yield* call.post("/v2/scrape", { url: site.url, minAge: 1 })
      expect(old.status).toBe(404)
      expect(old.json).toMatchObject({ success: false, code: "SCRAPE_NO_CACHED_DATA" })
      expect(site.requests).toEqual([])
    })

    it.scoped("serve a crawl and a batch when the site is down, without a request for robots.txt", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const crawled = yield* finish(call, "/v2/crawl", { url: site.url })
      expect(titles(crawled.data)).toEqual(["/frogs 1", "/herons 1", "Marsh 1"])
      const asked = site.requests.length
      const again = yield* finish(call, "/v2/crawl", { url: site.url, scrapeOptions: { lockdown: true } })
      expect(again.last).toMatchObject({ status: "completed", completed: 3 })
      expect(titles(again.data)).toEqual(titles(crawled.data))
      const urls = [`${site.url}/herons`, `${site.url}/newts`]
      const batch = yield* finish(call, "/v2/batch/scrape", { urls, minAge: 0 })
      expect(batch.last).toMatchObject({ completed: 1, total: 2 })
      expect(batch.data.find(({ metadata }) => metadata.error !== undefined).metadata.error).toContain(
        "The cache has no copy of"
      )
      const young = yield* finish(call, "/v1/batch/scrape", { urls: [`${site.url}/frogs`], maxAge: 60_000 })
      expect(young.data[0].metadata).toMatchObject({ title: "/frogs 1", cacheState: "hit" })
      expect(site.requests.length).toBe(asked)
    })

    it.scoped("are not stored by a search with zero data retention", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site(() => Local.page("Bitterns", [], "Bitterns boom in the reeds."))
      yield* call.post("/v2/scrape", { url: site.url, headers: { "accept-language": "de" } })
      const search = { query: "bitterns boom", scrapeOptions: { formats: ["markdown"] } }
      const found = yield* call.post("/v2/search", { ...search, enterprise: ["zdr"] })
      expect(found.json.data.web[0].markdown).toContain("Bitterns boom")
      expect((yield* call.post("/v2/scrape", { url: site.url, lockdown: true })).status).toBe(404)
      yield* call.post("/v2/search", search)
      expect((yield* call.post("/v2/scrape", { url: site.url, lockdown: true })).status).toBe(200)
    })

    it.scoped.skipIf(skipsLong)(
      "that their site confirms (304) cost nothing and are marked, in scrapes, batches, crawls and searches",
      function* () {
        const { call } = yield* Local.Local
        const etag = '"one"'
        let version = "One"
        const url = yield* serve((request, response) => {
          const links = request.url === "/" ? '<a href="/teals">teals</a><a href="/coots">coots</a>' : ""
          const own = request.url === "/teals" ? `"${version}"` : etag
          if (request.headers["if-none-match"] === own) response.writeHead(304, { etag: own }).end()
          else if (/^\/(?:teals|coots)?$/.test(request.url ?? "")) {
            response.writeHead(200, { "content-type": "text/html", etag: own })
            response.end(`<title>${own}</title><p>Garganeys of ${request.url} sleep by day.</p>${links}`)
          } else response.writeHead(404).end()
        })
        const first = yield* finish(call, "/v2/crawl", { url })
        expect(first.last).toMatchObject({ status: "completed", completed: 3, creditsUsed: 3 })
        version = "Two"
        const again = yield* finish(call, "/v2/crawl", { url })
        expect(again.last).toMatchObject({ status: "completed", completed: 3, creditsUsed: 1 })
        const marks = again.data.map(({ metadata }) => [metadata.sourceURL, metadata.unchanged ?? "fetched"]).sort()
        expect(marks).toEqual([
          [`${url}/`, "notModified"],
          [`${url}/coots`, "notModified"],
          [`${url}/teals`, "fetched"]
        ])
        const batch = yield* finish(call, "/v1/batch/scrape", { urls: [`${url}/coots`, `${url}/teals`] })
        expect(batch.last).toMatchObject({ completed: 2, creditsUsed: 0 })
        const { json } = yield* call.post("/v2/scrape", { url })
        expect(json.data.metadata).toMatchObject({ unchanged: "notModified", creditsUsed: 0, statusCode: 200 })
        const found = yield* call.post("/v2/search", {
          query: "garganeys",
          scrapeOptions: { formats: ["markdown"], onlyMainContent: false }
        })
        expect(found.json.data.web).toHaveLength(3)
        expect(found.json.creditsUsed).toBe(2)
      }
    )

    it.scoped("are compared for change tracking, in v1 and v2, by scrapes and crawls", function* () {
      const { call } = yield* Local.Local
      const { url } = yield* marsh
      const first = yield* finish(call, "/v2/crawl", {
        url: `${url}/`,
        limit: 1,
        scrapeOptions: { formats: ["markdown", { type: "changeTracking", tag: "marsh" }] }
      })
      expect(first.data[0].changeTracking).toMatchObject({ changeStatus: "new", previousScrapeAt: null })
      const { json } = yield* call.post("/v1/scrape", {
        url: `${url}/`,
        formats: ["markdown", "changeTracking"],
        changeTrackingOptions: { modes: ["git-diff"], tag: "marsh" }
      })
      expect(json.data.changeTracking).toMatchObject({ changeStatus: "changed", visibility: "visible" })
      expect(json.data.changeTracking.diff.text).toContain("-# Marsh 1\n+# Marsh 2")
    })
  })
})
