/** Group commit: combines concurrent writes into one, because a flush to disk costs more than the data. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { safely } from "../Callback.ts"

interface Options {
  /** Maximum milliseconds that a group waits for further items. Default: 0, only for the rest of the turn of the event loop. */
  readonly longest?: number
  /** True while further items are expected. A group waits no longer once none is; default: never expected. */
  readonly expectsMore?: () => boolean
}

/** Writes one item, and returns once it is written. Uninterruptible, so that every item is written or fails. */
type Write<A, E> = (item: A) => Effect.Effect<void, E>

/**
 * Makes a function that writes one item, by means of `write`, which writes many at once. Call its `look` when an item that was expected will not come.
 *
 * The first caller writes the items that arrive while it waits. A separate fiber writes later ones, so that the first caller continues as
 * soon as its own item is written.
 */
export const make = <A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>,
  { expectsMore = () => false, longest = 0 }: Options = {}
): Write<A, E> & { readonly look: () => void } => {
  let waiting: Array<{ readonly item: A; readonly done: Deferred.Deferred<void, E> }> = []
  let isRunning = false
  /** Ends the wait for further items if none is expected. */
  let look = (): void => {}
  /** Waits for further items of a group. */
  const gather = Effect.async<void>((resume) => {
    const wait = () => {
      if (longest === 0 || !expectsMore()) return resume(Effect.void)
      const end = () => {
        clearTimeout(timer)
        look = () => {}
        resume(Effect.void)
      }
      const timer = setTimeout(safely(end), longest)
      look = () => {
        if (!expectsMore()) end()
      }
    }
    setImmediate(safely(wait))
  })
  /** Waits for further items, then writes `first` and all waiting items together. */
  const writeGroup = (first: ReadonlyArray<A>): Effect.Effect<Exit.Exit<void, E>> =>
    Effect.flatMap(gather, () => {
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
  const writeOne: Write<A, E> = (item) =>
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
  return Object.assign(writeOne, { look: () => look() })
}
