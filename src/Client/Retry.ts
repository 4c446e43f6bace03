/** Retry policies of the client: which failed calls are repeated, when, and for how long. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import type { ClientError } from "./ClientErrors.ts"
import * as RetryBudget from "./RetryBudget.ts"

export { type CircuitBreaker, standard as standardCircuitBreaker } from "./CircuitBreaker.ts"
export { type RetryBudget, standard as standardRetryBudget } from "./RetryBudget.ts"

/**
 * Conditions for repeating a failed call:
 * - `always`: the call changes nothing, or carries an idempotency key.
 * - `refused`: the call costs credits, so it is only repeated after a 429, or if it was never sent.
 * - `unsent`: the call starts something, so it is only repeated if no byte reached the service.
 */
export type Repeatable = "always" | "refused" | "unsent"

/** The failed call, as seen by a retry policy. */
export interface AttemptedCall {
  readonly method: string
  readonly repeatable: Repeatable
}

/** Decides when failed calls are repeated. */
export interface Policy {
  /** Delays between attempts, and when to stop. Its input is the error, so it can respect `retryAfter`. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  /** True when this call may be repeated after this error. */
  readonly when: (error: ClientError, call: AttemptedCall) => boolean
  /** Behaviour while a service that has answered before is unreachable. Default: as after any other failure. */
  readonly outage?: Outage | undefined
  /** Share of calls that may be retries. Default: no limit beyond `schedule`. */
  readonly retryBudget?: RetryBudget.RetryBudget | undefined
  /** When calls to a failing service are held back. Default: never. */
  readonly circuitBreaker?: CircuitBreaker.CircuitBreaker | undefined
}

/** Behaviour while a service that has answered before is unreachable. */
export interface Outage {
  /** Delays between rounds, each with all attempts of {@link Policy.schedule}, and when to stop. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  /** True when this error means an outage, and this call may wait for its end. */
  readonly when: (error: ClientError, call: AttemptedCall) => boolean
}

/** Standard value of {@link Policy.when}: the error is retryable, and the call may be repeated after it. */
export const isSafe = (error: ClientError, { repeatable }: AttemptedCall): boolean => {
  if (!error.retryable) return false
  if (repeatable === "always") return true
  if (error._tag === "NetworkError") return !error.sent
  return repeatable === "refused" && error._tag === "RateLimited"
}

/** Wait requested by the service in `Retry-After`; zero if there is none. */
export const retryAfter = (error: ClientError): Duration.Duration =>
  (error._tag === "RateLimited" || error._tag === "ServiceError" ? error.retryAfter : undefined) ?? Duration.zero

/** Maximum wait that a service may request of the current call before a retry: a setting, 2 minutes by default. */
export class MaxRetryAfter extends Context.Reference<MaxRetryAfter>()("sluice/Client/MaxRetryAfter", {
  defaultValue: () => Duration.minutes(2)
}) {}

/**
 * Exponential with full jitter: the n-th delay is random between zero and `base * 2^n`, at most `cap`.
 *
 * A `Retry-After` of the service is added to the delay, so that many clients do not come back at once. If it exceeds `maxRetryAfter`, the
 * call fails with the error instead. Defaults: 500 ms, 20 seconds, 5 retries, {@link MaxRetryAfter}.
 */
export const backoff = (options?: {
  readonly base?: Duration.DurationInput
  readonly cap?: Duration.DurationInput
  readonly retries?: number
  readonly maxRetryAfter?: Duration.DurationInput
}): Schedule.Schedule<unknown, ClientError> => {
  const { base = "500 millis", cap = "20 seconds", retries = 5, maxRetryAfter } = options ?? {}
  return jittered(base, cap).pipe(
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.sum(delay, retryAfter(error))),
    Schedule.whileInputEffect((error: ClientError) =>
      Effect.map(MaxRetryAfter, (most) => Duration.lessThanOrEqualTo(retryAfter(error), maxRetryAfter ?? most))
    ),
    Schedule.intersect(Schedule.recurs(retries))
  )
}

const jittered = (base: Duration.DurationInput, cap: Duration.DurationInput) =>
  Schedule.exponential(base).pipe(
    Schedule.modifyDelay((_, delay) => Duration.min(delay, cap)),
    Schedule.jitteredWith({ min: 0, max: 1 })
  )

/** The delays of {@link backoff} for failures without a `Retry-After`. */
export const backoffDelays = (retries: number): Schedule.Schedule<unknown> =>
  Schedule.intersect(jittered("500 millis", "20 seconds"), Schedule.recurs(retries))

/** Maximum wait of the standard policy for an unreachable service. */
export const outageTimeout = Duration.minutes(5)

/** True if the service itself did not answer: no connection, or a proxy in front of it cannot reach it. */
export const isUnreachable = (error: ClientError): boolean =>
  error._tag === "NetworkError"
    ? error.retryable
    : error._tag === "ServiceError" &&
      error.gateway === true &&
      Duration.lessThanOrEqualTo(retryAfter(error), outageTimeout)

/**
 * Every few seconds for five minutes: long enough for a router, a proxy or a release of the service to restart. Respects a proxy's longer
 * `Retry-After`.
 */
export const outage: Outage = {
  schedule: Schedule.spaced("5 seconds").pipe(
    Schedule.jitteredWith({ min: 0.5, max: 1 }),
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.max(delay, retryAfter(error))),
    Schedule.upTo(outageTimeout)
  ),
  when: (error, call) => isUnreachable(error) && isSafe(error, call)
}

/** A number of retries with {@link backoff}, for calls that {@link isSafe} allows. */
export const limited = (retries: number): Policy => ({ schedule: backoff({ retries }), when: isSafe })

/**
 * The default: five retries per call, and at most one retry per ten calls. Waits up to five minutes for an unreachable service that
 * answered before. After ten consecutive failures, sends one call at a time until the service answers again.
 */
export const standard: Policy = {
  ...limited(5),
  outage,
  retryBudget: RetryBudget.standard,
  circuitBreaker: CircuitBreaker.standard
}

/** No retries. */
export const never: Policy = { schedule: Schedule.stop, when: () => false }

/**
 * Current retry policy: a setting, `standard` by default. Provide it where the connection is built, for all calls, or around one call:
 * `search.run(request).pipe(Effect.provideService(RetryPolicy, Retry.never))`.
 */
export class RetryPolicy extends Context.Reference<RetryPolicy>()("sluice/Client/RetryPolicy", {
  defaultValue: () => standard
}) {}
