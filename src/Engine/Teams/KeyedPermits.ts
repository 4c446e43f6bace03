/**
 * Limits how much work runs at once for each key, such as a team or a receiver of webhooks. A key is forgotten once no work runs or waits
 * for it.
 */
import * as Effect from "effect/Effect"

interface Entry {
  readonly permits: Effect.Semaphore
  /** Number of effects that hold or await a permit. */
  users: number
}

export interface KeyedPermits {
  /** Runs the work while it holds a permit of the key. Work of a key waits in order. */
  readonly withPermit: (key: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of keys that work runs or waits for. */
  readonly size: () => number
}

/** `limit`: permits of each key. */
export const make = (limit: number): KeyedPermits => {
  const entries = new Map<string, Entry>()

  const enter = (key: string) =>
    Effect.sync(() => {
      const entry = entries.get(key) ?? { permits: Effect.unsafeMakeSemaphore(limit), users: 0 }
      entries.set(key, entry)
      entry.users += 1
      return entry
    })

  const leave = (key: string, entry: Entry) =>
    Effect.sync(() => {
      entry.users -= 1
      if (entry.users === 0) entries.delete(key)
    })

  return {
    withPermit: (key) => (work) =>
      Effect.acquireUseRelease(
        enter(key),
        ({ permits }) => permits.withPermits(1)(work),
        (entry) => leave(key, entry)
      ),
    size: () => entries.size
  }
}
