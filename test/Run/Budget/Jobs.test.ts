/** Jobs and the budget: what a job holds when its run is interrupted, when its row fails and when its reader has to wait. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { optionsOf } from "../../../src/Run/Beginning.ts"
import * as Sqlite from "../../../src/Run/Ledger/Sqlite.ts"
import { Ledger } from "../../../src/Run/Ledger.ts"
import type { Asked } from "../../Client/Server.ts"
import { tempDir } from "../../Local.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

/** The options that resume a run. */
const resuming = (dataDir: string, runId: string) =>
  Effect.flatMap(Ledger, (ledger) => ledger.find(runId)).pipe(
    Effect.flatMap((record) =>
      record === undefined ? Effect.dieMessage("the run is not in the ledger") : Effect.succeed(optionsOf(record))
    ),
    Effect.provide(Sqlite.layer(dataDir)),
    Effect.provide(NodeContext.layer)
  )

const isStatus = ({ method, path }: Asked): boolean => method === "GET" && !path.endsWith("/errors")

describe("a run that was interrupted", () => {
  it.scoped("reports a crawl that the budget has cut, although a later life of the run reads its last pages", () =>
    Effect.gen(function* () {
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
  )
})

describe("a call that does not fit into the budget", () => {
  const crawlThenScrape = (limit: number) =>
    `  - crawl: { url: "http://x.example", limit: ${limit} }\n  - scrape: { url: { expr: metadata.sourceURL } }\n    concurrency: 1`

  it.scoped(
    "does not wait for a crawl that is over and whose reader waits for room",
    () =>
      Effect.gen(function* () {
        for (const budget of ["credits: 100", "pages: 100"]) {
          const shop = Shop.make()
          const { summary } = yield* run(shop.reply, crawlThenScrape(80), {}, `budget: { ${budget} }\n`, Shop.rate)
          expect(summary, budget).toMatchObject({ status: "budget", resumable: true })
          expect(shop.charged(), budget).toBe(100)
        }
      }).pipe(Effect.timeout("40 seconds"), Effect.withClock(Clock.make())),
    60_000
  )

  it.scoped(
    "does not wait for the job of a row that has failed: the job is cancelled and what it has cost is booked",
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
      }).pipe(Effect.timeout("40 seconds"), Effect.withClock(Clock.make())),
    60_000
  )
})
