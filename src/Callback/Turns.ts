/**
 * Turns: one fiber at a time, in the order in which they came. A fiber that finds the turn free takes it at once, without the suspension of a
 * semaphore.
 *
 * `take` waits for the turn, and may be interrupted until it has it; who has taken it calls `release` once.
 */
import * as Effect from "effect/Effect"

export interface Turns {
  readonly take: Effect.Effect<void>
  readonly release: () => void
  /** Waits until the turn is free, and leaves it to the next one. */
  readonly pass: Effect.Effect<void>
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
  const wait = Effect.async<void>((resume) => {
    const next = () => resume(Effect.void)
    waiting.add(next)
    return Effect.sync(() => {
      // Interrupted after the turn had come: the next one has it.
      if (!waiting.delete(next)) release()
    })
  })
  const take = Effect.suspend(() => {
    if (isTaken) return wait
    isTaken = true
    return Effect.void
  })
  const passInTurn = Effect.uninterruptibleMask((restore) => Effect.map(restore(take), release))
  return { take, release, pass: Effect.suspend(() => (isTaken ? passInTurn : Effect.void)) }
}
