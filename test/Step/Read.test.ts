import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { stringify } from "csv-stringify/sync"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { parse } from "../../src/Row/Integers.ts"
import { jsonDecoder } from "../../src/Step/Read/Json.ts"
import { Cutter } from "../../src/Step/Read/Lines.ts"
import { tableDecoder } from "../../src/Step/Read/Table.ts"
import { read } from "../../src/Step/Read.ts"
import { tempDir } from "../Local.ts"
import { configOf, readAll } from "./Machine.ts"

const given = (name: string, content: string | Uint8Array, config?: object, from?: never) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    writeFileSync(join(folder, name), content)
    const result = yield* readAll(read, config === undefined ? name : { file: name, ...config }, { folder }, from)
    return {
      ...result,
      data: result.rows.map(({ data }) => data),
      messages: result.rejects.map(([, { message }]) => message),
      folder
    }
  })

describe("read: JSON lines", () => {
  it.scoped("gives every object, whatever the line ends, empty lines and the byte order mark", () =>
    Effect.gen(function* () {
      const { data, messages, rows, incomplete } = yield* given(
        "a.jsonl",
        '\ufeff{"a":1}\r\n\n  \n\r\n{"a":"ä\\n😀"}\n{"a":3}'
      )
      expect(data).toEqual([{ a: 1 }, { a: "ä\n😀" }, { a: 3 }])
      expect(rows.map(({ position }) => position)).toEqual([1, 5, 6])
      expect(messages).toEqual([])
      expect(incomplete).toBe(false)
    })
  )

  it.scoped("rejects a line that is nested so deep that nobody could write it, and goes on", () =>
    Effect.gen(function* () {
      const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
      const lines = `{"a":${deep(900)}}\n{"a":${deep(20_000)}}\n{"a":2}\n`
      const { data, messages } = yield* given("a.jsonl", lines)
      expect(data.length).toBe(2)
      expect(messages).toEqual(["a.jsonl, line 2 is nested more than 1,000 levels deep"])
      const table = yield* given("b.csv", `a\nnull\n${deep(20_000)}\n`, { columns: { a: "json" } })
      expect(table.data).toEqual([{ a: null }])
      expect(table.messages[0]).toMatch(/^b\.csv, line 3 has .* in a, which is not JSON$/)
    })
  )

  it.scoped("keeps integers beyond 2^53 as strings, in JSON and in CSV, or refuses their lines", () =>
    Effect.gen(function* () {
      const ids = ["9007199254740993", "-9007199254740992", "12345678901234567890123"]
      const lines = `{"id":1}\n${ids.map((id) => `{"id":${id},"text":"${id}","float":${id}.0,"in":[{"n":${id}}]}\n`).join("")}`
      const expected = [{ id: 1 }, ...ids.map((id) => ({ id, text: id, float: Number(id), in: [{ n: id }] }))]
      for (const content of [lines, `${lines}broken\n`, lines.replaceAll("\n", "\r\n"), lines.slice(0, -1)]) {
        expect((yield* given("a.jsonl", content)).data).toEqual(expected)
      }
      const strict = yield* given("a.jsonl", lines, { integers: "strict" })
      expect([strict.data, strict.incomplete]).toEqual([[{ id: 1 }], true])
      expect(strict.messages[0]).toBe(
        "a.jsonl, line 2 has the integer 9007199254740993, beyond 2^53, and integers is strict"
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
      expect(refused.messages[1]).toContain("line 4 has the integer -9007199254740992, beyond 2^53")
    })
  )

  it.scoped("rejects a line that is no row, with its number, and goes on", () =>
    Effect.gen(function* () {
      const long = `{"a":"${"x".repeat(3000)}`
      const { data, incomplete, messages, rejects } = yield* given(
        "a.ndjson",
        `{"a":1}\nnot json\n[1]\n"text"\nnull\n\u0000\u0000\n${long}\n{"a":2}\n{"__proto__":{"b":1}}\n`
      )
      expect(data.slice(0, 2)).toEqual([{ a: 1 }, { a: 2 }])
      expect(JSON.stringify(data[2])).toBe('{"__proto__":{"b":1}}')
      expect(messages.map((each) => each.replace(/ JSON: .*/, " JSON"))).toEqual([
        "a.ndjson, line 2 is not JSON",
        "a.ndjson, line 3 is an array, and a row is an object",
        "a.ndjson, line 4 is a string, and a row is an object",
        "a.ndjson, line 5 is null, and a row is an object",
        "a.ndjson, line 6 is not JSON",
        "a.ndjson, line 7 is not JSON"
      ])
      expect(messages[4]).toContain("it holds zero bytes")
      expect(rejects[0]?.[0]).toMatchObject({
        key: "a.ndjson:2",
        data: { file: "a.ndjson", line: 2, text: "not json" }
      })
      expect(String(rejects[5]?.[0].data.text).length).toBe(1001)
      // A page that such a line stood for is not known to be gone.
      expect(incomplete).toBe(true)
    })
  )

  it.scoped("goes on behind any batch as if it had not stopped, packed or not", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 4000 }, (_, n) =>
        n % 500 === 7 ? "broken" : JSON.stringify({ n, text: "é".repeat(n % 200) })
      )
      for (const [name, pack] of [
        ["a.jsonl", (text: string) => text],
        ["a.jsonl.gz", gzipSync]
      ] as const) {
        const folder = yield* tempDir
        writeFileSync(join(folder, name), pack(lines.join("\n")))
        const all = yield* readAll(read, name, { folder })
        expect(all.rows.length).toBe(3992)
        expect(all.batches.length).toBeGreaterThan(2)
        for (const [index, { cursor }] of all.batches.entries()) {
          const rest = yield* readAll(read, name, { folder }, cursor)
          const later = all.batches.slice(index + 1)
          expect(rest.rows).toEqual(later.flatMap(({ rows }) => rows))
          expect(rest.rejects.map(([row]) => row)).toEqual(
            later.flatMap(({ failures = [] }) => failures.map(([row]) => row))
          )
        }
      }
    })
  )

  it.scoped("does not go on in a file that has changed", () =>
    Effect.gen(function* () {
      const { batches, folder } = yield* given("a.jsonl", '{"a":1}\n')
      const cursor = batches[0]?.cursor
      appendFileSync(join(folder, "a.jsonl"), '{"a":2}\n')
      const grown = yield* readAll(read, "a.jsonl", { folder }, cursor)
      expect(grown.failure).toMatchObject({
        reason: "InputChanged",
        message: expect.stringContaining("8 bytes then, 16 now")
      })
      writeFileSync(join(folder, "a.jsonl"), '{"b":1}\n')
      utimesSync(join(folder, "a.jsonl"), 1, 1)
      expect((yield* readAll(read, "a.jsonl", { folder }, cursor)).failure?.reason).toBe("InputChanged")
    })
  )

  it.scoped("says what is wrong with a file that is absent, a folder, UTF-16 or cut off", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      mkdirSync(join(folder, "b.jsonl"))
      writeFileSync(join(folder, "c.jsonl"), Buffer.from('\ufeff{"a":1}\n', "utf16le"))
      writeFileSync(join(folder, "d.jsonl.gz"), gzipSync("{}\n".repeat(1000)).subarray(0, 30))
      const messages: Array<string | undefined> = []
      for (const name of ["a", "b", "c", "d"]) {
        const file = name === "d" ? "d.jsonl.gz" : `${name}.jsonl`
        messages.push((yield* readAll(read, file, { folder })).failure?.message)
      }
      expect(messages).toEqual([
        `there is no file a.jsonl in ${folder}`,
        "b.jsonl is a folder: the step files gives what is in it",
        "c.jsonl is UTF-16: convert it to UTF-8",
        "cannot read d.jsonl.gz: unexpected end of file"
      ])
    })
  )

  it("gives up a line that is too long, and keeps none of it", () => {
    const cutter = new Cutter(100)
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

  it("gives the same lines wherever blocks end", () => {
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
            const cutter = new Cutter()
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
  it.scoped("reads cells by the header and their types", () =>
    Effect.gen(function* () {
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
  )

  it.scoped("rejects a record that does not fit, with its line, and goes on", () =>
    Effect.gen(function* () {
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
        'a.csv, line 7 has "w" behind the quote that closes cell 1',
        'a.csv, line 8 has "many" in n, which is not a whole number',
        "a.csv, line 10 opens a quote that nothing closes: 2 lines are lost"
      ])
    })
  )

  it.scoped("takes names from the definition where there is no header, tabs from .tsv, and nulls as told", () =>
    Effect.gen(function* () {
      const plain = yield* given("a.csv", "x,1\n", { header: false, columns: { a: "string", b: "integer" } })
      expect(plain.data).toEqual([{ a: "x", b: 1 }])
      expect((yield* given("b.csv", "x,\n", { header: false })).data).toEqual([{ column1: "x", column2: "" }])
      expect((yield* given("a.tsv", "a\tb\nx\tNA\n", { nullText: "NA" })).data).toEqual([{ a: "x", b: null }])
    })
  )

  it.scoped("refuses a header that names a column twice, or not the one that is asked for", () =>
    Effect.gen(function* () {
      expect((yield* given("a.csv", "a,b,a\n1,2,3\n")).failure?.message).toBe(
        'the header of a.csv has two columns "a": rename one of them'
      )
      const absent = yield* given("a.csv", "name,hight\nx,1\n", { columns: { height: "number" } })
      expect(absent.failure?.message).toBe('the header of a.csv has no column "height", did you mean "hight"?')
    })
  )

  it.scoped("says so when a header of one column seems to be several", () =>
    Effect.gen(function* () {
      const semicolons = yield* given("a.csv", "name;height\nx;1\ny;2\n")
      expect(semicolons.data).toEqual([{ "name;height": "x;1" }, { "name;height": "y;2" }])
      expect(semicolons.warnings).toEqual([
        'a.csv: it is one column, "name;height": if semicolons separate its cells, say delimiter: ";"'
      ])
      expect((yield* given("a.csv", "a\tb\n1\t2\n")).warnings.join()).toContain(
        'if tabs separate its cells, say delimiter: "\\t"'
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
        'the header of a.csv has no column "height", it is one column, "name;height": if semicolons separate its cells, say delimiter: ";"'
      )
    })
  )

  it.scoped("goes on behind any batch, also between the lines of a cell", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      const records = Array.from({ length: 6000 }, (_, n) => [String(n), `${"line\n".repeat(n % 90)}"end"`])
      writeFileSync(join(folder, "a.csv"), stringify([["n", "text"], ...records]))
      const all = yield* readAll(read, "a.csv", { folder })
      expect(all.rows.map(({ data }) => [data.n, data.text])).toEqual(records)
      expect(all.batches.length).toBeGreaterThan(2)
      for (const [index, { cursor }] of all.batches.entries()) {
        const rest = yield* readAll(read, "a.csv", { folder }, cursor)
        expect(rest.rows).toEqual(all.batches.slice(index + 1).flatMap(({ rows }) => rows))
      }
    })
  )

  it("reads what any writer of CSV writes, wherever blocks end", () => {
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
          const cutter = new Cutter()
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
  const mistake = (config: unknown) => Either.getOrThrow(Either.flip(configOf(read, config)))[0]

  it("is refused where nobody could say what is in the file, or how", () => {
    expect(mistake("rows.txt")).toBe("what is in rows.txt is not told by its name: add format: jsonl or format: csv")
    expect(mistake({ file: "a.jsonl", delimiter: ";" })).toBe("delimiter: delimiter is for csv, and this is jsonl")
    expect(mistake({ file: "a.csv", delimiter: '"' })).toBe("delimiter: delimiter and quote must differ")
    expect(Either.isRight(configOf(read, "-"))).toBe(true)
    expect(Either.isRight(configOf(read, { file: "a.data", format: "csv" }))).toBe(true)
  })

  it.scopedLive("reads what is piped in, in any pieces, and cannot do so twice", () =>
    Effect.gen(function* () {
      const machine = pathToFileURL(fileURLToPath(new URL("./Machine.ts", import.meta.url))).href
      const step = new URL("../../src/Step/Read.ts", import.meta.url).href
      const script = `
        const { readAll } = await import(${JSON.stringify(machine)})
        const { read } = await import(${JSON.stringify(step)})
        const { Effect } = await import("effect")
        const all = await Effect.runPromise(readAll(read, { file: "-", format: "csv" }))
        const again = await Effect.runPromise(readAll(read, "-", {}, all.batches[0].cursor))
        console.log(JSON.stringify([all.rows.map((row) => row.data), again.failure.message]))`
      const output = yield* Effect.async<string>((resume) => {
        const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script])
        let out = ""
        let errors = ""
        child.stdout.on("data", (bytes) => {
          out += String(bytes)
        })
        child.stderr.on("data", (bytes) => {
          errors += String(bytes)
        })
        child.on("close", () => resume(Effect.succeed(out || errors)))
        child.stdin.write("a,b\n1,")
        setImmediate(() => child.stdin.end("é\n2,3"))
      })
      expect(JSON.parse(output)).toEqual([
        [
          { a: "1", b: "é" },
          { a: "2", b: "3" }
        ],
        "the standard input cannot be read again from where the run stopped: begin a new run"
      ])
    })
  )
})
