/**
 * Streamable HTTP: serves the protocol at `/mcp`, for clients that do not start the server themselves.
 *
 * - Every request needs the key as a bearer token, a host name of this server, and no `Origin` of another site: a web page cannot
 *   call it, even by a name that resolves to this machine.
 * - A client's connection is a session. At most {@link maxSessions} are open: a new one closes the least recently used. A session
 *   that is idle for an hour is closed.
 */
import { randomUUID } from "node:crypto"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Path from "@effect/platform/Path"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { isOwnName, isSame } from "../Dashboard/Request.ts"
import { listen } from "../Dashboard.ts"
import type { Connection, MakeConnection } from "../Mcp.ts"
import type { ListenError } from "../Web/ListenError.ts"
import { isLoopback, ofData } from "../Web/Serving.ts"

export interface HttpOptions {
  /** Address to listen on; default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Port; 0 for a free port. */
  readonly port: number
  readonly key: Redacted.Redacted
}

export interface Listening {
  readonly url: string
  /** True if only this machine can connect. */
  readonly isLocal: boolean
}

const maxSessions = 32
/** Milliseconds without a request after which a session is closed. */
const idleTimeout = 60 * 60_000
/** Maximum bytes of a message. */
const maxMessage = 1024 * 1024

interface Open {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly connection: Connection
  usedAt: number
}

const answered = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }), {
    status,
    contentType: "application/json",
    headers: { ...ofData, ...headers }
  })

/** Reason why a request is refused; undefined if it is allowed. */
const refusalOf = (
  request: HttpServerRequest.HttpServerRequest,
  place: { readonly bound: string; readonly port: number },
  key: Redacted.Redacted
) => {
  const { headers } = request
  const { authorization = "", host = "", origin } = headers
  if (!isOwnName(place, host))
    return answered(403, "the request names another host than this server: use the address that sluice printed")
  const isFromHere = origin === undefined || origin === `http://${host}` || origin === `https://${host}`
  const site = headers["sec-fetch-site"]
  if (!isFromHere || (site !== undefined && site !== "same-origin" && site !== "none")) {
    return answered(403, "pages of other sites are refused")
  }
  const [, given = ""] = /^Bearer\s+(\S+)$/i.exec(authorization.trim()) ?? []
  return isSame(given, Redacted.value(key))
    ? undefined
    : answered(401, "the key is missing or wrong: send it as authorization: Bearer KEY", {
        "www-authenticate": "Bearer"
      })
}

/** Serves the protocol until the scope closes. */
export const serve = (
  makeConnection: MakeConnection,
  { host: bound = "127.0.0.1", key, port: requested }: HttpOptions
): Effect.Effect<Listening, ListenError, Scope.Scope | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const server = yield* listen("the MCP server", bound, requested)
    const port = server.address._tag === "TcpAddress" ? server.address.port : requested
    const sessions = new Map<string, Open>()
    const close = ([id, { connection }]: readonly [string, Open]) => {
      sessions.delete(id)
      return Effect.ignore(Effect.tryPromise(() => connection.close()))
    }
    yield* Effect.addFinalizer(() => Effect.forEach([...sessions], close, { discard: true }))
    const closeIdle = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(
        [...sessions].filter(([, { usedAt }]) => now - usedAt > idleTimeout),
        close,
        { discard: true }
      )
    )
    yield* Effect.forkScoped(Effect.repeat(closeIdle, Schedule.spaced("1 minute")))

    /** Stores a session, and closes the least recently used ones beyond the limit. */
    const keep = (id: string, open: Open) => {
      const spare = [...sessions].toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
      const over = spare.slice(0, Math.max(0, sessions.size + 1 - maxSessions))
      sessions.set(id, open)
      for (const [each, { connection }] of over) {
        sessions.delete(each)
        connection.close().catch(() => undefined)
      }
    }

    /** Starts a session; the transport assigns its id when the client sends its `initialize` request. */
    const begin = Effect.gen(function* () {
      const connection = makeConnection("http")
      const usedAt = yield* Clock.currentTimeMillis
      const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => keep(id, { transport, connection, usedAt }),
        onsessionclosed: (id) => void sessions.delete(id),
        maxRequestBodySize: maxMessage
      })
      yield* Effect.promise(() => connection.connect(transport))
      return transport
    })

    const app = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const refusal = refusalOf(request, { bound, port }, key)
      if (refusal !== undefined) return refusal
      if (request.url.split("?", 1)[0] !== "/mcp") return answered(404, "the protocol is at /mcp")
      const id = request.headers["mcp-session-id"]
      const open = id === undefined ? undefined : sessions.get(id)
      if (id !== undefined && open === undefined) return answered(404, "the session has ended: connect again")
      if (open !== undefined) open.usedAt = yield* Clock.currentTimeMillis
      if (open === undefined && request.method !== "POST") return answered(400, "connect first, with a POST")
      const transport = open?.transport ?? (yield* begin)
      const web = yield* HttpServerRequest.toWeb(request)
      return HttpServerResponse.fromWeb(yield* Effect.promise(() => transport.handleRequest(web)))
    }).pipe(
      Effect.catchAllCause((cause) =>
        Effect.as(
          Effect.logError("a request to the MCP server failed", cause),
          answered(500, "internal error of sluice: see its log")
        )
      )
    )
    yield* server.serve(app)
    const name = bound === "0.0.0.0" || bound === "::" ? "127.0.0.1" : bound.includes(":") ? `[${bound}]` : bound
    return { url: `http://${name}:${port}/mcp`, isLocal: isLoopback(bound) }
  })
