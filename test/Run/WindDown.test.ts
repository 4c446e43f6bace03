import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { expect, it, scoped } from "../It.ts"
import { jsonLines, project, rowsIn } from "../Project.ts"
import { page } from "../Step/Odd.ts"
import { breath } from "./Lives.ts"

scoped(
  "a run that is stopped while it fails has failed, and does not wait a second time for calls in flight",
  function* () {
    // One page is answered once both were requested, and the other one never.
    let calls = 0
    let answer = () => {}
    const behind = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { checked, folder, ledger, surroundings } = yield* project({
      onTestClock: true,
      service: () => {
        if (++calls === 2) answer()
        return calls === 1 ? { body: { success: true, data: page("http://x.example/a") }, behind } : { hangs: true }
      }
    })
    const definition = yield* checked(`  - urls: ["http://x.example/a", "http://x.example/b"]
  - scrape: {}
    concurrency: 2
  - check: [{ rule: 1 = 2, message: never, onFail: fail }]
  - write: { jsonl: a.jsonl }
`)
    yield* Effect.gen(function* () {
      const run = yield* Run.make(definition, { out: folder, dataDir: folder })
      const running = yield* Effect.fork(run.execute)
      // The call in flight is waited for: the run winds down.
      yield* Effect.repeat(Effect.zipRight(breath, run.progress), { until: ({ steps }) => (steps.scrape ?? 0) > 0 })
      yield* breath
      yield* Fiber.interruptFork(running)
      const seconds = yield* Effect.iterate(0, {
        while: (seconds) => seconds < 30 && running.unsafePoll() === null,
        body: (seconds) =>
          TestClock.adjust("1 second").pipe(Effect.zipRight(Effect.repeatN(breath, 20)), Effect.as(seconds + 1))
      })
      expect((yield* ledger.find(run.id))?.status).toBe("failed")
      expect((yield* run.progress).expected).toBe(2)
      expect(seconds).toBeLessThan(9)
    }).pipe(Effect.provide(surroundings))
  }
)

it.live(
  "a run is resumed from its last checkpoint, also with a record that was read before another process made it",
  () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 12 }, (_, n) => ({ n }))
      const { ledger, run } = yield* project({ files: { "in.jsonl": jsonLines(rows) } })
      const steps = "  - read: in.jsonl\n  - check: [{ rule: n % 2 = 0 }]\n  - write: { jsonl: rows.jsonl }\n"
      const first = yield* run(steps, { frame: "budget: { rows: 2 }\n" })
      expect(first.summary).toMatchObject({ status: "budget", rejects: 6 })
      const record = yield* ledger.find(first.runId)
      if (record === undefined) return expect.fail("the ledger has no record of the run")
      const old = { ...record, progress: null, bytes: 0 }
      const last = yield* run(steps, optionsOf(old))
      expect(last.summary).toMatchObject({ runId: first.runId, status: "completed", rejects: 6 })
      expect([last.rows.length, last.rejects.length]).toEqual([6, 6])
      const gone = yield* run(steps, optionsOf({ ...old, id: "20260101T000000-gone22" }))
      expect(gone.outcome._tag === "Left" && gone.outcome.left.message).toContain("it was deleted a moment ago")
    }).pipe(Effect.scoped)
)

scoped(
  "a run that is stopped keeps what `use` has done of a batch, and a resume asks for the other rows alone",
  function* () {
    const asked: Array<number> = []
    // Two rows are done before the stop, one after it, and one never.
    const answers = new Map<number, () => void>()
    Object.assign(globalThis, {
      useForTest: (n: number) => {
        asked.push(n)
        return n < 2 || asked.filter((each) => each === n).length > 1 || n > 3
          ? undefined
          : new Promise<void>((resolve) => answers.set(n, resolve))
      }
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => Reflect.deleteProperty(globalThis, "useForTest")))
    const here = yield* project({
      onTestClock: true,
      files: {
        "in.jsonl": jsonLines(Array.from({ length: 6 }, (_, n) => ({ n }))),
        "hold.mjs": "export default async (row) => { await useForTest(row.n); return row }\n"
      }
    })
    const steps = `  - read: in.jsonl
  - use: { module: ./hold.mjs }
    concurrency: 2
  - write: { jsonl: rows.jsonl }
`
    const definition = yield* here.checked(steps)
    const id = yield* Effect.gen(function* () {
      const run = yield* Run.make(definition, { out: here.folder, dataDir: here.folder, allowCode: true })
      const running = yield* Effect.fork(run.execute)
      yield* Effect.repeat(breath, { until: () => answers.size === 2 })
      yield* Fiber.interruptFork(running)
      yield* breath
      answers.get(2)?.()
      yield* Effect.repeat(Effect.zipRight(breath, TestClock.adjust("1 second")), {
        until: () => running.unsafePoll() !== null
      })
      expect((yield* here.ledger.find(run.id))?.status).toBe("stopped")
      return run.id
    }).pipe(Effect.provide(here.surroundings))
    expect(asked).toEqual([0, 1, 2, 3])
    const resumed = yield* here.resume(id, steps, { allowCode: true })
    expect(resumed.summary).toMatchObject({ status: "completed", rows: 6 })
    expect(asked).toEqual([0, 1, 2, 3, 3, 4, 5])
    expect(rowsIn(join(here.folder, "rows.jsonl")).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5])
  }
)
