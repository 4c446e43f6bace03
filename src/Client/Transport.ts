/**
 * HTTP client over `node:http`, with keep-alive and each response body in one Buffer. Uses about a quarter less CPU than `fetch` for large
 * responses.
 */
import * as Dns from "node:dns"
import * as Http from "node:http"
import * as Https from "node:https"
import type { LookupFunction } from "node:net"
import { type Duplex, pipeline, Readable } from "node:stream"
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
import * as Either from "effect/Either"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { cached, mapError } from "../Callback/Lean.ts"
import { listen, on, safely } from "../Callback.ts"
import { type Allowlist, guardLookup, portOf, refuseHost } from "../Guard.ts"
import { parse } from "../Row/Integers.ts"
import { isGzip } from "../Values/Gzip.ts"
import { codeOf, maxAnswerSize } from "./Network.ts"

type Body = Buffer | Uint8Array | Readable | undefined

/** Request body for Node, with its headers. */
const encode = (body: HttpBody.HttpBody): Effect.Effect<readonly [Body, Headers.Headers]> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed([undefined, Headers.empty])
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

/** The error that `node:zlib` throws for too much output. */
const tooLarge = () => Object.assign(new Error("the answer is too large"), { code: "ERR_BUFFER_TOO_LARGE" })

async function* followed(chunks: Array<Buffer>, message: Http.IncomingMessage): AsyncGenerator<Buffer> {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk
  // Fails for a truncated body.
  yield* message
}

/**
 * Reads the bytes of a body; returns a stream of all of them if there are more than `maxSize`. A truncated body fails, and is never taken
 * for a shorter one.
 */
const readUpTo = (message: Http.IncomingMessage, maxSize: number): Effect.Effect<Buffer | Readable, unknown> =>
  Effect.async<Buffer | Readable, unknown>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const cut = () => resume(Effect.fail("closed before the end of the answer"))
    if (message.destroyed) return cut()
    const broken = (cause: unknown) => {
      resume(Effect.fail(cause))
      message.destroy()
    }
    const listeners = {
      data: (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size <= maxSize) return
        message.pause()
        forget()
        // Without a listener, an error that occurs before the rest is read would be uncaught.
        on(message, "error", () => {})
        const stream = Readable.from(followed(chunks, message), { objectMode: false })
        // Destroying the stream before its first read does not destroy the message, so that is done here.
        on(stream, "close", () => message.destroy())
        resume(Effect.succeed(stream))
      },
      end: () => {
        const [only] = chunks
        resume(Effect.succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)))
      },
      error: (cause: unknown) => resume(Effect.fail(cause)),
      close: cut
    }
    const forget = listen(message, listeners, broken)
    return Effect.sync(() => message.destroy())
  })

const inflaters = { gzip: promisify(Zlib.gunzip), br: promisify(Zlib.brotliDecompress) }
const inflateStreams = { gzip: Zlib.createGunzip, br: Zlib.createBrotliDecompress }

/** Decompresses a body with an encoding of the `accept-encoding` header. */
const inflate = (
  encoding: "gzip" | "br",
  body: Buffer | Readable,
  maxSize: number
): Effect.Effect<Buffer | Readable, unknown> => {
  const streamed = (bytes: Readable) => pipeline(bytes, inflateStreams[encoding](), () => {})
  if (body instanceof Readable) return Effect.sync(() => streamed(body))
  return Effect.tryPromise({
    try: (): Promise<Buffer | Readable> => inflaters[encoding](body, { maxOutputLength: maxSize }),
    catch: (cause) => cause
  }).pipe(
    Effect.catchIf(
      (cause) => codeOf(cause) === "ERR_BUFFER_TOO_LARGE",
      () => Effect.sync(() => streamed(Readable.from([body])))
    )
  )
}

async function* behind(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

async function* unpackedBlocks(bytes: Readable): AsyncGenerator<Buffer> {
  const rest: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await rest.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const all = behind(head, rest)
  yield* isGzip(head) ? pipeline(Readable.from(all), Zlib.createGunzip(), () => {}) : all
}

/** Decompresses a body that is a gzip file, whatever its headers say; returns a stream if there is more than `maxSize` then. */
const unpack = (body: Buffer | Readable, maxSize: number): Effect.Effect<Buffer | Readable, unknown> => {
  if (!(body instanceof Readable)) return isGzip(body) ? inflate("gzip", body, maxSize) : Effect.succeed(body)
  return Effect.sync(() => {
    const stream = Readable.from(unpackedBlocks(body), { objectMode: false })
    // As in `readUpTo`: a stream that is destroyed before its first read leaves its source open.
    on(stream, "close", () => body.destroy())
    return stream
  })
}

/** Encodings of the `accept-encoding` header, and the old name of one. */
const encodings: ReadonlyMap<string, "gzip" | "br"> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"]
])

class Answer extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly status: number
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly setCookie: ReadonlyArray<string>
  private readonly makeBytes: () => Effect.Effect<Buffer, HttpClientError.ResponseError>
  private cachedBytes: Effect.Effect<Buffer, HttpClientError.ResponseError> | undefined
  /**
   * Reads the bytes of the body, or returns a stream of them if there are more than `size`. May be called once, instead of the other ways
   * to read the body.
   */
  readonly upTo: (size: number) => Effect.Effect<Buffer | Readable, HttpClientError.ResponseError>

  constructor(request: HttpClientRequest.HttpClientRequest, message: Http.IncomingMessage, maxSize: number) {
    super()
    this.request = request
    this.status = message.statusCode ?? 0
    this.headers = Headers.fromInput(message.headers as Headers.Input)
    this.setCookie = message.headers["set-cookie"] ?? []
    this.remoteAddress = Option.fromNullable(message.socket.remoteAddress)
    const failed = (cause: unknown) =>
      new HttpClientError.ResponseError({ request, response: this, reason: "Decode", cause })
    this.upTo = (size) => {
      const read = readUpTo(message, size)
      const encoding = encodings.get(this.headers["content-encoding"]?.trim().toLowerCase() ?? "")
      return mapError(
        encoding === undefined ? read : Effect.flatMap(read, (body) => inflate(encoding, body, size)),
        failed
      )
    }
    this.makeBytes = () =>
      Effect.flatMap(this.upTo(maxSize), (body) => {
        if (!(body instanceof Readable)) return Effect.succeed(body)
        body.destroy()
        return Effect.fail(failed(tooLarge()))
      })
  }
  /** True once the whole body has been read into memory, for example by a recorder. */
  isRead(): boolean {
    return this.cachedBytes !== undefined
  }
  /** The body, which is read once. */
  private get bytes() {
    this.cachedBytes ??= cached(this.makeBytes())
    return this.cachedBytes
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

/** The response of this client in a response, if there is one: Effect's platform wraps responses, to abort their requests. */
const answerIn = (response: HttpClientResponse.HttpClientResponse): Answer | undefined => {
  const own = "original" in response ? response.original : response
  return own instanceof Answer ? own : undefined
}

/** The `Set-Cookie` headers of a response as they came. The platform's `cookies` keep one of each name, and only names that it likes. */
export const setCookiesOf = (response: HttpClientResponse.HttpClientResponse): ReadonlyArray<string> =>
  answerIn(response)?.setCookie ?? Cookies.toSetCookieHeaders(response.cookies)

/**
 * Reads the bytes of a body, or returns a stream of them if there are more than `size`; a response of another client is read completely. A
 * client with spans aborts a request once its response is garbage collected, so keep the response while reading the stream. The body of a
 * success that is a gzip file is decompressed, also if no header says so.
 */
export const readBody = (
  response: HttpClientResponse.HttpClientResponse,
  size: number
): Effect.Effect<Buffer | Readable, HttpClientError.ResponseError> => {
  const own = answerIn(response)
  const body: Effect.Effect<Buffer | Readable, HttpClientError.ResponseError> =
    own?.isRead() === false ? own.upTo(size) : Effect.map(response.arrayBuffer, (bytes) => Buffer.from(bytes))
  if (response.status >= 300) return body
  return Effect.flatMap(body, (packed) =>
    mapError(
      unpack(packed, size),
      (cause) => new HttpClientError.ResponseError({ request: response.request, response, reason: "Decode", cause })
    )
  )
}

interface Agents {
  readonly http: Http.Agent
  readonly https: Https.Agent
}

/**
 * Agents that close idle connections after four seconds. Servers usually do so after five, and a request on a closed connection would fail.
 */
const makeAgents = (): Agents => {
  const options = { keepAlive: true, timeout: 4000 }
  return { http: new Http.Agent(options), https: new Https.Agent(options) }
}

const agents = Effect.acquireRelease(Effect.sync(makeAgents), ({ http, https }) =>
  Effect.sync(() => {
    http.destroy()
    https.destroy()
  })
)

/** Sends the head of a request; throws if Node refuses it. */
type Open = (url: URL, options: Http.RequestOptions) => Http.ClientRequest

const overNetwork =
  ({ http, https }: Agents): Open =>
  (url, options) =>
    url.protocol === "https:"
      ? Https.request(url, { ...options, agent: https })
      : Http.request(url, { ...options, agent: http })

/** Sends a request. An interrupt aborts it. */
const exchange = (
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  [body, headers]: readonly [Body, Headers.Headers],
  open: Open,
  maxSize: number
) =>
  Effect.async<HttpClientResponse.HttpClientResponse, HttpClientError.RequestError>((resume) => {
    const fail = (cause: unknown) =>
      resume(Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause })))
    const options = {
      method: request.method,
      headers: { "accept-encoding": "gzip, br", ...request.headers, ...headers }
    }
    const opened = Either.try({ try: () => open(url, options), catch: fail })
    if (Either.isLeft(opened)) return
    const outgoing = opened.right
    // Stays after the response: a write may still fail, and that error must not be uncaught.
    outgoing.on("error", safely(fail, fail))
    outgoing.on(
      "response",
      safely((message: Http.IncomingMessage) => {
        // Node takes a reset for the end of a body without a length: half of it would pass for the whole.
        on(outgoing, "error", (cause: Error) => {
          if (!message.complete) message.destroy(cause)
        })
        resume(Effect.succeed(new Answer(request, message, maxSize)))
      }, fail)
    )
    if (body instanceof Readable) body.pipe(outgoing)
    else outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

const send = (request: HttpClientRequest.HttpClientRequest, url: URL, open: Open, maxSize: number) =>
  request.body._tag === "Empty"
    ? exchange(request, url, [undefined, Headers.empty], open, maxSize)
    : Effect.flatMap(encode(request.body), (encoded) => exchange(request, url, encoded, open, maxSize))

const make = (open: Open, maxSize: number): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal) =>
    send(request, url, (to, options) => open(to, { ...options, signal }), maxSize)
  )

/** Client with a maximum size of responses in bytes. */
export const layerWithin = (maxSize: number): Layer.Layer<HttpClient.HttpClient> =>
  Layer.scoped(
    HttpClient.HttpClient,
    Effect.map(agents, (agents) => make(overNetwork(agents), maxSize))
  )

/** Client with the standard maximum size. Follows no redirects. */
export const layer: Layer.Layer<HttpClient.HttpClient> = layerWithin(maxAnswerSize)

/** Client for a server in this process: `connect` opens a new connection for each request. */
export const layerOver = (connect: () => Duplex): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(
    HttpClient.HttpClient,
    make((url, options) => Http.request(url, { ...options, createConnection: connect }), maxAnswerSize)
  )

/**
 * Client for URLs in a definition: the guard refuses hosts outside of the public internet, both as written and as resolved. Idle
 * connections close by themselves, and do not keep the process alive. Makes no spans: the platform's would contain the query, and send
 * trace headers to other parties. Callers must read or destroy every body, because an unread one keeps its connection busy.
 */
export const guarded = (allowlist: Allowlist, maxSize: number): HttpClient.HttpClient => {
  const network = overNetwork(makeAgents())
  const open: Open = (url, options) => {
    const refused = refuseHost(url.hostname, portOf(url), allowlist)
    if (refused !== undefined) throw refused
    return network(url, { ...options, lookup: guardLookup(allowlist, portOf(url), Dns.lookup as LookupFunction) })
  }
  return HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap((request) =>
      Either.match(UrlParams.makeUrl(request.url, request.urlParams, request.hash), {
        onLeft: (cause) => Effect.fail(new HttpClientError.RequestError({ request, reason: "InvalidUrl", cause })),
        onRight: (url) => send(request, url, open, maxSize)
      })
    ),
    Effect.succeed
  )
}
