import { duplexPair } from "node:stream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import * as Cursor from "../../src/Client/JobStream/Cursor.ts"
import type { JobStreamOptions } from "../../src/Client/JobStream.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { type Answer, baseUrl, connection } from "./Fake.ts"
import { documentOf, id } from "./JobServer.ts"
import { serve } from "./Server.ts"

const path = `/v2/batch/scrape/${id}`
const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => documentOf(from + index))
const status = (fields: object): Answer => ({ body: { success: true, status: "completed", ...fields } })
const notFound = (error = "Job not found"): Answer => ({ status: 404, body: { success: false, error } })

/** Events in order: documents by the number in their title, then how the stream ended. */
const read = (
  answer: (url: URL, request: number) => Answer,
  options?: JobStreamOptions,
  service?: Partial<Connection.Options>
) => {
  const asked: Array<string> = []
  const layer = connection((url) => {
    asked.push(url.pathname + url.search)
    return answer(url, asked.length - 1)
  }, service)
  const run = Effect.gen(function* () {
    const batch = yield* BatchScrape
    const seen: Array<unknown> = []
    const end = yield* batch.stream(id, options).pipe(
      Stream.runForEachChunk((chunk) => Effect.sync(() => void seen.push(...chunk))),
      Effect.either
    )
    return { seen, end: end._tag === "Left" ? end.left : "done" }
  }).pipe(
    Effect.provide(Layer.provide(BatchScrape.Default, layer)),
    Effect.provideService(Retry.RetryPolicy, Retry.never)
  )
  return { asked, run }
}

const silently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const said = yield* Ref.make<ReadonlyArray<string>>([])
    const logger = Logger.make(({ message }) => Effect.runSync(Ref.update(said, (all) => [...all, String(message)])))
    const value = yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return { value, said: yield* Ref.get(said) }
  })

describe("a job that runs", () => {
  it.effect("is polled with growing delays up to ten seconds, which restart after new documents", () => {
    const { asked, run } = read((_, request) =>
      request < 15
        ? status({ status: "scraping", total: 3, completed: 0 })
        : request === 15
          ? status({ status: "scraping", total: 3, completed: 1, data: documents(0, 1) })
          : status({ total: 3, completed: 3, data: documents(1, 3) })
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("499 millis")
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust("749 millis")
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust("1 millis")
      expect(asked).toHaveLength(3)
      yield* TestClock.adjust("1 minute")
      const before = asked.length
      yield* TestClock.adjust("10 seconds")
      expect(asked).toHaveLength(before + 1)
      yield* TestClock.adjust(`${(15 - before) * 10} seconds`)
      expect(asked).toHaveLength(17)
      const { seen, end } = yield* Fiber.join(fiber)
      expect(seen).toEqual(documents(0, 3))
      expect(end).toBe("done")
      expect(asked.at(-1)).toBe(`${path}?skip=1`)
    })
  })

  it.effect(
    "of an engine in this process is polled after half of the time that it has run, and later like any other",
    () => {
      const answer = () => status({ status: "scraping", total: 3, completed: 0 })
      const { asked, run } = read(answer, undefined, { connect: () => duplexPair()[0] })
      return Effect.gen(function* () {
        const fiber = yield* Effect.fork(run)
        yield* TestClock.adjust("49 millis")
        expect(asked).toHaveLength(1)
        // At 50, 100, 150, 225, 337, 506 and 759 ms.
        yield* TestClock.adjust("1 millis")
        expect(asked).toHaveLength(2)
        yield* TestClock.adjust("949 millis")
        expect(asked).toHaveLength(8)
        yield* TestClock.adjust("1 minute")
        const before = asked.length
        yield* TestClock.adjust("10 seconds")
        expect(asked).toHaveLength(before + 1)
        yield* Fiber.interrupt(fiber)
      })
    }
  )

  it.effect("is read in one pass only up to what was there when the pass began", () => {
    // Every request finds two documents more, so that `next` has no end.
    const { asked, run } = read((url, request) => {
      const skip = Number(url.searchParams.get("skip") ?? 0)
      const next = `${baseUrl}${path}?skip=${skip + 2}`
      return status({
        status: "scraping",
        total: 1000,
        completed: (request + 1) * 2,
        data: documents(skip, skip + 2),
        next
      })
    })
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      for (const passes of [1, 2, 3]) {
        yield* TestClock.adjust(passes === 1 ? "0 millis" : "500 millis")
        expect(asked).toHaveLength(passes)
      }
      yield* Fiber.interrupt(fiber)
    })
  })

  it.effect("with an unknown status counts as running, with one warning", () => {
    const { run } = read((_, request) =>
      request < 3 ? status({ status: "paused", total: 1 }) : status({ total: 1, completed: 1, data: documents(0, 1) })
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(silently(run))
      yield* TestClock.adjust("1 minute")
      const { value, said } = yield* Fiber.join(fiber)
      expect(value.end).toBe("done")
      expect(said).toEqual(['Unknown job status "paused" is treated as "still running"'])
    })
  })

  it.effect("is given up when the poll schedule ends", () => {
    const { run } = read(() => status({ status: "scraping", total: 7, completed: 0 }), { poll: Schedule.recurs(2) })
    return Effect.gen(function* () {
      const { end } = yield* run
      expect(end).toMatchObject({ _tag: "Timeout" })
      expect(String(end)).toContain("still scraping at 0 of 7 pages")
    })
  })
})

describe("a job that is not there", () => {
  it.effect("is asked for again for ten seconds: it may be just born", () => {
    const { asked, run } = read((_, request) =>
      request < 5 ? notFound() : status({ total: 1, completed: 1, data: documents(0, 1) })
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("10 seconds")
      expect((yield* Fiber.join(fiber)).seen).toEqual(documents(0, 1))
      expect(asked).toHaveLength(6)
    })
  })

  it.effect("is not found after that", () => {
    const { run } = read(() => notFound())
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("9 seconds")
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(fiber)).end).toMatchObject({ _tag: "JobNotFound" })
    })
  })

  scoped("has expired when the service says so, or when its time had come", function* () {
    const told = read(() => notFound("Job expired"))
    expect((yield* told.run).end).toMatchObject({ _tag: "JobExpired" })

    const running = { status: "scraping", total: 2, completed: 1, data: documents(0, 1) }
    for (const [expiresAt, tag] of [
      ["1970-01-01T00:00:00.100Z", "JobExpired"],
      ["2030-01-01T00:00:00Z", "JobNotFound"]
    ] as const) {
      const { run } = read((_, request) => (request === 0 ? status({ ...running, expiresAt }) : notFound()))
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("1 minute")
      const { seen, end } = yield* Fiber.join(fiber)
      expect(seen).toEqual(documents(0, 1))
      expect(end).toMatchObject({ _tag: tag })
    }
  })

  scoped("because its id is none is refused before anything is sent", function* () {
    const layer = connection(() => status({}))
    const batch = yield* Effect.provide(BatchScrape, Layer.provide(BatchScrape.Default, layer))
    const error = yield* Effect.flip(Stream.runDrain(batch.stream("../team")))
    expect(error).toMatchObject({ _tag: "InvalidRequest" })
  })
})

describe("a job that ended badly", () => {
  const failed = (end: string, data = true) =>
    read((url) => {
      const skip = Number(url.searchParams.get("skip") ?? 0)
      const next = skip === 0 ? `${baseUrl}${path}?skip=2` : null
      const fields = { success: false, status: end, total: 9, completed: 4, error: "the site is down", next }
      return status({ ...fields, ...(data ? { data: documents(skip, skip + 2) } : { next: null }) })
    })

  scoped("gives what it has, then fails", function* () {
    for (const end of ["failed", "cancelled"]) {
      const result = yield* failed(end).run
      expect(result.seen).toEqual(documents(0, 4))
      expect(result.end).toMatchObject({ _tag: "JobFailed", id, status: end, completed: 4, total: 9, position: 4 })
      expect(String(result.end)).toContain("the site is down")
    }
  })

  scoped("just ends when that is wanted", function* () {
    const { run } = read(() => status({ status: "failed", total: 2, completed: 1, data: documents(0, 1) }), {
      onFailure: "end"
    })
    expect(yield* run).toEqual({ seen: documents(0, 1), end: "done" })
  })

  it.effect("that promises more than it has is asked a few times, then believed no longer", () => {
    const { asked, run } = failed("failed", false)
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(fiber)).end).toMatchObject({ _tag: "JobFailed", position: 0 })
      expect(asked).toHaveLength(3)
    })
  })
})

describe("a next", () => {
  scoped("to another host is refused after the page's documents, and the key does not go there", function* () {
    const stranger = yield* serve(() => ({ body: { status: "completed", data: documents(1, 2) } }))
    const server = yield* serve(() => ({
      body: {
        status: "scraping",
        total: 2,
        completed: 2,
        data: documents(0, 1),
        next: `${stranger.url}${path}?skip=1`
      }
    }))
    const crawl = yield* Effect.provide(Crawl, Crawl.Default).pipe(
      Effect.provide(Connection.layer({ baseUrl: server.url }))
    )
    const seen: Array<unknown> = []
    const error = yield* crawl.stream(id).pipe(
      Stream.runForEach((document) => Effect.sync(() => void seen.push(document))),
      Effect.flip
    )
    expect(seen).toEqual(documents(0, 1))
    expect(error).toMatchObject({ _tag: "CrossOrigin", target: stranger.url })
    expect(stranger.asked).toEqual([])
  })

  it("is followed to the service itself, however it writes its own address", () => {
    const base = "https://api.example.com"
    expect(Cursor.resolve(`http://api.example.com${path}?skip=5&limit=2`, base)).toEqual({
      _tag: "SameService",
      url: `${base}${path}?skip=5&limit=2`,
      skip: 5
    })
    expect(Cursor.resolve(`${path}?cursor=abc`, base)).toMatchObject({ _tag: "SameService", skip: undefined })
    for (const next of [null, undefined, "http://["]) expect(Cursor.resolve(next, base)._tag).toBe("None")
    for (const next of [
      "https://api.example.org/x",
      "https://api.example.com:8443/x",
      "http://api.example.com:8080/x",
      "https://api.example.com.evil.test/x",
      "//evil.test/x"
    ]) {
      expect(Cursor.resolve(next, base)._tag).toBe("OtherOrigin")
    }
    expect(Cursor.resolve("https://localhost/x", "http://localhost")._tag).toBe("OtherOrigin")
  })

  it.effect("that leads in a circle through an ended job is given up after a few rounds", () => {
    // Three pages with an opaque `next`; the third leads back to the second, and a fourth document never comes.
    const { asked, run } = read((url) => {
      const cursor = Number(url.searchParams.get("cursor") ?? 0)
      const next = `${baseUrl}${path}?cursor=${cursor === 2 ? 1 : cursor + 1}`
      return status({ total: 4, completed: 4, data: documents(cursor, cursor + 1), next })
    })
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(silently(run))
      yield* TestClock.adjust("1 minute")
      const { value, said } = yield* Fiber.join(fiber)
      expect(value).toEqual({ seen: documents(0, 3), end: "done" })
      expect(said).toEqual([`Job ${id} ended after 3 documents, but its status counts 4: some documents are missing`])
      expect(asked.length).toBeLessThan(40)
    })
  })

  it.effect("may skip pages that the service does not send", () => {
    const { asked, run } = read((url) =>
      url.searchParams.has("skip")
        ? status({ total: 10, completed: 4, data: documents(2, 4) })
        : status({ total: 10, completed: 4, data: documents(0, 2), next: `${baseUrl}${path}?skip=7` })
    )
    return Effect.gen(function* () {
      expect((yield* run).seen).toEqual(documents(0, 4))
      expect(asked.at(-1)).toBe(`${path}?skip=7`)
    })
  })
})

describe("documents", () => {
  it.effect("that are equal are all delivered when the positions are right, because the job has the page twice", () => {
    const same = [documentOf(0), documentOf(1), documentOf(0)]
    const { run } = read((url) => {
      const skip = Number(url.searchParams.get("skip") ?? 0)
      const next = skip < 6 ? `${baseUrl}${path}?skip=${skip + 3}` : undefined
      return status({ total: 9, completed: 9, data: same, next })
    })
    return Effect.gen(function* () {
      expect((yield* run).seen).toEqual([...same, ...same, ...same])
    })
  })

  it.effect("that begin a page and end the one before are duplicates, whatever the positions say", () => {
    const { run } = read((url) =>
      url.searchParams.has("skip")
        ? status({ total: 10, completed: 10, data: documents(2, 5) })
        : status({ total: 10, completed: 10, data: documents(0, 3), next: `${baseUrl}${path}?skip=3` })
    )
    return Effect.gen(function* () {
      expect((yield* run).seen).toEqual(documents(0, 5))
    })
  })

  it.effect("with an id are recognized by it", () => {
    const numbered = (number: number) => ({ metadata: { scrapeId: `scrape-${number}`, n: Math.random() } })
    const first = [0, 1, 2].map(numbered)
    const second = [3, 1, 4].map(numbered)
    const { run } = read((url) =>
      url.searchParams.has("skip")
        ? status({ total: 10, completed: 10, data: second })
        : status({ total: 10, completed: 10, data: first, next: `${baseUrl}${path}?skip=3` })
    )
    return Effect.gen(function* () {
      expect((yield* run).seen).toEqual([...first, second[0], second[2]])
    })
  })

  it.effect("are passed on as received, unusual ones with a warning", () => {
    const data = [{ zebra: 1, markdown: "a", metadata: { x: [1] } }, { markdown: 5 }, null, "text"]
    const { run } = read(() => status({ total: 4, completed: 4, data }))
    return Effect.gen(function* () {
      const { value, said } = yield* silently(run)
      expect(JSON.stringify(value.seen)).toBe(JSON.stringify(data.slice(0, 2)))
      expect(said).toEqual([
        "3 of 4 documents do not match the schema of the API; not objects, and therefore left out: 2"
      ])
    })
  })

  scoped("are requested by version, position and number", function* () {
    const { asked, run } = read(() => status({ total: 12, completed: 12, data: documents(10, 12) }), {
      version: "v1",
      from: 10,
      limit: 50
    })
    expect((yield* run).seen).toEqual(documents(10, 12))
    expect(asked).toEqual([`/v1/batch/scrape/${id}?skip=10&limit=50`])
  })

  scoped("may be missing from the answer", function* () {
    expect(yield* read(() => status({ total: 0, completed: 0 })).run).toEqual({ seen: [], end: "done" })
    expect(yield* read(() => status({ data: null, next: null })).run).toEqual({ seen: [], end: "done" })
  })

  scoped("are not expected in an answer that is not a job status", function* () {
    const { end } = yield* read(() => ({ body: { success: true, links: [] } })).run
    expect(end).toMatchObject({ _tag: "UnexpectedResponse", status: 200, excerpt: '{"success":true,"links":[]}' })
  })
})

describe("over a real connection", () => {
  scoped("pages that are cut, or larger than 10 MB, arrive whole and once", function* () {
    const big = { markdown: "x".repeat(12 * 1024 * 1024), metadata: { sourceURL: "https://docs.example.com/big" } }
    const pages = [documents(0, 50), [big], documents(50, 100)]
    const failures = new Set<string>()
    const server = yield* serve(({ path }, { url }) => {
      const skip = Number(new URL(path, url).searchParams.get("skip") ?? 0)
      const index = skip === 0 ? 0 : skip === 50 ? 1 : 2
      const next = index < 2 ? `${url}/v2/crawl/${id}?skip=${skip + (index === 0 ? 50 : 1)}` : undefined
      const body = { success: true, status: "completed", total: 101, completed: 101, data: pages[index], next }
      if (failures.has(path)) return { body }
      failures.add(path)
      return { body, cutAfter: 3000 }
    })
    const policy: Retry.Policy = { schedule: Schedule.recurs(3), when: Retry.isSafe }
    const crawl = yield* Crawl.pipe(
      Effect.provide(Crawl.Default),
      Effect.provide(Connection.layer({ baseUrl: server.url })),
      Effect.provideService(Retry.RetryPolicy, policy)
    )
    const chunks = yield* crawl.stream(id).pipe(Stream.chunks, Stream.runCollect)
    expect(Chunk.toReadonlyArray(Chunk.map(chunks, Chunk.size))).toEqual([50, 1, 50])
    expect(Chunk.toReadonlyArray(Chunk.flatten(chunks))).toEqual(pages.flat())
    expect(server.asked).toHaveLength(6)
  })
})
