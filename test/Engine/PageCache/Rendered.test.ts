/** Rendered pages in the page cache. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as Parser from "../../../src/Engine/Parse/Parser.ts"
import * as HostTrust from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import { Scraper, layer as scraperLayer } from "../../../src/Engine/Scrape/Scraper.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, layer as sharing } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import * as Installed from "../Render/Installed.ts"
import { fetchLayer, options, pages } from "../Scrape/Site.ts"

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    scraperLayer.pipe(
      Layer.provide([PageCache.layer(folder), HostTrust.layer, Installed.layer]),
      Layer.provide(Store.layer(folder)),
      Layer.provide([fetchLayer, Parser.layer, NodeContext.layer]),
      Layer.provide(alone)
    )
  )
)

const scrape = (url: string, given: ScrapeOptions) =>
  Effect.flatMap(Scraper, (scraper) => scraper.scrape({ url, options: options(given), teamId: "team" }))

const site = Effect.gen(function* () {
  const asked: Array<string> = []
  const origin = yield* pages({
    "/": (request, response) => {
      asked.push(request.url ?? "")
      response.writeHead(200, { "content-type": "text/html" })
      response.end(`<title>Herons</title><p id="p">Sent ${asked.length}</p><script>p.textContent = p.textContent.replace("Sent", "Shown")
        addEventListener("click", () => { p.textContent += ", clicked" })</script>`)
    }
  })
  return { asked, url: `${origin}/` }
})

describe.skipIf(Installed.isMissing)("cached pages of a browser", () => {
  sharing(layer, { excludeTestServices: true })("answer", (it) => {
    it.scoped.skipIf(skipsLong)("as rendered, and separately from pages that were only fetched", function* () {
      const { asked, url } = yield* site
      const markdown = (given: ScrapeOptions) =>
        Effect.map(scrape(url, { maxAge: 60_000, ...given }), ({ document }) => document.markdown)
      const clicking = { actions: [{ type: "click", selector: "#p" }] }
      expect(yield* markdown({ waitFor: 1 })).toBe("Shown 1")
      expect(yield* markdown({})).toBe("Sent 2")
      expect(yield* markdown(clicking)).toBe("Shown 3, clicked")
      expect(yield* markdown({ waitFor: 1 })).toBe("Shown 1")
      expect(yield* markdown({})).toBe("Sent 2")
      expect(yield* markdown(clicking)).toBe("Shown 3, clicked")
      expect((yield* scrape(url, { waitFor: 1, lockdown: true })).document).not.toHaveProperty("warning")
      expect(asked.length).toBe(3)
    })

    it.scoped.skipIf(skipsLong)("no request that needs more of a browser than the page", function* () {
      const { asked, url } = yield* site
      for (const times of [1, 2]) {
        const { document } = yield* scrape(url, { maxAge: 60_000, formats: ["markdown", "screenshot"] })
        expect(document.screenshot).toMatch(/^data:image\/png;base64,/)
        expect(document.metadata).toMatchObject({ cacheState: "miss" })
        expect(asked.length).toBe(times)
      }
      const refused = yield* Effect.flip(scrape(url, { lockdown: true, formats: ["screenshot"] }))
      expect(refused).toMatchObject({ _tag: "NotFound" })
      expect(refused.message).toContain("screenshot")
    })
  })
})
