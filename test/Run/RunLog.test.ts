import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { maxBytes } from "../../src/Ledger/Logs.ts"
import { Ledger } from "../../src/Ledger.ts"
import { record } from "../../src/Run/RunLog.ts"
import { RunFailed } from "../../src/Run/RunResult.ts"
import * as Run from "../../src/Run.ts"
import { BudgetReached } from "../../src/Step/StepError.ts"
import { addSecret } from "../../src/Telemetry/Redaction.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import { run as aRun, behind, ledgerIn } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { project, summary as summaryOf } from "../Project.ts"
import { page } from "../Step/Odd.ts"

const summary = summaryOf("r1", {
  rows: 2,
  rejects: 1,
  outputs: [{ path: "/out/rows.jsonl", format: "jsonl", rows: 2, bytes: 9 }]
})

/** A run that the ledger has opened before it does anything. */
const opening =
  <R>(work: Effect.Effect<unknown, RunFailed, R>) =>
  (opened: Effect.Effect<void>) =>
    Effect.as(Effect.zipRight(opened, work), summary)

/** The whole log. */
const logOf = (run: string) =>
  Effect.flatMap(Ledger, ({ logs }) =>
    Effect.iterate(
      { text: "", next: 0, isMore: true },
      {
        while: ({ isMore }) => isMore,
        body: ({ next, text }) => Effect.map(logs.read(run, next), (part) => ({ ...part, text: text + part.text }))
      }
    )
  ).pipe(Effect.map(({ text }) => text))

describeLedgers("the log of a run", (place, isFile) => {
  const withLedger = <A, E, R>(test: (at: string) => Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const at = yield* place
      const ledger = yield* ledgerIn(at)
      return yield* Effect.provideService(test(at), Ledger, ledger)
    })

  it.scoped("has its start, its messages in their order and its end; a resume appends to it", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const messages = Effect.zipRight(Effect.logWarning("slow site"), Effect.logError("gone", { status: 503 }))
        yield* record(opening(messages), { run: "r1", start: "started: p of /p.yaml" })
        yield* record(opening(Effect.void), { run: "r1", start: "resumed: p of /p.yaml" })
        const lines = (yield* logOf("r1")).trimEnd().split("\n")
        const completed = "info: completed: 2 rows, 1 reject, 0 credits; /out/rows.jsonl (2 rows)"
        expect(lines.map((line) => line.replace(/^\S+Z /, ""))).toEqual([
          "info: started: p of /p.yaml",
          "warn: slow site",
          'error: gone {"status":503}',
          completed,
          "info: resumed: p of /p.yaml",
          completed
        ])
      })
    )
  )

  it.scoped("is bounded, and has the end of the run all the same", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const long = Effect.forEach([...Array(200).keys()], () => Effect.logWarning("x".repeat(10_000)), {
          discard: true
        })
        for (const start of ["started", "resumed", "resumed"]) yield* record(opening(long), { run: "r1", start })
        const text = yield* logOf("r1")
        expect(text.length).toBeLessThan(maxBytes + 1_000)
        expect(text.match(/The log is full/g)).toHaveLength(1)
        expect(text.match(/info: completed: /g)).toHaveLength(3)
        expect(text).toMatch(/info: completed: .*\n$/)
      })
    )
  )

  scoped(
    "is the same for all machines, and in the order of arrival when the shards of a run write it together",
    function* () {
      const at = yield* place
      const [one, two, reader] = [yield* ledgerIn(at), yield* ledgerIn(at), yield* ledgerIn(at)]
      const messages = Effect.forEach([...Array(20).keys()], (n) => Effect.logWarning(`message ${n}`), {
        discard: true
      })
      const write = (ledger: typeof one, label: string) =>
        Effect.forEach([...Array(10).keys()], () => record(opening(messages), { run: "r1", label }), {
          discard: true
        }).pipe(Effect.provideService(Ledger, ledger))
      yield* Effect.all([write(one, "s0000"), write(two, "s0001")], { concurrency: 2 })
      const lines = (yield* Effect.provideService(logOf("r1"), Ledger, reader)).trimEnd().split("\n")
      for (const label of ["s0000", "s0001"]) {
        const ofShard = lines
          .filter((line) => line.includes(`[${label}]`))
          .map((line) => Number(line.split(" ").at(-1)))
        expect(ofShard).toEqual(Array.from({ length: 200 }, (_, n) => n % 20))
      }
      expect(lines).toHaveLength(400)
    }
  )

  it.scoped("is deleted with the run", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const { logs, open, retention } = yield* Ledger
        for (const id of ["r1", "r2"]) {
          yield* Effect.scoped(Effect.flatMap(open(aRun(id)), (journal) => journal.end("failed")))
          yield* record(opening(Effect.void), { run: id, start: "started" })
        }
        yield* retention.runs({ before: Number.MAX_SAFE_INTEGER, keepLast: 1 })
        expect([yield* logs.exists("r1"), yield* logs.exists("r2")]).toEqual([false, true])
      })
    )
  )

  it.scopedLive.skipIf(skipsLong)("is stored later when that failed, although nothing more is logged", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        let attempts = 0
        const append: typeof ledger.logs.append = (...args) =>
          ++attempts === 1 ? Effect.die(new Error("disk full")) : ledger.logs.append(...args)
        const running = yield* record(opening(Effect.never), { run: "r1", start: "started" }).pipe(
          Effect.provideService(Ledger, { ...ledger, logs: { ...ledger.logs, append } }),
          Effect.fork
        )
        const text = yield* Effect.repeat(Effect.delay(logOf("r1"), 20), { until: (text) => text !== "" })
        expect(text).toMatch(/ info: started\n$/)
        expect(attempts).toBe(2)
        yield* Fiber.interrupt(running)
      })
    )
  )

  if (!isFile) return

  it.scoped("has no secrets: not of messages, values, causes or failures", () =>
    withLedger(() =>
      Effect.gen(function* () {
        addSecret("planted-in-the-log")
        const said = "planted-in-the-log https://user:pass-word@x.example/a?token=t0ken-value"
        const work = Effect.gen(function* () {
          yield* Effect.logWarning(`text ${said}`)
          yield* Effect.logWarning("value", { deep: [said] })
          yield* Effect.logWarning("error", new Error(said))
          yield* Effect.logWarning("cause", Cause.fail(new Error(said)))
          yield* Effect.logWarning("cause", Cause.die({ message: said }))
          return yield* new RunFailed({
            summary: { ...summary, status: "failed" },
            reason: new BudgetReached({ message: `failure ${said}` })
          })
        }).pipe(Effect.annotateLogs("note", said))
        yield* Effect.exit(record(opening(work), { run: "r1", start: `started: ${said}` }))
        yield* Effect.exit(record(opening(Effect.die(new Error(said))), { run: "r1", start: "resumed" }))
        const text = yield* logOf("r1")
        expect(text).not.toMatch(/planted|pass-word|t0ken/)
        expect(text.match(/\[secret\] https:\/\/x\.example\/a/g)).toHaveLength(8)
        expect(text).toMatch(/error: failed: failure \[secret\]/)
      })
    )
  )

  it.scoped("takes any value, and never fails a run", () =>
    withLedger((at) =>
      Effect.gen(function* () {
        const cycle: Record<string, unknown> = { name: "c" }
        cycle.self = cycle
        const throws = {
          get name(): string {
            throw new Error("no name")
          }
        }
        const work = Effect.forEach([1n, { big: 2n }, cycle, throws, new Date(Number.NaN), Symbol("s")], (value) =>
          Effect.logWarning("value", value)
        )
        yield* record(opening(work), { run: "r1", start: "started" })
        const lines = (yield* logOf("r1")).trimEnd().split("\n")
        expect(lines).toHaveLength(8)
        expect(lines.slice(1, 3).map((line) => line.slice(25))).toEqual(["warn: value 1", 'warn: value {"big":"2"}'])
        yield* behind(at, (sql) => sql`DROP TABLE run_logs`)
        expect(yield* record(opening(work), { run: "r1", start: "started" })).toEqual(summary)
      })
    )
  )

  it.scoped("begins once the run is opened, with what was logged before", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const refused = Effect.as(Effect.logWarning("early"), summary)
        yield* record(() => refused, { run: "r1", start: "started" })
        expect(yield* Effect.flatMap(Ledger, ({ logs }) => logs.exists("r1"))).toBe(false)
        yield* record((opened) => Effect.zipLeft(refused, opened), { run: "r1", start: "started" })
        expect(yield* logOf("r1")).toMatch(/^\S+ info: started\n\S+ warn: early\n\S+ info: completed/)
      })
    )
  )

  it.scoped("indents further lines of a message, so that none looks like another message", () =>
    withLedger(() =>
      Effect.gen(function* () {
        yield* record(opening(Effect.logWarning("a\n2026-01-01T00:00:00.000Z error: b")), {
          run: "r1",
          start: "started"
        })
        expect(yield* logOf("r1")).toMatch(/ info: started\n\S+ warn: a\n {2}2026-01-01T00:00:00\.000Z error: b\n/)
      })
    )
  )

  it.scoped("says why a shard failed", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const fails = opening(Effect.die(new Error("no space")))
        yield* Effect.exit(record(fails, { run: "r1", label: "s0003" }))
        expect(yield* logOf("r1")).toMatch(/ error: \[s0003\] Error: no space/)
      })
    )
  )

  it.scoped("says how many messages came too fast to be stored", () =>
    withLedger(() =>
      Effect.gen(function* () {
        const flood = Effect.forEach(Array(1_500).keys(), (n) => Effect.logWarning(`message ${n}`), { discard: true })
        yield* record((opened) => Effect.zipRight(Effect.zipRight(flood, opened), Effect.succeed(summary)), {
          run: "r1"
        })
        const lines = (yield* logOf("r1")).trimEnd().split("\n")
        expect(lines).toHaveLength(1_001)
        expect(lines.at(-1)).toMatch(/ warn: 500 messages came too fast to be stored$/)
      })
    )
  )
})

describe("The log of a run in a process", () => {
  it.scopedLive("is not touched by a run or a resume that is refused, as the run goes on elsewhere", function* () {
    let isAsked = false
    let answer = () => {}
    const behind = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { checked, folder, surroundings } = yield* project({
      service: () => {
        isAsked = true
        return { body: { success: true, data: page("http://x.example/a") }, behind }
      }
    })
    const definition = yield* checked(
      `  - urls: ["http://x.example/a"]
  - scrape: {}
  - dedupe: { across: runs }
`,
      "state: { key: one }\n"
    )
    yield* Effect.gen(function* () {
      const options = { out: folder, dataDir: folder }
      const live = yield* Run.make(definition, options)
      const running = yield* Effect.fork(live.execute)
      yield* Effect.repeat(Effect.sleep(10), { until: () => isAsked })
      const { logs } = yield* Ledger
      const before = yield* Effect.repeat(Effect.delay(logOf(live.id), 10), { until: (text) => text !== "" })
      const second = yield* Run.make(definition, options)
      expect((yield* Effect.flip(second.execute)).reason).toMatchObject({ reason: "Locked" })
      expect(yield* logs.exists(second.id)).toBe(false)
      const resumed = yield* Run.make(definition, { ...options, ...(yield* Run.resuming(live.id, definition)) })
      expect((yield* Effect.flip(resumed.execute)).reason).toMatchObject({ reason: "Locked" })
      expect(yield* logOf(live.id)).toBe(before)
      answer()
      yield* Fiber.join(running)
    }).pipe(Effect.provide(surroundings))
  })
})
