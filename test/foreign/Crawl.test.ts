/** Cases from outside: feeds, sitemaps, robots.txt and waiting, from public bug reports and their neighbours. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../src/Client/Connection.ts"
import type { Client } from "../../src/Client.ts"
import * as Clients from "../../src/Client.ts"
import * as Fetch from "../../src/Engine/Fetch/Fetch.ts"
import * as SitemapFile from "../../src/Engine/Scrape/Sitemap.ts"
import { guard, pages } from "../Engine/Scrape/Site.ts"
import * as Local from "../Local.ts"
import { project } from "../Project.ts"
import { type Case, foreignSite } from "./Case.ts"

const Services = Layer.unwrapEffect(
  Effect.map(Local.Local, ({ baseUrl }) =>
    Layer.provideMerge(
      Layer.provide(Clients.layer, Connection.layer({ baseUrl, apiKey: Redacted.make(Local.keys.first) })),
      NodeContext.layer
    )
  )
).pipe(
  Layer.provideMerge(Local.layer),
  Layer.provideMerge(SitemapFile.layer.pipe(Layer.provide(Fetch.layer), Layer.provide(guard("127.0.0.0/8"))))
)

/** Runs steps in a project of their own, with the client of the test. */
const run = (steps: string) =>
  Effect.gen(function* () {
    const { run } = yield* project({ client: yield* Effect.context<Client>() })
    const { outcome, rejects, rows } = yield* run(`${steps}\n  - write: { jsonl: rows.jsonl }\n`)
    return { rows, rejects, summary: yield* outcome }
  })

interface SitemapCase extends Case {
  readonly path: string
  /** Addresses, relative to the site. */
  readonly urls: ReadonlyArray<string>
  /** Default: true. */
  readonly isWhole?: boolean
}

interface OwnSitemap extends SitemapCase {
  readonly body: (origin: string) => string
}

const urlset = (...urls: ReadonlyArray<string>) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`

const checkSitemap = (origin: string, { isWhole = true, path, urls }: SitemapCase) =>
  Effect.gen(function* () {
    const listed = yield* (yield* SitemapFile.Sitemap).urls(origin, [`${origin}${path}`], { limit: 60_000 })
    expect(listed.urls.slice(0, 20)).toEqual(urls.map((url) => new URL(url, origin).href))
    expect(listed.isWhole).toBe(isWhole)
  })

/** Files of `15-sitemaps`. */
const found: ReadonlyArray<SitemapCase> = [
  { name: "without a namespace", source: "ultimate-sitemap-parser#10", path: "/nons.xml", urls: ["/a"] },
  { name: "of the old namespace", source: "ultimate-sitemap-parser#86", path: "/oldns.xml", urls: ["/a"] },
  { name: "with a prefix", source: "crawler-commons#144", path: "/prefix.xml", urls: ["/a"] },
  { name: "with blanks around addresses", source: "crawl4ai#1559", path: "/space.xml", urls: ["/a", "/b"] },
  { name: "with blanks before the declaration", source: "crawler-commons#210", path: "/wsdecl.xml", urls: ["/a"] },
  { name: "with a byte order mark", source: "benbalter/sitemap-parser#24", path: "/bom.xml", urls: ["/a"] },
  {
    name: "with a bare & in an address",
    source: "crawler-commons#24",
    path: "/amp.xml",
    urls: ["/a?x=1&y=2", "/b?x=1&y=2"]
  },
  { name: "with CDATA", source: "crawler-commons#224", path: "/cdata.xml", urls: ["/a?x=1&y=2"] },
  { name: "with entities of its own", source: "own", path: "/doctype.xml", urls: ["/a"] },
  { name: "with references", source: "own", path: "/ent.xml", urls: ["/a?q=%22z%22&r=1"] },
  { name: "with images", source: "crawler-commons#224", path: "/images.xml", urls: ["/a", "/b"] },
  { name: "in UTF-16", source: "wpull#491", path: "/utf16.xml", urls: ["/a"] },
  { name: "in ISO-8859-1", source: "wpull#491", path: "/latin1.xml", urls: ["/k%C3%BCche"] },
  { name: "in gzip", source: "own", path: "/gz-noext", urls: ["/a"] },
  { name: "named .gz that is not packed", source: "own", path: "/notgz.xml.gz", urls: ["/a"] },
  { name: "in capitals", source: "own", path: "/case.xml", urls: ["/a"] },
  { name: "with empty addresses", source: "own", path: "/empty-loc.xml", urls: ["/a"] },
  { name: "that names itself", source: "simplecrawler#488", path: "/self.xml", urls: ["/a", "/b"] },
  { name: "that is cut, and is not whole", source: "own", path: "/trunc.xml", urls: ["/a"], isWhole: false },
  { name: "that is a page, and is not whole", source: "own", path: "/html.xml", urls: [], isWhole: false }
]

const ownSitemaps: ReadonlyArray<OwnSitemap> = [
  {
    name: "with a bare & and no semicolon behind it",
    source: "badoo/techblog#146",
    path: "/s.xml",
    body: (origin) => urlset(`${origin}/one`, `${origin}/list?cat=1&page=2`, `${origin}/two`),
    urls: ["/one", "/list?cat=1&page=2", "/two"]
  },
  {
    name: "with a bare & that looks like an entity of HTML",
    source: "generate-sitemap#123",
    path: "/s.xml",
    body: () => urlset("/a?x=1&copy=2&reg=3", "/b?lang=de&lt=4"),
    urls: ["/a?x=1&copy=2&reg=3", "/b?lang=de&lt=4"]
  },
  {
    name: "with entities of HTML",
    source: "own",
    path: "/s.xml",
    body: () => urlset("/k&uuml;che", "/a&nbsp;b", "/two"),
    urls: ["/k%C3%BCche", "/a%C2%A0b", "/two"]
  },
  {
    name: "behind the warning of a script",
    source: "own",
    path: "/s.xml",
    body: () => `<br />\n<b>Warning</b>: Undefined index in <b>x.php</b><br>\n<?xml version="1.0"?>${urlset("/a")}`,
    urls: ["/a"]
  },
  {
    name: "behind plain text",
    source: "own",
    path: "/s.xml",
    body: () => `Notice: Undefined index in x.php\n<?xml version="1.0"?>${urlset("/a")}`,
    urls: ["/a"]
  },
  {
    name: "with tags that are not closed",
    source: "own",
    path: "/s.xml",
    body: () => "<urlset><url><loc>/a<url><loc>/b</url><url><loc>/c</loc></urlset>",
    urls: ["/a", "/b", "/c"]
  },
  {
    name: "with a bare <",
    source: "own",
    path: "/s.xml",
    body: () => urlset("/a?x=1", "/b?y=1 < 2", "/c"),
    urls: ["/a?x=1", "/b?y=1%20%3C%202", "/c"]
  },
  {
    name: "whose entities load a file, and is not whole",
    source: "own",
    path: "/s.xml",
    body: () => `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]>${urlset("/a", "&x;")}`,
    urls: ["/a", "/&x;"],
    isWhole: false
  }
]

interface FeedCase extends Case {
  readonly body: string
  /** Fields of the rows. */
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const rss = (items: string, head = '<?xml version="1.0"?>') =>
  `${head}<rss version="2.0"><channel><title>Mill</title>${items}</channel></rss>`
const item = (title: string, more = "") => `<item><title>${title}</title>${more}</item>`
const dated = (date: string) => item("Dated", `<link>/d</link><pubDate>${date}</pubDate>`)

const feeds: ReadonlyArray<FeedCase> = [
  {
    name: "behind the warning of a script is read",
    source: "feedbin/support#338",
    body: `<br />\n<b>Warning</b>: something in <b>x.php</b><br>\n${rss(item("Warn", "<link>/w</link>"))}`,
    rows: [{ title: "Warn" }]
  },
  {
    name: "with bare & and entities of HTML is read",
    source: "feedparser#26",
    body: rss(item("Tom & Jerry &eacute; &bogus;", "<link>/a?x=1&copy=2</link>") + item("Next", "<link>/n</link>")),
    rows: [{ title: "Tom & Jerry é &bogus;" }, { title: "Next" }]
  },
  {
    name: "with entities of its own is read",
    source: "own",
    body: rss(item("From &site;"), '<!DOCTYPE rss [<!ENTITY site "the mill">]>'),
    rows: [{ title: "From the mill" }]
  },
  {
    name: "with one id for several entries has all of them",
    source: "holocron#96",
    body: rss(
      item("A", "<link>/same</link><guid>1</guid>") +
        item("B", "<link>/same</link><guid>2</guid>") +
        item("C", "<link>/c</link><guid>1</guid>")
    ),
    rows: [{ title: "A" }, { title: "B" }, { title: "C" }]
  },
  {
    name: "with one id and no addresses has all of its entries",
    source: "holocron#96",
    body: rss(item("A", "<guid>mill</guid>") + item("B", "<guid>mill</guid>") + item("B", "<guid>mill</guid>")),
    rows: [{ title: "A" }, { title: "B" }]
  },
  {
    name: "does not guess the month of 04/10/2018",
    source: "nixos-homepage#675",
    body: rss(dated("04/10/2018")),
    rows: [{ published: null }]
  },
  {
    name: "has the day of 25/10/2018",
    source: "own",
    body: rss(dated("25/10/2018")),
    rows: [{ published: "2018-10-25T00:00:00.000Z" }]
  },
  {
    name: "has the basic form of ISO 8601",
    source: "own",
    body: rss(dated("20181004T100000Z")),
    rows: [{ published: "2018-10-04T10:00:00.000Z" }]
  },
  {
    name: "has German months",
    source: "own",
    body: rss(dated("Do, 04 Okt 2018 10:00:00 +0200")),
    rows: [{ published: "2018-10-04T08:00:00.000Z" }]
  },
  {
    name: "has Austrian months",
    source: "own",
    body: rss(dated("Di, 02. Jänner 2018 10:00:00 +0100")),
    rows: [{ published: "2018-01-02T09:00:00.000Z" }]
  },
  {
    name: "has French months",
    source: "own",
    body: rss(dated("jeu., 4 août 2018 10:00:00 +0200")),
    rows: [{ published: "2018-08-04T08:00:00.000Z" }]
  },
  {
    name: "has no date for a day that does not exist",
    source: "moment#668",
    body: rss(dated("Thu, 31 Feb 2018 00:00:00 GMT")),
    rows: [{ published: null }]
  }
]

layer(Services)("crawl", (it) => {
  for (const each of found) {
    it.scoped(`reads a sitemap ${each.name} (${each.source}, ${each.path})`, () =>
      Effect.flatMap(foreignSite("pages/15-sitemaps"), (origin) => checkSitemap(origin, each))
    )
  }

  it.scoped("reads all addresses of a sitemap with bare & between others (crawler-commons#24)", () =>
    Effect.flatMap(foreignSite("pages/16-sitemap-amp"), (origin) =>
      checkSitemap(origin, {
        name: "",
        source: "",
        path: "/sitemap.xml",
        urls: ["/one", "/list?cat=1&page=2", "/two", "/authors/anna-&-ben/", "/three", "/ok?a=1&b=2", "/four"]
      })
    )
  )

  it.scoped("reads an index with bare & (badoo/techblog#146)", () =>
    Effect.gen(function* () {
      const origin = yield* pages({
        "/i.xml": (_, response) =>
          void response.end(
            "<sitemapindex><sitemap><loc>/s.xml?a=1&p=1</loc></sitemap><sitemap><loc>/s.xml?a=1&p=2</loc></sitemap></sitemapindex>"
          ),
        "/s.xml": (request, response) => void response.end(urlset(`/p${request.url?.at(-1)}`))
      })
      yield* checkSitemap(origin, { name: "", source: "", path: "/i.xml", urls: ["/p1", "/p2"] })
    })
  )

  for (const each of ownSitemaps) {
    it.scoped(`reads a sitemap ${each.name} (${each.source})`, () =>
      Effect.gen(function* () {
        const origin: string = yield* pages({
          [each.path]: (_, response) =>
            void response.writeHead(200, { "content-type": "application/xml" }).end(each.body(origin))
        })
        yield* checkSitemap(origin, each)
      })
    )
  }

  for (const { body, name, rows, source } of feeds) {
    it.scoped(`a feed ${name} (${source})`, () =>
      Effect.gen(function* () {
        const origin = yield* pages({
          "/feed": (_, response) => void response.writeHead(200, { "content-type": "application/rss+xml" }).end(body)
        })
        const result = yield* run(`  - feed: { url: "${origin}/feed" }`)
        expect(result.rows).toHaveLength(rows.length)
        expect(result.rows).toMatchObject(rows)
      })
    )
  }
})
