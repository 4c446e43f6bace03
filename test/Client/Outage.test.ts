import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import { skipsLong } from "../Long.ts"
import { type Answer, connection } from "./Fake.ts"
import { documentOf, id } from "./JobServer.ts"

const periods = { body: { success: true, periods: [] } }
const page = { body: { success: true, data: documentOf(1) } }
const badGateway = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>"
}

/** A service whose answers are settled by `now`, and what it was asked at which second. */
const service = (answer: (seconds: number, path: string) => Answer) => {
  const calls: Array<{ readonly call: string; readonly at: number }> = []
  let now = 0
  const layer = connection((url, request) => {
    calls.push({ call: `${request.method} ${url.pathname}`, at: now })
    return answer(now, url.pathname + url.search)
  })
  const clients = Layer.mergeAll(TokenUsage.Default, Scrape.Default, BatchScrape.Default).pipe(Layer.provide(layer))
  /** Lets so many seconds pass, and tells the service what time it is. */
  const pass = (seconds: number, step = 2) =>
    Effect.repeatN(
      Effect.zipRight(
        TestClock.adjust(step * 1000),
        Effect.map(Clock.currentTimeMillis, (millis) => {
          now = millis / 1000
        })
      ),
      Math.ceil(seconds / step) - 1
    )
  return { calls, clients, pass }
}

const usage = Effect.flatMap(TokenUsage, (client) => client.historical())
const scrape = (idempotencyKey?: string) =>
  Effect.flatMap(Scrape, (client) => client.run({ url: "https://docs.example.com/1" }, { idempotencyKey }))

/** Out of reach from the tenth second on, for a minute and a half. */
const gone =
  (how: Answer, here: Answer) =>
  (seconds: number): Answer =>
    seconds >= 10 && seconds < 100 ? how : here

describe("a service that becomes unreachable", { concurrent: true }, () => {
  for (const [what, how] of [
    ["refuses connections", "refused"],
    ["cuts them", "cut"],
    ["has a proxy before it that says so", badGateway]
  ] as const) {
    it.effect.skipIf(skipsLong)(`is waited for when it ${what}, with one warning`, () => {
      const { clients, pass } = service(gone(how, periods))
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Warning") warnings.push(String(message))
      })
      return Effect.gen(function* () {
        yield* usage
        yield* pass(12)
        const fiber = yield* Effect.fork(Effect.all([usage, usage], { concurrency: 2 }))
        yield* pass(86)
        expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
        // A probe of the circuit may come ten seconds after the one before.
        yield* pass(20)
        expect(yield* Fiber.join(fiber)).toMatchObject([{ periods: [] }, { periods: [] }])
        expect(warnings).toHaveLength(1)
        expect(warnings[0]).toMatch(
          /^(The service cannot be reached. Calls are retried until it answers, for up to 5m: |http:\/\/service\.test failed 10 times in a row, so the circuit breaker is open)/
        )
      }).pipe(Effect.provide(clients), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    })
  }

  it.effect.skipIf(skipsLong)(
    "is also waited for when it fails in the middle of its first answer, which may be paid for",
    () => {
      const { calls, clients, pass } = service((seconds) => (seconds === 0 ? "cut" : seconds < 60 ? "refused" : page))
      return Effect.gen(function* () {
        const fiber = yield* Effect.fork(scrape("0193-once"))
        yield* pass(80)
        expect(yield* Fiber.join(fiber)).toMatchObject({ data: { markdown: "# Page 1" } })
        expect(new Set(calls.map(({ call }) => call))).toEqual(new Set(["POST /v2/scrape"]))
      }).pipe(
        Effect.provide(clients),
        // Waits as short as chance allows would use up all attempts before the service stops cutting its answers.
        Effect.withRandom(Random.make("outage")),
        Logger.withMinimumLogLevel(LogLevel.None)
      )
    }
  )

  it.effect.skipIf(skipsLong)("is given up after five minutes with the last error", () => {
    const { clients, pass } = service((seconds) => (seconds < 10 ? periods : "refused"))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      const fiber = yield* Effect.fork(Effect.flip(usage))
      yield* pass(280, 10)
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* pass(100, 10)
      const { _tag, message } = yield* Fiber.join(fiber)
      expect(_tag).toBe("CircuitOpen")
      expect(message).toContain("nothing listens there")
    }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
  })

  it.effect.skipIf(skipsLong)(
    "delivers every document of a job once, in order, and the job is not started again",
    () => {
      let skipped = 0
      const { calls, clients, pass } = service((seconds, path) => {
        if (seconds >= 10 && seconds < 75) return seconds % 4 < 2 ? "cut" : "refused"
        skipped = Number(/skip=(\d+)/.exec(path)?.[1] ?? 0)
        const there = Math.min(12, Math.floor(seconds / 4))
        const data = Array.from({ length: Math.max(0, there - skipped) }, (_, index) => documentOf(skipped + index))
        const over = seconds > 80
        return {
          body: { status: over ? "completed" : "scraping", total: 12, completed: there, creditsUsed: there, data }
        }
      })
      return Effect.gen(function* () {
        const jobs = yield* BatchScrape
        const fiber = yield* Effect.fork(Effect.map(Stream.runCollect(jobs.stream(id)), Chunk.toReadonlyArray))
        yield* pass(120)
        const documents = yield* Fiber.join(fiber)
        expect(documents.map(({ metadata }) => metadata?.sourceURL)).toEqual(
          Array.from({ length: 12 }, (_, index) => documentOf(index).metadata.sourceURL)
        )
        expect(new Set(calls.map(({ call }) => call))).toEqual(new Set([`GET /v2/batch/scrape/${id}`]))
        const during = calls.filter(({ at }) => at >= 10 && at < 75).length
        expect(during).toBeGreaterThan(10)
        expect(during).toBeLessThan(120)
      }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
    }
  )

  it.effect.skipIf(skipsLong)("gets a paid call again only when nothing can be paid for twice", () => {
    const { calls, clients, pass } = service(gone("cut", page))
    const posts = () => calls.filter(({ at }) => at >= 10).length
    return Effect.gen(function* () {
      yield* scrape()
      yield* pass(12)
      expect(yield* Effect.flip(scrape())).toMatchObject({ _tag: "NetworkError", sent: true })
      expect(posts()).toBe(1)
      const keyed = yield* Effect.fork(scrape("k-1"))
      yield* pass(100)
      expect(yield* Fiber.join(keyed)).toMatchObject({ data: { markdown: "# Page 1" } })
      expect(posts()).toBeGreaterThan(10)
    }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
  })
})

describe("a service that did not come back", { concurrent: true }, () => {
  it.effect.skipIf(skipsLong)("is not waited for by later calls until it has answered again", () => {
    const { calls, clients, pass } = service((seconds) => (seconds < 10 || seconds > 500 ? periods : "refused"))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      const first = yield* Effect.fork(Effect.flip(usage))
      yield* pass(400, 10)
      yield* Fiber.join(first)
      const before = calls.length
      const second = yield* Effect.fork(Effect.flip(usage))
      yield* pass(30)
      // The first try is the probe of an open circuit, and no request waits for another one.
      expect((yield* Fiber.join(second))._tag).toBe("CircuitOpen")
      expect(calls.length - before).toBeLessThanOrEqual(2)
      yield* pass(70)
      yield* usage
    }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
  })
})

describe("a proxy with Retry-After", { concurrent: true }, () => {
  const away = (seconds: number) => ({ ...badGateway, status: 503, headers: { "retry-after": String(seconds) } })

  it.effect.skipIf(skipsLong)("gets no call before that time", () => {
    const { calls, clients, pass } = service((seconds) => (seconds < 10 || seconds > 200 ? periods : away(200)))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      const fiber = yield* Effect.fork(usage)
      yield* pass(230)
      expect(yield* Fiber.join(fiber)).toMatchObject({ periods: [] })
      expect(calls).toHaveLength(3)
    }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
  })

  it.effect("is not waited for when that time is a day away", () => {
    const { calls, clients, pass } = service((seconds) => (seconds < 10 ? periods : away(86_400)))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      const error = yield* Effect.flip(usage)
      expect(error.message).toContain("Try again after 1d")
      expect(calls).toHaveLength(2)
    }).pipe(Effect.provide(clients), Logger.withMinimumLogLevel(LogLevel.None))
  })
})

describe("failures that are not outages", { concurrent: true }, () => {
  it.effect("a service that has never answered fails soon, because its address may be wrong", () => {
    const { calls, clients, pass } = service(() => "refused")
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.flip(usage))
      yield* pass(20)
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "NetworkError" })
      expect(calls).toHaveLength(6)
    }).pipe(Effect.provide(clients))
  })

  it.effect("a 503 with a message of the service", () => {
    const said = { status: 503, body: { success: false, error: "No browser is installed" } }
    const { calls, clients, pass } = service((seconds) => (seconds < 10 ? periods : said))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      const fiber = yield* Effect.fork(Effect.flip(usage))
      yield* pass(20)
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "ServiceError", gateway: false })
      expect(error.message).toContain("The service failed with status 503")
      expect(calls).toHaveLength(7)
    }).pipe(Effect.provide(clients))
  })

  it.effect("any failure, with a policy without outages", () => {
    const { calls, clients, pass } = service(gone("refused", periods))
    return Effect.gen(function* () {
      yield* usage
      yield* pass(12)
      expect(yield* Effect.flip(Effect.provideService(usage, Retry.RetryPolicy, Retry.never))).toMatchObject({
        _tag: "NetworkError"
      })
      expect(calls).toHaveLength(2)
    }).pipe(Effect.provide(clients))
  })
})
