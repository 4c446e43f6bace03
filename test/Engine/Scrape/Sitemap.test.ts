import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as SitemapFile from "../../../src/Engine/Scrape/Sitemap.ts"
import { readSitemap } from "../../../src/Engine/Scrape/SitemapFile.ts"
import { type Answer, fetchLayer, pages } from "./Site.ts"

const { Sitemap } = SitemapFile
const layer = SitemapFile.layer.pipe(Layer.provide(fetchLayer))

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
      sitemaps: []
    })
  })

  it("reads plain lines, and what can be read of a broken file", () => {
    expect(readSitemap(bytes("http://s.test/a\r\nnot one\nhttp://s.test/b\n"), "http://s.test/", 10).urls).toHaveLength(
      2
    )
    expect(readSitemap(bytes(`${urlset("/a")}<oops`), "http://s.test/", 10).urls).toEqual(["http://s.test/a"])
    expect(readSitemap(bytes("<urlset><url><loc>/a</loc></url><url><loc>/b"), "http://s.test/", 10).urls).toEqual([
      "http://s.test/a"
    ])
    expect(readSitemap(bytes(""), "http://s.test/", 10)).toEqual({ urls: [], sitemaps: [] })
  })

  it("stops reading at the limit", () => {
    const many = urlset(...Array.from({ length: 50_000 }, (_, i) => `/${i}`))
    expect(readSitemap(bytes(many), "http://s.test/", 7).urls).toHaveLength(7)
  })

  it("stops at nesting that no sitemap has, and keeps what came before", () => {
    const bomb = `<urlset><url><loc>/a</loc></url>${"<a>".repeat(200_000)}<url><loc>/b</loc></url>`
    expect(readSitemap(bytes(bomb), "http://s.test/", 10).urls).toEqual(["http://s.test/a"])
  })

  it.scoped("reads two hundred files, also where robots.txt names more", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(layer))
  )

  it.scoped("finds /sitemap.xml by itself", () =>
    Effect.gen(function* () {
      const origin = yield* pages({ "/sitemap.xml": xml(urlset("/a", "/b", "/a")) })
      expect(yield* list(origin)).toEqual([`${origin}/a`, `${origin}/b`])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("follows an index, unpacks gzip, and goes round no circle", () =>
    Effect.gen(function* () {
      const origin = yield* pages({
        "/main.xml": xml(index("/one.xml.gz", "/two.xml", "/main.xml", "/missing.xml")),
        "/one.xml.gz": (_, response) => void response.end(gzipSync(urlset("/a"))),
        "/two.xml": xml(index("/three.xml", "/main.xml")),
        "/three.xml": xml(urlset("/b"))
      })
      expect(yield* list(origin, [`${origin}/main.xml`])).toEqual([`${origin}/a`, `${origin}/b`])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("goes three levels deep and not further", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(layer))
  )

  it.scoped("lists nothing for a site without one, and no more than the limit", () =>
    Effect.gen(function* () {
      expect(yield* list(yield* pages({}))).toEqual([])
      const origin = yield* pages({ "/sitemap.xml": xml(urlset("/a", "/b", "/c")) })
      expect(yield* list(origin, [], 2)).toEqual([`${origin}/a`, `${origin}/b`])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("answers with what it has when the time is over", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(layer))
  )
})
