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
  ["Step/Bad.ts", "Cli/A.ts", "Step-looks-left"],
  ["Engine/Store/Bad.ts", "Engine/Jobs/A.ts", "Engine-Store-looks-left"],
  ["Html/Bad.ts", "Engine/Jobs/B.ts", "Html-looks-left"],
  ["Engine/Teams/Bad.ts", "Engine.ts", "Engine-Teams-looks-left"],
  ["Engine/Http/Bad.ts", "Engine/NewFolder/A.ts", "Engine-without-floor"],
  ["Engine/Fetch/Bad.ts", "Client/A.ts", "engine-stands-alone"],
  ["Cluster/Bad.ts", "Schedule/A.ts", "Cluster-stands-beside"],
  ["Run/Bad.ts", "index.ts", "doors-are-for-guests"],
  ["Cli/Bad.ts", "Database/StatementError.ts", "SqlError-ends-in-the-store"]
]

interface Report {
  readonly summary: { readonly violations: ReadonlyArray<{ readonly from: string; readonly rule: { name: string } }> }
}

describe("The order of imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-floors-"))
  let refused: ReadonlyArray<string> = []

  beforeAll(async () => {
    const write = (name: string, text: string) => {
      const file = join(folder, "src", name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const between = (from: string, to: string) => `${"../".repeat(from.split("/").length - 1) || "./"}${to}`
    for (const [, to] of planted) write(to, "export const a = 1\nexport type A = typeof a\n")
    // Only the type is imported: the compiler erases it, the order counts it.
    for (const [from, to] of planted)
      write(from, `import type { A } from "${between(from, to)}"\nexport const b: A = 1\n`)
    write("Row/One.ts", 'import type { Two } from "./Two.ts"\nexport interface One {\n  readonly two: Two\n}\n')
    write("Row/Two.ts", 'import type { One } from "./One.ts"\nexport interface Two {\n  readonly one: One\n}\n')
    for (const name of ["Cluster/Sql.ts", "Cli/Sql.ts", "Ledger/Sql.ts"])
      write(name, 'import type { SqlError } from "@effect/sql/SqlError"\nexport type Failure = SqlError\n')
    writeFileSync(join(folder, "tsconfig.json"), "{}")
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, "--config", join(project, ".dependency-cruiser.cjs"), "--output-type", "json", "src"],
      { cwd: folder, maxBuffer: 2 ** 24 }
    ).catch((error: { readonly stdout: string }) => error)
    const { summary } = JSON.parse(stdout) as Report
    refused = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  for (const [from, to, rule] of planted) {
    it(`refuses an import of src/${to} in src/${from}`, () => expect(refused).toContain(`src/${from}: ${rule}`))
  }

  it("refuses SqlError outside of the rooms that hold SQL", () =>
    expect(refused.filter((each) => /Sql\.ts: SqlError/.test(each))).toEqual(
      ["src/Cli/Sql.ts", "src/Cluster/Sql.ts"].map((file) => `${file}: SqlError-ends-in-the-store`)
    ))

  it("refuses a circle of types", () => expect(refused).toContain("src/Row/One.ts: no-cycles"))
})
