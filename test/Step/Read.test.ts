import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { stringify } from "csv-stringify/sync"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { parse } from "../../src/Row/Integers.ts"
import { tableDecoder } from "../../src/Step/Read/Csv.ts"
import { LineSplitter } from "../../src/Step/Read/Decoder.ts"
import { jsonDecoder } from "../../src/Step/Read/Jsonl.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { type Ended, jsonLines, project, rowsIn, stepLine } from "../Project.ts"
import { killedAtCommits, live, pacer, until } from "../Run/Lives.ts"

/** Reads a file in a project of its own. */
const given = (name: string, content: string | Uint8Array, fields?: object) =>
  Effect.gen(function* () {
    const here = yield* project({ files: { [name]: content }, sharesLedger: true })
    const ended = yield* here.run(stepLine("read", fields === undefined ? name : { file: name, ...fields }))
    return {
      ...ended,
      isIncomplete: ended.incomplete.includes("read"),
      data: ended.emitted("read").map(({ data }) => data),
      messages: ended.rejects.map(({ message }) => message),
      failure: failureOf(ended)
    }
  })

const failureOf = ({ outcome }: Pick<Ended, "outcome">) => (Either.isLeft(outcome) ? outcome.left.reason : undefined)

describe("read: JSON lines", () => {
  scoped("emits every object, with any line ends, empty lines and a byte order mark", function* () {
    const { data, emitted, isIncomplete, messages } = yield* given(
      "a.jsonl",
      '\ufeff{"a":1}\r\n\n  \n\r\n{"a":"ä\\n😀"}\n{"a":3}'
    )
    expect(data).toEqual([{ a: 1 }, { a: "ä\n😀" }, { a: 3 }])
    expect(emitted("read").map(({ position }) => position)).toEqual([1, 5, 6])
    expect(messages).toEqual([])
    expect(isIncomplete).toBe(false)
  })

  scoped("rejects a line that is nested too deeply to be written again, and continues", function* () {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    const lines = `{"a":${deep(900)}}\n{"a":${deep(20_000)}}\n{"a":2}\n`
    const { data, messages } = yield* given("a.jsonl", lines)
    expect(data.length).toBe(2)
    expect(messages).toEqual(["a.jsonl, line 2 is nested more than 1,000 levels deep"])
    const table = yield* given("b.csv", `a\nnull\n${deep(20_000)}\n`, { columns: { a: "json" } })
    expect(table.data).toEqual([{ a: null }])
    expect(table.messages[0]).toMatch(/^b\.csv, line 3 has .* in a, which is not JSON$/)
  })

  scoped(
    "keeps integers beyond 2^53 as strings, in JSON and in CSV, or rejects their lines with integers: strict",
    function* () {
      const ids = ["9007199254740993", "-9007199254740992", "12345678901234567890123"]
      const lines = `{"id":1}\n${ids.map((id) => `{"id":${id},"text":"${id}","float":${id}.0,"in":[{"n":${id}}]}\n`).join("")}`
      const expected = [{ id: 1 }, ...ids.map((id) => ({ id, text: id, float: Number(id), in: [{ n: id }] }))]
      for (const content of [lines, `${lines}broken\n`, lines.replaceAll("\n", "\r\n"), lines.slice(0, -1)]) {
        expect((yield* given("a.jsonl", content)).data).toEqual(expected)
      }
      const strict = yield* given("a.jsonl", lines, { integers: "strict" })
      expect([strict.data, strict.isIncomplete]).toEqual([[{ id: 1 }], true])
      expect(strict.messages[0]).toBe(
        "a.jsonl, line 2 has the integer 9007199254740993, which is beyond 2^53 and not allowed with integers: strict"
      )
      const columns = { id: "integer", more: "json", float: "number" }
      const table = `id,more,float\n7,[1],1\n+0${ids[0]},[${ids[2]}],${ids[0]}\n${ids[1]},,\n`
      expect((yield* given("b.csv", table, { columns })).data).toEqual([
        { id: 7, more: [1], float: 1 },
        { id: ids[0], more: [ids[2]], float: Number(ids[0]) },
        { id: ids[1], more: null, float: null }
      ])
      const refused = yield* given("b.csv", table, { columns, integers: "strict" })
      expect(refused.data).toEqual([{ id: 7, more: [1], float: 1 }])
      expect(refused.messages[1]).toContain("line 4 has the integer -9007199254740992, which is beyond 2^53")
    }
  )

  scoped("rejects a line that is not an object with its line number, and continues", function* () {
    const long = `{"a":"${"x".repeat(3000)}`
    const { data, isIncomplete, messages, rejects } = yield* given(
      "a.ndjson",
      `{"a":1}\nnot json\n[1]\n"text"\nnull\n\u0000\u0000\n${long}\n{"a":2}\n{"__proto__":{"b":1}}\n`
    )
    expect(data.slice(0, 2)).toEqual([{ a: 1 }, { a: 2 }])
    expect(JSON.stringify(data[2])).toBe('{"__proto__":{"b":1}}')
    expect(messages.map((each) => String(each).replace(/ JSON: .*/, " JSON"))).toEqual([
      "a.ndjson, line 2 is not JSON",
      "a.ndjson, line 3 is an array, but a row must be an object",
      "a.ndjson, line 4 is a string, but a row must be an object",
      "a.ndjson, line 5 is null, but a row must be an object",
      "a.ndjson, line 6 is not JSON",
      "a.ndjson, line 7 is not JSON"
    ])
    expect(messages[4]).toContain("it holds zero bytes")
    expect(rejects[0]).toMatchObject({
      key: "a.ndjson:2",
      row: { file: "a.ndjson", line: 2, text: "not json" }
    })
    expect(rejects[5]).toMatchObject({ row: { text: expect.stringMatching(/^.{1001}$/s) } })
    // A page that such a line stood for is not known to be gone.
    expect(isIncomplete).toBe(true)
  })

  scoped("emits every line once when runs are killed between its batches, compressed or not", function* () {
    const lines = Array.from({ length: 8_000 }, (_, n) =>
      n % 1000 === 7 ? "broken" : JSON.stringify({ n, text: "é".repeat(n % 200) })
    )
    for (const [name, pack] of [
      ["a.jsonl", (text: string) => text],
      ["a.jsonl.gz", gzipSync]
    ] as const) {
      const here = yield* project({ files: { [name]: pack(lines.join("\n")) }, onTestClock: true })
      const { lives, rejects, rows } = yield* killedAtCommits(
        here,
        `  - read: ${name}\n  - write: { jsonl: rows.jsonl }\n`,
        { kills: 3, source: "read" }
      )
      expect(lives).toBe(4)
      expect(rows).toEqual(lines.flatMap((line) => (line === "broken" ? [] : [JSON.parse(line)])))
      expect(rejects.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((n) => `${name}:${n * 1000 + 8}`))
    }
  })

  scoped("fails a resumed run when the file has changed", function* () {
    const lines = Array.from({ length: 60 }, (_, n) => ({ n, text: "x".repeat(40_000) }))
    const text = jsonLines(lines)
    const steps = `  - read: a.jsonl\n  - scrape: { url: { expr: "'http://x.example/' & n" } }\n`
    const changes = {
      [`${text.length} bytes then, ${text.length + 8} now`]: (file: string) => appendFileSync(file, '{"a":2}\n'),
      changed: (file: string) => utimesSync(file, 1, 1)
    }
    for (const [said, change] of Object.entries(changes)) {
      const pace = pacer()
      const here = yield* project({ files: { "a.jsonl": text }, onTestClock: true, service: pace.service })
      const first = yield* live(here, pace, steps)
      yield* until(() => pace.waiting() > 0)
      yield* first.commit
      yield* first.kill
      change(join(here.folder, "a.jsonl"))
      const second = yield* live(here, pace, steps, {}, first.run.id)
      expect(failureOf({ outcome: yield* second.end })).toMatchObject({
        reason: "InputChanged",
        message: expect.stringContaining(said)
      })
    }
  })

  scoped("says what is wrong with a file that is missing, a folder, UTF-16 or truncated", function* () {
    const { folder, run, write } = yield* project({ sharesLedger: true })
    mkdirSync(join(folder, "b.jsonl"))
    write("c.jsonl", Buffer.from('\ufeff{"a":1}\n', "utf16le"))
    write("d.jsonl.gz", gzipSync("{}\n".repeat(1000)).subarray(0, 30))
    const messages: Array<string | undefined> = []
    for (const name of ["a", "b", "c", "d"]) {
      const file = name === "d" ? "d.jsonl.gz" : `${name}.jsonl`
      messages.push(failureOf(yield* run(`  - read: ${file}\n`))?.message)
    }
    expect(messages).toEqual([
      `there is no file a.jsonl in ${folder}`,
      "b.jsonl is a folder: use the step files for the files in it",
      "c.jsonl is UTF-16: convert it to UTF-8, or set encoding: utf-16le",
      "cannot read d.jsonl.gz: unexpected end of file"
    ])
  })

  it("rejects a line that is too long without holding it in memory", () => {
    const cutter = new LineSplitter(100)
    const decoder = jsonDecoder({ line: 0 })
    const blocks = [
      '{"a":1}\n{"b":"',
      ...Array.from({ length: 50 }, () => "x".repeat(10)),
      '"}\n{"a":2}\n',
      `{"c":"${"y".repeat(200)}"}\n{"a":3}`
    ]
    const decoded = blocks.map((block) => decoder.decode(cutter.cut(Buffer.from(block))))
    decoded.push(decoder.decode(cutter.end()))
    expect(decoded.flatMap(({ rows }) => rows.map(({ data }) => data.a))).toEqual([1, 2, 3])
    expect(decoded.flatMap(({ malformed }) => malformed.map(({ line }) => line))).toEqual([2, 4])
  })

  it("emits the same lines wherever the blocks of the file end", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue().map((value) => JSON.stringify({ value })),
            fc.constantFrom("", "x", "\r")
          )
        ),
        fc.array(fc.nat()),
        fc.boolean(),
        (lines, cuts, ended) => {
          const bytes = Buffer.from(lines.join("\n") + (ended ? "\n" : ""))
          const pass = (ends: ReadonlyArray<number>) => {
            const cutter = new LineSplitter()
            const decoder = jsonDecoder({ line: 0 })
            let at = 0
            const decoded = ends.map((end) => {
              const block = bytes.subarray(at, end)
              at = end
              return decoder.decode(cutter.cut(block))
            })
            decoded.push(decoder.decode(cutter.end()))
            return {
              rows: decoded.flatMap(({ rows }) => rows),
              malformed: decoded.flatMap(({ malformed }) => malformed)
            }
          }
          const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
          expect(pass(ends)).toEqual(pass([bytes.length]))
          expect(pass(ends).rows.map(({ data }) => JSON.stringify(data))).toEqual(
            lines.filter((line) => line.startsWith("{")).map((line) => JSON.stringify(parse(line).value))
          )
        }
      )
    )
  })
})

describe("read: CSV", () => {
  scoped("converts cells by the types of their columns", function* () {
    const text =
      '\ufeffname;height;open;tags;note\r\n"Mill; ""old""";3.5;TRUE;"[1,2]";"two\r\nlines"\r\n\r\nUpper;;false;;\r\n'
    const columns = { height: "number", open: "boolean", tags: "json" }
    const { data, messages } = yield* given("a.csv", text, { delimiter: ";", columns })
    expect(messages).toEqual([])
    expect(data).toEqual([
      { name: 'Mill; "old"', height: 3.5, open: true, tags: [1, 2], note: "two\r\nlines" },
      { name: "Upper", height: null, open: false, tags: null, note: "" }
    ])
  })

  scoped("rejects a record that does not fit the header with its line number, and continues", function* () {
    const { data, messages } = yield* given(
      "a.csv",
      'a,n\nx,1\n"y\nz",2\nonly\n1,2,3\n"q"w,1\nb,many\nlast,3\n"open,1\nfor ever,2\n',
      { columns: { n: "integer" } }
    )
    expect(data).toEqual([
      { a: "x", n: 1 },
      { a: "y\nz", n: 2 },
      { a: "last", n: 3 }
    ])
    expect(messages).toEqual([
      "a.csv, line 5 has 1 cell for 2 columns",
      "a.csv, line 6 has 3 cells for 2 columns",
      'a.csv, line 7 has "w" after the quote that closes cell 1',
      'a.csv, line 8 has "many" in n, which is not a whole number',
      "a.csv, line 10 opens a quote that nothing closes: 2 lines are lost"
    ])
  })

  scoped(
    "names columns by the definition when there is no header, splits .tsv at tabs, and reads nullText as null",
    function* () {
      const plain = yield* given("a.csv", "x,1\n", { header: false, columns: { a: "string", b: "integer" } })
      expect(plain.data).toEqual([{ a: "x", b: 1 }])
      expect((yield* given("b.csv", "x,\n", { header: false })).data).toEqual([{ column1: "x", column2: "" }])
      expect((yield* given("a.tsv", "a\tb\nx\tNA\n", { nullText: "NA" })).data).toEqual([{ a: "x", b: null }])
    }
  )

  scoped("fails when the header has a column twice, or lacks a column of the definition", function* () {
    expect((yield* given("a.csv", "a,b,a\n1,2,3\n")).failure?.message).toBe(
      'the header of a.csv has two columns "a": rename one of them'
    )
    const absent = yield* given("a.csv", "name,hight\nx,1\n", { columns: { height: "number" } })
    expect(absent.failure?.message).toBe('the header of a.csv has no column "height", did you mean "hight"?')
  })

  scoped("warns when a header of one column looks like several", function* () {
    const semicolons = yield* given("a.csv", "name;height\nx;1\ny;2\n")
    expect(semicolons.data).toEqual([{ "name;height": "x;1" }, { "name;height": "y;2" }])
    expect(semicolons.warnings).toEqual([
      'a.csv: it is one column, "name;height": if semicolons separate its cells, set delimiter: ";"'
    ])
    expect((yield* given("a.csv", "a\tb\n1\t2\n")).warnings.join()).toContain(
      'if tabs separate its cells, set delimiter: "\\t"'
    )
    for (const [name, text, options] of [
      ["a.csv", "name\nx;1\n", {}],
      ["a.csv", "name;height,n\nx,1\n", {}],
      ["a.csv", "name;height\nx;1\n", { delimiter: ";" }]
    ] as const) {
      expect((yield* given(name, text, options)).warnings).toEqual([])
    }
    const absent = yield* given("a.csv", "name;height\nx;1\n", { columns: { height: "number" } })
    expect(absent.failure?.message).toBe(
      'the header of a.csv has no column "height", it is one column, "name;height": if semicolons separate its cells, set delimiter: ";"'
    )
  })

  scoped(
    "emits every record once when runs are killed between its batches, also where cells have several lines",
    function* () {
      const records = Array.from({ length: 4_500 }, (_, n) => [String(n), `${"line\n".repeat(n % 90)}"end"`])
      const here = yield* project({
        files: { "a.csv": stringify([["n", "text"], ...records]) },
        onTestClock: true
      })
      const { lives, rows } = yield* killedAtCommits(here, "  - read: a.csv\n  - write: { jsonl: rows.jsonl }\n", {
        kills: 3,
        source: "read"
      })
      expect(lives).toBe(4)
      expect(rows.map(({ n, text }) => [n, text])).toEqual(records)
    }
  )

  it("reads what a CSV writer writes, wherever the blocks of the file end", () => {
    const cell = fc.oneof(
      fc.stringOf(fc.constantFrom("a", '"', ",", ";", "\n", "\r\n", "\r", " ", "é", "😀")),
      fc.string()
    )
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
    fc.assert(
      fc.property(
        table,
        fc.array(fc.nat()),
        fc.constantFrom(",", ";", "\t"),
        fc.boolean(),
        (records, cuts, delimiter, crlf) => {
          const lineEnd = crlf ? "\r\n" : "\n"
          const bytes = Buffer.from(
            stringify(records, { delimiter, record_delimiter: lineEnd, quoted_match: /[\r\n]/ })
          )
          const options = { delimiter, quote: '"', header: false, columns: undefined, nullText: undefined }
          const decoder = tableDecoder(options, { line: 0 })
          const cutter = new LineSplitter()
          const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
          let at = 0
          const decoded = ends.map((end) => {
            const block = bytes.subarray(at, end)
            at = end
            return decoder.decode(cutter.cut(block))
          })
          decoded.push(decoder.decode(cutter.end()), decoder.end())
          expect(decoded.flatMap(({ malformed }) => malformed)).toEqual([])
          expect(decoded.flatMap(({ rows }) => rows.map(({ data }) => Object.values(data)))).toEqual(records)
        }
      )
    )
  })
})

describe("read", () => {
  const errorIn = (fields: unknown) =>
    Effect.flatMap(project(), ({ errorsIn }) => Effect.map(errorsIn(stepLine("read", fields)), ([error]) => error))

  scoped("refuses a file whose format is unknown, and fields that do not fit the format", function* () {
    expect(yield* errorIn("rows.txt")).toBe(
      "the name of rows.txt does not show its format: add format: jsonl or format: csv, or read a format of your own with the reader of its sink (extensions)"
    )
    expect(yield* errorIn({ file: "a.jsonl", delimiter: ";" })).toBe(
      "delimiter: delimiter is only for the format csv, and this file is jsonl"
    )
    expect(yield* errorIn({ file: "a.csv", delimiter: '"' })).toBe("delimiter: delimiter and quote must differ")
    expect(yield* errorIn("-")).toBe(undefined)
    expect(yield* errorIn({ file: "a.data", format: "csv" })).toBe(undefined)
  })

  it.scopedLive.skipIf(skipsLong)(
    "reads standard input, however it is cut into pieces, and cannot read it a second time",
    function* () {
      const { folder } = yield* project({
        files: {
          "p.yaml": `version: 1
name: piped
steps:
  - read: { file: "-", format: csv }
  - write: { jsonl: rows.jsonl }
`
        }
      })
      const sluice = (...words: ReadonlyArray<string>) => {
        const child = spawn(process.execPath, [program("bin"), ...words, "--data", folder], { cwd: folder })
        let said = ""
        child.stderr.on("data", (bytes) => {
          said += String(bytes)
        })
        const ended = new Promise<string>((resolve) => child.on("close", () => resolve(said)))
        return { child, ended: Effect.promise(() => ended) }
      }
      const whole = sluice("run", "p.yaml", "--out", folder)
      whole.child.stdin.write("a,b\n1,")
      setImmediate(() => whole.child.stdin.end("é\n2,3"))
      const said = yield* whole.ended
      expect(rowsIn(join(folder, "rows.jsonl")), said).toEqual([
        { a: "1", b: "é" },
        { a: "2", b: "3" }
      ])
      const stopped = sluice("run", "p.yaml", "--out", join(folder, "stopped"))
      stopped.child.stdin.write("a,b\n1,2\n")
      // Once a row has been written, the run can be stopped and resumed.
      const hasRow = () =>
        existsSync(join(folder, "stopped")) &&
        readdirSync(join(folder, "stopped")).some((name) => statSync(join(folder, "stopped", name)).size > 0)
      yield* until(hasRow, 20_000)
      stopped.child.kill("SIGTERM")
      const id = /\d{8}T\d{6}-\w+/.exec(yield* stopped.ended)?.[0] ?? ""
      const resumed = sluice("resume", id)
      resumed.child.stdin.end()
      expect(yield* resumed.ended).toContain(
        "the standard input cannot be read again from where the run stopped: start a new run"
      )
    }
  )
})
