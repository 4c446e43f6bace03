import { win32 } from "node:path"
import * as Effect from "effect/Effect"
import { bytes, duration, place, table } from "../../src/Cli/Format.ts"
import { progressLine } from "../../src/Cli/Run/Perform.ts"
import * as Report from "../../src/Cli/Run/Report.ts"
import { fileErrorReason } from "../../src/Files/FileErrors.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { makeTerminal } from "./Console.ts"
import { platform } from "./Project.ts"

const checked = parseText(
  "p.yaml",
  "/",
  "version: 1\nname: pages\nsteps:\n  - id: addresses\n    urls: [https://example.com/]\n  - where: url\n"
).pipe(
  Effect.flatMap((source) => check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: false })),
  Effect.provide(platform)
)

const progress = {
  expected: 40,
  steps: { addresses: 10, where: 8 },
  rows: 8,
  rejects: 2,
  credits: 12,
  unpriced: 0,
  pages: 0
}

describe("the progress line", () => {
  scoped("says how far the run is, and how fast", function* () {
    const moment = { name: "pages", checked: yield* checked, progress, elapsed: 65_000, frame: 12 }
    expect(progressLine(moment, makeTerminal({ columns: 120, tty: true, env: { NO_COLOR: "1" } }).terminal)).toBe(
      "⠹  pages  ━━━━━━━━━━━━━━━━━━━━  10 of 40 pages  8 rows  2 rejects  12 credits  0.2/s  1:05"
    )
  })

  scoped("fits the terminal: what matters least is left out first", function* () {
    const moment = { name: "pages", checked: yield* checked, progress, elapsed: 65_000, frame: 0 }
    const at = (columns: number) => progressLine(moment, makeTerminal({ columns }).terminal)
    expect(at(70)).toBe("⠋  pages  10 of 40 pages  8 rows  2 rejects  12 credits  0.2/s  1:05")
    expect(at(50)).toBe("⠋  10 of 40 pages  8 rows  2 rejects  1:05")
    expect(at(20)).toBe("⠋  10 of 40 pages")
    for (let columns = 19; columns < 130; columns++) expect(at(columns).length).toBeLessThan(Math.max(columns, 19))
  })

  scoped("does without a bar of unknown length when nothing is promised yet", function* () {
    const nothing = { expected: 0, steps: {}, rows: 0, rejects: 0, credits: 0, unpriced: 0, pages: 0 }
    const moment = { name: "pages", checked: yield* checked, progress: nothing, elapsed: 100, frame: 0 }
    expect(progressLine(moment, makeTerminal().terminal)).toContain("0 pages  0 rows  0.0/s  0:00")
  })
})

describe("a status line", () => {
  it("gives way to what is written, and exists on a terminal only", () => {
    const seen = makeTerminal({ tty: true })
    seen.terminal.err.status("one")
    seen.terminal.err.status("two")
    seen.terminal.err.write("a warning\n")
    seen.terminal.err.status("three")
    seen.terminal.err.status("")
    seen.terminal.err.status("")
    expect(seen.written.err).toBe("one\r\u001b[2Ktwo\r\u001b[2Ka warning\nthree\r\u001b[2K")
    const piped = makeTerminal()
    piped.terminal.err.status("one")
    piped.terminal.err.write("a warning\n")
    expect(piped.written.err).toBe("a warning\n")
  })
})

describe("the report", () => {
  it("puts places, counts and sizes under each other", () => {
    const summary = {
      runId: "r",
      status: "completed" as const,
      rows: 1234,
      rejects: 1,
      credits: 7,
      unpricedCalls: 2,
      durationMs: 61_000,
      outputs: [
        { path: "/elsewhere/a.jsonl", format: "jsonl", rows: 1200, bytes: 2_500_000 },
        { path: "/elsewhere/bb.csv", format: "csv", rows: 34, bytes: 900 }
      ],
      rejectFile: "/elsewhere/rejects.jsonl",
      resumable: false
    }
    expect(Report.describe("pages", summary, makeTerminal().terminal.err)).toBe(
      [
        "pages: 1,234 rows, 1 reject, 7 credits, 2 calls of unknown price in 1 min 1 s",
        "  /elsewhere/a.jsonl         1,200 rows   2.5 MB",
        "  /elsewhere/bb.csv             34 rows    900 B",
        "  /elsewhere/rejects.jsonl     1 reject",
        ""
      ].join("\n")
    )
  })

  it("of a run with very many partitions counts them in one line for each folder, and names every other output", () => {
    const rows = { format: "jsonl", rows: 200, bytes: 1000 }
    const outputs = [
      ...Array.from({ length: 500 }, (_, part) => ({ path: `/elsewhere/docs/${part % 50}/${part}.jsonl`, ...rows })),
      { path: "/elsewhere/pages.csv", format: "csv", rows: 7, bytes: 100 }
    ]
    const counts = { rows: 100_007, rejects: 0, credits: 0, unpricedCalls: 0, durationMs: 1000, resumable: false }
    const summary = { runId: "r", status: "completed" as const, ...counts, outputs, rejectFile: undefined }
    const lines = Report.describe("pages", summary, makeTerminal().terminal.err).trimEnd().split("\n")
    expect(lines).toEqual([
      "pages: 100,007 rows in 1.0 s",
      "  /elsewhere/docs/*.jsonl (500 files)   100,000 rows   500 kB",
      "  /elsewhere/pages.csv                        7 rows    100 B"
    ])
  })

  it("of a run with one file in each of very many folders counts them in one line", () => {
    const outputs = Array.from({ length: 10_000 }, (_, part) => ({
      path: `/elsewhere/out/${part}/pages.jsonl`,
      format: "jsonl",
      rows: 2,
      bytes: 10
    }))
    const counts = { rows: 20_000, rejects: 0, credits: 0, unpricedCalls: 0, durationMs: 1000, resumable: false }
    const summary = { runId: "r", status: "completed" as const, ...counts, outputs, rejectFile: undefined }
    expect(Report.describe("pages", summary, makeTerminal().terminal.err)).toBe(
      "pages: 20,000 rows in 1.0 s\n  /elsewhere/out/*.jsonl (10,000 files)   20,000 rows   100 kB\n"
    )
    // If merging is not enough, the remaining files are counted.
    const many = outputs.slice(0, 25).map((output, part) => ({ ...output, path: `/elsewhere/pages.${part}` }))
    const lines = Report.describe("pages", { ...summary, outputs: many }, makeTerminal().terminal.err).split("\n")
    expect(lines).toHaveLength(1 + 20 + 1 + 1)
    expect(lines[1]).toMatch(/^ {2}\/elsewhere\/pages\.0 +2 rows +10 B$/)
    expect(lines[21]).toMatch(/^ {2}and 5 more files +10 rows +50 B$/)
  })

  it("names the file of a write without partitions, also among partitions of the same folder and format", () => {
    const outputs = Array.from({ length: 41 }, (_, part) => ({
      path: `/elsewhere/${part === 7 ? "pages" : part}.csv`,
      format: "csv",
      rows: 2,
      bytes: 10
    }))
    expect(Report.groupFiles(outputs, ["pages.csv"])).toMatchObject([
      { path: "/elsewhere/pages.csv", files: 1, rows: 2 },
      { path: "/elsewhere/*.csv", files: 40, rows: 80 }
    ])
  })

  it("groups files by the folders of the platform", () => {
    const outputs = Array.from({ length: 30 }, (_, part) => ({
      path: `C:\\out\\${part}\\pages.jsonl`,
      format: "jsonl",
      rows: 1,
      bytes: 1
    }))
    expect(Report.groupFiles(outputs, [], win32)).toMatchObject([{ path: "C:\\out\\*.jsonl", files: 30, rows: 30 }])
  })

  it("says numbers as people do", () => {
    expect([0, 999, 1000, 9_990, 82_100, 999_999, 1e6, 5e12].map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "10 kB",
      "82 kB",
      "1.0 MB",
      "1.0 MB",
      "5.0 TB"
    ])
    expect([40, 9_940, 9_960, 59_400, 61_000, 3_600_000].map(duration)).toEqual([
      "0.0 s",
      "9.9 s",
      "10 s",
      "59 s",
      "1 min 1 s",
      "1 h 0 min"
    ])
    expect([place(process.cwd()), place(`${process.cwd()}/a/b`), place("/etc")]).toEqual([".", "a/b", "/etc"])
    const refused = (code: string) =>
      fileErrorReason({ message: "m", cause: Object.assign(new Error("odd"), { code }) })
    expect([refused("EODD"), refused("ELOOP"), fileErrorReason({ message: "m" })]).toEqual([
      "odd",
      "its links lead in a circle",
      "m"
    ])
  })
  it("keeps each line of a table on one line, without control characters, also its head", () => {
    const { terminal } = makeTerminal()
    expect(table([["a\u001b[31m\nb"], ["n", "right"]], [["x\ty", "10"]], terminal.out)).toEqual([
      "a [31m b    n",
      "x y        10"
    ])
  })
})
