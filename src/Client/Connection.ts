/**
 * Connection to the service: sends one request and returns its complete response, checked (2xx and JSON, or a typed error), with retries.
 */
import type { Duplex } from "node:stream"
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
import { timeoutFail } from "../Callback/Lean.ts"
import { Settings } from "../Settings.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { version } from "../Version.ts"
import { excerpt, refusal, toError } from "./Answer.ts"
import { type Call, type ClientError, CrossOrigin, InvalidBaseUrl, UnexpectedResponse } from "./ClientErrors.ts"
import * as Metrics from "./Metrics.ts"
import { fromTransport, timedOut, truncated } from "./Network.ts"
import { RetryPolicy } from "./Retry.ts"
import { makeRetryState, type Reachability, retry } from "./RetryLoop.ts"

/** `User-Agent` header. */
export const userAgent = `sluice/${version}`

/** Base URL, key and timeout of a service. */
export interface Options {
  /** Base URL of the service, without `/v1` or `/v2`. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer …`, only to the origin of the base URL. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Maximum time until a response is complete. Default: 6 minutes, a little more than the longest scrape. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * True to leave the base URL out of error messages: the port of an engine in the same process means nothing to a reader. Default: false.
   */
  readonly hidesAddress?: boolean | undefined
  /** Opens a connection for each request, to a service in the same process. Default: the network, with keep-alive. */
  readonly connect?: (() => Duplex) | undefined
}

/** Connection to one service, with its retries. All services of the client share it. */
export class Connection extends Context.Tag("sluice/Client/Connection")<
  Connection,
  {
    readonly baseUrl: string
    /** True for a service in the same process. */
    readonly isLocal: boolean
    /**
     * Client for paths below the base URL, or absolute URLs of its origin. A response is complete, 2xx and JSON; otherwise the call fails.
     */
    readonly http: HttpClient.HttpClient.With<ClientError>
    /** Like `http`, but returns the parsed JSON. */
    readonly json: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<unknown, ClientError>
    /** Removes the API key from a message, and the base URL if the options hide it. */
    readonly scrub: (text: string) => string
  }
>() {}

/** Parses a base URL and removes trailing slashes. Fails for a URL with a user name, a password, a query or an API version. */
export const checkBaseUrl = (text: string): Either.Either<URL, InvalidBaseUrl> => {
  const wrong = (reason: string) => Either.left(new InvalidBaseUrl({ reason }))
  if (!canParse(text)) return wrong("it is not an absolute address")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return wrong(`${url.protocol} is neither http nor https`)
  if (url.username !== "" || url.password !== "")
    return wrong("it contains a user name or a password; use an API key instead")
  if (url.search !== "" || url.hash !== "") return wrong("it has a query or fragment")
  url.pathname = url.pathname.replace(/\/+$/, "")
  const version = /\/v[12]$/.exec(url.pathname)?.[0]
  if (version !== undefined) return wrong(`it ends in ${version}, which every call adds itself: leave ${version} out`)
  return Either.right(url)
}

/** Builds the connection over the HTTP client in the context. */
export const make = Trace.fn("Connection.make")(function* (options: Options) {
  const base = yield* checkBaseUrl(options.baseUrl)
  const client = yield* HttpClient.HttpClient
  const policy = yield* RetryPolicy
  const prefix = base.href.replace(/\/$/, "")
  const timeout = options.timeout ?? "6 minutes"
  const key = options.apiKey === undefined ? "" : Redacted.value(options.apiKey)
  const scrub = (text: string) => {
    const keyless = key === "" ? text : text.replaceAll(key, "[key]")
    return options.hidesAddress === true ? keyless.replaceAll(prefix, "") : keyless
  }

  const prepare = (request: HttpClientRequest.HttpClientRequest) =>
    request.pipe(
      HttpClientRequest.setUrl(request.url.startsWith("/") ? prefix + request.url : request.url),
      HttpClientRequest.acceptJson,
      HttpClientRequest.setHeader("user-agent", userAgent),
      key === "" ? (same) => same : HttpClientRequest.bearerToken(key)
    )

  const reachability: Reachability = { hasAnswered: false, isReported: false }
  const exchange = exchangeWith({
    client,
    origin: base.origin,
    timeout,
    scrub,
    hasAnswered: () => reachability.hasAnswered
  })
  const via = { service: prefix, reachability, state: makeRetryState() }
  const answered = Effect.sync(() => {
    reachability.hasAnswered = true
    reachability.isReported = false
  })

  const send = (request: HttpClientRequest.HttpClientRequest) =>
    retry(
      Effect.suspend(() => Effect.zipLeft(exchange(prepare(request)), answered)),
      { method: request.method, keyed: request.headers["x-idempotency-key"] !== undefined },
      policy,
      via
    )

  return Connection.of({
    baseUrl: prefix,
    isLocal: options.connect !== undefined,
    http: HttpClient.makeWith<ClientError, never, ClientError, never>(
      Effect.flatMap((request) => Effect.map(send(request), ({ response }) => response)),
      Effect.succeed
    ),
    json: (request) => Effect.map(send(request), ({ json }) => json),
    scrub
  })
})

/** Connection over the HTTP client in the context, for programs that provide their own. */
export const layerHttpClient = (options: Options): Layer.Layer<Connection, InvalidBaseUrl, HttpClient.HttpClient> =>
  Layer.effect(Connection, make(options))

/** Sluice's HTTP client for the service. Loaded on demand, because commands that send nothing do not need it. */
export const layerTransport = ({ connect }: Pick<Options, "baseUrl" | "connect">): Layer.Layer<HttpClient.HttpClient> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("./Transport.ts")),
      (transport) => (connect === undefined ? transport.layer : transport.layerOver(connect))
    )
  )

/** Connection over Sluice's HTTP client. */
export const layer = (options: Options): Layer.Layer<Connection, InvalidBaseUrl> =>
  Layer.provide(layerHttpClient(options), layerTransport(options))

/** Connection to the service in `SLUICE_BASE_URL`, with `SLUICE_API_KEY`. */
export const layerSettings: Layer.Layer<Connection, InvalidBaseUrl, Settings> = Layer.unwrapEffect(
  Effect.map(Settings, ({ baseUrl, apiKey }) =>
    baseUrl === undefined ? Layer.fail(new InvalidBaseUrl({ reason: "none is set" })) : layer({ baseUrl, apiKey })
  )
)

/** A checked response with its JSON. */
interface Exchange {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly json: unknown
}

interface Received {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly bytes: ArrayBuffer
}

interface ExchangeOptions {
  readonly client: HttpClient.HttpClient
  /** The only origin that requests go to. */
  readonly origin: string
  readonly timeout: Duration.DurationInput
  /** Removes the API key from a string. */
  readonly scrub: (text: string) => string
  /** True once the service has answered. */
  readonly hasAnswered: () => boolean
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const maxRedirects = 5

/** Stops `fetch` from following redirects by itself. */
const withoutRedirects = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(call, (context: Context.Context<never>) => {
    const given: RequestInit | undefined = context.unsafeMap.get(FetchHttpClient.RequestInit.key)
    return Context.add(context, FetchHttpClient.RequestInit, { ...given, redirect: "manual" })
  })

/** Span attributes of a URL, without its query, which may contain secrets. */
const addressAttributes = (url: string): Record<string, string> => {
  if (!canParse(url)) return {}
  const { host, pathname } = new URL(url)
  return { "server.address": host, "url.path": pathname }
}

/**
 * Span of a call, if a tracer is set; otherwise the service gets the span above the call, if there is one. It takes the place of the HTTP
 * client's own span, which on failure would contain the request, and with it the API key.
 */
const traced = <A>({ method, url }: Call, send: (headers: Headers.Headers) => Effect.Effect<A, ClientError>) =>
  Effect.flatMap(Trace.isTraced, (isTraced) =>
    isTraced
      ? Effect.useSpan(
          `http.client ${method}`,
          {
            kind: "client",
            captureStackTrace: false,
            attributes: { "http.request.method": method, ...addressAttributes(url) }
          },
          // Some tracers give invalid ids, such as all zeros: then no trace header is sent.
          (span) =>
            Effect.withParentSpan(
              send(Trace.idsOf(span) === undefined ? Headers.empty : HttpTraceContext.toHeaders(span)),
              span
            )
        )
      : Effect.flatMap(Trace.traceparent, (traceparent) =>
          send(traceparent === undefined ? Headers.empty : Headers.fromInput({ traceparent }))
        )
  )

/** Records the duration and the status as metrics. */
const measured = <E>(method: string, received: Effect.Effect<Received, E>): Effect.Effect<Received, E> =>
  Clock.clockWith((clock) => {
    const begun = clock.unsafeCurrentTimeMillis()
    return Effect.onExit(received, (exit) =>
      Effect.sync(() => {
        Metrics.requests.add(1, method, Exit.isSuccess(exit) ? exit.value.response.status : "error")
        Metrics.requestSeconds.record((clock.unsafeCurrentTimeMillis() - begun) / 1000, method)
      })
    )
  })

const exchangeWith = (options: ExchangeOptions) => {
  const { hasAnswered, origin, timeout, scrub } = options
  const client = HttpClient.withTracerDisabledWhen(options.client, () => true)

  const receive = (request: HttpClientRequest.HttpClientRequest, call: Call) =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.arrayBuffer, (bytes) => ({ response, bytes }))),
      withoutRedirects,
      Effect.mapError((error) => fromTransport(call, { scrub, hasAnswered: hasAnswered() })(error)),
      (received) => timeoutFail(received, { duration: timeout, onTimeout: () => timedOut(call, timeout) }),
      Effect.tap(({ response }) => Trace.note({ "http.response.status_code": response.status })),
      (received) => measured(call.method, received)
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
      return yield* refusal(call, JSON.parse(scrub(text))) ?? truncated(call)
    }
    if (/^\s*[[{]/.test(text)) return yield* truncated(call)
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
