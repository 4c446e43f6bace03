import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { skipsLong } from "../Long.ts"

const script = fileURLToPath(new URL("../../.ci/audit.mjs", import.meta.url))

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/sluice-audit-`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const audit = (...words: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [script, ...words], { encoding: "utf8" })
  return { status, stdout, faults: stderr.split("\n").filter((line) => line !== "") }
}

const good = { version: "1.2.3", license: "MIT", integrity: "sha512-AAAA", engines: { node: ">=18" } }

/** The faults of a project that has these packages. */
const faultsOf = (packages: Readonly<Record<string, object>>) => {
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, { ...good, ...entry }])
  writeFileSync(`${folder}/package-lock.json`, JSON.stringify({ packages: { "": {}, ...Object.fromEntries(entries) } }))
  const { faults, status } = audit(folder)
  expect(status).toBe(faults.length === 0 ? 0 : 1)
  return faults
}

describe("the audit of dependencies", () => {
  it("has nothing to say of those that the package brings", () => {
    const { faults, status, stdout } = audit()
    expect(faults).toEqual([])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^audit: \d+ packages, \d+ of them installed with this one: nothing to say\n$/)
  })

  it("finds a licence, a script, a place and a Node that do not do, and what has no integrity", () => {
    expect(
      faultsOf({
        fine: {},
        copyleft: { license: "GPL-3.0" },
        either: { license: "(MIT OR GPL-3.0)" },
        silent: { license: undefined },
        scripted: { hasInstallScript: true },
        forked: { resolved: "git+ssh://git@example.com/forked.git#abc" },
        modern: { engines: { node: "^22.12.0 || >=24" } },
        open: { integrity: undefined },
        elsewhere: { license: undefined, optional: true, os: ["none"] },
        unhashed: { integrity: undefined, optional: true, os: ["none"] },
        tool: { dev: true, license: "GPL-3.0", hasInstallScript: true }
      })
    ).toEqual([
      "error: copyleft@1.2.3: its licence is GPL-3.0, which is not among those allowed",
      "error: silent@1.2.3: its licence is not said, which is not among those allowed",
      "error: scripted@1.2.3: it runs a script where it is installed",
      "error: forked@1.2.3: it comes from git+ssh://git@example.com/forked.git#abc, which is no registry",
      "error: modern@1.2.3: it wants Node ^22.12.0 || >=24, and this package promises 20.19.0",
      "error: open@1.2.3: the lock file has no integrity for it",
      "error: unhashed@1.2.3: the lock file has no integrity for it"
    ])
  })

  it.skipIf(skipsLong)("counts packages of other platforms that are listed as without integrity, and no other", () => {
    mkdirSync(`${folder}/.ci`)
    const list = (...names: ReadonlyArray<string>) =>
      writeFileSync(`${folder}/.ci/no-integrity.json`, JSON.stringify(names))
    list("listed@1.2.3")
    const other = { optional: true, os: ["none"] }
    const packages = { listed: { ...other, integrity: undefined }, fine: {} }
    expect(faultsOf(packages)).toEqual([])
    expect(audit(folder).stdout).toBe(
      "audit: 2 packages, 2 of them installed with this one: 1 listed in .ci/no-integrity.json has no hash, see SECURITY.md\n"
    )
    list("listed@1.2.3", "listed@1.2.4")
    expect(faultsOf(packages)).toEqual([
      "error: listed@1.2.4: the lock file does not have it: take it out of .ci/no-integrity.json"
    ])
    list("listed@1.2.3", "here@1.2.3", "hashed@1.2.3")
    expect(
      faultsOf({ ...packages, hashed: other, here: { integrity: undefined }, new: { ...other, integrity: undefined } })
    ).toEqual([
      "error: hashed@1.2.3: it has an integrity now: take it out of .ci/no-integrity.json",
      "error: here@1.2.3: the lock file has no integrity for it",
      "error: new@1.2.3: the lock file has no integrity for it"
    ])
    rmSync(`${folder}/.ci`, { recursive: true })
  })

  it("has a hash of every package of every platform, in the lock file of this project", () => {
    const { packages } = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"))
    const open = Object.entries<{ readonly integrity?: string; readonly link?: boolean }>(packages).filter(
      ([path, { integrity, link }]) => path !== "" && link !== true && integrity === undefined
    )
    expect(open.map(([path]) => path)).toEqual([])
  })

  it("finds a version that is known to be bad, below a name of its own too, and no other", () => {
    expect(
      faultsOf({
        undici: { version: "7.27.0" },
        "a/node_modules/undici": { version: "7.30.0" },
        ws: { version: "8.17.0", dev: true },
        stream: { name: "ws", version: "8.17.1" },
        yaml: { version: "2.2.1" },
        jsonata: { version: "2.2.0" }
      }).map((fault) => fault.split(":").slice(0, 3).join(":"))
    ).toEqual([
      "error: undici@7.27.0: CVE-2026-12151",
      "error: ws@8.17.0: GHSA-3h5v-q93c-6h6q",
      "error: yaml@2.2.1: GHSA-f9xv-q969-pqx4",
      "error: jsonata@2.2.0: GHSA-86vw-mfpg-wwv9",
      "error: jsonata@2.2.0: GHSA-663r-x48j-fg8p"
    ])
  })

  it("reads ranges of Node as npm does", () => {
    const fits = ["*", ">= 20", ">=20.18.1", "^18 || ^20.3", "20.x", "~20.19", "18 - 22", ">=v12.22.7", "<=20"]
    const misses = ["^18", ">20", "<20.19.0", "~20.18", ">=20.20", "21.x", "^20.19.1", "16 - 20.18"]
    const wants = (ranges: ReadonlyArray<string>) =>
      faultsOf(Object.fromEntries(ranges.map((node, index) => [`p${index}`, { engines: { node } }])))
    expect(wants(fits)).toEqual([])
    expect(wants(misses)).toHaveLength(misses.length)
  })
})
