/** What the connected service reports: its jobs, browser sessions and queue, and the usage of its keys beside that of the ledger. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import { type QueueStatus, tokensPerCredit } from "../Api/TokenUsage.ts"
import { canParse } from "../Api/Url.ts"
import { ActiveCrawls } from "../Client/ActiveCrawls.ts"
import { Browser } from "../Client/Browser.ts"
import { backoff, isSafe, type Policy, RetryPolicy } from "../Client/Retry.ts"
import { TokenUsage } from "../Client/TokenUsage.ts"
import type { EngineNow, Usage } from "../Web/Dashboard/Protocol.ts"
import * as Queries from "./Queries.ts"
import type { Query } from "./Request.ts"
import { Setup } from "./Setup.ts"

export const notConnected = "No service connected. Start one with `sluice serve --ui`, or set SLUICE_BASE_URL."

/** How long anybody wants to wait who looks on. */
const timeout = "10 seconds"
const policy: Policy = { schedule: backoff({ retries: 1, maxRetryAfter: "1 second" }), when: isSafe }

/** Shown at most of each. */
const maxListed = 500

/** Asks a service, without much patience. */
export const ask = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, RetryPolicy, policy)

/** The answer, or why there is none. */
export const inTime = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.mapError(({ message }) => message),
    Effect.timeoutFail({ duration: timeout, onTimeout: () => "it has not answered in time" }),
    Effect.either
  )

const millis = (text: string | null | undefined): number | undefined => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}

/** A page may send its reader to pages alone. */
const webLink = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && /^https?:\/\//.test(text) && canParse(text) ? text : undefined

const whyOf = (answer: Either.Either<unknown, string>) => (Either.isLeft(answer) ? [answer.left] : [])

const storageOf = (storage: Schema.Schema.Type<typeof QueueStatus>["storage"]) =>
  storage === undefined
    ? undefined
    : { used: storage.usedBytes, most: storage.maxBytes, warning: storage.warning ?? undefined }

export const activity = Effect.gen(function* () {
  const { service } = yield* Setup
  if (service === undefined) {
    return { url: null, why: notConnected, jobs: null, sessions: null, queue: null } satisfies EngineNow
  }
  const questions = Effect.gen(function* () {
    const crawls = yield* ActiveCrawls
    const browser = yield* Browser
    const usage = yield* TokenUsage
    return yield* Effect.all(
      {
        jobs: inTime(crawls.list()),
        sessions: inTime(browser.list()),
        queue: inTime(usage.queueStatus())
      },
      { concurrency: 3 }
    )
  })
  const { jobs, queue, sessions } = yield* Effect.provide(ask(questions), service.clients)
  const why = [...whyOf(jobs), ...whyOf(sessions), ...whyOf(queue)][0]
  return {
    url: service.baseUrl,
    why,
    jobs: Either.isRight(jobs)
      ? jobs.right.crawls.slice(0, maxListed).map(({ created_at, id, url }) => ({
          id,
          url: url ?? undefined,
          createdAt: millis(created_at)
        }))
      : null,
    sessions: Either.isRight(sessions)
      ? sessions.right.sessions.slice(0, maxListed).map(({ expiresAt, id, interactiveLiveViewUrl, liveViewUrl }) => ({
          id,
          watchUrl: webLink(liveViewUrl),
          steerUrl: webLink(interactiveLiveViewUrl),
          expiresAt: millis(expiresAt)
        }))
      : null,
    queue: Either.isRight(queue)
      ? {
          active: queue.right.activeJobsInQueue,
          waiting: queue.right.waitingJobsInQueue,
          most: queue.right.maxConcurrency
        }
      : null,
    storage: Either.isRight(queue) ? storageOf(queue.right.storage) : undefined
  } satisfies EngineNow
})

const maxMonths = 36
const defaultMonths = 12

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

const remainingCredits = Effect.flatMap(TokenUsage, (usage) =>
  Effect.map(usage.credits(), ({ data }) => data.remainingCredits)
)

export const usage = (query: Query) =>
  Effect.gen(function* () {
    const survey = yield* Queries.survey
    const { service } = yield* Setup
    const now = yield* Clock.currentTimeMillis
    const count = yield* query.number("months", { least: 1, most: maxMonths, otherwise: defaultMonths })
    const starts = monthsUpTo(now, count)
    const months = starts.slice(0, -1).map(nameOf)
    const pipelines = yield* Effect.forEach(starts.slice(0, -1), (start, index) =>
      Effect.map(survey.spent(start, starts[index + 1] ?? now), (spent) =>
        spent.map(({ credits, pipeline, unpriced }) => ({ month: nameOf(start), name: pipeline, credits, unpriced }))
      )
    )
    const told = { months, pipelines: pipelines.flat() }
    if (service === undefined) return { ...told, keys: null, why: notConnected } satisfies Usage
    const answers = Effect.all([inTime(byKey), inTime(remainingCredits)], { concurrency: 2 })
    const [keys, balance] = yield* Effect.provide(ask(answers), service.clients)
    return {
      ...told,
      keys: keys._tag === "Right" ? keys.right.filter(({ month }) => months.includes(month)) : null,
      ...(keys._tag === "Right" ? {} : { why: keys.left }),
      ...(balance._tag === "Right" ? { left: balance.right } : {})
    } satisfies Usage
  }).pipe(Effect.withSpan("Dashboard.usage"))
