/** Room in memory for the bodies of all requests together (spec 8). */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Bodies up to this size are not counted: there are no more of them than requests at once. */
export const small = 1024 * 1024

/** One body's share, given back when its scope closes. */
export interface Place {
  /** Waits until a body of `bytes` fits in. */
  readonly take: (bytes: number) => Effect.Effect<void>
  /** Gives back what a body of `bytes` did not need. */
  readonly keep: (bytes: number) => Effect.Effect<void>
}

export interface Room {
  readonly open: Effect.Effect<Place, never, Scope.Scope>
}

export const make = (capacity: number): Room => {
  const semaphore = Effect.unsafeMakeSemaphore(capacity)
  const place = (held: { bytes: number }): Place => ({
    // At once for the largest that the body may become: two that grow bit by bit could wait for each other.
    take: (bytes) =>
      Effect.uninterruptibleMask((restore) => {
        if (held.bytes > 0) return Effect.void
        return restore(semaphore.take(Math.min(bytes, capacity))).pipe(
          Effect.flatMap((taken) =>
            Effect.sync(() => {
              held.bytes = taken
            })
          )
        )
      }),
    keep: (bytes) =>
      Effect.suspend(() => {
        const surplus = Math.max(0, held.bytes - bytes)
        held.bytes -= surplus
        return semaphore.release(surplus)
      })
  })
  return {
    open: Effect.acquireRelease(
      Effect.sync(() => ({ bytes: 0 })),
      (held) => semaphore.release(held.bytes)
    ).pipe(Effect.map(place))
  }
}
