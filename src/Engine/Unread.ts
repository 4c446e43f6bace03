/**
 * Answers that nobody reads: they occupy memory, so it is limited per connection and per team.
 *
 * A connection whose peer takes nothing for a while, with bytes left to send, is closed. Large answers share the memory of fetched bodies
 * with those of their team until they are sent. While a team has its share unread, its further calls are refused before they are made, and
 * those that have begun fetch no large body. The answer of a call that was made, and paid, is sent at once, whatever is unread.
 */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimited } from "../Api/Errors.ts"
import { listen, safely } from "../Callback.ts"
import * as Room from "./Fetch/PageMemory.ts"

export interface StallOptions {
  /**
   * How long the peer may take nothing. Node's first timeout only records the queue size, so closing can take up to twice this long. Slow
   * readers show no progress for long: the kernel takes more only when about a third of its buffer is free.
   */
  readonly timeout: Duration.Duration
  /** How often connections are looked at. */
  readonly interval: Duration.Duration
}

const usualStall: StallOptions = { timeout: Duration.seconds(60), interval: Duration.seconds(2) }

/** Closes connections whose peer does not read what is sent, for as long as the scope is open. */
export const closeStalled = (server: Server, { interval, timeout }: StallOptions = usualStall) =>
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

/** How long a call waits for the answers of its team to be read. */
const usual = Duration.seconds(5)

/** Answers calls while no more large answers of their team than its share are unread, and reserves memory for their own. */
export const make = (patience = usual) =>
  Effect.map(Room.shared, (room) => {
    const refused = new RateLimited({
      error:
        "This team has more large answers that its clients have not read yet than it may. Read or close those connections, then retry after 15 s.",
      code: "UNREAD_ANSWERS",
      retryAfter: 15
    })

    /** Before a call is made and paid: waits a moment while too much is unread, then fails. */
    const ready = (team: string): Effect.Effect<void, RateLimited> =>
      Effect.timeoutFail(room.whenRead(team), { duration: patience, onTimeout: () => refused }).pipe(
        // Requests are handled in an uninterruptible region, where the loser of a race would be waited for.
        Effect.interruptible
      )

    /** After the call: the answer has its memory until it is sent, or its connection ends. */
    const reserve = (team: string, response: HttpServerResponse.HttpServerResponse) =>
      Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
        const { body } = response
        if (body._tag !== "Uint8Array" || body.contentLength <= Room.small) return response
        const connection = NodeHttpServerRequest.toServerResponse(request)
        const { socket } = connection.req
        const giveBack = room.reserve(team, body.contentLength)
        const leave = () => {
          for (const forget of forgets) forget()
          giveBack()
        }
        // An answer that waits for the one before it on its connection has no socket yet, and is not told when that closes.
        const forgets = [connection, socket].map((emitter) => listen(emitter, { close: leave }, leave))
        if (connection.destroyed || socket.destroyed) leave()
        return response
      })

    /** Makes the call and reserves memory for its answer before the bodies that it has fetched give theirs back. */
    const answer = <E, R>(team: string, call: HttpApp.Default<E, R>) =>
      Effect.zipRight(
        ready(team),
        Effect.scopedWith((scope) =>
          Effect.flatMap(Effect.provideService(call, Room.Call, Option.some(scope)), (response) =>
            Effect.uninterruptible(reserve(team, response))
          )
        )
      )

    return { answer, unreadOf: room.unreadOf }
  })
