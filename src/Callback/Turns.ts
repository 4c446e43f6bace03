/**
 * Turns: one fiber at a time, in the order of arrival. A fiber that finds the turn free takes it at once, without the suspension that a
 * semaphore costs.
 *
 * `take` is called in an uninterruptible region; its `restore` argument decides whether the wait is interruptible. A fiber that has taken
 * the turn calls `release` once. If its wait is interrupted, it has not taken the turn.
 */
import * as Effect from "effect/Effect"
import type { Restore } from "./Lean.ts"

export interface Turns {
  readonly take: (restore: Restore) => Effect.Effect<void>
  /** Takes the turn if it is free. */
  readonly takeNow: () => boolean
  readonly release: () => void
}

export const make = (): Turns => {
  let isTaken = false
  const waiting = new Set<() => void>()
  const release = () => {
    // Hands the turn to the next waiting fiber.
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
        // Interrupted after the turn was handed over: the next fiber gets it.
        if (hand !== undefined && !waiting.delete(hand)) release()
      })
    )
  }
  const takeNow = () => {
    if (isTaken) return false
    isTaken = true
    return true
  }
  const take = (restore: Restore) => Effect.suspend(() => (takeNow() ? Effect.void : wait(restore)))
  return { take, takeNow, release }
}
