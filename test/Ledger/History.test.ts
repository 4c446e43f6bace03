/** Queries over past runs. */

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Tracer from "effect/Tracer"
import Database from "libsql"
import * as Queries from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import type { Page } from "../../src/Step.ts"
import { expect, scoped, vi } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, type Opened, reject, run } from "./Ledgers.ts"

const page = (key: string, more: Partial<Page> = {}): Page => ({ key, price: "known", ...more })

/** A run with one checkpoint, that has ended in some way. */
const past = (ledger: Opened, id: string, more: Parameters<typeof run>[1], end: "completed" | "failed" | "stopped") =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run(id, more))
    yield* journal.checkpoint(checkpoint({ rows: 1 }))
    yield* end === "completed" ? journal.complete(null) : journal.end(end, "why it ended")
  }).pipe(Effect.scoped)

describeLedgers("the queries of programs", (place) => {
  scoped.skipIf(skipsLong)(
    "stream all runs of a filter once each, newest first, also when runs begin meanwhile",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      const count = 103
      for (let at = 0; at < count; at++) {
        // Several runs begin in the same millisecond.
        const more = { startedAt: Math.floor(at / 3), pipeline: at % 2 === 0 ? "even" : "odd" }
        yield* past(ledger, `r${String(at).padStart(3, "0")}`, more, at % 10 === 0 ? "failed" : "completed")
      }
      const ids = (query?: Queries.RunQuery) =>
        Effect.provideService(Stream.runCollect(Stream.map(Queries.runs(query), ({ id }) => id)), Ledger, ledger).pipe(
          Effect.map(Chunk.toReadonlyArray)
        )
      const all = Array.from({ length: count }, (_, at) => `r${String(count - 1 - at).padStart(3, "0")}`)
      expect(yield* ids()).toEqual(all)
      expect(yield* ids({ pipeline: "odd", status: ["failed"] })).toEqual([])
      expect(yield* ids({ pipeline: "even", status: ["failed"], since: new Date(26) })).toEqual([
        "r100",
        "r090",
        "r080"
      ])
      let isFirst = true
      const meanwhile = Queries.runs().pipe(
        Stream.tap(() =>
          isFirst
            ? Effect.suspend(() => {
                isFirst = false
                return past(ledger, "late", { startedAt: 5_000 }, "completed")
              })
            : Effect.void
        ),
        Stream.runCount,
        Effect.provideService(Ledger, ledger)
      )
      expect(yield* meanwhile).toBe(count)
    }
  )

  scoped("stream pages, rejects and state of a run", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1", { stateKey: "watch" }))
    const pages = Array.from({ length: 501 }, (_, at) => page(`https://a.example/${at}`))
    yield* journal.checkpoint(
      checkpoint({
        rows: 1,
        pages: pages.map((page) => ({ step: "scrape", page })),
        rejects: [reject("k1"), reject("k2", { error: "Odd", message: "50% OFF" })],
        state: ["a", "b_1", "bx1"].map((key) => ({ step: "dedupe", change: { key, rowKey: key, value: 1 } }))
      })
    )
    yield* journal.complete(null)
    const keys = <A>(stream: Stream.Stream<A, unknown, Ledger>, keyOf: (one: A) => string) =>
      Effect.provideService(Stream.runCollect(Stream.map(stream, keyOf)), Ledger, ledger).pipe(
        Effect.map(Chunk.toReadonlyArray)
      )
    const read = yield* keys(Queries.pages({ run: "r1" }), ({ key }) => key)
    expect(read).toEqual(pages.map(({ key }) => key))
    expect(yield* keys(Queries.pages({ key: "https://a.example/7" }), ({ runId }) => runId)).toEqual(["r1"])
    expect(yield* keys(Queries.rejects("r1"), ({ key }) => key)).toEqual(["k1", "k2"])
    expect(yield* keys(Queries.rejects("r1", { which: "replayed" }), ({ key }) => key)).toEqual([])
    expect(yield* keys(Queries.rejects("r1", { text: "0% off" }), ({ key }) => key)).toEqual(["k2"])
    expect(yield* keys(Queries.rejects("r1", { error: "Odd", text: "k1" }), ({ key }) => key)).toEqual([])
    expect(yield* keys(Queries.state("watch"), ({ key }) => key)).toEqual(["a", "b_1", "bx1"])
    expect(yield* keys(Queries.state("watch", { text: "B_" }), ({ key }) => key)).toEqual(["b_1"])
    expect(yield* keys(Queries.state("watch", { step: "other" }), ({ key }) => key)).toEqual([])
    expect(yield* keys(Queries.runs({ text: "WATCH.yaml" }), ({ id }) => id)).toEqual(["r1"])
    expect(yield* keys(Queries.runs({ text: "nothing" }), ({ id }) => id)).toEqual([])
    expect(yield* keys(Queries.health(), ({ sink }) => sink)).toEqual([])
  })
})

describeLedgers("the history", (place) => {
  scoped("reads the inputs of many runs with one statement per 500 runs", function* () {
    const ledger = yield* ledgerIn(yield* place)
    for (const [index, id] of ["r1", "r2"].entries()) {
      yield* past(ledger, id, { startedAt: index, inputs: { site: id } }, "completed")
    }
    let statements = 0
    // SQLite's driver gives its statements no spans: their calls are counted.
    const driver = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1"))
    const all = yield* Effect.acquireRelease(
      Effect.sync(() => vi.spyOn(driver, "all")),
      (spy) => Effect.sync(() => spy.mockRestore())
    )
    const outer = yield* Effect.tracer
    const tracer = Tracer.make({
      context: (run, fiber) => outer.context(run, fiber),
      span: (name, ...rest) => {
        if (name === "sql.execute") statements++
        return outer.span(name, ...rest)
      }
    })
    const unknown = Array.from({ length: 1100 }, (_, index) => `none${index}`)
    const inputs = yield* Effect.withTracer(ledger.history.inputs(["r1", ...unknown, "r2"]), tracer)
    expect([...inputs].toSorted()).toEqual([
      ["r1", { site: "r1" }],
      ["r2", { site: "r2" }]
    ])
    expect(statements + all.mock.calls.length).toBe(3)
  })

  scoped("leaves out runs that it cannot read, and warns once about each", function* () {
    const folder = yield* place
    const ledger = yield* ledgerIn(folder)
    for (const [index, id] of ["r1", "r2", "r3", "r4"].entries()) {
      yield* past(ledger, id, { startedAt: index }, "completed")
    }
    yield* behind(folder, (sql) => sql`UPDATE run_texts SET options = '{"limit":"x"}' WHERE run_id = 'r2'`)
    yield* behind(folder, (sql) => sql`UPDATE run_texts SET inputs = 'no JSON' WHERE run_id = 'r4'`)
    const told: Array<string> = []
    const logger = Logger.make(({ message }) => void told.push(String(message)))
    const ids = Effect.map(ledger.history.runs({ limit: 10 }), (runs) => runs.map(({ id }) => id))
    const twice = yield* Effect.provide(Effect.all([ids, ids]), Logger.replace(Logger.defaultLogger, logger))
    expect(twice).toEqual([
      ["r3", "r1"],
      ["r3", "r1"]
    ])
    expect(told).toEqual([
      expect.stringMatching(/^run r4 is left out: .* while reading the inputs of run r4/),
      expect.stringMatching(/^run r2 is left out: .* while reading the options of run r2/)
    ])
    const { message } = yield* Effect.flip(ledger.history.run("r2"))
    expect(message).toMatch(
      /^the ledger .* failed while reading the options of run r2: limit: .*read it with that version, or start the run again$/
    )
  })

  scoped("lists runs by pipeline, status and time, newest first, in pages", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* past(ledger, "r1", { startedAt: 100 }, "completed")
    yield* past(ledger, "r2", { startedAt: 200, pipeline: "other" }, "failed")
    yield* past(ledger, "r3", { startedAt: 300 }, "stopped")
    yield* ledger.open(run("r4", { startedAt: 400 }))
    const ids = (filter: Partial<Parameters<Opened["history"]["runs"]>[0]>) =>
      Effect.map(ledger.history.runs({ limit: 100, ...filter }), (runs) => runs.map(({ id }) => id).join(" "))
    expect(yield* ids({})).toBe("r4 r3 r2 r1")
    expect(yield* ids({ limit: 2 })).toBe("r4 r3")
    expect(yield* ids({ limit: 2, offset: 2 })).toBe("r2 r1")
    expect(yield* ids({ pipeline: "watch" })).toBe("r4 r3 r1")
    expect(yield* ids({ status: ["failed", "stopped"] })).toBe("r3 r2")
    expect(yield* ids({ status: [] })).toBe("")
    expect(yield* ids({ since: 200, pipeline: "watch", status: ["running", "stopped"] })).toBe("r4 r3")
    expect(yield* ids({ pipeline: "wat'ch" })).toBe("")
    expect(yield* ledger.history.alive).toEqual(new Set(["r4"]))
    expect((yield* ledger.history.runs({ limit: 1, status: ["failed"] }))[0]).toMatchObject({
      id: "r2",
      pipeline: "other",
      status: "failed",
      error: "why it ended",
      rows: 1,
      startedAt: 200,
      stateKey: undefined,
      scheduledFor: undefined
    })
  })

  scoped("reports what each step of a run has done", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1", { stateKey: "s", scheduledFor: 5 }))
    yield* journal.recordCall({ step: "scrape", mark: "1", answer: 1, credits: 2, page: page("a", { status: 200 }) })
    yield* journal.recordCall({
      step: "scrape",
      mark: "2",
      answer: 1,
      credits: null,
      page: page("b", { error: "no" })
    })
    yield* journal.recordCall({ step: "search", mark: "1", answer: 1, credits: 3 })
    yield* journal.checkpoint(
      checkpoint({
        pages: [
          { step: "crawl", page: page("c", { status: 404, credits: 1 }) },
          { step: "crawl", page: page("d", { status: 200, hash: "h", jobId: "j", unchanged: "notModified" }) },
          { step: "crawl", page: page("e", { status: 200, unchanged: "sitemap" }) },
          { step: "crawl", page: page("f", { status: 200, unchanged: "notModified", check: "confirmed" }) },
          { step: "crawl", page: page("g", { status: 200, check: "missed" }) }
        ],
        rejects: [reject("a"), reject("b")],
        resolvedCalls: [{ step: "scrape", mark: "1" }]
      })
    )
    yield* ledger.history.markReplayed("r1", "r2", [1])
    const detail = yield* ledger.history.run("r1")
    expect(detail).toMatchObject({ alive: true, run: { id: "r1", stateKey: "s", scheduledFor: 5, unpriced: 1 } })
    const none = {
      pages: 0,
      failedPages: 0,
      unchangedPages: 0,
      leftOutPages: 0,
      checkedPages: 0,
      missedPages: 0,
      calls: 0,
      credits: 0,
      rejects: 0,
      openRejects: 0
    }
    expect(detail?.steps).toEqual([
      {
        ...none,
        step: "crawl",
        ...{ pages: 5, failedPages: 1, unchangedPages: 3, leftOutPages: 1, checkedPages: 2, missedPages: 1 }
      },
      { ...none, step: "scrape", pages: 2, failedPages: 1, calls: 2, credits: 2, rejects: 2, openRejects: 1 },
      { ...none, step: "search", calls: 1, credits: 3 }
    ])
    expect(yield* ledger.history.run("nobody")).toBeUndefined()
  })

  scoped("keeps one row per attempt at a page, and when the page was first and last seen", function* () {
    const ledger = yield* ledgerIn(yield* place)
    for (const [index, id] of ["r1", "r2"].entries()) {
      yield* Effect.gen(function* () {
        const journal = yield* ledger.open(run(id))
        const failed = page("https://a.example/", { error: "timeout\0", price: "unknown" })
        yield* journal.checkpoint(checkpoint({ pages: [{ step: "crawl", page: failed }] }))
        yield* TestClock.adjust("1 second")
        const found = page("https://a.example/", { status: 200, hash: "h", jobId: "j", credits: 1.5 })
        yield* journal.recordCall({ step: "crawl", mark: "1", answer: index, credits: 1.5, page: found })
      }).pipe(Effect.scoped)
    }
    const pages = yield* ledger.history.pagesOf("r1", { limit: 10 })
    expect(pages).toEqual([
      {
        runId: "r1",
        number: 1,
        step: "crawl",
        key: "https://a.example/",
        status: undefined,
        error: "timeout\0",
        hash: undefined,
        jobId: undefined,
        credits: undefined,
        price: "unknown",
        at: 0
      },
      {
        runId: "r1",
        number: 2,
        step: "crawl",
        key: "https://a.example/",
        status: 200,
        error: undefined,
        hash: "h",
        jobId: "j",
        credits: 1.5,
        price: "known",
        at: 1000
      }
    ])
    expect(yield* ledger.history.pagesOf("r1", { limit: 1, after: 1 })).toEqual(pages.slice(1))
    const everywhere = yield* ledger.history.pagesAt("https://a.example/", { limit: 3 })
    expect(everywhere.map(({ at, runId }) => `${runId} ${at}`)).toEqual(["r2 2000", "r2 1000", "r1 1000"])
    expect(yield* ledger.history.sightings("https://a.example/")).toEqual({
      attempts: 4,
      firstSeen: 0,
      lastSeen: 2000
    })
    expect(yield* ledger.history.sightings("https://b.example/")).toBeUndefined()
  })

  scoped("knows the pages that a run has read: a failure hides no answer, and a redirect hides no page", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1"))
    const attempts = (key: string, ...all: ReadonlyArray<number | undefined>) =>
      all.map((status) => ({
        step: "crawl",
        page: page(key, { jobId: "job", ...(status === undefined ? { error: "no" } : { status }) })
      }))
    yield* journal.checkpoint(
      checkpoint({
        pages: [
          ...attempts("there", 200),
          ...attempts("gone", 404),
          ...attempts("gone for good", 410, 410),
          ...attempts("gone after all", undefined, 503, 404),
          ...attempts("twice found", 404, 200),
          ...attempts("forbidden", 403),
          ...attempts("silent", undefined),
          ...attempts("broken", 500, undefined)
        ]
      })
    )
    expect([...(yield* journal.presentPages)].sort()).toEqual(["broken", "forbidden", "silent", "there", "twice found"])
    expect([...(yield* journal.failedPages("job"))].sort()).toEqual(["broken", "gone after all", "silent"])
    expect(yield* journal.failedPages("another")).toEqual(new Set())
  })

  scoped("streams rejects in order, open ones or replayed ones", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1"))
    const all = Array.from({ length: 1300 }, (_, n) =>
      reject(`k${n}`, { row: { n }, jobId: n === 0 ? "j" : undefined })
    )
    yield* journal.checkpoint(checkpoint({ rejects: all.slice(0, 700), rejectCount: 700 }))
    yield* journal.checkpoint(checkpoint({ rejects: all.slice(700), rejectCount: 1300 }))
    const read = (which: "open" | "replayed" | "all") =>
      Effect.map(Stream.runCollect(ledger.history.rejects("r1", { which })), Chunk.toReadonlyArray)
    const found = yield* read("all")
    expect(found.map(({ number, of, replayedBy, ...told }) => told)).toEqual(all)
    expect(found[0]).toMatchObject({ number: 1, of: "r1", replayedBy: undefined, jobId: "j" })
    yield* ledger.history.markReplayed(
      "r1",
      "r2",
      found.slice(0, 1100).map(({ number }) => number)
    )
    yield* ledger.history.markReplayed("r1", "r3", [1, 1101])
    expect((yield* read("open")).map(({ key }) => key)).toEqual(all.slice(1101).map(({ key }) => key))
    const taken = yield* read("replayed")
    expect(taken).toHaveLength(1101)
    expect([taken[0]?.replayedBy, taken[1100]?.replayedBy]).toEqual(["r2", "r3"])
    expect(yield* Stream.runCount(ledger.history.rejects("r1", { which: "all" }))).toBe(1300)
    expect(yield* Stream.runCount(ledger.history.rejects("nobody", { which: "all" }))).toBe(0)
  })

  scoped("says which reject it cannot read, and fails with that", function* () {
    for (const damage of [{ trace: '{"traceId":1}' }, { content: "no JSON" }, { source: "{" }]) {
      const folder = yield* place
      const ledger = yield* ledgerIn(folder)
      const journal = yield* ledger.open(run("r1"))
      yield* journal.checkpoint(checkpoint({ rejects: [reject("a"), reject("b")], rejectCount: 2 }))
      yield* behind(folder, (sql) => sql`UPDATE rejects SET ${sql.update(damage)} WHERE seq = 2`)
      const error = yield* Effect.flip(Stream.runDrain(ledger.history.rejects("r1", { which: "all" })))
      expect(error).toMatchObject({
        _tag: "LedgerError",
        message: expect.stringMatching(/failed while reading reject 2 of run r1: .*start the run again/)
      })
    }
  })

  scoped("adds up the shards of a run until they are merged", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* ledger.open(run("r1", { group: "r1" }))
    for (const part of ["r1.s0000", "r1.s0001"]) {
      const journal = yield* ledger.open(run(part, { group: "r1" }))
      const rejects = [reject(`${part} a`), reject(`${part} b`)]
      const progress = { jobs: { fetch: 2 } }
      yield* journal.checkpoint(checkpoint({ rows: 5, rejects, rejectCount: 2, jobCredits: 2, progress }))
    }
    yield* past(ledger, "r2", {}, "completed")
    const told = { rows: 10, rejects: 4, credits: 4 }
    expect(yield* ledger.find("r1")).toMatchObject(told)
    expect((yield* ledger.history.runs({ limit: 9 })).find(({ id }) => id === "r1")).toMatchObject(told)
    const { steps } = (yield* ledger.history.run("r1")) ?? { steps: [] }
    expect(steps).toMatchObject([{ rejects: 4, openRejects: 4 }])
    const rejects = Chunk.toReadonlyArray(yield* Stream.runCollect(ledger.history.rejects("r1", { which: "open" })))
    expect(rejects.map(({ number, of }) => `${of} ${number}`)).toEqual([
      "r1.s0000 1",
      "r1.s0000 2",
      "r1.s0001 1",
      "r1.s0001 2"
    ])
  })

  scoped("adds up what all runs of a pipeline have spent since midnight", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const evening = Date.UTC(2026, 0, 1, 23, 59, 30)
    const midnight = Date.UTC(2026, 0, 2)
    yield* TestClock.setTime(evening)
    const journal = yield* ledger.open(run("r1"))
    yield* journal.checkpoint(checkpoint({ jobCredits: 10 }))
    yield* TestClock.adjust("1 minute")
    yield* journal.checkpoint(checkpoint({ jobCredits: 14 }))
    yield* journal.recordCall({ step: "a", mark: "1", answer: 1, credits: 2 })
    yield* Effect.flatMap(ledger.open(run("r2")), (other) =>
      other.recordCall({ step: "a", mark: "1", answer: 1, credits: 1 })
    )
    yield* Effect.flatMap(ledger.open(run("r3", { pipeline: "x" })), (other) =>
      other.recordCall({ step: "a", mark: "1", answer: 1, credits: 100 })
    )
    expect(yield* ledger.creditsSince("watch", midnight)).toBe(7)
    expect(yield* ledger.creditsSince("watch", evening)).toBe(17)
    expect(yield* ledger.creditsSince("nobody", 0)).toBe(0)
  })
})
