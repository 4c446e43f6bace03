/** A budget of credits for a day holds over all runs of the pipeline, also at the same time, and also over killed ones. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, it, scoped } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number, from = 0): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${from + index}"`).join(", ")}]`

const day = "budget: { credits: 10, per: day }\n"

scoped("consecutive and concurrent runs spend no more than the daily budget", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  const scraping = (from: number, count: number) =>
    run(shop.reply, `${urls(count, from)}\n  - scrape: {}\n    concurrency: 4`, { dataDir }, day, Shop.rate)
  expect((yield* scraping(0, 4)).summary).toMatchObject({ status: "completed", credits: 4 })
  const both = yield* Effect.all([scraping(100, 8), scraping(200, 8)], { concurrency: "unbounded" })
  for (const { summary } of both) expect(summary.status).toBe("budget")
  expect(shop.charged()).toBe(10)
  const batch = yield* run(shop.reply, `${urls(8, 300)}\n  - batchScrape: {}`, { dataDir }, day, Shop.rate)
  expect(batch.summary).toMatchObject({ status: "budget", credits: 0 })
  expect(batch.asked.filter(({ method }) => method === "POST")).toEqual([])
  expect(shop.charged()).toBe(10)
})

scoped("possible charges of a killed run count as spent", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  const isAsked = yield* Effect.makeLatch()
  const killed = yield* run(
    (asked) => {
      // The job has begun, and the process dies before it has heard of a page.
      if (asked.method === "GET") Effect.runSync(isAsked.open)
      return asked.method === "GET" ? { body: { success: true, status: "scraping", total: 7 } } : shop.reply(asked)
    },
    `${urls(7)}\n  - batchScrape: {}`,
    { dataDir },
    day,
    Shop.rate
  ).pipe(Effect.fork)
  yield* isAsked.await
  yield* Fiber.interrupt(killed)
  expect(shop.charged()).toBe(7)
  const next = yield* run(shop.reply, `${urls(8, 100)}\n  - scrape: {}`, { dataDir }, day, Shop.rate)
  expect(next.summary).toMatchObject({ status: "budget", credits: 3 })
  expect(shop.charged()).toBe(10)
})

it.scoped.skipIf(skipsLong)("two runs with finished jobs do not wait for each other's unread pages", () =>
  Effect.gen(function* () {
    const dataDir = yield* tempDir
    const shop = Shop.make()
    const budget = "budget: { credits: 200, per: day }\n"
    // Each crawl is over at once, and most of its pages wait for the calls behind it.
    const steps = `  - crawl: { url: "http://x.example", limit: 80 }
  - scrape: { url: { expr: metadata.sourceURL } }
    concurrency: 1`
    const one = run(shop.reply, steps, { dataDir }, budget, Shop.rate)
    for (const { summary } of yield* Effect.all([one, one], { concurrency: "unbounded" })) {
      expect(summary).toMatchObject({ status: "budget", resumable: true })
    }
    expect(shop.charged()).toBe(200)
  }).pipe(Effect.withClock(Clock.make()))
)
