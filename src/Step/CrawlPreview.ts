/** `crawlPreview`: gets crawl parameters from a prompt, as a value. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PreviewRequest } from "../Api/CrawlPreview.ts"
import { CrawlPreview } from "../Client/CrawlPreview.ts"
import * as Step from "../Step.ts"
import { call } from "./Call.ts"
import * as Cost from "./Cost.ts"
import { oneRequest } from "./Estimate.ts"
import * as Need from "./Requirements.ts"

export const crawlPreview = Step.make({
  key: "crawlPreview",
  summary: "Turns a prompt into crawl parameters; other steps read them as ${{ steps.<id>.output }}.",
  example: "crawlPreview: { url: https://example.com, prompt: Only the API reference and no blog. }",
  config: Schema.Struct({ url: PreviewRequest.fields.url, prompt: PreviewRequest.fields.prompt }),
  needs: (fields) => [
    { ability: "model", path: ["prompt"], what: "a prompt", optional: true },
    ...Need.reaching("url")(fields)
  ],
  cost: () => Cost.one("crawlPreview"),
  service: { request: "POST /v2/crawl/params-preview", documented: true },
  estimate: oneRequest,
  behaviour: {
    kind: "value",
    get: (request, context) =>
      Effect.gen(function* () {
        const client = yield* CrawlPreview
        const { data, warning } = yield* call(client.run(request))
        if (warning) yield* Effect.logWarning(`${context.id}: ${warning}`)
        return data
      })
  }
})
