import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { maxBytes, record } from "../../src/Run/RunLog.ts"
import { RunFailed } from "../../src/Run/RunResult.ts"
import * as Run from "../../src/Run.ts"
import { BudgetReached } from "../../src/Step/StepError.ts"
import { addSecret } from "../../src/Telemetry/Redaction.ts"
import { tempDir } from "../Local.ts"
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

const logIn = (folder: string) => readFileSync(join(folder, "run.log"), "utf8")

describe("The log of a run", () => {
  it.scoped("has its start, its messages in their order and its end; a resume appends to it", () =>
    Effect.gen(function* () {
      const folder = join(yield* tempDir, "runs", "r1")
      const messages = Effect.zipRight(Effect.logWarning("slow site"), Effect.logError("gone", { status: 503 }))
      yield* record(opening(messages), { folder, start: "started: p of /p.yaml" })
      yield* record(opening(Effect.void), { folder, start: "resumed: p of /p.yaml" })
      const lines = readFileSync(join(folder, "run.log"), "utf8").trimEnd().split("\n")
      const completed = "info: completed: 2 rows, 1 reject, 0 credits; /out/rows.jsonl (2 rows)"
      expect(lines.map((line) => line.replace(/^\S+Z /, ""))).toEqual([
        "info: started: p of /p.yaml",
        "warn: slow site",
        'error: gone {"status":503}',
        completed,
        "info: resumed: p of /p.yaml",
        completed
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is bounded, and has the end of the run all the same", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      const long = Effect.forEach(Array(200).keys(), () => Effect.logWarning("x".repeat(10_000)), { discard: true })
      for (const start of ["started", "resumed", "resumed"]) yield* record(opening(long), { folder, start })
      const text = logIn(folder)
      expect(text.length).toBeLessThan(maxBytes + 1_000)
      expect(text.match(/The log is full/g)).toHaveLength(1)
      expect(text.match(/info: completed: /g)).toHaveLength(3)
      expect(text).toMatch(/info: completed: .*\n$/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("has no secrets: not of messages, values, causes or failures", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
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
      yield* Effect.exit(record(opening(work), { folder, start: `started: ${said}` }))
      yield* Effect.exit(record(opening(Effect.die(new Error(said))), { folder, start: "resumed" }))
      const text = logIn(folder)
      expect(text).not.toMatch(/planted|pass-word|t0ken/)
      expect(text.match(/\[secret\] https:\/\/x\.example\/a/g)).toHaveLength(8)
      expect(text).toMatch(/error: failed: failure \[secret\]/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("takes any value, and never fails a run", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
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
      yield* record(opening(work), { folder, start: "started" })
      const lines = logIn(folder).trimEnd().split("\n")
      expect(lines).toHaveLength(8)
      expect(lines.slice(1, 3).map((line) => line.slice(25))).toEqual(["warn: value 1", 'warn: value {"big":"2"}'])
      // The folder is a file: nothing can be written.
      expect(yield* record(opening(work), { folder: join(folder, "run.log"), start: "started" })).toEqual(summary)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("begins once the run is opened, with what was logged before", () =>
    Effect.gen(function* () {
      const folder = join(yield* tempDir, "runs", "r1")
      const refused = Effect.as(Effect.logWarning("early"), summary)
      yield* record(() => refused, { folder, start: "started" })
      expect(existsSync(folder)).toBe(false)
      yield* record((opened) => Effect.zipLeft(refused, opened), { folder, start: "started" })
      expect(logIn(folder)).toMatch(/^\S+ info: started\n\S+ warn: early\n\S+ info: completed/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is not touched by a run or a resume that is refused, as the run goes on elsewhere", () =>
    Effect.gen(function* () {
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
        const log = join(folder, "runs", live.id)
        yield* Effect.repeat(Effect.sleep(10), { until: () => existsSync(join(log, "run.log")) && logIn(log) !== "" })
        const before = logIn(log)
        const second = yield* Run.make(definition, options)
        expect((yield* Effect.flip(second.execute)).reason).toMatchObject({ reason: "Locked" })
        expect(existsSync(join(folder, "runs", second.id))).toBe(false)
        const resumed = yield* Run.make(definition, { ...options, ...(yield* Run.resuming(live.id, definition)) })
        expect((yield* Effect.flip(resumed.execute)).reason).toMatchObject({ reason: "Locked" })
        expect(logIn(log)).toBe(before)
        answer()
        yield* Fiber.join(running)
      }).pipe(Effect.provide(surroundings))
    })
  )
})
