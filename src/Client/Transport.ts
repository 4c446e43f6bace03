/** HTTP client over undici, with keep-alive and each response body in one Buffer of bounded size. */

import type { Socket } from "node:net"
import type { Duplex, Readable } from "node:stream"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as Cookies from "@effect/platform/Cookies"
import * as Headers from "@effect/platform/Headers"
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as UrlParams from "@effect/platform/UrlParams"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Agent, Dispatcher } from "undici"
import { undici } from "../Packages.ts"
import { parse } from "../Row/Integers.ts"
import { maxAnswerSize } from "./Network.ts"

type Body = Buffer | Uint8Array | Readable | null

/** Request body for Node, with its headers. */
const encode = (body: HttpBody.HttpBody): Effect.Effect<readonly [Body, Headers.Headers]> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed([null, Headers.empty])
    case "Uint8Array":
      return Effect.succeed([body.body, Headers.empty])
    case "Raw":
      return Effect.succeed([Buffer.from(String(body.body)), Headers.empty])
    case "Stream":
      return Effect.map(NodeStream.toReadable(body.stream), (readable) => [readable, Headers.empty])
    case "FormData": {
      const form = new Response(body.formData)
      return Effect.promise(() => form.arrayBuffer()).pipe(
        Effect.map((bytes) => [Buffer.from(bytes), Headers.fromInput([...form.headers])])
      )
    }
  }
}

const inflaters = { gzip: promisify(Zlib.gunzip), br: promisify(Zlib.brotliDecompress) }

/** Decompresses a body, in the encodings of the `accept-encoding` header. */
const inflate = (encoding: string | undefined, bytes: Buffer, maxSize: number): Effect.Effect<Buffer, unknown> =>
  encoding === "gzip" || encoding === "br"
    ? Effect.tryPromise({
        try: () => inflaters[encoding](bytes, { maxOutputLength: maxSize }),
        catch: (cause) => cause
      })
    : Effect.succeed(bytes)

class Answer extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly status: number
  readonly headers: Headers.Headers
  readonly remoteAddress = Option.none<string>()
  private readonly setCookie: ReadonlyArray<string>
  private readonly bytes: Effect.Effect<Buffer, HttpClientError.ResponseError>

  constructor(
    request: HttpClientRequest.HttpClientRequest,
    { body, headers, statusCode }: Dispatcher.ResponseData,
    maxSize: number
  ) {
    super()
    this.request = request
    this.status = statusCode
    this.headers = Headers.fromInput(headers)
    this.setCookie = [headers["set-cookie"] ?? []].flat()
    // Without a listener, the error of a body that nobody reads would be uncaught.
    body.on("error", () => undefined)
    this.bytes = Effect.tryPromise({ try: () => body.arrayBuffer(), catch: (cause) => cause }).pipe(
      Effect.onInterrupt(() => Effect.sync(() => body.destroy())),
      Effect.flatMap((bytes) => inflate(this.headers["content-encoding"], Buffer.from(bytes), maxSize)),
      Effect.mapError(
        (cause) => new HttpClientError.ResponseError({ request, response: this, reason: "Decode", cause })
      ),
      Effect.cached,
      Effect.runSync
    )
  }
  get cookies() {
    return Cookies.fromSetCookie(this.setCookie)
  }
  get arrayBuffer() {
    return Effect.map(this.bytes, ({ buffer, byteOffset, byteLength }) =>
      byteLength === buffer.byteLength
        ? (buffer as ArrayBuffer)
        : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
    )
  }
  get text() {
    return Effect.map(this.bytes, (bytes) => bytes.toString())
  }
  get json(): Effect.Effect<unknown, HttpClientError.ResponseError> {
    return Effect.tryMap(this.text, {
      try: (text): unknown => parse(text).value,
      catch: (cause) => this.undecodable(cause)
    })
  }
  get urlParamsBody() {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }
  get formData(): Effect.Effect<FormData, HttpClientError.ResponseError> {
    return Effect.flatMap(this.arrayBuffer, (bytes) =>
      Effect.tryPromise({
        try: () => new Response(bytes, { headers: { ...this.headers } }).formData(),
        catch: (cause) => this.undecodable(cause)
      })
    )
  }
  get stream() {
    return Stream.fromEffect(this.bytes)
  }
  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, { _id: "sluice/Client/Answer", status: this.status })
  }
  private undecodable(cause: unknown): HttpClientError.ResponseError {
    return new HttpClientError.ResponseError({ request: this.request, response: this, reason: "Decode", cause })
  }
}

const make = (agent: () => Agent, maxSize: number): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal) =>
    encode(request.body).pipe(
      Effect.flatMap(([body, headers]) =>
        Effect.tryPromise({
          try: () =>
            agent().request({
              origin: url.origin,
              path: url.pathname + url.search,
              method: request.method,
              headers: { "accept-encoding": "gzip, br", ...request.headers, ...headers },
              body,
              signal
            }),
          catch: (cause) => new HttpClientError.RequestError({ request, reason: "Transport", cause })
        })
      ),
      Effect.map((answer) => new Answer(request, answer, maxSize))
    )
  )

/**
 * The timeouts are those of the caller. Idle connections are closed after four seconds: servers usually do so after five, and a request on
 * a closed connection would fail. The first request opens the agent, also one that is sent after the scope has closed.
 */
const layerOf = (maxSize: number, options: Agent.Options): Layer.Layer<HttpClient.HttpClient> =>
  Layer.scoped(
    HttpClient.HttpClient,
    Effect.acquireRelease(
      Effect.sync(() => {
        let agent: Agent | undefined
        const open = () => {
          agent ??= new (undici().Agent)({
            headersTimeout: 0,
            bodyTimeout: 0,
            keepAliveTimeout: 4000,
            maxResponseSize: maxSize,
            ...options
          })
          return agent
        }
        const close = Effect.promise(() => {
          const closing = agent?.destroy() ?? Promise.resolve()
          agent = undefined
          return closing
        })
        return { client: make(open, maxSize), close }
      }),
      ({ close }) => close
    ).pipe(Effect.map(({ client }) => client))
  )

/** Client with a maximum size of answers in bytes. */
export const layerWithin = (maxSize: number): Layer.Layer<HttpClient.HttpClient> => layerOf(maxSize, {})

/** Client with the standard maximum size. Follows no redirects. */
export const layer: Layer.Layer<HttpClient.HttpClient> = layerWithin(maxAnswerSize)

/** Client of a server in this process: each request has a connection of its own, which `connect` opens. */
export const layerOver = (connect: () => Duplex): Layer.Layer<HttpClient.HttpClient> =>
  layerOf(maxAnswerSize, {
    pipelining: 0,
    // Undici is not ready for a connection before it has asked for one.
    connect: (_, opened) => setImmediate(() => opened(null, connect() as Socket))
  })
