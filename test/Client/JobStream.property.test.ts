import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { baseUrl, connection } from "./Fake.ts"
import { documentOf, id, jobServer, type Plan } from "./JobServer.ts"

const plan: FastCheck.Arbitrary<Plan> = FastCheck.record({
  kind: FastCheck.constantFrom("skip", "skip", "all", "opaque"),
  documents: FastCheck.nat({ max: 60 }),
  pageSize: FastCheck.integer({ min: 1, max: 12 }),
  growth: FastCheck.array(FastCheck.nat({ max: 9 }), { maxLength: 25 }),
  overlap: FastCheck.constantFrom(0, 0, 1, 3),
  loops: FastCheck.array(FastCheck.boolean(), { maxLength: 5 }),
  faults: FastCheck.array(
    FastCheck.constantFrom("cut" as const, "half" as const, 500 as const, 503 as const, undefined),
    {
      maxLength: 6
    }
  ),
  shrinks: FastCheck.array(FastCheck.boolean(), { maxLength: 5 }),
  endless: FastCheck.boolean(),
  running: FastCheck.constantFrom("scraping", "scraping", "queued"),
  end: FastCheck.constantFrom("completed", "completed", "failed", "cancelled")
})

const quick: Retry.Policy = { schedule: Schedule.recurs(20), when: Retry.isSafe }

const read = (given: Plan, from = 0) => {
  const { answer, asked } = jobServer(given, baseUrl)
  const layer = Layer.provide(BatchScrape.Default, connection(answer)).pipe(
    Layer.provide(Layer.succeed(Retry.RetryPolicy, quick))
  )
  return Effect.gen(function* () {
    const batch = yield* BatchScrape
    const pages: Array<{ readonly position: number; readonly next: number; readonly count: number }> = []
    const documents: Array<unknown> = []
    const end = yield* batch.pages(id, { from, poll: Schedule.forever }).pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          pages.push({ position: page.position, next: page.next, count: page.documents.length })
          documents.push(...page.documents)
        })
      ),
      Effect.either
    )
    return { documents, pages, asked, end }
  }).pipe(Effect.provide(layer), Logger.withMinimumLogLevel(LogLevel.None))
}

const all = (count: number, from = 0) => Array.from({ length: count - from }, (_, index) => documentOf(from + index))

const check = <A>(property: FastCheck.IAsyncProperty<A>, numRuns = 200) =>
  Effect.promise(() => FastCheck.assert(property, { numRuns }))

describe("whatever the status server does", () => {
  it.live("every document comes once and in order, and the end is told", () =>
    check(
      FastCheck.asyncProperty(plan, async (given) => {
        const { documents, end, asked } = await Effect.runPromise(read(given))
        expect(documents).toEqual(all(given.documents))
        expect(end._tag === "Left" ? end.left._tag : "completed").toBe(
          given.end === "completed" ? "completed" : "JobFailed"
        )
        expect(asked.length).toBeLessThan(400)
      })
    )
  )

  it.live("a reading that begins in the middle gets the rest", () =>
    check(
      FastCheck.asyncProperty(
        plan.filter(({ kind, overlap }) => kind !== "opaque" && overlap === 0),
        FastCheck.nat({ max: 60 }),
        async (given, from) => {
          const start = Math.min(from, given.documents)
          const steady = { ...given, growth: [], shrinks: [] }
          const { documents } = await Effect.runPromise(read(steady, start))
          expect(documents).toEqual(all(given.documents, start))
        }
      )
    )
  )

  it.live("the positions of the pages say where to resume", () =>
    check(
      FastCheck.asyncProperty(
        plan.filter(({ kind }) => kind === "skip"),
        async (given) => {
          const { pages } = await Effect.runPromise(read(given))
          let position = 0
          for (const page of pages) {
            expect(page.position).toBe(position)
            position += page.count
            expect(page.next).toBe(position)
          }
        }
      )
    )
  )

  it.live("a page is a chunk", () =>
    check(
      FastCheck.asyncProperty(plan, async (given) => {
        const { answer } = jobServer({ ...given, kind: "skip", faults: [], end: "completed" }, baseUrl)
        const layer = Layer.provide(BatchScrape.Default, connection(answer))
        const chunks = await BatchScrape.pipe(
          Effect.flatMap((batch) =>
            batch.stream(id, { poll: Schedule.forever }).pipe(Stream.chunks, Stream.runCollect)
          ),
          Effect.provide(layer),
          Logger.withMinimumLogLevel(LogLevel.None),
          Effect.runPromise
        )
        expect(Chunk.toReadonlyArray(Chunk.flatten(chunks))).toEqual(all(given.documents))
        expect(Math.max(0, ...Chunk.map(chunks, Chunk.size))).toBeLessThanOrEqual(given.pageSize + given.overlap)
      }),
      100
    )
  )
})
