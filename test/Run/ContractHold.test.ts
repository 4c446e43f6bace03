/** Runs whose contract holds the outputs: nothing is published until somebody decides. Over both ledgers. */

import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Ledger } from "../../src/Ledger.ts"
import * as Held from "../../src/Run/Held.ts"
import { OutputsHeld } from "../../src/Step/StepError.ts"
import { ExitCode } from "../../src/TypedError/ExitCode.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, type Options, project, rowsIn } from "../Project.ts"
import { manifestIn } from "./Published.ts"

const steps = `  - read: in.jsonl
  - write: { jsonl: x.jsonl, manifest: true }
  - id: table
    write: { csv: x.csv, manifest: true }
`

const columns = `
      id: { type: integer }
      price: { type: decimal, onType: hold }
`

const contract = `version: 1
onNew: hold
outputs:
  write:
    columns:${columns}  table:
    columns:${columns}`

const good = jsonLines([{ id: 1, price: "1.50" }])
const drifted = jsonLines([
  { id: 1, price: "1.50" },
  { id: 2, price: "free", stock: 7 }
])

describeLedgers("a run whose contract holds", (place, isFile) => {
  const setUp = Effect.gen(function* () {
    const ledger = yield* ledgerIn(yield* place)
    const pipeline = yield* project({ files: { "p.contract.yaml": contract, "in.jsonl": good } })
    const run = (options: Options = {}, definition = steps) =>
      Effect.flatMap(pipeline.checked(definition, options.frame), (checked) =>
        pipeline.execute(checked, options, ledger)
      )
    const resume = (id: string, definition = steps) =>
      Effect.gen(function* () {
        const checked = yield* pipeline.checked(definition)
        const { resuming } = yield* Effect.promise(() => import("../../src/Run.ts"))
        return yield* pipeline.execute(
          checked,
          yield* Effect.provideService(resuming(id, checked, { withCurrent: true }), Ledger, ledger),
          ledger
        )
      })
    const discard = (id: string) =>
      Held.discard(id, "user").pipe(
        Effect.provideService(Ledger, ledger),
        Effect.provide(pipeline.surroundings),
        Effect.withClock(Clock.make())
      )
    const verdictsOf = (id: string) =>
      Effect.map(Effect.all([ledger.health.of(id), ledger.health.sinksOf(id)]), ([whole, sinks]) =>
        [...(whole?.verdicts ?? []), ...sinks.flatMap(({ verdicts }) => verdicts)].map(
          ({ got, expected, field, level, metric, sink }) => `${level} ${metric} ${sink} ${field}: ${expected}, ${got}`
        )
      )
    return {
      ...pipeline,
      ledger,
      run,
      resume,
      discard,
      verdictsOf,
      read: (name: string) => rowsIn(join(pipeline.folder, name))
    }
  })

  const verdicts = ["write", "table"].flatMap((step) => [
    `broken contract ${step} price: type decimal (contract), type string`,
    `broken contract ${step} stock: no such field (contract), a field of type integer`
  ])

  it.live("publishes nothing, from the first run on, and says why", () =>
    Effect.gen(function* () {
      const { folder, ledger, read, run, verdictsOf, write } = yield* setUp
      expect((yield* run()).summary.status).toBe("completed")
      write("in.jsonl", drifted)
      const held = yield* run()
      expect(held.summary).toMatchObject({ status: "held", resumable: false, outputs: [], rows: 2, rejects: 0 })
      const failure = Either.isLeft(held.outcome) ? held.outcome.left : undefined
      expect(failure?.reason).toBeInstanceOf(OutputsHeld)
      expect(failure?.reason).toMatchObject({ exitCode: ExitCode.checkFailed })
      expect(failure?.message).toContain(
        "the outputs are held: x.jsonl, price: expected type decimal (contract), got type string; "
      )
      expect(read("x.jsonl")).toEqual([{ id: 1, price: "1.50" }])
      expect(manifestIn(folder)?.files).toHaveLength(2)
      expect((yield* verdictsOf(held.runId)).toSorted()).toEqual(verdicts.toSorted())
      expect((yield* ledger.find(held.runId))?.status).toBe("held")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("is published as it is, and its files have the schema that they are read by", () =>
    Effect.gen(function* () {
      const { folder, ledger, read, resume, run, write } = yield* setUp
      write("in.jsonl", drifted)
      const { runId } = yield* run()
      yield* ledger.held.release(runId)
      expect((yield* resume(runId)).summary.status).toBe("completed")
      expect(read("x.jsonl")).toEqual([
        { id: 1, price: "1.50" },
        { id: 2, price: "free", stock: 7 }
      ])
      const { files = [], health = [], schemas = {} } = manifestIn(folder) ?? {}
      expect(schemas[files[0]?.schema ?? ""]).toMatchObject({ price: { type: "string" }, stock: { type: "integer" } })
      expect(health.map(({ message }) => message)).toContain(
        "x.jsonl, stock: expected no such field (contract), got a field of type integer"
      )
      // Publishing does not change the contract: the next run like it is held again.
      expect((yield* run()).summary.status).toBe("held")
      write(
        "p.contract.yaml",
        contract.replaceAll("decimal, onType: hold", "string").replace("onNew: hold", "onNew: add")
      )
      expect((yield* run()).summary.status).toBe("completed")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("leaves nothing when it is discarded", () =>
    Effect.gen(function* () {
      const { discard, folder, read, run, write } = yield* setUp
      yield* run()
      write("in.jsonl", drifted)
      const { runId } = yield* run()
      yield* discard(runId)
      expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([])
      expect(read("x.jsonl")).toEqual([{ id: 1, price: "1.50" }])
    }).pipe(Effect.scoped)
  )

  if (!isFile) return

  for (const [what, options] of [
    ["health is off", { frame: "health: off\n" }],
    ["nothing else is held", { frame: "health: { onBroken: warn }\n" }],
    ["broken figures are not even told", { frame: "health: { onBroken: off }\n" }],
    ["it is a backfill", { backfill: true }]
  ] satisfies ReadonlyArray<readonly [string, Options]>) {
    it.live(`is held also when ${what}`, () =>
      Effect.gen(function* () {
        const { ledger, resume, run, verdictsOf, write } = yield* setUp
        write("in.jsonl", drifted)
        const held = yield* run(options)
        expect(held.summary.status).toBe("held")
        expect((yield* verdictsOf(held.runId)).toSorted()).toEqual(verdicts.toSorted())
        yield* ledger.held.release(held.runId)
        expect((yield* resume(held.runId)).summary.status).toBe("completed")
      }).pipe(Effect.scoped)
    )
  }

  it.live("is discarded by no later run, also not by one that has replaced its files", () =>
    Effect.gen(function* () {
      const { folder, ledger, read, run, write } = yield* setUp
      const each = `  - read: in.jsonl
  - write: { jsonl: "{id}.jsonl", partitionBy: { id: id } }
`
      write("in.jsonl", drifted)
      const held = yield* run({}, each)
      expect(held.summary.status).toBe("held")
      const partials = () => readdirSync(folder).filter((name) => name.endsWith(".partial"))
      expect(partials()).toHaveLength(2)
      // Row 2 is nowhere else.
      write("in.jsonl", good)
      expect((yield* run({}, each)).summary.status).toBe("completed")
      expect([(yield* ledger.find(held.runId))?.status, partials().length]).toEqual(["held", 2])
      write("in.jsonl", jsonLines([{ id: 2, price: "3" }]))
      yield* run({}, each)
      expect([(yield* ledger.find(held.runId))?.status, partials().length]).toEqual(["held", 2])
      expect(read("2.jsonl")).toEqual([{ id: 2, price: "3" }])
    }).pipe(Effect.scoped)
  )

  it.live("is still held after it was resumed", () =>
    Effect.gen(function* () {
      const { folder, ledger, read, resume, run, write } = yield* setUp
      write(
        "in.jsonl",
        jsonLines([
          { id: 1, price: "free" },
          { id: 2, price: "1" },
          { id: 3, price: "2" }
        ])
      )
      const cut = yield* run({ frame: "budget: { rows: 2 }\n" })
      expect(cut.summary).toMatchObject({ status: "budget", resumable: true })
      const resumed = yield* resume(cut.runId)
      expect(resumed.summary.status).toBe("held")
      expect(existsSync(join(folder, "x.jsonl"))).toBe(false)
      yield* ledger.held.release(cut.runId)
      yield* resume(cut.runId)
      expect(read("x.jsonl").map(({ price }) => price)).toEqual(["free", "1", "2"])
    }).pipe(Effect.scoped)
  )

  it.live("goes on with a warning when its contract cannot be recorded", () =>
    Effect.gen(function* () {
      const { ledger, run } = yield* setUp
      yield* ledger.connection.sql`DROP TABLE contracts`
      const { summary, warnings } = yield* run()
      expect(summary.status).toBe("completed")
      expect(warnings).toContainEqual(expect.stringContaining("recording the contract of"))
    }).pipe(Effect.scoped)
  )

  it.live("publishes a trial, which nobody relies on, with a warning", () =>
    Effect.gen(function* () {
      const { run, write } = yield* setUp
      write("in.jsonl", drifted)
      const trial = yield* run({ wanted: 2 })
      expect(trial.summary.status).toBe("completed")
      expect(trial.warnings.join()).toContain("need other columns than the contract has")
    }).pipe(Effect.scoped)
  )

  it.live("refuses the row in place of holding a replay, which adds to what is published", () =>
    Effect.gen(function* () {
      const { run, write } = yield* setUp
      write("in.jsonl", drifted)
      write("p.contract.yaml", contract.replaceAll("hold", "reject"))
      const first = yield* run()
      expect(first.summary).toMatchObject({ status: "completed", rejects: 1 })
      write("p.contract.yaml", contract)
      const rows = new Map([["write", [{ data: { id: 2, price: "free", stock: 7 } }]]])
      const replay = yield* run({ replay: { of: first.runId, rows, numbers: [0] } })
      expect(replay.rejects.map(({ message }) => message)).toEqual([
        expect.stringContaining('column "price" is of type decimal')
      ])
    }).pipe(Effect.scoped)
  )

  it.live("leaves a new field out of a table with declared columns", () =>
    Effect.gen(function* () {
      const { read, resume, run, ledger, write } = yield* setUp
      const declared = `  - read: in.jsonl
  - id: table
    write: { csv: y.csv, columns: { id: integer, price: string } }
`
      write("in.jsonl", jsonLines([{ id: 1, price: "1", stock: 7 }]))
      const held = yield* run({}, declared)
      expect(held.summary.status).toBe("held")
      expect(read("y.csv")).toEqual([])
      yield* ledger.held.release(held.runId)
      expect((yield* resume(held.runId, declared)).summary.outputs).toMatchObject([{ rows: 1 }])
    }).pipe(Effect.scoped)
  )
})
