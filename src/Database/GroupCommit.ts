/** Group commit: combines concurrent writes into one, because a flush to disk costs more than the data. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { safely } from "../Callback.ts"

interface Options {
  /** Maximum milliseconds that an item waits for others. Default: the rest of this turn of the event loop. */
  readonly longest?: number
  /** Number of items that are expected now, including those that already wait: once they have all arrived, none waits any longer. */
  readonly expected?: () => number
}

/**
 * Makes a function that writes one item, from `write` of many. It returns once the item is written. Uninterruptible, so that every item is
 * written or fails.
 *
 * The first caller writes the items that arrive while it waits. A separate fiber writes later ones, so that the first caller continues as
 * soon as its own item is written.
 */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>,
  { expected = () => 0, longest = 0 }: Options = {}
): ((item: A) => Effect.Effect<void, E>) => {
  let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
  let isRunning = false
  /** Called for each further item: ends the wait if all have arrived. */
  let look = (): void => {}
  /** Waits for the items that are written together with the `count` first ones. */
  const gather = (count: number): Effect.Effect<void> =>
    Effect.async((resume) => {
      const haveArrived = () => longest === 0 || count + waiting.length >= expected()
      const wait = () => {
        if (haveArrived()) return resume(Effect.void)
        const end = () => {
          clearTimeout(timer)
          look = () => {}
          resume(Effect.void)
        }
        const timer = setTimeout(safely(end), longest)
        look = () => {
          if (haveArrived()) end()
        }
      }
      setImmediate(safely(wait))
    })
  /** Waits for further items, then writes `first` and all waiting items together. */
  const writeGroup = (first: ReadonlyArray<A>): Effect.Effect<Exit.Exit<void, E>> =>
    Effect.flatMap(gather(first.length), () => {
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
          look()
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
