/** Usage of a team per month, and its remaining balance. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Auth } from "./Auth.ts"
import { maybe, numeric, open } from "./Field.ts"

/** Tokens per credit. */
export const tokensPerCredit = 15

const wireFields = {
  startDate: Schema.String,
  endDate: maybe(Schema.String),
  apiKey: maybe(Schema.String)
}

/** Usage of a calendar month (UTC). Services name the count `totalTokens` or `tokensUsed`: either is read, both are sent. */
export const UsagePeriod = Schema.transform(
  Schema.Struct({
    ...wireFields,
    totalTokens: Schema.optional(numeric),
    tokensUsed: Schema.optional(numeric)
  }).annotations(open),
  Schema.Struct({ ...wireFields, totalTokens: Schema.Number }).annotations(open),
  {
    strict: true,
    decode: (period) => ({ ...period, totalTokens: period.totalTokens ?? period.tokensUsed ?? 0 }),
    encode: (period) => ({ ...period, tokensUsed: period.totalTokens })
  }
).annotations({ identifier: "UsagePeriod" })
export type UsagePeriod = typeof UsagePeriod.Type

export const HistoricalQuery = Schema.Struct({
  byApiKey: Schema.optionalWith(Schema.BooleanFromString, { default: () => false }).annotations({
    description: "Break the usage down by API key (the key's name, never the secret). Default: false."
  })
})

export const HistoricalUsage = Schema.Struct({
  success: Schema.Boolean,
  periods: Schema.Array(UsagePeriod)
}).annotations({ identifier: "HistoricalUsage", ...open })

/** Like {@link HistoricalUsage}, in credits. */
export const HistoricalCredits = Schema.Struct({
  success: Schema.Boolean,
  periods: Schema.Array(
    Schema.Struct({ ...wireFields, totalCredits: maybe(numeric), creditsUsed: maybe(numeric) }).annotations(open)
  )
}).annotations({ identifier: "HistoricalCredits", ...open })

const balance = {
  billingPeriodStart: maybe(Schema.String),
  billingPeriodEnd: maybe(Schema.String)
}

export const TokenBalance = Schema.Struct({
  success: Schema.Boolean,
  data: Schema.Struct({
    remainingTokens: numeric,
    planTokens: maybe(numeric),
    ...balance
  }).annotations(open)
}).annotations({ identifier: "TokenBalance", ...open })

export const CreditBalance = Schema.Struct({
  success: Schema.Boolean,
  data: Schema.Struct({
    remainingCredits: numeric,
    planCredits: maybe(numeric),
    ...balance
  }).annotations(open)
}).annotations({ identifier: "CreditBalance", ...open })

export const Concurrency = Schema.Struct({
  success: Schema.Boolean,
  concurrency: numeric,
  maxConcurrency: numeric
}).annotations({ identifier: "Concurrency", ...open })

export const QueueStatus = Schema.Struct({
  success: Schema.Boolean,
  jobsInQueue: numeric,
  activeJobsInQueue: numeric,
  waitingJobsInQueue: numeric,
  maxConcurrency: numeric,
  mostRecentSuccess: maybe(Schema.String),
  storage: Schema.optional(
    Schema.Struct({
      usedBytes: numeric,
      maxBytes: numeric,
      warning: maybe(Schema.String)
    }).annotations({ description: "Bytes that are kept on disk for the team, as the local engine says it." })
  )
}).annotations({ identifier: "QueueStatus", ...open })

const get = <const Name extends string, const Path extends HttpApiEndpoint.PathSegment>(name: Name, path: Path) =>
  HttpApiEndpoint.get(name, path)

/** Group `tokenUsage`. */
export class TokenUsageGroup extends HttpApiGroup.make("tokenUsage")
  .add(
    get("historical", "/v2/team/token-usage/historical")
      .annotate(OpenApi.Summary, "Tokens used, month by month")
      .setUrlParams(HistoricalQuery)
      .addSuccess(HistoricalUsage)
      .annotate(OpenApi.Description, "Tokens by month, all endpoints together; one credit is 15 tokens.")
  )
  .add(
    get("historicalV1", "/v1/team/token-usage/historical")
      .annotate(OpenApi.Summary, "Tokens used, month by month")
      .setUrlParams(HistoricalQuery)
      .addSuccess(HistoricalUsage)
  )
  .add(get("balance", "/v2/team/token-usage").annotate(OpenApi.Summary, "Tokens left").addSuccess(TokenBalance))
  .add(get("balanceV1", "/v1/team/token-usage").annotate(OpenApi.Summary, "Tokens left").addSuccess(TokenBalance))
  .add(get("credits", "/v2/team/credit-usage").annotate(OpenApi.Summary, "Credits left").addSuccess(CreditBalance))
  .add(get("creditsV1", "/v1/team/credit-usage").annotate(OpenApi.Summary, "Credits left").addSuccess(CreditBalance))
  .add(
    get("historicalCredits", "/v2/team/credit-usage/historical")
      .annotate(OpenApi.Summary, "Credits used, month by month")
      .setUrlParams(HistoricalQuery)
      .addSuccess(HistoricalCredits)
  )
  .add(
    get("historicalCreditsV1", "/v1/team/credit-usage/historical")
      .annotate(OpenApi.Summary, "Credits used, month by month")
      .setUrlParams(HistoricalQuery)
      .addSuccess(HistoricalCredits)
  )
  .add(
    get("concurrency", "/v2/concurrency-check")
      .annotate(OpenApi.Summary, "Requests that run, and how many may")
      .addSuccess(Concurrency)
  )
  .add(
    get("queueStatus", "/v2/team/queue-status")
      .annotate(OpenApi.Summary, "Jobs that wait and run")
      .addSuccess(QueueStatus)
  )
  .add(
    get("queueStatusV1", "/v1/team/queue-status")
      .annotate(OpenApi.Summary, "Jobs that wait and run")
      .addSuccess(QueueStatus)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Team usage") {}
