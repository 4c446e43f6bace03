/**
 * Repeats a call according to its retry policy. From the request outwards:
 *
 * 1. `send`: one request, counted in the log of its row.
 * 2. `attempt`: takes each retry from the retry budget; an open circuit holds requests back, and sends one at a time as a probe.
 * 3. `throughOpenCircuit`: failures while the circuit is open are the service's, so the first few do not use up the policy's retries.
 * 4. `onSchedule`: the retries of the policy, with its delays.
 * 5. `throughOutage`: starts over while a service that answered before is unreachable.
 *
 * Calls share budgets, circuit breakers and the service's reachability. Each of these changes in synchronous steps, so any number of fibers
 * may call at once. An interrupted call counts as sent, and changes nothing else.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { afterFailure, catchAll, tapError } from "../Callback/Lean.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import type { ClientError } from "./ClientErrors.ts"
import * as Metrics from "./Metrics.ts"
import {
  type AttemptedCall,
  isUnreachable,
  outageTimeout,
  type Policy,
  type Repeatable,
  RetryPolicy,
  retryAfter
} from "./Retry.ts"
import * as RetryBudget from "./RetryBudget.ts"

/** Retry budgets and circuit breakers of a run or a connection. Calls with the same settings share one. */
export interface RetryState {
  readonly budget: (settings: RetryBudget.RetryBudget) => RetryBudget.BudgetState
  readonly breaker: (
    settings: CircuitBreaker.CircuitBreaker,
    service: CircuitBreaker.Service
  ) => CircuitBreaker.BreakerState
}

export const makeRetryState = (): RetryState => {
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

/** Retry state shared by the calls of a run. Undefined outside of runs: the state of the connection is used there. */
export class RetryScope extends Context.Reference<RetryScope>()("sluice/Client/RetryScope", {
  defaultValue: (): RetryState | undefined => undefined
}) {}

/** When the current call may be repeated, set for each call. A GET, and a call with an idempotency key, always use `always`. */
export class Repetition extends Context.Reference<Repetition>()("sluice/Client/Repetition", {
  defaultValue: (): Repeatable => "unsent"
}) {}

/** Marks a POST that changes nothing but may be charged. */
export const asRead: <A, Err, R>(call: Effect.Effect<A, Err, R>) => Effect.Effect<A, Err, R> = Effect.provideService(
  Repetition,
  "refused"
)

/** Number of requests made for one row, and the errors of the failed ones. */
export interface AttemptLog {
  /** Includes retries but not GET, because polls of a job are not attempts at its row. */
  made: number
  failures: ReadonlyArray<ClientError>
}

/** Log for the current row's calls; undefined if nothing reports them. */
export class Attempts extends Context.Reference<Attempts>()("sluice/Client/Attempts", {
  defaultValue: (): AttemptLog | undefined => undefined
}) {}

/** Reachability of a connection's service. */
export interface Reachability {
  /**
   * True if an unreachable service is expected to come back: it has answered, or it accepted a request and became unreachable before
   * responding. False again once an outage has lasted longer than calls wait: later calls then fail without the wait, so that a run of many
   * rows does not take days.
   */
  hasAnswered: boolean
  /** True once the outage was logged. The next response resets it. */
  isReported: boolean
}

/** Connection used by a call. */
export interface Via {
  /** Base URL. */
  readonly service: string
  readonly reachability: Reachability
  /** Retry state shared by calls outside of a run. */
  readonly state: RetryState
}

/**
 * Maximum attempts per call through an open circuit, in addition to the policy's retries. Limited, because the call itself may be what
 * breaks the service.
 */
const maxOpenAttempts = 5

/** State of one call while it is repeated. The mutable fields belong to {@link attempt} and {@link throughOpenCircuit}. */
interface Repeating {
  readonly policy: Policy
  readonly call: AttemptedCall
  readonly reachability: Reachability
  readonly budget: RetryBudget.BudgetState | undefined
  readonly breaker: CircuitBreaker.BreakerState | undefined
  readonly log: AttemptLog | undefined
  lastError: ClientError | undefined
  isOverBudget: boolean
  openAttempts: number
}

const isCircuitOpen = ({ breaker }: Repeating): boolean => breaker !== undefined && breaker.state() !== "closed"

const isOutage = ({ call, policy, reachability }: Repeating, error: ClientError): boolean =>
  reachability.hasAnswered && policy.outage?.when(error, call) === true

/**
 * True for retries that do not count against the budget: the service asked for them, they wait for an outage to end, or they are probes.
 */
const isFree = (repeating: Repeating, error: ClientError): boolean =>
  Duration.greaterThan(retryAfter(error), Duration.zero) || isOutage(repeating, error) || isCircuitOpen(repeating)

const send = <A>(
  { call, log, policy, reachability }: Repeating,
  request: Effect.Effect<A, ClientError>
): Effect.Effect<A, ClientError> => {
  // True once an attempt may have reached the service. If the service becomes unreachable after that, it counts as an outage, which calls
  // wait for.
  let wasTaken = false
  const noted = tapError(request, (error) =>
    Effect.sync(() => {
      if (log !== undefined) log.failures = [...log.failures, error]
      if (error._tag === "NetworkError" && error.sent) wasTaken = true
      else if (wasTaken && isUnreachable(error)) reachability.hasAnswered = true
      if (policy.when(error, call)) Metrics.retries.add(1, error._tag)
    })
  )
  if (log === undefined || call.method === "GET") return noted
  return Effect.suspend(() => {
    log.made++
    return noted
  })
}

const attempt = <A>(repeating: Repeating, sent: Effect.Effect<A, ClientError>): Effect.Effect<A, ClientError> => {
  const { breaker, budget, call, policy } = repeating
  const guarded = breaker === undefined ? sent : breaker.protect(sent)
  if (budget === undefined) return guarded
  return tapError(
    Effect.suspend(() => {
      const { lastError } = repeating
      if (lastError === undefined) budget.called()
      else if (!isFree(repeating, lastError) && !budget.take()) {
        repeating.isOverBudget = true
        return Effect.zipRight(budget.warn, Effect.fail(lastError))
      }
      return guarded
    }),
    (error) => {
      repeating.lastError = error
      const isAllowed = repeating.isOverBudget || isFree(repeating, error) || budget.isLeft()
      if (isAllowed || !policy.when(error, call)) return Effect.void
      // Decided before the delay, so that a call without retry budget fails at once.
      repeating.isOverBudget = true
      return budget.warn
    }
  )
}

const throughOpenCircuit = <A>(repeating: Repeating, attempted: Effect.Effect<A, ClientError>) =>
  Effect.retry(attempted, {
    while: (error) =>
      isCircuitOpen(repeating) &&
      CircuitBreaker.isFailure(error) &&
      repeating.policy.when(error, repeating.call) &&
      repeating.openAttempts++ < maxOpenAttempts
  })

const onSchedule = <A>(repeating: Repeating, attempted: Effect.Effect<A, ClientError>) =>
  Effect.retry(attempted, {
    schedule: repeating.policy.schedule,
    while: (error) => !repeating.isOverBudget && repeating.policy.when(error, repeating.call)
  })

const reportOutage = (error: ClientError, reachability: Reachability) =>
  Effect.suspend(() => {
    if (reachability.isReported) return Effect.void
    reachability.isReported = true
    return Effect.logWarning(
      `The service cannot be reached. Calls are retried until it answers, for up to ${Duration.format(outageTimeout)}: ${error.message}`
    )
  })

const throughOutage = <A>(repeating: Repeating, attempted: Effect.Effect<A, ClientError>) => {
  const { policy, reachability } = repeating
  if (policy.outage === undefined) return attempted
  return attempted.pipe(
    Effect.tapError((error) =>
      isOutage(repeating, error) && !isCircuitOpen(repeating) ? reportOutage(error, reachability) : Effect.void
    ),
    Effect.retry({ schedule: policy.outage.schedule, while: (error) => isOutage(repeating, error) }),
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (isOutage(repeating, error)) reachability.hasAnswered = false
      })
    )
  )
}

/** A request, as seen by its policy. */
interface Call<A> {
  readonly method: string
  readonly keyed: boolean
  /** Default: the value in the context. */
  readonly repeatable?: Repeatable | undefined
  /** Applied to the wait for an open circuit and to everything after a failure, but not to a first attempt that succeeds. */
  readonly whileWaiting?: ((call: Effect.Effect<A, ClientError>) => Effect.Effect<A, ClientError>) | undefined
}

/**
 * Makes the call under the policy in the context, or else under `given`. Builds the layers of the loop only after a first failure, and
 * starts them with it.
 */
export const retry = <A>(
  request: Effect.Effect<A, ClientError>,
  { keyed, method, repeatable, whileWaiting = identity }: Call<A>,
  given: Policy,
  { reachability, service, state }: Via
): Effect.Effect<A, ClientError> =>
  Effect.withFiberRuntime((fiber) => {
    const context = fiber.currentContext
    const policy = context.unsafeMap.has(RetryPolicy.key) ? Context.get(context, RetryPolicy) : given
    const { circuitBreaker, retryBudget } = policy
    const shared = Context.get(context, RetryScope) ?? state
    const isRead = method === "GET" || method === "HEAD" || keyed
    const repeating: Repeating = {
      policy,
      call: { method, repeatable: isRead ? "always" : (repeatable ?? Context.get(context, Repetition)) },
      reachability,
      budget: retryBudget && shared.budget(retryBudget),
      breaker:
        circuitBreaker &&
        shared.breaker(circuitBreaker, {
          service,
          hasAnswered: () => reachability.hasAnswered,
          isReported: () => reachability.isReported
        }),
      log: Context.get(context, Attempts),
      lastError: undefined,
      isOverBudget: false,
      openAttempts: 0
    }
    const attempted = attempt(repeating, send(repeating, request))
    const repeated = (attempts: Effect.Effect<A, ClientError>) =>
      whileWaiting(throughOutage(repeating, onSchedule(repeating, throughOpenCircuit(repeating, attempts))))
    return isCircuitOpen(repeating)
      ? repeated(attempted)
      : catchAll(attempted, (error) => repeated(afterFailure(error, attempted)))
  })
