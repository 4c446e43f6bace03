import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { publish } from "../../src/Sink/Publish.ts"
import { assert, describe, scoped } from "../It.ts"
import { faulty, folder, list, open, read } from "./Folder.ts"

describe("a sink with faults", () => {
  scoped("reports nothing as safe after the disk was full in the middle of a chunk", function* () {
    const out = yield* folder
    const gauge = { left: Number.POSITIVE_INFINITY }
    const disk = faulty(yield* FileSystem.FileSystem, gauge)
    const writer = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, { folder: out }).pipe(
      Effect.provideService(FileSystem.FileSystem, disk)
    )
    yield* writer.write([{ p: "a" }, { p: "b" }])
    yield* writer.commit
    gauge.left = 1
    const error = yield* Effect.flip(writer.write([{ p: "a" }, { p: "b" }]))
    assert.strictEqual(error._tag, "DiskFull")
    assert.match(error.message, /1 row \(10 bytes\) are safe in the partial file. Free some space and resume/)
    gauge.left = Number.POSITIVE_INFINITY
    for (const after of [writer.commit, writer.seal, writer.write([{ p: "c" }])]) {
      assert.strictEqual(yield* Effect.flip(after), error)
    }
    yield* writer.discard
    assert.deepStrictEqual(yield* list(out), [])
  })

  scoped("fails at once when the folder of its partitions cannot be written", function* () {
    const out = yield* folder
    writeFileSync(join(out, "file"), "")
    for (const path of ["/proc/sluice/{p}.jsonl", "file/{p}.jsonl"]) {
      const error = yield* Effect.flip(open(jsonl, { jsonl: path, partitionBy: { p: "p" } }, { folder: out }))
      assert.strictEqual(error._tag, "FolderNotWritable")
      assert.include(error.message, "--out")
    }
    const fs = yield* FileSystem.FileSystem
    const readOnly = { ...fs, access: () => fs.access("/proc/1/mem/no") }
    const error = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, { folder: out }).pipe(
      Effect.provideService(FileSystem.FileSystem, readOnly),
      Effect.flip
    )
    assert.strictEqual(error._tag, "FolderNotWritable")
  })

  scoped("notices when another program removes its file", function* () {
    const out = yield* folder
    const writer = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, { folder: out })
    yield* writer.write([{ p: "first" }])
    unlinkSync(join(out, "first.jsonl.r1.partial"))
    // As many as it takes for the first to be closed.
    yield* writer.write(Array.from({ length: 80 }, (_, p) => ({ p })))
    const error = yield* Effect.flip(writer.write([{ p: "first" }]))
    assert.strictEqual(error._tag, "PartialMissing")
  })

  scoped("appends only to the content that it has seen, and changes nothing otherwise", function* () {
    const out = yield* folder
    const path = join(out, "x.jsonl")
    const append = (name: string) => open(jsonl, { jsonl: name, mode: "append" }, { folder: out })
    writeFileSync(path, '{"a":0}\n')
    const writer = yield* append("x.jsonl")
    yield* writer.write([{ a: 1 }])
    appendFileSync(path, '{"by":"hand"}\n')
    const error = yield* Effect.flip(writer.seal)
    assert.strictEqual(error._tag, "OriginalChanged")
    assert.strictEqual(yield* read(path), '{"a":0}\n{"by":"hand"}\n')
    // A file that was not there when the run began is a change too.
    const other = yield* append("y.jsonl")
    yield* other.write([{ a: 1 }])
    writeFileSync(join(out, "y.jsonl"), "")
    assert.strictEqual((yield* Effect.flip(other.seal))._tag, "OriginalChanged")
  })

  scoped("publishes nothing when another program wrote to its target after a crash", function* () {
    const out = yield* folder
    const sealed = (name: string) =>
      open(jsonl, { jsonl: name, mode: "append" }, { folder: out }).pipe(
        Effect.tap((writer) => writer.write([{ a: 1 }])),
        Effect.flatMap((writer) => writer.seal),
        Effect.map((sealed) => JSON.parse(JSON.stringify(sealed)) as typeof sealed),
        Effect.scoped
      )
    const old = join(out, "old.jsonl")
    writeFileSync(old, '{"a":0}\n')
    const all = [yield* sealed("new.jsonl"), yield* sealed("old.jsonl")]
    appendFileSync(old, '{"by":"hand"}\n')
    const error = yield* Effect.flip(publish(all))
    assert.strictEqual(error._tag, "OriginalChanged")
    assert.include(error.message, `${old}.r1.partial`)
    assert.strictEqual(yield* read(old), '{"a":0}\n{"by":"hand"}\n')
    assert.deepStrictEqual(yield* list(out), ["new.jsonl.r1.partial", "old.jsonl", "old.jsonl.r1.partial"])
    // A file that already has its final name counts as published, so a crashed publish can be repeated.
    const other = [yield* sealed("other.jsonl")]
    yield* publish(other)
    yield* publish(other)
    // Nor is something under a name that was free when it began left unseen.
    const late = [yield* sealed("late.jsonl")]
    writeFileSync(join(out, "late.jsonl"), "")
    assert.strictEqual((yield* Effect.flip(publish(late)))._tag, "OriginalChanged")
  })

  scoped("remembers its append position over a crash", function* () {
    const out = yield* folder
    const path = join(out, "x.jsonl")
    writeFileSync(path, '{"a":0}\n')
    const config = { jsonl: "x.jsonl", mode: "append" } as const
    const resume = yield* open(jsonl, config, { folder: out }).pipe(
      Effect.tap((writer) => writer.write([{ a: 1 }])),
      Effect.flatMap((writer) => writer.commit),
      Effect.scoped
    )
    copyFileSync(path, `${path}.copy`)
    appendFileSync(path, '{"by":"hand"}\n')
    const error = yield* open(jsonl, config, { folder: out, resume }).pipe(
      Effect.flatMap((writer) => writer.seal),
      Effect.scoped,
      Effect.flip
    )
    assert.strictEqual(error._tag, "OriginalChanged")
  })

  scoped("completes the last line before it appends", function* () {
    const out = yield* folder
    writeFileSync(join(out, "x.jsonl"), '{"a":0}')
    const writer = yield* open(jsonl, { jsonl: "x.jsonl", mode: "append" }, { folder: out })
    yield* writer.write([{ a: 1 }])
    yield* writer.finish
    assert.strictEqual(yield* read(join(out, "x.jsonl")), '{"a":0}\n{"a":1}\n')
  })

  scoped("appends gzip to gzip, with the same header", function* () {
    const out = yield* folder
    const config = { csv: "x.csv.gz", mode: "append", columns: { a: "integer", b: "string" } } as const
    writeFileSync(join(out, "x.csv.gz"), "a,b\n1,x\n")
    const plain = yield* Effect.flip(open(csv, config, { folder: out }))
    assert.strictEqual(plain._tag, "NotGzip")
    writeFileSync(join(out, "x.csv.gz"), gzipSync("b,a\nx,1\n"))
    const other = yield* Effect.flip(open(csv, config, { folder: out }))
    assert.strictEqual(other._tag, "HeaderMismatch")
    writeFileSync(join(out, "x.csv.gz"), gzipSync(`a,b\n${"1,x\n".repeat(100_000)}`))
    const before = readFileSync(join(out, "x.csv.gz"))
    const writer = yield* open(csv, config, { folder: out })
    yield* writer.write([{ a: 2 }])
    yield* writer.finish
    const after = readFileSync(join(out, "x.csv.gz"))
    assert.isTrue(after.subarray(0, before.length).equals(before) && after.length > before.length)
  })

  scoped("warns about another run's unfinished file and leaves it, and removes its own leftovers", function* () {
    const out = yield* folder
    writeFileSync(join(out, "x.jsonl.r0.partial"), "other run's\n")
    writeFileSync(join(out, "gone.jsonl.r1.partial"), "of no row\n")
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out })
    const { warnings } = yield* writer.finish
    assert.deepStrictEqual(warnings, [
      `${out}/x.jsonl.r0.partial belongs to run r0, which has not published it: sluice show r0 says what can be done; sluice discard r0 removes the file`
    ])
    assert.deepStrictEqual(yield* list(out), ["x.jsonl", "x.jsonl.r0.partial"])
  })

  scoped("says of another run's file that the run still writes it, rather than how to remove it", function* () {
    const out = yield* folder
    writeFileSync(join(out, "x.jsonl.r0.partial"), "other run's\n")
    const aliveRuns = Effect.succeed(new Set(["r0"]))
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out, aliveRuns })
    assert.deepStrictEqual((yield* writer.finish).warnings, [
      `${out}/x.jsonl.r0.partial belongs to run r0, which is still running and writes to the same output`
    ])
  })

  scoped("refuses a folder in the place of a part, and two steps in one file", function* () {
    const out = yield* folder
    mkdirSync(join(out, "a.jsonl"))
    const config = { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }
    const writer = yield* open(jsonl, config, { folder: out })
    assert.strictEqual((yield* Effect.flip(writer.write([{ p: "a" }])))._tag, "IsDirectory")
    const first = yield* open(jsonl, config, { folder: out })
    yield* first.write([{ p: "b" }])
    const second = yield* open(jsonl, config, { folder: out })
    const error = yield* Effect.flip(second.write([{ p: "b" }]))
    assert.strictEqual(error._tag, "PathTaken")
    yield* first.finish
    assert.isTrue(existsSync(join(out, "b.jsonl")))
  })
})
