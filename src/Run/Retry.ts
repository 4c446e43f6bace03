/** The `retry` of a step, which replaces the client's default policy: for calls to the service, and for failed pages. */
import * as Services from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { ClientError } from "../Client/ClientErrors.ts"
import {
  backoff,
  backoffDelays,
  type CircuitBreaker,
  isSafe,
  isUnreachable,
  outage,
  type Policy,
  RetryPolicy,
  standard,
  standardCircuitBreaker,
  standardRetryBudget
} from "../Client/Retry.ts"
import { type AttemptLog, Attempts } from "../Client/RetryLoop.ts"
import { isPassing } from "../Client/Target.ts"
import { type Common, includesStatus, type RetryCause } from "../Pipeline/Definition.ts"
import type { Context, PageOutcome } from "../Step.ts"

type Retry = NonNullable<Common["retry"]>

const statuses: Readonly<Record<string, number>> = {
  InvalidRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  JobNotFound: 404,
  JobExpired: 404,
  Timeout: 408,
  Conflict: 409,
  Gone: 410,
  TooLarge: 413,
  UnsupportedFile: 415,
  Unprocessable: 422,
  RateLimited: 429,
  NotImplemented: 501,
  InsufficientStorage: 507
}

const statusOf = (error: ClientError): number | undefined => ("status" in error ? error.status : statuses[error._tag])

const matchesStatus = (status: number | undefined, cause: Exclude<RetryCause, "timeout" | "network">): boolean =>
  status !== undefined && includesStatus([cause === "429" ? 429 : cause], status)

const matches = (error: ClientError, cause: RetryCause): boolean => {
  switch (cause) {
    case "timeout":
      return error._tag === "Timeout"
    case "network":
      return error._tag === "NetworkError" ? error.retryable : isPassing(error)
    default:
      return matchesStatus(statusOf(error), cause)
  }
}

const matchesPage = ({ fault, status }: PageOutcome, cause: RetryCause): boolean =>
  cause === "timeout" || cause === "network" ? fault === cause : matchesStatus(status, cause)

/** Seconds: if a site asks for a longer wait, the page is not retried. */
const maxSiteWait = 120

/** Default of `times`: number of retries per row. */
const defaultTimes = 5

const breakerOf = (given: Exclude<NonNullable<Retry["circuitBreaker"]>, false>): CircuitBreaker => {
  const { failureThreshold, giveUpAfter, giveUpFirstAfter = giveUpAfter, resetTimeout } = standardCircuitBreaker
  return {
    failureThreshold: given.failureThreshold ?? failureThreshold,
    resetTimeout: given.resetTimeout ?? resetTimeout,
    giveUpAfter: given.giveUpAfter ?? giveUpAfter,
    giveUpFirstAfter: Duration.min(given.giveUpAfter ?? giveUpAfter, giveUpFirstAfter)
  }
}

type Limits = Pick<Policy, "retryBudget" | "circuitBreaker">

const known = new WeakMap<Retry, Limits>()

/** Retry budget and circuit breaker of a step. Cached, because all calls with the same object share one state. */
const limitsOf = (retry: Retry): Limits => {
  const before = known.get(retry)
  if (before !== undefined) return before
  const { circuitBreaker, retryBudget } = retry
  const limits: Limits = {
    retryBudget:
      retryBudget === undefined
        ? standard.retryBudget
        : retryBudget === false
          ? undefined
          : {
              ratio:
                retryBudget.ratio === undefined
                  ? standardRetryBudget.ratio
                  : Number.parseFloat(retryBudget.ratio) / 100,
              minimum: retryBudget.minimum ?? standardRetryBudget.minimum
            },
    circuitBreaker:
      circuitBreaker === undefined
        ? standard.circuitBreaker
        : circuitBreaker === false
          ? undefined
          : breakerOf(circuitBreaker)
  }
  known.set(retry, limits)
  return limits
}

/**
 * Retry policy of one row. A cause listed in `on` retries a read, even if it may be paid for twice; a call that starts
 * something is retried only if that is safe. `times` applies to the whole row: retries of its pages count, too.
 */
const policyOf = (retry: Retry, log: AttemptLog | undefined): Policy => {
  const { on, times } = retry
  const maxRetries = times ?? defaultTimes
  return {
    ...limitsOf(retry),
    schedule: backoff({ retries: maxRetries }),
    when: (error, call) =>
      // For polls, only the schedule limits retries: a long job must not use up the retries of its row.
      (log === undefined || call.method === "GET" || log.made <= maxRetries) &&
      (on === undefined
        ? isSafe(error, call)
        : on.some((cause) => matches(error, cause)) && (call.repeatable !== "unsent" || isSafe(error, call))),
    // Reading the pages of a job is free, and giving up would lose pages already paid for.
    outage:
      times === undefined && on === undefined
        ? outage
        : { ...outage, when: (error, call) => call.method === "GET" && isUnreachable(error) }
  }
}

/** Services for the calls of a step: its retry policy, and the row's log of attempts. */
const servicesOf = (retry: Retry | undefined, log: AttemptLog | undefined): Services.Context<never> => {
  const counted = log === undefined ? Services.empty() : Services.make(Attempts, log)
  return retry === undefined ? counted : Services.merge(counted, Services.make(RetryPolicy, policyOf(retry, log)))
}

export const withRetry = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  retry: Retry | undefined,
  log?: AttemptLog
): Effect.Effect<A, E, R> => Effect.provide(effect, servicesOf(retry, log))

export const withRetryStream = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  retry: Retry | undefined,
  log?: AttemptLog
): Stream.Stream<A, E, R> =>
  retry === undefined && log === undefined ? stream : Stream.provideSomeContext(stream, servicesOf(retry, log))

/** Makes {@link Context.retryPage} for one row. */
export const pageRetry = (retry: Retry | undefined, log: AttemptLog): Effect.Effect<Context["retryPage"]> => {
  const { on, times = defaultTimes } = retry ?? {}
  if (on === undefined || times === 0) return Effect.succeed(() => Effect.succeed(false))
  return Effect.map(
    Schedule.driver(backoffDelays(times)),
    (waits): Context["retryPage"] =>
      (outcome) =>
        log.made <= times && on.some((cause) => matchesPage(outcome, cause)) && (outcome.retryAfter ?? 0) <= maxSiteWait
          ? Effect.match(
              // Wait in addition to the delay, so that many pages of a site are not retried at the same moment.
              Effect.zipRight(Effect.sleep(Duration.seconds(outcome.retryAfter ?? 0)), waits.next(undefined)),
              { onFailure: () => false, onSuccess: () => true }
            )
          : Effect.succeed(false)
  )
}
