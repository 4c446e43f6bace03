/** Tests that are generators of effects: `it.scoped` without `() => Effect.gen(…)` around each body. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { TestServices } from "effect/TestServices"
import type { YieldWrap } from "effect/Utils"

type Services = NodeContext.NodeContext | Scope.Scope | TestServices

type Body<Args extends ReadonlyArray<unknown>> = (
  ...args: Args
) => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, unknown, never>

type Timeout = Parameters<typeof it.scoped>[2]

const run = (body: Body<[]>) => Effect.provide(Effect.gen(body), NodeContext.layer)

const testOf =
  (register: typeof it.scoped.skip) =>
  (name: string, body: Body<[]>, timeout?: Timeout): void =>
    register(name, () => run(body), timeout)

/** A test with a scope, a test clock and the file system of this machine. */
export const scoped = Object.assign(testOf(it.scoped), {
  skipIf: (condition: unknown) => testOf(it.scoped.skipIf(condition)),
  each:
    <T>(cases: ReadonlyArray<T>) =>
    (name: string, body: Body<[T]>, timeout?: Timeout): void =>
      it.scoped.each(cases)(name, (each) => run(() => body(each as T)), timeout)
})
