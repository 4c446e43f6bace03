/** HTTP server: address, limits, timeouts, shutdown, and responses to requests that cannot be parsed. */

import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo, ListenOptions } from "node:net"
import type { Duplex } from "node:stream"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Forbidden, TooLarge } from "../../Api/Errors.ts"
import { maxFileSize } from "../../Api/Upload.ts"
import { after, on, safely } from "../../Callback.ts"
import * as HttpServer from "../../Web/HttpServer.ts"
import { ListenError } from "../../Web/ListenError.ts"
import { isNamed } from "../../Web/Serving.ts"
import { inOrder } from "../InOrder.ts"
import * as UnreadAnswers from "../Teams/UnreadAnswers.ts"
import * as Failures from "./Failures.ts"
import * as LingeringClose from "./LingeringClose.ts"
import * as MemoryConnection from "./MemoryConnection.ts"
import * as RequestBody from "./RequestBody.ts"
import * as Requests from "./Requests.ts"
import * as Upgrade from "./Upgrade.ts"

const maxJsonSize = 10 * 1024 * 1024

/** Maximum upload: a file, its options, and the overhead of multipart. */
const maxUploadSize = maxFileSize + 2 * 1024 * 1024

const foreign = Failures.response(
  new Forbidden({
    error:
      "This engine only accepts the Host names localhost and 127.0.0.1. Let the proxy in front of it send one of them, or let the engine listen on another address of its machine.",
    code: "FOREIGN_HOST"
  })
)

/**
 * On loopback, refuses requests with another `Host`. Otherwise a web page could use the engine through its visitor's browser (DNS
 * rebinding).
 */
const ownNameOnly = (bound: string) => (app: HttpApp.Default) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    isNamed(bound, headers.host) ? app : Effect.succeed(foreign)
  )

/** Refuses bodies that are too large: by `Content-Length` before a byte is read, otherwise while reading. */
const limited = (app: HttpApp.Default) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const type = (request.headers["content-type"] ?? "").toLowerCase()
    // If the type contains both, the platform reads JSON.
    const upload = type.includes("multipart/form-data") && !type.includes("application/json")
    const max = upload ? maxUploadSize : maxJsonSize
    if (Number(request.headers["content-length"] ?? 0) > max) {
      const error = `The body is larger than the limit of ${upload ? "50 MB for a file" : "10 MB for JSON"}.`
      return Effect.succeed(Failures.response(new TooLarge({ error, code: "REQUEST_TOO_LARGE" })))
    }
    const limited = RequestBody.limitedBody(request, max)
    return Effect.mapInputContext(app, (context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
      Context.add(
        Context.add(context, HttpServerRequest.HttpServerRequest, limited),
        HttpIncomingMessage.MaxBodySize,
        Option.some(FileSystem.Size(max))
      )
    )
  })

/**
 * True for a path in its only accepted spelling. The router would also accept double slashes, percent-encoded letters, absolute URLs and
 * parameters after a semicolon. Limits and metrics compare paths, so a second spelling could bypass them.
 */
const isPlain = (url: string): boolean =>
  /^\/(?!\/)[^?;#]*(?:\?|$)/.test(url) && !/^[^?]*(?:\/\/|%(?:2[def]|3\d|[46][1-9a-f]|[57][\da]|5f|7e))/i.test(url)

const plainPath = (app: HttpApp.Default<unknown>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isPlain(request.url) ? app : new HttpServerError.RouteNotFound({ request })
  )

const withHeaders = (app: HttpApp.Default) =>
  Effect.map(app, HttpServerResponse.setHeader("x-content-type-options", "nosniff"))

/** Applies `ownNameOnly` to upgrade requests. */
const ownNameFirst =
  (bound: string): Upgrade.Take =>
  ({ headers }, socket) => {
    if (isNamed(bound, headers.host)) return false
    Upgrade.refuse(socket, foreign)
    return true
  }

/** The engine's HTTP server, and the ways to connect to it. */
export class Listener extends Context.Tag("sluice/Engine/Http/Listener")<
  Listener,
  {
    readonly server: Server
    /** Accepts connections. Call it when all routes and handlers of upgrades are there: earlier connections wait for it. */
    readonly open: () => void
    /** Closes the connections that wait for `open`. */
    readonly abandon: () => void
    /**
     * Address for programs on this machine, such as `http://127.0.0.1:4711`. If `port` is false, the first request for the address starts
     * listening on a free port.
     */
    readonly baseUrl: Effect.Effect<string, ListenError>
    /** Opens a connection within this process. After the engine has closed, the connection is refused. */
    readonly connect: () => Duplex
  }
>() {}

const noAddress: AddressInfo = { address: "localhost", family: "IPv4", port: 0 }

/** Makes the server's `listen` return without listening, until `wake` is called. */
const silence = (server: Server): void => {
  const listen = (_: ListenOptions, ready: () => void) => {
    ready()
    return server
  }
  Object.assign(server, { listen, address: () => noAddress })
}

const wake = (server: Server, host: string): Effect.Effect<void, ListenError> =>
  Effect.async((resume) => {
    for (const name of ["listen", "address"]) Reflect.deleteProperty(server, name)
    const failed = safely((cause: unknown) => resume(new ListenError({ what: "the engine", host, port: 0, cause })))
    server.once("error", failed)
    server.listen(
      { host, port: 0 },
      safely(() => {
        server.off("error", failed)
        resume(Effect.void)
      })
    )
  })

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo
  const host = ["0.0.0.0", "::"].includes(address) ? "127.0.0.1" : address.includes(":") ? `[${address}]` : address
  return `http://${host}:${port}`
}

export interface Place {
  readonly host: string
  /** False for no port: only connections from this process are served, until an address is requested. */
  readonly port: number | false
}

/** Server with timeouts for slow senders. It listens once `layer` is built, and accepts connections once `opened` is. */
export const listener = ({ host, port }: Place) =>
  Layer.effect(
    Listener,
    Effect.gen(function* () {
      const { abandon, open, server } = HttpServer.make({
        headersTimeout: 15_000,
        requestTimeout: 120_000,
        keepAliveTimeout: 30_000,
        connectionsCheckingInterval: 5_000
      })
      // Errors of accepting a single connection are ignored. An error of listening is reported below.
      on(server, "error", () => undefined)
      answer(server)
      if (port === false) silence(server)
      const listening = yield* Effect.cached(port === false ? wake(server, host) : Effect.void)
      return {
        server,
        open,
        abandon,
        baseUrl: Effect.map(listening, () => addressOf(server)),
        connect: () => MemoryConnection.connect(server)
      }
    })
  )

/** Serves until the scope closes. Connections with slow readers are closed a second later. */
const listen = ({ host, port }: Place) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { abandon, server } = yield* Listener
      yield* UnreadAnswers.closeStalled(server)
      const closing = Effect.addFinalizer(() =>
        Effect.sync(() => {
          // Later connections from this process would otherwise wait for a response forever.
          server.prependListener(
            "connection",
            safely((socket) => socket.destroy())
          )
          abandon()
          server.closeIdleConnections()
          after(1_000, () => server.closeAllConnections()).unref()
        })
      )
      return Layer.scopedDiscard(closing).pipe(
        Layer.provideMerge(NodeHttpServer.layerServer(() => server, { host, port: port === false ? 0 : port })),
        Layer.mapError(
          ({ cause }) => new ListenError({ what: "the engine", host, port: port === false ? 0 : port, cause })
        )
      )
    })
  )

export interface ServerOptions extends Place {
  /** Runs before the routes. If it fails, its failure becomes the response. */
  readonly gate: (app: HttpApp.Default) => HttpApp.Default<unknown>
}

/** Serves the provided routes. Returns the server, which knows its address. */
export const layer = ({ gate, host, port }: ServerOptions) => {
  const middleware = (app: HttpApp.Default) =>
    Requests.withRequestId(withHeaders(ownNameOnly(host)(limited(Failures.handled(plainPath(gate(app)))))))
  // The check of the host is added first, so it runs before the upgrade handlers of the routes.
  const upgrades = Layer.scoped(
    Upgrade.Upgrades,
    Effect.flatMap(Listener, ({ server }) => Upgrade.install(server)).pipe(
      Effect.tap(({ add }) => add(ownNameFirst(host)))
    )
  )
  return inOrder(
    listen({ host, port }),
    HttpApiBuilder.middleware(middleware),
    HttpMiddleware.withSpanNameGenerator(
      // This file system puts uploads into the temporary folders of the engine.
      Layer.provide(
        HttpApiBuilder.serve((app) => app),
        Layer.merge(NodeHttpServer.layerContext, Layer.service(FileSystem.FileSystem))
      ),
      Requests.spanName
    ),
    upgrades
  )
}

/** Accepts connections. Build it after everything that handles them. */
export const opened = Layer.effectDiscard(Effect.map(Listener, ({ open }) => open()))

const answers: Readonly<Record<string, readonly [status: number, code: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "HEADERS_TOO_LARGE", "The address and the headers are larger than the limit of 16 KB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "REQUEST_TOO_LARGE", "The extensions of the body's chunks are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "REQUEST_TIMEOUT", "The request was not sent completely in time."]
}

const badRequest = [400, "BAD_REQUEST", "The request is not valid HTTP."] as const

const answerTo = (error: Error) => {
  const [status, code, text] = answers[String(Reflect.get(error, "code"))] ?? badRequest
  return HttpServerResponse.unsafeJson({ success: false, error: text, code }, { status })
}

const isGone = (error: Error): boolean => Reflect.get(error, "code") === "ECONNRESET"

/** Answers requests that cannot be parsed. */
export const answer = (server: Server): void => {
  LingeringClose.install(server)
  const malformed = new WeakSet<Duplex>()
  server.on(
    "clientError",
    safely(
      (error, socket) => {
        if (!socket.writable || isGone(error)) return socket.destroy()
        // Fires again for each chunk that arrives after the first error.
        if (malformed.has(socket)) return
        malformed.add(socket)
        LingeringClose.closeMalformed(socket, () => Upgrade.refuse(socket, answerTo(error)))
      },
      (_, [, socket]) => socket.destroy()
    )
  )
  // Ignores expectations other than 100-continue.
  server.on(
    "checkExpectation",
    safely(
      (request: IncomingMessage, response: ServerResponse) => {
        server.emit("request", request, response)
      },
      (_, [{ socket }]) => socket.destroy()
    )
  )
}
