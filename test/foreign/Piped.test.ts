/** Standard input and lists of addresses: other encodings, old line ends, and nothing at all. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { vi } from "vitest"
import { afterEach, describe, expect, it, scoped } from "../It.ts"
import { copyOf } from "./Case.ts"
import { definition, type JobCase, runIn } from "./Job.ts"

/** Makes the pieces the standard input of this process, until the end of the test. */
const pipe = (pieces: ReadonlyArray<string | Uint8Array>): void => {
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece))) as unknown as typeof process.stdin
  vi.spyOn(process, "stdin", "get").mockReturnValue(input)
}

afterEach(() => {
  vi.restoreAllMocks()
})

interface PipedCase extends JobCase {
  /** What comes by standard input, in pieces; undefined for nothing of this kind. */
  readonly pieces?: ReadonlyArray<string | Uint8Array>
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1")
const read = (fields: string, rest = ""): string =>
  definition(`- read: { file: "-", format: csv${fields} }\n${rest}- write: { jsonl: out.jsonl }`)
const cities = '{"id":"1","city":"Köln"}\n{"id":"2","city":"€ 5"}\n'
const urls = (fields: string): string =>
  definition(`- urls: { file: urls.txt${fields} }\n- write: { jsonl: out.jsonl }`)

const cases: ReadonlyArray<PipedCase> = [
  {
    name: "bytes of standard input that are not UTF-8 are warned of",
    source: "lakehq/sail#2388",
    input: "06-encoding",
    run: "p-stdin.yaml",
    pieces: [latin("id,city\n1,K\xf6"), latin("ln\n")],
    says: [/the standard input has bytes that are not UTF-8, first in line 2: .*encoding: windows-1252/]
  },
  {
    name: "encoding names the encoding of standard input",
    source: "lakehq/sail#2412",
    input: "06-encoding",
    files: { "p.yaml": read(", encoding: windows-1252") },
    pieces: [latin("id,city\n1,K\xf6"), latin("ln\n2,\x80 5\n")],
    out: { "out.jsonl": cities },
    silent: [/UTF-8/]
  },
  {
    name: "encoding reads UTF-16 from standard input, cut inside a character",
    source: "own",
    input: "06-encoding",
    files: { "p.yaml": read(", encoding: utf-16le") },
    pieces: (() => {
      const bytes = Buffer.from("\ufeffid,city\n1,Köln\n2,€ 5\n", "utf16le")
      return [bytes.subarray(0, 23), bytes.subarray(23)]
    })(),
    out: { "out.jsonl": cities }
  },
  {
    name: "carriage returns end the lines of standard input",
    source: "nao1215/filesql#279",
    input: "07-cr-only",
    files: { "p.yaml": read("") },
    pieces: ["id,note\r1,a", "\r2,b\r"],
    out: { "out.jsonl": '{"id":"1","note":"a"}\n{"id":"2","note":"b"}\n' }
  },
  {
    name: "empty standard input is incomplete: an older output stays, and it is warned of",
    source: "elastic/beats#45300",
    input: "27-growing",
    files: { "p.yaml": read(""), "out.jsonl": '{"old":"whole"}\n' },
    pieces: [],
    out: { "out.jsonl": '{"old":"whole"}\n' },
    says: [/the standard input is empty/, /out\.jsonl stays as it was/]
  },
  {
    name: "bytes of a list of addresses that are not UTF-8 are warned of",
    source: "own",
    input: "06-encoding",
    files: { "p.yaml": urls("") },
    says: [/urls\.txt has bytes that are not UTF-8, first in line 1/]
  },
  {
    name: "encoding names the encoding of a list of addresses",
    source: "own",
    input: "06-encoding",
    files: { "p.yaml": urls(", encoding: windows-1252") },
    out: { "out.jsonl": '{"url":"http://127.0.0.1:9/köln"}\n' },
    silent: [/UTF-8/]
  }
]

describe("standard input and lists of addresses", () => {
  it.scoped.each(cases)(
    "$name",
    function* ({ code = 0, files = {}, input, out = {}, pieces, run, says = [], silent = [] }) {
      const folder = yield* copyOf(`jobs/${input}`)
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
      if (pieces !== undefined) pipe(pieces)
      const ended = yield* runIn(folder, run)
      expect(ended.code, ended.err).toBe(code)
      for (const [name, content] of Object.entries(out)) expect(ended.read(name)).toBe(content)
      for (const pattern of says) expect(ended.err).toMatch(pattern)
      for (const pattern of silent) expect(ended.err).not.toMatch(pattern)
    }
  )

  scoped("no row is gone when standard input is empty", function* () {
    const folder = yield* copyOf("jobs/27-growing")
    const steps = "- dedupe: { key: id, across: runs, emit: [new, unchanged, gone] }\n"
    writeFileSync(join(folder, "p.yaml"), read("", steps))
    for (const pieces of [["id\n1\n2\n"], []]) {
      pipe(pieces)
      const ended = yield* runIn(folder)
      expect(ended.code, ended.err).toBe(0)
      if (pieces.length === 0) expect(ended.err).toMatch(/no row is reported as gone/)
      expect(existsSync(join(folder, "out.jsonl")) && readFileSync(join(folder, "out.jsonl"), "utf8")).not.toMatch(
        /gone/
      )
    }
  })
})
