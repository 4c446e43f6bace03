/** Usage of the team per month, and its remaining balance. */
import * as Effect from "effect/Effect"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, type Versioned } from "./Calls.ts"

/** Options of a usage report. */
export interface UsageOptions extends Versioned {
  /** One entry per API key and month. Default: false. */
  readonly byApiKey?: boolean | undefined
}

/** Usage and balance of the team, in tokens and credits. One credit is 15 tokens. Errors: `ClientError`. */
export class TokenUsage extends Effect.Service<TokenUsage>()("sluice/Client/TokenUsage", {
  effect: Effect.gen(function* () {
    const api = yield* calls("tokenUsage")
    return {
      /** Tokens per calendar month (UTC), oldest first. The current month's `endDate` is its last instant; other services return null. */
      historical: Trace.fn("TokenUsage.historical")(({ version, byApiKey = false }: UsageOptions = {}) =>
        version === "v1" ? api.historicalV1({ urlParams: { byApiKey } }) : api.historical({ urlParams: { byApiKey } })
      ),
      /** Remaining tokens. */
      balance: Trace.fn("TokenUsage.balance")(({ version }: Versioned = {}) =>
        version === "v1" ? api.balanceV1() : api.balance()
      ),
      /** Remaining credits. */
      credits: Trace.fn("TokenUsage.credits")(({ version }: Versioned = {}) =>
        version === "v1" ? api.creditsV1() : api.credits()
      ),
      /** Like `historical`, in credits. v2 only. */
      historicalCredits: Trace.fn("TokenUsage.historicalCredits")(({ byApiKey = false }: { byApiKey?: boolean } = {}) =>
        api.historicalCredits({ urlParams: { byApiKey } })
      ),
      /** Number of running requests, and the limit. */
      concurrency: Trace.fn("TokenUsage.concurrency")(() => api.concurrency()),
      /** Number of waiting and running jobs. */
      queueStatus: Trace.fn("TokenUsage.queueStatus")(() => api.queueStatus())
    }
  })
}) {}
