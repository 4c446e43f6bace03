import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scheduler from "effect/Scheduler"
import { nextTurn } from "../../../src/Callback/EventLoop.ts"
import * as Packing from "../../../src/Engine/PageCache/Packing.ts"
import {
  type PageTask,
  runTask,
  type ScrapeResult,
  type ScrapeTask,
  type TextTask
} from "../../../src/Engine/Scrape/DocumentTask.ts"
import { DocumentThreads } from "../../../src/Engine/Scrape/DocumentThreads.ts"
import * as StoredConversion from "../../../src/Engine/Scrape/StoredConversion.ts"
import { Owner } from "../../../src/Engine/Teams/FairQueue.ts"
import * as Worker from "../../../src/Engine/Teams/WorkerThread.ts"
import { isAnswerKept } from "../../Html/Memory.ts"
import { expect, layer } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { pages } from "./Site.ts"

const paragraph = "<p class='even'>A heron stands in the <b>shallow</b> water, <a href='/reed'>waiting</a>.</p>\n"

/** Large enough for a thread, whatever the bytes of a document cost. */
const chore = (repeats: number, include: ReadonlyArray<string> = []): PageTask => ({
  kind: "page",
  bytes: Buffer.from(`<title>Herons</title><body>${paragraph.repeat(repeats)}<i id=end>The end</i>`),
  contentType: "text/html",
  options: {
    wanted: new Set(["markdown", "text"]),
    url: "http://site.test/",
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: true,
    include,
    rawHtml: false
  }
})

const url = "http://site.test/"
const read = (work: PageTask, millis = 60_000) =>
  Effect.flatMap(DocumentThreads, (threads) => threads.run<"page">(work, url, millis))

/** Number of threads that have started since, until the scope closes. */
const countThreads = Effect.gen(function* () {
  let started = 0
  const count = () => {
    started += 1
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("worker", count)),
    () => Effect.sync(() => process.off("worker", count))
  )
  return () => started
})

const program = {
  source: new URL("../../../src/Engine/Scrape/DocumentThread.ts", import.meta.url),
  built: "scrape-thread.js",
  options: {}
}
const ofPool = (scaleUpDelay: Duration.DurationInput, size = 2) =>
  Effect.map(
    Worker.pool(program, { size, idle: "1 minute", scaleUpDelay }),
    (pool) => (repeats: number) => pool.ask("team", chore(repeats), (reason) => reason)
  )

layer(Layer.provideMerge(DocumentThreads.Default, alone), { excludeTestServices: true })("Threads", (it) => {
  it.effect.skipIf(skipsLong)("keep nothing of the request that started them", function* () {
    expect(yield* isAnswerKept(read(chore(7_000)))).toBe(false)
  })

  it.scoped("read a large page as it would be read on the spot, selectors included", function* () {
    const large = chore(7_000, ["#end"])
    expect(large.bytes.byteLength).toBeGreaterThan(512 * 1024)
    const found = yield* read(large)
    expect(found).toEqual(runTask<"page">(large))
    expect(found.markdown).toBe("_The end_")
  })

  it.scoped("read a large text file as it would be read on the spot", function* () {
    const started = yield* countThreads
    const bytes = Buffer.from("größer und ".repeat(40_000), "latin1")
    const large: TextTask = {
      kind: "text",
      bytes,
      contentType: "text/plain",
      url,
      language: undefined,
      data: undefined,
      formats: new Set(["markdown"]),
      metadata: { sourceURL: url },
      headers: {},
      readsMarkdown: false,
      isIndexed: true,
      takesBytes: false,
      stores: { body: true, conversion: true }
    }
    const threads = yield* DocumentThreads
    const found = yield* threads.run<"text">(large, url, 60_000)
    const { stored, ...rest } = found
    const { stored: _, ...asHere } = runTask<"text">(large)
    expect(rest).toEqual(asHere)
    expect(found.document.markdown?.slice(0, 11)).toBe("größer und ")
    expect(stored?.hash).toBe(Packing.bodyHash(bytes))
    const small = { ...large, bytes: bytes.subarray(0, 100_000) }
    const before = started()
    yield* threads.run<"text">(small, url, 60_000)
    expect(started()).toBe(before)
  })

  it.scoped("are not ended by a request that is interrupted between its answer and its next turn", function* () {
    const started = yield* countThreads
    const pool = yield* Worker.pool(program, { size: 2, idle: "1 minute" })
    const ask = pool.ask("team", chore(100), (reason) => reason)
    // The turns of the request come when the test says so.
    const turns: Array<() => void> = []
    const scheduler: Scheduler.Scheduler = {
      shouldYield: () => false,
      scheduleTask: (turn) => void turns.push(turn)
    }
    const request = yield* Effect.forkDaemon(Effect.withScheduler(ask, scheduler))
    while (turns.length === 0) yield* nextTurn
    yield* Fiber.interruptFork(request)
    yield* nextTurn
    for (const turn of turns.splice(0)) turn()
    expect(Exit.isInterrupted(yield* Fiber.await(request))).toBe(true)
    yield* ask
    expect(started()).toBe(1)
  })

  it.scoped.skipIf(skipsLong)(
    "start when none has been free for a while: one reads all pages as long as it keeps up",
    function* () {
      const started = yield* countThreads
      const patient = yield* ofPool("1 minute")
      yield* Effect.all([patient(100), patient(100), patient(100)], { concurrency: "unbounded" })
      expect(started()).toBe(1)
      const impatient = yield* ofPool("10 millis")
      yield* Effect.all([impatient(7_000), impatient(7_000)], { concurrency: "unbounded" })
      expect(started()).toBe(3)
      // One at a time, also when many pages have come at once.
      const slow = yield* ofPool("20 seconds", 4)
      yield* Effect.all([slow(100), slow(100), slow(100), slow(100)], { concurrency: "unbounded" })
      expect(started()).toBe(4)
    }
  )

  it.scoped("are followed by another one for the page that waits, when they end with theirs", function* () {
    const started = yield* countThreads
    const read = yield* ofPool("1 minute")
    const first = yield* Effect.fork(read(7_000))
    while (started() === 0) yield* nextTurn
    const second = yield* Effect.fork(read(100))
    const third = yield* Effect.fork(read(100))
    yield* nextTurn
    yield* Fiber.interrupt(third)
    expect(started()).toBe(1)
    yield* Fiber.interrupt(first)
    yield* Fiber.join(second)
    expect(started()).toBe(2)
  })

  it.scoped("are kept for the next page, also after one whose memory they give back", function* () {
    const started = yield* countThreads
    yield* read(chore(7_000))
    const before = started()
    yield* read(chore(7_000))
    expect(started()).toBe(before)
    expect(chore(13_000).bytes.byteLength).toBeGreaterThan(1024 * 1024)
    yield* read(chore(13_000))
    yield* read(chore(7_000))
    expect(started()).toBe(before)
  })

  it.scoped("read one page of more than 2 MB at a time, and smaller ones meanwhile", function* () {
    const order: Array<string> = []
    const named = (name: string, repeats: number) =>
      Effect.zipRight(
        read(chore(repeats)),
        Effect.sync(() => order.push(name))
      )
    expect(chore(26_000).bytes.byteLength).toBeGreaterThan(2 * 1024 * 1024)
    yield* Effect.all([named("first", 26_000), named("second", 26_000), named("smaller", 7_000)], {
      concurrency: "unbounded"
    })
    expect(order.at(-1)).toBe("second")
  })

  it.scoped("leave the server to others while they read", function* () {
    const origin = yield* pages({ "/": "<p>Hello</p>" })
    const ask = Effect.promise(() => fetch(origin).then((answer) => answer.text()))
    yield* read(chore(7_000))
    const reading = yield* Effect.fork(read(chore(60_000)))
    let answered = 0
    while ((yield* Fiber.status(reading))._tag !== "Done" && answered < 20) {
      yield* ask
      answered += 1
    }
    // On the spot there would have been none.
    expect(answered).toBe(20)
    yield* Fiber.interrupt(reading)
  })

  for (const [kind, repeats] of [
    ["large", 7_000],
    ["small", 1_000]
  ] as const) {
    it.scoped.skipIf(skipsLong)(
      `read a ${kind} page of a team next, however many pages of another team wait`,
      function* () {
        let done = 0
        const of = (team: string) => Effect.provideService(read(chore(repeats)), Owner, team)
        const count = Effect.sync(() => {
          done += 1
        })
        const flood = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 16 }), () => Effect.zipRight(of("a"), count), {
            concurrency: "unbounded"
          })
        )
        while (done === 0) yield* nextTurn
        const before = done
        yield* of("b")
        // Behind all others it would be 13 or more. Some end between the page and the look here, on a busy machine more of them.
        expect(done - before).toBeLessThanOrEqual(8)
        yield* Fiber.interrupt(flood)
      }
    )
  }

  it.scoped.skipIf(skipsLong)(
    "leave the server to others between small pages, however many have come at once",
    function* () {
      let turns = 0
      const count = () => {
        turns += 1
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(immediate)))
      const before = turns
      const found = yield* Effect.forEach(Array.from({ length: 24 }), () => read(chore(1_000)), {
        concurrency: "unbounded"
      })
      expect(found.every(({ markdown }) => markdown?.endsWith("_The end_") === true)).toBe(true)
      // All in one turn there would have been one at most.
      expect(turns - before).toBeGreaterThan(4)
    }
  )

  it.scoped("read small pages, too, while many come, and compress what is stored of them", function* () {
    const { kind: _, bytes: markup, options, ...task } = chore(100)
    const bytes = Buffer.from(`<html lang=en>${Buffer.from(markup)}`)
    const small: ScrapeTask = {
      ...task,
      bytes,
      kind: "scrape",
      options: { ...options, url, wanted: new Set(["markdown"]) },
      formats: new Set(["markdown", "links"]),
      metadata: { statusCode: 200 },
      headers: { "x-robots-tag": "noindex" },
      emptyWarning: undefined,
      readsMarkdown: false,
      isIndexed: true,
      takesBytes: true,
      stores: { body: true, conversion: true }
    }
    const threads = yield* DocumentThreads
    const found = yield* Effect.forEach(Array.from({ length: 60 }), () => threads.run<"scrape">(small, url, 60_000))
    const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()
    const contentOf = (result: Pick<ScrapeResult, "content"> | undefined) =>
      text(result?.content && Packing.unpackNow(result.content))
    const last = found.at(-1)
    expect(last?.content?.coding).toBe("br")
    expect(found.every(({ content }) => contentOf({ content }) === contentOf(last))).toBe(true)
    const readHere = runTask<"scrape">({ ...small, stores: undefined })
    expect({ ...last, content: contentOf(last), stored: undefined }).toEqual({
      ...readHere,
      content: contentOf(readHere)
    })
    const whole = runTask<"scrape">({ ...small, stores: undefined, takesBytes: false })
    const { metadata, ...formats } = whole.document
    expect([readHere.document, JSON.parse(contentOf(readHere))]).toEqual([
      { metadata },
      JSON.parse(JSON.stringify(formats))
    ])
    const { body, conversion, hash } = last?.stored ?? {}
    expect(body?.coding).toBe("br")
    expect(text(body && Packing.unpackNow({ ...body, coding: "br", size: bytes.byteLength }))).toBe(bytes.toString())
    expect(hash).toBe(Packing.bodyHash(bytes))
    const { directives, links } = readHere
    const { content, ...head } = StoredConversion.read(conversion?.body ?? new Uint8Array())
    expect(text(Packing.unpackNow(content))).toBe(contentOf(last))
    expect(head).toEqual(JSON.parse(JSON.stringify({ metadata, links, directives })))
  })

  it.scoped("are ended at the deadline of their document, and the next one has another", function* () {
    const failure = yield* Effect.flip(read(chore(7_000), 1))
    expect(failure).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
    expect((yield* read(chore(7_000))).title).toBe("Herons")
  })

  it.scoped.skipIf(skipsLong)("cost only their own document when they fail", function* () {
    const failure = yield* Effect.flip(read(chore(7_000, ["("])))
    expect(failure).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_TOO_COMPLEX" })
    expect((yield* read(chore(7_000))).title).toBe("Herons")
  })
})
