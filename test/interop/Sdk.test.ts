/** The public JavaScript client against our engine, unchanged: documents, search, map, preview and usage. */

import * as Effect from "effect/Effect"
import { PDFDocument } from "pdf-lib"
import * as Installed from "../Engine/Render/Installed.ts"
import { expect, layer } from "../It.ts"
import { site } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { ask, heron, World, layer as world } from "./World.ts"

const markdownOf = (url: string, title: string) =>
  `# ${title}\n\nHerons have **two** legs, and stand on one of them for hours.\n\n![A heron](${url}/heron.png)[Go](${url}/go)`

const metadataOf = (url: string, title: string, path: string, creditsUsed: number) => ({
  title,
  language: "en",
  description: `About ${title}.`,
  favicon: `${url}/icon.png`,
  sourceURL: url + path,
  url: url + path,
  statusCode: 200,
  contentType: "text/html; charset=utf-8",
  creditsUsed
})

const legs = { type: "object", properties: { legs: { type: "integer" } }, required: ["legs"] }

const thisMonth = () => `${new Date().toISOString().slice(0, 7)}-01T00:00:00.000Z`

layer(world, { excludeTestServices: true })("the public client", (it) => {
  it.effect(
    "gets a page in every format that is read without a browser, formats as names and as objects",
    function* () {
      const { client, site } = yield* World
      const { url } = site
      const document = yield* ask(() =>
        client.scrape(`${url}/a`, {
          formats: [
            { type: "markdown" },
            "html",
            "rawHtml",
            { type: "links" },
            "images",
            "summary",
            { type: "attributes", selectors: [{ selector: "main a", attribute: "class" }] }
          ]
        })
      )
      expect(document).toEqual({
        markdown: markdownOf(url, "/a"),
        html: `<main><h1>/a</h1><p>Herons have <b>two</b> legs, and stand on one of them for hours.</p><img src="${url}/heron.png" alt="A heron"><a class="button" href="${url}/go">Go</a><ul></ul></main>`,
        rawHtml: heron("/a"),
        links: [`${url}/go`],
        images: [`${url}/logo.png`, `${url}/heron.png`],
        summary: "Herons have two legs, and stand on one of them for hours.",
        attributes: [{ selector: "main a", attribute: "class", values: ["button"] }],
        metadata: metadataOf(url, "/a", "/a", 1)
      })
    }
  )

  it.effect("has every option of a scrape understood", function* () {
    const { client, site } = yield* World
    const document = yield* ask(() =>
      client.scrape(`${site.url}/a`, {
        formats: ["markdown"],
        headers: { "x-seen": "yes" },
        includeTags: ["p", "h1"],
        excludeTags: ["b"],
        onlyMainContent: false,
        timeout: 20_000,
        waitFor: 0,
        mobile: false,
        parsers: [{ type: "pdf", mode: "fast", maxPages: 3 }],
        actions: [],
        location: { languages: ["de"] },
        skipTlsVerification: true,
        removeBase64Images: true,
        blockAds: true,
        proxy: "auto",
        maxAge: 0,
        storeInCache: true,
        lockdown: false,
        integration: "elsewhere",
        origin: "mcp-test"
      })
    )
    expect(document).toEqual({
      markdown: "# /a\n\nHerons have legs, and stand on one of them for hours.",
      metadata: metadataOf(site.url, "/a", "/a", 1)
    })
  })

  it.effect("gets what a model read out of the page, by the schema it sent", function* () {
    const { client, site } = yield* World
    const document = yield* ask(() =>
      client.scrape(`${site.url}/a`, { formats: [{ type: "json", prompt: "How many legs?", schema: legs }] })
    )
    expect(document).toEqual({ json: { legs: 2 }, metadata: metadataOf(site.url, "/a", "/a", 5) })
  })

  it.effect("gets what has changed since its last visit, as a difference and by fields", function* () {
    const { client, site } = yield* World
    const visit = ask(() =>
      client.scrape(`${site.url}/changing`, {
        formats: [
          "markdown",
          { type: "changeTracking", modes: ["git-diff", "json"], prompt: "legs", schema: legs, tag: "t" }
        ]
      })
    )
    const first = yield* visit
    expect(first.changeTracking).toMatchObject({ previousScrapeAt: null, changeStatus: "new", visibility: "visible" })
    const second = yield* visit
    expect(second.markdown).toBe(markdownOf(site.url, "Version 2"))
    expect(second.changeTracking).toMatchObject({
      previousScrapeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      changeStatus: "changed",
      visibility: "visible",
      diff: {
        text: expect.stringContaining("-# Version 1\n+# Version 2\n"),
        json: { files: [{ additions: 1, deletions: 1 }] }
      },
      json: {}
    })
  })

  it.effect("gets how a site looks", function* () {
    const { client, site } = yield* World
    const { branding } = yield* ask(() => client.scrape(`${site.url}/a`, { formats: ["branding"] }))
    expect(branding).toEqual({
      colorScheme: "light",
      logo: `${site.url}/logo.png`,
      colors: { primary: "#0055CC", background: "#FFFFFF", textPrimary: "#222222", link: "#0055CC" },
      fonts: [{ family: "Inter" }],
      typography: { fontFamilies: { primary: "Inter", heading: "Inter" } },
      spacing: { borderRadius: "6px" },
      components: { buttonPrimary: { background: "#0055CC", textColor: "#FFFFFF", borderRadius: "6px" } },
      images: { logo: `${site.url}/logo.png`, favicon: `${site.url}/icon.png` }
    })
  })

  it.effect.skipIf(Installed.isMissing)("gets a picture of a page in the size it asked for", function* () {
    const { client, site } = yield* World
    const { screenshot } = yield* ask(() =>
      client.scrape(`${site.url}/a`, { formats: [{ type: "screenshot", viewport: { width: 400, height: 300 } }] })
    )
    const [kind, base64 = ""] = (screenshot ?? "").split(",")
    expect(kind).toBe("data:image/png;base64")
    const png = Buffer.from(base64, "base64")
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 400, 300])
  })

  it.effect("gets a page that answers 404 as a document that says so", function* () {
    const { client, site } = yield* World
    expect(yield* ask(() => client.scrape(`${site.url}/gone`))).toMatchObject({
      markdown: "Not here",
      metadata: { statusCode: 404, error: "Not Found", sourceURL: `${site.url}/gone` }
    })
  })

  it.effect.skipIf(skipsLong)("has files read, whatever it holds their bytes in", function* () {
    const { client } = yield* World
    const html = heron("Upload")
    const bytes = new TextEncoder().encode(html)
    for (const data of [Buffer.from(html), bytes, bytes.buffer as ArrayBuffer, html, new Blob([html])]) {
      const document = yield* ask(() =>
        client.parse(
          { data, filename: "upload.html", contentType: "text/html" },
          { formats: ["markdown", "links"], onlyMainContent: true, timeout: 20_000, proxy: "auto" }
        )
      )
      expect(document).toMatchObject({
        markdown:
          "# Upload\n\nHerons have **two** legs, and stand on one of them for hours.\n\n![A heron](/heron.png)[Go](/go)",
        links: ["/go"],
        metadata: { title: "Upload", sourceURL: "upload.html", contentType: "text/html", statusCode: 200 }
      })
    }
  })

  it.scoped("gets the pages of a PDF: their Markdown, their blocks and the markers between them", function* () {
    const { client } = yield* World
    const file = yield* ask(async () => {
      const pdf = await PDFDocument.create()
      for (const words of ["Herons in winter", "Herons in spring"]) pdf.addPage([600, 800]).drawText(words)
      return Buffer.from(await pdf.save())
    })
    const { url } = yield* site((path) =>
      path === "/herons.pdf" ? { headers: { "content-type": "application/pdf" }, body: file } : undefined
    )
    const options = { parsers: [{ type: "pdf" as const, pages: true, blocks: true, pageMarkers: true }] }
    for (const ask of [
      () => client.parse({ data: file, filename: "herons.pdf" }, options),
      () => client.scrape(`${url}/herons.pdf`, options)
    ]) {
      expect(yield* Effect.promise(ask)).toMatchObject({
        markdown: "Herons in winter\n\n---\n\n<!-- page 2 -->\n\nHerons in spring",
        pages: [
          { pageNumber: 1, markdown: "Herons in winter" },
          { pageNumber: 2, markdown: "Herons in spring" }
        ],
        blocks: [
          { pageNumber: 1, width: 600, height: 800, status: "ok", items: [{ id: "p1.b0", markdownSpan: [0, 16] }] },
          {
            pageNumber: 2,
            items: [
              {
                id: "p2.b0",
                type: "text",
                content: "Herons in spring",
                markdownSpan: [40, 56],
                readingOrder: 0,
                bbox: [0, expect.any(Number), expect.any(Number), expect.any(Number)]
              }
            ]
          }
        ],
        metadata: { numPages: 2, totalPages: 2 }
      })
    }
  })

  it.effect("gets the addresses of a site, with what is known of them", function* () {
    const { client, site } = yield* World
    const { url } = site
    const all = yield* ask(() => client.map(url))
    expect(all.links).toEqual([
      { url: `${url}/`, title: "Start", description: "About Start." },
      { url: `${url}/go`, title: "Go" },
      ...["/a", "/b", "/gone", "/private/x"].map((path) => ({ url: url + path, title: path }))
    ])
    const some = yield* ask(() =>
      client.map(url, {
        search: "private",
        limit: 1,
        sitemap: "skip",
        includeSubdomains: false,
        ignoreQueryParameters: true,
        timeout: 10_000,
        integration: "elsewhere"
      })
    )
    expect(some.links).toEqual([{ url: `${url}/private/x`, title: "/private/x" }])
  })

  it.effect("finds what was read before, with and without its content", function* () {
    const { client, site } = yield* World
    yield* ask(() => client.scrape(`${site.url}/4711`))
    const query = `"4711" herons`
    const [found] = (yield* ask(() => client.search(query, { limit: 1, sources: ["web"], timeout: 20_000 }))).web ?? []
    expect(found).toEqual({
      url: `${site.url}/4711`,
      title: "/4711",
      description: expect.stringContaining("Herons have two legs, and stand on one of them for hours."),
      headings: ["/4711"],
      position: 1
    })
    const read = yield* ask(() =>
      client.search(query, {
        limit: 1,
        sources: [{ type: "web" }],
        ignoreInvalidURLs: true,
        scrapeOptions: { formats: ["markdown", { type: "links" }] }
      })
    )
    expect(read.web?.[0]).toMatchObject({
      url: `${site.url}/4711`,
      markdown: markdownOf(site.url, "/4711"),
      links: [`${site.url}/go`],
      metadata: { statusCode: 200 }
    })
    expect((yield* ask(() => client.search("zyzzyva nobody wrote"))).web).toEqual([])
  })

  it.effect("gets the parameters that a prompt comes to, and a word of warning among them", function* () {
    const { client, site } = yield* World
    // The model of these tests knows of legs alone, so the engine's rules answer.
    expect(yield* ask(() => client.crawlParamsPreview(site.url, "at most 5 pages under /blog"))).toEqual({
      url: site.url,
      includePaths: ["^/blog(?:/|$)"],
      limit: 5,
      warning: expect.stringContaining("rules")
    })
  })

  it.effect("reads what was used and what is left, in credits and in tokens", function* () {
    const { site, stranger } = yield* World
    yield* ask(() => stranger.scrape(`${site.url}/a`))
    const month = { startDate: thisMonth(), endDate: expect.stringMatching(/T23:59:59.999Z$/) }
    const credits = { ...month, totalCredits: 1, creditsUsed: 1 }
    const tokens = { ...month, totalTokens: 15, tokensUsed: 15 }
    expect(yield* ask(() => stranger.getCreditUsageHistorical())).toEqual({ success: true, periods: [credits] })
    expect(yield* ask(() => stranger.getTokenUsageHistorical())).toEqual({ success: true, periods: [tokens] })
    const named = { success: true, periods: [{ ...tokens, apiKey: "stranger" }] }
    expect(yield* ask(() => stranger.getTokenUsageHistorical(true))).toEqual(named)
    const plan = { billingPeriodStart: null, billingPeriodEnd: null }
    const [left, all] = [999_999_999, 1_000_000_000]
    expect(yield* ask(() => stranger.getCreditUsage())).toEqual({
      remainingCredits: left,
      planCredits: all,
      ...plan
    })
    expect(yield* ask(() => stranger.getTokenUsage())).toEqual({
      remainingTokens: left * 15,
      planTokens: all * 15,
      ...plan
    })
  })
})
