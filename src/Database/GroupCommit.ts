/** Group commit: concurrent writes become one, because a flush to disk costs more than the data. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { nextTurn } from "../Callback/EventLoop.ts"

/** Makes a write of one item from `write` of many. Returns when the item is written. Uninterruptible, so that every item is written or fails. */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
): ((item: A) => Effect.Effect<void, E>) => {
  let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
  let isRunning = false
  const flush = Effect.suspend(() => {
    const group = waiting
    waiting = []
    return Effect.flatMap(Effect.exit(write(group.map(({ item }) => item))), (exit) =>
      Effect.forEach(group, ({ done }) => Deferred.done(done, Exit.asVoid(exit)), { discard: true })
    )
  })
  // Runs while items are waiting. Its callers are uninterruptible, so it ends before them.
  const work = Effect.whileLoop({
    while: () => {
      isRunning = waiting.length > 0
      return isRunning
    },
    // Waits for further items of the same turn of the event loop.
    body: () => Effect.zipRight(nextTurn, flush),
    step: () => {}
  })
  return (item) =>
    Effect.flatMap(Deferred.make<void, E>(), (done) => {
      waiting.push({ item, done })
      if (isRunning) return Deferred.await(done)
      isRunning = true
      return Effect.zipRight(Effect.forkDaemon(work), Deferred.await(done))
    }).pipe(Effect.uninterruptible)
}
