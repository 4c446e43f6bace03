/** `usage`: gives the team's tokens by month as rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TokenUsage } from "../Client/TokenUsage.ts"
import * as Step from "../Step.ts"
import { call } from "./Call.ts"
import { requestPerRead } from "./Estimate.ts"
import { countedBatches } from "./SavedState.ts"

export const usage = Step.make({
  key: "usage",
  summary: "Gives the team's token usage, one row for each month, or for each month and key.",
  example: "usage: { byApiKey: true }",
  config: Schema.Struct({
    byApiKey: Schema.optionalWith(Schema.Boolean, { default: () => false }).annotations({
      description: "One row for each month and API key, in place of one for each month."
    }),
    version: Schema.optionalWith(Schema.Literal("v1", "v2"), { default: () => "v2" as const }).annotations({
      description: "Version of the API."
    })
  }),
  service: { request: "GET /v2/team/token-usage/historical", documented: true },
  estimate: requestPerRead,
  behaviour: {
    kind: "source",
    read: ({ byApiKey, version }, context, begin) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const client = yield* TokenUsage
          const { periods } = yield* context.once({}, () => call(client.historical({ byApiKey, version })))
          const rows = periods.slice(0, context.wanted).map((period, position) => ({
            data: { ...period },
            key: `${period.startDate} ${period.apiKey ?? ""}`.trim(),
            position
          }))
          return countedBatches(begin, rows, rows.length)
        })
      )
  }
})
