/** Group `tokenUsage`: what a team has used and may still use (spec 4.1). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { tokensPerCredit } from "../../Api/TokenUsage.ts"
import { Api } from "../../Api.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { Usage, type UsageMonth } from "./Usage.ts"

/**
 * The engine sells nothing: there is no plan, and nothing runs out. Clients expect a number, so a number that no
 * month will reach is sent, the same every time, and never lowered.
 */
const unmetered = 1_000_000_000

/** Pages that the engine fetches at once. */
export interface Capacity {
  readonly maxConcurrency: number
}

const orDie = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>) => Effect.orDie(effect)

/** The period's ends, and the key's name (never the secret) when asked for. */
const period = ({ startDate, endDate, keyName }: UsageMonth, ownKey: string | undefined) => ({
  startDate: startDate.toISOString(),
  endDate: endDate === undefined ? null : endDate.toISOString(),
  ...(ownKey === undefined ? {} : { apiKey: keyName ?? ownKey })
})

const months = (byApiKey: boolean) =>
  Effect.gen(function* () {
    const usage = yield* Usage
    const team = yield* Team
    const rows = yield* usage.months(team.id, byApiKey)
    return rows.map((row) => ({ ...period(row, byApiKey ? team.keyName : undefined), credits: row.credits }))
  }).pipe(orDie)

const tokens = (byApiKey: boolean) =>
  Effect.map(months(byApiKey), (rows) => ({
    success: true,
    periods: rows.map(({ credits, ...rest }) => ({ ...rest, totalTokens: credits * tokensPerCredit }))
  }))

const credits = (byApiKey: boolean) =>
  Effect.map(months(byApiKey), (rows) => ({
    success: true,
    periods: rows.map(({ credits, ...rest }) => ({ ...rest, totalCredits: credits, creditsUsed: credits }))
  }))

const noBilling = { billingPeriodStart: null, billingPeriodEnd: null }

const tokenBalance = {
  remainingTokens: unmetered * tokensPerCredit,
  planTokens: unmetered * tokensPerCredit,
  ...noBilling
}

const creditBalance = { remainingCredits: unmetered, planCredits: unmetered, ...noBilling }

/** The names that clients of version 1 read; the newer ones are sent beside them. */
const noBillingV1 = { billing_period_start: null, billing_period_end: null }

const tokenBalanceV1 = {
  ...tokenBalance,
  remaining_tokens: tokenBalance.remainingTokens,
  plan_tokens: tokenBalance.planTokens,
  ...noBillingV1
}

const creditBalanceV1 = {
  ...creditBalance,
  remaining_credits: creditBalance.remainingCredits,
  plan_credits: creditBalance.planCredits,
  ...noBillingV1
}

const sent = <A>(data: A) => Effect.succeed({ success: true, data })

const load = Effect.gen(function* () {
  const jobs = yield* Jobs
  const team = yield* Team
  return yield* jobs.load(team.id)
}).pipe(orDie)

const queue = (maxConcurrency: number) =>
  Effect.map(load, ({ active, waiting, mostRecentSuccess }) => ({
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency,
    mostRecentSuccess: mostRecentSuccess === undefined ? null : new Date(mostRecentSuccess).toISOString()
  }))

export const handlers = ({ maxConcurrency }: Capacity) =>
  HttpApiBuilder.group(Api, "tokenUsage", (group) =>
    group
      .handle("historical", ({ urlParams }) => tokens(urlParams.byApiKey))
      .handle("historicalV1", ({ urlParams }) => tokens(urlParams.byApiKey))
      .handle("balance", () => sent(tokenBalance))
      .handle("balanceV1", () => sent(tokenBalanceV1))
      .handle("credits", () => sent(creditBalance))
      .handle("creditsV1", () => sent(creditBalanceV1))
      .handle("historicalCredits", ({ urlParams }) => credits(urlParams.byApiKey))
      .handle("historicalCreditsV1", ({ urlParams }) => credits(urlParams.byApiKey))
      .handle("concurrency", () =>
        Effect.map(load, ({ active }) => ({
          success: true,
          concurrency: Math.min(active, maxConcurrency),
          maxConcurrency
        }))
      )
      .handle("queueStatus", () => queue(maxConcurrency))
      .handle("queueStatusV1", () => queue(maxConcurrency))
  )
