/**
 * The test library with tests written as generator functions: `it.scoped("…", function* () { … })`. A layer between name and function is
 * built for this test alone: `it.scoped("…", layer, function* () { … })`. `scoped("…", …)` and `live("…", …)` have a scope and the files of
 * this machine.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Library from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { TestServices } from "effect/TestServices"
import type { YieldWrap } from "effect/Utils"
import type { TestContext, TestOptions } from "vitest"

export * from "@effect/vitest"

/** What a test does: steps, or an effect where something is to be done with all of them, such as a timeout. */
export type Body<R, Given> = (
  given: Given
) => Effect.Effect<unknown, unknown, R> | Generator<YieldWrap<Effect.Effect<unknown, unknown, R>>, unknown, never>

type Timeout = number | TestOptions

interface Test<R, Given = TestContext> {
  (name: string, body: Body<R, Given>, timeout?: Timeout): void
  <Out, E>(name: string, layer: Layer.Layer<Out, E, R>, body: Body<R | Out, Given>, timeout?: Timeout): void
}

interface Tester<R> extends Test<R> {
  readonly only: Test<R>
  readonly skipIf: (condition: unknown) => Test<R>
  readonly each: <T>(cases: ReadonlyArray<T>) => Test<R, T>
}

interface Testers<R> {
  readonly effect: Tester<R>
  readonly scoped: Tester<R | Scope.Scope>
}

type LibraryTest<R, Given> = (
  name: string,
  body: (given: Given) => Effect.Effect<unknown, unknown, R>,
  timeout?: Timeout
) => void

const testOf =
  <R, Given, Shared>(test: LibraryTest<R, Given>, shared?: Layer.Layer<Shared>): Test<R | Shared, Given> =>
  (name: string, ...rest: ReadonlyArray<unknown>) => {
    const hasLayer = Layer.isLayer(rest[0])
    const [body, timeout] = rest.slice(hasLayer ? 1 : 0) as [Body<R, Given>, Timeout | undefined]
    const layers = [hasLayer ? rest[0] : [], shared ?? []].flat() as ReadonlyArray<Layer.Layer<never>>
    const run = (given: Given): Effect.Effect<unknown, unknown, R> => {
      const steps = body(given)
      return Effect.isEffect(steps) ? steps : Effect.gen(() => steps)
    }
    test(name, (given) => layers.reduce((effect, layer) => Effect.provide(effect, layer), run(given)), timeout)
  }

/** A tester of the library for generator functions. With a layer, each test has what it builds. */
const testerOf = <R, Shared = never>(
  tester: Library.Vitest.Tester<R>,
  shared?: Layer.Layer<Shared>
): Tester<R | Shared> =>
  Object.assign(testOf<R, TestContext, Shared>(tester, shared), {
    only: testOf<R, TestContext, Shared>(tester.only, shared),
    skipIf: (condition: unknown) => testOf<R, TestContext, Shared>(tester.skipIf(condition), shared),
    each: <T>(cases: ReadonlyArray<T>) => testOf<R, T, Shared>(tester.each(cases), shared)
  })

/** The `it` of the library with other testers. It has more members than can be listed, some of which need their `it` as `this`. */
const over = <It extends object>(library: Library.API, testers: It): Library.API & It =>
  new Proxy(library, {
    get: (target, name) => Reflect.get(Object.hasOwn(testers, name) ? testers : target, name)
  }) as Library.API & It

export const it = over(Library.it, {
  effect: testerOf(Library.effect),
  scoped: testerOf(Library.scoped),
  live: testerOf(Library.live),
  scopedLive: testerOf(Library.scopedLive)
})

/** Tests with a scope and the files of this machine, with the clock of tests. */
export const scoped = testerOf(Library.scoped, NodeContext.layer)

/** The same with the real clock. */
export const live = testerOf(Library.scopedLive, NodeContext.layer)

/** The same as {@link scoped} within `layer`: the tests have its services, too. */
export const scopedIn = <R>(it: Library.Vitest.MethodsNonLive<R>) => testerOf(it.scoped, NodeContext.layer)

/** Tests that share what the layer builds. */
export const layer = <R, E, const ExcludeTestServices extends boolean = false>(
  shared: Layer.Layer<R, E>,
  options?: { readonly timeout?: Duration.DurationInput; readonly excludeTestServices?: ExcludeTestServices }
) => {
  type Given = R | (ExcludeTestServices extends true ? never : TestServices)
  const described = Library.layer(shared, options)
  return (name: string, tests: (it: Library.API & Testers<Given>) => void) =>
    described(name, (library) => {
      const given = library as unknown as Library.Vitest.MethodsNonLive<Given, true>
      tests(over(library, { effect: testerOf<Given>(given.effect), scoped: testerOf(given.scoped) }))
    })
}
