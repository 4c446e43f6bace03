import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { peerFault } from "../../src/Peers.ts"
import { program } from "../Programs.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const command = `Run: npm install ${["effect", "@effect/platform"].map((name) => `"${name}@^${devDependencies[name]}"`).join(" ")}`

const folder = mkdtempSync(join(tmpdir(), "sluice-peers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("peer dependencies of another line", () => {
  const needed = { effect: "^3.22.4", "@effect/platform": "^0.97.2" }
  const type =
    'Run: npm install "effect@^3.22.4" "@effect/platform@^0.97.2", or import "sluice/promise", which needs no Effect'
  const who = '"sluice" and "sluice/cluster" need'
  const cases: ReadonlyArray<readonly [effect: string | undefined, platform: string, fault: string | undefined]> = [
    ["3.22.4", "0.97.2", undefined],
    ["3.30.0", "0.97.9", undefined],
    [undefined, "0.97.2", undefined],
    ["4.0.0-beta.1", "0.97.2", `${who} effect ^3.22.4 (4.0.0-beta.1 installed). ${type}`],
    ["3.22.3", "0.97.2", `${who} effect ^3.22.4 (3.22.3 installed). ${type}`],
    ["3.22.4", "0.97.1", `${who} @effect/platform ^0.97.2 (0.97.1 installed). ${type}`],
    ["3.22.4", "0.100.0", `${who} @effect/platform ^0.97.2 (0.100.0 installed). ${type}`],
    ["", "0.97.2", `${who} effect ^3.22.4 (not installed). ${type}`],
    [
      "33.0.0",
      "1.0.0",
      `${who} effect ^3.22.4 (33.0.0 installed) and @effect/platform ^0.97.2 (1.0.0 installed). ${type}`
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
      ["imports.mjs", 'import "sluice/cluster"\n'],
      ["requires.cjs", 'require("sluice")\n']
    ] as const) {
      writeFileSync(`${folder}/${file}`, code)
      // Links stay as they are, so that the folder's own packages are found.
      const { status, stderr } = spawnSync(process.execPath, ["--preserve-symlinks", file], {
        cwd: folder,
        encoding: "utf8"
      })
      expect(status).toBe(1)
      expect(stderr).toMatch(/^\[?Error: "sluice" and "sluice\/cluster" need effect \^3\S+ \(4\.0\.0 installed\)\. /m)
      expect(stderr).toContain(command)
      expect(stderr).not.toContain("ERR_")
    }
  })
})
