/** One watcher's connection: what is sent waits until it has gone out, and a silent end is noticed. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { WebSocket } from "ws"
import { safely } from "../../Callback.ts"

/** The watcher does not read, or is not there any more. */
export class Lost extends Data.TaggedError("Lost") {}

export interface Line {
  /** Sends a piece of a message; done when the system has taken it, so that a slow reader holds one piece in memory. */
  readonly send: (bytes: Uint8Array, last: boolean) => Effect.Effect<void, Lost>
  readonly close: (code: number, reason: string) => Effect.Effect<void>
  /** Ends when the watcher has left. */
  readonly lost: Effect.Effect<void>
}

/** How long one piece may take, and how long a watcher has to agree to the end. */
const patience = Duration.minutes(1)
const farewell = Duration.millis(500)

export const open = (ws: WebSocket, heartbeat: Duration.Duration): Effect.Effect<Line, never, Scope.Scope> =>
  Effect.gen(function* () {
    const drop = () => ws.terminate()
    const gone = yield* Deferred.make<void>()
    let alive = true
    ws.on(
      "close",
      safely(() => Deferred.unsafeDone(gone, Effect.void), drop)
    )
    ws.on(
      "pong",
      safely(() => {
        alive = true
      }, drop)
    )
    ws.resume()
    if (ws.readyState !== ws.OPEN) yield* Deferred.succeed(gone, undefined)
    const beat = Effect.sync(() => {
      if (!alive) return ws.terminate()
      alive = false
      ws.ping()
    })
    yield* Effect.forkScoped(Effect.schedule(beat, Schedule.spaced(heartbeat)))

    const send = (bytes: Uint8Array, last: boolean) =>
      Effect.async<void, Lost>((resume) => {
        if (ws.readyState !== ws.OPEN) return resume(new Lost())
        ws.send(
          bytes,
          { binary: false, fin: last },
          safely((error) => resume(error == null ? Effect.void : new Lost()), drop)
        )
      }).pipe(Effect.timeoutFail({ duration: patience, onTimeout: () => new Lost() }))

    const close = (code: number, reason: string) =>
      Effect.suspend(() => {
        ws.close(code, reason)
        // It is called when the scope closes too, where nothing can be interrupted that does not say so.
        return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Deferred.await(gone)), farewell))
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => (ws.readyState === ws.OPEN ? close(1001, "The engine stops") : Effect.void)).pipe(
        Effect.zipRight(Effect.sync(() => ws.terminate()))
      )
    )
    return { send, close, lost: Deferred.await(gone) }
  })
