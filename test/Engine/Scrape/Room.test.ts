import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Room from "../../../src/Engine/Scrape/Room.ts"

const isWaiting = (fiber: Fiber.RuntimeFiber<void>) =>
  Effect.yieldNow().pipe(Effect.repeatN(10), Effect.zipRight(Fiber.poll(fiber)), Effect.map(Option.isNone))

describe("the room for bodies", () => {
  it.scoped("lets in what fits; others wait until a body turns out smaller, or is done with", () =>
    Effect.gen(function* () {
      const room = Room.make(100)
      const first = yield* Scope.make()
      const one = yield* Scope.extend(room.open, first)
      const [two, three] = [yield* room.open, yield* room.open]
      yield* one.take(60)
      yield* one.take(60)
      const second = yield* Effect.fork(two.take(60))
      expect(yield* isWaiting(second)).toBe(true)
      yield* one.keep(40)
      yield* Fiber.join(second)
      const third = yield* Effect.fork(three.take(1_000))
      expect(yield* isWaiting(third)).toBe(true)
      yield* Scope.close(first, Exit.void)
      yield* two.keep(0)
      yield* Fiber.join(third)
    })
  )

  it.scoped("gives nothing to one that gave up waiting", () =>
    Effect.gen(function* () {
      const room = Room.make(100)
      const [one, two, three] = [yield* room.open, yield* room.open, yield* room.open]
      yield* one.take(100)
      const second = yield* Effect.fork(two.take(100))
      expect(yield* isWaiting(second)).toBe(true)
      yield* Fiber.interrupt(second)
      yield* one.keep(0)
      yield* three.take(100)
    })
  )
})
