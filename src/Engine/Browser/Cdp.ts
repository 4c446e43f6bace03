/** The door for programs: the DevTools protocol over a WebSocket, by a session's own secret. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { type RawData, type WebSocket, WebSocketServer } from "ws"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import { Forbidden, Gone, NotFound, RateLimited } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import * as Upgrade from "../Upgrade.ts"
import type { Channel, DevtoolsError } from "./Devtools.ts"
import type { Command } from "./Policy.ts"
import { type Session, sentences } from "./Session.ts"
import { Sessions } from "./Sessions.ts"

export const pathOf = (secret: string): string => `/cdp/${secret}`

/** Programs at one session. */
const maxClients = 16
/** Bytes of one command: nothing else runs while it is read. */
const maxCommand = 16 * 1024 * 1024
/** Bytes that wait for a program to read them; more are not asked of the browser until it has read half of them. */
const maxWaiting = 8 * 1024 * 1024
/** How long it may leave them there. */
const patience = Duration.seconds(15)
/**
 * What one command may consist of: writing a deeper one to the browser would overflow the stack, and more objects hold up everybody.
 * Drivers write a row of three fields as five objects: 300,000 are 60,000 rows in one command.
 */
const bounds: Bounds = { levels: 1_000, containers: 300_000, keys: 300_000, values: 1_000_000 }
/** Signs of a method's name and of a session's: refusals repeat them. */
const maxName = 200

const secretOf = (url = ""): string | undefined => /^\/cdp\/([\w-]{16,64})\/?(?:\?.*)?$/.exec(url)?.[1]

const commandOf = (text: string): Command | string => {
  const excess = excessOf(text, bounds)
  if (excess !== undefined) return `a message ${excessText(excess, bounds[excess])}`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return "a message is not JSON"
  }
  if (!Predicate.isRecord(value)) return "a message is no object"
  const { id, method, params, sessionId } = value
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return "a message has no id"
  if (typeof method !== "string" || method.length > maxName) return "a message has no method"
  if (params !== undefined && !Predicate.isRecord(params)) return "the params of a message are no object"
  if (sessionId !== undefined && (typeof sessionId !== "string" || sessionId.length > maxName)) {
    return "the sessionId of a message is no name of a session"
  }
  return { id, method, params, sessionId }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString("utf8")

/** Carries messages both ways until one of them has left. */
const relay = (session: Session, ws: WebSocket): Effect.Effect<void, DevtoolsError> =>
  Effect.gen(function* () {
    const drop = () => ws.terminate()
    let channel: Channel | undefined
    let late: NodeJS.Timeout | undefined
    let isBehind = false
    /** Not while the browser is behind, nor while answers lie unread: refusals are ours, and a program can ask for any number. */
    const listen = () => {
      const isHeld = isBehind || late !== undefined
      if (isHeld === ws.isPaused) return
      if (isHeld) ws.pause()
      else ws.resume()
    }
    const relieve = () => {
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
        if (ws.bufferedAmount <= maxWaiting) return true
        late ??= setTimeout(safely(drop, drop), Duration.toMillis(patience)).unref()
        return false
      },
      onClose: (reason) => ws.close(1001, reason)
    })
    const { drained, send } = channel
    const left = Effect.async<void>((resume) => {
      ws.on(
        "close",
        safely(() => resume(Effect.void), drop)
      )
      ws.on(
        "message",
        safely((data) => {
          const command = commandOf(textOf(data))
          if (typeof command === "string") return ws.close(1007, command)
          session.touch()
          if (!send(command) && !isBehind) {
            isBehind = true
            drained(() => {
              isBehind = false
              listen()
            })
          }
          listen()
        }, drop)
      )
      ws.resume()
      if (ws.readyState !== ws.OPEN) resume(Effect.void)
    })
    const over = Effect.map(session.ended, (why) => ws.close(1001, `The session has ended: ${sentences[why]}`))
    yield* Effect.raceFirst(left, over)
    clearTimeout(late)
  }).pipe(Effect.scoped)

/** Lets programs in for as long as the scope is open. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const upgrades = yield* Upgrade.Upgrades
    const run = yield* FiberSet.makeRuntime<never, void>()
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: maxCommand,
      clientTracking: false,
      perMessageDeflate: false
    })
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
        yield* relay(session, ws).pipe(
          Effect.catchAll((error) => Effect.sync(() => ws.close(1011, error.message.slice(0, 120)))),
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
