/** What is left at a hosted service: asked for nothing, and answered soon or not at all. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../Client/Connection.ts"
import { backoff, isSafe, type Policy, RetryPolicy } from "../Client/Retry.ts"
import { TokenUsage } from "../Client/TokenUsage.ts"
import * as Client from "../Client.ts"
import { hostOf } from "../Pipeline/Requirements.ts"
import type { Hosted } from "../Settings/Engine.ts"
import { count } from "./Words.ts"

/** How long anybody wants to wait who asks what is wrong. */
const patience = Duration.seconds(15)

/** Who asks to be told later is told so to people. */
const policy: Policy = { schedule: backoff({ retries: 2, maxRetryAfter: "3 seconds" }), when: isSafe }

/** Nobody has said anything in time. */
export class Silent extends Data.TaggedError("Timeout")<{ readonly host: string }> {
  override get message() {
    return `${this.host} has not answered within ${Duration.format(patience)}. Check that the service runs and that SLUICE_BASE_URL is right`
  }
}

/** Credits that are left; where a service does not know that question, the tokens of this month. */
export const ask = (service: Hosted) =>
  Effect.gen(function* () {
    const usage = yield* TokenUsage
    const used = Effect.map(usage.historical(), ({ periods }) => {
      const tokens = periods.at(-1)?.totalTokens ?? 0
      return `${count(tokens, "token")} used this month (15 are a credit); the service does not say what is left`
    })
    return yield* Effect.catchTags(
      Effect.map(usage.credits(), ({ data }) => `${count(data.remainingCredits, "credit")} left`),
      {
        Forbidden: () => used,
        NotFound: () => used,
        NotImplemented: () => used,
        Refused: () => used,
        UnexpectedResponse: () => used
      }
    )
  }).pipe(
    Effect.provide(Layer.provide(Client.layer, Connection.layer(service))),
    Effect.provideService(RetryPolicy, policy),
    Effect.timeoutFail({ duration: patience, onTimeout: () => new Silent({ host: hostOf(service.baseUrl) }) })
  )
