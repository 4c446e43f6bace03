/** Search, and on request the content of every result. */
import * as Effect from "effect/Effect"
import type { SearchRequest } from "../Api/Search.ts"
import { calls, type Keyed, keyHeaders } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

const keepsNothing = ({ enterprise, scrapeOptions }: SearchRequest): boolean =>
  enterprise?.includes("zdr") === true || scrapeOptions?.zeroDataRetention === true

/** Group `search` of the contract. */
export class Search extends Effect.Service<Search>()("sluice/Client/Search", {
  effect: Effect.gen(function* () {
    const api = yield* calls("search")
    return {
      /** Results by source; each source has up to `limit` of them. Nothing found is `data: {}` with a `warning`. */
      run: Effect.fn("Search.run")((payload: SearchRequest, options: Keyed = {}) =>
        asRead(api.search({ payload, headers: keyHeaders(options, { zeroDataRetention: keepsNothing(payload) }) }))
      )
    }
  })
}) {}
