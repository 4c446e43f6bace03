/** Time limits of pages. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { failAfter } from "../../src/Engine/Teams/Deadline.ts"

const hour = 3_600_000

describe("a time limit", () => {
  it.live("ends the effect, and fails once its finalizers have run", () =>
    Effect.gen(function* () {
      let isClosed = false
      const closing = Effect.sync(() => {
        isClosed = true
      })
      const late = failAfter(5, () => `late, and ${isClosed ? "closed" : "open"}`)
      expect(yield* Effect.flip(late(Effect.ensuring(Effect.never, closing)))).toBe("late, and closed")
    })
  )

  it.live("changes no result and no failure of an effect that is in time", () =>
    Effect.gen(function* () {
      const limited = failAfter(hour, () => "late")
      expect(yield* limited(Effect.succeed(1))).toBe(1)
      expect(yield* limited(Effect.as(Effect.yieldNow(), 2))).toBe(2)
      expect(yield* Effect.flip(limited(Effect.fail("own")))).toBe("own")
      expect(yield* Effect.exit(limited(Effect.die("defect")))).toEqual(Exit.die("defect"))
    })
  )

  it.live("may be longer than a timer of Node", () =>
    Effect.gen(function* () {
      const limited = failAfter(10_000_000_000, () => "late")
      expect(yield* limited(Effect.as(Effect.sleep("20 millis"), 1))).toBe(1)
    })
  )

  it.live("ends the effect when its caller is interrupted", () =>
    Effect.gen(function* () {
      const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      const fiber = yield* Effect.fork(
        failAfter(hour, () => "late")(Effect.onInterrupt(work, () => Deferred.succeed(ended, undefined)))
      )
      yield* Deferred.await(begun)
      expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
      yield* Deferred.await(ended)
    })
  )
})
