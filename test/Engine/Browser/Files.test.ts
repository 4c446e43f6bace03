/** No program reads files of the engine's machine through its session, also not by way of the browser's own parts. */

import * as Effect from "effect/Effect"
import puppeteer from "puppeteer-core"
import { describe, expect, layer as sharing } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, layer, session } from "./Ground.ts"
import { run, until } from "./Sight.ts"

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>`

describe.skipIf(isMissing)("A session", () => {
  sharing(layer(), { excludeTestServices: true })("with a viewer of PDFs", (it) => {
    it.scoped.skipIf(skipsLong)("shows a PDF, and no access to the viewer, which may open files", function* () {
      const { call, site } = yield* Ground
      const { cdpUrl } = yield* session(call)
      const browser = yield* Effect.acquireRelease(
        run(() => puppeteer.connect({ browserWSEndpoint: cdpUrl })),
        (browser) => run(() => browser.disconnect())
      )
      const page = yield* run(() => browser.newPage())
      yield* run(() => page.setRequestInterception(true))
      page.on("request", (request) =>
        request.respond({ contentType: "application/pdf", body: pdf }).catch(() => undefined)
      )
      const said: Array<string> = []
      page.on("console", (message) => said.push(message.text()))
      // It runs in every frame that the program is attached to.
      yield* run(() => page.evaluateOnNewDocument(`console.log(location.href + " " + typeof chrome.tabs)`))
      const own = yield* run(() => page.createCDPSession())
      const inner = new Set<string>()
      own.on("Page.frameAttached", ({ frameId }) => void inner.add(frameId))
      yield* run(() => own.send("Page.enable"))
      yield* run(() => page.goto(`${site.url}/a.pdf`))
      yield* until(async () => inner.size > 0)
      const root = yield* run(() => browser.target().createCDPSession())
      // Frames of other processes are targets under the same id.
      for (const targetId of inner) {
        const refusal = yield* Effect.flip(
          Effect.tryPromise({
            try: () => root.send("Target.attachToTarget", { targetId, flatten: true }),
            catch: String
          })
        )
        expect(refusal).toContain("No target with given id found")
      }
      const { targetInfos } = yield* run(() => root.send("Target.getTargets", { filter: [{}] }))
      expect(targetInfos.map(({ url }) => url)).toContain(`${site.url}/a.pdf`)
      expect(targetInfos.filter(({ url }) => url.includes("chrome"))).toEqual([])
      expect(yield* run(() => page.evaluate("document.contentType"))).toBe("application/pdf")
      expect(said.filter((text) => /^chrome|object$/.test(text))).toEqual([])
    })
  })
})
