/** Scrapes that go by what a browser profile keeps. */

import * as Effect from "effect/Effect"
import { describe, expect, layer as sharing } from "../../It.ts"
import { type Caller, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, layer, session } from "./Ground.ts"

/** Says which marks were there, and leaves one. */
const marking = (mark: string) => `(() => {
  const found = [document.cookie, localStorage.getItem("mark")]
  document.cookie = "lasting=${mark}; max-age=10000"
  document.cookie = "passing=${mark}"
  localStorage.setItem("mark", "${mark}")
  found[0] = found[0].split("; ").sort().join(" ")
  return found
})()`

const scrape = (call: Caller, url: string, given: object) => call.post("/v2/scrape", { url, timeout: 60_000, ...given })

/** Scrapes with a profile, leaves a mark in it; gives the marks of earlier ones. */
const use = (call: Caller, url: string, profile: object, mark: string, given: object = {}) =>
  Effect.map(
    scrape(call, url, { profile, actions: [{ type: "executeJavascript", script: marking(mark) }], ...given }),
    ({ json, text }) => json?.data?.actions?.javascriptReturns?.[0]?.value ?? text
  )

const nothing = ["", null]
const marked = (mark: string) => [`lasting=${mark} passing=${mark}`, mark]

describe.skipIf(isMissing)("The profile of a scrape", () => {
  sharing(layer(), { excludeTestServices: true })("of an engine", (it) => {
    it.scoped.skipIf(skipsLong)(
      "brings cookies and localStorage back, to its team and under its name alone",
      function* () {
        const { call, site, stranger } = yield* Ground
        const name = "scraped"
        expect(yield* use(call, site.url, { name }, "one")).toEqual(nothing)
        expect(yield* use(call, site.url, { name, saveChanges: false }, "two")).toEqual(marked("one"))
        expect(yield* use(call, site.url, { name }, "three", { zeroDataRetention: true })).toEqual(marked("one"))
        expect(yield* use(call, site.url, { name }, "four")).toEqual(marked("one"))
        expect(yield* use(call, site.url, { name }, "five")).toEqual(marked("four"))
        expect(yield* use(call, site.url, { name: "other", saveChanges: false }, "six")).toEqual(nothing)
        expect(yield* use(stranger, site.url, { name, saveChanges: false }, "seven")).toEqual(nothing)
      }
    )

    it.scoped.skipIf(skipsLong)("keeps nothing of a scrape that fails", function* () {
      const { call, site } = yield* Ground
      const profile = { name: "failing" }
      const actions = [
        { type: "executeJavascript", script: marking("lost") },
        { type: "executeJavascript", script: "throw new Error('no herons')" }
      ]
      const failed = yield* scrape(call, site.url, { profile, actions })
      expect(failed.json).toMatchObject({ success: false, error: expect.stringContaining("no herons") })
      expect(yield* use(call, site.url, { ...profile, saveChanges: false }, "next")).toEqual(nothing)
    })

    it.scoped.skipIf(skipsLong)("is refused while a session saves it, and may be read meanwhile", function* () {
      const { call, site } = yield* Ground
      const profile = { name: "busy" }
      yield* session(call, { profile })
      expect(yield* scrape(call, site.url, { profile })).toMatchObject({
        status: 409,
        json: { error: expect.stringContaining("Only one writer is allowed at a time"), code: "PROFILE_IN_USE" }
      })
      expect((yield* scrape(call, site.url, { profile: { ...profile, saveChanges: false } })).status).toBe(200)
    })

    it.scoped.skipIf(skipsLong)("shows the page as a scrape without one does", function* () {
      const { call } = yield* Ground
      const told = yield* site((path) =>
        path === "/"
          ? `<title>Told</title><div id="said"></div><script>said.textContent = [
            navigator.userAgent, navigator.language, innerWidth + "x" + innerHeight, devicePixelRatio,
            navigator.maxTouchPoints, matchMedia("(pointer: coarse)").matches
          ].join("; ")</script>`
          : undefined
      )
      for (const given of [{}, { mobile: true, location: { languages: ["de-AT"] } }]) {
        const asked = { formats: ["markdown", "screenshot"], waitFor: 1, maxAge: 0, ...given }
        const usual = yield* scrape(call, told.url, asked)
        const own = yield* scrape(call, told.url, { ...asked, profile: { name: "any", saveChanges: false } })
        expect(usual.json.data.markdown).toContain("Sluice/")
        expect(own.json.data.markdown).toBe(usual.json.data.markdown)
        expect(own.json.data.screenshot).toMatch(/^data:image\/png;base64,/)
      }
    })

    it.scoped.skipIf(skipsLong)(
      "leaves no copy and nothing to search behind, and goes nowhere that a page may not",
      function* () {
        const { call } = yield* Ground
        let visits = 0
        const counted = yield* site((path) => {
          if (path === "/fish") visits += 1
          return "<title>Quillback</title><p>Quillbacks are carpsuckers of North America.</p>"
        })
        const profile = { name: "quiet", saveChanges: false }
        for (let time = 0; time < 2; time += 1) {
          expect((yield* scrape(call, `${counted.url}/fish`, { profile, maxAge: 100_000 })).status).toBe(200)
        }
        expect(visits).toBe(2)
        const found = yield* call.post("/v2/search", { query: "quillbacks carpsuckers" })
        expect(JSON.stringify(found.json)).not.toContain("/fish")
        expect((yield* scrape(call, "http://192.0.2.1/", { profile })).status).toBe(403)
      }
    )

    it.scoped.skipIf(skipsLong)("does not matter for a file, and the answer says so", function* () {
      const { call } = yield* Ground
      const files = yield* site(() => ({ headers: { "content-type": "text/csv" }, body: "name,age\nHeron,3\n" }))
      const { json } = yield* scrape(call, `${files.url}/birds.csv`, { profile: { name: "file" } })
      expect(json.data.markdown).toContain("Heron")
      expect(json.warning).toContain("waiting or a profile")
    })

    it.scoped("is refused by jobs that would save it or do not find it, and by searches", function* () {
      const { call, site } = yield* Ground
      const profile = { name: "many" }
      const refused = { status: 400, json: { error: expect.stringMatching(/^profile: /) } }
      const { url } = site
      expect(yield* call.post("/v2/batch/scrape", { urls: [url], profile })).toMatchObject(refused)
      expect(yield* call.post("/v2/crawl", { url, scrapeOptions: { profile } })).toMatchObject(refused)
      const saving = { name: "many", saveChanges: true }
      expect(yield* call.post("/v2/batch/scrape", { urls: [url], profile: saving })).toMatchObject(refused)
      const scrapeOptions = { formats: ["markdown"], profile }
      expect(yield* call.post("/v2/search", { query: "x", scrapeOptions })).toMatchObject(refused)
    })
  })

  sharing(layer({ browserSessions: 1 }), { excludeTestServices: true })("of a small engine", (it) => {
    it.scoped.skipIf(skipsLong)("takes a session's place for as long as it is shown", function* () {
      const { call, site } = yield* Ground
      const profile = { name: "small" }
      const { id } = yield* session(call)
      expect(yield* scrape(call, site.url, { profile })).toMatchObject({
        status: 429,
        json: { code: "TOO_MANY_SESSIONS" }
      })
      yield* call.del(`/v2/browser/${id}`)
      expect((yield* scrape(call, site.url, { profile })).status).toBe(200)
      yield* session(call, { profile })
    })
  })
})
