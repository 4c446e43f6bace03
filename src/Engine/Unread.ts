/**
 * Answers that nobody reads: they occupy memory, so it is limited per connection and per team.
 *
 * A connection whose peer takes nothing for a while, with bytes left to send, is closed. Large answers share the memory of fetched bodies
 * with those of their team until they are sent. While a team has its share unread, its further calls are refused before they are made. The
 * answer of a call that was made, and paid, is never dropped: it waits for room for as long as its connection lives, which ends at the
 * latest when the stalled connections before it have been closed.
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
  /** Bytes of large answers of a team that are not sent yet, beyond which its calls are not made. */
  readonly perTeam: number
  /** How long a call waits for them to be read. */
  readonly patience: Duration.Duration
}

const bounds: Bounds = { perTeam: 96 * 1024 * 1024, patience: Duration.seconds(5) }

/** Refuses calls while large answers of their team are not read, and holds back the answers for which there is no room. */
export const make = ({ patience, perTeam } = bounds) =>
  Effect.map(Effect.zip(Effect.runtime(), Room.shared), ([runtime, room]) => {
    /** Bytes of large answers that are being sent, or wait to be, by team. */
    const unsent = new Map<string, number>()
    const waiting = new Set<() => void>()
    const unsentOf = (team: string): number => unsent.get(team) ?? 0
    const count = (team: string, bytes: number) => {
      const sum = unsentOf(team) + bytes
      if (sum === 0) unsent.delete(team)
      else unsent.set(team, sum)
      if (bytes < 0) for (const look of waiting) look()
    }

    const refused = new RateLimited({
      error: `This team has ${Math.round(perTeam / 1024 / 1024)} MB of answers that its clients have not read yet. Read or close those connections, then retry after 15 s.`,
      code: "UNREAD_ANSWERS",
      retryAfter: 15
    })

    // Requests are handled in an uninterruptible region, where the loser of a race would be waited for.

    /** Before a call is made and paid: waits a moment while too much is unread, then fails. */
    const ready = (team: string): Effect.Effect<void, RateLimited> =>
      Effect.async<void>((resume) => {
        const look = () => {
          if (unsentOf(team) > perTeam) return
          waiting.delete(look)
          resume(Effect.void)
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      }).pipe(Effect.timeoutFail({ duration: patience, onTimeout: () => refused }), Effect.interruptible)

    /** After the call: waits until there is room for its answer, as long as the connection lives. */
    const hold = (team: string, response: HttpServerResponse.HttpServerResponse) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          const { body } = response
          if (body._tag !== "Uint8Array" || body.contentLength <= Room.small) return response
          const connection = NodeHttpServerRequest.toServerResponse(yield* HttpServerRequest.HttpServerRequest)
          const { socket } = connection.req
          const bytes = body.contentLength
          const scope = yield* Scope.make()
          const leave = Scope.close(scope, Exit.void)
          count(team, bytes)
          yield* Scope.addFinalizer(
            scope,
            Effect.sync(() => count(team, -bytes))
          )
          const place = yield* Scope.extend(room.open({ team, host: undefined }), scope)
          // An answer that waits for the one before it on its connection has no socket yet, and is not told when that closes.
          const gone = Effect.async<void>((resume) => {
            const isGone = safely(() => resume(Effect.void))
            socket.once("close", isGone)
            if (socket.destroyed) isGone()
            return Effect.sync(() => socket.off("close", isGone))
          })
          yield* Effect.onExit(Effect.interruptible(Effect.raceFirst(place.grow(bytes), gone)), (exit) =>
            Exit.isSuccess(exit) ? Effect.void : leave
          )
          const closed = safely(() => {
            connection.off("close", closed)
            socket.off("close", closed)
            Runtime.runFork(runtime)(leave)
          })
          connection.on("close", closed)
          socket.on("close", closed)
          return connection.destroyed || socket.destroyed ? yield* Effect.as(leave, response) : response
        })
      )

    return { ready, hold, unsentOf }
  })
