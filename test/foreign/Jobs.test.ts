/** Files that end early, in old line ends, in other encodings, or with values that JavaScript cannot hold. */

import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { definition, type JobCase, runJob } from "./Job.ts"

const mac = "id,note\r1,a\r2,b\r"
const macRows = '{"id":"1","note":"a"}\n{"id":"2","note":"b"}\n'
const cities = Buffer.from("id,city\n1,K\xf6ln\n2,\x80 5\n", "latin1")
const decoded = '{"id":"1","city":"Köln"}\n{"id":"2","city":"€ 5"}\n'
const jsonl = (more: string) => definition(`- read: ${more}\n- write: { jsonl: out.jsonl }`)

const cases: ReadonlyArray<JobCase> = [
  // F3
  {
    name: "lines that end with carriage returns only are rows",
    source: "nao1215/filesql#279, mholt/PapaParse#43",
    input: "07-cr-only",
    run: "p-mac.csv.yaml",
    out: { "out.jsonl": macRows }
  },
  {
    name: "carriage returns end lines with semicolons too",
    source: "MarkPflug/Sylvan#198",
    input: "07-cr-only",
    run: "p-macsemi.csv.yaml",
    files: { "macsemi.csv": mac.replaceAll(",", ";") },
    out: { "out.jsonl": macRows }
  },
  {
    name: "carriage returns end lines of JSON",
    source: "own",
    input: "07-cr-only",
    run: "p-mac.jsonl.yaml",
    files: { "mac.jsonl": '{"a":1}\r{"a":2}\r' },
    out: { "out.jsonl": '{"a":1}\n{"a":2}\n' }
  },
  {
    name: "carriage returns end the lines of a packed file, of a file to join, and of a list of addresses",
    source: "own",
    input: "07-cr-only",
    files: {
      "mac.csv.gz": gzipSync(mac),
      "list.txt": "http://127.0.0.1/a\rhttp://127.0.0.1/b\r",
      "p.yaml": definition(`- read: mac.csv.gz
- join: { file: mac.csv, on: id, as: more }
- write: { jsonl: out.jsonl }
- after: write
  urls: { file: list.txt }
- write: { jsonl: urls.jsonl }`)
    },
    out: {
      "out.jsonl":
        '{"id":"1","note":"a","more":{"id":"1","note":"a"}}\n{"id":"2","note":"b","more":{"id":"2","note":"b"}}\n',
      "urls.jsonl": '{"url":"http://127.0.0.1/a"}\n{"url":"http://127.0.0.1/b"}\n'
    }
  },
  {
    name: "a carriage return within a cell without quotes stays, with a warning",
    source: "own",
    input: "07-cr-only",
    files: { "l.csv": "a\nx\ry\n", "p.yaml": jsonl("l.csv") },
    out: { "out.jsonl": '{"a":"x\\ry"}\n' },
    says: [/l\.csv, line 2 has a carriage return/]
  },
  {
    name: "line ends of Windows, and a carriage return in quotes, are what they were",
    source: "own",
    input: "07-cr-only",
    files: { "l.csv": '"a\rb",c\r\n1,"x\ry"\r\n', "p.yaml": jsonl("l.csv") },
    out: { "out.jsonl": '{"a\\rb":"1","c":"x\\ry"}\n' },
    silent: [/carriage/]
  },
  // F4
  {
    name: "numbers beyond a double are kept as strings, with a warning",
    source: "jqlang/jq#1120",
    input: "03-numbers",
    files: {
      "n.jsonl": '{"id":2,"price":1e1000,"in":[-1E+400,"1e999"],"small":1e300}\n',
      "p.yaml": jsonl("n.jsonl")
    },
    out: { "out.jsonl": '{"id":2,"price":"1e1000","in":["-1E+400","1e999"],"small":1e+300}\n' },
    says: [/n\.jsonl has numbers that are too large, like 1e1000/]
  },
  {
    name: "a number beyond a double in a number column, a joined file and $json is a string as well",
    source: "j-brooke/FracturedJson#27",
    input: "03-numbers",
    files: {
      "n.csv": "id,n\n1,1e400\n",
      "j.jsonl": '{"id":1,"q":1e999}\n',
      "p.yaml": definition(`- read: { file: n.csv, columns: { id: integer, n: number } }
- join: { file: j.jsonl, on: id }
- select: { id: id, n: n, q: q, j: '$json("[-1e999]")[0]', big: '$json("[12345678901234567890]")[0]' }
- write: { jsonl: out.jsonl }`)
    },
    out: { "out.jsonl": '{"id":1,"n":"1e400","q":"1e999","j":"-1e999","big":"12345678901234567890"}\n' },
    says: [/n\.csv has numbers/, /j\.jsonl has numbers/]
  },
  {
    name: "integers: strict rejects a number beyond a double",
    source: "own",
    input: "03-numbers",
    files: { "n.jsonl": '{"a":1}\n{"a":1e999}\n', "p.yaml": jsonl("{ file: n.jsonl, integers: strict }") },
    out: { "out.jsonl": '{"a":1}\n' },
    says: [/1 reject/]
  },
  // F7
  {
    name: "bytes that are not UTF-8 are warned of once, with what to do",
    source: "lakehq/sail#2388, votinginfoproject/data-processor#40",
    input: "06-encoding",
    run: "p-latin1.csv.yaml",
    says: [/latin1\.csv has bytes that are not UTF-8, first in line 2: .*encoding: windows-1252/]
  },
  {
    name: "bytes of JSON that are not UTF-8 are warned of",
    source: "philoushka/LargeFileSplitter#3",
    input: "06-encoding",
    run: "p-latin1.jsonl.yaml",
    says: [/latin1\.jsonl has bytes that are not UTF-8/]
  },
  {
    name: "encoding names the encoding of a file, packed or joined too",
    source: "lakehq/sail#2412",
    input: "06-encoding",
    files: {
      "c.csv.gz": gzipSync(cities),
      "c.csv": cities,
      "p.yaml": definition(`- read: { file: c.csv.gz, encoding: windows-1252 }
- join: { file: c.csv, encoding: cp1252, on: id, fields: [city], as: there }
- where: there.city = city
- select: { id: id, city: city }
- write: { jsonl: out.jsonl }`)
    },
    out: { "out.jsonl": decoded },
    silent: [/UTF-8/]
  },
  {
    name: "encoding reads UTF-16, with and without a byte order mark",
    source: "own",
    input: "06-encoding",
    files: {
      "c.csv": Buffer.from("\ufeffid,city\n1,Köln\n2,€ 5\n", "utf16le"),
      "p.yaml": jsonl("{ file: c.csv, encoding: utf-16le }")
    },
    out: { "out.jsonl": decoded }
  },
  {
    name: "half a character at the end of a file in UTF-16 is warned of",
    source: "own",
    input: "06-encoding",
    files: {
      "c.csv": Buffer.concat([Buffer.from("id,city\n1,Köln\n2,€ 5\n", "utf16le"), Buffer.of(0x33)]),
      "p.yaml": jsonl("{ file: c.csv, encoding: utf-16le }")
    },
    out: { "out.jsonl": decoded },
    says: [/utf-16le/]
  },
  {
    name: "an encoding that nobody knows is refused before the run",
    source: "own",
    input: "06-encoding",
    files: { "p.yaml": jsonl("{ file: latin1.csv, encoding: latin99 }") },
    code: 78,
    says: [/"latin99" is not an encoding that Sluice knows/]
  },
  // F8
  {
    name: "a stray quote that swallows most of a file fails the run",
    source: "duckdb/duckdb#14177, #13197, #10841",
    input: "30-long-lines",
    files: { "s.csv": `id,v\n1,a\n2,"open\n${"3,b\n".repeat(2000)}`, "out.jsonl": "old\n", "p.yaml": jsonl("s.csv") },
    code: 1,
    out: { "out.jsonl": "old\n" },
    says: [/s\.csv: line 3 opens a quote that nothing closes, so 2,001 of 2,003 lines are lost/]
  },
  {
    name: "a lost record counts as many rows for stopAfter",
    source: "duckdb/duckdb#14177",
    input: "30-long-lines",
    files: {
      "s.csv": `id,v\n${"1,a\n".repeat(2000)}2,"open\n${"3,b\n".repeat(20)}`,
      "p.yaml": definition(`- read: s.csv
  onError: { reject: true, stopAfter: 20 }
- write: { jsonl: out.jsonl }`)
    },
    code: 3,
    says: [/rejected 21 rows, and stopAfter: 20/]
  },
  ...(
    [
      ["5 % of the lines of a file are lost as one failed row", 379, 20, false],
      ["more than 5 % of the lines of a file fail the run", 378, 20, true],
      ["9 lines are lost as one failed row, however small the file is", 1, 9, false],
      ["10 lines of a small file fail the run", 1, 10, true]
    ] as const
  ).map(
    ([name, good, lost, fails]): JobCase => ({
      name: `a quote that nothing closes: ${name}`,
      source: "duckdb/duckdb#14177",
      input: "30-long-lines",
      files: {
        "s.csv": `id,v\n${"1,a\n".repeat(good)}2,"open\n${"3,b\n".repeat(lost - 1)}`,
        "out.jsonl": "old\n",
        "p.yaml": jsonl("s.csv")
      },
      code: fails ? 1 : 0,
      out: { "out.jsonl": fails ? "old\n" : '{"id":"1","v":"a"}\n'.repeat(good) },
      says: [fails ? new RegExp(`${lost} of ${good + 1 + lost} lines are lost`) : /1 reject/]
    })
  ),
  // F1
  {
    name: "an empty file replaces no older output, and is warned of",
    source: "elastic/beats#45300",
    input: "27-growing",
    files: { "log.jsonl": "", "o.jsonl": '{"old":"whole"}\n' },
    run: "p-plain.yaml",
    out: { "o.jsonl": '{"old":"whole"}\n' },
    says: [/log\.jsonl is empty/, /o\.jsonl stays as it was/]
  },
  {
    name: "an empty file without an older output gives an empty output",
    source: "own",
    input: "27-growing",
    files: { "log.jsonl": "\n" },
    run: "p-plain.yaml",
    out: { "o.jsonl": "" },
    says: [/log\.jsonl is empty/]
  },
  {
    name: "a table that has a header and no rows is no empty file",
    source: "own",
    input: "05-csv-shapes",
    run: "p-headonly.csv.yaml",
    files: { "headonly.csv.out.jsonl": "old\n" },
    out: { "headonly.csv.out.jsonl": "" },
    silent: [/empty/]
  }
]

describe("files of jobs", () => {
  it.scoped.each(cases)("$name", function* (given) {
    const { code = 0, out = {}, says = [], silent = [] } = given
    const ended = yield* runJob(given)
    expect(ended.code, ended.err).toBe(code)
    for (const [name, content] of Object.entries(out)) expect(ended.read(name)).toBe(content)
    for (const pattern of says) expect(ended.err).toMatch(pattern)
    for (const pattern of silent) expect(ended.err).not.toMatch(pattern)
  })

  for (const [kind, change] of [
    ["emptied", (file: string) => truncateSync(file, 0)],
    ["cut at the end of a line", (file: string) => truncateSync(file, 2_560_000)],
    ["written anew in its place", (file: string) => writeFileSync(file, readFileSync(file).fill("\n", 0, 1280))]
  ] as const)
    scoped.skipIf(skipsLong)(`a file that is ${kind} while it is read fails the run, and no row is gone`, function* () {
      const line = (id: number) => `{"id":"${String(id).padStart(7, "0")}","pad":"${"y".repeat(100)}"}`
      const lines = Array.from({ length: 24_000 }, (_, id) => `${line(id)}\n`).join("")
      const { folder, run } = yield* project({ files: { "log.jsonl": lines } })
      const steps = `  - read: log.jsonl
  - dedupe: { key: id, across: runs, emit: [new, gone] }
  - write: { jsonl: rows.jsonl }
`
      expect((yield* run(steps)).rows.length).toBe(24_000)
      let isChanged = false
      const ended = yield* run(steps, {
        observe: () =>
          Effect.sync(() => {
            if (!isChanged) change(join(folder, "log.jsonl"))
            isChanged = true
          })
      })
      expect(String(ended.outcome)).toContain("log.jsonl was truncated or rewritten while it was read")
      expect(ended.rows.length).toBe(24_000)
      writeFileSync(join(folder, "log.jsonl"), lines)
      expect((yield* run(steps)).rows).toEqual([])
    })

  scoped.skipIf(skipsLong)(
    "a file that grows or is replaced under its name while it is read gives the rows that it had",
    function* () {
      const lines = Array.from(
        { length: 24_000 },
        (_, id) => `{"id":"${String(id).padStart(7, "0")}${"y".repeat(100)}"}\n`
      )
      const { folder, run } = yield* project({ files: { "log.jsonl": lines.join("") } })
      const file = join(folder, "log.jsonl")
      const steps = "  - read: log.jsonl\n  - write: { jsonl: rows.jsonl }\n"
      for (const change of [
        () => appendFileSync(file, lines[0] ?? ""),
        () => {
          writeFileSync(`${file}.new`, "")
          renameSync(`${file}.new`, file)
        }
      ]) {
        let isChanged = false
        const ended = yield* run(steps, {
          observe: () =>
            Effect.sync(() => {
              if (!isChanged) change()
              isChanged = true
            })
        })
        expect(ended.rows.length).toBeGreaterThanOrEqual(24_000)
      }
    }
  )

  scoped.skipIf(skipsLong)(
    "no row is gone when the file is empty, has no line, or the list of addresses has none",
    function* () {
      const { folder, run } = yield* project({ files: { "a.csv": "id\n1\n2\n", "u.txt": "http://127.0.0.1/a\n" } })
      for (const [file, source, key] of [
        ["a.csv", "read: a.csv", "id"],
        ["u.txt", "urls: { file: u.txt }", "url"]
      ] as const) {
        const before = readFileSync(join(folder, file))
        const steps = `  - ${source}
  - dedupe: { key: ${key}, across: runs, emit: [new, unchanged, gone] }
  - write: { jsonl: rows.jsonl }
`
        const first = yield* run(steps)
        for (const blank of ["", "\n\r\n"]) {
          writeFileSync(join(folder, file), blank)
          const ended = yield* run(steps)
          expect(ended.rows).toEqual(first.rows)
          expect(ended.warnings.join("\n")).toMatch(/no row is reported as gone/)
        }
        writeFileSync(join(folder, file), before)
        expect((yield* run(steps)).rows.map(({ change }) => change)).not.toContain("new")
      }
    }
  )
})
