/** Sessions as the programs that people have drive them. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { chromium as playwright } from "playwright-core"
import puppeteer from "puppeteer-core"
import { Session, Sessions } from "../../../src/Api/BrowserSession.ts"
import { describe, expect, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, knock, layer, session } from "./Ground.ts"
import { patience } from "./Sight.ts"

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => playwright.connectOverCDP(url)),
    (browser) => Effect.promise(() => browser.close())
  )

const puppet = (browserWSEndpoint: string) =>
  Effect.acquireRelease(
    Effect.promise(() => puppeteer.connect({ browserWSEndpoint })),
    (browser) => Effect.promise(() => browser.disconnect())
  )

const firstPage = (browser: Awaited<ReturnType<typeof playwright.connectOverCDP>>) => {
  const page = browser.contexts()[0]?.pages()[0]
  if (page === undefined) throw new Error("a session has a page from the start")
  page.setDefaultTimeout(patience)
  return page
}

const run = <A>(what: () => Promise<A>) => Effect.promise(what)

/** The values in the form of the site. */
const said = "document.querySelector('#said').textContent"

const isPng = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1", 1, 4) === "PNG"

describe.skipIf(isMissing)("Browser sessions", () => {
  sharing(layer(), { excludeTestServices: true })("with a Chromium", (it) => {
    it.scoped(
      "are opened with links of their own and listed to their team alone, as the contract has it",
      function* () {
        const { baseUrl, call, stranger } = yield* Ground
        const opened = yield* session(call, { ttl: 120 })
        expect(Schema.is(Session)(opened)).toBe(true)
        const left = new Date(opened.expiresAt).getTime() - Date.now()
        expect(left).toBeGreaterThan(100_000)
        expect(left).toBeLessThanOrEqual(120_000)
        const links = [opened.cdpUrl, opened.liveViewUrl ?? "", opened.interactiveLiveViewUrl ?? ""]
        expect(new Set(links.map((link) => new URL(link).pathname)).size).toBe(3)
        for (const link of links) expect(new URL(link).host).toBe(new URL(baseUrl).host)
        const listed = (yield* call.get("/v2/browser")).json
        expect(Schema.is(Sessions)(listed)).toBe(true)
        expect(listed.sessions).toContainEqual(expect.objectContaining({ id: opened.id, cdpUrl: opened.cdpUrl }))
        expect((yield* stranger.get("/v2/browser")).json).toEqual({ success: true, sessions: [] })
        expect((yield* stranger.get("/v2/browser?status=destroyed")).json.sessions).toEqual([])
        // Read by the SDKs that people have.
        const [first] = listed.sessions
        expect(first).toMatchObject({ status: "active", streamWebView: true, expiresAt: opened.expiresAt })
        expect(Date.parse(first.createdAt) + 120_000).toBe(Date.parse(opened.expiresAt))
        expect(Date.parse(first.lastActivity)).toBeGreaterThanOrEqual(Date.parse(first.createdAt))
        expect((yield* call.get("/v2/browser?status=active")).json).toEqual(listed)
        expect(yield* call.get("/v2/browser?status=gone")).toMatchObject({
          status: 400,
          json: { error: expect.stringContaining('"active" or "destroyed"') }
        })
        expect((yield* stranger.del(`/v2/browser/${opened.id}`)).status).toBe(404)
        yield* call.del(`/v2/browser/${opened.id}`)
        // A request without a body has every default.
        const { json: usual } = yield* call.send("/v2/browser", { method: "POST" })
        expect(Schema.is(Session)(usual)).toBe(true)
        expect(Math.abs(Date.parse(usual.expiresAt) - Date.now() - 600_000)).toBeLessThan(60_000)
        expect((yield* call.del(`/v2/browser/${usual.id}`)).status).toBe(200)
        const hidden = yield* session(call, { streamWebView: false })
        expect(hidden).not.toHaveProperty("liveViewUrl")
        expect(hidden).not.toHaveProperty("interactiveLiveViewUrl")
      }
    )

    it.scoped.skipIf(skipsLong)(
      "are driven by Playwright and Puppeteer at once, each with its own answers, and refuse to run code",
      function* () {
        const { call, site } = yield* Ground
        const { cdpUrl, id } = yield* session(call)
        expect(yield* call.post(`/v2/browser/${id}/execute`, { code: "1" })).toMatchObject({
          status: 403,
          json: { error: expect.stringContaining("SLUICE_ALLOW_EXECUTE=1") }
        })
        const browser = yield* connect(cdpUrl)
        const page = firstPage(browser)
        const other = yield* puppet(cdpUrl)
        yield* run(() => page.goto(`${site.url}/form`))
        const theirs = (yield* run(() => other.pages()))[0]
        if (theirs === undefined) throw new Error("Puppeteer sees the page")
        expect(theirs.url()).toBe(`${site.url}/form`)
        yield* run(() => Promise.all([page.fill("#name", "Ada"), theirs.title()]))
        yield* run(() => page.click("button"))
        expect(yield* run(() => theirs.evaluate(said))).toBe("Hello Ada")
        expect(isPng(yield* run(() => page.screenshot()))).toBe(true)

        const own = yield* run(() => other.newPage())
        own.setDefaultTimeout(patience)
        yield* run(() => own.goto(`${site.url}/form`))
        yield* run(() => own.type("#name", "Grace"))
        yield* run(() => own.click("button"))
        const both = yield* run(() =>
          Promise.all(
            Array.from({ length: 40 }, (_, n) =>
              Promise.all([page.evaluate(`${said} + " ${n}"`), own.evaluate(`${said} + " ${n}"`)])
            )
          )
        )
        expect(both).toEqual(Array.from({ length: 40 }, (_, n) => [`Hello Ada ${n}`, `Hello Grace ${n}`]))
        expect(isPng(yield* run(() => own.screenshot()))).toBe(true)
        yield* run(() => own.close())
        // Messages of many megabytes, both ways.
        const answer = 20 * 1024 * 1024
        expect((yield* run(() => page.evaluate((size) => "x".repeat(size), answer))).length).toBe(answer)
        // Commands have 8 MB at most.
        const command = 6 * 1024 * 1024
        expect(yield* run(() => page.evaluate((text) => text.length, "y".repeat(command)))).toBe(command)
      }
    )

    it.scoped.skipIf(skipsLong)(
      "lose the contexts of a program that has left, and keep the pages that everybody sees",
      function* () {
        const { call, site } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const stays = yield* puppet(cdpUrl)
        const leaves = yield* run(() => puppeteer.connect({ browserWSEndpoint: cdpUrl }))
        const context = yield* run(() => leaves.createBrowserContext())
        yield* run(async () => void (await (await context.newPage()).goto(`${site.url}/own`)))
        yield* run(async () => void (await (await leaves.newPage()).goto(`${site.url}/shared`)))
        expect(stays.browserContexts().length).toBe(1)
        const left = new Promise((resolve) => stays.on("targetdestroyed", resolve))
        yield* run(() => leaves.disconnect())
        yield* run(() => left)
        const urls = (yield* run(() => stays.pages())).map((page) => page.url())
        expect(urls.sort()).toEqual(["about:blank", `${site.url}/shared`])
      }
    )

    it.scoped.skipIf(skipsLong)(
      "show neither files nor the browser's own pages, and reach nothing that the guard refuses",
      function* () {
        const { call, site } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const browser = yield* connect(cdpUrl)
        const page = firstPage(browser)
        for (const url of ["file:///etc/passwd", "chrome://version", "view-source:file:///etc/passwd"]) {
          const refusal = yield* Effect.flip(Effect.tryPromise({ try: () => page.goto(url), catch: String }))
          expect(refusal).toContain("only open web addresses")
        }
        const led = yield* run(() => page.context().newPage())
        yield* Effect.flip(Effect.tryPromise(() => led.goto(`${site.url}/to-file`)))
        yield* run(() => page.goto(`${site.url}/form`))
        yield* run(() =>
          page.evaluate(`(async () => {
            window.open("file:///etc/passwd")
            window.open("chrome://version")
            location.href = "file:///etc/passwd"
            await new Promise((resolve) => setTimeout(resolve, 100))
          })()`)
        )
        const other = yield* puppet(cdpUrl)
        for (const one of yield* run(() => other.pages())) {
          expect(one.url()).toMatch(/^(?:http:|about:blank|chrome-error:)/)
          expect(yield* run(() => one.evaluate("document.body?.innerText"))).not.toContain("root:")
        }
        for (const url of ["http://192.0.2.1/", "http://10.0.0.1:8080/", "http://[::ffff:169.254.169.254]/"]) {
          const reply = yield* run(() => led.goto(url).catch(() => null))
          expect(reply === null ? 403 : reply.status(), url).toBe(403)
        }
        const context = yield* Effect.flip(
          Effect.tryPromise({
            try: () => browser.newContext({ proxy: { server: "http://192.0.2.1:80" } }),
            catch: String
          })
        )
        expect(context).toContain("only through the engine")
      }
    )

    it.scoped.skipIf(skipsLong)(
      "end with Browser.close and with DELETE: then their id is gone, and their links are",
      function* () {
        const { call, stranger } = yield* Ground
        const first = yield* session(call)
        yield* run(async () => (await puppeteer.connect({ browserWSEndpoint: first.cdpUrl })).close())
        const second = yield* session(call)
        const cut = yield* connect(second.cdpUrl)
        const disconnected = new Promise((resolve) => cut.on("disconnected", resolve))
        expect((yield* call.del(`/v2/browser/${second.id}`)).json).toEqual({ success: true })
        yield* run(() => disconnected)
        for (const { cdpUrl, id } of [first, second]) {
          expect((yield* call.del(`/v2/browser/${id}`)).status).toBe(410)
          expect((yield* call.post(`/v2/browser/${id}/execute`, { code: "1" })).status).toBe(410)
          expect((yield* stranger.del(`/v2/browser/${id}`)).status).toBe(404)
          expect(yield* knock(cdpUrl)).toBe(410)
        }
        expect((yield* call.get("/v2/browser")).json.sessions).toEqual([])
        expect((yield* call.get("/v2/browser?status=active")).json.sessions).toEqual([])
        const { sessions } = (yield* call.get("/v2/browser?status=destroyed")).json
        const ids = sessions.map(({ id }: { readonly id: string }) => id)
        for (const { id } of [first, second]) expect(ids).toContain(id)
        for (const one of sessions) expect(one).toMatchObject({ status: "destroyed", lastActivity: expect.any(String) })
        expect(JSON.stringify(sessions)).not.toMatch(/Url|live|cdp\//)
      }
    )
  })
})
