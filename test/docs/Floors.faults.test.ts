import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const project = fileURLToPath(new URL("../..", import.meta.url))
const program = join(project, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs")

/** Forbidden imports: the importing file, what it imports, and the rule that refuses it. */
const planted: ReadonlyArray<readonly [from: string, to: string, rule: string]> = [
  ["src/Step/Bad.ts", "src/Cli/A.ts", "Step-looks-left"],
  ["src/Engine/Store/Bad.ts", "src/Engine/Jobs/A.ts", "Engine-Store-looks-left"],
  ["src/Html/Bad.ts", "src/Engine/Jobs/B.ts", "Html-looks-left"],
  ["src/Peers.ts", "src/Row/A.ts", "Peers-looks-left"],
  ["src/Cli/New.ts", "src/NewFolder/A.ts", "src-without-place"],
  ["src/Cli/Other.ts", "src/NewFile.ts", "src-without-place"],
  ["src/Engine/Teams/Bad.ts", "src/Engine.ts", "Engine-Teams-looks-left"],
  ["src/Engine/Http/Bad.ts", "src/Engine/NewFolder/A.ts", "Engine-without-floor"],
  ["src/Engine/Fetch/Bad.ts", "src/Client/A.ts", "engine-stands-alone"],
  ["src/Cluster/Bad.ts", "src/Schedule/A.ts", "Cluster-stands-beside"],
  ["src/Run/Bad.ts", "src/index.ts", "doors-are-for-guests"],
  ["src/Cli/Bad.ts", "src/Database/StatementError.ts", "SqlError-ends-in-the-store"],
  ["pipelines/Bad.ts", "src/Row/B.ts", "pipelines-use-the-door"]
]

/** What may only be imported as a type: a file that imports a value of it, one that imports a type, and the rule. */
const plantedValues: ReadonlyArray<readonly [value: string, type: string, to: string, rule: string]> = [
  ["src/Cluster/Task.ts", "src/Cluster/Merge.ts", "src/Cluster/Parts.ts", "shards-need-no-postgres"],
  ["src/Api/Value.ts", "src/Api/Type.ts", "src/Generated/A.ts", "generated-is-types"]
]

interface Report {
  readonly summary: { readonly violations: ReadonlyArray<{ readonly from: string; readonly rule: { name: string } }> }
}

describe("The order of imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-floors-"))
  let refused: ReadonlyArray<string> = []

  beforeAll(async () => {
    const write = (name: string, text: string) => {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const between = (from: string, to: string) => `${"../".repeat(from.split("/").length - 1)}${to}`
    const targets = [...planted.map(([, to]) => to), ...plantedValues.map(([, , to]) => to)]
    for (const to of targets) write(to, "export const a = 1\nexport type A = typeof a\n")
    // Only the type is imported: the compiler erases it, the order counts it.
    const writeTypeImport = (from: string, to: string) =>
      write(from, `import type { A } from "${between(from, to)}"\nexport const b: A = 1\n`)
    for (const [from, to] of planted) writeTypeImport(from, to)
    for (const [value, type, to] of plantedValues) {
      write(value, `import { a } from "${between(value, to)}"\nexport const b = a\n`)
      writeTypeImport(type, to)
    }
    write("src/Row/One.ts", 'import type { Two } from "./Two.ts"\nexport interface One {\n  readonly two: Two\n}\n')
    write("src/Row/Two.ts", 'import type { One } from "./One.ts"\nexport interface Two {\n  readonly one: One\n}\n')
    for (const name of ["src/Cluster/Sql.ts", "src/Cli/Sql.ts", "src/Ledger/Sql.ts"])
      write(name, 'import type { SqlError } from "@effect/sql/SqlError"\nexport type Failure = SqlError\n')
    writeFileSync(join(folder, "tsconfig.json"), "{}")
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, "--config", join(project, ".dependency-cruiser.cjs"), "--output-type", "json", "src", "pipelines"],
      { cwd: folder, maxBuffer: 2 ** 24 }
    ).catch((error: { readonly stdout: string }) => error)
    const { summary } = JSON.parse(stdout) as Report
    refused = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  for (const [from, to, rule] of planted) {
    it(`refuses an import of ${to} in ${from}`, () => expect(refused).toContain(`${from}: ${rule}`))
  }

  for (const [value, type, to, rule] of plantedValues) {
    it(`refuses an import of ${to} in ${value}, unless only a type is imported`, () => {
      expect(refused).toContain(`${value}: ${rule}`)
      expect(refused).not.toContain(`${type}: ${rule}`)
    })
  }

  it("refuses SqlError outside of the rooms that hold SQL", () =>
    expect(refused.filter((each) => /Sql\.ts: SqlError/.test(each))).toEqual(
      ["src/Cli/Sql.ts", "src/Cluster/Sql.ts"].map((file) => `${file}: SqlError-ends-in-the-store`)
    ))

  it("refuses a circle of types", () => expect(refused).toContain("src/Row/One.ts: no-cycles"))
})
