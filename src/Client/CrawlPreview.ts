/** Crawl parameters from a prompt. */
import * as Effect from "effect/Effect"
import type { PreviewRequest } from "../Api/CrawlPreview.ts"
import { calls } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

/** Group `crawlPreview` of the contract. */
export class CrawlPreview extends Effect.Service<CrawlPreview>()("sluice/Client/CrawlPreview", {
  effect: Effect.gen(function* () {
    const api = yield* calls("crawlPreview")
    return {
      /** Parameters that a crawl of `url` would need to do what the prompt says; nothing is crawled. */
      run: Effect.fn("CrawlPreview.run")((payload: PreviewRequest) => asRead(api.preview({ payload })))
    }
  })
}) {}
