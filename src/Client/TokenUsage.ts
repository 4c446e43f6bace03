/** Usage of the team per month, and its remaining balance. */
import * as Effect from "effect/Effect"
import { calls, type Versioned } from "./Calls.ts"

/** Break the usage down by API key. */
export interface UsageOptions extends Versioned {
  readonly byApiKey?: boolean | undefined
}

/** Group `tokenUsage` of the contract. */
export class TokenUsage extends Effect.Service<TokenUsage>()("sluice/Client/TokenUsage", {
  effect: Effect.gen(function* () {
    const api = yield* calls("tokenUsage")
    return {
      /** Tokens by calendar month (UTC), oldest first; the present month's `endDate` is null. A credit is 15 tokens. */
      historical: Effect.fn("TokenUsage.historical")(({ version, byApiKey = false }: UsageOptions = {}) =>
        version === "v1" ? api.historicalV1({ urlParams: { byApiKey } }) : api.historical({ urlParams: { byApiKey } })
      ),
      /** Tokens left. */
      balance: Effect.fn("TokenUsage.balance")(({ version }: Versioned = {}) =>
        version === "v1" ? api.balanceV1() : api.balance()
      ),
      /** Credits left. */
      credits: Effect.fn("TokenUsage.credits")(({ version }: Versioned = {}) =>
        version === "v1" ? api.creditsV1() : api.credits()
      ),
      /** As `historical`, in credits; v2 only. */
      historicalCredits: Effect.fn("TokenUsage.historicalCredits")(
        ({ byApiKey = false }: { byApiKey?: boolean } = {}) => api.historicalCredits({ urlParams: { byApiKey } })
      ),
      /** Requests running now, and how many may. */
      concurrency: Effect.fn("TokenUsage.concurrency")(() => api.concurrency()),
      /** Jobs waiting and running. */
      queueStatus: Effect.fn("TokenUsage.queueStatus")(() => api.queueStatus())
    }
  })
}) {}
