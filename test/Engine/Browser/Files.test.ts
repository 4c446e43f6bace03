/** No program reads files of the engine's machine through its session, also not by way of the browser's own parts (spec 4.3). */
import { describe, expect, layer as sharing } from "@effect/vitest"
import * as Effect from "effect/Effect"
import puppeteer, { type Browser, type Page } from "puppeteer-core"
import { isMissing } from "../Render/Installed.ts"
import { Ground, layer, session } from "./Ground.ts"

const run = <A>(what: () => Promise<A>) => Effect.promise(what)

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>`

/** The viewer of a PDF, which is a part of the browser. */
const viewer = async (page: Page, url: string) => {
  await page.setRequestInterception(true)
  page.on("request", (request) => request.respond({ contentType: "application/pdf", body: pdf }).catch(() => undefined))
  await page.goto(url)
  const frame = await page.waitForFrame((frame) => frame.url().startsWith("chrome-extension:"))
  await page.setRequestInterception(false)
  return frame
}

/** Sends a page there with the rights of the viewer; gives what the page has read before anybody could close it. */
const visit = async (browser: Browser, page: Page, from: string, to: string) => {
  const read: Array<string> = []
  page.on("console", (message) => read.push(message.text()))
  await page.evaluateOnNewDocument(
    `addEventListener("DOMContentLoaded", () => console.log(document.documentElement.innerText))`
  )
  const frame = await viewer(page, from)
  const isClosed = new Promise<void>((resolve) => page.once("close", () => resolve()))
  await frame.evaluate(
    `void chrome.tabs.query({ active: true }).then(([tab]) => chrome.tabs.update(tab.id, { url: ${JSON.stringify(to)} }))`
  )
  await isClosed
  expect((await browser.pages()).map((one) => one.url()).filter((url) => !url.startsWith("about:"))).toEqual([])
  return read
}

describe.skipIf(isMissing)("A session", () => {
  sharing(layer(), { timeout: 60_000, excludeTestServices: true })("with a viewer of PDFs", (it) => {
    it.scoped("shows no files by way of it, not even for a moment", () =>
      Effect.gen(function* () {
        const { call, site } = yield* Ground
        const { cdpUrl } = yield* session(call)
        const browser = yield* Effect.acquireRelease(
          run(() => puppeteer.connect({ browserWSEndpoint: cdpUrl })),
          (browser) => run(() => browser.disconnect())
        )
        for (const to of ["file:///etc/passwd", "chrome://version"]) {
          const page = yield* run(() => browser.newPage())
          const read = yield* run(() => visit(browser, page, `${site.url}/a.pdf`, to))
          expect(read.join("\n")).not.toMatch(/root:|user-data-dir/)
        }
      })
    )
  })
})
