/** Builds layers from a list: much cheaper than a tree of `provide` and `merge`, for each of which Effect keeps an entry and a scope. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Any = Layer.Layer<never, unknown, unknown> | Layer.Layer<unknown, unknown, unknown>

/** Layer built from a list: it provides the services of all layers, and requires those that no earlier layer provides. */
type Listed<Layers extends ReadonlyArray<unknown>, Out = never, E = never, R = never> = Layers extends readonly [
  Layer.Layer<infer Out1, infer E1, infer R1>,
  ...infer Rest
]
  ? Listed<Rest, Out | Out1, E | E1, R | Exclude<R1, Out>>
  : Layer.Layer<Out, E, R>

/**
 * Builds layers one after another. Each one has the services of those before it, and overrides the ones that it provides itself. Closes
 * them in reverse order.
 */
export function inOrder<const Layers extends ReadonlyArray<Any>>(...layers: Layers): Listed<Layers>
export function inOrder(...layers: ReadonlyArray<Layer.Layer<unknown, unknown, unknown>>) {
  const built = Effect.gen(function* () {
    const scope = yield* Effect.scope
    // Memo map of the surrounding build: it has the routers of Effect's platform, which handlers and server share.
    const memoMap = yield* Layer.CurrentMemoMap
    let given = Context.empty() as Context.Context<unknown>
    for (const layer of layers)
      given = Context.merge(given, yield* Effect.provide(Layer.buildWithMemoMap(layer, memoMap, scope), given))
    return given
  })
  return Layer.scopedContext(built)
}
