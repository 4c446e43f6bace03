/** Runs whose outputs are broken: nothing is published until somebody decides, and a decision survives a crash. */
import { readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import { lastGoodBefore } from "../../src/Dashboard/Runs.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as Held from "../../src/Run/Held.ts"
import { OutputsHeld } from "../../src/Step/StepError.ts"
import { ExitCode } from "../../src/TypedError/ExitCode.ts"
import { jsonLines, type Options, type Project, project, rowsIn } from "../Project.ts"
import { manifestIn, wrongEntries } from "./Published.ts"

const steps = `  - read: in.jsonl
  - dedupe: { key: id, across: runs }
  - select: { id: id, day: day }
  - write: { jsonl: "parts-{seq}.jsonl", roll: { rows: 30 } }
`

/** Rows of one day, of which none was there before. */
const rowsOf = (day: number, count: number) =>
  jsonLines(Array.from({ length: count }, (_, n) => ({ id: 1_000 * day + n, day })))

const frame = "health: { rows: { min: 10 } }\n"

/** A pipeline with a good run of 60 new rows, and one of 6 rows. */
const withHeld = (options: Options = { frame }) =>
  Effect.gen(function* () {
    const pipeline = yield* project()
    pipeline.write("in.jsonl", rowsOf(4, 60))
    yield* pipeline.run(steps, options)
    pipeline.write("in.jsonl", rowsOf(5, 6))
    const held = yield* pipeline.run(steps, options)
    return { ...pipeline, held }
  })

const over = <A, E, R>(
  { ledger, surroundings }: Pick<Project, "ledger" | "surroundings">,
  effect: Effect.Effect<A, E, R>
) => effect.pipe(Effect.provideService(Ledger, ledger), Effect.provide(surroundings), Effect.withClock(Clock.make()))

const idsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^parts-\d+\.jsonl$/.test(name))
    .toSorted()
    .flatMap((name) => rowsIn(join(folder, name)).map(({ id }) => Number(id)))

const partialsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".partial"))

const idsOf = (day: number, count: number) => Array.from({ length: count }, (_, n) => 1_000 * day + n)

const sentence = "parts-*.jsonl: rows: expected at least 10 (health.rows.min), got 6"

describe("a run whose outputs are broken", () => {
  it.live("publishes nothing, ends with exit code 6, and says what was expected and what came", () =>
    Effect.gen(function* () {
      const { folder, held, ledger, resume } = yield* withHeld()
      expect(held.summary).toMatchObject({ status: "held", resumable: false, outputs: [], rows: 6 })
      const failure = Either.isLeft(held.outcome) ? held.outcome.left : undefined
      expect(failure?.reason).toBeInstanceOf(OutputsHeld)
      expect(failure?.reason).toMatchObject({ exitCode: ExitCode.checkFailed })
      expect(failure?.message).toContain("the outputs are held: ")
      expect(failure?.message).toContain(sentence)
      expect(idsIn(folder)).toEqual(idsOf(4, 60))
      expect(partialsIn(folder)).toHaveLength(1)
      expect(yield* ledger.find(held.runId)).toMatchObject({ status: "held", outputs: undefined })
      const refused = yield* Effect.flip(Effect.flatMap(resume(held.runId, steps, { frame }), ({ outcome }) => outcome))
      expect(refused.message).toContain(`its outputs are held: sluice publish ${held.runId} releases them`)
      expect((yield* ledger.find(held.runId))?.status).toBe("held")
    }).pipe(Effect.scoped)
  )

  it.live("is compared with the last good run that began before it: no trial, backfill or later run", () =>
    Effect.gen(function* () {
      const pipeline = yield* project()
      const plain = "  - read: in.jsonl\n  - write: { jsonl: all.jsonl }\n"
      const go = (count: number, options: Options = {}) => {
        pipeline.write("in.jsonl", rowsOf(1, count))
        return pipeline.run(plain, { frame, ...options })
      }
      const good = yield* go(10)
      for (const options of [{ wanted: 5 }, { backfill: true }] satisfies Array<Options>) yield* go(10, options)
      const held = yield* pipeline.ledger.find((yield* go(2)).runId)
      for (let later = 0; later < 11; later++) yield* go(10)
      const found = held && (yield* over(pipeline, lastGoodBefore(held)))
      expect(found?.id).toBe(good.runId)
    }).pipe(Effect.scoped)
  )

  it.live(
    "is named once by later runs: as held, or by its partial file once it is released and not yet published",
    () =>
      Effect.gen(function* () {
        const { run, write, ledger } = yield* project()
        const plain = "  - read: in.jsonl\n  - write: { jsonl: all.jsonl }\n"
        const go = (count: number) => {
          write("in.jsonl", rowsOf(1, count))
          return run(plain, { frame })
        }
        yield* go(10)
        const { runId } = yield* go(2)
        expect((yield* go(10)).warnings).toEqual([expect.stringContaining("1 other run is held since")])
        yield* ledger.held.release(runId)
        expect((yield* go(10)).warnings).toEqual([
          expect.stringContaining(`.partial belongs to run ${runId}, which has not`)
        ])
      }).pipe(Effect.scoped)
  )

  it.live("does not change the state, and the next run goes ahead", () =>
    Effect.gen(function* () {
      const { folder, run, write } = yield* withHeld()
      write("in.jsonl", rowsOf(5, 60))
      const next = yield* run(steps, { frame })
      expect(next.summary.status).toBe("completed")
      expect(next.warnings.filter((warning) => warning.startsWith("broken"))).toEqual([])
      // The first six wait in the held run.
      expect(idsIn(folder)).toEqual(idsOf(5, 60).slice(6))
    }).pipe(Effect.scoped)
  )

  it.live("that is released is published with its state", () =>
    Effect.gen(function* () {
      const pipeline = yield* withHeld()
      const { folder, held, ledger, resume, run, write } = pipeline
      yield* ledger.held.release(held.runId)
      expect((yield* ledger.find(held.runId))?.status).toBe("publishing")
      yield* ledger.held.release(held.runId)
      const { summary } = yield* resume(held.runId, steps, { frame })
      expect(summary).toMatchObject({ status: "completed", rows: 6 })
      expect(idsIn(folder)).toEqual(idsOf(5, 6))
      expect(partialsIn(folder)).toEqual([])
      write("in.jsonl", `${rowsOf(5, 1)}${rowsOf(6, 16)}`)
      expect((yield* run(steps, { frame })).summary).toMatchObject({ status: "completed", rows: 16 })
      expect(idsIn(folder)).toEqual(idsOf(6, 16))
      expect(yield* Effect.flip(ledger.held.release(held.runId))).toMatchObject({ _tag: "RunNotHeld" })
    }).pipe(Effect.scoped)
  )

  it.live("that is discarded leaves nothing, also when the process dies in between", () =>
    Effect.gen(function* () {
      const pipeline = yield* withHeld()
      const { folder, held, ledger, run, write } = pipeline
      // The process dies after the transaction.
      yield* ledger.held.discard(held.runId, () => Effect.succeed(false), "user")
      expect(partialsIn(folder)).toHaveLength(1)
      yield* over(pipeline, Held.discard(held.runId, "user"))
      expect(partialsIn(folder)).toEqual([])
      expect(idsIn(folder)).toEqual(idsOf(4, 60))
      const { sql } = ledger.connection
      expect(yield* sql`SELECT id FROM stations WHERE run_id = ${held.runId}`).toEqual([])
      expect((yield* ledger.find(held.runId))?.status).toBe("discarded")
      for (const again of [Effect.asVoid(Held.discard(held.runId, "user")), ledger.held.release(held.runId)]) {
        expect((yield* Effect.flip(over(pipeline, again))).message).toBe(
          `run ${held.runId} is discarded: only outputs of a held run can be published, and those of a held or unfinished run discarded`
        )
      }
      // It is no measure for others: the next run like it is held, too, and names it.
      write("in.jsonl", rowsOf(5, 6))
      const next = yield* run(steps, { frame })
      expect(next.summary.status).toBe("held")
      const reason = Either.isLeft(next.outcome) ? next.outcome.left.message : ""
      expect(reason).toContain(`${sentence}, since run ${held.runId}`)
    }).pipe(Effect.scoped)
  )

  it.live("can still be discarded after its release, as long as no file has its final name", () =>
    Effect.gen(function* () {
      const pipeline = yield* withHeld()
      const { folder, held, ledger } = pipeline
      yield* ledger.held.release(held.runId)
      const [partial = ""] = partialsIn(folder)
      const aside = join(folder, "aside")
      renameSync(join(folder, partial), aside)
      expect(yield* Effect.flip(over(pipeline, Held.discard(held.runId, "user")))).toMatchObject({
        status: "publishing"
      })
      renameSync(aside, join(folder, partial))
      yield* over(pipeline, Held.discard(held.runId, "user"))
      expect(partialsIn(folder)).toEqual([])
      expect(idsIn(folder)).toEqual(idsOf(4, 60))
      expect((yield* ledger.find(held.runId))?.status).toBe("discarded")
    }).pipe(Effect.scoped)
  )

  it.live("stays publishable beside the manifest of a later run that has written other files", () =>
    Effect.gen(function* () {
      const { folder, ledger, resume, run, write } = yield* project()
      const daily = `  - read: in.jsonl
  - write: { jsonl: "{day}.jsonl", partitionBy: { day: day }, manifest: true }
`
      write("in.jsonl", rowsOf(0, 5))
      const held = yield* run(daily, { frame })
      expect(held.summary.status).toBe("held")
      write("in.jsonl", rowsOf(1, 20))
      const later = yield* run(daily, { frame })
      expect(later.summary.status).toBe("completed")
      expect(manifestIn(folder)?.files.map(({ path }) => path)).toEqual(["1.jsonl"])
      yield* ledger.held.release(held.runId)
      expect((yield* resume(held.runId, daily, { frame })).summary.status).toBe("completed")
      expect(manifestIn(folder)).toMatchObject({
        runId: held.runId,
        files: [
          { path: "0.jsonl", rows: 5, runId: held.runId },
          { path: "1.jsonl", rows: 20, runId: later.runId }
        ]
      })
      expect(wrongEntries(folder)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("can be published after a trial that wrote its files", () =>
    Effect.gen(function* () {
      const { folder, ledger, resume, run, write } = yield* project()
      const plain = "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl }\n"
      write("in.jsonl", rowsOf(0, 5))
      const held = yield* run(plain, { frame })
      const trial = yield* run(plain, { frame, wanted: 2, out: folder })
      expect([trial.summary.status, rowsIn(join(folder, "rows.jsonl")).length]).toEqual(["completed", 2])
      yield* ledger.held.release(held.runId)
      expect((yield* resume(held.runId, plain, { frame })).summary.status).toBe("completed")
      expect(rowsIn(join(folder, "rows.jsonl"))).toHaveLength(5)
    }).pipe(Effect.scoped)
  )

  it.live("that is discarded is discarded whole, also when it is interrupted in between", () =>
    Effect.gen(function* () {
      const pipeline = yield* withHeld()
      const { folder, held, ledger } = pipeline
      const discarding = yield* Effect.fork(over(pipeline, Held.discard(held.runId, "user")))
      yield* Effect.repeat(Effect.delay(ledger.find(held.runId), "1 millis"), {
        until: (run) => run?.status === "discarded"
      })
      yield* Fiber.interrupt(discarding)
      expect(partialsIn(folder)).toEqual([])
      expect(yield* ledger.held.expired(Number.MAX_SAFE_INTEGER)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("is published with a warning where the definition says so, and on standard output it cannot be held", () =>
    Effect.gen(function* () {
      const { held } = yield* withHeld({ frame: "health: { onBroken: warn, rows: { min: 10 } }\n" })
      expect(held.summary.status).toBe("completed")
      expect(held.warnings).toContain(`broken: ${sentence}`)
      const { run, write } = yield* project()
      write("in.jsonl", rowsOf(0, 2))
      const written: Array<Uint8Array> = []
      const stdout = (bytes: Uint8Array) =>
        Effect.sync(() => {
          written.push(bytes)
        })
      const out = '  - read: in.jsonl\n  - write: { jsonl: "-" }\n'
      const printed = yield* run(out, { frame, stdout })
      expect([printed.summary.status, written.length]).toEqual(["completed", 1])
      const both = yield* run(`${out}  - write: { jsonl: rows.jsonl }\n`, { frame, stdout })
      expect([both.summary.status, written.length]).toEqual(["held", 2])
      expect(both.warnings).toContain("rows on standard output cannot be held: they are written already")
    }).pipe(Effect.scoped)
  )
})
