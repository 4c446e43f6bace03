/** Jobs and the budget: what a job holds when its run is interrupted, when its row fails and when its reader has to wait. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
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
