/**
 * One call of an API: rate limits, retries and errors.
 *
 * - A call is retried according to the step's `retry`, like a call to the service. Calls to one origin share a retry budget, a circuit
 *   breaker and the rate limits: once the origin says that no request is left, the next call waits.
 * - A stop waits for a request in flight, but ends a wait before a request.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as ClientErrors from "../../Client/ClientErrors.ts"
import { userAgent } from "../../Client/Connection.ts"
import { Outbound, type Settings } from "../../Client/Outbound.ts"
import { MaxRetryAfter, retryAfter, standard } from "../../Client/Retry.ts"
import { makeRetryState, retry } from "../../Client/RetryLoop.ts"
import { refusalIn } from "../../Guard.ts"
import { StepError, Stopped } from "../StepError.ts"
import { maxSize } from "./Decode.ts"
import {
  ask,
  type Caller,
  contentTypeOf,
  execute,
  type Origin,
  type Outgoing,
  originOf,
  type Received,
  refused,
  type SignIn,
  secured,
  type Way
} from "./Exchange.ts"
import { timeout as memberTimeout, type Single } from "./Member.ts"

/** Maximum wait for a rate limit before a call or a retry: rate limit windows of APIs rarely exceed an hour. */
const maxWait = Duration.hours(1)

/** Minimum wait that is logged. */
const longWait = Duration.toMillis("30 seconds")

/** Connections, which all runs with the same settings share. */
const ways = new WeakMap<Settings, Way>()

const wayOf = (settings: Settings): Effect.Effect<Way> =>
  Effect.suspend(() => {
    const known = ways.get(settings)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(
      Effect.promise(() => import("../../Client/Transport.ts")),
      ({ guarded, readBody, setCookiesOf }) => {
        const network = guarded(settings.allowlist, maxSize)
        // Spans of the default client would contain the query, and trace headers would be sent to third parties.
        const client =
          settings.through === undefined
            ? network
            : settings.through(network).pipe(
                HttpClient.withTracerDisabledWhen(() => true),
                HttpClient.withTracerPropagation(false)
              )
        const way = ways.get(settings) ?? {
          client,
          readBody,
          setCookiesOf,
          origins: new Map(),
          state: makeRetryState()
        }
        ways.set(settings, way)
        return way
      }
    )
  })

const advice = (status: number): string => {
  switch (status) {
    case 401:
    case 403:
      return "Check auth and headers: the API does not accept these credentials, or they do not give access to this address"
    case 404:
    case 410:
      return "Check url and query"
    case 400:
    case 422:
      return "Check query and body: the API does not accept them"
    case 429:
      return "Send fewer requests at a time (rate: 5/s in the step), or resume the run later"
    default:
      return status >= 500 ? "Resume the run once the API works" : "Check method, url and query"
  }
}

/** Turns a failed call into the failure of a step: of its row, or of the run if the origin cannot be called at all. */
const stepError = (outgoing: Outgoing, error: ClientErrors.ClientError): StepError => {
  const place = `${outgoing.method} ${outgoing.url}`
  const statused = (status: number, said: string | undefined, more = "") =>
    new StepError({
      reason: "HttpError",
      status,
      cause: error,
      message: `${place}: the API answered ${status}${more}${said === undefined || said === "" ? "" : ` (${said})`}. ${advice(error._tag === "RateLimited" ? 429 : status)}`
    })
  switch (error._tag) {
    case "RateLimited": {
      const { retryAfter, said, status = 429 } = error
      return statused(
        status,
        said,
        retryAfter === undefined ? "" : `, and asks to wait for ${Duration.format(retryAfter)}`
      )
    }
    case "Timeout":
      return statused(408, error.said)
    case "ServiceError":
      return statused(error.status, error.said)
    case "UnexpectedResponse":
      return statused(error.status, error.excerpt)
    case "NetworkError":
      return new StepError({
        reason: "NetworkError",
        cause: error,
        message: `${place}: no answer, because ${error.reason}. ${error.todo}`
      })
    case "CircuitOpen":
      return new StepError({
        reason: error._tag,
        scope: "run",
        cause: error,
        message: `${place}: the API failed ${error.failures} times in a row, so no more calls are made. Resume the run once it works`
      })
    default:
      return StepError.of(error)
  }
}

/** Function that makes one exchange during a sign-in. */
export const signInOnce: Effect.Effect<Single> = Effect.map(
  Effect.flatMap(Outbound, wayOf),
  (way) =>
    ({ body, headers, method, url }, cookies) => {
      const request = HttpClientRequest.make(method)(url).pipe(
        HttpClientRequest.setHeaders({ accept: "text/html, */*;q=0.5", "user-agent": userAgent, ...headers }),
        body === undefined ? (same) => same : HttpClientRequest.bodyText(body, contentTypeOf(headers))
      )
      return Effect.flatMap(execute(way, request, url, cookies), (response) =>
        Effect.map(response.arrayBuffer, (buffer) => ({
          url,
          statusCode: response.status,
          headers: response.headers,
          body: new Uint8Array(buffer)
        }))
      ).pipe(
        Effect.mapError((error) => {
          const refusal = refusalIn(error.cause)
          if (refusal !== undefined) return refused(url, refusal)
          return new StepError({
            reason: "NetworkError",
            message: `${new URL(url).origin}: no answer (${error.reason})`
          })
        }),
        Effect.timeoutFail({
          duration: memberTimeout,
          onTimeout: () =>
            new StepError({
              reason: "Timeout",
              message: `${new URL(url).origin} did not answer the sign-in within a minute: try again later`
            })
        })
      )
    }
)

/** Milliseconds until the origin accepts requests again and the step has a turn under its `rate`. */
const waitFor = ({ until }: Origin, begin: number, turn: number, now: number) => {
  const limited = Math.min(begin + Duration.toMillis(maxWait), until) - now
  return { limited, wait: Math.max(limited, turn - now) }
}

/** Warns if a rate limit makes the next call wait long; `limited` is in milliseconds. */
const warnOfWait = (limited: number, url: string, { warnOnce }: Caller["context"]): Effect.Effect<void> => {
  if (limited < longWait) return Effect.void
  const { host } = new URL(url)
  const length = Duration.format(Duration.seconds(Math.ceil(limited / 1000)))
  return warnOnce(`wait ${host}`, `${host} limits its requests: the next one waits ${length}`)
}

/** Waits until the origin accepts requests again and the step has a turn under its `rate`; undefined if there is no need to wait. */
const awaitTurn = (
  origin: Origin,
  { url }: Outgoing,
  { context, rate }: Caller,
  begin: number
): Effect.Effect<void> | undefined => {
  const turn = rate === undefined ? begin : Math.max(begin, origin.turn)
  if (rate !== undefined) origin.turn = turn + Duration.toMillis(rate.interval) / rate.limit
  if (waitFor(origin, begin, turn, begin).wait <= 0) return undefined
  return Effect.gen(function* () {
    for (;;) {
      const { limited, wait } = waitFor(origin, begin, turn, yield* Clock.currentTimeMillis)
      if (wait <= 0) return
      yield* warnOfWait(limited, url, context)
      // Responses to other calls may have changed the time meanwhile, so the wait is computed again.
      yield* Effect.sleep(wait)
    }
  })
}

/** Failure that ends the attempts: it leaves the retry loop as a value. */
type Outcome = Received | StepError

const isFinal = (outcome: Outcome): outcome is StepError => outcome instanceof StepError

const stopped = (): StepError => new Stopped({ message: "the run is stopping" })

const sendOver = (way: Way, outgoing: Outgoing, caller: Caller, now: number): Effect.Effect<Received, StepError> => {
  const { isStopped, stopRequested } = caller.context
  /** True while a request is in flight, which a stop waits for. A wait before or between requests ends with a stop. */
  let isAsking = false
  const untilStopped = <A, E>(waiting: Effect.Effect<A, E>): Effect.Effect<A | StepError, E> =>
    Effect.raceFirst(
      waiting,
      Effect.flatMap(stopRequested, () => (isAsking ? Effect.never : Effect.succeed(stopped())))
    )
  /** While waiting for a token (perhaps for its rate limit), no request is in flight. */
  const signIn: SignIn = (refused) =>
    Effect.suspend(() => {
      isAsking = false
      if (isStopped()) return stopped()
      const credentials = caller.signIn(refused)
      const known = Exit.isExit(credentials)
        ? credentials
        : Effect.flatMap(untilStopped(credentials), (each) => (each instanceof StepError ? each : Effect.succeed(each)))
      return Effect.map(known, (each) => {
        isAsking = true
        return each
      })
    })
  const from = { ...caller, signIn }
  const attempt: Effect.Effect<Outcome, ClientErrors.ClientError> = Effect.matchEffect(
    Effect.flatMap(signIn(), (own) => {
      const { method, url } = outgoing
      const begun = { method, url: secured(url, caller.home), redirects: 0, hasRenewed: false, hasSignedInAgain: false }
      return ask({ way, outgoing, caller: from, own, ...begun })
    }),
    {
      onFailure: (error): Effect.Effect<Outcome, ClientErrors.ClientError> => {
        isAsking = false
        if (error instanceof StepError) return Effect.succeed(error)
        if (isStopped()) return Effect.succeed(stopped())
        const wait = Duration.toMillis(retryAfter(error))
        // Without a retry: the API asks for a longer wait than this step accepts.
        if (wait > Duration.toMillis(maxWait)) return Effect.fail(error)
        return Effect.zipRight(warnOfWait(wait, outgoing.url, caller.context), Effect.fail(error))
      },
      onSuccess: (received) => {
        isAsking = false
        return Effect.succeed(received)
      }
    }
  )
  const { isRead, method, url } = outgoing
  const call = {
    method: isRead ? "GET" : method,
    keyed: isRead || method === "PUT" || method === "DELETE",
    repeatable: "refused",
    whileWaiting: (waiting: Effect.Effect<Outcome, ClientErrors.ClientError>) =>
      untilStopped(Effect.provideService(waiting, MaxRetryAfter, maxWait))
  } as const
  const origin = originOf(way, url)
  const { reachability, service } = origin
  const repeated = retry(attempt, call, standard, { service, reachability, state: way.state })
  const turn = awaitTurn(origin, outgoing, caller, now)
  return Effect.matchEffect(turn === undefined ? repeated : untilStopped(Effect.zipRight(turn, repeated)), {
    onFailure: (error) => Effect.fail(stepError(outgoing, error)),
    onSuccess: (outcome) => (isFinal(outcome) ? Effect.fail(outcome) : Effect.succeed(outcome))
  })
}

/** Sends a request under the retry policy of the step. */
export const send = (outgoing: Outgoing, caller: Caller): Effect.Effect<Received, StepError> =>
  Effect.withFiberRuntime(({ currentContext, currentDefaultServices }) => {
    const settings = Context.get(currentContext, Outbound)
    const over = (way: Way) => {
      const clock = Context.get(currentDefaultServices, Clock.Clock)
      return sendOver(way, outgoing, caller, clock.unsafeCurrentTimeMillis())
    }
    const way = ways.get(settings)
    return way === undefined ? Effect.flatMap(wayOf(settings), over) : over(way)
  })
