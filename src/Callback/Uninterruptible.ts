/**
 * `Effect.uninterruptible` for effects that hold rows.
 *
 * Effect assigns the closure of an uninterruptible region to a property, and V8 allocates closures that are assigned so among the old objects.
 * Everything that such a closure can reach stays in memory until the next full collection: a run would copy all of its rows into the old space.
 * The region therefore gets an effect that lets go of its content when it begins.
 */
import * as Effect from "effect/Effect"

/** An effect for one use, which does not reach `effect` any more once it has begun. */
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
