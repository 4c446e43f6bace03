/**
 * CDP endpoint for programs: a WebSocket, authenticated by the secret of the session. Large commands are parsed on a worker
 * thread.
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
import { safely } from "../../Callback.ts"
import { Unsent } from "../Unsent.ts"
import * as Upgrade from "../Upgrade.ts"
import * as Worker from "../Worker.ts"
import { type Reading, read } from "./CommandText.ts"
import type { Channel, DevtoolsError } from "./Devtools.ts"
import type { Limits } from "./Policy.ts"
import { type Session, Sessions, sentences } from "./Sessions.ts"

export const pathOf = (secret: string): string => `/cdp/${secret}`

/** Programs at one session. */
const maxClients = 16
/** Bytes of one command: nothing else runs while they are unmasked, some 3 ms for a megabyte. */
const maxCommand = 8 * 1024 * 1024
/** Bytes that wait for a program to read them; more are not asked of the browser until it has read half of them. */
const maxWaiting = 8 * 1024 * 1024
/** How long it may leave them there. */
const patience = Duration.seconds(15)
const secretOf = (url = ""): string | undefined => /^\/cdp\/([\w-]{16,64})\/?(?:\?.*)?$/.exec(url)?.[1]

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

/** Carries messages both ways until one of them has left. */
const relay = (
  session: Session,
  ws: WebSocket,
  reader: CommandReader,
  unsent: Unsent
): Effect.Effect<void, CommandLost | DevtoolsError> =>
  Effect.gen(function* () {
    const drop = () => ws.terminate()
    const { limits } = session.devtools
    const connection = yield* unsent.open(session.team.id, ws)
    /** Commands that have come and are not read: the first of them is large. */
    const unread: Array<Uint8Array> = []
    const hasUnread = yield* Effect.makeLatch(false)
    let channel: Channel | undefined
    let late: NodeJS.Timeout | undefined
    let isBehind = false
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(late)))
    /** Not while the browser is behind, nor while answers lie unread: refusals are ours, and a program can ask for any number. */
    const listen = () => {
      const isHeld = isBehind || late !== undefined || unread.length > 0
      if (isHeld === ws.isPaused) return
      if (isHeld) ws.pause()
      else ws.resume()
    }
    const relieve = () => {
      connection.count()
      if (ws.bufferedAmount > maxWaiting / 2 || late === undefined) return
      clearTimeout(late)
      late = undefined
      channel?.resume()
      listen()
    }
    channel = yield* session.devtools.attach({
      onMessage: (message) => {
        // An answer, `{"id":…`, is what somebody has waited for.
        if (message[2] === 0x69) session.touch()
        ws.send(message, { binary: false }, safely(relieve, drop))
        connection.count()
        if (ws.bufferedAmount <= maxWaiting) return true
        const close = () => connection.close(`Nothing was read for ${Duration.format(patience)}`)
        late ??= setTimeout(safely(close, drop), Duration.toMillis(patience)).unref()
        return false
      },
      onClose: (reason) => ws.close(1001, reason)
    })
    const { drained, refuse, relay } = channel
    const obey = (reading: Reading) => {
      if (reading._tag === "Unreadable") return ws.close(1007, reading.reason)
      session.touch()
      if (reading._tag === "Refused") refuse(reading.id, reading.reason, reading.sessionId)
      else if (!relay(reading.command) && !isBehind) {
        isBehind = true
        drained(() => {
          isBehind = false
          listen()
        })
      }
    }
    const left = Effect.async<void>((resume) => {
      ws.on(
        "close",
        safely(() => resume(Effect.void), drop)
      )
      ws.on(
        "message",
        safely((data) => {
          const json = bytesOf(data)
          // Commands stay in order: behind one that is read in a thread all wait.
          const reading = unread.length > 0 ? undefined : reader.readNow(json, limits)
          if (reading !== undefined) obey(reading)
          else {
            unread.push(json)
            hasUnread.unsafeOpen()
          }
          listen()
        }, drop)
      )
      ws.resume()
      if (ws.readyState !== ws.OPEN) resume(Effect.void)
    })
    const readUnread = Effect.forever(
      Effect.gen(function* () {
        yield* hasUnread.await
        for (let json = unread[0]; json !== undefined; json = unread[0]) {
          obey(reader.readNow(json, limits) ?? (yield* reader.readLarge(session.team.id, json, limits)))
          unread.shift()
        }
        hasUnread.unsafeClose()
        listen()
      })
    )
    const over = Effect.map(session.ended, (why) => ws.close(1001, `The session has ended: ${sentences[why]}`))
    yield* Effect.raceFirst(Effect.raceFirst(left, over), readUnread)
  }).pipe(Effect.scoped)

/** Lets programs in for as long as the scope is open. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const upgrades = yield* Upgrade.Upgrades
    const run = yield* FiberSet.makeRuntime<never, void>()
    const reader = yield* make
    const unsent = yield* Unsent
    const server = Upgrade.webSocketServer(maxCommand)
    const clients = new Map<string, number>()

    const seat = ({ id }: Session) =>
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

    const enter = (secret: string, { headers }: IncomingMessage) => {
      // Pages of browsers say where they come from; programs do not.
      if (headers.origin !== undefined) {
        return new Forbidden({ error: "Web pages may not drive a session.", code: "ORIGIN_REFUSED" })
      }
      const found = sessions.unlock("cdp", secret)
      if (found === undefined) return new NotFound({ error: "Browser session not found", code: "SESSION_NOT_FOUND" })
      return found._tag === "Open"
        ? Effect.succeed(found.session)
        : new Gone({
            error: `The browser session has ended: ${sentences[found.ending]}. Open another.`,
            code: "SESSION_GONE"
          })
    }

    const serve = (secret: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
      Effect.gen(function* () {
        const session = yield* enter(secret, request)
        yield* seat(session)
        session.touch()
        const ws = yield* Upgrade.handshake(server, request, socket, head)
        yield* relay(session, ws, reader, unsent).pipe(
          Effect.catchTags({
            CommandLost: () => Effect.sync(() => ws.close(1009, "A command takes more memory than one may.")),
            DevtoolsError: ({ message }) => Effect.sync(() => ws.close(1011, message.slice(0, 120)))
          }),
          Effect.ensuring(
            Effect.sync(
              () =>
                void setTimeout(
                  safely(() => ws.terminate()),
                  500
                ).unref()
            )
          )
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

/** Bytes that are read on the spot: 64 kB of keys, the slowest JSON there is, take some 15 ms to read and write. */
const atOnce = 64 * 1024
const program: Worker.Program = {
  source: new URL("./CommandThread.ts", import.meta.url),
  built: "command-thread.js",
  options: { env: {}, resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } }
}

/** The thread ended: the command needs more memory than one may take. */
export class CommandLost extends Data.TaggedError("CommandLost")<{ readonly reason: string }> {}

export interface CommandReader {
  /** Undefined for a command that is too large to be read on the spot. */
  readonly readNow: (json: Uint8Array, limits: Limits) => Reading | undefined
  readonly readLarge: (team: string, json: Uint8Array, limits: Limits) => Effect.Effect<Reading, CommandLost>
}

/** For as long as the scope is open. */
export const make = Effect.gen(function* () {
  const ask = yield* Worker.pool(program, { size: 2, idle: "1 minute" })
  return {
    readNow: (json, limits) => (json.byteLength > atOnce ? undefined : read(json, limits)),
    readLarge: (team, json, limits) =>
      Effect.map(
        ask(team, { json, limits }, (reason) => new CommandLost({ reason })),
        (reading) => reading as Reading
      )
  } satisfies CommandReader
})
