/** Connection to the service: one request and its whole answer, checked (2xx and JSON, or a typed error), with retries. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { canParse } from "../Api/Url.ts"
import { Settings } from "../Settings.ts"
import { idsOf } from "../Telemetry/Trace.ts"
import { version } from "../Version.ts"
import { excerpt, refusal, toError } from "./Answer.ts"
import { type Call, type ClientError, CrossOrigin, InvalidBaseUrl, UnexpectedResponse } from "./ClientErrors.ts"
import * as Metrics from "./Metrics.ts"
import { cut, fromTransport, silent } from "./Network.ts"
import { makeState, type Reach, RetryPolicy, retry } from "./Retry.ts"
import * as Transport from "./Transport.ts"

/** `User-Agent` header. */
export const userAgent = `sluice/${version}`

/** A service, and how it is spoken to. */
export interface Options {
  /** Base URL of the service, without `/v1` or `/v2`. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer …` to the origin of the base URL and nowhere else. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** The longest wait for one whole answer; default 6 minutes, a little more than the longest scrape. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** Connection that the client's services use. */
export class Connection extends Context.Tag("sluice/Client/Connection")<
  Connection,
  {
    readonly baseUrl: string
    /** Takes paths below the base URL, or absolute addresses of its origin; answers are whole, 2xx and JSON. */
    readonly http: HttpClient.HttpClient.With<ClientError>
    /** As `http`, for those who only want the JSON. */
    readonly json: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<unknown, ClientError>
    /** Removes the API key from a message of the service. */
    readonly scrub: (text: string) => string
  }
>() {}

/** The base URL without a slash at its end; it must not carry a name and password. */
export const checkBaseUrl = (text: string): Either.Either<URL, InvalidBaseUrl> => {
  const wrong = (reason: string) => Either.left(new InvalidBaseUrl({ reason }))
  if (!canParse(text)) return wrong("it is not an absolute address")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return wrong(`${url.protocol} is neither http nor https`)
  if (url.username !== "" || url.password !== "") return wrong("it contains a name or password; use the key instead")
  if (url.search !== "" || url.hash !== "") return wrong("it has a query or fragment")
  url.pathname = url.pathname.replace(/\/+$/, "")
  const version = /\/v[12]$/.exec(url.pathname)?.[0]
  if (version !== undefined) return wrong(`it ends in ${version}, which every call adds by itself: leave that out`)
  return Either.right(url)
}

/** Builds the connection over the HTTP client in the context. */
export const make = Effect.fn("Connection.make")(function* (options: Options) {
  const base = yield* checkBaseUrl(options.baseUrl)
  const client = yield* HttpClient.HttpClient
  const policy = yield* RetryPolicy
  const prefix = base.href.replace(/\/$/, "")
  const timeout = options.timeout ?? "6 minutes"
  const key = options.apiKey === undefined ? "" : Redacted.value(options.apiKey)
  const scrub = (text: string) => (key === "" ? text : text.replaceAll(key, "[key]"))

  const prepare = (request: HttpClientRequest.HttpClientRequest) =>
    request.pipe(
      HttpClientRequest.setUrl(request.url.startsWith("/") ? prefix + request.url : request.url),
      HttpClientRequest.acceptJson,
      HttpClientRequest.setHeader("user-agent", userAgent),
      key === "" ? (same) => same : HttpClientRequest.bearerToken(key)
    )

  const reach: Reach = { isMet: false, isTold: false }
  const exchange = exchangeWith({ client, origin: base.origin, timeout, scrub, isMet: () => reach.isMet })
  const over = { service: prefix, reach, state: makeState() }
  const met = Effect.sync(() => {
    reach.isMet = true
    reach.isTold = false
  })

  const send = (request: HttpClientRequest.HttpClientRequest) =>
    retry(
      Effect.suspend(() => Effect.zipLeft(exchange(prepare(request)), met)),
      { method: request.method, keyed: request.headers["x-idempotency-key"] !== undefined },
      policy,
      over
    )

  return Connection.of({
    baseUrl: prefix,
    http: HttpClient.makeWith<ClientError, never, ClientError, never>(
      Effect.flatMap((request) => Effect.map(send(request), ({ response }) => response)),
      Effect.succeed
    ),
    json: (request) => Effect.map(send(request), ({ json }) => json),
    scrub
  })
})

/** A connection over the HTTP client in the context, for those who bring their own. */
export const layerHttpClient = (options: Options): Layer.Layer<Connection, InvalidBaseUrl, HttpClient.HttpClient> =>
  Layer.effect(Connection, make(options))

/** A connection to the given service. */
export const layer = (options: Options): Layer.Layer<Connection, InvalidBaseUrl> =>
  Layer.provide(layerHttpClient(options), Transport.layer)

/** A connection to the service that the settings name. */
export const layerSettings: Layer.Layer<Connection, InvalidBaseUrl, Settings> = Layer.unwrapEffect(
  Effect.map(Settings, ({ baseUrl, apiKey }) =>
    baseUrl === undefined ? Layer.fail(new InvalidBaseUrl({ reason: "none is set" })) : layer({ baseUrl, apiKey })
  )
)

interface Exchange {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly json: unknown
}

interface Received {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly bytes: ArrayBuffer
}

interface Means {
  readonly client: HttpClient.HttpClient
  /** The only origin that requests go to. */
  readonly origin: string
  readonly timeout: Duration.DurationInput
  /** Removes the API key from a string. */
  readonly scrub: (text: string) => string
  /** True once the service has answered. */
  readonly isMet: () => boolean
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const maxRedirects = 5

/** `fetch` follows redirects by default. */
const byHand = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(call, (context: Context.Context<never>) => {
    const given: RequestInit | undefined = context.unsafeMap.get(FetchHttpClient.RequestInit.key)
    return Context.add(context, FetchHttpClient.RequestInit, { ...given, redirect: "manual" })
  })

/** Without what may hold a secret: its query. */
const placeOf = (url: string): Record<string, string> => {
  if (!canParse(url)) return {}
  const { host, pathname } = new URL(url)
  return { "server.address": host, "url.path": pathname }
}

/** A span of our own: that of an HTTP client would end with the request, and so with the key, in its failure. */
const traced = <A>({ method, url }: Call, send: (headers: Headers.Headers) => Effect.Effect<A, ClientError>) =>
  Effect.useSpan(
    `http.client ${method}`,
    { kind: "client", captureStackTrace: false, attributes: { "http.request.method": method, ...placeOf(url) } },
    // Without tracing there are no ids.
    (span) =>
      Effect.withParentSpan(send(idsOf(span) === undefined ? Headers.empty : HttpTraceContext.toHeaders(span)), span)
  )

/** Logs the duration and status. */
const counted = <E>(method: string, received: Effect.Effect<Received, E>): Effect.Effect<Received, E> =>
  Clock.clockWith((clock) => {
    const begun = clock.unsafeCurrentTimeMillis()
    return Effect.onExit(received, (exit) =>
      Effect.sync(() => {
        Metrics.requests.add(1, method, Exit.isSuccess(exit) ? exit.value.response.status : "error")
        Metrics.requestSeconds.record((clock.unsafeCurrentTimeMillis() - begun) / 1000, method)
      })
    )
  })

const exchangeWith = (means: Means) => {
  const { isMet, origin, timeout, scrub } = means
  const client = HttpClient.withTracerDisabledWhen(means.client, () => true)

  const receive = (request: HttpClientRequest.HttpClientRequest, call: Call) =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.arrayBuffer, (bytes) => ({ response, bytes }))),
      byHand,
      Effect.mapError((error) => fromTransport(call, { scrub, isMet: isMet() })(error)),
      Effect.timeoutFail({ duration: timeout, onTimeout: () => silent(call, timeout) }),
      Effect.tap(({ response }) => Effect.annotateCurrentSpan("http.response.status_code", response.status)),
      (received) => counted(call.method, received)
    )

  const check = Effect.fnUntraced(function* ({ response, bytes }: Received, call: Call) {
    const { status, headers } = response
    const text = Buffer.from(bytes).toString()
    if (status < 200 || status >= 300) {
      return yield* toError({ ...call, status, headers, body: scrub(text) }, yield* Clock.currentTimeMillis)
    }
    const json = Either.try((): unknown => JSON.parse(text))
    if (Either.isRight(json)) {
      if (refusal(call, json.right) === undefined) return { response, json: json.right }
      return yield* refusal(call, JSON.parse(scrub(text))) ?? cut(call)
    }
    if (/^\s*[[{]/.test(text)) return yield* cut(call)
    return yield* new UnexpectedResponse({ ...call, status, excerpt: excerpt(scrub(text)) })
  })

  const exchange = (request: HttpClientRequest.HttpClientRequest, hops = 0): Effect.Effect<Exchange, ClientError> =>
    Effect.suspend(() => {
      const address = Option.getOrUndefined(HttpClientRequest.toUrl(request))
      const call = { method: request.method, url: scrub(address?.href ?? request.url) }
      if (address?.origin !== origin) return new CrossOrigin({ ...call, target: call.url })
      return traced(
        call,
        Effect.fnUntraced(function* (headers) {
          const answer = yield* receive(HttpClientRequest.setHeaders(request, headers), call)
          const { status } = answer.response
          const { location } = answer.response.headers
          if (redirects.has(status) && location !== undefined && canParse(location, address.href)) {
            const target = new URL(location, address.href)
            if (target.origin !== origin) return yield* new CrossOrigin({ ...call, target: scrub(target.origin) })
            if (request.method === "GET" && hops < maxRedirects) {
              return yield* exchange(HttpClientRequest.get(target, { headers: request.headers }), hops + 1)
            }
          }
          return yield* check(answer, call)
        })
      )
    })

  return exchange
}
