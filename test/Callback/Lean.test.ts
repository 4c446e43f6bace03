/** The lean parts keep the promises of their namesakes. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import * as Lean from "../../src/Callback/Lean.ts"
import { describe, expect, live, scoped } from "../It.ts"

describe("a sleep", () => {
  scoped("of more than 24.8 days, which no timer of Node holds, ends at its time", function* () {
    const [times, day]: [Array<number>, number] = [[], 86_400_000]
    const clock = Clock.make()
    let now = 0
    const quick: Clock.Clock = {
      ...clock,
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      currentTimeMillis: Effect.sync(() => now),
      sleep: (duration) =>
        Effect.sync(() => {
          times.push(Duration.toMillis(duration))
          now += Duration.toMillis(duration)
        })
    }
    yield* Effect.withClock(Lean.sleepUntil(60 * day + 5), quick)
    expect(now).toBe(60 * day + 5)
    expect(Math.max(...times)).toBeLessThan(2 ** 31)
    yield* Effect.withClock(Lean.sleepUntil(0), quick)
    expect(now).toBe(60 * day + 5)
  })
})

describe("a time limit", () => {
  const limited = <A, E>(effect: Effect.Effect<A, E>) =>
    Lean.timeoutFail(effect, { duration: "1 minute", onTimeout: () => "too late" as const })

  scoped("ends an effect by the clock of its fiber, and waits for its end", function* () {
    let hasEnded = false
    const work = Effect.onInterrupt(Effect.never, () =>
      Effect.sync(() => {
        hasEnded = true
      })
    )
    const fiber = yield* Effect.fork(Effect.flip(limited(work)))
    yield* TestClock.adjust("59 seconds")
    expect(fiber.unsafePoll()).toBeNull()
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(fiber)).toBe("too late")
    expect(hasEnded).toBe(true)
  })

  live("ends an effect by the clock of the system", function* () {
    const error = yield* Effect.flip(
      Lean.timeoutFail(Effect.never, { duration: "1 millis", onTimeout: () => "too late" })
    )
    expect(error).toBe("too late")
  })

  scoped("passes values, failures and interrupts on", function* () {
    expect(yield* limited(Effect.succeed(1))).toBe(1)
    expect(yield* Effect.flip(limited(Effect.fail("no")))).toBe("no")
    expect(Exit.isInterrupted(yield* Effect.exit(limited(Effect.interrupt)))).toBe(true)
    const begun = yield* Deferred.make<void>()
    let isInterrupted = false
    const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          isInterrupted = true
        })
      )
    )
    const fiber = yield* Effect.fork(limited(work))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    expect(isInterrupted).toBe(true)
  })
})

describe("a retry", () => {
  scoped("makes as many attempts as that of the library, with the same delays", function* () {
    const runs = [Effect.retry, Lean.retry].map((retry) => {
      const seen: Array<string> = []
      let attempts = 0
      const attempt = Effect.suspend(() => Effect.fail(`failure ${++attempts}`))
      const options = {
        schedule: Schedule.tapInput(Schedule.spaced("1 second"), (error: string) =>
          Effect.sync(() => seen.push(error))
        ),
        times: 3
      }
      return Effect.map(Effect.flip(retry(attempt, options)), (error) => ({ attempts, error, seen }))
    })
    const fiber = yield* Effect.fork(Effect.all(runs, { concurrency: "unbounded" }))
    yield* TestClock.adjust("10 seconds")
    const [theirs, ours] = yield* Fiber.join(fiber)
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ attempts: 4, error: "failure 4" })
  })

  scoped("does not repeat what has died, also where an error came with the defect", function* () {
    for (const retry of [Effect.retry, Lean.retry]) {
      let attempts = 0
      const attempt = Effect.suspend(() => {
        attempts++
        return Effect.ensuring(Effect.fail("no"), Effect.die("broken"))
      })
      const exit = yield* Effect.exit(retry(attempt, { times: 3 }))
      expect([attempts, Exit.isFailure(exit)]).toEqual([1, true])
    }
  })

  scoped("ends with the first success", function* () {
    let attempts = 0
    const attempt = Effect.suspend(() => (++attempts < 3 ? Effect.fail("no") : Effect.succeed(attempts)))
    expect(yield* Lean.retry(attempt, { times: 5 })).toBe(3)
  })
})

describe("what runs afterwards", () => {
  scoped("runs once after success, failure and interrupt", function* () {
    let ends = 0
    const ended = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.uninterruptibleMask((restore) => Lean.ensuringWithin(restore(effect), () => void ends++))
    expect(yield* ended(Effect.succeed(1))).toBe(1)
    expect(yield* Effect.flip(ended(Effect.fail("no")))).toBe("no")
    const fiber = yield* Effect.fork(ended(Effect.never))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(fiber)
    expect(ends).toBe(3)
  })
})

describe("a cached effect", () => {
  scoped("runs once, for all that ask for its value, also where it fails", function* () {
    let runs = 0
    const cached = Lean.cached(
      Effect.zipRight(
        Effect.yieldNow(),
        Effect.sync(() => ++runs)
      )
    )
    expect(yield* Effect.all([cached, cached, cached], { concurrency: "unbounded" })).toEqual([1, 1, 1])
    expect(yield* cached).toBe(1)
    const failing = Lean.cached(Effect.suspend(() => Effect.fail(++runs)))
    expect([yield* Effect.flip(failing), yield* Effect.flip(failing)]).toEqual([2, 2])
  })
  scoped("runs again for the others if the fiber that runs it is interrupted", function* () {
    let runs = 0
    const open = yield* Deferred.make<void>()
    const cached = Lean.cached(
      Effect.suspend(() => {
        runs++
        return Effect.as(Deferred.await(open), runs)
      })
    )
    const first = yield* Effect.fork(cached)
    yield* Effect.yieldNow()
    const second = yield* Effect.fork(cached)
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(open, undefined)
    expect([yield* Fiber.join(second), yield* cached, runs]).toEqual([2, 2, 2])
  })
})
