import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { peerFault } from "../../src/Peers.ts"
import { program } from "../Programs.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const { peerDependencies: wanted } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const command = `Type: npm install ${Object.entries(wanted)
  .map(([name, range]) => `"${name}@${range}"`)
  .join(" ")}`

const folder = mkdtempSync(join(tmpdir(), "sluice-peers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("peer dependencies of another major version", () => {
  const needed = { effect: "^3.22.4", "@effect/platform": "^0.97.2" }
  const type = 'Type: npm install "effect@^3.22.4" "@effect/platform@^0.97.2"'
  const cases: ReadonlyArray<readonly [effect: string | undefined, platform: string, fault: string | undefined]> = [
    ["3.22.4", "0.97.2", undefined],
    ["3.30.0", "0.97.9", undefined],
    [undefined, "0.97.2", undefined],
    ["4.0.0-beta.1", "0.97.2", `sluice needs effect ^3.22.4, and 4.0.0-beta.1 is installed. ${type}`],
    ["3.22.4", "0.100.0", `sluice needs @effect/platform ^0.97.2, and 0.100.0 is installed. ${type}`],
    ["", "0.97.2", `sluice needs effect ^3.22.4, which is not installed. ${type}`],
    [
      "33.0.0",
      "1.0.0",
      `sluice needs effect ^3.22.4, and 33.0.0 is installed; and @effect/platform ^0.97.2, and 1.0.0 is installed. ${type}`
    ]
  ]
  for (const [effect, platform, fault] of cases) {
    it(`are told: ${effect === "" ? "none" : (effect ?? "hidden")} and ${platform}`, () => {
      expect(peerFault(needed, (name) => (name === "effect" ? effect : platform))).toBe(fault)
    })
  }

  it("stop a program before anything else is loaded, imported or required", () => {
    const modules = `${folder}/node_modules`
    const versions = { effect: "4.0.0", "@effect/platform": "0.97.2" }
    for (const [name, version] of Object.entries(versions)) {
      mkdirSync(`${modules}/${name}`, { recursive: true })
      writeFileSync(`${modules}/${name}/package.json`, JSON.stringify({ name, version }))
    }
    mkdirSync(`${modules}/sluice`)
    copyFileSync(`${root}package.json`, `${modules}/sluice/package.json`)
    symlinkSync(dirname(program("index")), `${modules}/sluice/dist`)
    for (const [file, code] of [
      ["imports.mjs", 'import "sluice/promise"\n'],
      ["requires.cjs", 'require("sluice")\n']
    ] as const) {
      writeFileSync(`${folder}/${file}`, code)
      // Links stay as they are, so that the folder's own packages are found.
      const { status, stderr } = spawnSync(process.execPath, ["--preserve-symlinks", file], {
        cwd: folder,
        encoding: "utf8"
      })
      expect(status).toBe(1)
      expect(stderr).toMatch(/^\[?Error: sluice needs effect \^3\S+, and 4\.0\.0 is installed\. /m)
      expect(stderr).toContain(command)
      expect(stderr).not.toContain("ERR_")
    }
  })
})
