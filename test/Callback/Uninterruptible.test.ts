import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { uninterruptible } from "../../src/Callback/Uninterruptible.ts"
import { expect, live, scoped } from "../It.ts"

scoped("runs its content each time that it is run, and passes failures on", function* () {
  let runs = 0
  const counted = uninterruptible(
    Effect.suspend(() => (++runs === 2 ? Effect.fail("the second" as const) : Effect.succeed(runs)))
  )
  expect(yield* counted).toBe(1)
  expect(yield* Effect.flip(counted)).toBe("the second")
  expect(yield* counted).toBe(3)
})

live("lets an interrupt wait until its content has ended", function* () {
  const begun = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  let isDone = false
  const work = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(go)).pipe(
    Effect.zipRight(
      Effect.sync(() => {
        isDone = true
      })
    )
  )
  const fiber = yield* Effect.fork(uninterruptible(work))
  yield* Deferred.await(begun)
  const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
  yield* Effect.yieldNow()
  expect(isDone).toBe(false)
  yield* Deferred.succeed(go, undefined)
  yield* Fiber.join(interrupting)
  expect(isDone).toBe(true)
})
