/** The connected service: jobs, browser sessions, queue and storage, and its credits by API key next to those in the ledger. */

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

/** Time limit per request, including retries: a person waits for the page. */
const timeout = "10 seconds"
const policy: Policy = { schedule: backoff({ retries: 1, maxRetryAfter: "1 second" }), when: isSafe }

const maxListed = 500

const withPolicy = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, RetryPolicy, policy)

/** The response, or the reason why there is none. */
const inTime = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.mapError(({ message }) => message),
    Effect.timeoutFail({ duration: timeout, onTimeout: () => "the service did not answer in time" }),
    Effect.either
  )

const millis = (text: string | null | undefined): number | undefined => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}

/** Only http and https URLs, because the URL becomes a link. */
const webLink = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && /^https?:\/\//.test(text) && canParse(text) ? text : undefined

const whyOf = (answer: Either.Either<unknown, string>) => (Either.isLeft(answer) ? [answer.left] : [])

const storageOf = (storage: Schema.Schema.Type<typeof QueueStatus>["storage"]) =>
  storage === undefined
    ? undefined
    : { used: storage.usedBytes, limit: storage.maxBytes, warning: storage.warning ?? undefined }

export const activity = Effect.gen(function* () {
  const { service } = yield* Setup
  if (service === undefined) {
    return { url: null, why: notConnected, jobs: null, sessions: null, queue: null } satisfies EngineNow
  }
  const requests = Effect.gen(function* () {
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
  const { jobs, queue, sessions } = yield* Effect.provide(withPolicy(requests), service.clients)
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
          limit: queue.right.maxConcurrency
        }
      : null,
    storage: Either.isRight(queue) ? storageOf(queue.right.storage) : undefined
  } satisfies EngineNow
})

const maxMonths = 36
const defaultMonths = 12

/** Start times of the last `count` months, and of the next one. */
const monthsUpTo = (now: number, count: number): ReadonlyArray<number> => {
  const date = new Date(now)
  return Array.from({ length: count + 1 }, (_, index) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1 + index, 1)
  )
}

const nameOf = (month: number): string => new Date(month).toISOString().slice(0, 7)

/** Credits by month and API key; computed from tokens when the service does not report credits by month. */
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
    const queries = yield* Queries.ofLedger
    const { service } = yield* Setup
    const now = yield* Clock.currentTimeMillis
    const count = yield* query.number("months", { least: 1, most: maxMonths, otherwise: defaultMonths })
    const starts = monthsUpTo(now, count)
    const months = starts.slice(0, -1).map(nameOf)
    const spent = yield* queries.spending(starts)
    const pipelines = spent.map(({ credits, pipeline, range, unpriced }) => ({
      month: months[range] ?? "",
      name: pipeline,
      credits,
      unpriced
    }))
    const ofLedger = { months, pipelines }
    if (service === undefined) return { ...ofLedger, keys: null, why: notConnected } satisfies Usage
    const answers = Effect.all([inTime(byKey), inTime(remainingCredits)], { concurrency: 2 })
    const [keys, balance] = yield* Effect.provide(withPolicy(answers), service.clients)
    return {
      ...ofLedger,
      keys: keys._tag === "Right" ? keys.right.filter(({ month }) => months.includes(month)) : null,
      ...(keys._tag === "Right" ? {} : { why: keys.left }),
      ...(balance._tag === "Right" ? { remaining: balance.right } : {})
    } satisfies Usage
  }).pipe(Effect.withSpan("Dashboard.usage"))
