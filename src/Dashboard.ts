/** The dashboard: an HTTP server with its own port that serves the pages and their API over one ledger. */

import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Path from "@effect/platform/Path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { on, safely } from "./Callback.ts"
import * as Definitions from "./Dashboard/Definitions.ts"
import * as Events from "./Dashboard/Events.ts"
import * as Launch from "./Dashboard/Launch.ts"
import * as Pages from "./Dashboard/Pages.ts"
import * as Request from "./Dashboard/Request.ts"
import { Refusal } from "./Dashboard/Request.ts"
import { refused, routes } from "./Dashboard/Routes.ts"
import { type Options, Setup } from "./Dashboard/Setup.ts"
import { Ledger } from "./Ledger.ts"
import * as Trace from "./Telemetry/Trace.ts"
import * as HttpServer from "./Web/HttpServer.ts"
import { ListenError } from "./Web/ListenError.ts"
import * as Live from "./Web/Live/Page.ts"
import * as Serving from "./Web/Serving.ts"
import { isLoopback, ofTrustedPage } from "./Web/Serving.ts"

export type { Options, StopShared } from "./Dashboard/Setup.ts"

/** A running dashboard. */
export interface Dashboard {
  /** Base URL, without the token. */
  readonly baseUrl: string
  /** The link to open, with the token in its fragment, which browsers never send. */
  readonly url: string
  /** True when only this machine can connect. */
  readonly isLocal: boolean
}

/** Maximum open connections. A further one closes the connection that has been idle for longest. */
const maxConnections = 512

/** Maximum bytes of a request body. */
const maxBody = 1024 * 1024

const notFound = new Refusal({ status: 404, reason: "no page has this address: the dashboard is at /" })
const wrongMethod = new Refusal({ status: 404, reason: "pages are served with GET; changes go to /api/" })

/**
 * HTTP server with timeouts for slow clients. Connections that arrive before `serve` is called wait for it. On shutdown it closes all
 * connections, including event streams.
 */
export const listen = (what: string, host: string, port: number) =>
  Effect.gen(function* () {
    const { abandon, open, server } = HttpServer.make({
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000
    })
    limitConnections(server, maxConnections)
    const listening = yield* NodeHttpServer.make(() => server, { host, port }).pipe(
      Effect.mapError(({ cause }) => new ListenError({ what, host, port, cause }))
    )
    // Closes connections before the server waits for them to end: event streams never end on their own.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        abandon()
        server.closeAllConnections()
      })
    )
    return {
      address: listening.address,
      serve: <E, R>(app: HttpApp.Default<E, R>) => Effect.zipLeft(listening.serve(app), Effect.sync(open))
    }
  })

/** Starts the dashboard; it is served until the scope closes. */
export const start = Trace.fn("Dashboard.start")(function* (
  options: Options
): Effect.fn.Return<Dashboard, ListenError, Scope.Scope | Ledger | FileSystem.FileSystem | Path.Path> {
  const { host: bound = "127.0.0.1", port: requestedPort = 0 } = options
  const server = yield* listen("the dashboard", bound, requestedPort)
  const port = server.address._tag === "TcpAddress" ? server.address.port : requestedPort
  const access = Request.makeAccess({ bound, port })
  const files = yield* makeFiles
  const services = yield* Layer.build(
    Layer.mergeAll(Definitions.layer, Events.layer, Pages.layer, Launch.layer, Request.layer).pipe(
      Layer.provideMerge(Layer.succeed(Setup, options)),
      Layer.provideMerge(Layer.service(FileSystem.FileSystem)),
      Layer.provideMerge(Layer.service(Path.Path))
    )
  )
  const ledger = yield* Ledger
  const api = yield* HttpRouter.toHttpApp(routes)
  const data = api.pipe(
    Effect.provide(services),
    // Provides only the ledger, not the whole context: each request has its own scope.
    Effect.provideService(Ledger, ledger),
    Effect.catchTag("RouteNotFound", () => Effect.succeed(refused(notFound))),
    HttpIncomingMessage.withMaxBodySize(Option.some(maxBody))
  )
  const app = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const refusal = access.check(request)
    if (refusal !== undefined) return refused(refusal)
    const path = request.url.split("?", 1)[0] ?? "/"
    if (path.startsWith("/api/")) return access.hasToken(request) ? yield* data : refused(Request.tokenMissing)
    if (request.method !== "GET" && request.method !== "HEAD") return refused(wrongMethod)
    // Pages need no token: they contain no data and load it from the API with the token.
    return yield* files(path) ?? Effect.succeed(refused(notFound))
  }).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.as(
        Effect.logError(
          `the dashboard failed: ${defect instanceof Error ? (defect.stack ?? defect.message) : String(defect)}`
        ),
        refused(new Refusal({ status: 503, reason: "internal error of sluice: see its log" }))
      )
    )
  )
  yield* server.serve(app)
  const name = bound === "0.0.0.0" || bound === "::" ? "127.0.0.1" : bound.includes(":") ? `[${bound}]` : bound
  const baseUrl = `http://${name}:${port}`
  return { baseUrl, url: `${baseUrl}/#token=${access.token}`, isLocal: isLoopback(bound) }
})

/** Keeps at most `limit` connections open. A new one replaces the connection that has been idle for longest, if there is one. */
const limitConnections = (server: Server, limit: number): void => {
  /** Idle connections, in the order in which they became idle. */
  const idle = new Set<Socket>()
  const open = new Set<Socket>()
  on(server, "connection", (socket: Socket) => {
    on(socket, "close", () => {
      open.delete(socket)
      idle.delete(socket)
    })
    if (open.size >= limit) {
      const [longest] = idle
      if (longest === undefined) return socket.destroy()
      open.delete(longest)
      idle.delete(longest)
      longest.destroy()
    }
    open.add(socket)
    idle.add(socket)
  })
  server.on(
    "request",
    safely(({ socket }, response) => {
      idle.delete(socket)
      on(response, "close", () => {
        if (open.has(socket)) idle.add(socket)
      })
    })
  )
}

const pageBundle = Serving.bundle({
  folder: "Dashboard",
  script: "Main.tsx",
  style: "Dashboard.css",
  name: "dashboard"
})

const respond = (body: string, contentType: string) =>
  HttpServerResponse.text(body, { contentType, headers: ofTrustedPage })

/** Pages and static files by path; the bundle is built at the first request. */
const makeFiles = Effect.map(Effect.cached(pageBundle), (pageBundle) => {
  const page = respond(pageHtml, "text/html; charset=utf-8")
  const icon = respond(Live.favicon, "image/svg+xml")
  return (path: string): Effect.Effect<HttpServerResponse.HttpServerResponse> | undefined => {
    switch (path) {
      case "/dashboard.js":
        return Effect.map(pageBundle, ({ script }) => respond(script, "text/javascript; charset=utf-8"))
      case "/dashboard.css":
        return Effect.map(pageBundle, ({ style }) => respond(style, "text/css; charset=utf-8"))
      case "/icon.svg":
        return Effect.succeed(icon)
      default:
        // Every other path without a file extension is a page: the browser routes it.
        return /^\/api(\/|$)|\.[^/]*$/.test(path) ? undefined : Effect.succeed(page)
    }
  }
})

const pageHtml = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>Sluice</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/dashboard.css">
<script type="module" src="/dashboard.js"></script></head>
<body class="dashboard"><div id="app"><p class="before">Opening the dashboard …</p></div>
<noscript><p class="before">The dashboard needs JavaScript. <code>sluice runs</code> shows the same in a terminal.</p></noscript></body></html>`
