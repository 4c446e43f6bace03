import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import type { Data } from "../../src/Row.ts"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import type * as Sink from "../../src/Sink.ts"
import { assert, describe, scoped } from "../It.ts"
import { folder, list, open, read, tree, write } from "./Folder.ts"

describe("parts", () => {
  const parts = (roll: { readonly rows?: number; readonly size?: string }, rows: ReadonlyArray<Data>) =>
    Effect.gen(function* () {
      const out = yield* folder
      yield* write({ jsonl: "{seq}.jsonl", roll }, out, rows)
      return Object.entries(tree(out)).map(([name, lines]) => [name, lines.length] as const)
    })

  scoped("end before they have too many rows or bytes; a larger row gets its own part", function* () {
    const rows = Array.from({ length: 7 }, (_, a) => ({ a }))
    assert.deepStrictEqual(yield* parts({ rows: 3 }, rows), [
      ["00001.jsonl", 3],
      ["00002.jsonl", 3],
      ["00003.jsonl", 1]
    ])
    // A line of these has 8 bytes.
    assert.deepStrictEqual(yield* parts({ size: "16B" }, rows), [
      ["00001.jsonl", 2],
      ["00002.jsonl", 2],
      ["00003.jsonl", 2],
      ["00004.jsonl", 1]
    ])
    assert.deepStrictEqual(yield* parts({ size: "17B", rows: 1 }, rows.slice(0, 2)), [
      ["00001.jsonl", 1],
      ["00002.jsonl", 1]
    ])
    const large = { a: "x".repeat(50) }
    assert.deepStrictEqual(yield* parts({ size: "16B" }, [{ a: 1 }, large, large, { a: 2 }, { a: 3 }]), [
      ["00001.jsonl", 1],
      ["00002.jsonl", 1],
      ["00003.jsonl", 1],
      ["00004.jsonl", 2]
    ])
  })

  scoped("of CSV have a header each, and their own columns when these are added later", function* () {
    const out = yield* folder
    const writer = yield* open(
      csv,
      {
        csv: "{p}-{seq}.csv.gz",
        partitionBy: { p: "p" },
        roll: { rows: 2 },
        columns: { a: "integer" },
        onNewField: "widen"
      },
      { folder: out }
    )
    yield* writer.write([
      { a: 1, p: "x" },
      { a: 2, p: "x", b: "new" },
      { a: 3, p: "x" },
      { a: 4, p: "y" }
    ])
    yield* writer.finish
    const text = (name: string) => gunzipSync(readFileSync(`${out}/${name}`)).toString()
    assert.deepStrictEqual(yield* list(out), ["x-00001.csv.gz", "x-00002.csv.gz", "y-00001.csv.gz"])
    assert.strictEqual(text("x-00001.csv.gz"), "a,p,b\n1,x,\n2,x,new\n")
    assert.strictEqual(text("x-00002.csv.gz"), "a,p\n3,x\n")
    assert.strictEqual(text("y-00001.csv.gz"), "a,p\n4,y\n")
  })

  scoped(
    "of an older, longer run are removed when their partition is replaced, and other partitions stay",
    function* () {
      const out = yield* folder
      const config = { jsonl: "{p}/part-{seq}.jsonl", partitionBy: { p: "p" }, roll: { rows: 1 } }
      const ofEach = (p: string, rows: number) => Array.from({ length: rows }, (_, at) => ({ p, at }))
      yield* write(config, out, [...ofEach("a", 4), ...ofEach("b", 2)], "r0")
      writeFileSync(`${out}/a/part-7.jsonl`, "not ours\n")
      writeFileSync(`${out}/a/part-00009.jsonl.bak`, "not ours\n")
      yield* write(config, out, ofEach("a", 2))
      assert.deepStrictEqual(yield* list(`${out}/a`), [
        "part-00001.jsonl",
        "part-00002.jsonl",
        "part-00009.jsonl.bak",
        "part-7.jsonl"
      ])
      assert.deepStrictEqual(yield* list(`${out}/b`), ["part-00001.jsonl", "part-00002.jsonl"])
    }
  )

  scoped("are appended after the highest number, and old ones never change", function* () {
    const out = yield* folder
    for (const template of ["x-{seq}.jsonl", "in/{seq}/x.jsonl", "y2026-{seq}-{seq}.jsonl"]) {
      const config = { jsonl: template, mode: "append" as const, roll: { rows: 2 } }
      const path = (seq: string) => join(out, template.replaceAll("{seq}", seq))
      for (const seq of ["00003", "100000"]) {
        mkdirSync(dirname(path(seq)), { recursive: true })
        writeFileSync(path(seq), "old\n")
      }
      const { files } = yield* write(config, out, [{ a: 1 }, { a: 2 }, { a: 3 }])
      assert.deepStrictEqual(
        files.map((file) => file.path),
        [path("100001"), path("100002")]
      )
      assert.strictEqual(yield* read(path("100000")), "old\n")
    }
    // A run that has no rows has no further part.
    assert.deepStrictEqual((yield* write({ jsonl: "x-{seq}.jsonl", mode: "append" }, out, [])).files, [])
    const writer = yield* open(jsonl, { jsonl: "x-{seq}.jsonl", mode: "append" }, { folder: out })
    yield* writer.write([{ a: 1 }])
    writeFileSync(`${out}/x-100003.jsonl`, "somebody was faster\n")
    const error = yield* Effect.flip(writer.seal)
    assert.strictEqual(error._tag, "OriginalChanged")
  })

  scoped("are complete gzip files wherever a commit ends them", function* () {
    const out = yield* folder
    const writer = yield* open(jsonl, { jsonl: "x.jsonl.gz" }, { folder: out })
    const commits: Array<Sink.Commit> = []
    // The second is larger than what is compressed at once.
    for (const size of [1, 1_500_000, 10]) {
      yield* writer.write([{ a: "é".repeat(size) }])
      commits.push(yield* writer.commit)
    }
    const bytes = readFileSync(`${out}/x.jsonl.gz.r1.partial`)
    for (const { files } of commits) {
      const [file] = files
      const lines = gunzipSync(bytes.subarray(0, file?.offset)).toString().split("\n")
      assert.strictEqual(lines.length - 1, file?.rows)
    }
    assert.strictEqual(commits[2]?.files[0]?.offset, bytes.length)
    assert.isBelow(bytes.length, 100_000)
  })
})
