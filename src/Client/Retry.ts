/** Retry policy for failed calls; users can replace it. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import type { ClientError } from "./ClientErrors.ts"
import * as Metrics from "./Metrics.ts"
import * as RetryBudget from "./RetryBudget.ts"

export { type CircuitBreaker, standard as standardCircuitBreaker } from "./CircuitBreaker.ts"
export { type RetryBudget, standard as standardRetryBudget } from "./RetryBudget.ts"

/**
 * Safety of repeating a call:
 * `always` — it changes nothing, or carries an idempotency key;
 * `refused` — it costs credits, so only when it was refused (429) or never sent;
 * `unsent` — it starts something, so only when no byte reached the service.
 */
export type Repeatable = "always" | "refused" | "unsent"

/** Input of a retry policy besides the error. */
export interface Attempted {
  readonly method: string
  readonly repeatable: Repeatable
}

/** When a call is made again, and what for. */
export interface Policy {
  /** When to try again and when to stop; its input is the error, so it can honour `retryAfter`. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  /** True when this call may be repeated after this failure. */
  readonly when: (error: ClientError, call: Attempted) => boolean
  /** Longest wait for a service that has answered before and is now unreachable. Default: the same as for other failures. */
  readonly outage?: Outage | undefined
  /** Share of calls that may be retries. Default: no limit beyond `schedule`. */
  readonly retryBudget?: RetryBudget.RetryBudget | undefined
  /** When calls stop being sent to a service that fails; without it, never. */
  readonly circuitBreaker?: CircuitBreaker.CircuitBreaker | undefined
}

/**
 * The live budgets and circuit breakers of a run, or of a connection: calls under the same value of a policy share one.
 * Belongs to its creator's scope.
 */
export interface RetryState {
  readonly budget: (settings: RetryBudget.RetryBudget) => RetryBudget.BudgetState
  readonly breaker: (
    settings: CircuitBreaker.CircuitBreaker,
    service: CircuitBreaker.Service
  ) => CircuitBreaker.BreakerState
}

/** A state in which nothing has failed yet. */
export const makeState = (): RetryState => {
  const budgets = new Map<RetryBudget.RetryBudget, RetryBudget.BudgetState>()
  const breakers = new Map<CircuitBreaker.CircuitBreaker, Map<string, CircuitBreaker.BreakerState>>()
  return {
    budget: (settings) => {
      const known = budgets.get(settings) ?? RetryBudget.make(settings)
      budgets.set(settings, known)
      return known
    },
    breaker: (settings, service) => {
      const services = breakers.get(settings) ?? new Map<string, CircuitBreaker.BreakerState>()
      breakers.set(settings, services)
      const known = services.get(service.service) ?? CircuitBreaker.make(settings, service)
      services.set(service.service, known)
      return known
    }
  }
}

/** The state that calls share; a run provides its own, else it is the connection's. */
export class RetryScope extends Context.Reference<RetryScope>()("sluice/Client/RetryScope", {
  defaultValue: (): RetryState | undefined => undefined
}) {}

/** Behaviour while a service that has answered before is unreachable. */
export interface Outage {
  /** When to try again, with all tries of {@link Policy.schedule}, and when to give up. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  readonly when: (error: ClientError, call: Attempted) => boolean
}

/** The standard rule of {@link Policy.when}: the error's own word, as far as the call allows. */
export const isSafe = (error: ClientError, { repeatable }: Attempted): boolean => {
  if (!error.retryable) return false
  if (repeatable === "always") return true
  if (error._tag === "NetworkError") return !error.sent
  return repeatable === "refused" && error._tag === "RateLimited"
}

/**
 * Exponential with full jitter: the n-th wait is anything between nothing and `base * 2^n`, at most `cap`. A service that
 * says when to come back is believed, with the jitter on top, so that many clients don't come back at once; if it asks for
 * more than `patience`, the error is handed on instead.
 */
export const backoff = (options?: {
  readonly base?: Duration.DurationInput
  readonly cap?: Duration.DurationInput
  readonly retries?: number
  readonly patience?: Duration.DurationInput
}): Schedule.Schedule<unknown, ClientError> => {
  const { base = "500 millis", cap = "20 seconds", retries = 5, patience = "2 minutes" } = options ?? {}
  return jittered(base, cap).pipe(
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.sum(delay, retryAfter(error))),
    Schedule.whileInput((error: ClientError) => Duration.lessThanOrEqualTo(retryAfter(error), patience)),
    Schedule.intersect(Schedule.recurs(retries))
  )
}

const jittered = (base: Duration.DurationInput, cap: Duration.DurationInput) =>
  Schedule.exponential(base).pipe(
    Schedule.modifyDelay((_, delay) => Duration.min(delay, cap)),
    Schedule.jitteredWith({ min: 0, max: 1 })
  )

/** The waits of {@link backoff} where no error says when to come back. */
export const pauses = (retries: number): Schedule.Schedule<unknown> =>
  Schedule.intersect(jittered("500 millis", "20 seconds"), Schedule.recurs(retries))

const retryAfter = (error: ClientError): Duration.Duration =>
  (error._tag === "RateLimited" || error._tag === "ServiceError" ? error.retryAfter : undefined) ?? Duration.zero

/** Longest wait of the standard policy for a service that has answered before. */
export const patience = Duration.minutes(5)

/**
 * Nobody is there, or somebody on the way who says so, and not that it takes longer than anybody waits: nothing that the
 * service itself has said.
 */
export const isOut = (error: ClientError): boolean =>
  error._tag === "NetworkError"
    ? error.retryable
    : error._tag === "ServiceError" && error.gateway === true && Duration.lessThanOrEqualTo(retryAfter(error), patience)

/**
 * Every few seconds, for five minutes: as long as a router, a proxy or a release of the service takes, and a bit more. A proxy
 * that says when to come back is believed.
 */
export const outage: Outage = {
  schedule: Schedule.spaced("5 seconds").pipe(
    Schedule.jitteredWith({ min: 0.5, max: 1 }),
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.max(delay, retryAfter(error))),
    Schedule.upTo(patience)
  ),
  when: (error, call) => isOut(error) && isSafe(error, call)
}

/** So many retries; see {@link backoff} and {@link isSafe}. */
export const limited = (retries: number): Policy => ({ schedule: backoff({ retries }), when: isSafe })

/**
 * Five retries, of at most 10 % of all calls; a service that has answered before is waited for up to five minutes when the
 * way to it is cut, and one that fails ten times in a row is asked by one call at a time.
 */
export const standard: Policy = {
  ...limited(5),
  outage,
  retryBudget: RetryBudget.standard,
  circuitBreaker: CircuitBreaker.standard
}

/** Every call is made once. */
export const never: Policy = { schedule: Schedule.stop, when: () => false }

/**
 * The policy in force. Replace it for all calls where the connection is built, or around one call:
 * `search.run(request).pipe(Effect.provideService(RetryPolicy, Retry.never))`.
 */
export class RetryPolicy extends Context.Reference<RetryPolicy>()("sluice/Client/RetryPolicy", {
  defaultValue: () => standard
}) {}

/** Safety of the current call. Always `always` for GET and for calls with an idempotency key. */
export class Repetition extends Context.Reference<Repetition>()("sluice/Client/Repetition", {
  defaultValue: (): Repeatable => "unsent"
}) {}

/** Requests made for one row, and the errors of those that failed. */
export interface AttemptLog {
  /** Includes retries, but no GET: polls of a job are not attempts at its row. */
  made: number
  failures: ReadonlyArray<ClientError>
}

/** Counter of an effect's calls. Optional. */
export class Attempts extends Context.Reference<Attempts>()("sluice/Client/Attempts", {
  defaultValue: (): AttemptLog | undefined => undefined
}) {}

/** Marks a POST that changes nothing, and may be charged. */
export const asRead: <A, Err, R>(call: Effect.Effect<A, Err, R>) => Effect.Effect<A, Err, R> = Effect.provideService(
  Repetition,
  "refused"
)

/** State of a connection's service. */
export interface Reach {
  /**
   * It has answered before, or was cut within an answer and is gone since, and was not waited for in vain: that nobody
   * answers now will pass.
   */
  isMet: boolean
  /** It was said that it is out of reach. */
  isTold: boolean
}

const tell = (error: ClientError, reach: Reach) =>
  Effect.suspend(() => {
    if (reach.isTold) return Effect.void
    reach.isTold = true
    return Effect.logWarning(
      `The service is out of reach, and is asked again until it answers or ${Duration.format(patience)} are over: ${error.message}`
    )
  })

/** So often may one call fail while the circuit is open, beside its own tries: it may be the call that breaks the service. */
const maxOpenTries = 5

/** The connection that a call is made over. */
export interface Over {
  readonly service: string
  readonly reach: Reach
  /** Shared by the calls that no run is behind. */
  readonly state: RetryState
}

/** Makes the call again as the policy says: the one around the call, else the one given. */
export const retry = <A>(
  call: Effect.Effect<A, ClientError>,
  request: { readonly method: string; readonly keyed: boolean },
  given: Policy,
  { reach, service, state }: Over
): Effect.Effect<A, ClientError> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    const policy = context.unsafeMap.has(RetryPolicy.key) ? Context.get(context, RetryPolicy) : given
    const { circuitBreaker, outage, retryBudget } = policy
    const shared = Context.get(context, RetryScope) ?? state
    const budget = retryBudget && shared.budget(retryBudget)
    const breaker =
      circuitBreaker &&
      shared.breaker(circuitBreaker, { service, isMet: () => reach.isMet, isReported: () => reach.isTold })
    const log = Context.get(context, Attempts)
    const reads = request.method === "GET" || request.method === "HEAD" || request.keyed
    const attempted = {
      method: request.method,
      repeatable: reads ? "always" : Context.get(context, Repetition)
    } as const
    /** The service took this call before: it was there, and may have been paid. */
    let isTaken = false
    let last: ClientError | undefined
    let isOverBudget = false

    const isWaitedFor = (error: ClientError) => reach.isMet && outage?.when(error, attempted) === true
    /** Retries that the service asked for, that wait for it to come back, or that the circuit lets through one by one. */
    const isFree = (error: ClientError) =>
      budget === undefined ||
      Duration.greaterThan(retryAfter(error), Duration.zero) ||
      isWaitedFor(error) ||
      (breaker !== undefined && breaker.state() !== "closed")

    const sent = Effect.suspend(() => {
      if (log !== undefined && request.method !== "GET") log.made++
      return call
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (log !== undefined) log.failures = [...log.failures, error]
          if (error._tag === "NetworkError" && error.sent) isTaken = true
          else if (isTaken && isOut(error)) reach.isMet = true
          if (policy.when(error, attempted)) Metrics.retries.add(1, error._tag)
        })
      )
    )
    const attempt = Effect.suspend(() => {
      if (last === undefined) budget?.called()
      else if (!isFree(last) && budget?.take() === false) {
        isOverBudget = true
        return Effect.zipRight(budget.warn, Effect.fail(last))
      }
      return breaker === undefined ? sent : breaker.protect(sent)
    }).pipe(
      Effect.tapError((error) =>
        Effect.suspend(() => {
          last = error
          // Found out before the wait: a call that may not be made again fails at once.
          if (isOverBudget || isFree(error) || budget?.isLeft() !== false || !policy.when(error, attempted)) {
            return Effect.void
          }
          isOverBudget = true
          return budget.warn
        })
      )
    )
    let openTries = 0
    /** A failure while the circuit is open is the service's, not the call's: the first ones use up none of its tries. */
    const whileOpen = Effect.retry(attempt, {
      while: (error) =>
        breaker !== undefined &&
        breaker.state() !== "closed" &&
        CircuitBreaker.isFailure(error) &&
        policy.when(error, attempted) &&
        openTries++ < maxOpenTries
    })
    const tries = Effect.retry(whileOpen, {
      schedule: policy.schedule,
      while: (error) => !isOverBudget && policy.when(error, attempted)
    })
    if (outage === undefined) return tries
    return tries.pipe(
      Effect.tapError((error) =>
        isWaitedFor(error) && (breaker === undefined || breaker.state() === "closed") ? tell(error, reach) : Effect.void
      ),
      Effect.retry({ schedule: outage.schedule, while: isWaitedFor }),
      // Later calls do not wait as long once more: a run of many rows would take days to say what is wrong.
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isWaitedFor(error)) reach.isMet = false
        })
      )
    )
  })
