/** Pages that a site shows in place of their content: recognised, failed, free of charge, not searchable and not cached. */

import * as Effect from "effect/Effect"
import { describe, expect, layer } from "../../It.ts"
import * as Local from "../../Local.ts"

const captcha =
  '<!doctype html><html><head><title>shop.example</title><script src="https://ct.captcha-delivery.com/c.js"></script></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p></body></html>'

const wall =
  "<html><head><title>Shop</title></head><body><p>Your session looks like that of a bot. Come back later.</p></body></html>"

const shop = Local.site((path) => {
  switch (path) {
    case "/":
      return Local.page("Herons", ["/captcha", "/gone", "/herons"])
    case "/herons":
      return Local.page("Grey herons", [], "Herons stand in shallow water, and wait for fish and frogs.")
    case "/captcha":
      return captcha
    case "/refused":
      return { status: 403, headers: { "cf-mitigated": "challenge" }, body: Local.page("Just a moment...", [], "") }
    case "/gone":
      return Local.page("Page not found", ["/"], "The page that you are looking for does not exist.")
    case "/account":
      return { status: 302, headers: { location: "/login?next=/account" } }
    case "/login?next=/account":
      return '<title>Shop</title><form><h1>Log in</h1><input name="u"><input type="password" name="p"></form>'
    case "/choir":
      return { status: 302, headers: { location: "/join" } }
    case "/join":
      return Local.page(
        "Join our choir",
        [],
        "We sing each Tuesday at eight in the old school, and nobody has to audition."
      )
    case "/data":
      return { status: 302, headers: { location: "/topics/gdpr/" } }
    case "/topics/gdpr/":
      return Local.page("The regulation in short", [], "It says what may be stored about people, and for how long.")
    default:
      return path.startsWith("/wall/") ? wall : undefined
  }
})

const used = (call: Local.Caller) =>
  Effect.map(call.get("/v2/team/credit-usage/historical"), ({ json }) =>
    json.periods.reduce((sum: number, { totalCredits }: { totalCredits: number }) => sum + totalCredits, 0)
  )

describe("pages that are shown in place of their content", () => {
  layer(Local.layer)("over HTTP", (it) => {
    it.scoped("say what was shown and what gave it away, and cost nothing", function* () {
      const { call } = yield* Local.Local
      const { origin, url } = yield* shop
      const before = yield* used(call)
      const metadata = (path: string) =>
        Effect.map(call.post("/v2/scrape", { url: `${url}${path}` }), ({ json }) => json.data.metadata)
      expect(yield* metadata("/captcha")).toMatchObject({
        statusCode: 200,
        creditsUsed: 0,
        blocked: { kind: "captcha", evidence: 'DataDome: ".captcha-delivery.com/c" in the page' },
        error: 'The site showed a CAPTCHA in place of the page (DataDome: ".captcha-delivery.com/c" in the page)'
      })
      expect(yield* metadata("/refused")).toMatchObject({
        statusCode: 403,
        blocked: { kind: "challenge", evidence: "Cloudflare: the header cf-mitigated: challenge" }
      })
      expect(yield* metadata("/gone")).toMatchObject({
        blocked: { kind: "notFound", evidence: 'status 200 under the title "Page not found"' }
      })
      expect(yield* metadata("/account")).toMatchObject({
        blocked: { kind: "login", evidence: `it leads to ${origin.split(":")[0]}/login` }
      })
      expect(yield* used(call)).toBe(before)
      const login = yield* metadata("/login?next=/account")
      expect(login.blocked).toBeUndefined()
      expect((yield* metadata("/herons")).blocked).toBeUndefined()
      expect(yield* used(call)).toBe(before + 2)
      for (const path of ["/choir", "/data"]) expect((yield* metadata(path)).blocked, path).toBeUndefined()
    })

    it.scoped("are asked for again, even when a copy would do, and are not found by a search", function* () {
      const { call } = yield* Local.Local
      const { requests, url } = yield* shop
      const scrape = () => call.post("/v2/scrape", { url: `${url}/gone`, maxAge: 3_600_000 })
      yield* scrape()
      expect((yield* scrape()).json.data.metadata.cacheState).toBe("miss")
      expect(requests.filter((path) => path === "/gone").length).toBe(2)
      const found = yield* call.post("/v2/search", { query: "does not exist" })
      expect((found.json.data.web ?? []).filter((each: { url: string }) => each.url.startsWith(url))).toEqual([])
    })

    it.scoped("fail in a crawl, which goes on and does not pay for them", function* () {
      const { call } = yield* Local.Local
      const { url } = yield* shop
      const { json } = yield* call.post("/v2/crawl", { url })
      let status = (yield* call.get(`/v2/crawl/${json.id}`)).json
      while (status.status === "scraping") status = (yield* call.get(`/v2/crawl/${json.id}`)).json
      expect(status).toMatchObject({ completed: 2, total: 4, creditsUsed: 2 })
      const { errors } = (yield* call.get(`/v2/crawl/${json.id}/errors`)).json
      expect(errors.map(({ code, url: at }: { code: string; url: string }) => [code, at]).toSorted()).toEqual([
        ["BLOCKED", `${url}/captcha`],
        ["BLOCKED", `${url}/gone`]
      ])
    })

    it.scoped("are recognised without a known mark once the same short text has come for four addresses", function* () {
      const { call, stranger } = yield* Local.Local
      const { origin, url } = yield* shop
      const blocked = (number: number, by = call) =>
        Effect.map(by.post("/v2/scrape", { url: `${url}/wall/${number}` }), ({ json }) => json.data.metadata.blocked)
      for (const number of [1, 2, 3, 3]) expect(yield* blocked(number)).toBeUndefined()
      expect(yield* blocked(4)).toEqual({
        kind: "captcha",
        evidence: `the same short page came for 4 addresses of ${origin}`
      })
      expect(yield* blocked(1)).toMatchObject({ kind: "captcha" })
      // Fingerprints of other teams do not count.
      expect(yield* blocked(5, stranger)).toBeUndefined()
    })
  })
})
