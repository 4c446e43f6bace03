/** What the service is doing now: jobs, browser sessions with their live views, and how busy it is. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { QueueStatus } from "../Api/TokenUsage.ts"
import { canParse } from "../Api/Url.ts"
import { ActiveCrawls } from "../Client/ActiveCrawls.ts"
import { Browser } from "../Client/Browser.ts"
import { backoff, isSafe, type Policy, RetryPolicy } from "../Client/Retry.ts"
import { TokenUsage } from "../Client/TokenUsage.ts"
import type { EngineNow } from "../Web/Dashboard/Protocol/Engine.ts"
import { Setup } from "./Setup.ts"

export const unknown =
  "no service is known: begin with sluice serve --ui, or name one by SLUICE_BASE_URL and SLUICE_API_KEY"

/** How long anybody wants to wait who looks on. */
const patience = "10 seconds"
const policy: Policy = { schedule: backoff({ retries: 1, maxRetryAfter: "1 second" }), when: isSafe }

/** Shown at most of each. */
const most = 500

/** Asks a service, without much patience. */
export const ask = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, RetryPolicy, policy)

/** The answer, or why there is none. */
export const inTime = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.mapError(({ message }) => message),
    Effect.timeoutFail({ duration: patience, onTimeout: () => "it has not answered in time" }),
    Effect.either
  )

const millis = (text: string | null | undefined): number | undefined => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}

/** A page may send its reader to pages alone. */
const link = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && /^https?:\/\//.test(text) && canParse(text) ? text : undefined

const whyOf = (answer: Either.Either<unknown, string>) => (Either.isLeft(answer) ? [answer.left] : [])

const storageOf = (storage: Schema.Schema.Type<typeof QueueStatus>["storage"]) =>
  storage === undefined
    ? undefined
    : { used: storage.usedBytes, most: storage.maxBytes, warning: storage.warning ?? undefined }

export const read = Effect.gen(function* () {
  const { service } = yield* Setup
  if (service === undefined) {
    return { url: null, why: unknown, jobs: null, sessions: null, queue: null } satisfies EngineNow
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
      ? jobs.right.crawls.slice(0, most).map(({ created_at, id, url }) => ({
          id,
          url: url ?? undefined,
          createdAt: millis(created_at)
        }))
      : null,
    sessions: Either.isRight(sessions)
      ? sessions.right.sessions.slice(0, most).map(({ expiresAt, id, interactiveLiveViewUrl, liveViewUrl }) => ({
          id,
          watchUrl: link(liveViewUrl),
          steerUrl: link(interactiveLiveViewUrl),
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
