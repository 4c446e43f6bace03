/** The one door of a run: whoever moves rows holds it, so that everything is at rest whenever it is free. */
import * as Effect from "effect/Effect"

export interface Gate {
  /** Moves rows: to its end, whoever interrupts, and alone. What it fails with leaves the run in an unknown place. */
  readonly move: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** False once rows were moved only half: nothing after that may be taken for a checkpoint. */
  readonly isWhole: () => boolean
}

export const make: Effect.Effect<Gate> = Effect.map(Effect.makeSemaphore(1), (semaphore) => {
  let whole = true
  return {
    isWhole: () => whole,
    move: (effect) =>
      effect.pipe(
        Effect.tapErrorCause(() =>
          Effect.sync(() => {
            whole = false
          })
        ),
        Effect.uninterruptible,
        semaphore.withPermits(1)
      )
  }
})
