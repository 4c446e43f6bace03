/** Files that grow, shrink or are emptied between opening and end: no half line is a row, and nothing is lost without a word. */
import { appendFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import iconv from "iconv-lite"
import { type Input, open } from "../../src/Step/Read/Input.ts"
import { gapIn } from "../../src/Step/Read/RowReader.ts"
import { type Format, linesOf, rowsOf } from "../../src/Step/Read/Rows.ts"
import { describe, expect, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"

interface Growth {
  readonly name: string
  /** Default: CSV. */
  readonly format?: Partial<Format>
  /** What the file has when it is opened, and what is written to it before it is read. */
  readonly before: string
  readonly more: string
  readonly rows: ReadonlyArray<unknown>
  /** True if the last line is left out, with a warning. */
  readonly isCut?: boolean
  /** Message of a line that is no row. */
  readonly fails?: RegExp
}

const jsonl: Partial<Format> = { format: "jsonl" }
const long = "y".repeat(700_000)

const growths: ReadonlyArray<Growth> = [
  {
    name: "the half line of a table is read to its end",
    before: "a,b\n1,hel",
    more: "lo\n2,x\n",
    rows: [{ a: "1", b: "hello" }]
  },
  {
    name: "so is a line of JSON",
    format: jsonl,
    before: '{"a":1}\n{"a":"hel',
    more: 'lo"}\n{"a":3}\n',
    rows: [{ a: 1 }, { a: "hello" }]
  },
  {
    name: "a line whose line break comes later is whole",
    format: jsonl,
    before: '{"a":1}',
    more: '\n{"a":2}\n',
    rows: [{ a: 1 }]
  },
  { name: "lines after a whole line are not read", before: "a\n1\n", more: "2\n", rows: [{ a: "1" }] },
  {
    name: "a cell in quotes is read to its end",
    before: 'a,b\n1,"x\ny',
    more: '\nz"\n2,u\n',
    rows: [{ a: "1", b: "x\ny\nz" }]
  },
  {
    name: "a line longer than a block is read to its end",
    before: "a,b\n1,y",
    more: `${long}\n2,x\n`,
    rows: [{ a: "1", b: `y${long}` }]
  },
  {
    name: "line ends of Windows are read as such",
    before: "a,b\r\n1,x\r",
    more: "\n2,y\r\n",
    rows: [{ a: "1", b: "x" }]
  },
  { name: "carriage returns end lines too", before: "a,b\r1,hel", more: "lo\r2,x\r", rows: [{ a: "1", b: "hello" }] },
  {
    name: "a line that is still being written is left out",
    before: "a,b\n1,x\n2,hel",
    more: "lo",
    rows: [{ a: "1", b: "x" }],
    isCut: true
  },
  { name: "so is one of JSON", format: jsonl, before: '{"a":1}\n{"a":2', more: "2}", rows: [{ a: 1 }], isCut: true },
  {
    name: "a quote that is still open is no row",
    before: 'a,b\n1,x\n2,"hel',
    more: "lo\n",
    rows: [{ a: "1", b: "x" }],
    fails: /opens a quote that nothing closes/
  },
  {
    name: "half a line behind a quote that was open is no row either",
    before: 'a,b\n1,x\n2,"u\nhel',
    more: 'lo",wor',
    rows: [{ a: "1", b: "x" }],
    fails: /opens a quote that nothing closes/
  },
  {
    name: "a file that does not grow may end without a line break",
    before: "a,b\n1,x\n2,y",
    more: "",
    rows: [
      { a: "1", b: "x" },
      { a: "2", b: "y" }
    ]
  }
]

const collect = (file: string, folder: string, change: () => void, format?: Partial<Format>) =>
  Effect.gen(function* () {
    const input = yield* open(file, folder)
    change()
    const batches = format === undefined ? linesOf(input, undefined) : rowsOf(input, { file, format: "csv", ...format })
    return Array.from(yield* Stream.runCollect(batches))
  }).pipe(Effect.provide(NodeContext.layer))

describe("a file that grows", () => {
  for (const { before, fails, format = {}, isCut = false, more, name, rows } of growths)
    scoped(name, function* () {
      const folder = yield* tempDir
      for (const encoding of ["utf8", "utf16le"] as const) {
        const path = join(folder, `${encoding}.txt`)
        writeFileSync(path, before, encoding)
        const grow = () => appendFileSync(path, more, encoding)
        const given = { ...format, ...(encoding === "utf8" ? {} : { encoding: "utf-16le" }) }
        const batches = yield* collect(`${encoding}.txt`, folder, grow, given)
        expect(batches.flatMap((batch) => batch.rows.map(({ data }) => data))).toEqual(rows)
        expect(batches.some((batch) => gapIn(batch) === "unread")).toBe(isCut)
        const said = batches.flatMap(({ warnings }) => warnings).map(({ message }) => message)
        expect(said).toEqual(isCut ? [expect.stringContaining("its last line was still being written")] : [])
        const failures = batches.flatMap((batch) => batch.failures).map(([, { message }]) => message)
        expect(failures).toEqual(fails === undefined ? [] : [expect.stringMatching(fails)])
      }
    })

  for (const encoding of ["shift_jis", "gb18030", "euc-kr", "utf-16le", "utf-8"])
    scoped.skipIf(skipsLong && encoding !== "shift_jis")(
      `in ${encoding} is read from every size to every other: no half line, and no warning of what is not missing`,
      function* () {
        const folder = yield* tempDir
        const lines = ["a", "漢字", "字x"].map((line) => iconv.encode(`${line}\n`, encoding))
        const bytes = Buffer.concat(lines)
        const first = iconv.encode("漢", encoding).length
        const starts = lines.map((_, at) => Buffer.concat(lines.slice(0, at)).length)
        for (let size = 1; size < bytes.length; size++)
          for (let end = size + 1; end <= bytes.length; end++) {
            const path = join(folder, "a.csv")
            writeFileSync(path, bytes.subarray(0, size))
            const grow = () => appendFileSync(path, bytes.subarray(size, end))
            const batches = yield* collect("a.csv", folder, grow, encoding === "utf-8" ? {} : { encoding })
            const last = starts.findLastIndex((start) => start < size)
            const lastEnd = (starts[last] ?? 0) + (lines[last]?.length ?? 0)
            const inFirst = size - (starts[last] ?? 0)
            const isSplit = inFirst < (last === 0 ? iconv.encode("a", encoding).length : first)
            // A line whose first character is cut is left out, but in UTF-8 no decoder holds its bytes back.
            const isLeft = end < lastEnd || (encoding !== "utf-8" && isSplit)
            const shown = `${size} of ${end}`
            expect(
              batches.flatMap((batch) => batch.rows.map(({ data }) => data.a)),
              shown
            ).toEqual(["漢字", "字x"].slice(0, Math.max(0, isLeft ? last - 1 : last)))
            expect(
              batches.flatMap(({ warnings }) => warnings).map(({ matter }) => matter),
              shown
            ).toEqual(isLeft ? ["unfinished"] : [])
            expect(
              batches.flatMap(({ failures }) => failures),
              shown
            ).toEqual([])
          }
      }
    )

  scoped("warns of bytes that are invalid in its rows only, and of half a character if it does not grow", function* () {
    const folder = yield* tempDir
    const bad = Buffer.of(0x81, 0x20, 0x0a)
    for (const [before, more, rows, warnings] of [
      ["a\nx", [Buffer.from("y\n"), bad], ["xy"], []],
      ["a\nx", [bad], ["x\ufffd "], ["encoding"]],
      ["a\nx\n", [bad], ["x"], []],
      [Buffer.of(0x61, 0x0a, 0x78, 0x0a, 0x8a), [], ["x", "\ufffd"], ["encoding"]],
      [Buffer.of(0x61, 0x0a, 0x78, 0x0a, 0x79, 0x8a), [], ["x", "y\ufffd"], ["encoding"]]
    ] as const) {
      writeFileSync(join(folder, "a.csv"), before)
      const grow = () => appendFileSync(join(folder, "a.csv"), Buffer.concat(more))
      const batches = yield* collect("a.csv", folder, grow, { encoding: "shift_jis" })
      expect(batches.flatMap((batch) => batch.rows.map(({ data }) => data.a))).toEqual(rows)
      expect(batches.flatMap((batch) => batch.warnings.map(({ matter }) => matter))).toEqual(warnings)
    }
  })

  scoped("has a place behind the last whole line, with the kind of its line ends, in all batches", function* () {
    const folder = yield* tempDir
    const path = join(folder, "a.csv")
    for (const [before, more, rows] of [
      ["a,b\r1,x\r2,hel", "lo", 1],
      ["a,b\r1,x\r", "2,hel", 1],
      ["a,b\r1,x\r2,hel", "lo\r3,y\r", 2],
      ["a,b\r1,x\r2,hel", "lo\r", 2]
    ] as const) {
      writeFileSync(path, before)
      const batches = yield* collect("a.csv", folder, () => appendFileSync(path, more), {})
      const cursors = batches.map(({ cursor }) => cursor)
      for (const { oldLineEnds } of cursors) expect(oldLineEnds).toBe(true)
      expect(cursors.at(-1)).toMatchObject({ rows, offset: rows === 1 ? 8 : 16, line: rows + 1 })
    }
  })

  for (const [name, format, before] of [
    ["a line", jsonl, '{"a":1}\n{"a":2'],
    ["a quote", {}, 'a\n1\n"2'],
    ["a line behind an open quote", {}, 'a\n1\n"2\n3']
  ] as const)
    scoped.skipIf(skipsLong)(`as fast as it is read, within ${name}, is not read without end`, function* () {
      const block = Buffer.alloc(4 * 1024 * 1024, name === "a quote" ? `${"y".repeat(1023)}\n` : "y")
      let blocks = 0
      const input: Input = {
        file: "a.txt",
        stamp: undefined,
        blocks: (_, isOpen = () => false) =>
          Stream.concat(
            Stream.make(Buffer.from(before)),
            Stream.repeatEffectOption(
              Effect.suspend(() => (blocks < 40 && isOpen() ? Effect.succeed(block) : Effect.fail(Option.none())))
            ).pipe(Stream.tap(() => Effect.sync(() => void blocks++)))
          )
      }
      const read = Stream.runCollect(rowsOf(input, { file: "a.txt", format: "csv", ...format }))
      const ended = yield* Effect.either(read.pipe(Effect.provide(NodeContext.layer)))
      expect(blocks).toBeLessThan(20)
      if (Either.isLeft(ended)) return expect(ended.left.message).toMatch(/opens a quote that nothing closes/)
      const failures = Array.from(ended.right).flatMap((batch) => batch.failures)
      expect(failures.map(([, { message }]) => message)).toEqual([
        expect.stringMatching(/is longer than 64 MiB|opens a quote that nothing closes/)
      ])
    })

  scoped("says in its run that it is incomplete", function* () {
    const lines = Array.from({ length: 9000 }, (_, id) => `http://127.0.0.1/${id}-${"y".repeat(100)}\n`).join("")
    const { folder, run } = yield* project({
      files: { "a.csv": `url\n${lines}http://127.0.0.1/ha` }
    })
    let isChanged = false
    const ended = yield* run(
      "  - read: a.csv\n  - dedupe: { key: url, across: runs, emit: [new, gone] }\n  - write: { jsonl: rows.jsonl }\n",
      {
        observe: () =>
          Effect.sync(() => {
            if (!isChanged) appendFileSync(join(folder, "a.csv"), "lf")
            isChanged = true
          })
      }
    )
    expect(ended.rows.length).toBe(9000)
    expect(ended.incomplete).toContain("read")
    expect(ended.warnings.join("\n")).toMatch(/a\.csv: its last line was still being written/)
  })
})

describe("a file that shrinks before its end", () => {
  const text = "id,note\n1,a\n2,b\n"
  const changes: ReadonlyArray<readonly [string, (path: string) => void]> = [
    ["emptied", (path) => truncateSync(path, 0)],
    ["cut", (path) => truncateSync(path, 12)],
    ["written anew", (path) => writeFileSync(path, "id,note\n9,z\n")]
  ]
  for (const [kind, change] of changes)
    scoped(`fails when it is ${kind}: a packed file, one to join, a list of addresses`, function* () {
      const folder = yield* tempDir
      const files = [
        ["a.csv.gz", gzipSync(text), {}],
        ["a.csv", text, {}],
        ["a.txt", "http://127.0.0.1/a\nhttp://127.0.0.1/b\n", undefined]
      ] as const
      for (const [file, content, format] of files) {
        writeFileSync(join(folder, file), content)
        const ended = yield* Effect.either(collect(file, folder, () => change(join(folder, file)), format))
        expect(Either.isLeft(ended), `${file} ${kind}`).toBe(true)
        if (Either.isLeft(ended)) expect(ended.left.message).toContain(file)
      }
    })

  scoped.skipIf(skipsLong)("is incomplete when a file to join is empty", function* () {
    const { run } = yield* project({ files: { "a.csv": text, "b.csv": "", "b.csv.gz": gzipSync("") } })
    for (const file of ["b.csv", "b.csv.gz"]) {
      const ended = yield* run(
        `  - read: a.csv\n  - join: { file: ${file}, on: id }\n  - write: { jsonl: rows.jsonl }\n`
      )
      expect(ended.incomplete, String(ended.outcome)).toContain("join")
      expect(ended.warnings.join("\n")).toContain(`${file} is empty`)
    }
  })
})
