/** One page as a document. */
import * as Effect from "effect/Effect"
import type { Scraped, ScrapeRequest, ScrapeRequestV1 } from "../Generated/Api.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, type Keyed, keyHeaders, type PaidCall, type Versioned } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

type Run = PaidCall<ScrapeRequest, ScrapeRequestV1, Scraped>

interface ScrapeOperations {
  /**
   * Returns the page in the requested formats, Markdown by default. A page that itself responds with 404 or 500 is a success: see
   * `metadata.statusCode`. `timeout` is in milliseconds, default 30,000.
   */
  readonly run: Run
}

/** Client for one page as a document. Errors: `ClientError`. */
export class Scrape extends Effect.Service<Scrape>()("sluice/Client/Scrape", {
  effect: Effect.gen(function* () {
    const api = yield* calls("scrape")
    const run: Run = Trace.fn("Scrape.run")(
      (payload: ScrapeRequest | ScrapeRequestV1, options: Keyed & Versioned = {}) => {
        const request = { payload, headers: keyHeaders(options, payload) }
        return asRead(options.version === "v1" ? api.scrapeV1(request) : api.scrape(request))
      }
    )
    const service: ScrapeOperations = { run }
    return service
  })
}) {}
