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
export const unmetered = 1_000_000_000

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

const tokenBalance = Effect.succeed({
  success: true,
  data: { remainingTokens: unmetered * tokensPerCredit, planTokens: unmetered * tokensPerCredit, ...noBilling }
})

const creditBalance = Effect.succeed({
  success: true,
  data: { remainingCredits: unmetered, planCredits: unmetered, ...noBilling }
})

const load = Effect.gen(function* () {
  const jobs = yield* Jobs
  const team = yield* Team
  return yield* jobs.load(team.id)
}).pipe(orDie)

export const handlers = ({ maxConcurrency }: Capacity) =>
  HttpApiBuilder.group(Api, "tokenUsage", (group) =>
    group
      .handle("historical", ({ urlParams }) => tokens(urlParams.byApiKey))
      .handle("historicalV1", ({ urlParams }) => tokens(urlParams.byApiKey))
      .handle("balance", () => tokenBalance)
      .handle("balanceV1", () => tokenBalance)
      .handle("credits", () => creditBalance)
      .handle("creditsV1", () => creditBalance)
      .handle("historicalCredits", ({ urlParams }) => credits(urlParams.byApiKey))
      .handle("concurrency", () =>
        Effect.map(load, ({ active }) => ({
          success: true,
          concurrency: Math.min(active, maxConcurrency),
          maxConcurrency
        }))
      )
      .handle("queueStatus", () =>
        Effect.map(load, ({ active, waiting, mostRecentSuccess }) => ({
          success: true,
          jobsInQueue: active + waiting,
          activeJobsInQueue: active,
          waitingJobsInQueue: waiting,
          maxConcurrency,
          mostRecentSuccess: mostRecentSuccess === undefined ? null : new Date(mostRecentSuccess).toISOString()
        }))
      )
  )
