/** Connection of one viewer: sends pictures and state, and accepts the messages that the viewer's link permits. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberSet from "effect/FiberSet"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { WebSocket } from "ws"
import { type Bounds, excessOf } from "../../Api/Depth.ts"
import { safely } from "../../Callback.ts"
import { type FromEngine, type Mode, maxPendingFrames } from "../../Web/Live/Protocol.ts"
import { FromWatcher, Steering } from "../../Web/Live/Steering.ts"
import * as Upgrade from "../Http/Upgrade.ts"
import type { Connection } from "../Teams/SocketBacklog.ts"
import { turnsOf } from "../Teams/TeamScheduler.ts"
import type { Session } from "./Sessions.ts"
import * as Choices from "./ViewInput.ts"
import { isInput, steer } from "./ViewInput.ts"
import type { ConnectedViewer, ViewSession } from "./ViewSession.ts"

/** Maximum unread bytes before a viewer is disconnected. Pictures are dropped at a quarter of that. */
const maxUnreadBytes = 16 * 1024 * 1024
/**
 * Limits for inputs that the page has not handled yet: moves (of mouse, wheel or touch) are dropped above the first, all inputs above the
 * second.
 */
const maxMoves = 16
const maxInputs = 1_000
/** Maximum messages per second from a viewer who may only watch: one acknowledgement per picture, and tab switches. */
const maxWatcherMessages = 200
const heartbeat = "15 seconds"
/** Limits of one message. A touch with ten fingers needs a few dozen values. */
const bounds: Bounds = { levels: 10, containers: 200, keys: 1_000, values: 1_000 }

const forWatchers = Schema.decodeUnknownEither(Schema.parseJson(FromWatcher))
const forSteering = Schema.decodeUnknownEither(Schema.parseJson(Schema.Union(FromWatcher, Steering)))

/**
 * Sends pictures to one viewer, at most `maxPendingFrames` ahead of the acknowledgements. Of the pictures that wait, only the newest is
 * kept.
 */
const pictureQueue = (ws: WebSocket, connection: Connection) => {
  let count = 0
  let next: Buffer | undefined
  const drop = () => ws.terminate()
  /** Even at the team's limit, a picture is sent if none is unacknowledged, because its acknowledgement requests the next. */
  const hasRoom = () => ws.bufferedAmount < maxUnreadBytes / 4 && (count === 0 || !connection.isFull())
  const show = (picture: Buffer) => {
    count += 1
    ws.send(picture, safely(connection.count, drop))
    connection.count()
  }
  return {
    offer: (picture: Buffer) => {
      if (count < maxPendingFrames && hasRoom()) {
        show(picture)
        return true
      }
      next = picture
      return false
    },
    forget: () => {
      next = undefined
    },
    seen: () => {
      count = Math.max(0, count - 1)
      // Room is checked again, because a viewer may acknowledge pictures without reading them.
      if (next === undefined || !hasRoom()) return
      const picture = next
      next = undefined
      show(picture)
    }
  }
}

/** True if the input may have opened a select box. */
const isPress = (message: Steering): boolean =>
  (message.type === "mouse" && message.action === "up" && message.button === "left") ||
  (message.type === "touch" && message.action === "end")

/** Time that the browser needs to recognize a tap. */
const tapDelay = "150 millis"

const isMove = (message: Steering): boolean =>
  message.type === "wheel" || ((message.type === "mouse" || message.type === "touch") && message.action === "move")

/** Serves a viewer until it disconnects or is disconnected. */
export const serve = (ws: WebSocket, mode: Mode, session: Session, viewSession: ViewSession, connection: Connection) =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never, void>()
    const drop = () => ws.terminate()
    const pictures = pictureQueue(ws, connection)
    const tell = (message: FromEngine) => {
      if (ws.readyState !== ws.OPEN) return
      if (ws.bufferedAmount > maxUnreadBytes) return connection.close("Too many bytes are unread")
      ws.send(JSON.stringify(message), safely(connection.count, drop))
      connection.count()
    }
    const viewer: ConnectedViewer = { offer: pictures.offer, forget: pictures.forget, tell }
    tell({ type: "hello", mode, left: Math.max(0, session.expiresAt - (yield* Clock.currentTimeMillis)) })
    const handle = yield* viewSession.join(viewer)
    let waiting = 0
    let [said, since] = [0, 0]
    const sized = new Set<string>()
    let choices: Choices.Choices | undefined
    let point = { x: 0, y: 0 }
    let held: Extract<Steering, { readonly type: "mouse" }> | undefined

    /** Shows the options of a select box that the input has opened. Runs after the input, with a timeout, because the page may hang. */
    const offer = (message: Steering) =>
      Effect.gen(function* () {
        if (message.type === "mouse") point = message
        if (message.type === "touch") point = message.points[0] ?? point
        if (!isPress(message)) return
        if (message.type === "touch") yield* Effect.sleep(tapDelay)
        const tab = handle.tab()
        if (tab?.sessionId === undefined) return
        choices = yield* Choices.at(point.x, point.y, tab, viewSession.ask)
        if (choices !== undefined) tell(choices.offered)
      }).pipe(Effect.timeout("5 seconds"), Effect.ignore)

    const execute = (message: Steering) => {
      session.touch()
      if (waiting >= maxInputs || (waiting >= maxMoves && isMove(message))) return
      if (message.type === "mouse") held = message.buttons === 0 ? undefined : message
      const sessionId = handle.tab()?.sessionId
      if (message.type === "size" && sessionId !== undefined) sized.add(sessionId)
      if (message.type === "choose") return run(Effect.ignore(choices?.choose(message.index) ?? Effect.void))
      waiting += 1
      steer(message, handle.tab(), viewSession).pipe(
        Effect.catchAll(({ reason }) =>
          Effect.succeed(
            isInput(message) ? undefined : ({ type: "notice", text: `That did not work: ${reason}` } as const)
          )
        ),
        Effect.map((said) => (said === undefined ? undefined : tell(said))),
        Effect.zipLeft(offer(message)),
        Effect.ensuring(
          Effect.sync(() => {
            waiting -= 1
          })
        ),
        run
      )
    }

    const watch = (message: FromWatcher) => {
      if (message.type === "seen") {
        pictures.seen()
        handle.relieved()
      } else if (mode === "watch") handle.look(message.tab)
      else {
        session.touch()
        run(Effect.ignore(viewSession.front(message.tab)))
      }
    }

    const hear = (text: string) => {
      if (excessOf(text, bounds) !== undefined) return ws.close(1007, "A message is not understood")
      if (mode === "interact") {
        const message = forSteering(text)
        if (Either.isLeft(message)) return ws.close(1007, "A message is not understood")
        const { right } = message
        return right.type === "seen" || right.type === "look" ? watch(right) : execute(right)
      }
      const message = forWatchers(text)
      return Either.isRight(message) ? watch(message.right) : ws.close(1008, "This link is for watching only")
    }

    /** Counts a message on arrival, because it may be handled much later. */
    const count = () => {
      const second = Math.floor(performance.now() / 1000)
      said = second === since ? said + 1 : 1
      since = second
      if (said > maxWatcherMessages) ws.close(1008, `More than ${maxWatcherMessages} messages in a second`)
    }

    // Releases the mouse button and the window sizes of a viewer who disconnects.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const tab of sized) viewSession.ask.tell("Emulation.clearDeviceMetricsOverride", {}, tab)
        const sessionId = handle.tab()?.sessionId
        if (held === undefined || sessionId === undefined) return
        const { x, y } = held
        viewSession.ask.tell(
          "Input.dispatchMouseEvent",
          { type: "mouseReleased", x, y, button: held.button },
          sessionId
        )
      })
    )

    const turns = yield* turnsOf(session.team.id)
    let isAlive = true
    const beat = Effect.sync(() => {
      if (!isAlive) return ws.terminate()
      isAlive = false
      ws.ping()
      tell({ type: "pulse" })
    })
    yield* Effect.forkScoped(Effect.schedule(beat, Schedule.spaced(heartbeat)))
    yield* Effect.async<void>((resume) => {
      ws.on(
        "pong",
        safely(() => {
          isAlive = true
        }, drop)
      )
      if (mode === "watch") ws.on("message", safely(count, drop))
      Upgrade.hear(ws, turns, {
        message: (data, isBinary) => (isBinary ? ws.close(1003, "Messages must be text") : hear(String(data))),
        close: () => resume(Effect.void),
        wait: (isWaiting) => (isWaiting ? ws.pause() : ws.resume())
      })
      ws.resume()
      if (ws.readyState !== ws.OPEN) resume(Effect.void)
    })
  }).pipe(Effect.scoped)
