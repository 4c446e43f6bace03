import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import type { Data } from "../../src/Row.ts"
import { ByteBuffer, fromRowCodec } from "../../src/Sink/Codec.ts"
import { jsonl, lineCodec } from "../../src/Sink/Jsonl.ts"
import { isRowError } from "../../src/Sink/SinkErrors.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { folder, list, open, read, reread } from "./Folder.ts"

/** A value that JSON cannot hold. */
const circular = (): unknown => {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

const encode = (rows: ReadonlyArray<Data>) => {
  const out = new ByteBuffer()
  const batch = { partition: "x", items: rows, indexes: undefined, offset: 0 }
  return Either.map(
    fromRowCodec("jsonl", Schema.Void, lineCodec).encode(batch, 0, rows.length, undefined, out, true),
    () => Buffer.from(out.view(0, out.end)).toString()
  )
}

describe("Sink/Jsonl", () => {
  scoped("writes one line per row, and nothing under the final name before the end", function* () {
    const out = yield* folder
    const writer = yield* open(jsonl, { jsonl: "deep/er/x-{runId}.jsonl" }, { folder: out })
    yield* writer.write([{ a: 1 }, { b: "ü\n" }])
    assert.deepStrictEqual(yield* list(`${out}/deep/er`), ["x-r1.jsonl.r1.partial"])
    const { files } = yield* writer.commit
    assert.deepInclude(files[0], { path: `${out}/deep/er/x-r1.jsonl`, offset: 21, rows: 2 })
    yield* writer.write([])
    yield* writer.write([{ c: null }])
    const { files: written } = yield* writer.finish
    assert.deepStrictEqual(written, [{ path: `${out}/deep/er/x-r1.jsonl`, format: "jsonl", rows: 3, bytes: 32 }])
    assert.deepStrictEqual(yield* list(`${out}/deep/er`), ["x-r1.jsonl"])
    assert.strictEqual(yield* read(`${out}/deep/er/x-r1.jsonl`), '{"a":1}\n{"b":"ü\\n"}\n{"c":null}\n')
  })

  it.skipIf(skipsLong)("round-trips every JSON object, line by line", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue())), (rows) => {
        const text = Either.getOrThrow(encode(rows))
        const lines = text.split("\n").slice(0, -1)
        assert.deepStrictEqual(
          lines.map((line) => JSON.parse(line)),
          JSON.parse(JSON.stringify(rows))
        )
      })
    )
  })

  it("has a representation for values that JSON does not know", () => {
    const rows = [{ big: 12345678901234567890n, gone: undefined, not: Number.NaN, at: new Date(0), deep: { b: [1n] } }]
    assert.strictEqual(
      Either.getOrThrow(encode(rows)),
      '{"big":"12345678901234567890","not":null,"at":"1970-01-01T00:00:00.000Z","deep":{"b":["1"]}}\n'
    )
  })

  scoped("writes rows of any size, one after the other", function* () {
    const out = yield* folder
    const rows = [10, 100_000, 1, 300_000].map((length, id) => ({ id, text: "ü".repeat(length) }))
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out })
    yield* writer.write(rows)
    yield* writer.write(rows.slice(0, 1))
    yield* writer.finish
    const lines = (yield* read(`${out}/x.jsonl`)).trimEnd().split("\n")
    assert.deepStrictEqual(
      lines.map((line) => JSON.parse(line)),
      [...rows, rows[0]]
    )
  })

  scoped("names the row that cannot be JSON, and writes the others", function* () {
    const out = yield* folder
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out })
    const error = yield* Effect.flip(writer.write([{ a: 1 }, circle]))
    assert.isTrue(isRowError(error) && error.index === 1)
    assert.include(error.message, "circular")
    yield* writer.write([{ a: 1 }])
    yield* writer.finish
    assert.strictEqual(yield* read(`${out}/x.jsonl`), '{"a":1}\n')
  })

  scoped("keeps the old file when a run does not complete, and continues at the committed byte", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    yield* fs.writeFileString(`${out}/x.jsonl`, "old\n")
    const resume = yield* Effect.gen(function* () {
      const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out })
      yield* writer.write([{ a: 1 }])
      const commit = yield* writer.commit
      yield* writer.write([{ lost: true }])
      return commit
    }).pipe(Effect.scoped)
    assert.strictEqual(yield* read(`${out}/x.jsonl`), "old\n")
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out, resume: reread(resume) })
    yield* writer.write([{ a: 2 }])
    const { files: written } = yield* writer.finish
    assert.strictEqual(yield* read(`${out}/x.jsonl`), '{"a":1}\n{"a":2}\n')
    assert.strictEqual(written[0]?.rows, 2)
  })

  scoped("refuses to resume beyond the end of the file", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    const resume = {
      files: [{ path: `${out}/x.jsonl`, offset: 100, rows: 3, state: { of: "x.jsonl", seq: 1, size: 100 } }]
    }
    const gone = yield* Effect.flip(open(jsonl, { jsonl: "x.jsonl" }, { folder: out, resume }))
    assert.include(gone.message, "the partial file is gone")
    yield* fs.writeFileString(`${out}/x.jsonl.r1.partial`, "short")
    const short = yield* Effect.flip(open(jsonl, { jsonl: "x.jsonl" }, { folder: out, resume }))
    assert.strictEqual(short._tag, "PartialMissing")
    assert.include(short.message, "the partial file has 5 bytes")
  })

  scoped("appends to the existing file, all or nothing", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    yield* fs.writeFileString(`${out}/x.jsonl`, '{"a":1}\n')
    const writer = yield* open(jsonl, { jsonl: "x.jsonl", mode: "append" }, { folder: out })
    yield* writer.write([{ a: 2 }])
    assert.strictEqual(yield* read(`${out}/x.jsonl`), '{"a":1}\n')
    const { files: written } = yield* writer.finish
    assert.strictEqual(yield* read(`${out}/x.jsonl`), '{"a":1}\n{"a":2}\n')
    assert.deepInclude(written[0], { rows: 1, bytes: 16 })
  })

  scoped("gives each run its own file on request, and removes what it made on discard", function* () {
    const out = yield* folder
    const writer = yield* open(jsonl, { jsonl: "x.jsonl", mode: "perRun" }, { folder: out })
    yield* writer.write([{ a: 1 }])
    yield* writer.finish
    const other = yield* open(jsonl, { jsonl: "y.jsonl" }, { folder: out })
    yield* other.write([{ a: 1 }])
    yield* other.discard
    assert.deepStrictEqual(yield* list(out), ["x-r1.jsonl"])
  })

  scoped("says why a path cannot be written", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    yield* fs.makeDirectory(`${out}/folder.jsonl`)
    yield* fs.writeFileString(`${out}/file`, "")
    const directory = yield* Effect.flip(open(jsonl, { jsonl: "folder.jsonl" }, { folder: out }))
    assert.strictEqual(directory._tag, "IsDirectory")
    assert.include(directory.message, "it is a folder")
    const under = yield* Effect.flip(open(jsonl, { jsonl: "file/x.jsonl" }, { folder: out }))
    assert.strictEqual(under._tag, "FolderNotWritable")
    assert.include(under.message, "--out")
    const proc = yield* Effect.flip(open(jsonl, { jsonl: "/proc/sluice/x.jsonl" }, { folder: out }))
    assert.strictEqual(proc._tag, "OutputRefused")
    assert.include(proc.message, "/proc")
  })

  scoped("says how much is safe when the disk is full", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    yield* fs.symlink("/dev/full", `${out}/x.jsonl.r1.partial`)
    const resume = {
      files: [{ path: `${out}/x.jsonl`, offset: 0, rows: 0, state: { of: "x.jsonl", seq: 1, size: 0 } }]
    }
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out, resume })
    const error = yield* Effect.flip(writer.write([{ a: 1 }]))
    assert.strictEqual(error._tag, "DiskFull")
    assert.include(error.message, "0 rows (0 bytes) are safe")
    assert.isFalse(yield* fs.exists(`${out}/x.jsonl`))
  })

  scoped("measures rows without a look at their partitions", function* () {
    const config = yield* Schema.decode(jsonl.config)({ jsonl: "{k}.jsonl", partitionBy: { k: "$key" } })
    const bindings = () => assert.fail("the expression of the partition was evaluated")
    const sizes = jsonl.sizes(config, { folder: "/", names: { runId: "r1" }, bindings })
    const rows = [{ a: 1 }, { a: "é" }, { a: circular() }].map((data) => ({ data }))
    assert.deepStrictEqual(yield* sizes(rows), [8, 11, 0])
  })
})
