/**
 * `Effect.uninterruptible` for effects that hold rows.
 *
 * Effect assigns the closure of an uninterruptible region to a property, and V8 allocates closures assigned that way in the old generation.
 * Everything such a closure can reach stays in memory until the next full collection: a run would copy all of its rows into the old space.
 * The region therefore gets an effect that releases its content when it begins.
 */
import * as Effect from "effect/Effect"

/** Wraps an effect for one use: once started, the wrapper no longer references `effect`. */
const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const content = [effect]
  return Effect.suspend(() => content.pop() ?? Effect.dieMessage("an effect for one use has begun twice"))
}

/** Applies `region`, which makes an effect uninterruptible, to an effect that holds rows. */
export const holdingNothing = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  region: (effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.suspend(() => region(once(effect)))

export const uninterruptible = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  holdingNothing(effect, Effect.uninterruptible)
