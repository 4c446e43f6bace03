import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import * as Path from "@effect/platform/Path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ExitCode } from "../src/Cli/ExitCode.ts"
import { verbs } from "../src/Cli.ts"
import { check } from "../src/Pipeline/Check.ts"
import { commonKeys } from "../src/Pipeline/Definition.ts"
import { parseText } from "../src/Pipeline/Source.ts"
import { steps } from "../src/Pipeline/Steps.ts"
import { catalogue } from "../src/Settings.ts"
import { program } from "./Programs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const readme = readFileSync(`${root}README.md`, "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map((match) => match[1] ?? "")

/** What differs from run to run: how long it took. */
const steady = (text: string) => text.replace(/in [\d.]+ (ms|s)\b/g, "in a moment").trim()

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/sluice-readme-`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("README.md", () => {
  it("shows the output that the main command has", () => {
    const command = blocks("sh").find((block) => block.includes("npx sluice run pipelines/quickstart.yaml")) ?? ""
    expect(command.trim()).toBe("npm ci && npx sluice run pipelines/quickstart.yaml")
    const words = [program("bin"), "run", `${root}pipelines/quickstart.yaml`]
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, NO_COLOR: "1" }
    })
    expect(status, stderr).toBe(0)
    expect(steady(stderr)).toBe(steady(blocks("text")[0] ?? "missing"))
    for (const [, path = ""] of stderr.matchAll(/^ {2}(\S+)/gm)) {
      expect(statSync(`${folder}/${path}`).size).toBeGreaterThan(0)
    }
  }, 60_000)

  it.effect("holds definitions without a mistake", () =>
    Effect.forEach(blocks("yaml"), (text) =>
      Effect.flatMap(parseText("README.md", root, text), (source) =>
        check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: false })
      ).pipe(Effect.provide(Path.layer))
    )
  )

  it("holds programs whose types are right", async () => {
    const programs = blocks("ts").map((text, index) => [`program-${index}.mts`, text] as const)
    expect(programs.length).toBe(2)
    const project = mkdtempSync(`${tmpdir()}/sluice-readme-types-`)
    symlinkSync(`${root}node_modules`, `${project}/node_modules`)
    for (const [name, text] of programs) writeFileSync(`${project}/${name}`, text)
    const compilerOptions = {
      paths: { sluice: [`${root}src/index.ts`], "sluice/promise": [`${root}src/promise.ts`] },
      typeRoots: [`${root}node_modules/@types`]
    }
    const files = programs.map(([name]) => name)
    const config = { extends: `${root}tsconfig.json`, compilerOptions, include: [`${root}src/**/*.d.ts`], files }
    writeFileSync(`${project}/tsconfig.json`, JSON.stringify(config))
    // In a process of its own: it takes long, and nobody else waits for it.
    const said = await new Promise<string>((resolve) =>
      execFile(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", project], (_, out) =>
        resolve(out)
      )
    )
    rmSync(project, { recursive: true, force: true })
    expect(said).toBe("")
  }, 120_000)

  it("names every verb, step, common key, exit code, setting and dependency", () => {
    for (const { name } of verbs) expect(readme).toContain(`\`sluice ${name}`)
    for (const { key } of steps) expect(readme).toContain(`\`${key}\``)
    for (const key of commonKeys) expect(readme).toMatch(new RegExp(`\\b${key}\\b`))
    for (const code of Object.values(ExitCode)) expect(readme).toMatch(new RegExp(`\\b${code}\\b`))
    for (const { env } of Object.values(catalogue)) expect(readme).toContain(`\`${env}\``)
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
    for (const name of Object.keys(dependencies)) expect(readme).toContain(`\`${name}\``)
  })

  it("stays readable in one go", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(250)
    for (const line of readme.split("\n")) expect(line.length).toBeLessThanOrEqual(200)
  })
})
