/**
 * Endpoint at which callers' programs, such as Playwright scripts, control a session over CDP (Chrome DevTools Protocol): a WebSocket,
 * authenticated by the secret of the session. Large commands are parsed on a worker thread.
 */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type { RawData, WebSocket } from "ws"
import { Forbidden, Gone, NotFound, RateLimited } from "../../Api/Errors.ts"
import type { Program } from "../../Callback/Threads.ts"
import { after, safely } from "../../Callback.ts"
import * as Upgrade from "../Http/Upgrade.ts"
import { SocketBacklog } from "../Teams/SocketBacklog.ts"
import { turnsOf } from "../Teams/TeamScheduler.ts"
import * as Worker from "../Teams/WorkerThread.ts"
import { type Reading, read } from "./CommandText.ts"
import type { Channel, DevtoolsError } from "./Devtools.ts"
import type { Limits } from "./Policy.ts"
import { endingTexts, type Session, Sessions } from "./Sessions.ts"

export const pathOf = (secret: string): string => `/cdp/${secret}`

/** Maximum programs connected to one session. */
const maxClients = 16
/** Maximum bytes of one command. Unmasking the WebSocket message blocks the event loop for about 3 ms per megabyte. */
const maxCommandBytes = 8 * 1024 * 1024
/** Maximum bytes that a program may leave unread. Beyond that, the browser's output pauses until half of them have been read. */
const maxUnreadBytes = 8 * 1024 * 1024
/** Time after which a program that reads nothing is disconnected. */
const readTimeout = Duration.seconds(15)
const secretOf = (url = ""): string | undefined => /^\/cdp\/([\w-]{16,64})\/?(?:\?.*)?$/.exec(url)?.[1]

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

/** Relays messages both ways until the program or the session has ended. */
const relay = (
  session: Session,
  ws: WebSocket,
  reader: CommandReader,
  unsent: SocketBacklog
): Effect.Effect<void, CommandLost | DevtoolsError> =>
  Effect.gen(function* () {
    const drop = () => ws.terminate()
    const { limits } = session.devtools
    const connection = yield* unsent.open(session.team.id, ws)
    /** Received commands that have not been parsed. The first is so large that a worker thread parses it; the others wait, to keep the order. */
    const unread: Array<Uint8Array> = []
    const hasUnread = yield* Effect.makeLatch(false)
    let channel: Channel | undefined
    let closeTimer: NodeJS.Timeout | undefined
    let isBehind = false
    let isBusy = false
    const turns = yield* turnsOf(session.team.id)
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(closeTimer)))
    /**
     * Stops reading from the program while the browser has not consumed earlier commands, while messages wait for the team's turn, while
     * the program leaves responses unread, and while a large command is parsed. Resumes otherwise.
     */
    const updateReading = () => {
      const mustPause = isBehind || isBusy || closeTimer !== undefined || unread.length > 0
      if (mustPause === ws.isPaused) return
      if (mustPause) ws.pause()
      else ws.resume()
    }
    const onWritten = () => {
      connection.count()
      if (ws.bufferedAmount > maxUnreadBytes / 2 || closeTimer === undefined) return
      clearTimeout(closeTimer)
      closeTimer = undefined
      channel?.resume()
      updateReading()
    }
    channel = yield* session.devtools.attach({
      onMessage: (message) => {
        // Responses (`{"id":…`) count as activity; events do not.
        if (message[2] === 0x69) session.touch()
        ws.send(message, { binary: false }, safely(onWritten, drop))
        connection.count()
        if (ws.bufferedAmount <= maxUnreadBytes) return true
        const close = () => connection.close(`Nothing was read for ${Duration.format(readTimeout)}`)
        closeTimer ??= setTimeout(safely(close, drop), Duration.toMillis(readTimeout)).unref()
        return false
      },
      onClose: (reason) => ws.close(1001, reason)
    })
    const { drained, refuse, relay } = channel
    const handle = (reading: Reading) => {
      if (reading._tag === "Unreadable") return ws.close(1007, reading.reason)
      session.touch()
      if (reading._tag === "Refused") refuse(reading.id, reading.reason, reading.sessionId)
      else if (!relay(reading.command) && !isBehind) {
        isBehind = true
        drained(() => {
          isBehind = false
          updateReading()
        })
      }
    }
    const left = Effect.async<void>((resume) => {
      Upgrade.hear(ws, turns, {
        message: (data) => {
          const json = bytesOf(data)
          // Keeps commands in order: all wait behind one that is being parsed on the thread.
          const reading = unread.length > 0 ? undefined : reader.readNow(json, limits)
          if (reading !== undefined) handle(reading)
          else {
            unread.push(json)
            hasUnread.unsafeOpen()
          }
          updateReading()
        },
        close: () => resume(Effect.void),
        wait: (isWaiting) => {
          isBusy = isWaiting
          updateReading()
        }
      })
      ws.resume()
      if (ws.readyState !== ws.OPEN) resume(Effect.void)
    })
    const readUnread = Effect.forever(
      Effect.gen(function* () {
        yield* hasUnread.await
        for (let json = unread[0]; json !== undefined; json = unread[0]) {
          handle(reader.readNow(json, limits) ?? (yield* reader.readLarge(session.team.id, json, limits)))
          unread.shift()
        }
        hasUnread.unsafeClose()
        updateReading()
      })
    )
    const closeOnEnd = Effect.map(session.ended, (why) => ws.close(1001, `The session has ended: ${endingTexts[why]}`))
    yield* Effect.raceFirst(Effect.raceFirst(left, closeOnEnd), readUnread)
  }).pipe(Effect.scoped)

/** Accepts programs for as long as the scope is open. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const upgrades = yield* Upgrade.Upgrades
    const run = yield* FiberSet.makeRuntime<never, void>()
    const reader = yield* make
    const unsent = yield* SocketBacklog
    const server = Upgrade.webSocketServer(maxCommandBytes)
    const clients = new Map<string, number>()

    const countClient = ({ id }: Session) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          const count = clients.get(id) ?? 0
          if (count >= maxClients) {
            const error = `This session has ${count} programs connected already: please retry after 5s.`
            return new RateLimited({ error, code: "RATE_LIMITED", retryAfter: 5 })
          }
          clients.set(id, count + 1)
          return Effect.void
        }),
        () =>
          Effect.sync(() => {
            const left = (clients.get(id) ?? 1) - 1
            if (left === 0) clients.delete(id)
            else clients.set(id, left)
          })
      )

    const authenticate = (secret: string, { headers }: IncomingMessage) => {
      // Only web pages send `Origin`.
      if (headers.origin !== undefined) {
        return new Forbidden({ error: "Web pages may not control a session.", code: "ORIGIN_REFUSED" })
      }
      const found = sessions.unlock("cdp", secret)
      if (found === undefined) return new NotFound({ error: "Browser session not found", code: "SESSION_NOT_FOUND" })
      return found._tag === "Open"
        ? Effect.succeed(found.session)
        : new Gone({
            error: `The browser session has ended: ${endingTexts[found.ending]}. Open another.`,
            code: "SESSION_GONE"
          })
    }

    const serve = (secret: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
      Effect.gen(function* () {
        const session = yield* authenticate(secret, request)
        yield* countClient(session)
        session.touch()
        const ws = yield* Upgrade.handshake(server, request, socket, head)
        yield* relay(session, ws, reader, unsent).pipe(
          Effect.catchTags({
            CommandLost: () => Effect.sync(() => ws.close(1009, "A command needs more memory than allowed.")),
            DevtoolsError: ({ message }) => Effect.sync(() => ws.close(1011, message.slice(0, 120)))
          }),
          Effect.ensuring(Effect.sync(() => void after(500, () => ws.terminate()).unref()))
        )
      }).pipe(Effect.scoped, Upgrade.guarded(socket, "A program at a session"))

    yield* upgrades.add((request, socket, head) => {
      const secret = secretOf(request.url)
      if (secret === undefined || !Upgrade.isWebSocket(request)) return false
      run(serve(secret, request, socket, head))
      return true
    })
  })
)

/** Maximum bytes of a command that is parsed on the main thread. 64 KB of object keys, the slowest JSON, take about 15 ms. */
const maxBytesHere = 64 * 1024
const program: Program = {
  source: new URL("./CommandThread.ts", import.meta.url),
  built: "command-thread.js",
  options: { env: {}, resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } }
}

/** The worker thread ended, because the command needs more memory than the thread may use. */
export class CommandLost extends Data.TaggedError("CommandLost")<{ readonly reason: string }> {}

export interface CommandReader {
  /** Parses on the main thread; undefined for a command that is too large. */
  readonly readNow: (json: Uint8Array, limits: Limits) => Reading | undefined
  readonly readLarge: (team: string, json: Uint8Array, limits: Limits) => Effect.Effect<Reading, CommandLost>
}

/** Makes a reader whose worker threads end with the scope. */
export const make = Effect.gen(function* () {
  const threads = yield* Worker.pool(program, { size: 2, idle: "1 minute" })
  return {
    readNow: (json, limits) => (json.byteLength > maxBytesHere ? undefined : read(json, limits)),
    readLarge: (team, json, limits) =>
      Effect.map(
        threads.ask(team, { json, limits }, (reason) => new CommandLost({ reason })),
        (reading) => reading as Reading
      )
  } satisfies CommandReader
})
