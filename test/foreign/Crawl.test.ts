/** Cases from outside: feeds, sitemaps, robots.txt and waiting, from public bug reports and their neighbours. */

import type { ServerResponse } from "node:http"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Client } from "../../src/Client.ts"
import * as Fetch from "../../src/Engine/Fetch/Fetch.ts"
import { readRobots } from "../../src/Engine/Fetch/Robots.ts"
import * as SitemapFile from "../../src/Engine/Scrape/Sitemap.ts"
import { alone } from "../Engine/Alone.ts"
import { guard, pages, serve } from "../Engine/Scrape/Site.ts"
import { expect, layer } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { withEngine } from "../Services.ts"
import { type Case, foreignSite, input, keptSite, sites } from "./Case.ts"

const Services = Layer.merge(withEngine, sites).pipe(
  Layer.provideMerge(SitemapFile.layer.pipe(Layer.provide(Fetch.layer), Layer.provide([guard("127.0.0.0/8"), alone])))
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

const robots: ReadonlyArray<readonly [rule: string, path: string, isAllowed: boolean]> = [
  ["Disallow: /%7ejoe", "/~joe", false],
  ["Disallow: /~jane", "/%7Ejane", false],
  ["Disallow: /file-%2A.html", "/file-*.html", false],
  ["Disallow: /file-%2A.html", "/file-%2a.html", false],
  ["Disallow: /file-%2A.html", "/file-x.html", true],
  ["Disallow: /file-*.html", "/file-x.html", false],
  ["Disallow: /price-%24", "/price-$", false],
  ["Disallow: /price-%24", "/price-$9", false],
  ["Disallow: /price-$", "/price-$", true],
  ["Disallow: /a%3cd", "/a%3Cd", false],
  ["Disallow: /a<d", "/a%3Cd", false],
  ["Disallow: /a%2Fb", "/a/b", true],
  ["Disallow: /a%2fb", "/a%2Fb", false],
  ["Disallow: /%66oo", "/foo", false],
  ["Disallow: /foo", "/%66oo", false],
  ["Disallow: /%6B%C3%BCche", "/küche", false],
  ["Disallow: /küche", "/k%c3%bcche", false],
  ["Disallow: /q?it's", "/q?it's", false],
  ["Disallow: /{id}", "/{id}", false],
  ["Disallow: /100%", "/100%", false]
]

layer(Services)("crawl", (it) => {
  for (const each of found) {
    it.scoped(`reads a sitemap ${each.name} (${each.source}, ${each.path})`, () =>
      Effect.flatMap(keptSite("pages/15-sitemaps"), (origin) => checkSitemap(origin, each))
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

  it.scoped("reads an index with bare & (badoo/techblog#146)", function* () {
    const origin = yield* pages({
      "/i.xml": (_, response) =>
        void response.end(
          "<sitemapindex><sitemap><loc>/s.xml?a=1&p=1</loc></sitemap><sitemap><loc>/s.xml?a=1&p=2</loc></sitemap></sitemapindex>"
        ),
      "/s.xml": (request, response) => void response.end(urlset(`/p${request.url?.at(-1)}`))
    })
    yield* checkSitemap(origin, { name: "", source: "", path: "/i.xml", urls: ["/p1", "/p2"] })
  })

  for (const each of ownSitemaps) {
    it.scoped(`reads a sitemap ${each.name} (${each.source})`, function* () {
      const origin: string = yield* pages({
        [each.path]: (_, response) =>
          void response.writeHead(200, { "content-type": "application/xml" }).end(each.body(origin))
      })
      yield* checkSitemap(origin, each)
    })
  }

  for (const { body, name, rows, source } of feeds) {
    it.scoped(`a feed ${name} (${source})`, function* () {
      const origin = yield* pages({
        "/feed": (_, response) => void response.writeHead(200, { "content-type": "application/rss+xml" }).end(body)
      })
      const result = yield* run(`  - feed: { url: "${origin}/feed" }`)
      expect(result.rows).toHaveLength(rows.length)
      expect(result.rows).toMatchObject(rows)
    })
  }

  it.scoped.skipIf(skipsLong)(
    "asks pages again that are refused with Retry-After, and writes none that stays refused (browsertrix-crawler#392)",
    function* () {
      const origin = yield* foreignSite("pages/11-retry")
      const { rejects, rows } =
        yield* run(`  - crawl: { url: "${origin}/", limit: 20, scrapeOptions: { formats: [markdown] } }
    onError: reject
  - select: { url: $key, status: metadata.statusCode }`)
      const asked: ReadonlyArray<readonly [string, number]> = yield* Effect.promise(() =>
        fetch(`${origin}/log`).then((answer) => answer.json() as Promise<ReadonlyArray<readonly [string, number]>>)
      )
      const timesOf = (path: string) => asked.flatMap(([asked, at]) => (asked === path ? [at] : []))
      expect(rows.map(({ status, url }) => [new URL(String(url)).pathname, status]).sort()).toEqual([
        ["/", 200],
        ["/date", 200],
        ["/ms", 200],
        ["/neg", 200],
        ["/s503", 200],
        ["/sec2", 200]
      ])
      expect(rejects.map(({ error, status }) => [error, status])).toEqual([["HttpError", 429]])
      expect(timesOf("/big")).toHaveLength(1)
      for (const [path, wait] of [
        ["/sec2", 2_000],
        ["/s503", 1_000],
        ["/date", 2_000]
      ] as const) {
        const [first = 0, second = 0] = timesOf(path)
        expect(second - first, path).toBeGreaterThanOrEqual(wait - 20)
      }
    }
  )

  for (const [path, wait] of [
    ["/two", 2_000],
    ["/frac", 1_500],
    ["/soon", 1_900],
    ["/rfc850", 1_900]
  ] as const) {
    it.scoped.skipIf(skipsLong)(
      `a page that says ${path} in Retry-After is asked again then, not earlier (crawlee-python#1995)`,
      function* () {
        const times: Array<number> = []
        const date = () => new Date(Date.now() + 3_000)
        const values: Readonly<Record<string, () => string>> = {
          "/two": () => "2",
          "/frac": () => "1.5",
          "/soon": () => date().toUTCString(),
          "/rfc850": () => {
            const [day, number, month, year, time] = date()
              .toUTCString()
              .split(/[\s,]+/)
            const days = {
              Sun: "Sunday",
              Mon: "Monday",
              Tue: "Tuesday",
              Wed: "Wednesday",
              Thu: "Thursday",
              Fri: "Friday",
              Sat: "Saturday"
            }
            return `${days[day as keyof typeof days]}, ${number}-${month}-${year?.slice(2)} ${time} GMT`
          }
        }
        const origin = yield* pages({
          [path]: (_, response) => {
            times.push(Date.now())
            if (times.length > 1)
              return void response.end("<title>A</title><main><h1>A</h1><p>Here it is at last.</p></main>")
            response
              .writeHead(429, { "retry-after": values[path]?.() ?? "", "content-type": "text/html" })
              .end("<p>slow down")
          }
        })
        const { rows, summary } = yield* run(`  - urls: ["${origin}${path}"]
  - scrape: { formats: [markdown] }
  - select: { status: metadata.statusCode }`)
        expect(rows).toEqual([{ status: 200 }])
        expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(wait)
        expect(summary.credits).toBe(1)
      }
    )
  }

  it.scoped.skipIf(skipsLong)(
    "a page that asks for more than its timeout allows is asked again by retry, after the time that it names (curl#3794)",
    function* () {
      const times: Array<number> = []
      const origin = yield* pages({
        "/late": (_, response) => {
          times.push(Date.now())
          if (times.length > 1)
            return void response.end("<title>A</title><main><h1>A</h1><p>Here it is at last.</p></main>")
          response.writeHead(503, { "retry-after": "2", "content-type": "text/html" }).end("<p>slow down")
        }
      })
      const { rows } = yield* run(`  - urls: ["${origin}/late"]
  - scrape: { formats: [markdown], timeout: 3000 }
    retry: { times: 2, on: [503] }
  - select: { status: metadata.statusCode }`)
      expect(rows).toEqual([{ status: 200 }])
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_000)
    }
  )

  it.scoped("a page that names a far day is not waited for, and is no row (hermes-agent#84738)", function* () {
    let asked = 0
    const origin = yield* pages({
      "/near": "<title>Near</title><main><h1>Near</h1><p>A page that is here at once.</p></main>",
      "/far": (_, response) => {
        asked++
        response.writeHead(429, { "retry-after": "99999999999", "content-type": "text/html" }).end("<p>slow down")
      }
    })
    const { rejects, rows } = yield* run(`  - urls: ["${origin}/far", "${origin}/near"]
  - scrape: { formats: [markdown] }
    retry: { times: 3, on: [429] }
    onError: reject`)
    expect(rows).toHaveLength(1)
    expect(rejects).toMatchObject([{ error: "HttpError", status: 429, attempts: 1 }])
    expect(asked).toBe(1)
  })

  it("applies every line of a robots.txt by its octets (RFC 9309, google/robotstxt#57, crawler-commons#195)", () => {
    const text = (sets: ReadonlyArray<string>) => readRobots(["User-agent: *", ...sets].join("\n"))
    for (const [rule, path, isAllowed] of robots) {
      expect(
        text([rule]).isAllowed(new URL(path, "http://site.test").href.slice("http://site.test".length), "Sluice"),
        `${rule} ${path}`
      ).toBe(isAllowed)
    }
  })

  it.scoped.skipIf(skipsLong)(
    "a crawl fetches what a robots.txt leaves, and nothing else (crawler-commons#408)",
    function* () {
      const { default: answer } = yield* Effect.promise(
        () => import(/* @vite-ignore */ pathToFileURL(input("pages/14-robots/site.mjs")).href)
      )
      const asked: Array<string> = []
      const origin = yield* serve((request, response) => {
        asked.push(request.url ?? "")
        // The site tells its sets by their hosts: the first is `wild`.
        answer({ url: request.url, headers: { host: "127.0.1.101:80" } }, response)
      })
      yield* run(
        `  - crawl: { url: "${origin}/start", limit: 100, sitemap: skip, crawlEntireDomain: true, scrapeOptions: { formats: [markdown] } }`
      )
      const fetched = asked.filter((path) => path !== "/robots.txt" && path !== "/start").sort()
      expect(fetched).toEqual([
        "/Private",
        "/a/b",
        "/crawl-all",
        "/deny_all/x",
        "/en/",
        "/en/geo/",
        "/ok",
        "/page.print?x",
        "/q"
      ])
    }
  )

  it.scoped.skipIf(skipsLong)(
    "urls reads the sitemap whose address it is given, with every query that it lists (siteone-crawler#69)",
    function* () {
      const origin = yield* keptSite("pages/15-sitemaps")
      const plain = yield* run(`  - urls: { sitemap: "${origin}/plain.xml" }`)
      expect(plain.rows.map(({ url }) => url)).toEqual([`${origin}/a`, `${origin}/b`])
      const queries = yield* run(`  - urls: { sitemap: "${origin}/amp.xml" }`)
      expect(queries.rows.map(({ url }) => url)).toEqual([`${origin}/a?x=1&y=2`, `${origin}/b?x=1&y=2`])
      const lines = yield* run(`  - urls: { sitemap: "${origin}/txt.txt" }`)
      expect(lines.rows).toHaveLength(2)
      const other = yield* run(`  - urls: { sitemap: "${origin}/other.xml" }`)
      expect(other.rows).toHaveLength(3)
    }
  )

  it.scoped(
    "urls reads the sitemaps of a site whose page it is given, and a sitemap under any name (own)",
    function* () {
      const xml = (text: string) => (_: unknown, response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "application/xml" }).end(text)
      const origin = yield* pages({
        "/docs": "<title>Docs</title><p>Documents of the lock.</p>",
        "/sitemap.xml": xml(urlset("/a")),
        "/list.php": xml(urlset("/b"))
      })
      const site = yield* run(`  - urls: { sitemap: "${origin}/docs" }`)
      expect(site.rows.map(({ url }) => url)).toEqual([`${origin}/a`])
      const named = yield* run(`  - urls: { sitemap: "${origin}/list.php" }`)
      expect(named.rows.map(({ url }) => url)).toEqual([`${origin}/b`])
    }
  )
})
