/**
 * Circuit breaker: after some failures of a service in a row its calls wait, and only one at a time is sent as a probe.
 *
 * - `closed`: calls pass. `failureThreshold` failures in a row open the circuit; any other answer starts the count again.
 * - `open`: calls wait for `resetTimeout`, which doubles with each failed probe, up to `maxResetTimeout`.
 * - `half-open`: the first call that has waited long enough is the probe, the others wait for its outcome. Its success closes
 *   the circuit and lets them all pass; its failure opens the circuit again. A probe that is interrupted decides nothing, and the
 *   next call becomes the probe.
 * - A call that was sent before may still answer while the circuit is open: an answer closes it, a failure changes nothing. The
 *   probe of that time has then lost its role and counts as any other call.
 * - A circuit that has been open for `giveUpAfter` fails the calls that wait, and those that come later, with `CircuitOpen`.
 *   One call per reset timeout is still sent as a probe, so a service that comes back is found.
 *
 * Failures are what the service is to blame for: 5xx, and no answer at all. A 404, a 429 or a fault of the page that was
 * asked for are answers. State changes are synchronous, so any number of fibers may share a breaker; time is the Clock's.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Random from "effect/Random"
import { CircuitOpen, type ClientError } from "./ClientErrors.ts"
import { paused } from "./TimeLimit.ts"

/** When a circuit opens, how it probes the service, and when it gives up: a value of a retry policy. */
export interface CircuitBreaker {
  /** Failures in a row that open the circuit. */
  readonly failureThreshold: number
  /** Wait of an open circuit before its first probe. */
  readonly resetTimeout: Duration.DurationInput
  /** The longest wait between two probes; five times `resetTimeout` unless set. */
  readonly maxResetTimeout?: Duration.DurationInput | undefined
  /** Time after which calls that wait for an open circuit fail. */
  readonly giveUpAfter: Duration.DurationInput
  /** The same for a service that has never answered: its address may be wrong. */
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
  /** Makes the call as soon as the circuit lets it through, or fails with `CircuitOpen`. */
  readonly protect: <A, R>(call: Effect.Effect<A, ClientError, R>) => Effect.Effect<A, ClientError, R>
}

/** Failures of the service, as opposed to those of a request. */
export const isFailure = (error: ClientError): boolean =>
  (error._tag === "ServiceError" && error.retryable) ||
  (error._tag === "NetworkError" && (error.retryable || !error.sent))

/** The service that the breaker is for. */
export interface Service {
  readonly service: string
  /** True once the service has answered. */
  readonly isMet: () => boolean
  /** True once the outage was logged. */
  readonly isReported: () => boolean
}

/** Message of the last failure, without its advice. */
const wordsOf = (error: ClientError): string => {
  if (error._tag === "NetworkError") return error.reason
  const status = error._tag === "ServiceError" ? `status ${error.status}` : error._tag
  return error.said === undefined || error.said === "" ? status : `${status}, ${error.said}`
}

interface Open {
  /** When the circuit left `closed`. */
  readonly since: number
  /** When the next probe may be sent. */
  readonly until: number
  /** The wait before it, in milliseconds. */
  readonly wait: number
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const make = (settings: CircuitBreaker, { isMet, isReported, service }: Service): BreakerState => {
  const resetTimeout = Duration.toMillis(settings.resetTimeout)
  const longest = Math.max(resetTimeout, Duration.toMillis(settings.maxResetTimeout ?? resetTimeout * 5))
  let failures = 0
  let last: ClientError | undefined
  let open: Open | undefined
  /** The call that is the probe at the moment; each has an object of its own. */
  let probe: object | undefined
  let isGivenUp = false
  let wasMet = false
  let changed = Deferred.unsafeMake<void>(FiberId.none)

  const state = (): State => (open === undefined ? "closed" : probe !== undefined ? "half-open" : "open")

  const patience = () =>
    Duration.toMillis(wasMet ? settings.giveUpAfter : (settings.giveUpFirstAfter ?? settings.giveUpAfter))

  /** Wakes the calls that wait: each looks at the state again. */
  const announce = () => {
    const before = changed
    changed = Deferred.unsafeMake<void>(FiberId.none)
    Deferred.unsafeDone(before, Effect.void)
  }

  const given = (now: number, since: number) =>
    new CircuitOpen({
      method: last?.method ?? "",
      url: last?.url ?? service,
      said: last === undefined ? undefined : wordsOf(last),
      failures,
      // Rounded: the last digits are the machine's.
      openFor: Duration.seconds(Math.round((now - since) / 1000))
    })

  /**
   * Waits until the call may be sent, never longer than until the circuit gives up. Returns an object if the call is the probe.
   * Only the wait may be interrupted: a later interrupt would leave a probe that is never sent.
   */
  const enter = (restore: Restore): Effect.Effect<object | undefined, CircuitOpen> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (open === undefined) return Effect.succeed(undefined)
      if (probe === undefined && now >= open.until) {
        probe = {}
        return Effect.succeed(probe)
      }
      const end = open.since + patience()
      if (isGivenUp || now >= end) return given(now, open.since)
      const signal = Deferred.await(changed)
      // Whole milliseconds: a sleep that ends a fraction too early would be repeated without end.
      const alarm = Effect.sleep(Math.ceil((probe === undefined ? Math.min(open.until, end) : end) - now))
      return Effect.zipRight(restore(paused(Effect.raceFirst(signal, alarm))), enter(restore))
    })

  const close = Effect.suspend(() => {
    failures = 0
    if (open === undefined) return Effect.void
    open = undefined
    probe = undefined
    isGivenUp = false
    announce()
    return Effect.logInfo(`${service} answers again: the circuit is closed`)
  })

  const fail = (error: ClientError, token: object | undefined) =>
    Effect.flatMap(Effect.all([Clock.currentTimeMillis, Random.nextRange(0.8, 1)]), ([now, jitter]) => {
      failures++
      last = error
      if (token !== undefined && token === probe && open !== undefined) {
        const wait = Math.min(open.wait * 2, longest)
        open = { since: open.since, wait, until: now + wait * jitter }
        probe = undefined
        isGivenUp = now - open.since >= patience()
        announce()
        return Effect.logDebug(`${service} has failed once more: the circuit stays open`)
      }
      if (open !== undefined || failures < settings.failureThreshold) return Effect.void
      wasMet = isMet()
      open = { since: now, wait: resetTimeout, until: now + resetTimeout * jitter }
      if (isReported()) return Effect.void
      return Effect.logWarning(
        `${service} failed ${failures} times in a row: the circuit is open. Calls wait, and one at a time tries whether it answers again, for up to ${Duration.format(Duration.millis(patience()))}: ${error.message}`
      )
    })

  /** A probe without an outcome: the next call takes its place. */
  const release = (token: object | undefined) =>
    Effect.sync(() => {
      if (token === undefined || token !== probe) return
      probe = undefined
      announce()
    })

  return {
    state,
    protect: (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(enter(restore), (token) =>
          restore(call).pipe(
            Effect.onExit((exit) => {
              if (Exit.isSuccess(exit)) return close
              const error = exit.cause._tag === "Fail" ? exit.cause.error : undefined
              if (error === undefined) return release(token)
              return isFailure(error) ? fail(error, token) : close
            })
          )
        )
      )
  }
}
