/** One limit for a host, whatever asks for its pages. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as FairScheduler from "../../../src/Engine/Fetch/FairScheduler.ts"
import { HostTurns, layer } from "../../../src/Engine/Fetch/HostTurns.ts"
import { plainly } from "../../../src/Engine/Teams/Work.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, drain, engine, keys, page, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"

describe("single scrapes", () => {
  it.scopedLive("share the request slots of a host with the pages of jobs", function* () {
    let [active, most] = [0, 0]
    const there = yield* site((path) => {
      active++
      most = Math.max(most, active)
      const behind = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void active--)
      return { body: page(path), behind }
    })
    const call = caller((yield* engine({ perHost: 2, keys: Redacted.make(`first:${keys.first}`) })).baseUrl, keys.first)
    const urls = [1, 2, 3, 4, 5].map((n) => `${there.url}/batch/${n}`)
    const started = yield* call.post("/v2/batch/scrape", { urls })
    const single = (path: string, formats: ReadonlyArray<string>) =>
      call.post("/v2/scrape", { url: `${there.url}${path}`, formats })
    const scraped = yield* Effect.forEach(
      [1, 2, 3, 4, 5],
      (n) => Effect.zip(single(`/page/${n}`, ["markdown"]), single(`/feed/${n}`, ["rawHtml"]), { concurrent: true }),
      { concurrency: "unbounded" }
    )
    const { data } = yield* drain(call, `/v2/batch/scrape/${started.json.id}`)
    expect(scraped.flat().map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(data.length).toBe(5)
    expect(there.requests.length).toBe(15)
    expect(most).toBe(2)
  })

  it.scopedLive.skipIf(skipsLong)("keep the crawl delay that a crawl has found in robots.txt", function* () {
    const at: Array<number> = []
    const there = yield* site((path) => {
      if (path === "/robots.txt") {
        return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nCrawl-delay: 0.2" }
      }
      at.push(Date.now())
      return page(path, ["/1", "/2"])
    })
    const call = caller((yield* engine()).baseUrl, keys.first)
    const started = yield* call.post("/v2/crawl", { url: there.url, sitemap: "skip" })
    while (at.length === 0) yield* Effect.sleep("5 millis")
    const scrapes = ["/x", "/y", "/feed"].map((path) => call.post("/v2/scrape", { url: `${there.url}${path}` }))
    yield* Effect.all([drain(call, `/v2/crawl/${started.json.id}`), ...scrapes], { concurrency: "unbounded" })
    expect(at.length).toBe(6)
    // One arrival may be late on a busy machine; together they tell.
    expect((at.at(-1) ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(200 * (at.length - 2) - 150)
  })

  const hosts = FairScheduler.makeHosts()
  const url = "https://canal.example/"

  it.scoped(
    "wait outside of their work, and leave nothing behind when they are interrupted",
    Layer.provide(layer({ perHost: 1, hosts }), alone),
    function* () {
      const { within } = yield* HostTurns
      const turn = (use: Effect.Effect<unknown>, at = url) =>
        plainly<unknown, never>((work) => within(work, at, "first", () => work.run(use)))
      const [begun, end] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const running = yield* Effect.fork(turn(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(end))))
      yield* Deferred.await(begun)
      let done = 0
      const work = turn(Effect.sync(() => ++done))
      const given = yield* Effect.fork(work)
      const other = yield* Effect.fork(work)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(given)
      expect(done).toBe(0)
      yield* Fiber.join(yield* Effect.fork(turn(Effect.void, "https://other.example/")))
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(other)
      yield* Fiber.join(running)
      expect(done).toBe(1)
      expect(hosts.known.size).toBe(0)

      const delayed = new FairScheduler.FairScheduler(1, hosts)
      delayed.slowDown(url, 10_000, 0)
      yield* work
      const next = yield* Effect.fork(work)
      yield* TestClock.adjust("9 seconds")
      expect(done).toBe(2)
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(next)
      expect(done).toBe(3)
    }
  )
})
