import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { commonKeys } from "../src/Pipeline/Definition.ts"
import { builtIn as steps } from "../src/Pipeline/Extensions.ts"
import { ExitCode } from "../src/TypedError/ExitCode.ts"
import { pages, root } from "./docs/Pages.ts"
import { isShown } from "./docs/Session.ts"
import { program } from "./Programs.ts"

const page = pages.find(({ name }) => name === "README.md") ?? { text: "", blocks: [] }
const { text: readme } = page

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/sluice-readme-`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("README.md", () => {
  it("shows the output that the main command has", () => {
    const commands = page.blocks.filter(({ language }) => language === "sh").map(({ text }) => text.trim())
    expect(commands).toContain("npm ci && npx sluice run pipelines/quickstart.yaml")
    // A clone in a folder of its own, so that the outputs are not in this one.
    for (const name of ["pipelines", "package.json"]) cpSync(`${root}${name}`, `${folder}/${name}`, { recursive: true })
    const words = [program("bin"), "run", "pipelines/quickstart.yaml"]
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, NO_COLOR: "1" }
    })
    expect(status, stderr).toBe(0)
    const shown = page.blocks.find(({ text }) => text.startsWith("quickstart:"))?.text ?? "missing"
    expect(isShown(shown, stderr), `${shown}\n${stderr}`).toBe(true)
    for (const [, path = ""] of stderr.matchAll(/^ {2}(out\S+)/gm)) {
      expect(statSync(`${folder}/${path}`).size).toBeGreaterThan(0)
    }
  }, 60_000)

  it("names every step, common key and exit code", () => {
    for (const { key } of steps) expect(readme).toContain(`\`${key}\``)
    for (const key of commonKeys) expect(readme).toMatch(new RegExp(`\\b${key}\\b`))
    for (const code of Object.values(ExitCode)) expect(readme).toMatch(new RegExp(`\\b${code}\\b`))
  })
})

describe("docs/dependencies.md", () => {
  it("names every dependency", () => {
    const { text } = pages.find(({ name }) => name === "docs/dependencies.md") ?? { text: "" }
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
    for (const name of Object.keys(dependencies)) expect(text).toContain(`\`${name}\``)
  })
})
