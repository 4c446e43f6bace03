/** Crawl parameters from a prompt. */
import * as Effect from "effect/Effect"
import type { PreviewRequest } from "../Api/CrawlPreview.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

/** Client for crawl parameters from a prompt. Errors: `ClientError`. */
export class CrawlPreview extends Effect.Service<CrawlPreview>()("sluice/Client/CrawlPreview", {
  effect: Effect.gen(function* () {
    const api = yield* calls("crawlPreview")
    return {
      /** Returns crawl parameters for a URL and a prompt of at most 10,000 characters. Nothing is crawled. */
      run: Trace.fn("CrawlPreview.run")((payload: PreviewRequest) => asRead(api.preview({ payload })))
    }
  })
}) {}
