/**
 * Limits the memory of responses that clients do not read, per connection and per team.
 *
 * A connection is closed if its peer accepts no bytes for a minute although some are left to send. Large responses count against the team's
 * share of memory for fetched bodies until they are sent. While unread responses fill a team's share, further calls are refused before they
 * do any work, and running calls fetch no large bodies. The response of a finished call is always sent, because it has been paid for.
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
import { RateLimited } from "../../Api/Errors.ts"
import { listen, on, safely } from "../../Callback.ts"
import * as PageMemory from "./PageMemory.ts"

export interface StallOptions {
  /**
   * Time without progress after which a connection is closed; it may take twice as long, because Node's first timeout only records the
   * queue size. Slow readers may show no progress for a long time, because the kernel accepts more bytes only when about a third of its
   * buffer is free.
   */
  readonly timeout: Duration.Duration
  /** Interval between two checks of all connections. */
  readonly interval: Duration.Duration
}

const usualStall: StallOptions = { timeout: Duration.seconds(60), interval: Duration.seconds(2) }

/** Closes connections whose peer does not read, while the scope is open. */
export const closeStalled = (server: Server, { interval, timeout }: StallOptions = usualStall) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const millis = Duration.toMillis(timeout)
      const sockets = new Set<Socket>()
      on(server, "connection", (socket: Socket) => {
        // A connection that changes its protocol (to WebSocket) fires the event twice.
        if (sockets.has(socket)) return
        sockets.add(socket)
        on(socket, "close", () => sockets.delete(socket))
        // Before this event Node checks whether any of the pending bytes were written.
        on(socket, "timeout", () => {
          if (socket.timeout === millis && socket.writableLength > 0) socket.destroy()
        })
      })
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

/** Maximum time that a call waits until its team's clients have read. */
const usualTimeout = Duration.seconds(5)

/**
 * Creates the function that makes calls: refuses calls of a team whose unread responses fill its share, and reserves memory for the
 * responses of the others.
 */
export const make = (patience = usualTimeout) =>
  Effect.map(PageMemory.PageMemory, (room) => {
    const refused = new RateLimited({
      error:
        "This team has too many large answers that its clients have not read yet. Read those answers or close their connections, then retry after 15 s.",
      code: "UNREAD_ANSWERS",
      retryAfter: 15
    })

    /**
     * Runs before the call, when it has not cost anything yet. Waits up to `patience` while the team's unread responses exceed its share,
     * then fails.
     */
    const ready = (team: string): Effect.Effect<void, RateLimited> =>
      Effect.suspend(() =>
        room.isOverUnread(team)
          ? Effect.timeoutFail(room.whenRead(team), { duration: patience, onTimeout: () => refused }).pipe(
              // Requests run in an uninterruptible region, where `timeoutFail` would wait for the slower effect.
              Effect.interruptible
            )
          : Effect.void
      )

    /** Runs after the call. Reserves memory for the response until it is sent or its connection ends. */
    const reserve = (team: string, response: HttpServerResponse.HttpServerResponse) =>
      Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
        const { body } = response
        if (body._tag !== "Uint8Array" || body.contentLength <= PageMemory.uncountedSize) return response
        const connection = NodeHttpServerRequest.toServerResponse(request)
        const { socket } = connection.req
        const giveBack = room.reserve(team, body.contentLength)
        const leave = () => {
          for (const forget of forgets) forget()
          giveBack()
        }
        // With pipelining, a response that waits for its predecessor has no socket yet, and gets no `close` event from it.
        const forgets = [connection, socket].map((emitter) => listen(emitter, { close: leave }, leave))
        if (connection.destroyed || socket.destroyed) leave()
        return response
      })

    /** Makes the call, and reserves memory for the response before the memory of the fetched bodies is released. */
    const answer = <E, R>(team: string, call: HttpApp.Default<E, R>) =>
      Effect.zipRight(
        ready(team),
        Effect.scopedWith((scope) =>
          Effect.flatMap(Effect.provideService(call, PageMemory.Call, Option.some(scope)), (response) =>
            Effect.uninterruptible(reserve(team, response))
          )
        )
      )

    return { answer, unreadOf: room.unreadOf }
  })
