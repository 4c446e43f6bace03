import * as Effect from "effect/Effect"
import { describe, expect, layer } from "../../It.ts"
import * as Local from "../../Local.ts"

const xml = (...urls: ReadonlyArray<string>): Local.Answer => ({
  headers: { "content-type": "application/xml" },
  body: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`
})

const marsh = Local.site((path) => {
  switch (path.split("?")[0]) {
    case "/":
      return Local.page("Marsh", ["/herons?page=2", "/frogs#top", "http://elsewhere.test/", "mailto:a@b.test"])
    case "/herons":
      return Local.page("Herons", [], "Herons are birds that stand in shallow water, and wait, and wait.")
    case "/sitemap.xml":
      return xml("/frogs", "/newts")
    case "/broken":
      return { status: 500, body: "<h1>Oops</h1>" }
    default:
      return undefined
  }
})

/** Maps within a second, or within more on a machine that is too slow for it. */
const mapWithin = (call: Local.Caller, url: string, timeout = 1_000): ReturnType<Local.Caller["post"]> =>
  Effect.flatMap(call.post("/v2/map", { url, timeout }), (reply) =>
    reply.status === 408 && timeout < 10_000 ? mapWithin(call, url, timeout * 4) : Effect.succeed(reply)
  )

describe("scrape and map", () => {
  layer(Local.layer)("over HTTP", (it) => {
    it.scoped("answers a scrape, books a credit and makes the page searchable", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const used = () =>
        Effect.map(call.get("/v2/team/token-usage/historical"), ({ json }) =>
          json.periods.reduce((sum: number, { totalTokens }: { totalTokens: number }) => sum + totalTokens, 0)
        )
      const before = yield* used()
      const reply = yield* call.post("/v2/scrape", { url: `${site.url}/herons`, origin: "api" })
      expect(reply.status).toBe(200)
      expect(reply.json).toMatchObject({
        success: true,
        data: { metadata: { title: "Herons", sourceURL: `${site.url}/herons`, statusCode: 200 } }
      })
      expect(reply.json.data.markdown).toContain("stand in shallow water")
      expect(yield* used()).toBe(before + 15)
      const found = yield* call.post("/v2/search", { query: "shallow water" })
      expect(found.json.data.web[0].url).toBe(`${site.url}/herons`)
    })

    it.scoped("keeps a page out of the index when nothing may be kept", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site(() => Local.page("Otters", [], "Otters eat crayfish, mostly by night."))
      yield* call.post("/v2/scrape", { url: site.url, zeroDataRetention: true })
      const found = yield* call.post("/v2/search", { query: "crayfish" })
      expect(found.json.data.web ?? []).toEqual([])
    })

    it.scoped("reads the options of v1", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const { status, json } = yield* call.post("/v1/scrape", { url: site.url, formats: ["links"], parsePDF: true })
      expect(status).toBe(200)
      expect(json.data.links).toContain(`${site.url}/frogs#top`)
      const refused = yield* call.post("/v1/scrape", {
        url: site.url,
        formats: ["json"],
        jsonOptions: { prompt: "What?" }
      })
      expect(refused.status).toBe(501)
      expect(refused.json).toMatchObject({ success: false, code: "NOT_IMPLEMENTED" })
      expect(refused.json.error).toContain("json")
    })

    it.scoped("answers 403 for a private address that no setting opens, and says which setting", function* () {
      const { call } = yield* Local.Local
      for (const path of ["/v2/scrape", "/v2/map"]) {
        const { status, json } = yield* call.post(path, { url: "http://10.0.0.1/" })
        expect(status, path).toBe(403)
        expect(json).toMatchObject({ success: false, code: "SSRF_BLOCKED" })
        expect(json.error).toContain("SLUICE_ALLOW_NETWORKS")
      }
    })

    it.scoped("answers 422 for a site that cannot be reached", function* () {
      const { call } = yield* Local.Local
      const gone = yield* Effect.scoped(marsh)
      for (const path of ["/v2/scrape", "/v2/map"]) {
        const { status, json } = yield* call.post(path, { url: gone.url })
        expect(status, path).toBe(422)
        expect(json.code).toBe("SCRAPE_CONNECTION_ERROR")
      }
    })

    it.scoped("maps the start page and the sitemap, each address once, without queries", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const { json } = yield* call.post("/v2/map", { url: site.url })
      expect(json).toEqual({
        success: true,
        links: [
          { url: `${site.url}/`, title: "Marsh" },
          { url: `${site.url}/herons`, title: "/herons?page=2" },
          { url: `${site.url}/frogs`, title: "/frogs#top" },
          { url: `${site.url}/newts` }
        ]
      })
      const plain = yield* call.post("/v1/map", { url: site.url, sitemap: "only" })
      expect(plain.json.links).toEqual([`${site.url}/frogs`, `${site.url}/newts`])
      const queries = yield* call.post("/v2/map", { url: site.url, sitemap: "skip", ignoreQueryParameters: false })
      expect(queries.json.links.map(({ url }: { url: string }) => url)).toContain(`${site.url}/herons?page=2`)
    })

    it.scoped("puts what matches the search first, and keeps to the limit", function* () {
      const { call } = yield* Local.Local
      const site = yield* marsh
      const { json } = yield* call.post("/v2/map", { url: site.url, search: "newts", limit: 2 })
      expect(json.links.map(({ url }: { url: string }) => url)).toEqual([`${site.url}/newts`, `${site.url}/`])
    })

    it.scoped("maps by the sitemap alone when the start page is no page", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site((path) =>
        path === "/sitemap.xml"
          ? xml("/frogs")
          : path === "/"
            ? { headers: { "content-type": "image/png" }, body: "\x89PNG" }
            : undefined
      )
      const { json } = yield* call.post("/v2/map", { url: site.url })
      expect(json.links).toEqual([{ url: `${site.url}/` }, { url: `${site.url}/frogs` }])
    })

    it.scoped("maps by the sitemap when the start page takes all the time there is", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site((path) =>
        path === "/" ? { body: "late", delay: 60_000 } : path === "/sitemap.xml" ? xml("/frogs") : undefined
      )
      const { status, json } = yield* mapWithin(call, site.url)
      expect(status).toBe(200)
      expect(json.links).toEqual([{ url: `${site.url}/frogs` }])
    })

    it.scoped("keeps the start page's links when robots.txt and the sitemap take all the time there is", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site((path) =>
        path === "/" ? Local.page("Marsh", ["/herons"]) : { body: "late", delay: 60_000 }
      )
      const { status, json } = yield* mapWithin(call, site.url)
      expect(status).toBe(200)
      expect(json.links.map(({ url }: { url: string }) => url)).toEqual([`${site.url}/`, `${site.url}/herons`])
    })

    it.scoped("says when a sitemap could not be read, and nothing of one that is not there", function* () {
      const { call } = yield* Local.Local
      const index = {
        headers: { "content-type": "application/xml" },
        body: "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml</loc></sitemap></sitemapindex>"
      }
      const leftOutOf = (answers: Readonly<Record<string, Local.Answer>>, more: object = {}) =>
        Effect.gen(function* () {
          const site = yield* Local.site((path) => answers[path] ?? (path === "/sitemap.xml" ? index : undefined))
          const v2 = yield* call.post("/v2/map", { url: site.url, ...more })
          const v1 = yield* call.post("/v1/map", { url: site.url, ...more })
          expect([v2.status, v1.status]).toEqual([200, 200])
          expect(v1.json.leftOut).toEqual(v2.json.leftOut)
          return v2.json.leftOut
        })
      const home = { "/": Local.page("Marsh", []) }
      const failed: Local.Answer = { status: 503, body: "later" }
      expect(yield* leftOutOf({ ...home, "/one.xml": xml("/frogs"), "/two.xml": xml("/newts") })).toBeUndefined()
      expect(yield* leftOutOf({ ...home, "/one.xml": xml("/frogs"), "/two.xml": failed })).toEqual(["sitemap"])
      expect(yield* leftOutOf({ ...home, "/sitemap.xml": failed })).toEqual(["sitemap"])
      expect(yield* leftOutOf({ ...home, "/sitemap.xml": failed }, { sitemap: "skip" })).toBeUndefined()
      // robots.txt may have named another one.
      expect(yield* leftOutOf({ ...home, "/sitemap.xml": xml("/frogs"), "/robots.txt": failed })).toEqual(["sitemap"])
      expect(yield* leftOutOf({ ...home, "/sitemap.xml": { status: 404, body: "" } })).toBeUndefined()
    })

    it.scoped("gives up on a map when its time is over", function* () {
      const { call } = yield* Local.Local
      const site = yield* Local.site(() => ({ body: "late", delay: 60_000 }))
      const { status, json } = yield* call.post("/v2/map", { url: site.url, timeout: 200 })
      expect(status).toBe(408)
      expect(json.code).toBe("MAP_TIMEOUT")
    })
  })
})
