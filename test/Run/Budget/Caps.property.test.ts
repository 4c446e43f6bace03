/** Whatever a pipeline does, it spends no more than its budget. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { repetitions } from "../../Repetitions.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const { constantFrom, integer, option, record } = FastCheck

const list = (count: number): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${index}"`).join(", ")}]`

/** Sources, and steps behind them that ask the service for each row or for all. */
const sources = (count: number): ReadonlyArray<string> => [
  list(count),
  `  - crawl: { url: "http://x.example", limit: ${count} }`,
  '  - crawl: { url: "http://x.example" }',
  `  - search: { query: herons, limit: ${count} }`
]

const behind = (concurrency: number): ReadonlyArray<string> => [
  "",
  `\n  - scrape: { url: { expr: url ?? metadata.sourceURL } }\n    concurrency: ${concurrency}`,
  "\n  - batchScrape: { url: { expr: url ?? metadata.sourceURL } }",
  `\n  - each: true\n    search: { query: { expr: url ?? metadata.sourceURL } }\n    concurrency: ${concurrency}`,
  `\n  - each: true\n    crawl: { url: { expr: url ?? metadata.sourceURL } }\n    concurrency: ${concurrency}`,
  `\n  - scrape: { url: { expr: url ?? metadata.sourceURL } }\n    concurrency: ${concurrency}\n  - batchScrape: { url: { expr: metadata.sourceURL } }`
]

const plans = record({
  source: integer({ min: 0, max: 3 }),
  step: integer({ min: 0, max: 5 }),
  count: integer({ min: 1, max: 25 }),
  concurrency: integer({ min: 1, max: 9 }),
  credits: option(integer({ min: 1, max: 40 }), { nil: undefined }),
  pages: option(integer({ min: 1, max: 30 }), { nil: undefined }),
  calls: option(integer({ min: 1, max: 12 }), { nil: undefined }),
  rows: option(integer({ min: 1, max: 30 }), { nil: undefined }),
  onReached: constantFrom("stop", "publish"),
  site: integer({ min: 1, max: 30 })
})

it.scoped.prop(
  "charges and outputs stay within the budget",
  { plan: plans },
  ({ plan }) =>
    Effect.gen(function* () {
      const { calls, concurrency, count, credits, onReached, pages, rows, site, source, step } = plan
      const limits = Object.entries({ credits, pages, calls, rows }).filter(([, limit]) => limit !== undefined)
      if (limits.length === 0) return
      const shop = Shop.make({ site })
      const steps = `${sources(count)[source]}${behind(concurrency)[step]}`
      const budget = `budget: { ${limits.map(([name, limit]) => `${name}: ${limit}`).join(", ")}, onReached: ${onReached} }\n`
      const { rows: written, summary } = yield* run(shop.reply, steps, {}, budget, Shop.rate)
      const what = `${budget}${steps}`
      expect(["completed", "budget"], what).toContain(summary.status)
      expect(summary.credits, what).toBe(shop.charged())
      if (credits !== undefined) expect(shop.charged(), what).toBeLessThanOrEqual(credits)
      if (pages !== undefined) expect(shop.pages(), what).toBeLessThanOrEqual(pages)
      if (calls !== undefined) expect(shop.calls(), what).toBeLessThanOrEqual(calls)
      if (rows !== undefined) expect(summary.rows, what).toBeLessThanOrEqual(rows)
      if (onReached === "publish" || summary.status === "completed") expect(written.length, what).toBe(summary.rows)
    }),
  { fastCheck: { numRuns: repetitions(25, 8) } }
)
