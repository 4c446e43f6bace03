/** A store that refuses (a full disk, a long lock) is asked again; nothing is lost meanwhile, and nothing begun. */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"

/** Our own fault stays one, however often it is tried; a commit that the store refuses is a defect too, but not ours. */
const isFault = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => !Predicate.isTagged(defect, "SqlError"))

const patience = Schedule.exponential("200 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

/** Done when the store has taken it; dies of a fault of ours. */
export const persist = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`The store did not take ${what}`, cause)),
    Effect.retry({ schedule: patience, until: (cause) => Cause.isInterrupted(cause) || isFault(cause) }),
    Effect.catchAll((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.die(Cause.squash(cause))))
  )

/** A loop goes on after a fault of its own, at a pace that leaves the others room. */
export const guarded = <E>(who: string, loop: Effect.Effect<void, E>) =>
  Effect.catchAllDefect(loop, (defect) =>
    Effect.zipRight(Effect.logError(`${who} met a fault and goes on`, defect), Effect.sleep("1 second"))
  )
