import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { service, wayTo } from "./Cuttable.ts"

const addresses = Array.from({ length: 20 }, (_, index) => `https://docs.example.com/${index}`)

/** A breath of the machine: what is on its way arrives. */
const breath = Effect.promise(() => new Promise((done) => setTimeout(done, 2)))

/**
 * Runs steps over the addresses against a service that is out of reach from the moment when it has been asked enough, for
 * seventy seconds; a second passes with every breath.
 */
const runThrough = (steps: string, isEnough: (asked: number) => boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    const { books, port } = yield* service
    const way = yield* wayTo(port)
    const text = `version: 1\nname: t\nsteps:\n  - urls: ${JSON.stringify(addresses)}\n${steps}\n  - write: { jsonl: rows.jsonl }\n`
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const { execute } = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder })
    const client = Layer.provide(Client.layer, Connection.layer({ baseUrl: way.url }))
    const fiber = yield* Effect.fork(execute.pipe(Effect.provide(client), Effect.provide(Sqlite.layer(folder))))
    const asked = () => books.polls + books.charged.size
    let cutAt: number | undefined
    let outFor: number | undefined
    while ((yield* Fiber.poll(fiber))._tag === "None") {
      yield* breath
      yield* TestClock.adjust("1 second")
      const now = yield* Clock.currentTimeMillis
      if (cutAt === undefined && isEnough(asked())) {
        yield* way.cut
        cutAt = now
      } else if (cutAt !== undefined && outFor === undefined && now - cutAt >= 70_000) {
        outFor = now - cutAt
        yield* way.mend
      }
      if (now > 900_000) return yield* Effect.dieMessage("the run does not end")
    }
    const summary = yield* Fiber.join(fiber)
    const lines = (yield* files.readFileString(`${folder}/rows.jsonl`)).trim().split("\n")
    return { summary, books, outFor, urls: lines.map((line) => JSON.parse(line).metadata.sourceURL as string) }
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None), Effect.provide(NodeContext.layer))

describe("a hosted run that loses its connection for a minute", () => {
  it.scoped("continues its job: reads every page once, and starts and pays for nothing twice", () =>
    Effect.gen(function* () {
      const { books, outFor, summary, urls } = yield* runThrough("  - batchScrape: {}", (asked) => asked >= 22)
      expect(outFor).toBeGreaterThanOrEqual(70_000)
      expect(summary).toMatchObject({ status: "completed", rows: 20, rejects: 0, credits: 20 })
      expect(urls).toEqual(addresses)
      expect(books.starts).toBe(1)
      expect([...books.charged.values()]).toEqual(addresses.map(() => 1))
    })
  )

  it.scoped("continues also when the step's own retry does not name lost connections", () =>
    Effect.gen(function* () {
      const step = "  - batchScrape: {}\n    retry: { times: 2, on: [429, 5xx, timeout] }"
      const { books, outFor, summary, urls } = yield* runThrough(step, (asked) => asked >= 22)
      expect(outFor).toBeGreaterThanOrEqual(70_000)
      expect(summary).toMatchObject({ status: "completed", rows: 20 })
      expect(urls).toEqual(addresses)
      expect(books.starts).toBe(1)
    })
  )

  it.scoped("continues with single pages, and pays for each once", () =>
    Effect.gen(function* () {
      const { books, outFor, summary, urls } = yield* runThrough(
        "  - scrape: {}\n    concurrency: 3",
        (asked) => asked >= 6
      )
      expect(outFor).toBeGreaterThanOrEqual(70_000)
      expect(summary).toMatchObject({ status: "completed", rows: 20, rejects: 0, credits: 20 })
      expect([...urls].sort()).toEqual([...addresses].sort())
      expect([...books.charged.values()]).toEqual(addresses.map(() => 1))
    })
  )
})
