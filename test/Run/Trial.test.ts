import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { assert, describe, it } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { skipsLong } from "../Long.ts"
import { offline } from "../Services.ts"
import { tree } from "../Sink/Folder.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const folderOf = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

interface Settings extends Partial<Run.RunOptions> {
  readonly name?: string
  /** The run to go on with, by its id. */
  readonly of?: string
}

/** Runs steps over the lines of `rows.jsonl`, as a program would; `out` is left out unless it is given. */
const run = (folder: string, steps: string, { name = "watch", of, ...options }: Settings = {}) =>
  Effect.gen(function* () {
    const source = yield* parseText(
      "p.yaml",
      folder,
      `version: 1\nname: ${name}\nsteps:\n  - read: rows.jsonl\n${steps}`
    )
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const dataDir = options.dataDir ?? join(folder, ".sluice")
    return yield* Effect.gen(function* () {
      const kept = of === undefined ? {} : yield* Run.resuming(of, checked, { withCurrent: true })
      const made = yield* Run.make(checked, { ...scope, dataDir, ...options, ...kept })
      return yield* made.execute
    }).pipe(Effect.provide(layer(dataDir)))
  })

/** The id of a run that has failed, and why. */
const failed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert(error instanceof Run.RunFailed, String(error))
    return { id: error.summary.runId, message: error.message }
  })

const rowsIn = (folder: string, ...numbers: ReadonlyArray<number>) =>
  writeFileSync(join(folder, "rows.jsonl"), numbers.map((n) => `{"n":${n}}\n`).join(""))

const pathsOf = ({ outputs }: Run.Summary) => outputs.map(({ path }) => path).sort()

describe("a trial, a run with a limit", () => {
  it.scopedLive.skipIf(skipsLong)(
    "never touches outputs of real runs, whatever path and mode they have",
    offline,
    function* () {
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
      // A real run after the trial does what it would have done without it.
      const again = yield* run(folder, steps, { out })
      assert.isTrue(pathsOf(again).every((path) => !path.includes("trial")))
      assert.lengthOf(readFileSync(join(out, "data/added.csv"), "utf8").trim().split("\n"), 9)
    }
  )

  it.scopedLive("replaces only files of trials in a folder that it was given", offline, function* () {
    const folder = yield* folderOf
    const out = join(folder, "out")
    rowsIn(folder, 1, 2, 3)
    const plain = "  - write: { jsonl: x.jsonl }\n"
    // Trials may repeat.
    yield* run(folder, plain, { out, wanted: 1 })
    yield* run(folder, plain, { out, wanted: 2 })
    assert.strictEqual(readFileSync(join(out, "x.jsonl"), "utf8"), '{"n":1}\n{"n":2}\n')
    // Files of a real run or of another program stay.
    yield* run(folder, plain, { out })
    writeFileSync(join(out, "by-hand.jsonl"), "")
    for (const name of ["x.jsonl", "by-hand.jsonl"]) {
      for (const mode of ["replace", "append"]) {
        const steps = `  - write: { jsonl: ${name}, mode: ${mode} }\n`
        const before = tree(out)
        const error = yield* Effect.flip(run(folder, steps, { out, wanted: 1 }))
        assert.include(error.message, join(out, name))
        assert.include(error.message, "a trial (--limit) replaces only files that trials have written")
        assert.deepStrictEqual(tree(out), before)
      }
    }
    const parts = '  - write: { jsonl: "p/{seq}.jsonl", roll: { rows: 1 } }\n'
    yield* run(folder, parts, { out })
    const before = tree(out)
    assert.include((yield* Effect.flip(run(folder, parts, { out, wanted: 1 }))).message, "p/00001.jsonl")
    assert.deepStrictEqual(tree(out), before)
  })

  it.scopedLive("leaves the state alone, also when its rejects are replayed", offline, function* () {
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
    }).pipe(Effect.provide(layer(join(folder, ".sluice"))))
    assert.deepStrictEqual(yield* entries, [])
    const record = yield* Effect.flatMap(Ledger, ({ find }) => find(trial.runId)).pipe(
      Effect.provide(layer(join(folder, ".sluice")))
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
  })

  it.scopedLive("continues in its own folder when it is resumed", offline, function* () {
    const folder = yield* folderOf
    rowsIn(folder, 1, 2, 3)
    const steps = `  - check: [{ rule: $exists(ok) or n < 2, message: not yet, onFail: fail }]
  - write: { jsonl: x.jsonl }
`
    const { id: runId } = yield* failed(run(folder, steps, { wanted: 3 }))
    const dataDir = join(folder, ".sluice")
    const summary = yield* run(folder, steps.replace("n < 2", "n < 9"), { of: runId })
    assert.deepStrictEqual(pathsOf(summary), [join(dataDir, "trial/watch", runId, "x.jsonl")])
    assert.deepStrictEqual(readdirSync(join(dataDir, "trial/watch")), [runId])
    assert.isFalse(existsSync(join(folder, "out")))
  })

  it.scopedLive.skipIf(skipsLong)("replaces nothing that real runs have written since it began", offline, function* () {
    const fs = yield* FileSystem.FileSystem
    const real = '{"n":1}\n{"n":2}\n{"n":3}\n'
    const stop = "budget: { rows: 1 }\n"
    const plain = "  - write: { jsonl: x.jsonl }\n"
    const parts = '  - write: { jsonl: "p/{seq}.jsonl", roll: { rows: 1 } }\n'
    const refused = "Run without --out, choose another --out folder, or delete the file."

    // The trial was stopped, a real run has published since, and now the trial is resumed.
    const folder = yield* folderOf
    const out = join(folder, "out")
    rowsIn(folder, 1, 2, 3)
    for (const steps of [plain, parts]) {
      const trial = yield* failed(run(folder, `${steps}${stop}`, { out, wanted: 2 }))
      yield* run(folder, steps, { out })
      const before = tree(out)
      const again = yield* failed(run(folder, steps, { of: trial.id }))
      assert.strictEqual(again.id, trial.id)
      assert.include(again.message, refused)
      assert.deepStrictEqual(tree(out), before)
    }

    // A real run publishes while the trial works: behind its first row, and before it seals.
    const beside = yield* folderOf
    rowsIn(beside, 1, 2, 3)
    for (const [name, steps] of [
      ["one", plain],
      ["many", parts]
    ] as const) {
      const to = join(beside, name)
      let isDone = false
      const publishing = Effect.suspend(() => {
        if (isDone) return Effect.void
        isDone = true
        // On fibers of its own: the observer of a run is not interruptible.
        const published = Effect.provide(Effect.scoped(run(beside, steps, { out: to })), offline)
        return Effect.asVoid(Effect.promise(() => Effect.runPromise(published)))
      })
      const trial = yield* failed(run(beside, steps, { out: to, wanted: 2, observe: () => publishing }))
      assert.include(trial.message, refused)
      const left = Object.entries(tree(to)).filter(([path]) => !path.endsWith(".partial"))
      assert.lengthOf(left, steps === plain ? 1 : 3)
      if (steps === plain) assert.strictEqual(readFileSync(join(to, "x.jsonl"), "utf8"), real)
    }

    // Its process dies between seal and publish, or after the first of its files, and the resume publishes again.
    for (const named of [0, 1]) {
      const third = yield* folderOf
      const to = join(third, "out")
      rowsIn(third, 1, 2, 3)
      const both = "  - write: { jsonl: a.jsonl }\n  - write: { jsonl: b.jsonl }\n"
      let left = named
      const dying = {
        ...fs,
        rename: (from: string, into: string) =>
          Effect.suspend(() =>
            !from.endsWith(".partial") || left-- > 0 ? fs.rename(from, into) : Effect.die("power cut")
          )
      }
      const crash = yield* Effect.exit(
        Effect.provideService(run(third, both, { out: to, wanted: 2 }), FileSystem.FileSystem, dying)
      )
      assert.strictEqual(crash._tag, "Failure")
      const runs = yield* Effect.flatMap(Ledger, ({ history }) => history.runs({ limit: 1 })).pipe(
        Effect.provide(layer(join(third, ".sluice")))
      )
      assert.deepStrictEqual(
        runs.map(({ status }) => status),
        ["publishing"]
      )
      yield* run(third, both, { out: to })
      const id = runs[0]?.id ?? ""
      for (let attempt = 0; attempt < 2; attempt++) {
        // Nothing is left of the file that already had its final name.
        const { message } = yield* failed(run(third, both, { of: id }))
        if (named === 0) assert.include(message, refused)
        else assert.match(message, /[ab]\.jsonl cannot be published/)
        for (const name of ["a", "b"]) assert.strictEqual(readFileSync(join(to, `${name}.jsonl`), "utf8"), real)
      }
      // Once the files are gone, it publishes what it has left.
      for (const name of ["a", "b"]) unlinkSync(join(to, `${name}.jsonl`))
      const last = yield* Effect.either(run(third, both, { of: id }))
      assert.strictEqual(last._tag, named === 0 ? "Right" : "Left")
    }
  })

  it.scopedLive.skipIf(skipsLong)(
    "replaces no file that another program has written since the last trial",
    offline,
    function* () {
      const folder = yield* folderOf
      const out = join(folder, "out")
      rowsIn(folder, 1, 2, 3)
      const steps = "  - write: { jsonl: x.jsonl }\n"
      const file = join(out, "x.jsonl")
      const trial = (options: Settings = {}) => run(folder, steps, { out, wanted: 1, ...options })
      const writers: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown, never>]> = [
        ["another pipeline", Effect.provide(Effect.scoped(run(folder, steps, { out, name: "other" })), offline)],
        [
          "a run with another data folder",
          Effect.provide(Effect.scoped(run(folder, steps, { out, dataDir: join(folder, "elsewhere") })), offline)
        ],
        // It has the same rows, and as many bytes.
        [
          "a run with another data folder and as many bytes",
          Effect.provide(
            Effect.scoped(run(folder, `  - where: n = 2\n${steps}`, { out, dataDir: join(folder, "elsewhere") })),
            offline
          )
        ],
        ["a person", Effect.sync(() => writeFileSync(file, "mine\n"))]
      ]
      for (const [who, write] of writers) {
        rmSync(file, { force: true })
        yield* trial()
        yield* trial()
        assert.strictEqual(readFileSync(file, "utf8"), '{"n":1}\n')
        yield* write
        const before = readFileSync(file, "utf8")
        assert.include(
          (yield* failed(trial())).message,
          "a trial (--limit) replaces only files that trials have written",
          who
        )
        assert.strictEqual(readFileSync(file, "utf8"), before, who)
      }
      // Trials of different pipelines may replace each other's files: no run depends on them.
      rmSync(file)
      yield* trial({ name: "other" })
      yield* trial()
    }
  )

  it.scopedLive.skipIf(skipsLong)("leaves no rows before those that a real run appends", offline, function* () {
    const append = (folder: string, out: string, steps: string) =>
      Effect.gen(function* () {
        rowsIn(folder, 1, 2, 3)
        yield* run(folder, steps, { out, wanted: 2 })
        // A trial may go on behind trials.
        yield* run(folder, steps, { out, wanted: 1 })
        yield* run(folder, steps, { out })
        rowsIn(folder, 4)
        yield* run(folder, steps, { out })
        return tree(out)
      })
    const folder = yield* folderOf
    const cases: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
      ["jsonl", "{ jsonl: x.jsonl, mode: append }", { "x.jsonl": '{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n' }],
      ["csv", "{ csv: x.csv, mode: append, columns: { n: integer } }", { "x.csv": "n\n1\n2\n3\n4\n" }],
      [
        "parts",
        '{ jsonl: "{seq}.jsonl", mode: append, roll: { rows: 2 } }',
        { "00001.jsonl": '{"n":1}\n{"n":2}\n', "00002.jsonl": '{"n":3}\n', "00003.jsonl": '{"n":4}\n' }
      ],
      [
        "partitions",
        '{ jsonl: "{k}.jsonl", mode: append, partitionBy: { k: "n % 2" } }',
        { "0.jsonl": '{"n":2}\n{"n":4}\n', "1.jsonl": '{"n":1}\n{"n":3}\n' }
      ]
    ]
    for (const [name, write, expected] of cases) {
      const out = join(folder, name)
      yield* append(folder, out, `  - write: ${write}\n`)
      const found = Object.fromEntries(readdirSync(out).map((each) => [each, readFileSync(join(out, each), "utf8")]))
      assert.deepStrictEqual(found, expected, name)
    }
  })
})
