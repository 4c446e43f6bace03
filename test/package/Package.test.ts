import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { catalogue } from "../../src/Settings.ts"
import { program } from "../Programs.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const text = (name: string): string => readFileSync(`${root}${name}`, "utf8")
const manifest = JSON.parse(text("package.json"))

describe("the package", () => {
  it("runs nothing where it is installed, and says that importing it does nothing either", () => {
    for (const script of ["preinstall", "install", "postinstall"]) expect(manifest.scripts[script]).toBeUndefined()
    expect(manifest.sideEffects).toBe(false)
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it("is published for everybody, with its provenance", () => {
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true })
    for (const file of ["CHANGELOG.md", "SECURITY.md"]) expect(manifest.files).toContain(file)
  })

  it("brings the packages that are loaded by their first use, which are not installed with it", () => {
    const names = [...text("src/Packages.ts").matchAll(/require\("(.+?)"\)/g)].map(([, name = ""]) => name)
    expect(names).toContain("iconv-lite")
    const folder = mkdtempSync(`${tmpdir()}/late-`)
    try {
      for (const name of names) {
        const file = `late-${name.replace(/\W+/g, "-")}.cjs`
        copyFileSync(`${dirname(program("bin"))}/${file}`, `${folder}/${file}`)
        expect(Object.keys(createRequire(`${folder}/`)(`./${file}`)), name).not.toEqual([])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("has its code in ASCII, which V8 keeps as one byte per letter", () => {
    const folder = dirname(program("bin"))
    const files = readdirSync(folder).filter((name) => /^(?:chunk|lib|late)-/.test(name))
    expect(files.length).toBeGreaterThan(100)
    const others = files.filter((name) => readFileSync(`${folder}/${name}`).some((byte) => byte > 127))
    expect(others).toEqual([])
  })

  it("is tried with every line of Node that it is for, and its image has one of them", () => {
    const [, list = ""] = /const nodes = \[(.*)\]/.exec(text(".ci/package.mjs")) ?? []
    const nodes = [...list.matchAll(/"([\d.]+)"/g)].map(([, version = ""]) => version)
    expect(nodes[0]).toBe(`${manifest.engines.node.replace(">=", "")}.0`)
    expect(nodes.map((version) => version.split(".")[0])).toEqual(["20", "22", "24"])
    expect(nodes).toContain(/^FROM node:([\d.]+)/m.exec(text("Dockerfile"))?.[1])
  })
})

describe("SECURITY.md", () => {
  const security = text("SECURITY.md")

  it("names tests that are there, and settings", () => {
    const named = [...security.matchAll(/`(test\/[\w/.]+)`/g)].map(([, path = ""]) => path)
    expect(named.length).toBeGreaterThan(20)
    for (const path of named) expect(existsSync(`${root}${path}`), path).toBe(true)
    const settings = Object.values(catalogue).map(({ env }) => env)
    for (const [name] of security.matchAll(/SLUICE_\w+/g)) expect(settings).toContain(name)
  })

  it("says which versions get fixes", () => {
    expect(security).toContain(`${manifest.version.split(".").slice(0, 2).join(".")}.x`)
    expect(security).toContain(`Node ${manifest.engines.node.replace(">=", "")}`)
  })
})
