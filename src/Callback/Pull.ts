/** Streams made from a pull. A loop can pull them directly, without channels, which cost as much per chunk as making the chunk. */
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** Returns the next elements. Fails with an error, or with `None` at the end. */
export type Pull<A, E, R> = Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>

const pullOf = Symbol("sluice/Callback/Pull")

interface Pulled<A, E, R> extends Stream.Stream<A, E, R> {
  readonly [pullOf]: Effect.Effect<Pull<A, E, R>, never, Scope.Scope>
}

const isPulled = <A, E, R>(stream: Stream.Stream<A, E, R>): stream is Pulled<A, E, R> => pullOf in stream

/** Stream over a pull that an effect makes at first use. Resources that the effect acquires are released with the stream. */
export const streamOf = <A, E, R>(
  made: Effect.Effect<Pull<A, E, R>, E, R | Scope.Scope>
): Stream.Stream<A, E, Exclude<R, Scope.Scope>> => {
  type Own = Exclude<R, Scope.Scope>
  const pull = Effect.map(Effect.scope, (scope): Pull<A, E, Own> => {
    const within = <B, F>(effect: Effect.Effect<B, F, R | Scope.Scope>) =>
      Scope.extend(effect, scope) as Effect.Effect<B, F, Own>
    let known: Pull<A, E, Own> | undefined
    const first = Effect.flatMap(Effect.mapError(within(made), Option.some), (next) => {
      known = next as Pull<A, E, Own>
      return known
    })
    return Effect.suspend(() => known ?? first)
  })
  return Object.assign(Stream.fromPull(pull), { [pullOf]: pull })
}

/** `Stream.toPull`. */
export const toPull = <A, E, R>(
  stream: Stream.Stream<A, E, R>
): Effect.Effect<Pull<A, E, R>, never, R | Scope.Scope> => (isPulled(stream) ? stream[pullOf] : Stream.toPull(stream))
