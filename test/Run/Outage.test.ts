import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { clientAt, project, stepLine } from "../Project.ts"
import { service, wayTo } from "./Cuttable.ts"
import { whileTimePasses } from "./Lives.ts"

const addresses = Array.from({ length: 20 }, (_, index) => `https://docs.example.com/${index}`)

/** Runs steps over the addresses against a service that is unreachable for seventy seconds, once it has answered enough. */
const runThrough = (steps: string, isEnough: (asked: number) => boolean) =>
  Effect.gen(function* () {
    const { books, port } = yield* service
    const way = yield* wayTo(port)
    const { run } = yield* project({ onTestClock: true, client: yield* clientAt(way.url) })
    let cutAt: number | undefined
    let outFor: number | undefined
    const disturb = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (cutAt === undefined && isEnough(books.polls + books.charged.size)) {
        yield* way.cut
        cutAt = now
      } else if (cutAt !== undefined && outFor === undefined && now - cutAt >= 70_000) {
        outFor = now - cutAt
        yield* way.mend
      }
      if (now > 900_000) return yield* Effect.dieMessage("the run does not end")
    })
    const { rows, summary } = yield* whileTimePasses(
      run(`${stepLine("urls", addresses)}${steps}\n  - write: { jsonl: rows.jsonl }\n`),
      disturb
    )
    const urls = rows.map(({ metadata }) => (metadata as { readonly sourceURL: string }).sourceURL)
    return { summary, books, outFor, urls }
  })

describe("a hosted run that loses its connection for a minute", () => {
  scoped.skipIf(skipsLong)(
    "continues its job: reads every page once, and starts and pays for nothing twice",
    function* () {
      const { books, outFor, summary, urls } = yield* runThrough("  - batchScrape: {}", (asked) => asked >= 22)
      expect(outFor).toBeGreaterThanOrEqual(70_000)
      expect(summary).toMatchObject({ status: "completed", rows: 20, rejects: 0, credits: 20 })
      expect(urls).toEqual(addresses)
      expect(books.starts).toBe(1)
      expect([...books.charged.values()]).toEqual(addresses.map(() => 1))
    }
  )

  scoped.skipIf(skipsLong)("continues also when the step's own retry does not name lost connections", function* () {
    const step = "  - batchScrape: {}\n    retry: { times: 2, on: [429, 5xx, timeout] }"
    const { books, outFor, summary, urls } = yield* runThrough(step, (asked) => asked >= 22)
    expect(outFor).toBeGreaterThanOrEqual(70_000)
    expect(summary).toMatchObject({ status: "completed", rows: 20 })
    expect(urls).toEqual(addresses)
    expect(books.starts).toBe(1)
  })

  scoped.skipIf(skipsLong)("continues with single pages, and pays for each once", function* () {
    const { books, outFor, summary, urls } = yield* runThrough(
      "  - scrape: {}\n    concurrency: 3",
      (asked) => asked >= 6
    )
    expect(outFor).toBeGreaterThanOrEqual(70_000)
    expect(summary).toMatchObject({ status: "completed", rows: 20, rejects: 0, credits: 20 })
    expect([...urls].sort()).toEqual([...addresses].sort())
    expect([...books.charged.values()]).toEqual(addresses.map(() => 1))
  })
})
