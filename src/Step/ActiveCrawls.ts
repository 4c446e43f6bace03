/** `activeCrawls`: gives the team's running crawls as rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ActiveCrawls } from "../Client/ActiveCrawls.ts"
import * as Step from "../Step.ts"
import { call } from "./Call.ts"
import { requestPerRead } from "./Estimate.ts"
import { countedBatches } from "./SavedState.ts"

export const activeCrawls = Step.make({
  key: "activeCrawls",
  summary: "Gives the crawls that are running now.",
  example: "activeCrawls: {}",
  config: Schema.Struct({
    version: Schema.optionalWith(Schema.Literal("v1", "v2"), { default: () => "v2" as const }).annotations({
      description: "Version of the API."
    })
  }),
  service: { request: "GET /v2/crawl/active", documented: true },
  estimate: requestPerRead,
  behaviour: {
    kind: "source",
    read: ({ version }, context, begin) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const client = yield* ActiveCrawls
          const { crawls } = yield* context.once({}, () => call(client.list({ version })))
          const wanted = crawls.slice(0, context.wanted)
          const rows = wanted.map((crawl, position) => ({ data: { ...crawl }, key: crawl.id, position }))
          return countedBatches(begin, rows, rows.length)
        })
      )
  }
})
