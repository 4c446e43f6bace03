/** Writes that come at the same time are one write: a flush to disk costs more than what is written. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { nextTurn } from "../Callback/EventLoop.ts"

/** Makes `write` of many into a write of one that returns when it is done; never cut short, so that nothing is left lying. */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
): ((item: A) => Effect.Effect<void, E>) => {
  let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
  let busy = false
  const flush = Effect.suspend(() => {
    const group = waiting
    waiting = []
    return Effect.flatMap(Effect.exit(write(group.map(({ item }) => item))), (exit) =>
      Effect.forEach(group, ({ done }) => Deferred.done(done, Exit.asVoid(exit)), { discard: true })
    )
  })
  // Runs for as long as there is something to write; those who wait for it cannot be interrupted, so it ends before them.
  const work = Effect.whileLoop({
    while: () => {
      busy = waiting.length > 0
      return busy
    },
    // What came in the same turn of the event loop gets the time to come.
    body: () => Effect.zipRight(nextTurn, flush),
    step: () => {}
  })
  return (item) =>
    Effect.flatMap(Deferred.make<void, E>(), (done) => {
      waiting.push({ item, done })
      if (busy) return Deferred.await(done)
      busy = true
      return Effect.zipRight(Effect.forkDaemon(work), Deferred.await(done))
    }).pipe(Effect.uninterruptible)
}
