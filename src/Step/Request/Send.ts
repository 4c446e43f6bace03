/**
 * One call of an API: redirects, credentials, rate limits, retries and errors.
 *
 * - Headers, keys and tokens go to the origin of the definition's `url` only. An address that leads elsewhere, by a redirect or as the next
 *   page, is asked without them, with a warning.
 * - A call is repeated as the `retry` of the step says, like a call of the service. Calls to one origin share its retry budget, its circuit
 *   breaker and its rate limits: once it says that no request is left, the next one waits.
 * - An answer is whole, or the call fails. A large one goes to a file.
 */
import { Readable } from "node:stream"
import { toSetCookieHeaders } from "@effect/platform/Cookies"
import * as HttpClient from "@effect/platform/HttpClient"
import { type HttpClientError, ResponseError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Forbidden } from "../../Api/Errors.ts"
import { excerpt } from "../../Client/Answer.ts"
import * as ClientErrors from "../../Client/ClientErrors.ts"
import { userAgent } from "../../Client/Connection.ts"
import { codeOf, fromTransport, timedOut } from "../../Client/Network.ts"
import { Outbound, type Settings } from "../../Client/Outbound.ts"
import { standard } from "../../Client/Retry.ts"
import { makeRetryState, type Reachability, Repetition, type RetryState, retry } from "../../Client/RetryLoop.ts"
import type { readBody } from "../../Client/Transport.ts"
import { harmlessHeaders, isTrusted } from "../../Guard.ts"
import type { Cookies, Session } from "../../Login/Session.ts"
import type { Rate } from "../../Row/Amount.ts"
import type { Context } from "../Context.ts"
import type { ScratchFile } from "../Scratch.ts"
import { StepError, Stopped } from "../StepError.ts"
import { maxSize, quoted, textOf } from "./Decode.ts"
import { leadsTo, waitOf } from "./Headers.ts"
import { failed as loginFailed, timeout as memberTimeout, type Single } from "./Member.ts"

/** Reason of a `ResponseError` for a body that breaks off. */
const unreadable = "Decode"

const maxRedirects = 5

/** Longest wait for a rate limit before a call: windows of APIs are an hour at most, as a rule. */
const maxWait = Duration.toMillis("1 hour")

/** Waits that are worth a line in the log. */
const longWait = Duration.toMillis("30 seconds")

/** A request without credentials. */
export interface Outgoing {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** True for a request that changes nothing, whatever its method is: it is repeated after any failure that passes. */
  readonly isRead: boolean
  readonly timeout: number
}

/** Headers and parameters that sign a request in. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** Gives the credentials of a step. Those that an API has `refused` are replaced, where others can be had. */
export type SignIn = (refused?: Credentials) => Effect.Effect<Credentials, StepError>

/** An answer of success. Plain JSON, kept until its rows are in a checkpoint. */
export interface Received {
  /** Address that answered, without credentials. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Bytes of it are no text in its encoding. */
  readonly stray?: true
  /** Its bytes, where they are too many for `text`. */
  readonly file?: ScratchFile
}

/** State of an origin, shared by all calls to it. */
interface Origin {
  readonly reachability: Reachability
  /** Time before which it takes no request, in epoch milliseconds, as it says itself. */
  until: number
  /** The same, by the `rate` of the steps that ask it. */
  turn: number
}

interface Way {
  readonly client: HttpClient.HttpClient
  readonly readBody: typeof readBody
  readonly origins: Map<string, Origin>
  readonly state: RetryState
}

/** Connections are shared by all runs with the same settings. */
const ways = new WeakMap<Settings, Way>()

const wayOf = (settings: Settings): Effect.Effect<Way> =>
  Effect.suspend(() => {
    const known = ways.get(settings)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(
      Effect.promise(() => import("../../Client/Transport.ts")),
      ({ guarded, readBody }) => {
        const network = guarded(settings.allowlist, maxSize)
        // Spans of the platform would have the query, and the headers of a trace would leave the house.
        const client = (settings.through?.(network) ?? network).pipe(
          HttpClient.withTracerDisabledWhen(() => true),
          HttpClient.withTracerPropagation(false)
        )
        const way = ways.get(settings) ?? { client, readBody, origins: new Map(), state: makeRetryState() }
        ways.set(settings, way)
        return way
      }
    )
  })

const originOf = ({ origins }: Way, url: string): Origin => {
  const { origin } = new URL(url)
  const known = origins.get(origin) ?? { reachability: { hasAnswered: false, isReported: false }, until: 0, turn: 0 }
  origins.set(origin, known)
  return known
}

/** An answer that is too large for a caller without a spool. */
const tooLarge = Object.assign(new Error("the answer is too large"), { code: "ERR_BUFFER_TOO_LARGE" })

const refusalIn = (cause: unknown): Forbidden | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof Forbidden) return error
  return undefined
}

/** The guard refuses an address. Not a {@link ClientErrors.ClientError}: no retry changes it. */
const refused = (url: string, { error }: Forbidden): StepError =>
  new StepError({ reason: "AddressRefused", message: `${url}: ${error}` })

const gateways: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 530])

/** The error for a status, which a retry policy decides by. */
const statusError = (
  call: ClientErrors.Call,
  { headers, status, text }: Received,
  now: number
): ClientErrors.ClientError => {
  const millis = waitOf(headers, now)
  const retryAfter = millis === undefined ? undefined : Duration.millis(millis)
  const said = excerpt(quoted(text))
  // Some APIs answer 403 where others answer 429, and say when to come back.
  if (status === 429 || (status === 403 && millis !== undefined))
    return new ClientErrors.RateLimited({ ...call, said, retryAfter, status })
  if (status === 408) return new ClientErrors.Timeout({ ...call, said })
  if (status >= 500)
    return new ClientErrors.ServiceError({ ...call, said, status, retryAfter, gateway: gateways.has(status) })
  return new ClientErrors.UnexpectedResponse({ ...call, status, excerpt: said })
}

const advice = (status: number): string => {
  switch (status) {
    case 401:
    case 403:
      return "Check auth and headers: the API does not take these credentials, or they do not suffice for this address"
    case 404:
    case 410:
      return "Check url and query"
    case 400:
    case 422:
      return "Check query and body: the API does not take them"
    case 429:
      return "Send fewer at a time (rate: 5/s in the step), or resume the run later"
    default:
      return status >= 500 ? "Resume the run once the API works" : "Check method, url and query"
  }
}

/** A failed call as the failure of a step: of its row, or of the run where the origin cannot be called at all. */
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
        retryAfter === undefined ? "" : `, and wants to be asked again in ${Duration.format(retryAfter)}`
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

const headersOf = ({ headers }: HttpClientResponse.HttpClientResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "set-cookie"))

/** A next page over http of a host that was asked over https: many APIs behind a proxy name it so. */
const secured = (url: string, home: string): string => {
  const [to, from] = [new URL(url), new URL(home)]
  if (to.protocol !== "http:" || from.protocol !== "https:" || to.hostname !== from.hostname || to.port !== "")
    return url
  to.protocol = "https:"
  return to.href
}

const withQuery = (url: string, query: Credentials["query"]): string => {
  const to = new URL(url)
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value)
  return to.href
}

const harmless = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name.toLowerCase())))

/** Settings of a step for all of its calls. */
export interface Caller {
  /** Address in the definition: its origin may see credentials. */
  readonly home: string
  readonly signIn: SignIn
  /** Session of the definition's `login`. Its cookies go where the site that set them wants them. */
  readonly member?: Session | undefined
  readonly rate?: typeof Rate.Type | undefined
  /** Takes the bytes of large answers; without it they fail. */
  readonly spool?: Spool | undefined
  readonly context: Pick<Context, "isStopped" | "stopRequested" | "warnOnce">
}

/** Takes the bytes of answers that have more than `size` of them. */
export interface Spool {
  readonly size: number
  /** Fails with what `failed` makes of an error of the stream. */
  readonly write: <E>(bytes: Readable, failed: (cause: unknown) => E) => Effect.Effect<ScratchFile, StepError | E>
}

/** Sends a request, with the cookies of a session. */
const execute = (way: Way, request: HttpClientRequest.HttpClientRequest, url: string, member: Cookies | undefined) =>
  member === undefined
    ? way.client.execute(request)
    : member.begin()(
        new URL(url),
        (cookie, authorization) => {
          const cookies = [request.headers.cookie, cookie].filter((each) => each !== undefined).join("; ")
          return way.client.execute(
            HttpClientRequest.setHeaders(request, {
              ...(cookies === "" ? {} : { cookie: cookies }),
              ...(authorization === undefined ? {} : { authorization }),
              ...(request.headers.authorization === undefined ? {} : { authorization: request.headers.authorization })
            })
          )
        },
        (response) => toSetCookieHeaders(response.cookies)
      )

/** One exchange of a sign-in. */
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

/** One exchange, and those that it is redirected to. */
const exchange = (way: Way, outgoing: Outgoing, { context, home, member, signIn, spool }: Caller) =>
  Effect.gen(function* () {
    let isMember = false
    const { body, headers, timeout } = outgoing
    let own = yield* signIn()
    let isRenewed = false
    let method = outgoing.method
    let url = secured(outgoing.url, home)
    for (let redirects = 0; ; redirects++) {
      const isHome = isTrusted(new URL(url), new URL(home))
      if (!isHome) {
        if (method !== "GET") {
          const message = `${outgoing.url} leads to ${new URL(url).origin}, another origin than that of url, and the body is not sent there: set url to it if it is right`
          return yield* new StepError({ reason: "OtherOrigin", message })
        }
        if (
          Object.keys({ ...headers, ...own.headers, ...own.query }).some(
            (name) => !harmlessHeaders.has(name.toLowerCase())
          )
        ) {
          yield* context.warnOnce(
            `origin ${new URL(url).origin}`,
            `${new URL(url).origin} is another origin than that of url, so it is asked without headers and credentials`
          )
        }
      }
      const call = { method, url }
      const request = HttpClientRequest.make(method)(isHome ? withQuery(url, own.query) : url).pipe(
        HttpClientRequest.setHeaders({
          accept: "application/json, */*;q=0.5",
          "user-agent": userAgent,
          ...(isHome ? { ...headers, ...own.headers } : harmless(headers))
        }),
        body === undefined || method === "GET"
          ? (same) => same
          : HttpClientRequest.bodyText(body, contentTypeOf(headers) ?? "text/plain; charset=utf-8")
      )
      const transportError = (error: HttpClientError) => {
        const refusal = refusalIn(error.cause)
        if (refusal !== undefined) return refused(url, refusal)
        if (codeOf(error.cause) === "ERR_BUFFER_TOO_LARGE") {
          const message = `${url}: the answer has more than ${maxSize / 1024 / 1024} MiB: ask for smaller pages`
          return new StepError({ reason: "AnswerInvalid", message })
        }
        const { hasAnswered } = originOf(way, url).reachability
        const { reason, retryable, sent } = fromTransport(call, { scrub: (text) => text, hasAnswered })(error)
        return new ClientErrors.NetworkError({ ...call, reason, retryable, sent, todo: "Check that the API works" })
      }
      const sent = member?.sent()
      const { bytes, file, response } = yield* Effect.gen(function* () {
        const response = yield* Effect.mapError(execute(way, request, url, member), transportError)
        const body = yield* Effect.mapError(way.readBody(response, spool?.size ?? maxSize), transportError)
        if (!(body instanceof Readable)) return { bytes: body, file: undefined, response }
        const failed = (cause: unknown) =>
          transportError(new ResponseError({ request, response, reason: unreadable, cause }))
        if (spool === undefined || response.status >= 300) {
          body.destroy()
          if (response.status < 300) return yield* failed(tooLarge)
          return { bytes: Buffer.alloc(0), file: undefined, response }
        }
        const file = yield* spool.write(body, failed).pipe(Effect.ensuring(Effect.sync(() => body.destroy())))
        return { bytes: Buffer.alloc(0), file, response }
      }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => timedOut(call, timeout) }))
      originOf(way, url).reachability.hasAnswered = true
      const { status } = response
      const { location } = response.headers
      if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
        const to = leadsTo(location, url, Object.keys(own.query))
        if (redirects >= maxRedirects || to === undefined) {
          const why =
            redirects >= maxRedirects
              ? `more than ${maxRedirects} redirects`
              : `a redirect to ${quoted(location).slice(0, 200)}, which is no web address`
          return yield* new StepError({
            reason: "RedirectFailed",
            message: `${outgoing.method} ${outgoing.url}: ${why}`
          })
        }
        url = secured(to, home)
        if (status === 303 || (status < 303 && method === "POST")) method = "GET"
        continue
      }
      if (status === 401 && isHome && !isRenewed) {
        isRenewed = true
        const renewed = yield* signIn(own)
        if (renewed !== own) {
          own = renewed
          redirects--
          continue
        }
      }
      if (
        member?.seesLogin(outgoing.url, { url, statusCode: status, headers: response.headers, body: bytes }) === true
      ) {
        if (isMember || sent === undefined)
          return yield* new StepError({
            reason: "LoginFailed",
            message: `${outgoing.url} shows the login page of its site, also after a new sign-in`
          })
        isMember = true
        yield* Effect.mapError(member.renew(sent), loginFailed)
        ;({ method } = outgoing)
        url = secured(outgoing.url, home)
        continue
      }
      member?.noteMember()
      const { stray, text } = textOf(bytes, response.headers["content-type"] ?? "")
      const received: Received = {
        url,
        status,
        headers: headersOf(response),
        text,
        ...(stray ? { stray } : {}),
        ...(file === undefined ? {} : { file })
      }
      const now = yield* Clock.currentTimeMillis
      const wait = waitOf(received.headers, now)
      if (wait !== undefined) originOf(way, url).until = Math.max(originOf(way, url).until, now + wait)
      const isAskedFor = status === 304 && ("if-none-match" in headers || "if-modified-since" in headers)
      if (status >= 300 && !isAskedFor) return yield* statusError(call, received, now)
      return received
    }
  })

const contentTypeOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]

/** Waits until the origin takes requests again, and for a turn at the `rate` of the step. */
const awaitTurn = (way: Way, { url }: Outgoing, { context, rate }: Caller) =>
  Effect.gen(function* () {
    const origin = originOf(way, url)
    const begin = yield* Clock.currentTimeMillis
    const turn = rate === undefined ? begin : Math.max(begin, origin.turn)
    if (rate !== undefined) origin.turn = turn + Duration.toMillis(rate.interval) / rate.limit
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const limited = Math.min(begin + maxWait, origin.until) - now
      const wait = Math.max(limited, turn - now)
      if (wait <= 0) return
      if (limited >= longWait) {
        const { host } = new URL(url)
        const length = Duration.format(Duration.seconds(Math.ceil(limited / 1000)))
        yield* context.warnOnce(`wait ${host}`, `${host} takes no more requests for now: the next one waits ${length}`)
      }
      // Answers to other calls may have moved the time.
      yield* Effect.sleep(wait)
    }
  })

/** A failure that ends the attempts: it leaves the loop of retries as a value. */
type Outcome = Received | StepError

const isFinal = (outcome: Outcome): outcome is StepError => outcome instanceof StepError

const stopped = (): StepError => new Stopped({ message: "the run comes to a stop" })

/** Sends a request under the retry policy of the step. */
export const send = (outgoing: Outgoing, caller: Caller): Effect.Effect<Received, StepError> =>
  Effect.gen(function* () {
    const way = yield* wayOf(yield* Outbound)
    const { isStopped, stopRequested } = caller.context
    let isAsking = false
    /** The wait for a token, which may be that for a rate limit, is none for an answer: a stop ends it. */
    const signIn: SignIn = (refused) =>
      Effect.suspend(() => {
        isAsking = false
        return isStopped() ? stopped() : caller.signIn(refused)
      }).pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            isAsking = true
          })
        )
      )
    const attempt = Effect.suspend((): Effect.Effect<Outcome, ClientErrors.ClientError | StepError> => {
      return exchange(way, outgoing, { ...caller, signIn })
    }).pipe(
      Effect.catchIf(
        (error) => error instanceof StepError,
        (error) => Effect.succeed<Outcome>(error)
      ),
      Effect.catchAll((error) => (isStopped() ? Effect.succeed(stopped()) : Effect.fail(error))),
      Effect.ensuring(
        Effect.sync(() => {
          isAsking = false
        })
      )
    )
    const { method, url } = outgoing
    const repeated = retry(
      attempt,
      { method: outgoing.isRead ? "GET" : method, keyed: outgoing.isRead || method === "PUT" || method === "DELETE" },
      standard,
      { service: new URL(url).origin, reachability: originOf(way, url).reachability, state: way.state }
    ).pipe(
      Effect.provideService(Repetition, "refused"),
      Effect.mapError((error) => stepError(outgoing, error))
    )
    // A request in flight is waited for, a wait before one is not.
    const outcome = yield* Effect.raceFirst(
      Effect.zipRight(awaitTurn(way, outgoing, caller), repeated),
      Effect.flatMap(stopRequested, () => (isAsking ? Effect.never : Effect.succeed(stopped())))
    )
    return isFinal(outcome) ? yield* outcome : outcome
  })
