import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { shapeOf, spellings } from "../../src/Cli/Completions/Slot.ts"
import { afterAll, beforeAll, describe, expect, it, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { loaded } from "./Loaded.ts"

const shells = ["bash", "zsh", "fish"] as const

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/sluice-completions-`)
  for (const name of ["config", "pipelines"]) mkdirSync(`${folder}/${name}`)
  for (const name of [
    "config/hosted.yaml",
    "config/$(touch run-by-a-name).yaml",
    "crawl.yaml",
    "crawl.ts",
    "crawl.csv"
  ])
    writeFileSync(`${folder}/${name}`, "")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isThere = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0

/** Completions of each line by a real bash; the last word is the one at the cursor. */
const inBash = (script: string, lines: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const quote = (word: string) => `'${word}'`
  const program = [
    "sluice() { printf 'RUN   PIPELINE\\n20260314T093001-t7zx   crawl-site\\n20260313T093001-0a1b   crawl-site\\n'; }",
    script,
    ...lines.map(
      (words) =>
        `COMP_WORDS=(sluice ${words.map(quote).join(" ")}); COMP_CWORD=${words.length}; _sluice; echo "\${COMPREPLY[*]}"`
    )
  ].join("\n")
  const { status, stderr, stdout } = spawnSync("bash", ["--norc", "-c", program], { cwd: folder, encoding: "utf8" })
  expect([status, stderr]).toEqual([0, ""])
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ").filter((word) => word !== ""))
}

describe("sluice completions", () => {
  scoped("complete verbs, flags, words, files and runs in bash", function* () {
    const { code, out } = yield* sluice(["completions", "bash"])
    expect(code).toBe(0)
    const cases: ReadonlyArray<readonly [line: ReadonlyArray<string>, found: ReadonlyArray<string>]> = [
      [["res"], ["resume"]],
      [["--v"], ["--version"]],
      [["help", "work"], ["worker"]],
      [
        ["run", "--d"],
        ["--data", "--detach", "--debug"]
      ],
      [
        ["run", "crawl.yaml", "--on", ""],
        ["here", "cluster"]
      ],
      [["run", "--on", "=", "cl"], ["cluster"]],
      [
        ["run", "cr"],
        ["crawl.ts", "crawl.yaml"]
      ],
      [["parse", "crawl.c"], ["crawl.csv"]],
      [
        ["run", "--limit", "3", "cr"],
        ["crawl.ts", "crawl.yaml"]
      ],
      [["run", "--limit", ""], []],
      [["run", "--out", "pip"], ["pipelines"]],
      [["check", "crawl.yaml", "crawl.t"], ["crawl.ts"]],
      [["serve", "--profile", "ho"], ["hosted"]],
      // A name of a file is a name and no command.
      [
        ["serve", "--profile", ""],
        ["hosted", "crawl.yaml"]
      ],
      [["parse", "run-by"], []],
      [["state", "ex"], ["export"]],
      [["state", "export", ""], []],
      [["worker", "--concurrency", "4", "dr"], ["drain"]],
      [["resume", "20260314"], ["20260314T093001-t7zx"]],
      [
        ["completions", ""],
        ["bash", "zsh", "fish"]
      ]
    ]
    const found = inBash(
      out,
      cases.map(([line]) => line)
    )
    for (const [index, [line, expected]] of cases.entries()) {
      expect([...(found[index] ?? [])].sort(), line.join(" ")).toEqual([...expected].sort())
    }
  })

  for (const shell of shells) {
    scoped(`name every verb and flag in ${shell}, in a script that the shell can read where it is there`, function* () {
      const { out } = yield* sluice(["completions", shell])
      for (const shape of loaded.map(shapeOf)) {
        expect(out).toContain(shape.verb)
        for (const flag of shape.flags) {
          expect(out, shape.verb).toContain(shell === "fish" ? `-l ${flag.name} ` : spellings(flag)[0])
        }
      }
      if (!isThere(shell)) return
      const { status, stderr } = spawnSync(shell, ["-n"], { input: out, encoding: "utf8" })
      expect([status, stderr]).toEqual([0, ""])
    })
  }

  it("offer definitions to the verbs that read them, and any file to the others", () => {
    const first = (verb: string) => loaded.map(shapeOf).find((shape) => shape.verb === verb)?.operands[0]?.content
    for (const verb of ["run", "plan", "check", "test", "pin", "fmt", "graph", "doctor"]) {
      expect(first(verb), verb).toBe("definition")
    }
    expect(first("parse")).toBe("file")
    expect(first("init")).toBe("folder")
    for (const verb of ["resume", "replay", "show", "stop"]) expect(first(verb), verb).toBe("run")
  })
})
