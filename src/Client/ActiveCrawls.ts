/** The crawls of the team that are running now. */
import * as Effect from "effect/Effect"
import { calls, type Versioned } from "./Calls.ts"

/** Group `activeCrawls` of the contract. */
export class ActiveCrawls extends Effect.Service<ActiveCrawls>()("sluice/Client/ActiveCrawls", {
  effect: Effect.gen(function* () {
    const api = yield* calls("activeCrawls")
    return {
      /** Every running crawl, with the options it was started with. */
      list: Effect.fn("ActiveCrawls.list")(({ version }: Versioned = {}) =>
        version === "v1" ? api.activeV1() : api.active()
      )
    }
  })
}) {}
