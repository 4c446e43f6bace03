/**
 * Commit lock: rows move between operators only while it is held, so a checkpoint taken under it never sees a row in flight.
 *
 * - One holder at a time. `move` is uninterruptible: an interrupt waits until the current move has finished.
 * - A move that fails leaves rows half moved. From then on `isWhole()` is false and every other move is refused: no row
 *   moves, no reject is added, no checkpoint is taken. The run ends, and a resume continues from the last checkpoint.
 */
import * as Effect from "effect/Effect"
import { Stopped } from "../Step/StepError.ts"
import type { StepError } from "../Step.ts"

export interface CommitLock {
  /** Moves rows. Fails with {@link Stopped} once another move has failed. */
  readonly move: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StepError, R>
  /** False once a move has failed. */
  readonly isConsistent: () => boolean
}

/** True for a move that was refused: why the run ends is what the other move failed with. */
export const isRefused = (lock: CommitLock, error: unknown): boolean => error instanceof Stopped && !lock.isConsistent()

/** `may` fails once another process has taken the run over: then no row moves any more. */
export const makeCommitLock = (may: Effect.Effect<void, StepError> = Effect.void): Effect.Effect<CommitLock> =>
  Effect.map(Effect.makeSemaphore(1), (semaphore) => {
    let consistent = true
    const refused = new Stopped({ message: "a part of the run has failed" })
    return {
      isConsistent: () => consistent,
      move: (effect) =>
        Effect.suspend(() => (consistent ? Effect.zipRight(may, effect) : Effect.fail(refused))).pipe(
          Effect.tapErrorCause(() =>
            Effect.sync(() => {
              consistent = false
            })
          ),
          Effect.uninterruptible,
          semaphore.withPermits(1)
        )
    }
  })
