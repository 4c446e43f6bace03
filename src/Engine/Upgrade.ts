/** Connections that leave HTTP for another protocol: who takes them, and how they are refused. */
import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { WebSocket, WebSocketServer } from "ws"
import * as Failures from "./Failures.ts"

/** Looks at an upgrade; true when it has taken the connection over. */
export type Take = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

export class Upgrades extends Context.Tag("sluice/Engine/Upgrades")<
  Upgrades,
  {
    /** Whoever was added first is asked first, for as long as the scope is open. */
    readonly add: (take: Take) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  413: "Payload Too Large",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large"
}

/** Answers over the bare socket, which no response belongs to, and ends it. */
export const refuse = (socket: Duplex, { body, headers, status }: HttpServerResponse.HttpServerResponse): void => {
  const bytes = body._tag === "Uint8Array" ? Buffer.from(body.body) : Buffer.alloc(0)
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json",
    "content-length": String(bytes.byteLength),
    connection: "close"
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // Whoever does not close the connection after this answer gets it closed.
  socket.once("finish", () => setTimeout(() => socket.destroy(), 1_000).unref())
  socket.end(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${reasons[status] ?? "Error"}\r\n${lines.join("")}\r\n`), bytes])
  )
}

/** A WebSocket that hears nothing until it is resumed; nobody waits for a connection that ends before. */
export const handshake = (server: WebSocketServer, request: IncomingMessage, socket: Duplex, head: Buffer) =>
  Effect.async<WebSocket>((resume) => {
    if (socket.destroyed) return resume(Effect.interrupt)
    socket.once("close", () => resume(Effect.interrupt))
    server.handleUpgrade(request, socket, head, (ws) => {
      ws.pause()
      ws.on("error", () => ws.terminate())
      resume(Effect.succeed(ws))
    })
  })

export const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket"

/** Tells a failure to whoever waits at the socket; what nobody foresaw cuts it off, and the log says who was lost. */
export const guarded =
  (socket: Duplex, who: string) =>
  <R>(serve: Effect.Effect<void, Parameters<typeof Failures.response>[0], R>): Effect.Effect<void, never, R> => {
    const cut = Effect.sync(() => socket.destroy())
    return serve.pipe(
      Effect.onInterrupt(() => cut),
      Effect.catchAll((failure) => Effect.sync(() => refuse(socket, Failures.response(failure)))),
      Effect.catchAllCause((cause) =>
        Effect.zipRight(cut, Effect.logError(`${who} was lost for a reason that was not foreseen`, cause))
      )
    )
  }

/**
 * Puts itself before whoever listens to the server's upgrades already: they get what nobody takes. Once the scope
 * closes nobody gets any: the server does not close before every connection has.
 */
export const install = (server: Server) =>
  Effect.gen(function* () {
    const takes = new Set<Take>()
    let closing = false
    const others = server.listeners("upgrade")
    server.removeAllListeners("upgrade")
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Without anybody who listens, a connection that breaks would end the process.
      socket.on("error", () => socket.destroy())
      if (closing) {
        socket.destroy()
        return
      }
      for (const take of takes) if (take(request, socket, head)) return
      for (const other of others) other.call(server, request, socket, head)
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        closing = true
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
