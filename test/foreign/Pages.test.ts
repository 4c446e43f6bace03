/** Cases from outside: what servers send, from public bug reports and their neighbours. */

import { readFileSync } from "node:fs"
import type { OutgoingHttpHeaders } from "node:http"
import * as Zlib from "node:zlib"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import iconv from "iconv-lite"
import { describe, expect } from "vitest"
import { texts } from "../../bench/Charset/Texts.ts"
import type { ScrapeOptions } from "../../src/Api/ScrapeOptions.ts"
import * as ParserFile from "../../src/Engine/Parse/Parser.ts"
import * as ScraperFile from "../../src/Engine/Scrape/Scraper.ts"
import { alone } from "../Engine/Alone.ts"
import { type Answer, fetchLayer, options, pages } from "../Engine/Scrape/Site.ts"
import { layer as sharing } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { type Case, input, keptSite, sites } from "./Case.ts"

const { Scraper } = ScraperFile

const layer = ScraperFile.layer.pipe(
  Layer.provide([fetchLayer, ParserFile.layer, NodeContext.layer]),
  Layer.provide(alone),
  Layer.merge(sites)
)

const scrape = (url: string, given: ScrapeOptions = {}) =>
  Effect.flatMap(Scraper, (scraper) => scraper.scrape({ url, options: options(given), teamId: "team" }))

interface PageCase extends Case {
  /** Path of the site. */
  readonly path: string
  /** Parts of the Markdown, or of the message of the failure. */
  readonly expects: ReadonlyArray<string>
  readonly excludes?: ReadonlyArray<string>
  /** Code of the failure; without it the page is scraped. */
  readonly fails?: string
  readonly warning?: string | undefined
}

const check = (origin: string, { excludes = [], expects, fails, path, warning }: PageCase) =>
  Effect.gen(function* () {
    const result = yield* Effect.either(
      scrape(`${origin}${path}`, { formats: ["markdown", "links"], onlyMainContent: false })
    )
    if (fails !== undefined) {
      expect(result, path).toMatchObject({ _tag: "Left", left: { code: fails } })
      if (result._tag === "Left") for (const part of expects) expect(result.left.message).toContain(part)
      return
    }
    if (result._tag === "Left") return expect.fail(`${path}: ${result.left.message}`)
    const { document } = result.right
    const all = `${document.metadata?.title ?? ""}\n${document.markdown}\n${(document.links ?? []).join("\n")}`
    for (const part of expects) expect(all, path).toContain(part)
    for (const part of excludes) expect(all, path).not.toContain(part)
    if (warning === undefined) expect(document.warning, path).toBeUndefined()
    else expect(document.warning, path).toContain(warning)
  })

const sent =
  (
    contentType: string | undefined,
    body: string | Uint8Array,
    headers: OutgoingHttpHeaders = {}
  ): Exclude<Answer, string> =>
  (_, response) =>
    void response
      .writeHead(200, contentType === undefined ? headers : { ...headers, "content-type": contentType })
      .end(body)

const ferry = "The ferry leaves at seven"
const note = `<!doctype html><title>Note</title><main><h1>Note</h1><p>${ferry} and comes back at nine.</p></main>`
const file = (path: string) => readFileSync(input(`pages/${path}`))
const png = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001", "hex")

sharing(layer, { excludeTestServices: true })("what servers send", (it) => {
  const suite = (folder: string, cases: ReadonlyArray<PageCase>) => {
    for (const each of cases)
      it.effect.skipIf(skipsLong)(`${each.name} (${each.source}, ${each.path})`, () =>
        Effect.flatMap(keptSite(folder), (origin) => check(origin, each))
      )
  }

  /** A site of one path for each case of the neighbours. */
  const neighbours = (cases: ReadonlyArray<PageCase & { readonly answer: Answer }>) => {
    for (const each of cases)
      it.scoped(`${each.name} (${each.source}, ${each.path})`, () =>
        Effect.flatMap(pages({ [each.path]: each.answer }), (origin) => check(origin, each))
      )
  }

  describe("the type of a file", () => {
    const asPdf = (path: string): PageCase => ({
      name: "is PDF by its bytes, whatever type is declared",
      source: "firecrawl#4502",
      path,
      expects: ["Ferry times"],
      excludes: ["%PDF", "endobj"]
    })
    const one = "pages/10-content-type"
    suite(one, [
      ...["/pdf-as-html", "/pdf-as-jp2", "/pdf-as-octet", "/pdf-no-type", "/pdf-as-text", "/pdf-download"].map(asPdf),
      ...[
        "/html-octet",
        "/html-none",
        "/html-json",
        "/html-bad",
        "/html-xml",
        "/html-image",
        "/page.pdf",
        "/page2.pdf"
      ].map(
        (path): PageCase => ({
          name: "is HTML by its bytes, whatever type is declared",
          source: "firecrawl#4502",
          path,
          expects: [ferry],
          excludes: ["<p>", "```"]
        })
      ),
      {
        name: "is unsupported, and named, for an image",
        source: "own",
        path: "/png",
        expects: ["image/png"],
        fails: "UNSUPPORTED_FILE_TYPE"
      },
      { name: "stays JSON under text/html", source: "own", path: "/json-html", expects: ['{"a":1}'] }
    ])
    const types = [
      "binary/octet-stream",
      "application/octetstream",
      "application/force-download",
      "application/x-download",
      "application/x-unknown",
      "unknown/unknown",
      "application/save",
      "file",
      "pdf",
      "text/pdf",
      "image/jp2",
      "application/xml",
      "text/html",
      "application/json"
    ]
    const ofType = (type: string, name: string) => sent(type, file(`10-content-type/one.${name}`))
    neighbours(
      types.flatMap((type, index) => [
        {
          ...asPdf(`/get-${index}`),
          name: `is PDF under ${type}`,
          source: "CodeIgniter#2340",
          answer: ofType(type, "pdf")
        },
        {
          name: `is DOCX under ${type}`,
          source: "CodeIgniter#2340",
          path: `/file-${index}`,
          answer: ofType(type, "docx"),
          expects: ["|"],
          excludes: ["PK", "[Content_Types]"]
        }
      ])
    )
    const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Mill news</title></feed>`
    neighbours([
      {
        name: "is XML for a feed under text/html",
        source: "own",
        path: "/atom",
        answer: sent("text/html", atom),
        expects: ["Mill news"]
      },
      {
        name: "is XLSX by its bytes",
        source: "firecrawl#4502",
        path: "/sheet",
        answer: sent("application/json", file("10-content-type/one.xlsx")),
        expects: ["|"],
        excludes: ["PK"]
      },
      {
        name: "is RTF by its bytes",
        source: "firecrawl#4502",
        path: "/letter",
        answer: sent("text/html", "{\\rtf1\\ansi A letter of {\\b herons}.\\par}"),
        expects: ["A letter of"],
        excludes: ["rtf1"]
      },
      {
        name: "is unsupported for a picture under text/html",
        source: "own",
        path: "/picture",
        answer: sent("text/html", png),
        expects: ["image/png"],
        fails: "UNSUPPORTED_FILE_TYPE"
      },
      {
        name: "is a page for HTML under text/plain with a doctype",
        source: "own",
        path: "/plain",
        answer: sent("text/plain", note),
        expects: [ferry],
        excludes: ["<p>"]
      },
      {
        name: "stays text for text/plain without a doctype",
        source: "own",
        path: "/words",
        answer: sent("text/plain", "a < b\n<b>not bold</b>"),
        expects: ["<b>not bold</b>"]
      },
      {
        name: "is text for an unknown type with readable bytes",
        source: "own",
        path: "/query",
        answer: sent("application/sql", "select 1;"),
        expects: ["select 1;"]
      }
    ])
  })

  describe("a body", () => {
    const last = "LAST WORDS"
    const good = (path: string, name: string, source: string): PageCase => ({ name, source, path, expects: [last] })
    suite("pages/09-bodies", [
      good("/gzip-no-header", "that is a gzip file without saying so is unpacked", "trafficcontrol#1737"),
      good("/gzip-twice", "that is compressed twice, and says so, is unpacked", "own"),
      good("/gzip-double-one-header", "that is compressed twice under one header is unpacked", "trafficcontrol#1737"),
      good("/gzip-trailing", "is read without the bytes after its gzip data", "httrack#515"),
      good("/gzip-members", "of several gzip members is read as a whole", "own"),
      good("/encoding-utf8", "whose coding is a charset is plain", "httpx#195"),
      good("/encoding-none", "whose coding is none is plain", "httpcomponents-client#698"),
      good("/encoding-empty", "whose coding is empty is plain", "locust#1233"),
      good("/x-gzip", "in x-gzip is unpacked", "own"),
      good("/deflate-raw", "in raw deflate is unpacked", "own"),
      good("/100", "after 100 Continue that nobody asked for is read", "jetty#1878"),
      good("/103", "after early hints is read", "own"),
      good("/big-header", "behind 28 kB of cookies is read", "webhintio/scan-issues#28932"),
      good("/lf-only", "behind lines that end with LF is read", "corefx#31413"),
      good("/header-space", "behind a name with a space before its colon is read", "own"),
      good("/header-nocolon", "behind a line without a colon is read", "own"),
      good("/icy", "behind ICY in place of HTTP is read", "own"),
      good("/status-noreason", "behind a status without its reason is read", "own"),
      good("/http10", "of HTTP/1.0 is read", "own"),
      ...["gzip", "br"].map((coding) => ({
        name: `that is declared as ${coding} and is plain fails, as in browsers`,
        source: "own",
        path: `/${coding}-but-plain`,
        expects: [`declared as ${coding}`],
        fails: "SCRAPE_ENCODING_ERROR"
      })),
      {
        name: "that ends before its last chunk fails",
        source: "own",
        path: "/chunk-cut",
        expects: [],
        fails: "SCRAPE_CONNECTION_ERROR"
      },
      {
        name: "that ends in the middle of its gzip data fails",
        source: "notatallshaw/nab#467",
        path: "/gzip-half",
        expects: ["is incomplete"],
        fails: "SCRAPE_ENCODING_ERROR"
      },
      {
        name: "that is shorter than its length fails",
        source: "own",
        path: "/length-long",
        expects: [],
        fails: "SCRAPE_CONNECTION_ERROR"
      }
    ])
    const long = Buffer.from(Array.from({ length: 3_000 }, (_, row) => `<p>Row ${row} ${Math.sin(row)}</p>`).join(""))
    const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)
    const cut: PageCase = {
      name: "that ends in the middle of its data fails",
      source: "notatallshaw/nab#467",
      path: "/",
      expects: ["is incomplete"],
      fails: "SCRAPE_ENCODING_ERROR"
    }
    const plain = Buffer.from(`<!doctype html><title>T</title><p>${last}</p>`.repeat(3))
    neighbours([
      {
        ...cut,
        path: "/br",
        answer: sent("text/html", half(Zlib.brotliCompressSync(long)), { "content-encoding": "br" })
      },
      {
        ...cut,
        path: "/deflate",
        answer: sent("text/html", half(Zlib.deflateSync(long)), { "content-encoding": "deflate" })
      },
      {
        ...cut,
        path: "/raw",
        answer: sent("text/html", half(Zlib.deflateRawSync(long)), { "content-encoding": "deflate" })
      },
      { ...cut, path: "/undeclared", answer: sent("text/html", half(Zlib.gzipSync(long))) },
      {
        ...cut,
        path: "/members",
        answer: sent("text/html", Buffer.concat([Zlib.gzipSync(plain), half(Zlib.gzipSync(long))]), {
          "content-encoding": "gzip"
        })
      },
      {
        ...good("/missing-checksum", "without its checksum is read", "undici#2123"),
        answer: sent("text/html", Zlib.gzipSync(plain).subarray(0, -8), { "content-encoding": "gzip" })
      },
      {
        ...good("/head-200k", "behind 200 kB of headers is read", "webhintio/scan-issues#28932"),
        answer: sent("text/html", plain, {
          "set-cookie": Array.from({ length: 50 }, (_, at) => `c${at}=${"x".repeat(4_000)}`)
        })
      },
      {
        name: "behind more headers than browsers take fails",
        source: "own",
        path: "/head-300k",
        expects: ["headers"],
        fails: "SCRAPE_CONNECTION_ERROR",
        answer: sent("text/html", plain, {
          "set-cookie": Array.from({ length: 75 }, (_, at) => `c${at}=${"x".repeat(4_000)}`)
        })
      },
      {
        ...good("/json", "of JSON that is a gzip file is unpacked", "trafficcontrol#1737"),
        answer: sent("application/json", Zlib.gzipSync(`{"a":"${last}"}`))
      }
    ])
  })

  describe("the target of a redirect", () => {
    suite("pages/12-redirects", [
      { name: "is UTF-8", source: "scrapy#2321", path: "/utf", expects: ["Kitchen"] },
      { name: "may have spaces", source: "Norconex#199", path: "/space", expects: ["Spaced"] },
      { name: "may have a scheme in upper case", source: "wreq#1291", path: "/case", expects: ["New"] }
    ])
  })

  describe("a page that leads on by itself", () => {
    const mill = "the old mill and its two wheels"
    const led = (path: string, name = "is followed to its target"): PageCase => ({
      name,
      source: "apache/stormcrawler#350",
      path,
      expects: ["Target", mill]
    })
    suite("pages/08-meta-refresh", [
      ...["/plain", "/reversed", "/newline", "/quoted", "/entity", "/nourlword", "/comma", "/base/x", "/five"].map(
        (path) => led(path)
      ),
      led("/noscript", "is followed inside noscript if it shows nothing else"),
      led("/header", "is followed by its Refresh header"),
      {
        name: "stays when it only reloads itself later",
        source: "w3lib#162",
        path: "/reload",
        expects: ["level of the river"]
      },
      {
        name: "stays when it reloads itself at once",
        source: "w3lib#162",
        path: "/self",
        expects: ["again and again"]
      },
      {
        name: "stays when the refresh is in a comment",
        source: "scrapy#1422",
        path: "/commented",
        expects: ["stays as it is"]
      },
      {
        name: "ends with a warning when two pages lead to each other",
        source: "w3lib#32",
        path: "/a",
        expects: [],
        warning: "leads back to it"
      },
      {
        name: "shows the content of its frames, and has them as links",
        source: "crawl4ai#1974",
        path: "/frameset",
        expects: ["Frames", mill, "Mill", "/nav", "/target"]
      }
    ])
    const text = "<title>Old</title><p>The words of the old page, which has much to say about wheels.</p>"
    const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`
    neighbours([
      {
        name: "is not followed inside noscript if it shows something",
        source: "own",
        path: "/words",
        answer: `<noscript>${refresh("0; url=/elsewhere")}</noscript>${text}`,
        expects: ["The words of the old page"]
      },
      {
        name: "stays when the target is another scheme",
        source: "own",
        path: "/scheme",
        answer: `${refresh("0; url=market://app")}${text}`,
        expects: ["The words of the old page"]
      },
      {
        name: "stays when the refresh is after a minute",
        source: "own",
        path: "/minute",
        answer: `${refresh("60; url=/elsewhere")}${text}`,
        expects: ["The words of the old page"]
      },
      {
        name: "is not followed to a private address",
        source: "own",
        path: "/private",
        answer: refresh("0; url=http://10.0.0.1/"),
        expects: ["10.0.0.1"],
        fails: "SSRF_BLOCKED"
      },
      {
        name: "names a frame that cannot be read",
        source: "own",
        path: "/frames",
        answer: '<frameset><frame src="/gone"></frameset>',
        expects: ["/gone"],
        warning: "/gone answered 404"
      }
    ])
    it.scoped("names frames that are not HTML, and framesets that are nested too deeply", function* () {
      const frame = (path: string) => `<frameset><frame src="${path}"></frameset>`
      const origin = yield* pages({
        "/files": `<frameset><frame src="/list.csv"><frame src="/note"></frameset>`,
        "/list.csv": sent("text/csv", "a,b\n1,2\n"),
        "/note": note,
        "/1": frame("/2"),
        "/2": frame("/3"),
        "/3": frame("/4"),
        "/4": frame("/note")
      })
      const files = (yield* scrape(`${origin}/files`, { onlyMainContent: false })).document
      expect(files.markdown).toContain(ferry)
      expect(files.warning).toContain("/list.csv is not an HTML page")
      const nested = (yield* scrape(`${origin}/1`, { onlyMainContent: false })).document
      expect(nested.warning).toContain("/4 is a frameset more than 3 levels deep")
    })
    it.scoped("has the charset of its page in its query, and so have the links of its frames", function* () {
      const asked: Array<string | undefined> = []
      const japanese = (html: string) => iconv.encode(html, "shift_jis")
      const shiftJis = "text/html; charset=Shift_JIS"
      const origin = yield* pages({
        "/": sent(shiftJis, japanese(refresh("0; url=/frames?cat=本"))),
        "/frames": (request, response) => {
          asked.push(request.url)
          sent(shiftJis, japanese('<frameset><frame src="/list?cat=本"></frameset>'))(request, response)
        },
        "/list": (request, response) => {
          asked.push(request.url)
          sent(shiftJis, japanese(`${note}<a href="/next?cat=本">本</a>`))(request, response)
        }
      })
      const { document } = yield* scrape(origin, { formats: ["links"] })
      expect(asked).toEqual(["/frames?cat=%96%7B", "/list?cat=%96%7B"])
      expect(document.links).toEqual([`${origin}/list?cat=%96%7B`, `${origin}/next?cat=%96%7B`])
    })
    it.scoped("counts in the limit of redirects", function* () {
      const hop = (_: number, index: number) => [`/${index}`, refresh(`0; url=/${index + 1}`)] as const
      const origin = yield* pages(Object.fromEntries(Array.from({ length: 20 }, hop)))
      expect(yield* Effect.flip(scrape(`${origin}/0`))).toMatchObject({ code: "SCRAPE_REDIRECT_ERROR" })
    })
  })

  describe("the charset of a page", () => {
    const russian = "Мастер чинил сёдла каждое утро"
    const inCharset = (
      path: string,
      expected: string,
      name = "is found by the bytes where none is declared"
    ): PageCase => ({
      name,
      source: "AeternaLabsHQ/pullmd#8",
      path,
      expects: [expected]
    })
    const contradicted = "is the page's own where the header does not hold"
    suite("pages/07-charsets", [
      inCharset("/1251-nothing", russian),
      inCharset("/koi8-nothing", russian),
      inCharset("/sjis-nothing", "職人は毎朝鞍を直し"),
      inCharset("/eucjp-nothing", "職人は毎朝鞍を直し"),
      inCharset("/gbk-nothing", "师傅每天早上修理马鞍"),
      inCharset("/euckr-nothing", "장인은 매일 아침"),
      inCharset("/1256-nothing", "كان الصانع يصلح السروج"),
      inCharset("/8859-2-nothing", "żółć gęślą jaźń"),
      inCharset("/1252-nothing", "prüfte jeden Morgen die Nähte"),
      inCharset("/utf16le-nobom-nothing", "prüfte jeden Morgen die Nähte"),
      inCharset("/1251-header-says-utf8", russian, contradicted),
      inCharset("/sjis-says-utf8", "職人は毎朝鞍を直し", contradicted),
      inCharset("/1251-header", russian, "is that of the header"),
      inCharset("/koi8", russian, "is that of the header"),
      inCharset("/ibm866", "Мастер чинил", "is that of the header"),
      inCharset("/8859-9", "eğerleri onarır", "is that of the header"),
      inCharset("/1255", "האומן תיקן אוכפים", "is that of the header"),
      inCharset("/tis620", "ช่างซ่อมอานม้าทุกเช้า", "is that of the header"),
      inCharset("/big5", "師傅每天早上修理馬鞍", "is that of the header"),
      inCharset("/gb18030", "师傅每天早上修理马鞍", "is that of the header"),
      inCharset("/iso2022jp", "職人は毎朝鞍を直し", "is that of the header"),
      inCharset("/1251-meta-only", russian, "is that of the page"),
      inCharset("/1251-meta-after-2k", russian, "is that of the page"),
      inCharset("/utf8-one-bad-byte", "prüfte jeden Morgen", "is UTF-8 in spite of a broken byte"),
      inCharset("/utf8-header-says-latin1", russian, "is UTF-8 where the bytes are")
    ])
    const generated = texts.flatMap(({ charsets, language, text }) =>
      charsets
        .filter((charset) => charset !== "iso-2022-jp")
        .flatMap((charset) => {
          const bytes = iconv.encode(`<title>T</title><p>${text}</p>`, charset)
          const shown = iconv.decode(bytes, charset).slice(19, 45)
          const path = `/${language}-${charset}`
          return [
            { ...inCharset(path, shown, `is found: ${language} in ${charset}`), answer: sent("text/html", bytes) },
            {
              ...inCharset(`${path}-utf8`, shown, `is found under a wrong UTF-8: ${language} in ${charset}`),
              answer: sent("text/html; charset=utf-8", bytes)
            }
          ]
        })
    )
    const cyrillic = iconv.encode(`<p>${russian}</p>`, "windows-1251")
    neighbours([
      ...generated,
      {
        ...inCharset("/latin1", russian, "is found where Latin-1 is declared and does not hold"),
        answer: sent("text/html; charset=iso-8859-1", cyrillic)
      },
      {
        ...inCharset("/sheet", "Мастер", "is found in CSV"),
        answer: sent("text/csv", iconv.encode(`имя,дело\n${russian},1`, "windows-1251"))
      },
      {
        ...inCharset("/words", russian, "is found in text"),
        answer: sent("text/plain", iconv.encode(russian, "koi8-r"))
      },
      {
        ...inCharset("/escapes", "職人は", "is found by its escapes"),
        answer: sent("text/html", Buffer.from("<p>\x1b$B?&?M$O\x1b(B</p>", "latin1"))
      },
      {
        ...inCharset("/unsure", "<p>", "is doubted in a warning where the bytes say nothing"),
        expects: [],
        warning: "may be wrong",
        answer: sent("text/html", Buffer.from("<p>a \xaf\xf3\xb3w \x98</p>", "latin1"))
      }
    ])
  })
})
