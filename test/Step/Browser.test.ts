/** A run with a browser session, against the real engine and a real Chromium. */

import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Ground, layer as ground } from "../Engine/Browser/Ground.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { describe, expect, scopedIn } from "../It.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { project, rowsIn, stepLine } from "../Project.ts"
import { servicesAt } from "../Services.ts"
import { runSteps } from "./Flow.ts"

const Services = Layer.unwrapEffect(
  Effect.map(Ground, ({ baseUrl }) => servicesAt({ baseUrl, apiKey: Redacted.make(Local.keys.first) }))
).pipe(Layer.provideMerge(ground()))

/** A service that does not answer. */
const Offline = servicesAt({ baseUrl: "http://127.0.0.1:1", apiKey: Redacted.make("none") })

/** A site that shows members more than visitors, and shows nothing without scripts. */
const club = Local.site((path) => {
  if (path === "/login") return { headers: { "set-cookie": "member=yes; Path=/" }, body: "<title>In</title>" }
  if (path === "/leaflet") return { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4\n%%EOF" }
  if (path === "/archive") return { headers: { "content-type": "application/octet-stream" }, body: "PK" }
  if (path === "/restless") {
    return "<title>Restless</title><script>onload = () => setTimeout(() => { for (;;); })</script>"
  }
  if (path === "/opening")
    return "<title>Opening</title><script>for (let n = 0; n < 3; n++) open('about:blank')</script>"
  if (path === "/gone") return { status: 410, body: "<title>Gone</title><p>It was here.</p>" }
  return `<!doctype html><title>Club</title><body><main id="app"></main><script>
    const who = document.cookie === "member=yes" ? "member" : "stranger"
    app.innerHTML = "<h1>Club</h1><p>Hello " + who + ", the herons are <a href='next'>here</a>.</p>"
  </script>`
})

const login = `import { chromium } from "playwright-core"
export const enter = async ({ cdpUrl, with: site }) => {
  const browser = await chromium.connectOverCDP(cdpUrl)
  const page = await browser.contexts()[0].newPage()
  await page.goto(site + "/login")
  const title = await page.title()
  await page.close()
  await browser.close()
  return { title }
}
`

const open = (reply: Local.Reply) => (reply.json.sessions as ReadonlyArray<unknown>).length

describe.skipIf(isMissing)("browser", () => {
  layer(Services)("opens a session for the steps after it", (it) => {
    const scoped = scopedIn(it)
    scoped.skipIf(skipsLong)(
      "in which a function of the project logs in, pages are scraped and their fields extracted, and closes it at the end",
      function* () {
        const { call } = yield* Ground
        const { url } = yield* club
        const { rejects, rows, summary } = yield* runSteps(
          `  - id: session
    browser: { run: { module: ./login.mjs, export: enter, with: "${url}" } }
  - urls: ["${url}/a/b?login=\${{ steps.session.output.result.title }}", "${url}/gone"]
  - scrape: { session: "\${{ steps.session.output }}", formats: [markdown, links] }
  - select:
      title: metadata.title
      status: metadata.statusCode
      markdown: markdown
      links: "[links]"
      page: metadata.sourceURL
  - write: { jsonl: pages.jsonl }
  - id: again
    after: write
    urls: ["${url}/a/b?login=\${{ steps.session.output.result.title }}"]
  - scrape: { session: "\${{ steps.session.output }}" }
  - extract: { fields: { title: h1, next: { css: a, attr: href } } }`,
          { allowCode: true },
          { "login.mjs": login }
        )
        expect(rejects).toEqual([])
        expect(rows).toEqual([{ url: `${url}/a/b?login=In`, title: "Club", next: `${url}/a/next` }])
        const pages = rowsIn(summary.outputs.find(({ path }) => path.endsWith("pages.jsonl"))?.path ?? "")
        expect([...pages].sort((a, b) => Number(a.status) - Number(b.status))).toEqual([
          {
            title: "Club",
            status: 200,
            markdown: `# Club\n\nHello member, the herons are [here](${url}/a/next).`,
            links: [`${url}/a/next`],
            page: `${url}/a/b?login=In`
          },
          { title: "Gone", status: 410, markdown: "It was here.", links: [], page: `${url}/gone` }
        ])
        expect(summary.credits).toBe(3)
        const found = yield* call.post("/v2/search", { query: "herons" })
        expect(found.json.data).toEqual({ web: [] })
        expect(open(yield* call.get("/v2/browser"))).toBe(0)
      }
    )

    scoped.skipIf(skipsLong)("and closes it when the run fails", function* () {
      const { call } = yield* Ground
      const steps = `  - id: session
    browser: { run: ./throws.mjs }
  - urls: ["http://127.0.0.1:1/"]
  - scrape: { session: "\${{ steps.session.output }}" }`
      const failing = { "throws.mjs": `export default ({ id }) => { throw new Error("no door in " + id.length) }` }
      const failed = yield* Effect.flip(runSteps(steps, { allowCode: true }, failing))
      expect(String(failed)).toContain("throws.mjs: no door in 36")
      expect(open(yield* call.get("/v2/browser"))).toBe(0)
      const refused = yield* Effect.flip(runSteps(steps, {}, failing))
      expect(String(refused)).toContain("browser runs code of the project (./throws.mjs)")
    })

    scoped("and opens none that no step needs", function* () {
      const { call } = yield* Ground
      const { url } = yield* club
      const before = yield* call.get("/v2/team/credit-usage")
      const { rows } = yield* runSteps(`  - id: session
    browser: {}
  - urls: ["${url}/a"]`)
      expect(rows.length).toBe(1)
      expect((yield* call.get("/v2/team/credit-usage")).json).toEqual(before.json)
    })

    scoped.skipIf(skipsLong)(
      "which continues beside a page with an endless script, and reports what it cannot read",
      function* () {
        const { url } = yield* club
        const paths = ["/restless", "/leaflet", "/archive", "/opening", "http://192.0.2.7/", "/a", "/b"]
        const addresses = paths.map((path) => `"${new URL(path, url)}"`).join(", ")
        const scrape = 'scrape: { session: "${{ steps.session.output }}"'
        const { rejects, rows } = yield* runSteps(`  - id: session
    browser: {}
  - id: all
    urls: [${addresses}]
  - where: $contains(url, "restless")
  - ${scrape}, timeout: 3000 }
  - from: all
    where: $not($contains(url, "restless"))
  - ${scrape} }`)
        expect(rows.length).toBe(3)
        expect(rejects.map(({ error, message }) => `${error} ${message}`).sort()).toEqual([
          `PageFailed ${url}/archive: it is a download, which no browser shows: scrape it without a session`,
          `PageFailed ${url}/leaflet: it is application/pdf, which a browser session does not read: scrape it without one`,
          expect.stringContaining("PageFailed http://192.0.2.7/: the browser session could not show it: "),
          `Timeout ${url}/restless: the browser session did not finish it within 3s`
        ])
      }
    )

    scoped.skipIf(skipsLong)("which gives advice when it has ended, and its links are in no message", function* () {
      const { baseUrl, call } = yield* Ground
      const { url } = yield* club
      const { cdpUrl, id } = (yield* call.post("/v2/browser", {})).json as { cdpUrl: string; id: string }
      yield* call.del(`/v2/browser/${id}`)
      const read = (link: string) =>
        Effect.flip(runSteps(`  - urls: ["${url}/a"]\n  - scrape: { session: { cdpUrl: "${link}" } }`))
      expect((yield* read(cdpUrl)).message).toContain(
        "has ended: if it reached its time limit, raise ttl or activityTtl"
      )
      const elsewhere = (yield* read(`${baseUrl.replace("http", "ws")}/cdp/0123456789abcdef`)).message
      expect(elsewhere).toContain("could not show it")
      expect(elsewhere).not.toContain("0123456789abcdef")
      const login = `export default ({ cdpUrl }) => { throw new Error("cannot reach " + cdpUrl) }`
      const steps = `  - id: session
    browser: { run: ./login.mjs }
  - urls: ["${url}/a"]
  - scrape: { session: "\${{ steps.session.output }}" }`
      const failed = yield* Effect.flip(runSteps(steps, { allowCode: true }, { "login.mjs": login }))
      expect(failed.message).toContain("login.mjs: cannot reach (link of the session)")
    })
  })

  layer(Layer.empty)("is refused", (it) => {
    const scoped = scopedIn(it)
    it.scoped("that was skipped", () =>
      Effect.gen(function* () {
        const failed = yield* Effect.flip(
          runSteps(`  - id: session
    browser: {}
    when: false
  - urls: ["http://127.0.0.1:1/"]
  - scrape: { session: "\${{ steps.session.output }}" }`)
        )
        expect(failed.message).toContain('the step "session" has no output, because its `when` is false')
      }).pipe(Effect.provide(Offline))
    )

    it.scoped("whose link is that of a recording", () =>
      Effect.gen(function* () {
        const failed = yield* Effect.flip(
          runSteps(`  - urls: ["http://127.0.0.1:1/"]\n  - scrape: { session: { cdpUrl: "{masked}" } }`)
        )
        expect(failed.message).toContain("in a test, give the rows of this step")
      }).pipe(Effect.provide(Offline))
    )

    scoped("with options that have no effect in a session", function* () {
      const { errorsIn } = yield* project()
      expect(
        yield* errorsIn(
          stepLine("urls", ["http://127.0.0.1:1/"]) +
            stepLine("scrape", { session: { cdpUrl: "ws://x" }, mobile: true })
        )
      ).toEqual(['mobile: "mobile" has no effect in a browser session: remove it'])
    })
  })
})
