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
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { type Answer, baseUrl, connection } from "./Fake.ts"
import { documentOf, id, jobServer, type Plan } from "./JobServer.ts"

const faults = ["cut", "half", 500, 503, undefined] as const

const plan: FastCheck.Arbitrary<Plan> = FastCheck.record({
  kind: FastCheck.constantFrom("skip", "skip", "all", "opaque"),
  documents: FastCheck.nat({ max: 60 }),
  pageSize: FastCheck.integer({ min: 1, max: 12 }),
  growth: FastCheck.array(FastCheck.nat({ max: 9 }), { maxLength: 25 }),
  overlap: FastCheck.constantFrom(0, 0, 1, 3),
  loops: FastCheck.array(FastCheck.boolean(), { maxLength: 5 }),
  faults: FastCheck.array(FastCheck.constantFrom<(typeof faults)[number]>(...faults), { maxLength: 6 }),
  shrinks: FastCheck.array(FastCheck.boolean(), { maxLength: 5 }),
  endless: FastCheck.boolean(),
  running: FastCheck.constantFrom("scraping", "scraping", "queued"),
  end: FastCheck.constantFrom("completed", "completed", "failed", "cancelled")
})

const all = (count: number, from = 0) => Array.from({ length: count - from }, (_, index) => documentOf(from + index))

/** One client for all the servers of a property; they take turns. */
const withClient = (
  property: (serve: (plan: Plan) => ReadonlyArray<string>, batch: BatchScrape) => FastCheck.IAsyncProperty<unknown>
) => {
  let answer: (url: URL) => Answer = () => "refused"
  const policy: Retry.Policy = { schedule: Schedule.recurs(20), when: Retry.isSafe }
  const layer = Layer.provide(
    BatchScrape.Default,
    connection((url) => answer(url))
  ).pipe(Layer.provide(Layer.succeed(Retry.RetryPolicy, policy)))
  const serve = (plan: Plan) => {
    const server = jobServer(plan, baseUrl)
    answer = server.answer
    return server.asked
  }
  return Effect.flatMap(BatchScrape, (batch) =>
    Effect.promise(() => FastCheck.assert(property(serve, batch), { numRuns: repetitions(70, 12) }))
  ).pipe(Effect.provide(layer))
}

const poll = Schedule.forever
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Logger.withMinimumLogLevel(effect, LogLevel.None))

const read = (batch: BatchScrape, from = 0) =>
  Effect.gen(function* () {
    const documents: Array<unknown> = []
    const end = yield* batch.stream(id, { from, poll }).pipe(
      Stream.runForEachChunk((chunk) => Effect.sync(() => void documents.push(...chunk))),
      Effect.either
    )
    return { documents, end: end._tag === "Left" ? end.left._tag : "completed" }
  })

describe("whatever the status server does", () => {
  it.live.skipIf(skipsLong)("every document arrives once and in order, followed by the end of the job", () =>
    withClient((serve, batch) =>
      FastCheck.asyncProperty(plan, async (given) => {
        const asked = serve(given)
        const { documents, end } = await run(read(batch))
        expect(documents).toEqual(all(given.documents))
        expect(end).toBe(given.end === "completed" ? "completed" : "JobFailed")
        expect(asked.length).toBeLessThan(400)
      })
    )
  )

  it.live("a reading that begins in the middle gets the rest", () =>
    withClient((serve, batch) =>
      FastCheck.asyncProperty(
        plan.filter(({ kind, overlap }) => kind !== "opaque" && overlap === 0),
        FastCheck.nat({ max: 60 }),
        async (given, from) => {
          const start = Math.min(from, given.documents)
          serve({ ...given, growth: [], shrinks: [] })
          expect((await run(read(batch, start))).documents).toEqual(all(given.documents, start))
        }
      )
    )
  )

  it.live("the positions of the pages say where to resume", () =>
    withClient((serve, batch) =>
      FastCheck.asyncProperty(
        plan.filter(({ kind }) => kind === "skip"),
        async (given) => {
          serve({ ...given, end: "completed" })
          let position = 0
          for (const page of await run(Stream.runCollect(batch.pages(id, { poll })))) {
            expect(page.position).toBe(position)
            position += page.documents.length
            expect(page.next).toBe(position)
          }
        }
      )
    )
  )

  it.live("a page is a chunk", () =>
    withClient((serve, batch) =>
      FastCheck.asyncProperty(plan, async (given) => {
        serve({ ...given, kind: "skip", end: "completed" })
        const chunks = await run(batch.stream(id, { poll }).pipe(Stream.chunks, Stream.runCollect))
        expect(Chunk.toReadonlyArray(Chunk.flatten(chunks))).toEqual(all(given.documents))
        expect(Math.max(0, ...Chunk.map(chunks, Chunk.size))).toBeLessThanOrEqual(given.pageSize + given.overlap)
      })
    )
  )
})
