/** Running crawls of the team. */
import * as Effect from "effect/Effect"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, type Versioned } from "./Calls.ts"

/** Client for the running crawls of the team. Errors: `ClientError`. */
export class ActiveCrawls extends Effect.Service<ActiveCrawls>()("sluice/Client/ActiveCrawls", {
  effect: Effect.gen(function* () {
    const api = yield* calls("activeCrawls")
    return {
      /** Lists the running crawls of the team, with the options of each. */
      list: Trace.fn("ActiveCrawls.list")(({ version }: Versioned = {}) =>
        version === "v1" ? api.activeV1() : api.active()
      )
    }
  })
}) {}
