/** Writes that come at the same time are one write: a flush to disk costs more than what is written. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Gives everything that came in the same turn of the event loop the time to come. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Makes `write` of many into a write of one that returns when it is done; never cut short, so that nothing is left lying. */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
): Effect.Effect<(item: A) => Effect.Effect<void, E>> =>
  Effect.map(Effect.makeSemaphore(1), (one) => {
    let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
    const flush = Effect.suspend(() => {
      const group = waiting
      waiting = []
      if (group.length === 0) return Effect.void
      return Effect.flatMap(Effect.exit(write(group.map(({ item }) => item))), (exit) =>
        Effect.forEach(group, ({ done }) => Deferred.done(done, Exit.asVoid(exit)), { discard: true })
      )
    })
    return (item) =>
      Effect.flatMap(Deferred.make<void, E>(), (done) => {
        waiting.push({ item, done })
        // Whoever was written together with another one has nothing left to write, and waits for no turn.
        const mine = Effect.flatMap(Deferred.isDone(done), (is) => (is ? Effect.void : Effect.zipRight(turn, flush)))
        return Effect.zipRight(one.withPermits(1)(mine), Deferred.await(done))
      }).pipe(Effect.uninterruptible)
  })
