import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { folder, list, open, read, tree, write } from "./Folder.ts"

const files = NodeFileSystem.layer

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    "../../etc",
    "/etc/passwd",
    "..",
    ".",
    "",
    null,
    undefined,
    {},
    { a: ["../x"] },
    [],
    7,
    true,
    "CON",
    "nul.jsonl",
    "a".repeat(10_000),
    "😀".repeat(3000),
    "x\0y",
    "\u202egpj.exe",
    "👩‍👩‍👧",
    "A",
    "a",
    "ß",
    "SS",
    "e\u0301",
    "é",
    "{seq}",
    "{p}",
    "a.r1.partial",
    "a.jsonl.r1.partial.changed",
    "\ud800",
    "~",
    "$HOME"
  ),
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.string({ unit: fc.constantFrom(".", "/", "\\", "\0", " ", "a", ":"), maxLength: 12 })
)

describe("partitions", () => {
  scoped("writes every row to the file of its values", function* () {
    const out = yield* folder
    const { files } = yield* write(
      { jsonl: "data/{date}/{host}/{runId}.jsonl", partitionBy: { host: "$host(url)", date: "day" } },
      out,
      [
        { url: "https://a.example/1", day: "2026-02-01" },
        { url: "https://b.example/1", day: "2026-02-01" },
        { url: "https://a.example/2", day: "2026-02-01" },
        { url: "https://a.example/3", day: null }
      ]
    )
    assert.deepStrictEqual(
      files.map(({ path, rows }) => [path.slice(out.length), rows]),
      [
        ["/data/2026-02-01/a.example/r1.jsonl", 2],
        ["/data/2026-02-01/b.example/r1.jsonl", 1],
        ["/data/_/a.example/r1.jsonl", 1]
      ]
    )
    // Without a partition of that name, the date is the run's.
    yield* write({ jsonl: "{date}/{p}.jsonl", partitionBy: { p: "p" } }, out, [{ p: 1 }])
    assert.deepStrictEqual(yield* list(`${out}/2026-01-31`), ["1.jsonl"])
  })

  it.effect("keeps every row below the folder with which the path begins, and loses none", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom("safe/{a}.jsonl", "safe/{a}/{b}.jsonl", "safe/x-{a}{b}", "safe/{a}/{b}-{seq}.jsonl"),
          fc.array(fc.record({ a: hostile, b: hostile }), { minLength: 1, maxLength: 12 }),
          (path, rows) =>
            Effect.gen(function* () {
              const out = yield* folder
              mkdirSync(join(out, "inner"))
              writeFileSync(join(out, "inner/guard"), "untouched\n")
              const partitionBy = path.includes("{b}") ? { a: "a", b: "b" } : { a: "a" }
              const roll = path.includes("{seq}") ? { rows: 2 } : undefined
              const written = yield* write({ jsonl: path, partitionBy, roll }, join(out, "inner"), rows)
              const { "inner/guard": guard, ...rest } = tree(out)
              assert.deepStrictEqual(guard, ["untouched"])
              for (const [name, lines] of Object.entries(rest)) {
                assert.match(name, /^inner\/safe\//)
                assert.notMatch(name, /\.partial$|\p{Cc}/u)
                assert.isAbove(lines.length, 0)
              }
              assert.deepStrictEqual(Object.values(rest).flat().sort(), rows.map((row) => JSON.stringify(row)).sort())
              assert.strictEqual(written.files.length, Object.keys(rest).length)
              // Names that some file system cannot tell apart are one.
              const folded = new Set(Object.keys(rest).map((name) => name.normalize("NFC").toUpperCase().toLowerCase()))
              assert.strictEqual(folded.size, Object.keys(rest).length)
            }).pipe(Effect.scoped, Effect.provide(files), Effect.runPromise)
        ),
        { numRuns: repetitions(60, 20) }
      )
    )
  )

  scoped("lets values share a file when they give the same name, as the first value spells it", function* () {
    const out = yield* folder
    yield* write({ jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, out, [
      { p: "Docs" },
      { p: "docs" },
      { p: "a/b" },
      { p: "a:b" },
      { p: "DOCS" }
    ])
    assert.deepStrictEqual(tree(out), {
      "Docs.jsonl": ['{"p":"Docs"}', '{"p":"docs"}', '{"p":"DOCS"}'],
      "a_b.jsonl": ['{"p":"a/b"}', '{"p":"a:b"}']
    })
  })

  scoped("gives an empty array a folder of its own, and not that of a path without values", function* () {
    const out = yield* folder
    yield* write({ jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, out, [{ p: [] }, { p: [1] }])
    assert.deepStrictEqual(tree(out), { "[].jsonl": ['{"p":[]}'], "[1].jsonl": ['{"p":[1]}'] })
  })

  scoped("rejects a row without a partition before anything is written", function* () {
    const out = yield* folder
    const writer = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "a + 1" } }, { folder: out })
    const error = yield* Effect.flip(writer.write([{ a: 1 }, { a: "x" }]))
    assert.isTrue(error._tag === "PartitionFailed" && error.index === 1)
    assert.include(error.message, "partitionBy.p has no value for a row: the left side of + must be a number")
    assert.deepStrictEqual(yield* list(out), [])
  })

  scoped.skipIf(skipsLong)("keeps few files open, whatever the number of partitions", function* () {
    const out = yield* folder
    const opened = () => {
      try {
        return readdirSync("/proc/self/fd").length
      } catch {
        return 0
      }
    }
    const before = opened()
    const writer = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, { folder: out })
    const rows = Array.from({ length: 300 }, (_, p) => ({ p }))
    yield* writer.write(rows)
    yield* writer.write(rows)
    assert.isAtMost(opened() - before, 80)
    const { files } = yield* writer.commit
    assert.strictEqual(files.length, 300)
    // The next commit has only the files that have changed.
    yield* writer.write(rows.slice(0, 1))
    const again = (yield* writer.commit).files
    assert.strictEqual(again.filter((file) => !files.includes(file)).length, 1)
    yield* writer.finish
    assert.strictEqual((yield* list(out)).length, 300)
    assert.strictEqual(yield* read(`${out}/299.jsonl`), '{"p":299}\n{"p":299}\n')
  })
})

describe("a destination", () => {
  const mistakes = (config: unknown) =>
    Either.match(Schema.decodeUnknownEither(Schema.Union(jsonl.config, csv.config))(config), {
      onLeft: (error) => error.message,
      onRight: () => ""
    })

  it("with an unknown name is refused before the run, with the nearest valid name", () => {
    const partitionBy = { host: "$host(url)" }
    assert.include(
      mistakes({ jsonl: "out/{runid}.jsonl" }),
      "there are {runId}, {date}, {seq}, and the names in partitionBy"
    )
    assert.include(mistakes({ jsonl: "out/{runid}.jsonl" }), "did you mean {runId}?")
    assert.include(mistakes({ jsonl: "{hots}.jsonl", partitionBy }), "did you mean {host}?")
    assert.include(mistakes({ jsonl: "{date}.jsonl", partitionBy }), "the path does not contain {host}")
    assert.include(mistakes({ csv: "{seq}.csv", partitionBy: { seq: "a" } }), "is filled in by the run")
    for (const path of ["{host}{seq}", "{seq}{host}", "{host}-{seq}-{host}", "{host}2{seq}", "{host}-{seq}0"]) {
      assert.include(
        mistakes({ jsonl: `${path}.jsonl`, partitionBy }),
        "{seq} is between values from which it cannot be told apart"
      )
    }
    assert.include(mistakes({ jsonl: "a.jsonl", roll: { rows: 1 } }), "write {seq} in the path, like part-{seq}.jsonl")
    assert.include(mistakes({ jsonl: "a-{seq}.jsonl", roll: {} }), "set the limit of a part")
    assert.include(mistakes({ jsonl: "a-{seq}.jsonl", roll: { size: "64 apples" } }), "is not a size")
    assert.include(mistakes({ jsonl: "a.jsonl.gz", gzip: false }), "ends in .gz")
    assert.include(mistakes({ jsonl: "a.partial" }), "choose another ending")
    assert.include(mistakes({ jsonl: "{host}.jsonl", partitionBy: { host: "$hots(url)" } }), "unknown name $hots")
    for (const right of [
      { jsonl: "{date}/{host}/{seq}.jsonl.gz", partitionBy, roll: { rows: 50000, size: "64MB" }, order: "input" },
      { csv: "{host}.csv", partitionBy, dates: "epochSeconds", gzip: true, onNewField: "widen" },
      { jsonl: "{host}/{seq}/{host}-{seq}-{runId}.jsonl", partitionBy },
      { csv: "x-{seq}.csv", mode: "append" },
      { csv: "x-{seq}.csv", mode: "append", onNewField: "widen" }
    ]) {
      assert.strictEqual(mistakes(right), "")
    }
  })
})
