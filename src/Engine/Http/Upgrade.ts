/**
 * Upgrade requests. WebSocket requests go to registered handlers, which take over the connection or refuse it with a response. A request
 * that offers another protocol, such as HTTP/2, is served as plain HTTP.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RawData, WebSocket, WebSocketServer } from "ws"
import { after, on, safely } from "../../Callback.ts"
import { ws } from "../../Packages.ts"
import type { Turns } from "../Teams/TeamScheduler.ts"
import * as Failures from "./Failures.ts"
import { closeAfter, isAnswering } from "./LingeringClose.ts"

/** Upgrade handler. Returns true if it has taken over the connection. */
export type Take = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

export class Upgrades extends Context.Tag("sluice/Engine/Http/Upgrades")<
  Upgrades,
  {
    /** Adds a handler for as long as the scope is open. Handlers are called in the order in which they were added. */
    readonly add: (take: Take) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** Writes a response to the socket of an upgrade request, which has no `ServerResponse`, and closes it. */
export const refuse = (socket: Duplex, { body, headers, status }: HttpServerResponse.HttpServerResponse): void => {
  const bytes = body._tag === "Uint8Array" ? Buffer.from(body.body) : Buffer.alloc(0)
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json",
    "content-length": String(bytes.byteLength),
    connection: "close"
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  closeAfter(
    socket,
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`), bytes])
  )
}

/**
 * WebSocket server for `handshake`, created for the first connection. A connection delivers at most one message per turn of the event loop,
 * so a client that sends many at once does not block the others.
 */
export const webSocketServer = (maxPayload: number): (() => WebSocketServer) => {
  let server: WebSocketServer | undefined
  return () => {
    server ??= new (ws().WebSocketServer)({
      noServer: true,
      maxPayload,
      clientTracking: false,
      allowSynchronousEvents: false
    })
    return server
  }
}

/** Maximum messages of a connection that wait for their team's turn; at that number, reading is paused. */
const maxWaiting = 16

export interface Listeners {
  readonly message: (data: RawData, isBinary: boolean) => void
  /** Called after the last message. */
  readonly close: () => void
  /** Called when messages begin to wait, and when none are left waiting: pause or resume reading. */
  readonly wait: (isWaiting: boolean) => void
}

/** Handles a WebSocket's messages in its team's turns, so that many connections get a team no more event loop time than one. */
export const hear = (ws: WebSocket, turns: Turns, { close, message, wait }: Listeners): void => {
  const drop = () => ws.terminate()
  let waiting = 0
  on(ws, "close", () => turns(safely(close, drop)), drop)
  ws.on(
    "message",
    safely((data, isBinary) => {
      waiting += 1
      if (waiting === maxWaiting) wait(true)
      turns(
        safely(() => {
          waiting -= 1
          message(data, isBinary)
          if (waiting === 0) wait(false)
        }, drop)
      )
    }, drop)
  )
}

/**
 * Completes the handshake and returns the WebSocket, paused until `resume` is called. Interrupts if the connection ends first. An invalid
 * handshake is answered by the library, which also closes the connection.
 */
export const handshake = (server: () => WebSocketServer, request: IncomingMessage, socket: Duplex, head: Buffer) =>
  Effect.async<WebSocket>((resume) => {
    if (socket.destroyed) return resume(Effect.interrupt)
    const broken = (cause: unknown) => resume(Effect.die(cause))
    on(socket, "close", () => resume(Effect.interrupt), broken)
    server().handleUpgrade(
      request,
      socket,
      head,
      safely((ws) => {
        ws.pause()
        ws.on(
          "error",
          safely(
            () => ws.terminate(),
            () => ws.terminate()
          )
        )
        resume(Effect.succeed(ws))
      }, broken)
    )
  })

export const isWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket"

/**
 * Sends a failure as a response on the socket. After a defect or an interruption the connection is cut; a defect is logged with the name of
 * the peer.
 */
export const guarded =
  (socket: Duplex, who: string) =>
  <R>(serve: Effect.Effect<void, Parameters<typeof Failures.response>[0], R>): Effect.Effect<void, never, R> => {
    const cut = Effect.sync(() => socket.destroy())
    return serve.pipe(
      Effect.onInterrupt(() => cut),
      Effect.catchAll((failure) => Effect.sync(() => refuse(socket, Failures.response(failure)))),
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause)
          ? cut // The client closed the connection before the handshake was complete.
          : Effect.zipRight(cut, Effect.logError(`${who} was lost with an unexpected error`, cause))
      )
    )
  }

/** The head of a request without its offer of another protocol. */
const plainHead = ({ headers, httpVersion, method, rawHeaders, url }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  if (/\bclose\b/i.test(headers.connection ?? "")) lines.push("connection: close")
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (!/^(?:connection|http2-settings|upgrade)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1")
}

/** Milliseconds for sending the last messages when the engine stops. A client that reads nothing would never end its side. */
const maxClosing = 2_000

/**
 * Runs the registered handlers before the existing listeners of the server, which get the upgrades that no handler takes. After the scope
 * has closed, upgrades are cut, because the server waits for all connections when it closes.
 */
export const install = (server: Server) =>
  Effect.gen(function* () {
    const takes = new Set<Take>()
    /** Connections that asked for another protocol. The server does not track them, so it cannot close them itself. */
    const upgraded = new Set<Duplex>()
    let closing = false
    const others = server.listeners("upgrade")
    server.removeAllListeners("upgrade")
    /**
     * Serves a request without its offer of another protocol. Some clients (Java, curl --http2) offer HTTP/2 with every request, even with
     * bodies.
     */
    const again = (socket: Duplex, bytes: Buffer) => {
      socket.removeAllListeners("timeout")
      socket.unshift(bytes)
      server.emit("connection", socket)
    }
    server.on(
      "upgrade",
      safely(
        (request: IncomingMessage, socket: Duplex, head: Buffer) => {
          // While earlier requests are unanswered, the response would overtake theirs, and Node would not write the rest of them.
          if (closing || isAnswering(socket)) {
            socket.destroy()
            return
          }
          if (!isWebSocket(request)) return again(socket, Buffer.concat([plainHead(request), head]))
          upgraded.add(socket)
          on(socket, "close", () => void upgraded.delete(socket))
          // Without a listener, an error of the connection would end the process.
          on(socket, "error", () => socket.destroy())
          for (const take of takes) if (take(request, socket, head)) return
          for (const other of others) other.call(server, request, socket, head)
        },
        (_, [, socket]) => socket.destroy()
      )
    )
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        closing = true
        after(maxClosing, () => {
          for (const socket of upgraded) socket.destroy()
        }).unref()
      })
    )
    return Upgrades.of({
      add: (take) =>
        Effect.acquireRelease(
          Effect.sync(() => takes.add(take)),
          () => Effect.sync(() => takes.delete(take))
        )
    })
  })
