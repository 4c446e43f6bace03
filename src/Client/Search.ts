/** Search, and on request the content of every result. */
import * as Effect from "effect/Effect"
import type { SearchRequest } from "../Api/SearchRequest.ts"
import { isZeroRetention } from "../Api/SearchRequest.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, type Keyed, keyHeaders } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

/** Client for web search, on request with the content of every result. Errors: `ClientError`. */
export class Search extends Effect.Service<Search>()("sluice/Client/Search", {
  effect: Effect.gen(function* () {
    const api = yield* calls("search")
    return {
      /** Returns up to `limit` results per source, 1 to 100, default 10. Without results `data` is `{}`, with a `warning`. `query` has at most 500 characters, `timeout` is in milliseconds, default 60,000. */
      run: Trace.fn("Search.run")((payload: SearchRequest, options: Keyed = {}) =>
        asRead(api.search({ payload, headers: keyHeaders(options, { zeroDataRetention: isZeroRetention(payload) }) }))
      )
    }
  })
}) {}
