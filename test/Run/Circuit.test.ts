import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { serve, withBody } from "../Engine/Scrape/Site.ts"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { clientAt, project, stepLine } from "../Project.ts"
import { whileTimePasses } from "./Lives.ts"

/** A service that scrapes while `isUp` says so, and else answers 500 in its own words. */
const service = (isUp: (asked: number) => boolean) => {
  const books = { asked: 0 }
  const listen = serve((request, response) =>
    withBody(request, (text) => {
      const up = isUp(++books.asked)
      const metadata = { sourceURL: JSON.parse(text).url, statusCode: 200, creditsUsed: 1 }
      const answer = up ? { success: true, data: { markdown: "x", metadata } } : { success: false, error: "it broke" }
      response.writeHead(up ? 200 : 500, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  )
  return Effect.map(listen, (url) => ({ url, books }))
}

/** Scrapes pages while time passes, until the run ends. */
const scrape = (
  rows: number,
  url: string,
  { frame, keys = "", step = "{}" }: { readonly keys?: string; readonly frame?: string; readonly step?: string } = {}
) =>
  Effect.gen(function* () {
    const { resume, run } = yield* project({ onTestClock: true, client: yield* clientAt(url) })
    const addresses = Array.from({ length: rows }, (_, index) => `https://docs.example.com/${index}`)
    const steps = `${stepLine("urls", addresses)}  - scrape: ${step}\n${keys}  - write: { jsonl: rows.jsonl }\n`
    const begun = yield* Clock.currentTimeMillis
    const { outcome, runId, warnings } = yield* whileTimePasses(run(steps, { frame }))
    const took = (yield* Clock.currentTimeMillis) - begun
    const again = Effect.map(whileTimePasses(resume(runId, steps, { frame })), (ended) => ended.outcome)
    return { outcome, took, warnings, again }
  })

describe("a run whose service answers 500 to everything", () => {
  scoped("ends soon and says why: 100 rows make fewer than 60 requests, and none is rejected", function* () {
    const { books, url } = yield* service(() => false)
    const { outcome, took, warnings } = yield* scrape(100, url)
    expect(books.asked).toBeLessThan(60)
    expect(outcome).toMatchObject({
      left: { reason: { reason: "CircuitOpen", step: "scrape" }, summary: { status: "failed", rows: 0, rejects: 0 } }
    })
    expect(Either.isLeft(outcome) ? outcome.left.message : "").toContain("it broke")
    expect(took).toBeLessThan(60_000)
    expect(warnings.filter((each) => each.includes("circuit breaker is open")).length).toBe(1)
  })

  scoped.skipIf(skipsLong)("after a good start keeps what is done, and a resumed run does the rest", function* () {
    let isMended = false
    const { books, url } = yield* service((asked) => isMended || asked <= 20)
    const { again, outcome } = yield* scrape(100, url)
    expect(books.asked - 20).toBeLessThan(60)
    expect(outcome).toMatchObject({ left: { reason: { reason: "CircuitOpen" }, summary: { resumable: true } } })
    const rejects = Either.isLeft(outcome) ? outcome.left.summary.rejects : 0
    expect(rejects).toBeLessThan(20)
    isMended = true
    expect(yield* again).toMatchObject({ right: { status: "completed", rows: 100 - rejects, rejects } })
  })
})

describe("retry of a step", () => {
  scoped("has a circuit of its own, or none", function* () {
    const small = yield* service(() => false)
    const keys = (fields: string) => `    concurrency: 1\n    retry: { times: 0, ${fields} }\n`
    const { outcome } = yield* scrape(20, small.url, {
      keys: keys("circuitBreaker: { failureThreshold: 2, resetTimeout: 1s, giveUpAfter: 4s }")
    })
    expect(outcome).toMatchObject({ left: { reason: { reason: "CircuitOpen" } } })
    expect(small.books.asked).toBeLessThan(8)
    const none = yield* service(() => false)
    yield* scrape(20, none.url, { keys: keys("circuitBreaker: false") })
    expect(none.books.asked).toBe(20)
  })

  scoped.skipIf(skipsLong)("has a budget of its own, or none", function* () {
    const keys = (fields: string) => `    retry: { times: 1, on: [5xx], circuitBreaker: false, ${fields} }\n`
    for (const [fields, asked] of [
      ["retryBudget: { ratio: 0%, minimum: 7 }", 27],
      ["retryBudget: { ratio: 25%, minimum: 0 }", 25],
      ["retryBudget: false", 40]
    ] as const) {
      const { books, url } = yield* service(() => false)
      yield* scrape(20, url, { keys: keys(fields) })
      expect(books.asked, fields).toBeLessThanOrEqual(asked)
      expect(books.asked, fields).toBeGreaterThanOrEqual(asked - 2)
    }
  })
})

describe("timeout of a step", () => {
  scoped.skipIf(skipsLong)(
    "does not run while a row waits for the circuit to close: a service that breaks down for half a minute costs no row",
    function* () {
      let brokeAt: number | undefined
      const clock = yield* Effect.clock
      const { url } = yield* service((asked) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (asked === 20) brokeAt = now
        return brokeAt === undefined || now - brokeAt >= 30_000
      })
      const { outcome, took } = yield* scrape(60, url, { keys: "    timeout: 15s\n" })
      expect(outcome).toMatchObject({ right: { status: "completed", rows: 60, rejects: 0 } })
      expect(took).toBeGreaterThanOrEqual(30_000)
    }
  )

  scoped.skipIf(skipsLong)(
    "does not run while a row waits for credits that other calls hold, and runs while its call does",
    function* () {
      const clock = yield* Effect.clock
      /** Answers as soon as so many seconds of the test's clock are over. */
      const slow = (seconds: number) =>
        serve((request, response) =>
          withBody(request, (text) => {
            const due = clock.unsafeCurrentTimeMillis() + seconds * 1_000
            const metadata = { sourceURL: JSON.parse(text).url, statusCode: 200, creditsUsed: 1 }
            const body = JSON.stringify({ success: true, data: { markdown: "x", metadata } })
            const timer = setInterval(() => {
              if (clock.unsafeCurrentTimeMillis() < due && !response.destroyed) return
              clearInterval(timer)
              response.writeHead(200, { "content-type": "application/json" }).end(body)
            }, 1)
          })
        )
      const keys = "    timeout: 30s\n"
      const frame = "budget: { credits: 10 }\n"
      const waiting = yield* scrape(4, yield* slow(12), { frame, keys, step: "{ proxy: auto }" })
      expect(waiting.outcome).toMatchObject({ right: { status: "completed", rows: 4, rejects: 0 } })
      expect(waiting.took).toBeGreaterThan(30_000)
      const late = yield* scrape(1, yield* slow(60), { keys })
      expect(late.outcome).toMatchObject({ left: { summary: { rows: 0, rejects: 1 } } })
      expect(late.took).toBeLessThan(60_000)
    }
  )
})
