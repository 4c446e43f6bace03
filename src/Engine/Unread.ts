/**
 * Answers that nobody reads: they occupy memory, so it is limited per connection and per team.
 *
 * A connection whose peer takes nothing for a while, with bytes left to send, is closed. Large answers of one team wait for each other's
 * bytes to be sent, each a moment; then the call fails and its answer is dropped.
 */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { RateLimited } from "../Api/Errors.ts"
import { safely } from "../Callback.ts"
import * as Room from "./Scrape/Room.ts"

export interface StallOptions {
  /**
   * How long the peer may take nothing. Node's first timeout only records the queue size, so closing can take up to twice this long. Slow
   * readers show no progress for long: the kernel takes more only when about a third of its buffer is free.
   */
  readonly timeout: Duration.Duration
  /** How often connections are looked at. */
  readonly interval: Duration.Duration
}

const usual: StallOptions = { timeout: Duration.seconds(60), interval: Duration.seconds(2) }

/** Closes connections whose peer does not read what is sent, for as long as the scope is open. */
export const closeStalled = (server: Server, { interval, timeout }: StallOptions = usual) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const millis = Duration.toMillis(timeout)
      const sockets = new Set<Socket>()
      server.on(
        "connection",
        safely((socket) => {
          // A connection that offered another protocol comes again.
          if (sockets.has(socket)) return
          sockets.add(socket)
          socket.once(
            "close",
            safely(() => sockets.delete(socket))
          )
          // Node tells whether some of a write was taken since it last looked.
          socket.on(
            "timeout",
            safely(() => {
              if (socket.timeout === millis && socket.writableLength > 0) socket.destroy()
            })
          )
        })
      )
      const look = () => {
        for (const socket of sockets) {
          if (socket.writableLength > 0 && socket.timeout !== millis) socket.setTimeout(millis)
          else if (socket.writableLength === 0 && socket.timeout === millis) socket.setTimeout(0)
        }
      }
      return setInterval(safely(look), Duration.toMillis(interval)).unref()
    }),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

export interface Bounds {
  /** Bytes of large answers that are not sent yet: of all teams, and of one. */
  readonly capacity: number
  readonly perTeam: number
  /** How long a large answer waits for others of its team to be read. */
  readonly patience: Duration.Duration
}

const bounds: Bounds = { capacity: 256 * 1024 * 1024, perTeam: 96 * 1024 * 1024, patience: Duration.seconds(5) }

/** Holds back large answers while others of their team are not read. */
export const make = ({ capacity, patience, perTeam } = bounds) =>
  Effect.map(Effect.runtime(), (runtime) => {
    const room = Room.make({ capacity, perTeam, perHost: perTeam })
    const unread = () =>
      new RateLimited({
        error: `This team has ${Math.round(perTeam / 1024 / 1024)} MB of answers that its clients have not read yet. Read or close those connections, then retry after 15 s.`,
        code: "UNREAD_ANSWERS",
        retryAfter: 15
      })
    return (team: string, response: HttpServerResponse.HttpServerResponse) =>
      Effect.gen(function* () {
        const { body } = response
        if (body._tag !== "Uint8Array" || body.contentLength <= Room.small) return response
        const connection = NodeHttpServerRequest.toServerResponse(yield* HttpServerRequest.HttpServerRequest)
        const scope = yield* Scope.make()
        const leave = Scope.close(scope, Exit.void)
        const enter = Effect.flatMap(Scope.extend(room.open({ team, host: "" }), scope), (place) =>
          Effect.timeoutFail(Effect.interruptible(place.grow(body.contentLength)), {
            duration: patience,
            onTimeout: unread
          })
        )
        yield* Effect.onExit(enter, (exit) => (Exit.isSuccess(exit) ? Effect.void : leave))
        const { socket } = connection.req
        const closed = safely(() => {
          connection.off("close", closed)
          socket.off("close", closed)
          Runtime.runFork(runtime)(leave)
        })
        connection.on("close", closed)
        // An answer that waits for the one before it on its connection has no socket yet, and is not told when that closes.
        socket.on("close", closed)
        return connection.destroyed || socket.destroyed ? yield* Effect.as(leave, response) : response
      })
  })
