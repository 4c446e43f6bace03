/**
 * One exchange with an API, and those that its response requires: redirects, new credentials, a new sign-in.
 *
 * - Headers, keys and tokens are sent only to the origin of the definition's `url`. If a redirect or a next page leads elsewhere, the
 *   request is sent without them, with a warning.
 * - A response must be complete, otherwise the exchange fails. A large one goes to a file.
 */
import { Readable } from "node:stream"
import type * as HttpClient from "@effect/platform/HttpClient"
import { type HttpClientError, ResponseError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Forbidden } from "../../Api/Errors.ts"
import { mapError, timeoutFail } from "../../Callback/Lean.ts"
import { excerpt } from "../../Client/Answer.ts"
import * as ClientErrors from "../../Client/ClientErrors.ts"
import { userAgent } from "../../Client/Connection.ts"
import { codeOf, fromTransport, timedOut } from "../../Client/Network.ts"
import type { Reachability, RetryState } from "../../Client/RetryLoop.ts"
import type { readBody, setCookiesOf } from "../../Client/Transport.ts"
import { harmlessHeaders, isTrusted, refusalIn } from "../../Guard.ts"
import type { Cookies, Session } from "../../Login/Session.ts"
import type { Rate } from "../../Row/Amount.ts"
import { setParameter } from "../../Row/Query.ts"
import type * as Step from "../Context.ts"
import type { ScratchFile } from "../Scratch.ts"
import { StepError } from "../StepError.ts"
import { maxSize, quoted, textOf } from "./Decode.ts"
import { leadsTo, waitOf } from "./Headers.ts"
import { failed as loginFailed } from "./Member.ts"

/** Reason of a `ResponseError` for a truncated body. */
const unreadable = "Decode"

const maxRedirects = 5

/** Request without credentials. */
export interface Outgoing {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** True for a request that changes nothing, whatever its method: it is repeated after every temporary failure. */
  readonly isRead: boolean
  /** True for the text of a successful response that says that the service limits requests: such a call is repeated like one after a 429. */
  readonly isThrottled?: ((text: string) => boolean) | undefined
  readonly timeout: number
}

/** Headers and query parameters that authenticate a request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** Returns the credentials of a step. Those that an API has `refused` are replaced, if there are others. */
export type SignIn = (refused?: Credentials) => Effect.Effect<Credentials, StepError>

/** A successful response. Plain JSON, kept until its rows are in a checkpoint. */
export interface Received {
  /** Address that answered, without credentials. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Set if the text has bytes that are invalid in its encoding. */
  readonly stray?: true
  /** File with the body, if the body is too large for `text`. */
  readonly file?: ScratchFile
}

/** State of an origin, shared by all calls to it. */
export interface Origin {
  readonly service: string
  readonly reachability: Reachability
  /** Time until which the origin accepts no requests, as its responses said, in milliseconds since 1970. */
  until: number
  /** Time of the next free turn under the `rate` of the steps that call the origin, in milliseconds since 1970. */
  turn: number
}

export interface Way {
  readonly client: HttpClient.HttpClient
  readonly readBody: typeof readBody
  readonly setCookiesOf: typeof setCookiesOf
  readonly origins: Map<string, Origin>
  readonly state: RetryState
}

export const originOf = ({ origins }: Way, url: string): Origin => {
  const { origin } = new URL(url)
  const known = origins.get(origin) ?? {
    service: origin,
    reachability: { hasAnswered: false, isReported: false },
    until: 0,
    turn: 0
  }
  origins.set(origin, known)
  return known
}

/** A response that is too large for a caller without a spool. */
const tooLarge = Object.assign(new Error("the answer is too large"), { code: "ERR_BUFFER_TOO_LARGE" })

/** Failure if the guard refuses an address. Not a {@link ClientErrors.ClientError}, because a retry cannot help. */
export const refused = (url: string, { error }: Forbidden): StepError =>
  new StepError({ reason: "AddressRefused", message: `${url}: ${error}` })

const gateways: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 530])

/** Error for a status code; its class decides whether the call is retried. */
const statusError = (
  call: ClientErrors.Call,
  { headers, status, text }: Received,
  now: number,
  isThrottled = false
): ClientErrors.ClientError => {
  const millis = waitOf(headers, now)
  const retryAfter = millis === undefined ? undefined : Duration.millis(millis)
  const said = excerpt(quoted(text))
  // Some APIs answer 403 where others answer 429, and also say when to retry.
  if (isThrottled || status === 429 || (status === 403 && millis !== undefined))
    return new ClientErrors.RateLimited({ ...call, said, retryAfter, status })
  if (status === 408) return new ClientErrors.Timeout({ ...call, said })
  if (status >= 500)
    return new ClientErrors.ServiceError({ ...call, said, status, retryAfter, gateway: gateways.has(status) })
  return new ClientErrors.UnexpectedResponse({ ...call, status, excerpt: said })
}

const headersOf = ({ headers }: HttpClientResponse.HttpClientResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "set-cookie"))

/**
 * Changes the address of a next page from http to https, if the same host was called over https: many APIs behind a proxy return such
 * addresses.
 */
export const secured = (url: string, home: string): string => {
  if (!/^https:/i.test(home)) return url
  const [to, from] = [new URL(url), new URL(home)]
  if (to.protocol !== "http:" || from.protocol !== "https:" || to.hostname !== from.hostname || to.port !== "")
    return url
  to.protocol = "https:"
  return to.href
}

const withQuery = (url: string, query: Credentials["query"]): string => {
  const all = Object.entries(query)
  if (all.length === 0) return url
  const to = new URL(url)
  for (const [name, value] of all) setParameter(to, name, [value])
  return to.href
}

const harmless = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name.toLowerCase())))

/** Settings of a step that apply to all of its calls. */
export interface Caller {
  /** Address in the definition: only its origin gets credentials. */
  readonly home: string
  readonly signIn: SignIn
  /** Session of the definition's `login`. Its cookies are sent according to the rules of the site that set them. */
  readonly member?: Session | undefined
  readonly rate?: typeof Rate.Type | undefined
  /** Stores the bytes of large responses; without it, large responses fail. */
  readonly spool?: Spool | undefined
  readonly context: Pick<Step.Context, "isStopped" | "stopRequested" | "warnOnce">
}

/** Stores the bytes of responses larger than `size`. */
export interface Spool {
  readonly size: number
  /** On an error of the stream, fails with the result of `failed`. */
  readonly write: <E>(bytes: Readable, failed: (cause: unknown) => E) => Effect.Effect<ScratchFile, StepError | E>
}

/** Sends a request, with the cookies of a session if there is one. */
export const execute = (
  way: Way,
  request: HttpClientRequest.HttpClientRequest,
  url: string,
  member: Cookies | undefined
) =>
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
        way.setCookiesOf
      )

/** A call and its progress so far. */
interface Asked {
  readonly way: Way
  readonly outgoing: Outgoing
  readonly caller: Caller
  readonly own: Credentials
  readonly method: Outgoing["method"]
  readonly url: string
  readonly redirects: number
  /** True once new credentials were requested, successfully or not: they are requested only once. */
  readonly hasRenewed: boolean
  /** True once the session was signed in again: this happens only once per call. */
  readonly hasSignedInAgain: boolean
}

type Failed = ClientErrors.ClientError | StepError

/** A response with its body, in memory or in a file. */
interface Answer {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly bytes: Buffer
  readonly file: ScratchFile | undefined
}

/**
 * Checks a request to another origin than that of `url`: fails for methods other than GET, and warns if headers or credentials are left out
 * (`requestOf`).
 */
const checkOrigin = ({ caller, method, outgoing, own, url }: Asked): Effect.Effect<void, StepError> | undefined => {
  if (method !== "GET") {
    const message = `${outgoing.url} leads to ${new URL(url).origin}, another origin than that of url, and the body is not sent there: if you trust that origin, set url to the address there`
    return new StepError({ reason: "OtherOrigin", message })
  }
  const sent = Object.keys({ ...outgoing.headers, ...own.headers, ...own.query })
  if (sent.every((name) => harmlessHeaders.has(name.toLowerCase()))) return undefined
  const { origin } = new URL(url)
  return caller.context.warnOnce(
    `origin ${origin}`,
    `${origin} is another origin than that of url, so requests to it are sent without headers and credentials`
  )
}

const requestOf = ({ method, outgoing: { body, headers }, own, url }: Asked, isHome: boolean) => {
  const request = HttpClientRequest.make(method)(isHome ? withQuery(url, own.query) : url, {
    headers: {
      accept: "application/json, */*;q=0.5",
      "user-agent": userAgent,
      ...(isHome ? { ...headers, ...own.headers } : harmless(headers))
    }
  })
  return body === undefined || method === "GET"
    ? request
    : HttpClientRequest.bodyText(request, body, contentTypeOf(headers) ?? "text/plain; charset=utf-8")
}

const transportErrorOf =
  ({ method, url, way }: Asked) =>
  (error: HttpClientError): Failed => {
    const refusal = refusalIn(error.cause)
    if (refusal !== undefined) return refused(url, refusal)
    if (codeOf(error.cause) === "ERR_BUFFER_TOO_LARGE") {
      const message = `${url}: the answer has more than ${maxSize / 1024 / 1024} MiB: ask for smaller pages (query, body)`
      return new StepError({ reason: "AnswerInvalid", message })
    }
    const call = { method, url }
    const { hasAnswered } = originOf(way, url).reachability
    const { reason, retryable, sent } = fromTransport(call, { scrub: (text) => text, hasAnswered })(error)
    return new ClientErrors.NetworkError({ ...call, reason, retryable, sent, todo: "Check that the API works" })
  }

/** One exchange, including the body of the response. */
const exchange = (asked: Asked, isHome: boolean): Effect.Effect<Answer, Failed> => {
  const { caller, method, outgoing, url, way } = asked
  const { member, spool } = caller
  const { timeout } = outgoing
  const request = requestOf(asked, isHome)
  const transportError = transportErrorOf(asked)
  const read = Effect.flatMap(execute(way, request, url, member), (response) =>
    Effect.map(way.readBody(response, spool?.size ?? maxSize), (body) => ({ body, response }))
  )
  const received = Effect.flatMap(
    mapError(read, transportError),
    ({ body, response }): Effect.Effect<Answer, Failed> => {
      if (!(body instanceof Readable)) return Effect.succeed({ bytes: body, file: undefined, response })
      const failed = (cause: unknown) =>
        transportError(new ResponseError({ request, response, reason: unreadable, cause }))
      if (spool === undefined || response.status >= 300) {
        body.destroy()
        if (response.status < 300) return Effect.fail(failed(tooLarge))
        return Effect.succeed({ bytes: Buffer.alloc(0), file: undefined, response })
      }
      return spool.write(body, failed).pipe(
        Effect.ensuring(Effect.sync(() => body.destroy())),
        Effect.map((file) => ({ bytes: Buffer.alloc(0), file, response }))
      )
    }
  )
  return timeoutFail(received, { duration: timeout, onTimeout: () => timedOut({ method, url }, timeout) })
}

const redirected = (asked: Asked, location: string, status: number): Effect.Effect<Received, Failed> => {
  const { caller, method, outgoing, own, redirects, url } = asked
  const to = leadsTo(location, url, Object.keys(own.query))
  if (redirects >= maxRedirects || to === undefined) {
    const why =
      redirects >= maxRedirects
        ? `more than ${maxRedirects} redirects`
        : `a redirect to ${quoted(location).slice(0, 200)}, which is not a web address`
    return new StepError({
      reason: "RedirectFailed",
      message: `${outgoing.method} ${outgoing.url}: ${why}. Set url to the address that answers`
    })
  }
  const becomesGet = status === 303 || (status < 303 && method === "POST")
  return ask({
    ...asked,
    url: secured(to, caller.home),
    method: becomesGet ? "GET" : method,
    redirects: redirects + 1
  })
}

const receivedOf = (asked: Asked, { bytes, file, response }: Answer): Effect.Effect<Received, Failed> =>
  Effect.clockWith((clock) => {
    const { outgoing, url, way } = asked
    const { status } = response
    const { stray, text } = textOf(bytes, response.headers["content-type"] ?? "")
    const received: Received = {
      url,
      status,
      headers: headersOf(response),
      text,
      ...(stray ? { stray } : {}),
      ...(file === undefined ? {} : { file })
    }
    const now = clock.unsafeCurrentTimeMillis()
    const wait = waitOf(received.headers, now)
    if (wait !== undefined) originOf(way, url).until = Math.max(originOf(way, url).until, now + wait)
    const isAskedFor =
      status === 304 && ("if-none-match" in outgoing.headers || "if-modified-since" in outgoing.headers)
    const isThrottled = status < 300 && outgoing.isThrottled?.(text) === true
    return isThrottled || (status >= 300 && !isAskedFor)
      ? Effect.fail(statusError({ method: asked.method, url }, received, now, isThrottled))
      : Effect.succeed(received)
  })

/**
 * Result of a response: the response itself, or that of the exchange which it requires, such as a redirect or a call with new credentials.
 */
const answered = (
  asked: Asked,
  isHome: boolean,
  sent: ReturnType<Session["sent"]> | undefined,
  answer: Answer
): Effect.Effect<Received, Failed> => {
  const { caller, hasRenewed, hasSignedInAgain, outgoing, own, url, way } = asked
  const { home, member, signIn } = caller
  const { bytes, response } = answer
  const { status } = response
  originOf(way, url).reachability.hasAnswered = true
  const { location } = response.headers
  if (location !== undefined && redirections.has(status)) return redirected(asked, location, status)
  if (status === 401 && isHome && !hasRenewed)
    return Effect.flatMap(signIn(own), (renewed) =>
      renewed === own
        ? answered({ ...asked, hasRenewed: true }, isHome, sent, answer)
        : ask({ ...asked, own: renewed, hasRenewed: true })
    )
  if (member === undefined) return receivedOf(asked, answer)
  if (member.seesLogin(outgoing.url, { url, statusCode: status, headers: response.headers, body: bytes })) {
    if (hasSignedInAgain || sent === undefined)
      return new StepError({
        reason: "LoginFailed",
        message: `${outgoing.url} shows the login page of its site, also after a new sign-in: check the fields of login`
      })
    const { method } = outgoing
    return Effect.zipRight(
      Effect.mapError(member.renew(sent), loginFailed),
      ask({
        ...asked,
        hasSignedInAgain: true,
        method,
        url: secured(outgoing.url, home),
        redirects: asked.redirects + 1
      })
    )
  }
  member.noteMember()
  return receivedOf(asked, answer)
}

const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request and follows its response: redirects, new credentials, a new sign-in. No generator: see `deliverBatch` in
 * `Run/Operator.ts`.
 */
export const ask = (asked: Asked): Effect.Effect<Received, Failed> => {
  const { caller, url } = asked
  const isHome = isTrusted(new URL(url), new URL(caller.home))
  const sent = caller.member?.sent()
  const exchanged = Effect.flatMap(exchange(asked, isHome), (answer) => answered(asked, isHome, sent, answer))
  const warned = isHome ? undefined : checkOrigin(asked)
  return warned === undefined ? exchanged : Effect.zipRight(warned, exchanged)
}

export const contentTypeOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]
