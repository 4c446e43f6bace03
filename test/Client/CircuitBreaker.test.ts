import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import * as CircuitBreaker from "../../src/Client/CircuitBreaker.ts"
import * as ClientErrors from "../../src/Client/ClientErrors.ts"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"

const at = { method: "POST", url: "http://x.example/v2/scrape" }
const broken = new ClientErrors.ServiceError({ ...at, status: 500 })
const settings = { failureThreshold: 3, resetTimeout: "10 seconds", giveUpAfter: "2 minutes" } as const

/** A breaker over a scripted service, the requests it received, and the log. */
const make = (given: Partial<CircuitBreaker.CircuitBreaker> = {}, hasAnswered = true) => {
  const service = { sent: 0, answer: Effect.fail(broken) as Effect.Effect<string, ClientErrors.ClientError> }
  const logs: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void logs.push(`${logLevel.label} ${String(message)}`))
  const breaker = CircuitBreaker.make(
    { ...settings, ...given },
    { service: "http://x.example", hasAnswered: () => hasAnswered, isReported: () => false }
  )
  const call = breaker
    .protect(
      Effect.suspend(() => {
        service.sent++
        return service.answer
      })
    )
    .pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  const open = Effect.repeatN(Effect.either(call), (given.failureThreshold ?? 3) - 1)
  return { breaker, call, logs, open, service }
}

const ok = Effect.succeed("ok")

describe("a closed circuit", () => {
  scoped("opens after failures in a row; any other answer starts the count again", function* () {
    const { breaker, call, logs, service } = make()
    const answers = [
      Effect.fail(broken),
      Effect.fail(broken),
      Effect.fail(new ClientErrors.NotFound(at)),
      Effect.fail(broken),
      Effect.fail(new ClientErrors.NetworkError({ ...at, reason: "gone", todo: "Wait", retryable: true, sent: false })),
      ok,
      Effect.fail(broken),
      Effect.fail(broken)
    ]
    for (const answer of answers) {
      service.answer = answer
      yield* Effect.either(call)
      expect(breaker.state()).toBe("closed")
    }
    service.answer = Effect.fail(broken)
    yield* Effect.either(call)
    expect(breaker.state()).toBe("open")
    expect(logs).toEqual([
      expect.stringMatching(/^WARN http:\/\/x\.example failed 3 times in a row, so the circuit breaker is open/)
    ])
  })

  scoped("does not count what the service is not to blame for", function* () {
    const { breaker, call, service } = make()
    for (const error of [
      new ClientErrors.RateLimited(at),
      new ClientErrors.Timeout(at),
      new ClientErrors.TargetNetworkError(at),
      new ClientErrors.Unprocessable(at)
    ]) {
      service.answer = Effect.fail(error)
      yield* Effect.repeatN(Effect.either(call), 5)
    }
    expect(breaker.state()).toBe("closed")
  })
})

describe("an open circuit", () => {
  scoped("holds calls back, and lets one of them through as a probe when the reset timeout is over", function* () {
    const { breaker, call, open, service } = make()
    yield* open
    const answered = yield* Effect.makeLatch()
    service.answer = Effect.zipRight(answered.await, ok)
    const fibers = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.fork(call))
    yield* TestClock.adjust("7 seconds")
    expect(service.sent).toBe(3)
    yield* TestClock.adjust("3 seconds")
    expect([breaker.state(), service.sent]).toEqual(["half-open", 4])
    yield* TestClock.adjust("1 minute")
    expect(service.sent).toBe(4)
    yield* answered.open
    expect(yield* Fiber.join(Fiber.all(fibers))).toEqual(fibers.map(() => "ok"))
    expect([breaker.state(), service.sent]).toEqual(["closed", 53])
  })

  scoped.skipIf(skipsLong)("waits twice as long after each failed probe, up to the longest wait", function* () {
    const { call, open, service } = make({ giveUpAfter: "10 minutes" })
    yield* open
    yield* Effect.fork(Effect.forever(Effect.either(call)))
    const sentAt: Array<number> = []
    let sent = service.sent
    for (let second = 1; second <= 240; second++) {
      yield* TestClock.adjust("1 second")
      if (service.sent > sent) sentAt.push(second)
      sent = service.sent
    }
    const waits = sentAt.map((second, index) => second - (sentAt[index - 1] ?? 0))
    const longest = [10, 20, 40, 50, 50, 50, 50]
    expect(waits.length).toBeGreaterThanOrEqual(5)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((longest[index] ?? 50) * 0.8)
      expect(wait).toBeLessThanOrEqual((longest[index] ?? 50) + 1)
    }
  })

  scoped("gives the place of a probe that is interrupted to the next call", function* () {
    const { breaker, call, open, service } = make()
    yield* open
    service.answer = Effect.never
    const probe = yield* Effect.fork(call)
    yield* TestClock.adjust("10 seconds")
    expect(breaker.state()).toBe("half-open")
    const next = yield* Effect.fork(call)
    yield* TestClock.adjust("1 second")
    expect(service.sent).toBe(4)
    service.answer = ok
    yield* Fiber.interrupt(probe)
    expect(yield* Fiber.join(next)).toBe("ok")
    expect(breaker.state()).toBe("closed")
  })

  scoped("lets the end of an earlier probe change nothing for the present one", function* () {
    for (const end of ["interrupted", "failed"] as const) {
      const { breaker, call, open, service } = make()
      const slow = yield* Effect.makeLatch()
      service.answer = Effect.zipRight(slow.await, ok)
      const early = yield* Effect.fork(call)
      yield* Effect.yieldNow()
      service.answer = Effect.fail(broken)
      yield* open
      const lost = yield* Effect.makeLatch()
      service.answer = Effect.zipRight(lost.await, Effect.fail(broken))
      const first = yield* Effect.fork(Effect.either(call))
      yield* TestClock.adjust("10 seconds")
      expect(breaker.state()).toBe("half-open")
      // The answer to a call that was sent before closes the circuit while its probe is still out.
      yield* slow.open
      yield* Fiber.join(early)
      expect(breaker.state()).toBe("closed")
      service.answer = Effect.fail(broken)
      yield* open
      service.answer = Effect.never
      const second = yield* Effect.fork(call)
      yield* TestClock.adjust("10 seconds")
      const { sent } = service
      const waiting = yield* Effect.fork(call)
      if (end === "interrupted") yield* Fiber.interrupt(first)
      else {
        yield* lost.open
        yield* Fiber.join(first)
      }
      yield* TestClock.adjust("1 second")
      expect([breaker.state(), service.sent], end).toEqual(["half-open", sent])
      service.answer = ok
      yield* Fiber.interrupt(second)
      expect(yield* Fiber.join(waiting)).toBe("ok")
    }
  })

  scoped("gives up: calls that wait and later ones fail, until a probe succeeds", function* () {
    const { breaker, call, logs, open, service } = make()
    yield* open
    const waiting = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => Effect.fork(Effect.either(call)))
    yield* TestClock.adjust("2 minutes")
    const ended = yield* Fiber.join(Fiber.all(waiting))
    const given = ended.flatMap((each) => (Either.isLeft(each) && each.left._tag === "CircuitOpen" ? [each.left] : []))
    expect(given.length).toBeGreaterThanOrEqual(3)
    expect(given[0]?.message).toMatch(
      /^The service failed \d+ times in a row and did not recover within 2m \(POST http:\/\/x\.example\/v2\/scrape\): status 500\. Try again when the service works$/
    )
    const before = service.sent
    expect(before).toBeLessThan(10)
    yield* TestClock.adjust("1 minute")
    expect(yield* Effect.flip(call)).toMatchObject({ _tag: "ServiceError" })
    expect(yield* Effect.flip(call)).toMatchObject({ _tag: "CircuitOpen" })
    expect(service.sent).toBe(before + 1)
    service.answer = ok
    yield* TestClock.adjust("1 minute")
    expect(yield* call).toBe("ok")
    expect(breaker.state()).toBe("closed")
    expect(logs.filter((line) => line.startsWith("WARN")).length).toBe(1)
    expect(logs.filter((line) => line.startsWith("INFO"))).toEqual([
      "INFO http://x.example answers again: the circuit breaker is closed, and calls are sent as usual"
    ])
  })

  scoped("gives up sooner where the service has never answered", function* () {
    const { call, open } = make({ giveUpFirstAfter: "30 seconds" }, false)
    yield* open
    const waiting = yield* Effect.forEach([1, 2, 3, 4], () => Effect.fork(Effect.either(call)))
    yield* TestClock.adjust("31 seconds")
    expect(yield* Fiber.join(Fiber.all(waiting))).toContainEqual(
      expect.objectContaining({ left: expect.objectContaining({ _tag: "CircuitOpen" }) })
    )
  })
})
