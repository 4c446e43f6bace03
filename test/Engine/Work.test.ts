/** Plain work: its time limits, its places, and its borders with Effect. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TimedOut } from "../../src/Api/Errors.ts"
import * as FairQueue from "../../src/Engine/Teams/FairQueue.ts"
import { placed, plainly, type Work } from "../../src/Engine/Teams/Work.ts"
import { describe, expect, it } from "../It.ts"

const hour = 3_600_000

const late = (error: string) => new TimedOut({ error })

const limited =
  (millis: number, error: () => string = () => "late") =>
  <A, E>(effect: Effect.Effect<A, E>) =>
    plainly<A, E | TimedOut>((work) =>
      work.within(
        millis,
        () => late(error()),
        (inner) => inner.run(effect)
      )
    )

describe("a time limit of plain work", () => {
  it.live("ends the work, and fails once its finalizers have run", function* () {
    let isClosed = false
    const closing = Effect.sync(() => {
      isClosed = true
    })
    const cut = limited(5, () => `late, and ${isClosed ? "closed" : "open"}`)
    const failure = yield* Effect.flip(cut(Effect.ensuring(Effect.never, closing)))
    expect(failure.error).toBe("late, and closed")
  })

  it.live("changes no result and no failure of work that is in time", function* () {
    expect(yield* limited(hour)(Effect.succeed(1))).toBe(1)
    expect(yield* limited(hour)(Effect.as(Effect.yieldNow(), 2))).toBe(2)
    expect(yield* Effect.flip(limited(hour)(Effect.fail(late("own"))))).toEqual(late("own"))
    expect(yield* Effect.exit(limited(hour)(Effect.die("defect")))).toEqual(Exit.die("defect"))
  })

  it.live("may be longer than a timer of Node", function* () {
    expect(yield* limited(10_000_000_000)(Effect.as(Effect.sleep("20 millis"), 1))).toBe(1)
  })

  it.live("is no failure of work that its caller has cancelled", function* () {
    const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
    const fiber = yield* Effect.fork(limited(hour)(Effect.onInterrupt(work, () => Deferred.succeed(ended, undefined))))
    yield* Deferred.await(begun)
    expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
    yield* Deferred.await(ended)
  })
})

describe("plain work that holds a place", () => {
  const inTurn = (queue: FairQueue.FairQueue, use: (work: Work) => Promise<void>) =>
    Effect.provideService(
      plainly<void, never>((work) => placed(work, queue, () => use(work))),
      FairQueue.Owner,
      "team"
    )

  it.live(
    "gives it back when it fails or is cancelled, and waits for one without leaving anything behind",
    function* () {
      const queue = FairQueue.make({ capacity: 1 })
      yield* Effect.exit(inTurn(queue, () => Promise.reject(new Error("a defect"))))
      expect(queue.active()).toBe(0)
      const begun = yield* Deferred.make<void>()
      const held = yield* Effect.fork(
        inTurn(queue, (work) => work.run(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      )
      yield* Deferred.await(begun)
      const waiting = yield* Effect.fork(inTurn(queue, () => Promise.reject(new Error("it must not begin"))))
      const next = yield* Effect.fork(inTurn(queue, () => Promise.resolve()))
      yield* Effect.sleep("5 millis")
      expect(Exit.isInterrupted(yield* Fiber.interrupt(waiting))).toBe(true)
      expect(queue.active()).toBe(1)
      yield* Fiber.interrupt(held)
      yield* Fiber.join(next)
      expect(queue.active()).toBe(0)
    }
  )
})
