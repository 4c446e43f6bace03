/**
 * Parts of Effect for what runs for every page and row: they keep the promises of their namesakes, and take a few operations where those take
 * a dozen.
 */
import * as Effect from "effect/Effect"
import type { NoExcessProperties } from "effect/Types"

/** `Effect.retry`, which makes its schedule after the first failure only. */
export const retry = <A, E, R, Options extends NoExcessProperties<Effect.Retry.Options<E>, Options>>(
  effect: Effect.Effect<A, E, R>,
  options: Options
): Effect.Retry.Return<R, E, A, Options> =>
  Effect.catchAll(effect, (error) => {
    let isFirst = true
    const again = Effect.suspend((): Effect.Effect<A, E, R> => {
      if (!isFirst) return effect
      isFirst = false
      return Effect.fail(error)
    })
    return Effect.retry(again, options)
  }) as Effect.Retry.Return<R, E, A, Options>

/** `Effect.ensuring` with a function that is no effect. */
export const ensuring = <A, E, R>(effect: Effect.Effect<A, E, R>, after: () => void): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) => ensuringWithin(restore(effect), after))

/** The same within a region that is uninterruptible, around an effect that may be interruptible. */
export const ensuringWithin = <A, E, R>(effect: Effect.Effect<A, E, R>, after: () => void): Effect.Effect<A, E, R> =>
  Effect.matchCauseEffect(effect, {
    onFailure: (cause) => {
      after()
      return Effect.failCause(cause)
    },
    onSuccess: (value) => {
      after()
      return Effect.succeed(value)
    }
  })
