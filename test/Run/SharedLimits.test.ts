/** Runs of one group, as shards are: what each of them does counts for all. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { BudgetBaseline } from "../../src/Run/Budget.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { page, run } from "../Step/Odd.ts"

const scraping = (from: number, count: number, more = "concurrency: 1") =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${from + index}"`).join(", ")}]
  - scrape: {}
    ${more}`

/** Every page costs a credit. */
const service = (asked: { readonly body: string }) => {
  const { url } = JSON.parse(asked.body) as { readonly url: string }
  return { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
}

const budget = "budget: { credits: 6 }\n"

describe("a group of runs", () => {
  scoped("shares one budget, and a later shard brings no new one", function* () {
    const dataDir = yield* tempDir
    const shard = (from: number) => run(service, scraping(from, 20), { dataDir, group: "g" }, budget)
    const shards = yield* Effect.all([shard(0), shard(100), shard(200)], { concurrency: "unbounded" })
    const credits = shards.reduce((sum, { summary }) => sum + summary.credits, 0)
    for (const { summary } of shards) expect(summary.status).toBe("budget")
    // Calls in flight when the sixth was answered are paid for, too.
    expect(credits).toBeGreaterThanOrEqual(6)
    expect(credits).toBeLessThanOrEqual(8)
    const late = yield* shard(300)
    expect(late.outcome).toMatchObject({ left: { reason: { reason: "BudgetReached" } } })
    expect(late.asked.filter(({ method }) => method === "POST")).toEqual([])
    const other = yield* run(service, scraping(400, 3), { dataDir, group: "other" }, budget)
    expect(other.summary).toMatchObject({ status: "completed", credits: 3 })
  })

  scoped.skipIf(skipsLong)(
    "counts the bytes of all shards and the time of the whole run since it was last resumed",
    function* () {
      const dataDir = yield* tempDir
      const shard = (from: number, frame: string, budgetFrom?: BudgetBaseline) =>
        run(service, scraping(from, 3), { dataDir, group: "g", budgetFrom }, frame)
      const bytes = "budget: { bytes: 150B }\n"
      yield* shard(0, bytes)
      const late = yield* shard(100, bytes)
      expect(late.outcome).toMatchObject({ left: { message: expect.stringMatching(/ bytes of 150 a run/) } })
      const now = yield* Clock.make().currentTimeMillis
      const from = { credits: 3, pages: 3, calls: 0, rows: 3, bytes: 1000, since: now }
      expect((yield* shard(100, bytes, from)).summary.status).toBe("completed")
      const hour = "budget: { duration: 1h }\n"
      const over = yield* shard(200, hour, { ...from, since: now - 3_600_000 })
      expect(over.outcome).toMatchObject({ left: { reason: { reason: "BudgetReached" } } })
      expect(over.asked.filter(({ method }) => method === "POST")).toEqual([])
      expect((yield* shard(200, hour, from)).summary.status).toBe("completed")
    }
  )

  scoped("shares the rate of a step", function* () {
    const dataDir = yield* tempDir
    const clock = Clock.make()
    const shard = (from: number) => run(service, scraping(from, 14, "rate: 20/s"), { dataDir, group: "g" })
    const begun = yield* clock.currentTimeMillis
    const shards = yield* Effect.all([shard(0), shard(100)], { concurrency: "unbounded" })
    for (const { summary } of shards) expect(summary).toMatchObject({ status: "completed", rows: 14 })
    // Twenty of the 28 at once, and then one in 50 ms; alone, none would have had to wait.
    expect((yield* clock.currentTimeMillis) - begun).toBeGreaterThanOrEqual(400)
  })

  scoped("divides the rate of a step among shards that share no ledger, from the first call on", function* () {
    const clock = Clock.make()
    const shard = (rate: string, rateShare: number) =>
      Effect.gen(function* () {
        const begun = yield* clock.currentTimeMillis
        const { summary } = yield* run(service, scraping(0, 6, `rate: ${rate}`), {
          dataDir: yield* tempDir,
          rateShare
        })
        expect(summary).toMatchObject({ status: "completed", rows: 6 })
        return (yield* clock.currentTimeMillis) - begun
      })
    // Five of its six at once, and then one in 200 ms; alone, none would have had to wait.
    expect(yield* shard("20/s", 4)).toBeGreaterThanOrEqual(190)
  })
})
