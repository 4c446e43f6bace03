/** Work of a key that waits for other work of the same key. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as KeyedPermits from "../../src/Engine/Teams/KeyedPermits.ts"
import { describe, expect, it } from "../It.ts"

describe("permits of keys", () => {
  it.effect("are given in order, for each key on its own, and the key is forgotten afterwards", function* () {
    const permits = KeyedPermits.make(2)
    const gate = yield* Deferred.make<void>()
    const begun: Array<string> = []
    const work = (name: string) =>
      Effect.zipRight(
        Effect.sync(() => void begun.push(name)),
        Deferred.await(gate)
      )
    const fork = (key: string, name: string) =>
      Effect.zipLeft(Effect.fork(permits.withPermit(key)(work(name))), Effect.yieldNow())
    const fibers = [yield* fork("a", "a1"), yield* fork("a", "a2"), yield* fork("a", "a3")]
    const interrupted = yield* fork("a", "a4")
    fibers.push(yield* fork("b", "b1"), yield* fork("a", "a5"))
    expect([begun, permits.size()]).toEqual([["a1", "a2", "b1"], 2])
    yield* Fiber.interrupt(interrupted)
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.forEach(fibers, Fiber.join, { discard: true })
    expect(begun).toEqual(["a1", "a2", "b1", "a3", "a5"])
    expect(permits.size()).toBe(0)
    // It works again, also after work that fails.
    yield* Effect.exit(permits.withPermit("a")(Effect.fail("no")))
    expect(permits.size()).toBe(0)
  })
})
