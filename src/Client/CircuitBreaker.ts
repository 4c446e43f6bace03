/**
 * Circuit breaker: after several consecutive failures of a service its calls wait, and only one at a time is sent as a probe.
 *
 * - `closed`: calls pass. `failureThreshold` consecutive failures open the circuit; any other response resets the count.
 * - `open`: calls wait for `resetTimeout`, which doubles with each failed probe, up to `maxResetTimeout`.
 * - `half-open`: one call is the probe, the others wait for its result. Success closes the circuit and lets all of them pass; failure opens
 *   it again. After an interrupted probe the next call becomes the probe.
 * - A call that was sent before the circuit opened may still end: a response closes the circuit, a failure changes nothing. A probe that is
 *   running then counts like any other call.
 * - Once the circuit has been open for `giveUpAfter`, waiting and later calls fail with `CircuitOpen`. One call per reset timeout is still
 *   sent as a probe, so the circuit notices when the service is back.
 *
 * Failures are faults of the service: 5xx, and no response at all. A 404, a 429 or a fault of the requested page are responses. State
 * changes are synchronous, so any number of fibers may share a breaker. Times come from the Clock.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Random from "effect/Random"
import type { Restore } from "../Callback/Lean.ts"
import { CircuitOpen, type ClientError } from "./ClientErrors.ts"
import { paused } from "./TimeLimit.ts"

/** Settings of a circuit breaker, as part of a retry policy. */
export interface CircuitBreaker {
  /** Consecutive failures that open the circuit. */
  readonly failureThreshold: number
  /** Time from opening the circuit to the first probe. */
  readonly resetTimeout: Duration.DurationInput
  /** Maximum time between two probes. Default: five times `resetTimeout`. */
  readonly maxResetTimeout?: Duration.DurationInput | undefined
  /** Time after which calls that wait for an open circuit fail. */
  readonly giveUpAfter: Duration.DurationInput
  /** Shorter limit for a service that has never answered, because its URL may be wrong. Default: `giveUpAfter`. */
  readonly giveUpFirstAfter?: Duration.DurationInput | undefined
}

/** Opens after ten failures in a row, probes after 2, 4, 8 and then every 10 seconds, and gives up after five minutes. */
export const standard: CircuitBreaker = {
  failureThreshold: 10,
  resetTimeout: "2 seconds",
  giveUpAfter: "5 minutes",
  giveUpFirstAfter: "30 seconds"
}

export type State = "closed" | "open" | "half-open"

export interface BreakerState {
  readonly state: () => State
  /** Sends the call as soon as the circuit allows it, or fails with `CircuitOpen`. */
  readonly protect: <A, R>(call: Effect.Effect<A, ClientError, R>) => Effect.Effect<A, ClientError, R>
}

/** True for a failure of the service, as opposed to one of the request. */
export const isFailure = (error: ClientError): boolean =>
  (error._tag === "ServiceError" && error.retryable) ||
  (error._tag === "NetworkError" && (error.retryable || !error.sent))

/** The service behind the breaker, and what is known of it. */
export interface Service {
  readonly service: string
  /** True once the service has answered. */
  readonly hasAnswered: () => boolean
  /** True once the outage was logged. */
  readonly isReported: () => boolean
}

/** Message of a failure without its advice. */
const reasonOf = (error: ClientError): string => {
  if (error._tag === "NetworkError") return error.reason
  const status = error._tag === "ServiceError" ? `status ${error.status}` : error._tag
  return error.said === undefined || error.said === "" ? status : `${status}, ${error.said}`
}

interface Open {
  /** Epoch milliseconds at which the circuit first opened. */
  readonly since: number
  /** Earliest time of the next probe, in epoch milliseconds. */
  readonly until: number
  /** Milliseconds before the next probe, without jitter. */
  readonly wait: number
}

export const make = (settings: CircuitBreaker, { hasAnswered, isReported, service }: Service): BreakerState => {
  const resetTimeout = Duration.toMillis(settings.resetTimeout)
  const maxResetTimeout = Math.max(resetTimeout, Duration.toMillis(settings.maxResetTimeout ?? resetTimeout * 5))
  let failures = 0
  let last: ClientError | undefined
  let open: Open | undefined
  /** Token of the current probe: a new object for each, so that an earlier probe is not mistaken for it. */
  let probe: object | undefined
  let isGivenUp = false
  let hadAnswered = false
  let stateChange = Deferred.unsafeMake<void>(FiberId.none)

  const state = (): State => (open === undefined ? "closed" : probe !== undefined ? "half-open" : "open")

  const giveUpAfter = () =>
    Duration.toMillis(hadAnswered ? settings.giveUpAfter : (settings.giveUpFirstAfter ?? settings.giveUpAfter))

  /** Wakes all waiting calls, which then check the state again. */
  const wakeWaiting = () => {
    const before = stateChange
    stateChange = Deferred.unsafeMake<void>(FiberId.none)
    Deferred.unsafeDone(before, Effect.void)
  }

  const givenUp = (now: number, since: number) =>
    new CircuitOpen({
      method: last?.method ?? "",
      url: last?.url ?? service,
      said: last === undefined ? undefined : reasonOf(last),
      failures,
      openFor: Duration.seconds(Math.round((now - since) / 1000))
    })

  /**
   * Waits until the call may be sent, or fails when the circuit gives up. Returns a token if the call is the probe.
   * Only the wait is interruptible: a later interrupt would leave a probe that is never sent.
   */
  const enter = (restore: Restore): Effect.Effect<object | undefined, CircuitOpen> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (open === undefined) return Effect.succeed(undefined)
      if (probe === undefined && now >= open.until) {
        probe = {}
        return Effect.succeed(probe)
      }
      const end = open.since + giveUpAfter()
      if (isGivenUp || now >= end) return givenUp(now, open.since)
      const signal = Deferred.await(stateChange)
      // Rounded up: a sleep that ends a fraction too early would repeat forever.
      const alarm = Effect.sleep(Math.ceil((probe === undefined ? Math.min(open.until, end) : end) - now))
      return Effect.zipRight(restore(paused(Effect.raceFirst(signal, alarm))), enter(restore))
    })

  const close = Effect.suspend(() => {
    failures = 0
    if (open === undefined) return Effect.void
    open = undefined
    probe = undefined
    isGivenUp = false
    wakeWaiting()
    return Effect.logInfo(`${service} answers again: the circuit breaker is closed, and calls are sent as usual`)
  })

  const fail = (error: ClientError, token: object | undefined) =>
    Effect.flatMap(Effect.all([Clock.currentTimeMillis, Random.nextRange(0.8, 1)]), ([now, jitter]) => {
      failures++
      last = error
      if (token !== undefined && token === probe && open !== undefined) {
        const wait = Math.min(open.wait * 2, maxResetTimeout)
        open = { since: open.since, wait, until: now + wait * jitter }
        probe = undefined
        isGivenUp = now - open.since >= giveUpAfter()
        wakeWaiting()
        return Effect.logDebug(`${service} has failed again: the circuit breaker stays open, and calls keep waiting`)
      }
      if (open !== undefined || failures < settings.failureThreshold) return Effect.void
      hadAnswered = hasAnswered()
      open = { since: now, wait: resetTimeout, until: now + resetTimeout * jitter }
      if (isReported()) return Effect.void
      return Effect.logWarning(
        `${service} failed ${failures} times in a row, so the circuit breaker is open: one call at a time tests whether the service answers again; the others wait, and fail after ${Duration.format(Duration.millis(giveUpAfter()))}. Last error: ${error.message}`
      )
    })

  /** Gives up a probe that was interrupted: the next call becomes the probe. */
  const release = (token: object | undefined) =>
    Effect.sync(() => {
      if (token === undefined || token !== probe) return
      probe = undefined
      wakeWaiting()
    })

  /** Counts the outcome of the call. A probe has a token. */
  const counted = <A, R>(call: Effect.Effect<A, ClientError, R>, token: object | undefined) =>
    Effect.matchCauseEffect(call, {
      onFailure: (cause) => {
        const error = cause._tag === "Fail" ? cause.error : undefined
        const noted = error === undefined ? release(token) : isFailure(error) ? fail(error, token) : close
        return Effect.zipRight(noted, Effect.failCause(cause))
      },
      onSuccess: (value) => {
        if (open !== undefined) return Effect.as(close, value)
        failures = 0
        return Effect.succeed(value)
      }
    })

  return {
    state,
    protect: (call) =>
      Effect.suspend(() =>
        // An interrupted call that is not a probe changes nothing.
        open === undefined
          ? counted(call, undefined)
          : Effect.uninterruptibleMask((restore) =>
              Effect.flatMap(enter(restore), (token) => counted(restore(call), token))
            )
      )
  }
}
