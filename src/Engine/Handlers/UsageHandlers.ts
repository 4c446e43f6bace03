/** Handlers of group `tokenUsage`: report a team's used and remaining credits, its queue, and its storage. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { tokensPerCredit } from "../../Api/TokenUsage.ts"
import { Api } from "../../Api.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import { monthOf } from "../Usage/Quota.ts"
import { Usage, type UsageMonth } from "../Usage/Usage.ts"

/** Credits reported for a team without a quota. Clients expect a number; no team uses that many in a month. */
const unmetered = 1_000_000_000

export interface Capacity {
  /** Maximum pages that the engine fetches at once. */
  readonly maxConcurrency: number
}

/** A usage period with start and end; with `ownKey` also the name of the key, never its secret. */
const period = ({ startDate, endDate, keyName }: UsageMonth, ownKey: string | undefined) => ({
  startDate: startDate.toISOString(),
  endDate: endDate.toISOString(),
  ...(ownKey === undefined ? {} : { apiKey: keyName ?? ownKey })
})

const months = (byApiKey: boolean) =>
  Effect.gen(function* () {
    const usage = yield* Usage
    const team = yield* Team
    const rows = yield* usage.months(team.id, byApiKey)
    return rows.map((row) => ({ ...period(row, byApiKey ? team.keyName : undefined), credits: row.credits }))
  })

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

/** Credits of the team's quota, and how many are left this month (UTC). */
const balance = Effect.gen(function* () {
  const { quota } = yield* Usage
  const { id } = yield* Team
  const now = yield* Clock.currentTimeMillis
  const plan = quota.of(id)
  const [year = 0, month = 1] = monthOf(now).split("-").map(Number)
  const first = (months: number) =>
    plan === undefined ? null : new Date(Date.UTC(year, month - 1 + months, 1)).toISOString()
  return {
    plan: plan ?? unmetered,
    remaining: Math.max(0, (plan ?? unmetered) - quota.used(id, now)),
    start: first(0),
    end: first(1)
  }
})

const tokenBalance = Effect.map(balance, ({ end, plan, remaining, start }) => ({
  remainingTokens: remaining * tokensPerCredit,
  planTokens: plan * tokensPerCredit,
  billingPeriodStart: start,
  billingPeriodEnd: end
}))

const creditBalance = Effect.map(balance, ({ end, plan, remaining, start }) => ({
  remainingCredits: remaining,
  planCredits: plan,
  billingPeriodStart: start,
  billingPeriodEnd: end
}))

/** Adds the field names that v1 clients read. */
const tokenBalanceV1 = Effect.map(tokenBalance, (data) => ({
  ...data,
  remaining_tokens: data.remainingTokens,
  plan_tokens: data.planTokens,
  billing_period_start: data.billingPeriodStart,
  billing_period_end: data.billingPeriodEnd
}))

const creditBalanceV1 = Effect.map(creditBalance, (data) => ({
  ...data,
  remaining_credits: data.remainingCredits,
  plan_credits: data.planCredits,
  billing_period_start: data.billingPeriodStart,
  billing_period_end: data.billingPeriodEnd
}))

const sent = <A, R>(data: Effect.Effect<A, never, R>) => Effect.map(data, (data) => ({ success: true, data }))

const load = Effect.gen(function* () {
  const jobs = yield* Jobs
  const team = yield* Team
  return yield* jobs.load(team.id)
})

/** Reports the team's storage, with a warning if it or the disk is nearly full. */
const storage = Effect.gen(function* () {
  const { id } = yield* Team
  const kept = yield* Storage.usageReport(yield* Sql, id, yield* Storage.StorageLimits)
  const space = yield* yield* Storage.FreeSpace
  const warning = kept.warning ?? (space === undefined ? undefined : Storage.lowDisk(space))
  return warning === undefined ? kept : { ...kept, warning }
})

const queue = (maxConcurrency: number) =>
  Effect.zipWith(load, storage, ({ active, waiting, mostRecentSuccess }, storage) => ({
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency,
    mostRecentSuccess: mostRecentSuccess === undefined ? null : new Date(mostRecentSuccess).toISOString(),
    storage
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
