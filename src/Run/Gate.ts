/** The one door of a run: whoever moves rows holds it, so that everything is at rest whenever it is free. */
import * as Effect from "effect/Effect"
import type { StepError } from "../Step.ts"

export interface Gate {
  /** Moves rows: to its end, whoever interrupts, and alone. What it fails with leaves the run in an unknown place. */
  readonly move: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StepError, R>
  /** False once rows were moved only half: nothing after that may be taken for a checkpoint. */
  readonly isWhole: () => boolean
}

/** `may` fails when the run is somebody else's by now: then nothing is moved any more. */
export const make = (may: Effect.Effect<void, StepError> = Effect.void): Effect.Effect<Gate> =>
  Effect.map(Effect.makeSemaphore(1), (semaphore) => {
    let whole = true
    return {
      isWhole: () => whole,
      move: (effect) =>
        Effect.zipRight(may, effect).pipe(
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
