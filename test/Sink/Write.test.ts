import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Json, Row } from "../../src/Row.ts"
import { publish } from "../../src/Sink/Publish.ts"
import { write } from "../../src/Sink/Write.ts"
import type * as Step from "../../src/Step.ts"
import { assert, describe, it } from "../It.ts"
import { folder } from "./Folder.ts"

/** Writing asks for files only, and for no client. */
const files = NodeFileSystem.layer as unknown as Layer.Layer<Step.Services>

type Config = typeof write.config.Encoded

const nothing: Step.Saved = { value: undefined, entries: [] }

/** The step as a run makes it; what it refuses is kept and goes on marked. */
const start = (config: Config, out: string, saved = nothing) =>
  Effect.gen(function* () {
    const refused: Array<readonly [Row, Step.StepError]> = []
    const context = {
      id: "write",
      runId: "r1",
      startedAt: new Date(0),
      out,
      bindings: () => ({ names: {} }),
      failed: (row: Row, error: Step.StepError) =>
        Effect.sync(() => {
          refused.push([row, error])
          return [{ data: { refused: row.position } }]
        })
    }
    const { behaviour } = write
    assert(behaviour.kind === "sink")
    const made = yield* behaviour.open(
      yield* Effect.orDie(Schema.decode(write.config)(config)),
      context as unknown as Step.Context,
      saved
    )
    return { ...made, refused }
  })

const rowsOf = (...data: ReadonlyArray<Record<string, unknown>>): ReadonlyArray<Row> =>
  data.map((each, position) => ({ data: each, position }))

describe("write", () => {
  it.scoped("rejects unwritable rows one by one, and passes all others on in order", files, function* () {
    const out = yield* folder
    const step = yield* start({ csv: "{p}.csv", partitionBy: { p: "p" }, columns: { n: "integer" } }, out)
    const rows = rowsOf(
      { p: "a", n: 1 },
      { p: "b", n: "x" },
      { p: "a", n: "y" },
      { p: "b", n: 2 },
      { p: "b", n: 3 },
      { p: "a", n: "z" }
    )
    const passed = yield* step.push(rows)
    assert.deepStrictEqual(
      passed.map(({ data }) => data),
      [rows[0]?.data, { refused: 1 }, { refused: 2 }, rows[3]?.data, rows[4]?.data, { refused: 5 }]
    )
    assert.deepStrictEqual(
      step.refused.map(([row, error]) => [row.position, error.reason]),
      [
        [1, "ColumnMismatch"],
        [2, "ColumnMismatch"],
        [5, "ColumnMismatch"]
      ]
    )
    const sealed = yield* step.seal
    // Declared columns leave out the other fields on purpose.
    assert.deepStrictEqual(sealed.warnings, [])
    yield* publish([sealed])
    assert.strictEqual(readFileSync(join(out, "a.csv"), "utf8"), "n\n1\n")
    assert.strictEqual(readFileSync(join(out, "b.csv"), "utf8"), "n\n2\n3\n")
  })

  it.scoped("saves each file separately, and buffered rows once", files, function* () {
    const out = yield* folder
    const step = yield* start({ csv: "{p}.csv", partitionBy: { p: "p" } }, out)
    const keys = Effect.map(step.save, ({ entries = [] }) =>
      entries.map(([key, value]) => (value === undefined ? `-${key}` : key))
    )
    yield* step.push(rowsOf({ p: 1 }, { p: 2 }))
    assert.deepStrictEqual(yield* keys, ["held 000000", "held 000001"])
    yield* step.push(rowsOf({ p: 1 }))
    assert.deepStrictEqual(yield* keys, ["held 000002"])
    assert.deepStrictEqual(yield* keys, [])
    yield* step.push(rowsOf(...Array.from({ length: 997 }, () => ({ p: 1 }))))
    const decided = yield* keys
    assert.deepStrictEqual(decided.sort(), [
      "-held 000000",
      "-held 000001",
      "-held 000002",
      `file ${join(out, "1.csv")}`,
      `file ${join(out, "2.csv")}`
    ])
    yield* step.push(rowsOf({ p: 2 }))
    assert.deepStrictEqual(yield* keys, [`file ${join(out, "2.csv")}`])
  })

  it.scoped("fails with the error of the disk, and repeats it instead of reporting data as safe", files, function* () {
    const out = yield* folder
    const saved: Step.Saved = {
      value: {},
      entries: [
        [
          "file x",
          { path: join(out, "x.jsonl"), offset: 5, rows: 1, state: { of: "x.jsonl", seq: 1, size: 5 } } as Json
        ]
      ]
    }
    const gone = yield* Effect.flip(start({ jsonl: "x.jsonl" }, out, saved))
    assert.strictEqual(gone.reason, "PartialMissing")
    assert.include(gone.message, "5 bytes were committed, and the partial file is gone. Start the run again")
    yield* start({ jsonl: "y.jsonl" }, out)
    const twice = yield* Effect.flip(start({ jsonl: "./y.jsonl" }, out))
    assert.strictEqual(twice.reason, "PathTaken")
  })
})
