import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import { Crawl } from "../../src/Client/Crawl.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { type Answer, connection } from "./Fake.ts"

const periods = { body: { success: true, periods: [] } }
const results = { body: { success: true, data: {} } }
const started = { body: { success: true, id: "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab" } }
const limited = (headers: Record<string, string>, error = "Too many requests") => ({
  status: 429,
  headers,
  body: { error }
})

/** Answers in turn; the last one for ever. */
const script = (...answers: ReadonlyArray<Answer>) => {
  const calls: Array<string> = []
  const layer = connection((url, request) => {
    calls.push(`${request.method} ${url.pathname}`)
    return answers[Math.min(calls.length, answers.length) - 1] ?? "refused"
  })
  return {
    calls,
    layer: Layer.mergeAll(TokenUsage.Default, Search.Default, Crawl.Default).pipe(Layer.provide(layer))
  }
}

const usage = Effect.flatMap(TokenUsage, (service) => service.historical())
const search = Effect.flatMap(Search, (service) => service.run({ query: "etl" }))
const start = (idempotencyKey?: string) =>
  Effect.flatMap(Crawl, (service) => service.start({ url: "https://docs.example.com" }, { idempotencyKey }))

const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E, never>) =>
  Effect.map(Effect.either(effect), (either) => (either._tag === "Right" ? "ok" : either.left._tag))

/** Runs the call while hours pass. */
const inTime = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(call)
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

describe("the standard policy", () => {
  it.effect("repeats a GET after 5xx, cut connections and refused ones", () => {
    const { calls, layer } = script({ status: 503 }, "cut", "refused", { body: '{"success":true,"peri' }, periods)
    return Effect.gen(function* () {
      expect(yield* inTime(usage)).toMatchObject({ periods: [] })
      expect(calls).toHaveLength(5)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gives up after five retries with the last error", () => {
    const { calls, layer } = script({ status: 502 })
    return Effect.gen(function* () {
      expect(yield* inTime(tagOf(Effect.provide(usage, layer)))).toBe("ServiceError")
      expect(calls).toHaveLength(6)
    })
  })

  it.effect("does not repeat permanent failures", () => {
    const { calls, layer } = script({ status: 401 })
    return Effect.gen(function* () {
      expect(yield* inTime(tagOf(Effect.provide(usage, layer)))).toBe("Unauthorized")
      expect(calls).toHaveLength(1)
    })
  })

  it.effect("waits as long as the service says, in a header or a message, plus at most the jitter", () => {
    const { calls, layer } = script(
      limited({ "retry-after": "7" }),
      limited({}, "Rate limit exceeded, please retry after 13s, resets at noon"),
      periods
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.provide(usage, layer))
      yield* TestClock.adjust("6999 millis")
      expect(calls).toHaveLength(1)
      yield* TestClock.adjust("502 millis")
      expect(calls).toHaveLength(2)
      yield* TestClock.adjust("12 seconds")
      expect(calls).toHaveLength(2)
      yield* TestClock.adjust("2500 millis")
      expect(calls).toHaveLength(3)
      expect(Exit.isSuccess(yield* Fiber.await(fiber))).toBe(true)
    })
  })

  it.effect("fails instead of waiting for an hour", () => {
    const { calls, layer } = script(limited({ "retry-after": "3600" }))
    return Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(usage, layer))
      expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: Duration.hours(1) })
      expect(calls).toHaveLength(1)
    })
  })

  scoped("repeats a read-only POST that was refused or never sent, not one that may have been charged", function* () {
    const refused = script(limited({}), "refused", results)
    expect(yield* inTime(tagOf(Effect.provide(search, refused.layer)))).toBe("ok")
    expect(refused.calls).toHaveLength(3)
    for (const answer of ["cut", { status: 500 }, { status: 408 }] as const) {
      const charged = script(answer, results)
      expect(yield* inTime(tagOf(Effect.provide(search, charged.layer)))).not.toBe("ok")
      expect(charged.calls).toHaveLength(1)
    }
  })

  scoped("repeats the start of a job only when nothing was sent", function* () {
    for (const answer of ["cut", { status: 500 }, limited({})] as const) {
      const sent = script(answer, started)
      expect(yield* inTime(tagOf(Effect.provide(start(), sent.layer)))).not.toBe("ok")
      expect(sent.calls).toHaveLength(1)
    }
    const unsent = script("refused", started)
    expect(yield* inTime(tagOf(Effect.provide(start(), unsent.layer)))).toBe("ok")
    expect(unsent.calls).toHaveLength(2)
  })

  it.effect("repeats the start of a job that has an idempotency key", () => {
    const { calls, layer } = script("cut", { status: 500 }, limited({}), started)
    return Effect.gen(function* () {
      expect(yield* inTime(tagOf(Effect.provide(start("once"), layer)))).toBe("ok")
      expect(calls).toHaveLength(4)
    })
  })

  scoped("keeps every wait below the cap", function* () {
    const driver = yield* Schedule.driver(Retry.backoff({ cap: "2 seconds", retries: 50 }))
    const { layer } = script({ status: 502 })
    const error = yield* inTime(Effect.flip(Effect.provide(usage, layer)))
    for (let attempt = 0; attempt < 50; attempt++) {
      const waiting = yield* Effect.fork(driver.next(error))
      yield* TestClock.adjust("2 seconds")
      expect(Exit.isSuccess(yield* Fiber.await(waiting))).toBe(true)
    }
    expect(Exit.isFailure(yield* Effect.exit(driver.next(error)))).toBe(true)
  })
})

describe("another policy", () => {
  it.effect("can be provided for a call", () => {
    const { calls, layer } = script({ status: 502 })
    return Effect.gen(function* () {
      const once = Effect.provideService(usage, Retry.RetryPolicy, Retry.never)
      expect(yield* tagOf(Effect.provide(once, layer))).toBe("ServiceError")
      expect(calls).toHaveLength(1)
    })
  })

  it.effect("can be provided with the connection, as any schedule", () => {
    const { calls, layer } = script({ status: 401 })
    const stubborn: Retry.Policy = { schedule: Schedule.recurs(2), when: () => true }
    return Effect.gen(function* () {
      const built = Layer.provide(layer, Layer.succeed(Retry.RetryPolicy, stubborn))
      expect(yield* tagOf(Effect.provide(usage, built))).toBe("Unauthorized")
      expect(calls).toHaveLength(3)
    })
  })
})
