/** Credits that whoever starts a run gives it (`--budget`) hold beside the budget of its definition. */
import * as Effect from "effect/Effect"
import { optionsOf } from "../../../src/Run/RunSpec.ts"
import { expect, scoped } from "../../It.ts"
import { withLedger } from "../../Ledger/Ledgers.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number, from = 0): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${from + index}"`).join(", ")}]`

const scrape = (from: number) => `${urls(8, from)}\n  - scrape: {}\n    concurrency: 4`
const batch = (from: number) => `${urls(8, from)}\n  - batchScrape: {}`

scoped.skipIf(skipsLong)(
  "a run spends no more than either allows, also of a budget per day that has more left",
  function* () {
    const frames: ReadonlyArray<readonly [frame: string, most: number]> = [
      ["", 3],
      ["budget: { rows: 1000 }\n", 3],
      ["budget: { credits: 2 }\n", 2],
      ["budget: { credits: 100 }\n", 3],
      ["budget: { credits: 100, per: day }\n", 3],
      ["budget: { credits: 2, per: day }\n", 2]
    ]
    for (const [frame, most] of frames) {
      for (const steps of [scrape, batch]) {
        const dataDir = yield* tempDir
        const shop = Shop.make()
        const { summary } = yield* run(shop.reply, steps(0), { dataDir, maxCredits: 3 }, frame, Shop.rate)
        expect([frame, summary.status, summary.credits, shop.charged()]).toEqual([frame, "budget", most, most])
      }
    }
  }
)

scoped("concurrent runs keep their own credits and those of the day", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  const own = (from: number, maxCredits: number) =>
    run(shop.reply, scrape(from), { dataDir, maxCredits }, "budget: { credits: 10, per: day }\n", Shop.rate)
  const both = yield* Effect.all([own(100, 4), own(200, 4)], { concurrency: "unbounded" })
  for (const { summary } of both) expect(summary).toMatchObject({ status: "budget", credits: 4 })
  expect((yield* own(300, 8)).summary).toMatchObject({ status: "budget", credits: 2 })
  expect(shop.charged()).toBe(10)
})

scoped("a resume has them again, from the ledger", function* () {
  const dataDir = yield* tempDir
  const shop = Shop.make()
  const { summary } = yield* run(shop.reply, scrape(0), { dataDir, maxCredits: 3 }, "", Shop.rate)
  const record = yield* withLedger(dataDir, ({ find }) => find(summary.runId))
  expect(record && optionsOf(record)).toMatchObject({ maxCredits: 3 })
  expect(record?.options.budget).toMatchObject({ credits: 3, per: "run" })
})
