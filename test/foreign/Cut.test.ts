/** Feeds and sitemaps that end in the middle, packed ones too, and pages of a batch that say when to ask again. */
import type { ServerResponse } from "node:http"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import type { Client } from "../../src/Client.ts"
import { Fetch } from "../../src/Engine/Fetch/Fetch.ts"
import { fetchLayer, pages } from "../Engine/Scrape/Site.ts"
import { expect, layer } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { withEngine } from "../Services.ts"

const made = Effect.flatMap(Effect.context<Client>(), (client) => project({ client }))

/** Paths that do not compress well, so that a cut leaves about as many as it leaves bytes. */
const paths = Array.from(
  { length: 400 },
  (_, at) => `/${at}-${((at + 1) * 2654435761).toString(36)}${(at * 40503 + 77).toString(36)}`
)

const cut = (text: string, pack: (text: string) => Buffer = gzipSync): Buffer => {
  const whole = pack(text)
  return whole.subarray(0, Math.floor(whole.length * 0.6))
}

const sitemap = (origin: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("")}</urlset>`

const list = (origin: string): string => paths.map((path) => `${origin}${path}\n`).join("")

const feed = (origin: string): string =>
  `<rss version="2.0"><channel><title>Mill</title>${paths.map((path) => `<item><title>${path}</title><link>${origin}${path}</link></item>`).join("")}</channel></rss>`

const get = (url: string) => Effect.flatMap(Fetch, (fetch) => fetch.get({ url, timeout: 5_000 }))

/** Checks that the paths are those before the cut: most of them, and not one that is cut. */
const expectStart = (found: ReadonlyArray<string>) => {
  expect(found.length).toBeGreaterThan(50)
  expect(found.length).toBeLessThan(paths.length)
  expect(found).toEqual(paths.slice(0, found.length))
}

layer(withEngine)("a body that ends in the middle", (it) => {
  for (const [name, path, headers, text] of [
    [
      "a sitemap with Content-Encoding",
      "/s.xml",
      { "content-type": "application/xml", "content-encoding": "gzip" },
      sitemap
    ],
    ["a packed sitemap", "/s.xml.gz", { "content-type": "application/gzip" }, sitemap],
    ["a packed list of addresses", "/s.txt.gz", { "content-type": "application/gzip" }, list]
  ] as const)
    it.scoped(`of ${name} gives the addresses before the cut, and is incomplete (nab#467)`, function* () {
      let isWhole = true
      const origin: string = yield* pages({
        [path]: (_, response) =>
          void response.writeHead(200, headers).end(isWhole ? gzipSync(text(origin)) : cut(text(origin)))
      })
      const { run } = yield* made
      const steps = `  - urls: { sitemap: "${origin}${path}" }
  - dedupe: { key: url, across: runs, emit: [new, unchanged, gone] }
  - write: { jsonl: rows.jsonl }
`
      const first = yield* run(steps)
      expect(first.rows, String(first.outcome)).toHaveLength(paths.length)
      isWhole = false
      const ended = yield* run(steps)
      expectStart(ended.rows.map(({ url }) => new URL(String(url)).pathname))
      expect(ended.rows.map(({ change }) => change)).not.toContain("gone")
      expect(ended.warnings.join("\n")).toMatch(/a sitemap could not be read/)
    })

  it.scoped("of a feed gives the whole entries before the cut, with a warning (nab#467)", function* () {
    const text = feed("http://mill.example")
    const ends = ["</item>", "<item>", "<link>http://mill.example/", "<title>/201-"].map((part) => {
      const at = text.indexOf(part, text.indexOf("/200-"))
      return text.slice(0, at + part.length)
    })
    const origin = yield* pages(
      Object.fromEntries(
        ends.map((body, at) => [
          `/feed-${at}`,
          (_: unknown, response: ServerResponse) =>
            void response.writeHead(200, { "content-type": "application/rss+xml" }).end(body)
        ])
      )
    )
    const { run } = yield* made
    for (const [at] of ends.entries()) {
      const ended = yield* run(`  - feed: { url: "${origin}/feed-${at}" }\n  - write: { jsonl: rows.jsonl }\n`)
      expectStart(ended.rows.map(({ url }) => new URL(String(url)).pathname))
      expect(ended.warnings.join("\n")).toContain(
        `${origin}/feed-${at} is damaged or ends in the middle: it gives the entries that could be read`
      )
      expect(ended.incomplete).toContain("feed")
    }
  })

  for (const [kind, headers] of [
    ["with Content-Encoding", { "content-type": "application/rss+xml", "content-encoding": "gzip" }],
    ["that is packed without a word", { "content-type": "text/xml" }]
  ] as const)
    it.scoped(
      `of a feed ${kind} gives the whole entries before the cut, again and again, with a warning (nab#467)`,
      function* () {
        let isWhole = false
        const origin: string = yield* pages({
          "/feed": (_, response) =>
            void response.writeHead(200, headers).end(isWhole ? gzipSync(feed(origin)) : cut(feed(origin)))
        })
        const { run } = yield* made
        const steps = `  - feed: { url: "${origin}/feed" }\n  - write: { jsonl: rows.jsonl }\n`
        for (const _ of [1, 2]) {
          const ended = yield* run(steps)
          expectStart(ended.rows.map(({ url }) => new URL(String(url)).pathname))
          expect(ended.warnings.join("\n")).toContain("/feed is damaged or ends in the middle")
        }
        isWhole = true
        expect((yield* run(steps)).rows).toHaveLength(paths.length)
      }
    )

  for (const [name, coding, pack] of [
    ["brotli", "br", brotliCompressSync],
    ["deflate", "deflate", deflateSync],
    ["raw deflate", "deflate", deflateRawSync]
  ] as const)
    it.scoped(`of a feed or a sitemap in ${name} gives what came before the cut, with a warning`, function* () {
      const answer = (text: (origin: string) => string) => (_: unknown, response: ServerResponse) => {
        const headers = { "content-type": "application/xml", "content-encoding": coding }
        response.writeHead(200, headers).end(cut(text(origin), pack))
      }
      const origin: string = yield* pages({ "/feed": answer(feed), "/s.xml": answer(sitemap) })
      const { run } = yield* made
      for (const [source, step, warning] of [
        [`feed: { url: "${origin}/feed" }`, "feed", "/feed is damaged or ends in the middle"],
        [`urls: { sitemap: "${origin}/s.xml" }`, "urls", "/s.xml could not be read"]
      ] as const) {
        const ended = yield* run(`  - ${source}\n  - write: { jsonl: rows.jsonl }\n`)
        expectStart(ended.rows.map(({ url }) => new URL(String(url)).pathname))
        expect(ended.warnings.join("\n")).toContain(warning)
        expect(ended.incomplete).toContain(step)
      }
    })

  it.scoped(
    "of XML fails if the cut is before the first data, or the body is not packed at all",
    fetchLayer,
    function* () {
      const plain = "<rss><channel><item><title>A</title></item></channel></rss>"
      const bodies: ReadonlyArray<readonly [path: string, coding: string | undefined, body: Buffer]> = [
        ...[1, 3, 9, 10].map((at) => [`gzip-${at}`, "gzip", gzipSync(plain).subarray(0, at)] as const),
        ["undeclared", undefined, gzipSync(plain).subarray(0, 3)],
        ["br-1", "br", brotliCompressSync(plain).subarray(0, 1)],
        ["deflate-2", "deflate", deflateSync(plain).subarray(0, 2)],
        ["raw-1", "deflate", deflateRawSync(plain).subarray(0, 1)],
        ...["", "\n", "\ufeff", "\n<!-- x -->"].flatMap((start, at) =>
          ["br", "deflate", "gzip"].flatMap((coding) =>
            [plain, "<rss>", `<?xml version="1.0"?>${plain}`].map(
              (text, each) => [`plain-${coding}-${at}-${each}`, coding, Buffer.from(`${start}${text}`)] as const
            )
          )
        )
      ]
      const origin = yield* pages(
        Object.fromEntries(
          bodies.map(([path, coding, body]) => [
            `/${path}`,
            (_: unknown, response: ServerResponse) => {
              const encoding = coding === undefined ? {} : { "content-encoding": coding }
              response.writeHead(200, { "content-type": "application/xml", ...encoding }).end(body)
            }
          ])
        )
      )
      for (const [path] of bodies) {
        const failure = yield* Effect.flip(get(`${origin}/${path}`))
        expect(failure, path).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_ENCODING_ERROR" })
      }
    }
  )

  it.scoped("of a packed page or JSON feed is a failed row that says so (nab#467)", function* () {
    const answer = (type: string, text: string) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(cut(text))
    const items = paths.map((path) => ({ id: path, title: path }))
    const page = `<html><title>Page</title>${paths.map((path) => `<p>${path}</p>`).join("")}</html>`
    const origin = yield* pages({
      "/page": answer("text/html", page),
      "/xhtml": answer("application/xhtml+xml", page),
      "/json": answer("application/feed+json", JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items }))
    })
    const { run } = yield* made
    for (const [source, rejected] of [
      [`urls: ["${origin}/page", "${origin}/xhtml"]\n  - scrape: {}`, 2],
      [`feed: { url: "${origin}/json" }`, 1]
    ] as const) {
      const ended = yield* run(`  - ${source}\n    onError: reject\n  - write: { jsonl: rows.jsonl }\n`)
      expect(ended.rows).toEqual([])
      expect(ended.rejects).toHaveLength(rejected)
      for (const reject of ended.rejects)
        expect(JSON.stringify(reject)).toMatch(/is incomplete: its gzip body ends in the middle of the data/)
    }
  })

  it.scoped.skipIf(skipsLong)(
    "a page of a batch that says Retry-After is asked again, and is one row (curl#3794)",
    function* () {
      const times: Array<number> = []
      const page = (title: string) => `<title>${title}</title><main><h1>${title}</h1><p>Here it is at last.</p></main>`
      const origin = yield* pages({
        "/once": page("Once"),
        "/slow": (_, response) => {
          times.push(Date.now())
          if (times.length > 1) return void response.end(page("Slow"))
          response.writeHead(429, { "retry-after": "2", "content-type": "text/html" }).end("<p>slow down")
        }
      })
      const { run } = yield* made
      const ended = yield* run(`  - urls: ["${origin}/slow", "${origin}/once"]
  - batchScrape: { formats: [markdown] }
  - select: { url: metadata.sourceURL, status: metadata.statusCode }
  - write: { jsonl: rows.jsonl }
`)
      const rows = ended.rows.map(({ status, url }) => [new URL(String(url)).pathname, status]).sort()
      expect(rows, String(ended.outcome)).toEqual([
        ["/once", 200],
        ["/slow", 200]
      ])
      expect(times).toHaveLength(2)
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_980)
    }
  )
})
