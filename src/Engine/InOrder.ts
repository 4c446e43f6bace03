/** Layers as a list: much cheaper to build than a tree of `provide` and `merge`, each of which Effect keeps an entry and a scope for. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Any = Layer.Layer<never, unknown, unknown> | Layer.Layer<unknown, unknown, unknown>

/** What a list of layers gives, how it fails, and what it needs from outside. */
type Listed<Layers extends ReadonlyArray<unknown>, Out = never, E = never, R = never> = Layers extends readonly [
  Layer.Layer<infer Out1, infer E1, infer R1>,
  ...infer Rest
]
  ? Listed<Rest, Out | Out1, E | E1, R | Exclude<R1, Out>>
  : Layer.Layer<Out, E, R>

/**
 * Builds layers one after the other. Each has the services of those before it, and replaces the ones that it gives itself. They are closed in
 * reverse order.
 */
export function inOrder<const Layers extends ReadonlyArray<Any>>(...layers: Layers): Listed<Layers>
export function inOrder(...layers: ReadonlyArray<Layer.Layer<unknown, unknown, unknown>>) {
  const built = Effect.gen(function* () {
    const scope = yield* Effect.scope
    // The map of the surrounding build: it has the routers of Effect's platform, which handlers and server share.
    const memoMap = yield* Layer.CurrentMemoMap
    let given = Context.empty() as Context.Context<unknown>
    for (const layer of layers)
      given = Context.merge(given, yield* Effect.provide(Layer.buildWithMemoMap(layer, memoMap, scope), given))
    return given
  })
  return Layer.scopedContext(built)
}
