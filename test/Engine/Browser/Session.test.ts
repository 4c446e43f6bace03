import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { hashesOf, lifetime, makeSecrets, unlock } from "../../../src/Engine/Browser/Sessions.ts"
import { describe, expect, it } from "../../It.ts"

/** A session of ten minutes that may be idle for a minute, from the beginning of time. */
const begin = Effect.gen(function* () {
  const { touch, wait } = yield* lifetime(600_000, Duration.minutes(1))
  const fiber = yield* Effect.fork(wait)
  const outcome = Effect.map(Fiber.poll(fiber), (exit) =>
    exit._tag === "None" ? "alive" : exit.value._tag === "Success" ? exit.value.value : "failed"
  )
  return { touch, outcome }
})

describe("a session", () => {
  it.effect("ends when it was not used for its activityTtl, and not before", function* () {
    const { outcome, touch } = yield* begin
    yield* TestClock.adjust("59 seconds")
    expect(yield* outcome).toBe("alive")
    touch()
    yield* TestClock.adjust("59 seconds")
    expect(yield* outcome).toBe("alive")
    yield* TestClock.adjust("1 second")
    expect(yield* outcome).toBe("inactive")
  })

  it.effect("ends when its ttl is over, however busy it is", function* () {
    const { outcome, touch } = yield* begin
    for (let at = 30; at < 600; at += 30) {
      yield* TestClock.adjust("30 seconds")
      expect(yield* outcome).toBe("alive")
      touch()
    }
    yield* TestClock.adjust("30 seconds")
    expect(yield* outcome).toBe("expired")
  })

  it("is opened by each of its secrets for one purpose only", () => {
    const all = [makeSecrets(), makeSecrets()].map((secrets) => ({ secrets, locks: hashesOf(secrets) }))
    for (const one of all) {
      expect(unlock(all, "cdp", one.secrets.cdp)).toBe(one)
      expect(unlock(all, "watch", one.secrets.watch)).toBe(one)
      expect(unlock(all, "interact", one.secrets.watch)).toBeUndefined()
      expect(unlock(all, "cdp", one.secrets.interact)).toBeUndefined()
      expect(unlock(all, "cdp", "")).toBeUndefined()
    }
  })
})
