import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as RobotsFile from "../../../src/Engine/Scrape/Robots.ts"
import { fetchLayer, pages } from "./Site.ts"

const { Robots } = RobotsFile
const layer = RobotsFile.layer.pipe(Layer.provide(fetchLayer))

const file = `# rules
User-agent: heron
Disallow: /marsh
Crawl-delay: 2.5

User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.zip$

Sitemap: /maps/one.xml
Sitemap: https://elsewhere.test/two.xml
`

const answering = (status: number, text = "") =>
  pages({ "/robots.txt": (_, response) => void response.writeHead(status).end(text) })

describe("Robots", () => {
  it.scoped("judges by the group of the user agent, longest rule first", () =>
    Effect.gen(function* () {
      const origin = yield* answering(200, file)
      const robots = yield* Robots
      const all = yield* robots.load(origin)
      expect(all.isAllowed(`${origin}/a`)).toBe(true)
      expect(all.isAllowed(`${origin}/private/a`)).toBe(false)
      expect(all.isAllowed(`${origin}/private/open/a`)).toBe(true)
      expect(all.isAllowed(`${origin}/a.zip`)).toBe(false)
      expect(all.crawlDelay).toBeUndefined()
      const heron = yield* robots.load(origin, "Heron/1.0")
      expect(heron.isAllowed(`${origin}/private/a`)).toBe(true)
      expect(heron.isAllowed(`${origin}/marsh/a`)).toBe(false)
      expect(heron.crawlDelay).toBe(2.5)
      expect(heron.sitemaps).toEqual([`${origin}/maps/one.xml`, "https://elsewhere.test/two.xml"])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("allows everything where there is no file, nothing where it cannot be read", () =>
    Effect.gen(function* () {
      const robots = yield* Robots
      for (const status of [404, 403, 410]) {
        const origin = yield* answering(status, file)
        expect((yield* robots.load(origin)).isAllowed(`${origin}/private`), String(status)).toBe(true)
      }
      for (const status of [500, 503, 429]) {
        const origin = yield* answering(status)
        const rules = yield* robots.load(origin)
        expect(rules.isAllowed(`${origin}/`), String(status)).toBe(false)
        expect(rules.unreadable).toContain(String(status))
      }
    }).pipe(Effect.provide(layer))
  )

  it.scoped("leaves it to the page to say that there is no connection", () =>
    Effect.gen(function* () {
      const origin = yield* Effect.scoped(pages({}))
      const robots = yield* Robots
      expect((yield* robots.load(origin)).isAllowed(`${origin}/`)).toBe(true)
      expect((yield* robots.load("http://192.0.2.1")).isAllowed("http://192.0.2.1/")).toBe(true)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("fetches a file once an hour, and one that could not be read once a minute", () =>
    Effect.gen(function* () {
      let asked = 0
      let status = 500
      const origin = yield* pages({
        "/robots.txt": (_, response) => {
          asked++
          response.writeHead(status).end("")
        }
      })
      const robots = yield* Robots
      const load = robots.load(origin)
      yield* Effect.all([load, load, robots.load(origin, "Heron")], { concurrency: 3 })
      expect(asked).toBe(1)
      yield* TestClock.adjust("61 seconds")
      status = 200
      expect((yield* load).isAllowed(`${origin}/`)).toBe(true)
      yield* TestClock.adjust("59 minutes")
      yield* load
      expect(asked).toBe(2)
      yield* TestClock.adjust("2 minutes")
      yield* load
      expect(asked).toBe(3)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("survives a file that is no robots.txt", () =>
    Effect.gen(function* () {
      const origin = yield* answering(200, "<html>".repeat(200_000))
      const robots = yield* Robots
      expect((yield* robots.load(origin)).isAllowed(`${origin}/`)).toBe(true)
    }).pipe(Effect.provide(layer))
  )
})
