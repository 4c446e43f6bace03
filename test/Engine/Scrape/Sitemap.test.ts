import { gzipSync } from "node:zlib"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as SitemapFile from "../../../src/Engine/Scrape/Sitemap.ts"
import { readSitemap } from "../../../src/Engine/Scrape/SitemapFile.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { type Answer, fetchLayer, pages } from "./Site.ts"

const { Sitemap } = SitemapFile
const layer = SitemapFile.layer.pipe(Layer.provide([fetchLayer, alone]))

const bytes = (text: string) => new TextEncoder().encode(text)
const urlset = (...urls: ReadonlyArray<string>) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">${urls
    .map((url) => `<url><loc>${url}</loc><lastmod>2024-01-01</lastmod></url>`)
    .join("")}</urlset>`
const index = (...urls: ReadonlyArray<string>) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`

const list = (origin: string, robotsSitemaps: ReadonlyArray<string> = [], limit = 1_000) =>
  Effect.flatMap(Sitemap, (sitemap) => sitemap.urls(origin, robotsSitemaps, { limit })).pipe(
    Effect.map(({ urls }) => urls)
  )

const xml =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/xml" }).end(text)

describe("Sitemap", () => {
  it("reads pages, entities, CDATA and relative addresses, and not the images beside them", () => {
    const text = `<urlset><url><loc> /a?x=1&amp;y=2 </loc><image:image xmlns:image="i"><image:loc>/p.png</image:loc></image:image></url>
      <url><loc><![CDATA[http://site.test/b#part]]></loc></url><url><loc>mailto:x@y</loc></url></urlset>`
    expect(readSitemap(bytes(text), "http://site.test/sitemap.xml", 10)).toEqual({
      urls: ["http://site.test/a?x=1&y=2", "http://site.test/b"],
      ages: [],
      sitemaps: [],
      isWhole: true,
      isSitemap: true
    })
  })

  it("reads plain lines, and what can be read of a broken file", () => {
    expect(readSitemap(bytes("http://s.test/a\r\nnot one\nhttp://s.test/b\n"), "http://s.test/", 10).urls).toHaveLength(
      2
    )
    expect(readSitemap(bytes(`${urlset("/a")}<oops`), "http://s.test/", 10).urls).toEqual(["http://s.test/a"])
    expect(readSitemap(bytes("<urlset><url><loc>/a</loc></url><url><loc>/b"), "http://s.test/", 10)).toMatchObject({
      urls: ["http://s.test/a"],
      isWhole: false
    })
    expect(readSitemap(bytes(""), "http://s.test/", 10)).toMatchObject({ urls: [], sitemaps: [], isWhole: true })
  })

  it.each([
    {
      name: "extensions of Google: images, videos, news, other languages",
      text: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:video="v" xmlns:news="n" xmlns:xhtml="h">
        <url><loc>/a</loc><image:image><image:loc>/a.png</image:loc></image:image><image:loc>/b.png</image:loc>
        <video:video><video:content_loc>/a.mp4</video:content_loc><video:player_loc>/p</video:player_loc></video:video>
        <news:news><news:title>A</news:title></news:news><xhtml:link rel="alternate" hreflang="de" href="/de/a"/></url></urlset>`,
      urls: ["/a"]
    },
    { name: "a prefix on every name", text: "<s:urlset><s:url><s:loc>/a</s:loc></s:url></s:urlset>", urls: ["/a"] },
    { name: "a byte order mark", text: "\ufeff<urlset><url><loc>/a</loc></url></urlset>", urls: ["/a"] },
    {
      name: "RSS",
      text: "<rss><channel><link>/</link><item><link>/a</link><guid>/g</guid></item><item><link>/b</link></item></channel></rss>",
      urls: ["/a", "/b"]
    },
    {
      name: "Atom",
      text: `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/><entry><link href="/a"/><link rel="edit" href="/e"/></entry></feed>`,
      urls: ["/a"]
    },
    { name: "lines that end in a carriage return", text: "http://s.test/a\rhttp://s.test/b", urls: ["/a", "/b"] },
    {
      name: "an HTML page in place of the sitemap",
      text: "<!doctype html><title>404</title><a href=/a>A</a>",
      urls: []
    },
    {
      name: "entities of the file's own",
      text: `<!DOCTYPE u [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><urlset><url><loc>/a</loc></url><url><loc>/&b;</loc></url></urlset>`,
      urls: ["/a", "/aaaa"]
    },
    { name: "no address longer than any real one", text: urlset(`/${"a".repeat(5_000)}`, "/b"), urls: ["/b"] },
    {
      name: "encoded addresses as a browser would",
      text: urlset("/ü", "http://münchen.test/a b", "//other.test/c", "../d"),
      urls: ["/%C3%BC", "http://xn--mnchen-3ya.test/a%20b", "http://other.test/c", "/d"]
    }
  ])("reads $name", ({ text, urls }) => {
    const found = readSitemap(bytes(text), "http://s.test/maps/sitemap.xml", 10).urls
    expect(found.slice(0, urls.length)).toEqual(urls.map((url) => new URL(url, "http://s.test").href))
    expect(found.filter((url) => !url.includes("&")).length).toBe(urls.length)
  })

  it("stops reading at the limit", () => {
    const many = urlset(...Array.from({ length: 50_000 }, (_, i) => `/${i}`))
    expect(readSitemap(bytes(many), "http://s.test/", 7).urls).toHaveLength(7)
  })

  it("stops at nesting that no sitemap has, and keeps what came before", () => {
    const bomb = `<urlset><url><loc>/a</loc></url>${"<a>".repeat(200_000)}<url><loc>/b</loc></url>`
    expect(readSitemap(bytes(bomb), "http://s.test/", 10).urls).toEqual(["http://s.test/a"])
  })

  it.scoped.skipIf(skipsLong)("reads two hundred files, also where robots.txt names more", layer, function* () {
    let asked = 0
    const origin = yield* pages({
      "/s.xml": (_, response) => {
        asked++
        response.writeHead(404).end()
      }
    })
    yield* list(
      origin,
      Array.from({ length: 230 }, (_, n) => `${origin}/s.xml?${n}`)
    )
    expect(asked).toBe(200)
  })

  it.scoped("finds /sitemap.xml by itself", layer, function* () {
    const origin = yield* pages({ "/sitemap.xml": xml(urlset("/a", "/b", "/a")) })
    expect(yield* list(origin)).toEqual([`${origin}/a`, `${origin}/b`])
  })

  it.scoped("follows an index, unpacks gzip, and goes round no circle", layer, function* () {
    const origin = yield* pages({
      "/main.xml": xml(index("/one.xml.gz", "/two.xml", "/main.xml", "/missing.xml")),
      "/one.xml.gz": (_, response) => void response.end(gzipSync(urlset("/a"))),
      "/two.xml": xml(index("/three.xml", "/main.xml")),
      "/three.xml": xml(urlset("/b"))
    })
    expect(yield* list(origin, [`${origin}/main.xml`])).toEqual([`${origin}/a`, `${origin}/b`])
  })

  it.scoped("goes three levels deep and not further", layer, function* () {
    const origin = yield* pages(
      Object.fromEntries(
        Array.from({ length: 6 }, (_, depth) => [
          `/${depth}.xml`,
          xml(
            `<sitemapindex><sitemap><loc>/${depth + 1}.xml</loc></sitemap><url><loc>/p${depth}</loc></url></sitemapindex>`
          )
        ])
      )
    )
    expect(yield* list(origin, [`${origin}/0.xml`])).toEqual([0, 1, 2, 3].map((depth) => `${origin}/p${depth}`))
  })

  it.scoped.skipIf(skipsLong)(
    "reads the beginning of a file over 50 MB, and says that it is not whole",
    layer,
    function* () {
      const big = Buffer.alloc(51 * 1024 * 1024, " ")
      big.write(urlset("/a").replace("</urlset>", ""))
      const packed = gzipSync(big, { level: 1 })
      const origin = yield* pages({ "/sitemap.xml": (_, response) => void response.end(packed) })
      const listed = yield* Effect.flatMap(Sitemap, (sitemap) => sitemap.urls(origin, [], { limit: 10 }))
      expect(listed).toMatchObject({ urls: [`${origin}/a`], isWhole: false })
    }
  )

  it.scoped("lists nothing for a site without one, and no more than the limit", layer, function* () {
    expect(yield* list(yield* pages({}))).toEqual([])
    const origin = yield* pages({ "/sitemap.xml": xml(urlset("/a", "/b", "/c")) })
    expect(yield* list(origin, [], 2)).toEqual([`${origin}/a`, `${origin}/b`])
  })

  it.scoped("answers with what it has when the time is over", layer, function* () {
    const started = yield* Deferred.make<void>()
    const origin = yield* pages({
      "/fast.xml": xml(urlset("/a")),
      "/first.xml": xml(index("/slow.xml")),
      "/slow.xml": () => Deferred.unsafeDone(started, Effect.void)
    })
    const fiber = yield* Effect.fork(list(origin, [`${origin}/fast.xml`, `${origin}/first.xml`]))
    yield* Deferred.await(started)
    yield* TestClock.adjust("30 seconds")
    expect(yield* Fiber.join(fiber)).toEqual([`${origin}/a`])
  })
})
