/** Usage by month: what runs have spent, as the ledger has it, and what the service says of each key. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { tokensPerCredit } from "../Api/TokenUsage.ts"
import { TokenUsage } from "../Client/TokenUsage.ts"
import type { Usage } from "../Web/Dashboard/Protocol/Usage.ts"
import { ask, inTime, unknown } from "./EngineNow.ts"
import * as Queries from "./Queries.ts"
import type { Query } from "./Refusal.ts"
import { Setup } from "./Setup.ts"

const most = 36
const otherwise = 12

/** The first instants of the months up to that of an instant, and of the one behind it. */
const monthsUpTo = (now: number, count: number): ReadonlyArray<number> => {
  const date = new Date(now)
  return Array.from({ length: count + 1 }, (_, index) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1 + index, 1)
  )
}

const nameOf = (month: number): string => new Date(month).toISOString().slice(0, 7)

/** By month and key; where a service does not count credits by the month, its tokens are told as credits. */
const byKey = Effect.gen(function* () {
  const usage = yield* TokenUsage
  const credits = usage.historicalCredits({ byApiKey: true }).pipe(
    Effect.map(({ periods }) =>
      periods.map(({ apiKey, creditsUsed, startDate, totalCredits }) => ({
        month: startDate.slice(0, 7),
        name: apiKey ?? "",
        credits: totalCredits ?? creditsUsed ?? 0
      }))
    )
  )
  const tokens = Effect.map(usage.historical({ byApiKey: true }), ({ periods }) =>
    periods.map(({ apiKey, startDate, totalTokens }) => ({
      month: startDate.slice(0, 7),
      name: apiKey ?? "",
      credits: totalTokens / tokensPerCredit
    }))
  )
  return yield* Effect.orElse(credits, () => tokens)
})

const left = Effect.flatMap(TokenUsage, (usage) => Effect.map(usage.credits(), ({ data }) => data.remainingCredits))

export const read = (query: Query) =>
  Effect.gen(function* () {
    const survey = yield* Queries.survey
    const { service } = yield* Setup
    const now = yield* Clock.currentTimeMillis
    const count = yield* query.number("months", { least: 1, most, otherwise })
    const starts = monthsUpTo(now, count)
    const months = starts.slice(0, -1).map(nameOf)
    const pipelines = yield* Effect.forEach(starts.slice(0, -1), (start, index) =>
      Effect.map(survey.spent(start, starts[index + 1] ?? now), (spent) =>
        spent.map(({ credits, pipeline, unpriced }) => ({ month: nameOf(start), name: pipeline, credits, unpriced }))
      )
    )
    const told = { months, pipelines: pipelines.flat() }
    if (service === undefined) return { ...told, keys: null, why: unknown } satisfies Usage
    const answers = Effect.all([inTime(byKey), inTime(left)], { concurrency: 2 })
    const [keys, balance] = yield* Effect.provide(ask(answers), service.clients)
    return {
      ...told,
      keys: keys._tag === "Right" ? keys.right.filter(({ month }) => months.includes(month)) : null,
      ...(keys._tag === "Right" ? {} : { why: keys.left }),
      ...(balance._tag === "Right" ? { left: balance.right } : {})
    } satisfies Usage
  }).pipe(Effect.withSpan("Dashboard.usage"))
