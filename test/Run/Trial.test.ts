import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Sqlite from "../../src/Run/Ledger/Sqlite.ts"
import { Ledger } from "../../src/Run/Ledger.ts"
import * as Run from "../../src/Run.ts"
import { tree } from "../Sink/Folder.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const Services = Layer.provideMerge(
  Layer.provide(Client.layer, Connection.layer({ baseUrl: "http://127.0.0.1:9" })),
  NodeContext.layer
)

const folderOf = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Runs steps over the lines of `rows.jsonl`, as a program would; `out` is left out unless it is given. */
const run = (folder: string, steps: string, options: Partial<Run.RunOptions> = {}) =>
  Effect.gen(function* () {
    const source = yield* parseText("p.yaml", folder, `version: 1\nname: watch\nsteps:\n  - read: rows.jsonl\n${steps}`)
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const dataDir = join(folder, ".sluice")
    const made = yield* Run.make(checked, { ...scope, dataDir, ...options })
    return yield* Effect.provide(made.execute, Sqlite.layer(dataDir))
  })

const rowsIn = (folder: string, ...numbers: ReadonlyArray<number>) =>
  writeFileSync(join(folder, "rows.jsonl"), numbers.map((n) => `{"n":${n}}\n`).join(""))

const pathsOf = ({ outputs }: Run.Summary) => outputs.map(({ path }) => path).sort()

describe("a trial, a run with a limit", () => {
  it.scopedLive("never touches what real runs have written, whatever path and mode an output has", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      const out = join(folder, "project/out")
      mkdirSync(out, { recursive: true })
      const steps = `  - write: { jsonl: data/plain.jsonl }
  - write: { jsonl: ${folder}/absolute/x.jsonl.gz }
  - write: { jsonl: ../beside.jsonl }
  - write: { jsonl: ../../above/beside.jsonl, mode: append }
  - write: { csv: data/added.csv, columns: { n: integer }, mode: append }
  - write: { csv: data/each.csv, mode: perRun }
  - write: { jsonl: "data/named-{runId}.jsonl" }
  - write: { jsonl: "data/parts/{seq}.jsonl", roll: { rows: 1 } }
  - write: { jsonl: "data/more/{seq}.jsonl", roll: { rows: 1 }, mode: append }
  - write: { jsonl: "${folder}/by/{k}/{seq}.jsonl", roll: { rows: 1 }, partitionBy: { k: "n % 2" } }
`
      rowsIn(folder, 1, 2, 3, 4)
      yield* run(folder, steps, { out })
      const real = tree(folder)
      assert.lengthOf(
        Object.keys(real).filter((path) => path.includes("parts/")),
        4
      )
      for (const limit of [1, 2]) {
        const summary = yield* run(folder, steps, { wanted: limit })
        const own = join(folder, ".sluice/trial/watch", summary.runId)
        assert.strictEqual(summary.rows, limit)
        for (const path of pathsOf(summary)) assert.isTrue(path.startsWith(`${own}/`), path)
        const after = tree(folder)
        const kept = Object.entries(after).filter(([path]) => !path.startsWith(".sluice/"))
        assert.deepStrictEqual(
          kept,
          Object.entries(real).filter(([path]) => !path.startsWith(".sluice/"))
        )
        assert.lengthOf(pathsOf(summary), 7 + 3 * limit)
        assert.deepStrictEqual(after[`.sluice/trial/watch/${summary.runId}/data/plain.jsonl`]?.length, limit)
      }
      // Behind it the real run is what it would have been.
      const again = yield* run(folder, steps, { out })
      assert.isTrue(pathsOf(again).every((path) => !path.includes("trial")))
      assert.lengthOf(readFileSync(join(out, "data/added.csv"), "utf8").trim().split("\n"), 9)
    }).pipe(Effect.provide(Services))
  )

  it.scopedLive("replaces in a folder that was given for it only what trials have written", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      const out = join(folder, "out")
      rowsIn(folder, 1, 2, 3)
      const plain = "  - write: { jsonl: x.jsonl }\n"
      // Trials may repeat.
      yield* run(folder, plain, { out, wanted: 1 })
      yield* run(folder, plain, { out, wanted: 2 })
      assert.strictEqual(readFileSync(join(out, "x.jsonl"), "utf8"), '{"n":1}\n{"n":2}\n')
      // What a real run has written, or somebody else, stays.
      yield* run(folder, plain, { out })
      writeFileSync(join(out, "by-hand.jsonl"), "")
      for (const name of ["x.jsonl", "by-hand.jsonl"]) {
        for (const mode of ["replace", "append"]) {
          const steps = `  - write: { jsonl: ${name}, mode: ${mode} }\n`
          const before = tree(out)
          const error = yield* Effect.flip(run(folder, steps, { out, wanted: 1 }))
          assert.include(error.message, join(out, name))
          assert.include(error.message, "a trial (--limit) replaces only what trials have written")
          assert.deepStrictEqual(tree(out), before)
        }
      }
      const parts = '  - write: { jsonl: "p/{seq}.jsonl", roll: { rows: 1 } }\n'
      yield* run(folder, parts, { out })
      const before = tree(out)
      assert.include((yield* Effect.flip(run(folder, parts, { out, wanted: 1 }))).message, "p/00001.jsonl")
      assert.deepStrictEqual(tree(out), before)
    }).pipe(Effect.provide(Services))
  )

  it.scopedLive("leaves the state alone, also when its rejects are taken up again", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      const steps = `  - id: seen
    dedupe: { key: n, across: runs }
  - id: rule
    check: [{ rule: "n != 2", message: two, onFail: reject }]
  - write: { jsonl: x.jsonl }
`
      rowsIn(folder, 1, 2, 3)
      const trial = yield* run(folder, steps, { wanted: 2 })
      assert.deepStrictEqual([trial.rows, trial.rejects], [1, 1])
      const entries = Effect.gen(function* () {
        const { states } = yield* Ledger
        return yield* states.list
      }).pipe(Effect.provide(Sqlite.layer(join(folder, ".sluice"))))
      assert.deepStrictEqual(yield* entries, [])
      const record = yield* Effect.flatMap(Ledger, ({ find }) => find(trial.runId)).pipe(
        Effect.provide(Sqlite.layer(join(folder, ".sluice")))
      )
      const numbers = [1]
      const again = yield* run(folder, steps.replace("n != 2", "true"), {
        out: record?.out,
        wanted: 2,
        replay: { of: trial.runId, rows: new Map([["rule", [{ data: { n: 2 } }]]]), numbers }
      })
      assert.deepStrictEqual(pathsOf(again), [join(folder, ".sluice/trial/watch", trial.runId, "x.jsonl")])
      assert.strictEqual(readFileSync(pathsOf(again)[0] ?? "", "utf8"), '{"n":1,"change":"new"}\n{"n":2}\n')
      assert.deepStrictEqual(yield* entries, [])
      const real = yield* run(folder, steps, { out: join(folder, "out") })
      assert.deepStrictEqual([real.rows, real.rejects], [2, 1])
    }).pipe(Effect.provide(Services))
  )

  it.scopedLive("goes on in its own folder when it is resumed", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      rowsIn(folder, 1, 2, 3)
      const steps = `  - check: [{ rule: $exists(ok) or n < 2, message: not yet, onFail: fail }]
  - write: { jsonl: x.jsonl }
`
      const failed = yield* Effect.flip(run(folder, steps, { wanted: 3 }))
      assert.strictEqual(failed._tag, "RunFailed")
      const { runId } = (failed as Run.RunFailed).summary
      const dataDir = join(folder, ".sluice")
      rowsIn(folder, 1, 2, 3)
      const summary = yield* Effect.gen(function* () {
        const source = yield* parseText(
          "p.yaml",
          folder,
          `version: 1\nname: watch\nsteps:\n  - read: rows.jsonl\n${steps.replace("n < 2", "n < 9")}`
        )
        const scope = { env: {}, secrets: () => undefined }
        const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
        const kept = yield* Run.resuming(runId, checked, { withCurrent: true })
        const made = yield* Run.make(checked, { ...scope, dataDir, ...kept })
        return yield* made.execute
      }).pipe(Effect.provide(Sqlite.layer(dataDir)))
      assert.deepStrictEqual(pathsOf(summary), [join(dataDir, "trial/watch", runId, "x.jsonl")])
      assert.deepStrictEqual(readdirSync(join(dataDir, "trial/watch")), [runId])
      assert.isFalse(existsSync(join(folder, "out")))
    }).pipe(Effect.provide(Services))
  )
})
