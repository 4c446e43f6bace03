import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { csv } from "../../src/Sink/Csv.ts"
import { makeWidening } from "../../src/Sink/CsvTable.ts"
import { isRowError } from "../../src/Sink/SinkErrors.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { folder, list, open, read, reread } from "./Folder.ts"

const files = NodeFileSystem.layer

type Config = typeof csv.config.Encoded
type Rows = ReadonlyArray<Record<string, unknown>>

/** Writes the chunks and gives back the file's text and what the sink said of it. */
const write = (config: Omit<Config, "csv">, ...chunks: ReadonlyArray<Rows>) =>
  Effect.gen(function* () {
    const out = yield* folder
    const writer = yield* open(csv, { ...config, csv: "x.csv" }, { folder: out })
    for (const rows of chunks) yield* writer.write(rows)
    const {
      files: [written],
      warnings
    } = yield* writer.finish
    return { text: yield* read(`${out}/x.csv`), written, warnings }
  })

/** A reader by the book (RFC 4180), to check what was written. */
const parse = (text: string, delimiter = ",", quote = '"', lineEnd = "\n"): Array<Array<string>> => {
  const records: Array<Array<string>> = []
  let record: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === quote) {
      at++
      while (text[at] !== quote || text[at + 1] === quote) {
        if (text[at] === quote) at++
        cell += text[at++]
      }
      at++
    } else {
      while (!text.startsWith(delimiter, at) && !text.startsWith(lineEnd, at)) {
        assert.notInclude(`${quote}\r\n`, text.charAt(at))
        cell += text[at++]
      }
    }
    record.push(cell)
    if (text.startsWith(delimiter, at)) at += delimiter.length
    else {
      assert.isTrue(text.startsWith(lineEnd, at))
      at += lineEnd.length
      records.push(record)
      record = []
    }
  }
  return records
}

describe("Sink/Csv", () => {
  scoped("finds the columns in the rows, and formats every kind of value", function* () {
    const { text, written } = yield* write({}, [
      { a: 1, b: 'say "hi", twice', c: null },
      { b: "two\nlines", d: { e: [1] }, a: true, at: new Date(0), big: 10n ** 20n }
    ])
    assert.strictEqual(
      text,
      'a,b,c,d,at,big\n1,"say ""hi"", twice",,,,\ntrue,"two\nlines",,"{""e"":[1]}",1970-01-01T00:00:00.000Z,100000000000000000000\n'
    )
    assert.deepInclude(written, { format: "csv", rows: 2, bytes: Buffer.byteLength(text) })
  })

  scoped("quotes cells and column names that a spreadsheet with another separator would split", function* () {
    const call = "=cmd|'/C calc'!A0"
    for (const delimiter of [",", ";", "\t", "|"]) {
      for (const separator of [",", ";", "\t", "|"]) {
        const name = `n${separator}${call}`
        const row = { [name]: `x${separator}${call}`, b: `y${separator} +1` }
        const { text } = yield* write({ columns: { [name]: "string", b: "string" }, delimiter }, [row])
        assert.strictEqual(
          text,
          [
            [name, "b"],
            [row[name], row.b]
          ]
            .map((record) => `${record.map((cell) => (cell === "b" ? cell : `"${cell}"`)).join(delimiter)}\n`)
            .join("")
        )
        // Reading returns what was written; a spreadsheet with the other separator finds one cell first.
        assert.deepStrictEqual(parse(text, delimiter), [
          [name, "b"],
          [row[name], row.b]
        ])
      }
    }
    const { text } = yield* write({ columns: { a: "string" } }, [{ a: "plain" }])
    assert.strictEqual(text, "a\nplain\n")
  })

  scoped("keeps strings from becoming formulas, and does not change numbers", function* () {
    const columns = { "=h": "string", n: "number" } as const
    const rows = ["=1+1", "+1", "-1", "+x", "-x", "@x", "\tx", "＝x", "a=1"].map((text) => ({ "=h": text, n: -5 }))
    const { text } = yield* write({ columns }, rows)
    assert.strictEqual(text, "'=h,n\n'=1+1,-5\n+1,-5\n-1,-5\n'+x,-5\n'-x,-5\n'@x,-5\n\"'\tx\",-5\n'＝x,-5\na=1,-5\n")
    const trusting = yield* write({ columns, escapeFormulas: false }, rows.slice(0, 1))
    assert.strictEqual(trusting.text, "=h,n\n=1+1,-5\n")
  })

  scoped.skipIf(skipsLong)("keeps strings from becoming formulas behind characters that are not shown", function* () {
    const hidden = "\ufeff \u200b \u0000 \u202e \u2060 \u0085 \u000b \u3000 \u00a0 \u2028".split(" ")
    const escaped = [
      ...hidden.flatMap((each) => [`${each}=1+1`, `${each}@SUM(1)`, `\ufeff${each}-1+cmd|x`]),
      ..."\ufe66 \ufe62 \ufe63 \ufe6b".split(" ").map((each) => `${each}cmd`),
      ...["  =1+1", " -1+cmd!A0", " +SUM(A1)", "\ufeff\ufeff=1"]
    ]
    const kept = [" a=1", "  - item", " -5", " +1,000.5", "\ufeffa", "ä=1"]
    for (const text of [...escaped, ...kept]) {
      const cell = escaped.includes(text) ? `'${text}` : text
      const written = (yield* write({ columns: { [text]: "string" } }, [{ [text]: text }])).text
      assert.strictEqual(written.replace(/["\n]/g, ""), `${cell}${cell}`, JSON.stringify(text))
    }
  })

  scoped("checks the types of declared columns", function* () {
    const columns = { i: "integer", n: "number", b: "boolean", d: "date", j: "json", s: "string" } as const
    const { text } = yield* write({ columns }, [
      { s: { x: 1 }, i: "12", n: "1e3", b: "true", d: "2026-01-31", j: "t" },
      { i: 1e21, n: 0.5, b: false, d: 0, j: [-1] },
      { i: 3n, n: 2n, d: "Sat, 31 Jan 2026 10:00:00 GMT", s: -1 }
    ])
    assert.strictEqual(
      text,
      'i,n,b,d,j,s\n12,1e3,true,2026-01-31,"""t""","{""x"":1}"\n1000000000000000000000,0.5,false,1970-01-01T00:00:00.000Z,[-1],\n3,2,,2026-01-31T10:00:00.000Z,,-1\n'
    )
    const wrong = [
      { i: 1.5 },
      { i: "x" },
      { n: Number.NaN },
      { n: "" },
      { b: 1 },
      { d: "soon" },
      { d: new Date(Number.NaN) }
    ]
    for (const row of wrong) {
      const error = yield* Effect.flip(write({ columns }, [{}, row]))
      assert.isTrue(error._tag === "ColumnMismatch" && isRowError(error) && error.index === 1, error.message)
      assert.include(error.message, `Column "${Object.keys(row)[0]}" accepts`)
    }
  })

  scoped("fixes the header after 1,000 rows, and then follows onNewField", function* () {
    const rows = Array.from({ length: 999 }, (_, index) => ({ a: index }))
    const late = [{ a: 1, late: 2 }, { a: 3 }]
    const dropped = yield* write({}, rows, [{ b: 1 }], late)
    assert.isTrue(dropped.text.startsWith("a,b\n0,\n"))
    assert.isTrue(dropped.text.endsWith("998,\n,1\n1,\n3,\n"))
    assert.include(dropped.warnings[0], "x.csv has no column for late")
    const error = yield* Effect.flip(write({ onNewField: "error" }, rows, [{ b: 1 }], late))
    assert.include(error.message, 'Field "late" has no column')
    const widened = yield* write({ onNewField: "widen" }, rows, [{ b: "x\r\n" }], late, [{ later: "l" }])
    const records = parse(widened.text)
    assert.deepStrictEqual(records[0], ["a", "b", "late", "later"])
    assert.deepStrictEqual(records.slice(-4), [
      ["", "x\r\n", "", ""],
      ["1", "", "2", ""],
      ["3", "", "", ""],
      ["", "", "", "l"]
    ])
    assert.strictEqual(widened.written?.bytes, Buffer.byteLength(widened.text))
  })

  scoped("reports buffered rows, and writes the header even without rows", function* () {
    const out = yield* folder
    const found = yield* open(csv, { csv: "x.csv" }, { folder: out })
    yield* found.write([{ a: 1 }])
    const commit = yield* found.commit
    assert.deepInclude(commit.files[0], { path: `${out}/x.csv`, offset: 0, rows: 0 })
    assert.deepStrictEqual(commit.buffered, [{ of: "x.csv", cells: ["1"] }])
    yield* found.finish
    assert.strictEqual(yield* read(`${out}/x.csv`), "a\n1\n")
    const declared = yield* open(csv, { csv: "y.csv", columns: { a: "string", b: "date" } }, { folder: out })
    yield* declared.finish
    assert.strictEqual(yield* read(`${out}/y.csv`), "a,b\n")
    const nothing = yield* open(csv, { csv: "z.csv" }, { folder: out })
    yield* nothing.finish
    assert.strictEqual(yield* read(`${out}/z.csv`), "")
    assert.deepStrictEqual(yield* list(out), ["x.csv", "y.csv", "z.csv"])
  })

  scoped("resumes with the fixed header, as if it had never stopped", function* () {
    const out = yield* folder
    const rows = Array.from({ length: 1000 }, (_, index) => ({ a: index }))
    const resume = yield* Effect.gen(function* () {
      const writer = yield* open(csv, { csv: "x.csv", onNewField: "widen" }, { folder: out })
      yield* writer.write(rows)
      yield* writer.write([{ b: "é" }])
      const commit = yield* writer.commit
      yield* writer.write([{ lost: 1 }])
      return commit
    }).pipe(Effect.scoped)
    const writer = yield* open(csv, { csv: "x.csv", onNewField: "widen" }, { folder: out, resume: reread(resume) })
    yield* writer.write([{ b: 2, c: 3 }])
    const {
      files: [written]
    } = yield* writer.finish
    const records = parse(yield* read(`${out}/x.csv`))
    assert.deepStrictEqual(records[0], ["a", "b", "c"])
    assert.deepStrictEqual(records.slice(-3), [
      ["999", "", ""],
      ["", "é", ""],
      ["", "2", "3"]
    ])
    assert.strictEqual(written?.rows, 1002)
    assert.deepStrictEqual(yield* list(out), ["x.csv"])
  })

  scoped("appends only to a file with the same header", function* () {
    const fs = yield* FileSystem.FileSystem
    const out = yield* folder
    const config: Config = { csv: "x.csv", mode: "append", columns: { a: "integer", b: "string" }, bom: true }
    for (const a of [1, 2]) {
      yield* open(csv, config, { folder: out }).pipe(
        Effect.tap((writer) => writer.write([{ a, b: "x" }])),
        Effect.flatMap((writer) => writer.finish),
        Effect.scoped
      )
    }
    assert.strictEqual(yield* read(`${out}/x.csv`), "\ufeffa,b\n1,x\n2,x\n")
    const other = yield* Effect.flip(open(csv, { ...config, columns: { b: "string" } }, { folder: out }))
    assert.strictEqual(other._tag, "HeaderMismatch")
    assert.include(other.message, 'its first line is "<BOM>a,b\\n", but the columns of this run need "<BOM>b\\n"')
    assert.include(other.message, "mode: replace")
    yield* fs.writeFileString(`${out}/x.csv`, "")
    const empty = yield* open(csv, config, { folder: out })
    yield* empty.finish
    assert.strictEqual(yield* read(`${out}/x.csv`), "\ufeffa,b\n")
  })

  it.effect.skipIf(skipsLong)("is read back by a standard CSV reader, in every dialect", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.array(
              fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\n", "\r", "\t", "'", "ü", "😀", "=", "") }),
              { minLength: 2, maxLength: 2 }
            ),
            { minLength: 1 }
          ),
          fc.record({
            delimiter: fc.constantFrom(",", ";", "\t"),
            quote: fc.constantFrom('"', "'"),
            lineEnd: fc.constantFrom("lf" as const, "crlf" as const)
          }),
          (table, dialect) =>
            write(
              { ...dialect, columns: { one: "string", two: "string" }, escapeFormulas: false },
              table.map(([one, two]) => ({ one, two }))
            ).pipe(
              Effect.map(({ text }) =>
                assert.deepStrictEqual(
                  parse(text, dialect.delimiter, dialect.quote, dialect.lineEnd === "lf" ? "\n" : "\r\n"),
                  [["one", "two"], ...table]
                )
              ),
              Effect.scoped,
              Effect.provide(files),
              Effect.runPromise
            )
        ),
        { numRuns: 60 }
      )
    )
  )

  it("adds columns the same way wherever the bytes are split", () => {
    const shape = { header: "a,b,c", columns: 3, delimiter: ",", quote: '"', lineEnd: "crlf", nullText: "-" } as const
    const source = Buffer.from('a,b\r\n1,"x,\r\n""y"\r\n2\r\né,é,é\r\n')
    const expected = 'a,b,c\r\n1,"x,\r\n""y",-\r\n2,-,-\r\né,é,é\r\n'
    for (let size = 1; size <= source.length; size++) {
      const widen = makeWidening(shape)
      const parts: Array<Uint8Array> = []
      for (let at = 0; at < source.length; at += size) parts.push(widen(source.subarray(at, at + size)))
      assert.strictEqual(Buffer.concat(parts).toString(), expected)
    }
  })

  it("refuses a definition that makes no sense", () => {
    const wrong = (config: object) =>
      Either.match(Schema.decodeUnknownEither(csv.config)({ csv: "x.csv", ...config }), {
        onLeft: (error) => error.message,
        onRight: () => ""
      })
    assert.include(wrong({ delimiter: ",,", quote: '"' }), "one ASCII character")
    assert.include(wrong({ delimiter: ";", quote: ";" }), "must differ")
    assert.include(wrong({ nullText: "a,b" }), "nullText cannot contain")
    assert.include(wrong({ mode: "append" }), "needs columns")
    assert.include(wrong({ mode: "append", columns: { a: "date" }, onNewField: "widen" }), "cannot add columns")
    assert.include(wrong({ columns: {} }), "at least one column")
    assert.strictEqual(wrong({ columns: { a: "date" }, nullText: "NULL" }), "")
  })
})
