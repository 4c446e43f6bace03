import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { serve, withBody } from "../Engine/Scrape/Site.ts"

/** Lets what is on its way arrive. */
const breath = Effect.promise(() => new Promise((done) => setTimeout(done, 1)))

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

/** Scrapes pages while time flies, until the run ends. */
const scrape = (
  rows: number,
  url: string,
  options: { readonly keys?: string; readonly frame?: string; readonly step?: string } = {}
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    const addresses = Array.from({ length: rows }, (_, index) => `https://docs.example.com/${index}`)
    const text = `version: 1\nname: t\n${options.frame ?? ""}steps:\n  - urls: ${JSON.stringify(addresses)}\n  - scrape: ${options.step ?? "{}"}\n${options.keys ?? ""}  - write: { jsonl: rows.jsonl }\n`
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    const run = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder })
    const surroundings = Layer.mergeAll(
      Layer.provide(Client.layer, Connection.layer({ baseUrl: url })),
      Sqlite.layer(folder),
      Logger.replace(Logger.defaultLogger, logger)
    )
    const begun = yield* Clock.currentTimeMillis
    const toEnd = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.either(Effect.provide(effect, surroundings)))
        while ((yield* Fiber.poll(fiber))._tag === "None") {
          yield* breath
          yield* TestClock.adjust("1 second")
        }
        return yield* Fiber.join(fiber)
      })
    const outcome = yield* toEnd(run.execute)
    const took = (yield* Clock.currentTimeMillis) - begun
    const again = toEnd(
      Effect.gen(function* () {
        const record = yield* Effect.flatMap(Ledger, (ledger) => ledger.find(run.id))
        if (record === undefined) return yield* Effect.dieMessage("the run is not in the ledger")
        const resumed = yield* Run.make(checked, { ...scope, dataDir: folder, ...optionsOf(record) })
        return yield* resumed.execute
      })
    ).pipe(Effect.provide(NodeContext.layer))
    return { outcome, took, warnings, again }
  }).pipe(Effect.provide(NodeContext.layer))

describe("a run whose service answers 500 to everything", () => {
  it.scoped("ends soon and says why: 300 rows make fewer than 60 requests, and none is rejected", () =>
    Effect.gen(function* () {
      const { books, url } = yield* service(() => false)
      const { outcome, took, warnings } = yield* scrape(300, url)
      expect(books.asked).toBeLessThan(60)
      expect(outcome).toMatchObject({
        left: { reason: { reason: "CircuitOpen", step: "scrape" }, summary: { status: "failed", rows: 0, rejects: 0 } }
      })
      expect(Either.isLeft(outcome) ? outcome.left.message : "").toContain("it broke")
      expect(took).toBeLessThan(60_000)
      expect(warnings.filter((each) => each.includes("circuit is open")).length).toBe(1)
    })
  )

  it.scoped("after a good start keeps what is done, and a resumed run does the rest", () =>
    Effect.gen(function* () {
      let isMended = false
      const { books, url } = yield* service((asked) => isMended || asked <= 20)
      const { again, outcome } = yield* scrape(300, url)
      expect(books.asked - 20).toBeLessThan(60)
      expect(outcome).toMatchObject({ left: { reason: { reason: "CircuitOpen" }, summary: { resumable: true } } })
      const rejects = Either.isLeft(outcome) && outcome.left._tag === "RunFailed" ? outcome.left.summary.rejects : 0
      expect(rejects).toBeLessThan(20)
      isMended = true
      expect(yield* again).toMatchObject({ right: { status: "completed", rows: 300 - rejects, rejects } })
    })
  )
})

describe("a run whose service breaks down for half a minute", () => {
  it.scoped("waits and loses no row", () =>
    Effect.gen(function* () {
      let brokeAt: number | undefined
      const clock = yield* Effect.clock
      const { url } = yield* service((asked) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (asked === 20) brokeAt = now
        return brokeAt === undefined || now - brokeAt >= 30_000
      })
      const { outcome, took } = yield* scrape(100, url)
      expect(outcome).toMatchObject({ right: { status: "completed", rows: 100, rejects: 0 } })
      expect(took).toBeGreaterThanOrEqual(30_000)
    })
  )
})

describe("retry of a step", () => {
  it.scoped("has a circuit of its own, or none", () =>
    Effect.gen(function* () {
      const small = yield* service(() => false)
      const keys = (fields: string) => `    concurrency: 1\n    retry: { times: 0, ${fields} }\n`
      const { outcome } = yield* scrape(40, small.url, {
        keys: keys("circuitBreaker: { failureThreshold: 2, resetTimeout: 1s, giveUpAfter: 4s }")
      })
      expect(outcome).toMatchObject({ left: { reason: { reason: "CircuitOpen" } } })
      expect(small.books.asked).toBeLessThan(8)
      const none = yield* service(() => false)
      yield* scrape(40, none.url, { keys: keys("circuitBreaker: false") })
      expect(none.books.asked).toBe(40)
    })
  )

  it.scoped("has a budget of its own, or none", () =>
    Effect.gen(function* () {
      const keys = (fields: string) => `    retry: { times: 1, on: [5xx], circuitBreaker: false, ${fields} }\n`
      for (const [fields, asked] of [
        ["retryBudget: { ratio: 0%, minimum: 7 }", 47],
        ["retryBudget: { ratio: 25%, minimum: 0 }", 50],
        ["retryBudget: false", 80]
      ] as const) {
        const { books, url } = yield* service(() => false)
        yield* scrape(40, url, { keys: keys(fields) })
        expect(books.asked, fields).toBeLessThanOrEqual(asked)
        expect(books.asked, fields).toBeGreaterThanOrEqual(asked - 2)
      }
    })
  )
})

describe("timeout of a step", () => {
  it.scoped("does not run while a row waits for the circuit to close", () =>
    Effect.gen(function* () {
      let brokeAt: number | undefined
      const clock = yield* Effect.clock
      const { url } = yield* service((asked) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (asked === 20) brokeAt = now
        return brokeAt === undefined || now - brokeAt >= 30_000
      })
      const { outcome, took } = yield* scrape(100, url, { keys: "    timeout: 15s\n" })
      expect(outcome).toMatchObject({ right: { status: "completed", rows: 100, rejects: 0 } })
      expect(took).toBeGreaterThanOrEqual(30_000)
    })
  )

  it.scoped("does not run while a row waits for credits that other calls hold, and runs while its call does", () =>
    Effect.gen(function* () {
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
    })
  )
})
