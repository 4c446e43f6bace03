import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as RobotsService from "../../../src/Engine/Fetch/Robots.ts"
import { readRobots } from "../../../src/Engine/Fetch/Robots.ts"
import { cpuMillis } from "../../CpuTime.ts"
import { describe, expect, it } from "../../It.ts"
import { fetchLayer, pages } from "./Site.ts"

const { Robots } = RobotsService
const layer = RobotsService.layer.pipe(Layer.provide(fetchLayer))

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
  it.scoped("applies the group of the user agent, longest rule first", layer, function* () {
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
  })

  it.scoped("allows everything without a file, and nothing if it cannot be read", layer, function* () {
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
  })

  it.scoped("allows a page without a connection to the site, whose own error is better", layer, function* () {
    const origin = yield* Effect.scoped(pages({}))
    const robots = yield* Robots
    expect((yield* robots.load(origin)).isAllowed(`${origin}/`)).toBe(true)
    expect((yield* robots.load("http://192.0.2.1")).isAllowed("http://192.0.2.1/")).toBe(true)
  })

  it.scoped("fetches a file once an hour, and an unreadable one once a minute", layer, function* () {
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
  })

  it.scoped("applies the last file for a day while the site does not deliver it", layer, function* () {
    let status = 200
    const origin = yield* pages({
      "/robots.txt": (_, response) => void response.writeHead(status).end("User-agent: *\nDisallow: /private\n")
    })
    const robots = yield* Robots
    const judged = Effect.map(robots.load(origin), ({ isAllowed }) =>
      ["/a", "/private"].map((path) => isAllowed(origin + path))
    )
    expect(yield* judged).toEqual([true, false])
    status = 503
    for (const hours of [2, 12, 23]) {
      yield* TestClock.setTime(hours * 3_600_000)
      expect(yield* judged, `${hours} h`).toEqual([true, false])
    }
    yield* TestClock.setTime(25 * 3_600_000)
    expect(yield* judged).toEqual([false, false])
    status = 200
    yield* TestClock.adjust("61 seconds")
    expect(yield* judged).toEqual([true, false])
  })

  it.scoped(
    "applies the last file for a day while the site cannot be reached, and looks for it every minute",
    layer,
    function* () {
      let isDown = false
      const there = () =>
        pages({
          "/robots.txt": (request, response) => {
            if (isDown) request.socket.destroy()
            else response.writeHead(200).end("User-agent: *\nDisallow: /private\n")
          }
        })
      const [known, unknown] = [yield* there(), yield* there()]
      const robots = yield* Robots
      const judged = (origin: string) =>
        Effect.map(robots.load(origin), ({ isAllowed }) => ["/a", "/private"].map((path) => isAllowed(origin + path)))
      expect(yield* judged(known)).toEqual([true, false])
      isDown = true
      for (const hours of [2, 12, 23]) {
        yield* TestClock.setTime(hours * 3_600_000)
        expect(yield* judged(known), `${hours} h`).toEqual([true, false])
      }
      yield* TestClock.setTime(25 * 3_600_000)
      for (const origin of [known, unknown]) expect(yield* judged(origin)).toEqual([true, true])
      isDown = false
      yield* TestClock.adjust("61 seconds")
      for (const origin of [known, unknown]) expect(yield* judged(origin)).toEqual([true, false])
    }
  )

  it.scoped("loads the file for all that wait for it, also if the first one is interrupted", layer, function* () {
    const asked = yield* Deferred.make<void>()
    let requests = 0
    const origin = yield* pages({
      "/robots.txt": (_, response) => {
        requests++
        if (requests === 1) Deferred.unsafeDone(asked, Effect.void)
        else response.writeHead(200).end("User-agent: *\nDisallow: /private\n")
      }
    })
    const robots = yield* Robots
    const first = yield* Effect.fork(robots.load(origin))
    yield* Deferred.await(asked)
    const second = yield* Effect.fork(robots.load(origin))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(first)
    expect((yield* Fiber.join(second)).isAllowed(`${origin}/private`)).toBe(false)
    expect(requests).toBe(2)
  })

  it.scoped("follows redirects to the file, also to another host; endless ones count as no file", layer, function* () {
    const robots = yield* Robots
    const elsewhere = yield* answering(200, "User-agent: *\nDisallow: /private\n")
    const to = (location: string) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(302, { location }).end()
    const five = yield* pages({
      "/robots.txt": to("/1"),
      ...Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, to(`/${n + 1}`)])),
      "/4": to(`${elsewhere}/robots.txt`)
    })
    const rules = yield* robots.load(five)
    expect(["/robots.txt", "/a", "/private"].map((path) => rules.isAllowed(five + path))).toEqual([true, true, false])
    const circle = yield* pages({ "/robots.txt": to("/robots.txt") })
    expect((yield* robots.load(circle)).isAllowed(`${circle}/a`)).toBe(true)
  })

  it.scoped("does not read a rule that the size limit cuts in half", layer, function* () {
    const start = "User-agent: *\n"
    const rule = "Disallow: /private/area\n"
    const fill = `${"#".repeat(512 * 1024 - start.length - "Disallow: /".length - 1)}\n`
    const origin = yield* answering(200, start + fill + rule)
    expect((yield* (yield* Robots).load(origin)).isAllowed(`${origin}/a`)).toBe(true)
  })

  it.scoped(
    "evicts the oldest files when the cache is full",
    RobotsService.layerWith(1_500).pipe(Layer.provide(fetchLayer)),
    function* () {
      const asked: Array<string> = []
      const site = (name: string) =>
        pages({
          "/robots.txt": (_, response) => {
            asked.push(name)
            response.writeHead(200).end("Disallow: /private\n".repeat(50))
          }
        })
      const [one, other] = [yield* site("one"), yield* site("other")]
      const robots = yield* Robots
      for (const origin of [one, one, other, other, one]) yield* robots.load(origin)
      expect(asked).toEqual(["one", "other", "one"])
    }
  )

  it("takes linear time, however many user agents share however many rules", () => {
    const names = Array.from({ length: 16_000 }, (_, at) => `User-agent: bird${at}\n`).join("")
    const before = process.cpuUsage()
    const { isAllowed } = readRobots(`${names}${"Disallow: /marsh\n".repeat(16_000)}`)
    const { user, system } = process.cpuUsage(before)
    expect(isAllowed("/marsh", "bird15999")).toBe(false)
    expect((user + system) / 1000).toBeLessThan(1_000)
  })

  it("matches as RFC 9309 says", () => {
    const allowed = (rules: string, path: string) => readRobots(`User-agent: *\n${rules}`).isAllowed(path, "heron")
    const cases: ReadonlyArray<readonly [string, string, boolean]> = [
      ["Disallow: /fish", "/fishheads/yummy", false],
      ["Disallow: /fish", "/Fish", true],
      ["Disallow: /fish/", "/fish", true],
      ["Disallow: /*.php$", "/folder/any.php.file.php", false],
      ["Disallow: /*.php$", "/file.php?a", true],
      ["Disallow: /fish*.php", "/fishheads/cat.php?p", false],
      ["Disallow: *ab*ab$", "/ab", true],
      ["Disallow: *ab**ab$", "/abab", false],
      ["Disallow: /", "/", false],
      ["Disallow:", "/a", true],
      ["Disallow: /$", "/", false],
      ["Disallow: /$", "/a", true],
      ["Disallow: /p\nAllow: /p", "/p", true],
      ["Disallow: /folder\nAllow: /folder/page", "/folder/page", true],
      ["Allow: /a\nDisallow: /*.htm", "/a.htm", false],
      ["Disallow: /%c3%bc", "/%C3%BC", false],
      ["Disallow: /ü # dots", "/%C3%BC", false],
      ["Disallow: /a\nnonsense\nDisallow: /b", "/b", false]
    ]
    for (const [rules, path, expected] of cases) expect(allowed(rules, path), `${rules} ${path}`).toBe(expected)
    const groups = readRobots("User-agent: heron\nUser-agent: stork\nDisallow: /a\nUser-agent: *\nDisallow: /b\n")
    expect(["heron/2", "Stork", "crane"].map((name) => groups.isAllowed("/a", name))).toEqual([false, false, true])
    expect(groups.isAllowed("/b", "heron")).toBe(true)
    const parted = readRobots("User-agent: heron\nSitemap: /s.xml\nHost: x\n\nUser-agent: stork\nDisallow: /a\n")
    expect(["heron", "stork"].map((name) => parted.isAllowed("/a", name))).toEqual([false, false])
    const delays = ["", "-5", "Infinity", "1.5"].map((delay) => readRobots(`User-agent: *\nCrawl-delay: ${delay}`))
    expect(delays.map(({ crawlDelay }) => crawlDelay("heron"))).toEqual([undefined, undefined, undefined, 1.5])
  })

  it("matches hostile patterns in linear time", () => {
    const hostile = readRobots(`User-agent: *\n${`Disallow: /${"*a".repeat(500)}b$\n`.repeat(500)}`)
    const path = `/${"a".repeat(1_500)}`
    const took = cpuMillis(() => {
      for (let i = 0; i < 10; i++) expect(hostile.isAllowed(path, "heron")).toBe(true)
    })
    expect(took).toBeLessThan(1_500)
  })

  it.scoped("reads the beginning of a file that is too long, compressed or not", layer, function* () {
    const long = `User-agent: *\nDisallow: /private\n${"# reeds and rushes\n".repeat(150_000)}`
    const plain = yield* answering(200, long)
    const packed = yield* pages({
      "/robots.txt": (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(long))
    })
    const robots = yield* Robots
    for (const origin of [plain, packed]) {
      const rules = yield* robots.load(origin)
      expect(rules.unreadable).toBeUndefined()
      expect([rules.isAllowed(`${origin}/private`), rules.isAllowed(`${origin}/a`)]).toEqual([false, true])
    }
  })

  it.scoped("allows nothing if the file cannot be decompressed, or its certificate is invalid", layer, function* () {
    const lie = yield* pages({
      "/robots.txt": (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip")
    })
    const robots = yield* Robots
    for (const origin of [lie, lie.replace("http:", "https:")]) {
      const rules = yield* robots.load(origin)
      expect(rules.isAllowed(`${origin}/`), origin).toBe(false)
      expect(rules.unreadable).toContain("could not be read")
    }
  })

  it.scoped("ignores a file that is no robots.txt", layer, function* () {
    const origin = yield* answering(200, "<html>".repeat(200_000))
    const robots = yield* Robots
    expect((yield* robots.load(origin)).isAllowed(`${origin}/`)).toBe(true)
  })
})
