/** Usage of a team per month, and its remaining balance. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { field, maybe, numeric, open, success, typed } from "./Field.ts"

/** Tokens per credit. */
export const tokensPerCredit = 15

const wireFields = {
  startDate: field(Schema.String, "First day of the month (ISO 8601)."),
  endDate: maybe(Schema.String, "End of the month (ISO 8601); for the current month, its last millisecond."),
  apiKey: maybe(Schema.String, "Name of the API key; only with `byApiKey`.")
}

/** Usage of a calendar month (UTC). Services name the count `totalTokens` or `tokensUsed`: either is read, both are sent. */
export const UsagePeriod = Schema.transform(
  Schema.Struct({
    ...wireFields,
    totalTokens: Schema.optional(numeric),
    tokensUsed: Schema.optional(numeric)
  }).annotations(open),
  Schema.Struct({ ...wireFields, totalTokens: field(Schema.Number, "Tokens used.") }).annotations(open),
  {
    strict: true,
    decode: (period) => ({ ...period, totalTokens: period.totalTokens ?? period.tokensUsed ?? 0 }),
    encode: (period) => ({ ...period, tokensUsed: period.totalTokens })
  }
).annotations({ identifier: "UsagePeriod" })
export type UsagePeriod = Types.UsagePeriod

export const HistoricalQuery = Schema.Struct({
  byApiKey: Schema.optionalWith(Schema.BooleanFromString, { default: () => false }).annotations({
    description: "Break the usage down by API key (the key's name, never the secret). Default: false."
  })
})

export const HistoricalUsage = Schema.Struct({
  success,
  periods: field(Schema.Array(UsagePeriod), "Months, the oldest first.")
}).annotations({ identifier: "HistoricalUsage", ...open })

/** Like {@link HistoricalUsage}, in credits. */
export const HistoricalCredits = Schema.Struct({
  success,
  periods: field(
    Schema.Array(
      Schema.Struct({
        ...wireFields,
        totalCredits: maybe(numeric, "Credits used."),
        creditsUsed: maybe(numeric, "Credits used; some services use this name for the field.")
      }).annotations(open)
    ),
    "Months, the oldest first."
  )
}).annotations({ identifier: "HistoricalCredits", ...open })

const balance = {
  billingPeriodStart: maybe(Schema.String, "Start of the billing period (ISO 8601)."),
  billingPeriodEnd: maybe(Schema.String, "End of the billing period (ISO 8601).")
}

export const TokenBalance = Schema.Struct({
  success,
  data: field(
    Schema.Struct({
      remainingTokens: field(numeric, "Remaining tokens."),
      planTokens: maybe(numeric, "Tokens of the plan for the period."),
      ...balance
    }).annotations(open),
    "The balance."
  )
}).annotations({ identifier: "TokenBalance", ...open })

export const CreditBalance = Schema.Struct({
  success,
  data: field(
    Schema.Struct({
      remainingCredits: field(numeric, "Remaining credits."),
      planCredits: maybe(numeric, "Credits of the plan for the period."),
      ...balance
    }).annotations(open),
    "The balance."
  )
}).annotations({ identifier: "CreditBalance", ...open })

export const Concurrency = Schema.Struct({
  success,
  concurrency: field(numeric, "Number of running requests."),
  maxConcurrency: field(numeric, "Maximum number of requests at once.")
}).annotations({ identifier: "Concurrency", ...open })

export const QueueStatus = Schema.Struct({
  success,
  jobsInQueue: field(numeric, "Number of pages of jobs that are waiting or being fetched."),
  activeJobsInQueue: field(numeric, "Number of pages being fetched."),
  waitingJobsInQueue: field(numeric, "Number of waiting pages."),
  maxConcurrency: field(numeric, "Maximum number of pages that are fetched at once."),
  mostRecentSuccess: maybe(Schema.String, "Time when the newest completed job ended (ISO 8601)."),
  storage: Schema.optional(
    Schema.Struct({
      usedBytes: field(numeric, "Bytes in use."),
      maxBytes: field(numeric, "Storage limit, in bytes."),
      warning: maybe(Schema.String, "Present when little space is left.")
    }).annotations({ description: "Bytes stored on disk for the team. Only the local engine sends it." })
  )
}).annotations({ identifier: "QueueStatus", ...open })

const get = <const Name extends string, const Path extends HttpApiEndpoint.PathSegment>(name: Name, path: Path) =>
  HttpApiEndpoint.get(name, path).annotateContext(charges("lookup"))

type Path = HttpApiEndpoint.PathSegment

// Functions that make endpoints which are the same in v1 and v2.
const tokensByMonth = <const Name extends string>(name: Name, path: Path) =>
  get(name, path)
    .annotate(OpenApi.Summary, "Get the tokens used in each month")
    .setUrlParams(HistoricalQuery)
    .addSuccess(typed<Types.HistoricalUsage>()(HistoricalUsage))
const tokensLeft = <const Name extends string>(name: Name, path: Path) =>
  get(name, path)
    .annotate(OpenApi.Summary, "Get the remaining tokens")
    .addSuccess(typed<Types.TokenBalance>()(TokenBalance))
const creditsLeft = <const Name extends string>(name: Name, path: Path) =>
  get(name, path)
    .annotate(OpenApi.Summary, "Get the remaining credits")
    .addSuccess(typed<Types.CreditBalance>()(CreditBalance))
const creditsByMonth = <const Name extends string>(name: Name, path: Path) =>
  get(name, path)
    .annotate(OpenApi.Summary, "Get the credits used in each month")
    .setUrlParams(HistoricalQuery)
    .addSuccess(typed<Types.HistoricalCredits>()(HistoricalCredits))

/** Group of the API's `tokenUsage` endpoints. */
export class TokenUsageGroup extends HttpApiGroup.make("tokenUsage")
  .add(
    tokensByMonth("historical", "/v2/team/token-usage/historical").annotate(
      OpenApi.Description,
      "Tokens by month, all endpoints together; one credit is 15 tokens."
    )
  )
  .add(tokensByMonth("historicalV1", "/v1/team/token-usage/historical"))
  .add(tokensLeft("balance", "/v2/team/token-usage"))
  .add(tokensLeft("balanceV1", "/v1/team/token-usage"))
  .add(creditsLeft("credits", "/v2/team/credit-usage"))
  .add(creditsLeft("creditsV1", "/v1/team/credit-usage"))
  .add(creditsByMonth("historicalCredits", "/v2/team/credit-usage/historical"))
  .add(creditsByMonth("historicalCreditsV1", "/v1/team/credit-usage/historical"))
  .add(
    get("concurrency", "/v2/concurrency-check")
      .annotate(OpenApi.Summary, "Get the number of running requests and its limit")
      .addSuccess(typed<Types.Concurrency>()(Concurrency))
  )
  .add(
    get("queueStatus", "/v2/team/queue-status")
      .annotate(OpenApi.Summary, "Get the number of waiting and running pages")
      .addSuccess(typed<Types.QueueStatus>()(QueueStatus))
  )
  .add(
    get("queueStatusV1", "/v1/team/queue-status")
      .annotate(OpenApi.Summary, "Get the number of waiting and running pages")
      .addSuccess(typed<Types.QueueStatus>()(QueueStatus))
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Team usage") {}
