import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { canParse } from "../Api/Url.ts"
import { Settings } from "../Settings.ts"
import { version } from "../Version.ts"
import { type ClientError, InvalidBaseUrl } from "./Errors.ts"
import { exchangeWith } from "./Exchange.ts"
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
