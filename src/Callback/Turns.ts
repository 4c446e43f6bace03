/**
 * Turns: one fiber at a time, in the order in which they came. A fiber that finds the turn free takes it at once, without the suspension of a
 * semaphore.
 *
 * `take` is called in an uninterruptible region: what it is given makes its wait interruptible, or does not. Who has taken the turn calls
 * `release` once. Interrupted, it has taken nothing.
 */
import * as Effect from "effect/Effect"
import type { Restore } from "./Lean.ts"

export interface Turns {
  readonly take: (restore: Restore) => Effect.Effect<void>
  readonly release: () => void
  readonly isTaken: () => boolean
}

export const make = (): Turns => {
  let isTaken = false
  const waiting = new Set<() => void>()
  const release = () => {
    // The turn passes from hand to hand while others wait.
    for (const next of waiting) {
      waiting.delete(next)
      return next()
    }
    isTaken = false
  }
  const wait = (restore: Restore) => {
    let hand: (() => void) | undefined
    const handed = Effect.async<void>((resume) => {
      const own = () => resume(Effect.void)
      hand = own
      waiting.add(own)
    })
    return Effect.tapErrorCause(restore(handed), () =>
      Effect.sync(() => {
        // Interrupted after it got the turn: the next fiber gets it.
        if (hand !== undefined && !waiting.delete(hand)) release()
      })
    )
  }
  const take = (restore: Restore) =>
    Effect.suspend(() => {
      if (isTaken) return wait(restore)
      isTaken = true
      return Effect.void
    })
  return { take, release, isTaken: () => isTaken }
}
