/** Jobs and the budget: what a job holds when its run is interrupted, when its row fails and when its reader has to wait. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Ledger } from "../../../src/Ledger.ts"
import { optionsOf } from "../../../src/Run/RunSpec.ts"
import type { Asked } from "../../Client/Server.ts"
import { describe, expect, it, scoped } from "../../It.ts"
import { layer } from "../../Ledger/Fresh.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

/** The options that resume a run. */
const resuming = (dataDir: string, runId: string) =>
  Effect.flatMap(Ledger, (ledger) => ledger.find(runId)).pipe(
    Effect.flatMap((record) =>
      record === undefined ? Effect.dieMessage("the run is not in the ledger") : Effect.succeed(optionsOf(record))
    ),
    Effect.provide(layer(dataDir)),
    Effect.provide(NodeContext.layer)
  )

const isStatus = ({ method, path }: Asked): boolean => method === "GET" && !path.endsWith("/errors")

describe("a run that was interrupted", () => {
  scoped("reports that the budget cut a crawl, although the resumed run reads its last pages", function* () {
    const dataDir = yield* tempDir
    const shop = Shop.make()
    let looks = 0
    const reply: typeof shop.reply = (asked) =>
      isStatus(asked) && ++looks === 2
        ? { status: 401, body: { success: false, error: "Unauthorized" } }
        : shop.reply(asked)
    const steps = '  - crawl: { url: "http://x.example", limit: 10 }'
    const budget = "budget: { credits: 4 }\n"
    const first = yield* run(reply, steps, { dataDir }, budget, Shop.rate)
    expect(first.summary).toMatchObject({ status: "failed", rows: 2 })
    const resume = yield* resuming(dataDir, first.runId)
    const second = yield* run(reply, steps, { dataDir, ...resume }, budget, Shop.rate)
    expect(second.summary).toMatchObject({ status: "budget", rows: 4 })
  })
})

describe("a call that does not fit into the budget", () => {
  const crawlThenScrape = (limit: number) =>
    `  - crawl: { url: "http://x.example", limit: ${limit} }\n  - scrape: { url: { expr: metadata.sourceURL } }\n    concurrency: 1`

  it.scoped.skipIf(skipsLong)("does not wait for a finished crawl whose rows wait for the next step", () =>
    Effect.gen(function* () {
      for (const budget of ["credits: 100", "pages: 100"]) {
        const shop = Shop.make()
        const { summary } = yield* run(shop.reply, crawlThenScrape(80), {}, `budget: { ${budget} }\n`, Shop.rate)
        expect(summary, budget).toMatchObject({ status: "budget", resumable: true })
        expect(shop.charged(), budget).toBe(100)
      }
    }).pipe(Effect.withClock(Clock.make()))
  )

  it.scoped.skipIf(skipsLong)(
    "does not wait for the job of a failed row: the job is cancelled and its cost is recorded",
    () =>
      Effect.gen(function* () {
        const shop = Shop.make({ site: 10 })
        let failing: string | undefined
        const reply: typeof shop.reply = (asked) => {
          if (asked.method === "POST") return shop.reply(asked)
          const id = asked.path.split("?")[0]?.split("/")[3] ?? ""
          failing ??= id
          if (id !== failing || asked.method === "DELETE") return shop.reply(asked)
          return asked.path.includes("limit=1")
            ? shop.reply(asked)
            : { status: 404, body: { success: false, error: "Job not found" } }
        }
        const steps = `  - urls: ["http://x.example/a", "http://x.example/b"]
  - each: true
    crawl: { url: { expr: url }, limit: 100 }`
        const { asked, rejects, summary } = yield* run(reply, steps, {}, "budget: { credits: 100 }\n", Shop.rate)
        expect(summary.status).toBe("completed")
        expect(rejects).toHaveLength(1)
        expect(summary.rows).toBe(10)
        expect(asked.filter(({ method }) => method === "DELETE")).toHaveLength(1)
      }).pipe(Effect.withClock(Clock.make()))
  )
})

describe("a job that costs less than was reserved for it", () => {
  const behindIt = "  - scrape: { url: { expr: metadata.sourceURL } }\n    concurrency: 1"
  const jobs = [
    // Without a limit it holds all that there is, and the site has four pages.
    { limit: 8, job: '  - crawl: { url: "http://x.example" }' },
    // Five credits for each page are reserved, and one is charged.
    {
      limit: 20,
      job: `  - urls: [${[0, 1, 2, 3].map((n) => `"http://x.example/${n}"`).join(", ")}]
  - batchScrape: { formats: [{ type: json, prompt: the price }, markdown] }`
    }
  ]

  it.scoped.skipIf(skipsLong)("returns the rest to waiting calls, within a run and within a day", () =>
    Effect.forEach(
      jobs.flatMap((each) => ["", ", per: day"].map((per) => ({ ...each, per }))),
      ({ job, limit, per }) =>
        Effect.gen(function* () {
          const shop = Shop.make({ site: 4 })
          const budget = `budget: { credits: ${limit}${per} }\n`
          const { rows, summary } = yield* run(shop.reply, `${job}\n${behindIt}`, {}, budget, Shop.rate)
          expect(summary, job + per).toMatchObject({ status: "completed", credits: 8 })
          expect([rows.length, shop.charged()], job + per).toEqual([4, 8])
        })
    ).pipe(Effect.withClock(Clock.make()))
  )

  it.scoped("returns the rest to another run of the same day", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempDir
      const shop = Shop.make({ site: 4 })
      const day = "budget: { credits: 8, per: day }\n"
      const isRead = yield* Effect.makeLatch()
      const crawl = '  - crawl: { url: "http://x.example" }'
      const crawling = yield* Effect.fork(
        run(
          (asked) => {
            if (isStatus(asked)) Effect.runSync(isRead.open)
            return shop.reply(asked)
          },
          crawl,
          { dataDir },
          day,
          Shop.rate
        )
      )
      // The crawl holds all eight credits until it is over.
      yield* isRead.await
      const four = `  - urls: [${[0, 1, 2, 3].map((n) => `"http://y.example/${n}"`).join(", ")}]\n  - scrape: {}`
      const { summary } = yield* run(shop.reply, four, { dataDir }, day, Shop.rate)
      expect(summary).toMatchObject({ status: "completed", credits: 4 })
      expect((yield* crawling).summary).toMatchObject({ status: "completed", credits: 4 })
    }).pipe(Effect.withClock(Clock.make()))
  )
})
