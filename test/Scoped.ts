/** Tests that are generators of effects: `it.scoped` without `() => Effect.gen(…)` around each body. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { it, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { TestServices } from "effect/TestServices"
import type { YieldWrap } from "effect/Utils"

type Body<R, Args extends ReadonlyArray<unknown> = []> = (
  ...args: Args
) => Generator<YieldWrap<Effect.Effect<unknown, unknown, R | NodeContext.NodeContext>>, unknown, never>

const run = <R>(body: Body<R>) => Effect.provide(Effect.gen(body), NodeContext.layer)

const testsOf = <R>(tester: Vitest.Tester<R>) => {
  const testOf =
    (register: Vitest.Test<R>) =>
    (name: string, body: Body<R>, timeout?: Parameters<Vitest.Test<R>>[2]): void =>
      register(name, () => run(body), timeout)
  return Object.assign(testOf(tester), {
    skipIf: (condition: unknown) => testOf(tester.skipIf(condition)),
    each:
      <T>(cases: ReadonlyArray<T>) =>
      (name: string, body: Body<R, [T]>): void =>
        tester.each(cases)(name, (each) => run(() => body(each as T)))
  })
}

/** A test with a scope, a test clock and the file system of this machine. */
export const scoped = testsOf<Scope.Scope | TestServices>(it.scoped)

/** The same within `layer`: the tests have its services, too. */
export const scopedIn = <R>(it: Vitest.MethodsNonLive<R>) => testsOf<R | Scope.Scope | TestServices>(it.scoped)
