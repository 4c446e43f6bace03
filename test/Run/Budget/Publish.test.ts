/** `budget.onReached: publish`: rows that were paid for are published, and the rest is left to the next run. */
import { mkdirSync, rmSync } from "node:fs"
import { optionsOf } from "../../../src/Run/RunSpec.ts"
import { expect, scoped } from "../../It.ts"
import { withLedger } from "../../Ledger/Ledgers.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${index}"`).join(", ")}]`

const budget = (limits: string): string => `budget: { ${limits}, onReached: publish }\n`

scoped.skipIf(skipsLong)(
  "publishes the pages of a batch, a crawl, calls and sorted rows, and ends with the status budget",
  function* () {
    for (const [steps, limits] of [
      [`${urls(45)}\n  - batchScrape: {}`, "credits: 3"],
      ['  - crawl: { url: "http://x.example" }', "credits: 3"],
      [`${urls(30)}\n  - scrape: {}\n    concurrency: 8`, "credits: 3"],
      [`${urls(30)}\n  - scrape: {}\n  - sort: { by: metadata.sourceURL }`, "credits: 3"],
      [`${urls(30)}\n  - scrape: {}\n  - batchScrape: { url: { expr: metadata.sourceURL } }`, "credits: 6"],
      [urls(1500), "rows: 3"]
    ] as const) {
      const shop = Shop.make()
      const { outcome, rows, summary } = yield* run(shop.reply, steps, {}, budget(limits), Shop.rate)
      expect(summary, steps).toMatchObject({ status: "budget", resumable: false })
      expect(summary.outputs, steps).toHaveLength(1)
      expect(rows.length, steps).toBe(summary.rows)
      expect(outcome).toMatchObject({ left: { reason: { reason: "BudgetReached" } } })
      if (limits !== "credits: 6") expect(rows.length, steps).toBe(3)
    }
  }
)

scoped("remembers the rows that it has published, and leaves the others to the next run", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  const steps = `${urls(10)}
  - dedupe: { across: runs, emit: [new, gone] }
  - scrape: { url: { expr: url } }
    concurrency: 1
  - select: { url: metadata.sourceURL }`
  const frame = `state: { key: pages }\n${budget("credits: 4")}`
  const seen: Array<unknown> = []
  for (const expected of [4, 4, 2]) {
    const { rows } = yield* run(shop.reply, steps, { dataDir }, frame, Shop.rate)
    expect(rows).toHaveLength(expected)
    seen.push(...rows.map(({ url }) => url))
  }
  expect(new Set(seen).size).toBe(10)
})

scoped("reports that its outputs are partial also when a resumed run publishes them", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  let blocks = true
  const options = { dataDir, out: dataDir, id: "r1" }
  const reply: typeof shop.reply = (asked) => {
    // A folder stands where the file goes.
    if (blocks) mkdirSync(`${dataDir}/rows.jsonl/in`, { recursive: true })
    return shop.reply(asked)
  }
  const steps = `${urls(10)}\n  - scrape: {}\n    concurrency: 1`
  const first = yield* run(reply, steps, options, budget("credits: 3"), Shop.rate)
  expect(first.summary.status).toBe("failed")
  blocks = false
  rmSync(`${dataDir}/rows.jsonl`, { recursive: true })
  const known = yield* withLedger(dataDir, ({ find }) => find("r1"))
  expect(known).toMatchObject({ status: "failed" })
  const resume = known === undefined ? {} : optionsOf(known)
  const { outcome, summary } = yield* run(reply, steps, { ...options, ...resume }, budget("credits: 3"), Shop.rate)
  expect(summary).toMatchObject({ status: "budget", resumable: false, rows: 3 })
  expect(outcome).toMatchObject({
    left: { message: expect.stringContaining("rows that were paid for are published") }
  })
  const kept = yield* withLedger(dataDir, ({ find }) => find("r1"))
  expect(kept).toMatchObject({ status: "completed", error: expect.stringContaining("3 credits of 3 a run") })
})
