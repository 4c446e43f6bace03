/** Budgets are caps: no call is begun that could go beyond them. */

import { describe, expect, scoped } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number, from = 0): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${from + index}"`).join(", ")}]`

const batch = (count: number): string => `${urls(count)}\n  - batchScrape: {}`

const three = "budget: { credits: 3 }\n"

describe("a budget of credits", () => {
  scoped("limits a batch to the remaining credits; the rest waits for a resume, which has a new budget", function* () {
    const shop = Shop.make()
    const { outcome, summary } = yield* run(shop.reply, batch(45), {}, three, Shop.rate)
    expect(shop.charged()).toBe(3)
    expect(shop.starts).toEqual([3])
    expect(summary).toMatchObject({ status: "budget", credits: 3, resumable: true, rows: 3 })
    expect(outcome).toMatchObject({ left: { message: expect.stringContaining("3 credits of 3 a run") } })
  })

  scoped.skipIf(skipsLong)(
    "limits a crawl without a limit or with a larger one, and marks the crawl as incomplete",
    function* () {
      for (const limit of ["", ", limit: 40"]) {
        const shop = Shop.make()
        const crawl = `  - crawl: { url: "http://x.example"${limit} }`
        const { summary } = yield* run(shop.reply, crawl, {}, three, Shop.rate)
        expect([shop.charged(), shop.starts]).toEqual([3, [3]])
        expect(summary).toMatchObject({ status: "budget", credits: 3, rows: 3 })
      }
      const small = Shop.make()
      const { summary } = yield* run(
        small.reply,
        '  - crawl: { url: "http://x.example", limit: 3 }',
        {},
        three,
        Shop.rate
      )
      expect([small.charged(), summary.status]).toEqual([3, "completed"])
    }
  )

  scoped("holds for searches of each row, and requests fewer results when less is left", function* () {
    const shop = Shop.make()
    const searches = `${urls(24)}\n  - search: { query: { expr: url }, limit: 20 }\n    each: true`
    const { summary } = yield* run(shop.reply, searches, {}, "budget: { credits: 7 }\n", Shop.rate)
    // Four credits for twenty results, then two for ten.
    expect(shop.charged()).toBe(6)
    expect(summary).toMatchObject({ status: "budget", credits: 6 })
  })

  scoped("holds for concurrent calls", function* () {
    const shop = Shop.make()
    const scrapes = `${urls(30)}\n  - scrape: {}\n    concurrency: 8`
    const { rows, summary } = yield* run(shop.reply, scrapes, {}, three, Shop.rate)
    expect([shop.charged(), rows]).toEqual([3, []])
    expect(summary).toMatchObject({ status: "budget", credits: 3, rows: 3 })
  })

  scoped.skipIf(skipsLong)("of exactly the price of the run lets it complete", function* () {
    for (const steps of [batch(3), `${urls(3)}\n  - scrape: {}\n    concurrency: 8`]) {
      const shop = Shop.make()
      const { rows, summary } = yield* run(shop.reply, steps, {}, three, Shop.rate)
      expect([summary.status, rows.length, shop.charged()]).toEqual(["completed", 3, 3])
    }
  })

  scoped("reserves the price of formats in addition to the page", function* () {
    const shop = Shop.make({ pagePrice: () => 5 })
    const scrapes = `${urls(3)}\n  - scrape: { formats: [{ type: json, prompt: the price }] }\n    concurrency: 3`
    const { summary } = yield* run(shop.reply, scrapes, {}, "budget: { credits: 9 }\n", Shop.rate)
    expect([summary.status, shop.charged()]).toEqual(["budget", 5])
  })

  scoped("is exceeded by at most one call when the price of calls is unknown", function* () {
    let call = 0
    const shop = Shop.make({ pagePrice: () => [2, 7, 1, 9, 3][call++ % 5] ?? 1 })
    const { summary } = yield* run(
      shop.reply,
      `${urls(60)}\n  - scrape: {}\n    concurrency: 8`,
      {},
      "budget: { credits: 40 }\n"
    )
    expect(summary.status).toBe("budget")
    expect(summary.credits).toBe(shop.charged())
    expect(shop.charged()).toBeGreaterThanOrEqual(40)
    expect(shop.charged()).toBeLessThan(49)
  })

  scoped("gives the unused credits of a finished job to waiting calls", function* () {
    // The crawl has no limit, so that it holds all credits, and needs four of them.
    const shop = Shop.make({ site: 4 })
    const { rows, summary } = yield* run(
      shop.reply,
      '  - crawl: { url: "http://x.example" }\n  - scrape: { url: { expr: metadata.sourceURL } }\n    concurrency: 1',
      {},
      "budget: { credits: 8 }\n",
      Shop.rate
    )
    expect([summary.status, rows.length, shop.charged()]).toEqual(["completed", 4, 8])
  })
})

describe("a browser session", () => {
  const steps = `  - id: s
    browser: {}
  - urls: [http://x.example/a]
  - search: { query: "${"${{ steps.s.output.id }}"}" }
    each: true`

  scoped("is booked and reserved by the minute", function* () {
    const enough = Shop.make()
    const { summary } = yield* run(enough.reply, steps, {}, "budget: { credits: 4 }\n", Shop.rate)
    expect([summary.status, summary.credits, enough.charged()]).toEqual(["completed", 4, 4])
    const little = Shop.make()
    const cut = yield* run(little.reply, steps, {}, "budget: { credits: 1 }\n", Shop.rate)
    expect([cut.summary.status, little.charged()]).toEqual(["budget", 0])
  })
})

describe("a budget of pages", () => {
  scoped.skipIf(skipsLong)("cuts batches, crawls and calls", function* () {
    for (const steps of [
      batch(45),
      '  - crawl: { url: "http://x.example" }',
      `${urls(30)}\n  - scrape: {}\n    concurrency: 8`
    ]) {
      const shop = Shop.make()
      const { summary } = yield* run(shop.reply, steps, {}, "budget: { pages: 5 }\n")
      expect([summary.status, shop.charged()]).toEqual(["budget", 5])
    }
  })
})

describe("a budget of calls", () => {
  scoped.skipIf(skipsLong)("counts each call and each start of a job, and stops before the next", function* () {
    const each = `${urls(30)}\n  - each: true\n    crawl: { url: { expr: url }, limit: 1 }\n    concurrency: 4`
    for (const steps of [`${urls(30)}\n  - scrape: {}\n    concurrency: 8`, each]) {
      const shop = Shop.make()
      const { outcome, summary } = yield* run(shop.reply, steps, {}, "budget: { calls: 5 }\n")
      expect([summary.status, shop.calls()]).toEqual(["budget", 5])
      expect(outcome).toMatchObject({ left: { message: expect.stringContaining("5 calls of 5 a run") } })
    }
    const shop = Shop.make({ site: 40 })
    const whole = yield* run(shop.reply, '  - crawl: { url: "http://x.example" }', {}, "budget: { calls: 1 }\n")
    expect([whole.summary.status, shop.calls(), whole.summary.rows]).toEqual(["completed", 1, 40])
  })
})

describe("a job that another client started", () => {
  scoped("costs no credits, no pages and nothing of the daily budget", function* () {
    const dataDir = yield* tempDir
    const shop = Shop.make()
    shop.reply({ method: "POST", path: "/v2/batch/scrape", headers: {}, body: '{"urls":["http://x.example/a"]}' })
    const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
    const reply: typeof shop.reply = (asked) =>
      asked.path.includes(id) && !asked.path.includes("/errors")
        ? {
            body: {
              success: true,
              status: "completed",
              total: 2,
              completed: 2,
              creditsUsed: 2,
              data: ["a", "b"].map((name) => ({
                markdown: name,
                metadata: { sourceURL: `http://x.example/${name}`, statusCode: 200, creditsUsed: 1 }
              }))
            }
          }
        : shop.reply(asked)
    const day = "budget: { credits: 1, per: day }\n"
    for (const step of ["batchStatus", "crawlStatus"]) {
      const attached = yield* run(reply, `  - ${step}: { id: ${id} }`, { dataDir }, day, Shop.rate)
      expect(attached.summary).toMatchObject({ status: "completed", credits: 0, unpricedCalls: 0, rows: 2 })
    }
    const { summary } = yield* run(shop.reply, `${urls(2)}\n  - scrape: {}`, { dataDir }, day, Shop.rate)
    expect(summary).toMatchObject({ status: "budget", credits: 1 })
  })
})
