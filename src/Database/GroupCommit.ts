/** Group commit: combines concurrent writes into one, because a flush to disk costs more than the data. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { nextTurn } from "../Callback/EventLoop.ts"

/**
 * Makes a function that writes one item, from `write` of many. It returns once the item is written. Uninterruptible, so that every item is
 * written or fails.
 *
 * The first caller writes the items of the same turn of the event loop. A separate fiber writes items that arrive meanwhile, so that the
 * first caller continues as soon as its own item is written.
 */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
): ((item: A) => Effect.Effect<void, E>) => {
  let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
  let isRunning = false
  /** Waits for the next turn of the event loop, then writes `first` and all waiting items together. */
  const writeGroup = (first: ReadonlyArray<A>): Effect.Effect<Exit.Exit<void, E>> =>
    Effect.flatMap(nextTurn, () => {
      const group = waiting
      waiting = []
      const finish = (exit: Exit.Exit<void, E>) => {
        for (const { done } of group) Deferred.unsafeDone(done, exit)
        return exit
      }
      const written = Effect.suspend(() => write([...first, ...group.map(({ item }) => item)]))
      return Effect.matchCause(written, {
        onFailure: (cause) => finish(Exit.failCause(cause)),
        onSuccess: () => finish(Exit.void)
      })
    })
  // Runs while items are waiting. Its callers are uninterruptible, so it ends before they do.
  const work = Effect.whileLoop({
    while: () => {
      isRunning = waiting.length > 0
      return isRunning
    },
    body: () => writeGroup([]),
    step: () => {}
  })
  return (item) =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        if (isRunning) {
          const done = Deferred.unsafeMake<void, E>(FiberId.none)
          waiting.push({ item, done })
          return Deferred.await(done)
        }
        isRunning = true
        return Effect.flatMap(writeGroup([item]), (exit) => {
          isRunning = waiting.length > 0
          return isRunning ? Effect.zipRight(Effect.forkDaemon(work), exit) : exit
        })
      })
    )
}
