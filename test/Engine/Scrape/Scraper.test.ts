import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { PDFDocument } from "pdf-lib"
import type { ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import { Renderer } from "../../../src/Engine/Render/Renderer.ts"
import type { RenderOutcome } from "../../../src/Engine/Render/Visit.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { type Answer, fetchLayer, options, pages } from "./Site.ts"

const { Scraper } = ScraperFile

const layer = ScraperFile.layer.pipe(
  Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
  Layer.provide(alone)
)

const scrape = (url: string, given: ScrapeOptions = {}) =>
  Effect.flatMap(Scraper, (scraper) => scraper.scrape({ url, options: options(given), teamId: "team" }))

const sent =
  (contentType: string | undefined, body: string | Uint8Array, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, contentType === undefined ? {} : { "content-type": contentType }).end(body)

const article = `<!doctype html><html lang="en"><head><title>Herons</title>
<meta name="description" content="Birds that stand"><meta property="og:site_name" content="Marsh">
<link rel="icon" href="/heron.ico"></head><body>
<nav><a href="/">Home</a> <a href="/about#top">About</a></nav>
<main><h1>Herons</h1><p>Herons are long-legged, long-necked birds, found near water. They stand still, for hours, and wait.</p>
<p>There are many kinds of herons, some of them small, and a few that never leave the trees.</p>
<img src="/heron.jpg" alt="A heron"><script>track()</script></main>
<footer>Imprint</footer></body></html>`

describe("Scraper", () => {
  it.scoped(
    "warns that a page was fetched without the browser, because it asks for a password or is a file",
    function* () {
      const origin = yield* pages({ "/": sent("text/html", "<p>Members only</p>", 401) })
      const warned = (outcome: RenderOutcome) =>
        Effect.map(scrape(origin, { waitFor: 1 }), ({ document }) => document.warning).pipe(
          Effect.provide(
            ScraperFile.layer.pipe(
              Layer.provide(
                Layer.succeed(Renderer, {
                  render: () => Effect.succeed(outcome),
                  installed: Effect.succeed(Either.right("/chromium"))
                })
              ),
              Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
              Layer.provide(alone)
            )
          )
        )
      expect(yield* warned({ _tag: "File", asksForPassword: true })).toContain("asks for a name and a password")
      expect(yield* warned({ _tag: "File" })).toContain("The address is a file")
    }
  )

  it.scoped("gives markdown and metadata of a page by default", layer, function* () {
    const origin = yield* pages({ "/herons": article })
    const page = yield* scrape(`${origin}/herons`)
    expect(Object.keys(page.document).sort()).toEqual(["markdown", "metadata"])
    expect(page.document.markdown).toBe(
      `# Herons

Herons are long-legged, long-necked birds, found near water. They stand still, for hours, and wait.

There are many kinds of herons, some of them small, and a few that never leave the trees.

![A heron](${origin}/heron.jpg)`
    )
    expect(page.document.metadata).toMatchObject({
      title: "Herons",
      description: "Birds that stand",
      language: "en",
      "og:site_name": "Marsh",
      ogSiteName: "Marsh",
      favicon: `${origin}/heron.ico`,
      sourceURL: `${origin}/herons`,
      url: `${origin}/herons`,
      statusCode: 200,
      contentType: "text/html; charset=utf-8"
    })
    expect(page.links).toEqual([`${origin}/`, `${origin}/about`])
    expect(page.indexed).toMatchObject({ title: "Herons", description: "Birds that stand" })
    expect(page.indexed?.text).not.toContain("Imprint")
  })

  it.scoped("gives every format that is asked for, and no other", layer, function* () {
    const origin = yield* pages({ "/herons": article })
    const { document } = yield* scrape(`${origin}/herons`, {
      formats: ["html", { type: "rawHtml" }, "links", "images", "summary"],
      onlyMainContent: false
    })
    expect(document).not.toHaveProperty("markdown")
    expect(document.rawHtml).toBe(article)
    expect(document.html).toContain(`<img src="${origin}/heron.jpg" alt="A heron">`)
    expect(document.html).toContain("Imprint")
    expect(document.html).not.toContain("track()")
    expect(document.links).toEqual([`${origin}/`, `${origin}/about#top`])
    expect(document.images).toEqual([`${origin}/heron.jpg`])
    expect(document.summary).toContain("They stand still, for hours, and wait.")
  })

  it.scoped("gives what a page states and shows as data", layer, function* () {
    const shop = `<html lang=de><title>Kettle</title><meta property=og:type content=product><meta name=author content=Ada>
        <script type="application/ld+json">{"@type":"Product","sku":"K-1"}</script><script type="application/ld+json">{</script>
        <nav class=breadcrumb><a href=/>Home</a> &gt; <a href=/k>Kettles</a></nav><div itemscope itemtype="https://schema.org/Thing"><b itemprop=name>T</b></div>
        <table><caption>Sizes</caption><tr><th>Size<th>Price<tr><td>1 l<td>1.299,00 €</table>`
    const origin = yield* pages({ "/k/1": shop, "/plain": sent("text/plain", "<table><tr><td>x</table>") })
    const fields = { type: "fields", rows: { table: true }, fields: { Price: { as: "price" } }, id: "mine" }
    const formats = ["structured", "article", "breadcrumbs", "tables", fields] as const
    const { document } = yield* scrape(`${origin}/k/1`, { formats })
    expect(document).toMatchObject({
      structured: {
        jsonld: [{ "@type": "Product", sku: "K-1" }],
        opengraph: [{ "og:type": "product" }],
        microdata: [expect.anything()]
      },
      article: { title: "Kettle", author: "Ada", text: expect.stringContaining("1.299,00") },
      breadcrumbs: [
        { name: "Home", url: `${origin}/` },
        { name: "Kettles", url: `${origin}/k` }
      ],
      tables: [{ caption: "Sizes", header: ["Size", "Price"], rows: [["1 l", "1.299,00 €"]] }],
      fields: { rows: [{ Price: 1299 }], id: "mine" },
      warning: "1 of 2 JSON-LD scripts cannot be read"
    })
    expect(document).not.toHaveProperty("rawHtml")
    expect(document).not.toHaveProperty("markdown")
    const records = ["Cup", "Pot", "Bowl", "Plate"]
    const kettle = `<title>Kettle</title><h1>Kettle</h1><ul>${records
      .map((name) => `<li><a href="/${name}">${name} of the house</a> <i>for the table</i></li>`)
      .join("")}</ul><script type="application/ld+json">
        {"@type":"Product","name":"Kettle","offers":{"@type":"Offer","price":"19.50","priceCurrency":"EUR"}}</script>`
    const shown = yield* pages({ "/kettle": kettle, "/none": "<title>Nothing</title><p>Nothing to buy</p>" })
    const product = yield* scrape(`${shown}/kettle`, { formats: ["product", "lists"] })
    expect(product.document).toMatchObject({
      product: {
        title: "Kettle",
        variants: [{ price: { amount: 19.5, currency: "EUR" }, availability: { inStock: true } }]
      },
      lists: [{ count: 4, rows: records.map((name) => ({ url: `${shown}/${name}` })) }]
    })
    const none = yield* scrape(`${shown}/none`, { formats: ["product"] })
    expect(none.document).not.toHaveProperty("product")
    const text = yield* scrape(`${origin}/plain`, {
      formats: ["tables", { type: "fields", rows: { data: "Product" } }]
    })
    expect(text.document).toMatchObject({
      tables: [{ rows: [["x"]] }],
      fields: { rows: [] },
      warning: "fields: no rows"
    })
  })

  it.scoped.each<readonly [name: string, format: object, message: string]>([
    ["fields", {}, "fields: needs fields, or rows: { table: true }"],
    ["a good selector", { fields: { a: "b[" } }, '"b[" is not a CSS selector'],
    ["a known key", { fields: { a: { css: "b", atr: "x" } } }, "atr"],
    ["a linear pattern", { fields: { a: { regex: "(a)\\1" } } }, "back-references are not supported"],
    ["a language", { fields: { a: "b" }, locale: "xx-yy-zz" }, '"xx-yy-zz" is not a language'],
    ["a time", { fields: { a: "b" }, now: "soon" }, '"soon" is not a time']
  ])("refuses the format `fields` without %s", layer, function* ([_, format, message]) {
    const failure = yield* Effect.flip(scrape("http://192.0.2.1/", { formats: [{ type: "fields", ...format }] }))
    expect(failure).toMatchObject({ _tag: "BadRequest", details: [{ path: ["formats"] }] })
    expect(failure.message).toContain(message)
  })

  it.scoped("makes a page of a 404 and of a 500, kept out of the index", layer, function* () {
    const origin = yield* pages({ "/broken": sent("text/html", "<h1>Oops</h1>", 500) })
    const missing = yield* scrape(`${origin}/missing`)
    expect(missing.document.metadata).toMatchObject({ statusCode: 404, error: "Not Found", title: "Not here" })
    expect(missing.document.markdown).toContain("There is no such page.")
    const broken = yield* scrape(`${origin}/broken`)
    expect(broken.document.metadata).toMatchObject({ statusCode: 500, error: "Internal Server Error" })
    expect([missing.indexed, broken.indexed]).toEqual([undefined, undefined])
  })

  it.scoped("keeps nothing for the index when nothing may be kept", layer, function* () {
    const origin = yield* pages({ "/herons": article })
    expect((yield* scrape(`${origin}/herons`, { zeroDataRetention: true })).indexed).toBeUndefined()
    expect((yield* scrape(`${origin}/herons`, { storeInCache: false })).indexed).toBeUndefined()
  })

  it.scoped("shows what the selectors choose, without what they exclude", layer, function* () {
    const origin = yield* pages({ "/herons": article })
    const { document } = yield* scrape(`${origin}/herons`, {
      includeTags: ["main", "footer"],
      excludeTags: ["h1", "img"]
    })
    expect(document.markdown).toMatch(/^Herons are long-legged/)
    expect(document.markdown).toMatch(/Imprint$/)
    expect(document.markdown).not.toContain("heron.jpg")
  })

  it.scoped("warns when the selectors match nothing, so that the content is empty", layer, function* () {
    const origin = yield* pages({
      "/herons": article,
      "/parts": "<h1>Herons</h1><p hidden class=hidden>Ardea</p><div class=empty></div><p>They wait.</p>",
      "/missing": sent("text/html", "<p>There is no such page.</p>", 404),
      "/wall": sent("text/html", "<title>Are you a robot?</title><form class=g-recaptcha>Prove it.</form>", 403)
    })
    const none = yield* scrape(`${origin}/herons`, {
      includeTags: [".missing", "nav.gone"],
      formats: ["markdown", "html"]
    })
    expect(none.document).toMatchObject({
      markdown: "",
      html: "",
      warning:
        "No content matches includeTags (.missing, nav.gone), so the content is empty: correct the selectors, or leave includeTags out. For parts that scripts fill in, set waitFor."
    })
    const some = yield* scrape(`${origin}/herons`, { includeTags: [".missing", "h1"], excludeTags: [".missing"] })
    expect(some.document.warning).toBeUndefined()
    for (const given of [
      { includeTags: ["h1"], excludeTags: ["h1"] },
      { includeTags: [".hidden"] },
      { includeTags: [".empty"], formats: ["markdown", "html"] }
    ] satisfies ReadonlyArray<ScrapeOptions>) {
      const { document } = yield* scrape(`${origin}/parts`, given)
      expect([document.markdown, document.warning]).toEqual(["", expect.stringContaining("the content is empty")])
    }
    for (const path of ["/missing", "/wall"]) {
      const { document } = yield* scrape(`${origin}${path}`, { includeTags: ["main"] })
      expect([document.markdown, document.warning], path).toEqual(["", undefined])
    }
    for (const selector of ["body", "html"]) {
      const { document } = yield* scrape(`${origin}/herons`, { includeTags: [selector] })
      expect([document.warning, document.markdown], selector).toEqual([undefined, expect.stringContaining("Herons")])
    }
  })

  it.scoped("refuses formats that are not implemented and unknown ones, by name", layer, function* () {
    const refused = (given: ScrapeOptions) => Effect.flip(scrape("http://192.0.2.1/", given))
    const unbuilt: ReadonlyArray<readonly [string, ScrapeOptions]> = [
      ["json", { formats: [{ type: "json", prompt: "x" }] }],
      ["proxy: stealth", { proxy: "stealth" }]
    ]
    for (const [name, given] of unbuilt) {
      const failure = yield* refused(given)
      expect(failure, name).toMatchObject({ _tag: "NotImplemented", code: "NOT_IMPLEMENTED" })
      expect(failure.message).toContain(name)
    }
    const unknown = yield* refused({ formats: ["markdwon" as "markdown"] })
    expect(unknown._tag).toBe("BadRequest")
    const selector = yield* refused({ includeTags: ["div[[", "p"] })
    expect(selector).toMatchObject({ _tag: "BadRequest", details: [{ path: ["includeTags"] }] })
  })

  it.scoped("decodes by byte order mark, header, page, and what the bytes look like", layer, function* () {
    const latin = Buffer.from("<p>Gr\xfc\xdfe</p>", "latin1")
    const origin = yield* pages({
      "/bom": sent("text/html; charset=iso-8859-1", Buffer.from("\ufeff<p>Grüße</p>", "utf8")),
      "/header": sent("text/html; charset=iso-8859-1", latin),
      "/meta": sent("text/html", Buffer.concat([Buffer.from('<meta charset="windows-1252">'), latin])),
      "/bytes": sent("text/html", latin),
      "/wrong": sent("text/html; charset=iso-8859-1", Buffer.from("<p>Grüße</p>", "utf8")),
      "/none": sent("text/html; charset=nonsense", Buffer.from("<p>Grüße</p>", "utf8"))
    })
    for (const path of ["bom", "header", "meta", "bytes", "wrong", "none"]) {
      expect((yield* scrape(`${origin}/${path}`)).document.markdown, path).toBe("Grüße")
    }
  })

  it.scoped("shows text as it is and data as code", layer, function* () {
    const origin = yield* pages({
      "/a.json": sent("application/json", '{"a":1}'),
      "/feed": sent("application/rss+xml", "<rss></rss>"),
      "/readme": sent("text/markdown", "# Title\n\n- x"),
      "/plain": sent("text/plain", "just <text>")
    })
    const markdown = (path: string) => Effect.map(scrape(`${origin}/${path}`), ({ document }) => document.markdown)
    expect(yield* markdown("a.json")).toBe('```json\n{"a":1}\n```')
    expect(yield* markdown("feed")).toBe("```xml\n<rss></rss>\n```")
    expect(yield* markdown("readme")).toBe("# Title\n\n- x")
    expect(yield* markdown("plain")).toBe("just <text>")
  })

  it.scoped("hands files to the parser, by type and by their first bytes", layer, function* () {
    const file = yield* Effect.promise(async () => {
      const pdf = await PDFDocument.create()
      pdf.addPage().drawText("Herons in winter")
      return Buffer.from(await pdf.save())
    })
    const origin = yield* pages({
      "/report": sent("application/pdf", file),
      "/unnamed": sent("application/octet-stream", file),
      "/page.pdf": sent("text/html", "<p>Not a file</p>")
    })
    const { document, indexed } = yield* scrape(`${origin}/report`, { formats: ["markdown", "links"] })
    expect(document.markdown).toContain("Herons in winter")
    expect(document.links).toEqual([])
    expect(document.metadata).toMatchObject({ numPages: 1, sourceURL: `${origin}/report`, statusCode: 200 })
    expect(indexed?.text).toContain("Herons in winter")
    expect((yield* scrape(`${origin}/unnamed`)).document.markdown).toContain("Herons in winter")
    expect((yield* scrape(`${origin}/page.pdf`)).document.markdown).toBe("Not a file")
    const unread = yield* scrape(`${origin}/report`, { parsers: [], formats: ["markdown", "links"] })
    expect(Buffer.from(unread.document.markdown ?? "", "base64").equals(file)).toBe(true)
    expect(unread.document).toMatchObject({
      links: [],
      metadata: { statusCode: 200, contentType: "application/pdf" }
    })
    expect(unread.indexed).toBeUndefined()
  })

  it.scoped.skipIf(skipsLong)("reads no more pages of a PDF than were asked for", layer, function* () {
    const file = yield* Effect.promise(async () => {
      const pdf = await PDFDocument.create()
      for (const words of ["Herons in winter", "Herons in spring", "Herons in summer"]) pdf.addPage().drawText(words)
      return Buffer.from(await pdf.save())
    })
    const origin = yield* pages({ "/report": sent("application/pdf", file) })
    const some = { type: "pdf", mode: "fast", maxPages: 2 }
    const { document } = yield* scrape(`${origin}/report`, { parsers: [some] })
    expect(document.markdown).toMatch(/winter[\s\S]*spring/)
    expect(document.markdown).not.toContain("summer")
    expect(document.metadata).toMatchObject({ numPages: 2, totalPages: 3 })
    expect(document.pages).toBeUndefined()
    const options = { parsers: [{ ...some, pages: true, blocks: true, pageMarkers: true }] }
    const paged = yield* scrape(`${origin}/report`, options)
    expect(paged.document.markdown).toBe("Herons in winter\n\n---\n\n<!-- page 2 -->\n\nHerons in spring")
    expect(paged.document.pages).toEqual([
      { pageNumber: 1, markdown: "Herons in winter" },
      { pageNumber: 2, markdown: "Herons in spring" }
    ])
    expect(paged.document.blocks?.map(({ items }) => items[0]?.markdownSpan)).toEqual([
      [0, 16],
      [40, 56]
    ])
  })

  it.scoped("refuses parsers and modes that there are not", layer, function* () {
    const refused = (parsers: ScrapeOptions["parsers"]) => Effect.flip(scrape("http://192.0.2.1/", { parsers }))
    expect(yield* refused([{ type: "pdf", mode: "ocr" }])).toMatchObject({ _tag: "NotImplemented" })
    expect(yield* refused([{ type: "pdf", mode: "deep" }])).toMatchObject({ _tag: "BadRequest" })
    expect(yield* refused([{ type: "pdf", maxPages: 0 }])).toMatchObject({ _tag: "BadRequest" })
    expect((yield* refused(["docx" as "pdf"])).message).toContain(`"docx" is not a parser`)
  })

  it.scoped("says that a file is broken as the parser does", layer, function* () {
    const origin = yield* pages({ "/report.docx": sent("application/octet-stream", "PK\x03\x04 and no more") })
    expect((yield* Effect.flip(scrape(`${origin}/report.docx`)))._tag).toBe("Unprocessable")
  })

  it.scoped("refuses pictures and other bytes without text", layer, function* () {
    const origin = yield* pages({
      "/heron.png": sent("image/png", "\x89PNG"),
      "/blob": sent("application/octet-stream", "a\0b"),
      "/gone.png": sent("image/png", "\x89PNG", 404),
      "/gone.pdf": sent("application/pdf", "", 404),
      "/gone.docx": sent(undefined, "<!doctype html><p>No such file", 410)
    })
    for (const path of ["heron.png", "blob"]) {
      expect(yield* Effect.flip(scrape(`${origin}/${path}`))).toMatchObject({
        _tag: "UnsupportedType",
        code: "UNSUPPORTED_FILE_TYPE"
      })
    }
    expect((yield* scrape(`${origin}/gone.png`)).statusCode).toBe(404)
    const { document } = yield* scrape(`${origin}/gone.pdf`)
    expect(document).toMatchObject({ markdown: "", metadata: { statusCode: 404, error: "Not Found" } })
    const told = yield* scrape(`${origin}/gone.docx`)
    expect(told).toMatchObject({ statusCode: 410, document: { markdown: "No such file" } })
  })

  it.scoped("warns when a page is an empty frame for a script", layer, function* () {
    const origin = yield* pages({
      "/app": `<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`
    })
    const { document } = yield* scrape(`${origin}/app`)
    expect(document.warning).toContain("scripts are not run")
    expect(document.metadata?.title).toBe("App")
  })

  it.scoped("names the command that installs a browser where one is needed and there is none", layer, function* () {
    const needy: ReadonlyArray<ScrapeOptions> = [
      { formats: ["screenshot"] },
      { formats: ["screenshot@fullPage"] },
      { formats: [{ type: "screenshot", quality: 80, viewport: { width: 800, height: 600 } }] },
      { waitFor: 100 },
      { mobile: true },
      { actions: [{ type: "wait", milliseconds: 1 }] }
    ]
    for (const given of needy) {
      const { _tag, message } = yield* Effect.flip(scrape("http://192.0.2.1/", given))
      expect(_tag).toBe("Unavailable")
      expect(message).toContain("npx @puppeteer/browsers install")
    }
    const origin = yield* pages({ "/": `<body><div id="app"></div><script src="/app.js"></script>` })
    expect((yield* scrape(origin)).document.warning).toContain("npx @puppeteer/browsers install")
  })

  it.scoped("names every fault of actions and screenshots before anything is begun", layer, function* () {
    const faults = (given: ScrapeOptions) =>
      Effect.map(Effect.flip(scrape("http://192.0.2.1/", given)), ({ _tag, details }) => ({
        _tag,
        paths: (details as ReadonlyArray<{ readonly path: ReadonlyArray<string> }>).map(({ path }) => path.join("."))
      }))
    const wrong = (...paths: ReadonlyArray<string>) => ({ _tag: "BadRequest", paths })
    expect(
      yield* faults({
        actions: [
          { type: "click" },
          { type: "fly" },
          { type: "wait" },
          { type: "wait", milliseconds: -1 },
          { type: "scroll", direction: "left" },
          { type: "press", key: "Enter", count: 2 }
        ]
      })
    ).toEqual(
      wrong(
        "actions.0.selector",
        "actions.1.type",
        "actions.2",
        "actions.3.milliseconds",
        "actions.4.direction",
        "actions.5.count"
      )
    )
    expect(yield* faults({ waitFor: 40_000 })).toEqual(wrong("waitFor"))
    expect(yield* faults({ timeout: 2_000, actions: [{ type: "wait", milliseconds: 2_000 }] })).toEqual(
      wrong("actions")
    )
    expect(yield* faults({ actions: Array.from({ length: 11 }, () => ({ type: "screenshot" })) })).toEqual(
      wrong("actions")
    )
    expect(yield* faults({ formats: [{ type: "screenshot", quality: 0 }] })).toEqual(
      wrong("formats.screenshot.quality")
    )
    expect(yield* faults({ formats: ["screenshot@half" as "screenshot"] })).toEqual(wrong("formats"))
  })

  it.scoped("tells the language of a page that does not say", layer, function* () {
    const origin = yield* pages({
      "/de": "<p>Die Reiher stehen am Ufer des Flusses und warten geduldig auf ihre Beute, oft viele Stunden lang.</p>",
      "/short": "<p>Hm.</p>"
    })
    expect((yield* scrape(`${origin}/de`)).document.metadata?.language).toBe("de")
    expect((yield* scrape(`${origin}/short`)).document.metadata).not.toHaveProperty("language")
  })

  it.scoped("sends the request's headers and its own name to the site", layer, function* () {
    const origin = yield* pages({
      "/": (request, response) =>
        void response.end(`<p>${request.headers["x-colour"]} ${request.headers["user-agent"]}</p>`)
    })
    const scraper = yield* Scraper
    const page = yield* scraper.scrape({
      teamId: "team",
      url: origin,
      options: options({ headers: { "X-Colour": "green" } }),
      userAgent: "Heron"
    })
    expect(page.document.markdown).toBe("green Heron")
  })
})
