import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { pages, root } from "./Pages.ts"

/** The doors of the library, with how much each of them gives at least: who finds less has not looked. */
const doors = [
  ["src/index.ts", 20],
  ["src/promise.ts", 20],
  ["src/Cluster/Door.ts", 5]
] as const

interface Said {
  readonly faults: string
  readonly doors: ReadonlyArray<{ readonly count: number; readonly silent: ReadonlyArray<string> }>
}

/** The programs of all pages as one project. */
const write = (project: string): ReadonlyArray<string> => {
  const files = pages.flatMap((page) =>
    page.blocks
      // A file of the project is checked where it lies.
      .filter(({ language, title }) => language === "ts" && title?.startsWith("src/") !== true)
      .map((block) => {
        const file = `${project}/${page.name.replace(/\W/g, "-")}/${block.title ?? `program-${block.line}.mts`}`
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, block.text)
        return file
      })
  )
  symlinkSync(`${root}node_modules`, `${project}/node_modules`)
  writeFileSync(`${project}/package.json`, '{ "type": "module" }')
  const config = {
    extends: `${root}tsconfig.json`,
    compilerOptions: {
      paths: {
        sluice: [`${root}src/index.ts`],
        "sluice/promise": [`${root}src/promise.ts`],
        "sluice/cluster": [`${root}src/Cluster/Door.ts`]
      },
      typeRoots: [`${root}node_modules/@types`]
    },
    include: [`${root}src/**/*.d.ts`],
    files
  }
  writeFileSync(`${project}/tsconfig.json`, JSON.stringify(config))
  return files
}

let written: ReadonlyArray<string> = []
let said: Said

beforeAll(async () => {
  const project = mkdtempSync(`${tmpdir()}/sluice-docs-types-`)
  written = write(project)
  const words = [`${root}test/docs/Compiler.mjs`, `${project}/tsconfig.json`, ...doors.map(([door]) => root + door)]
  const out = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, words, { maxBuffer: 2 ** 24 }, (error, out) => (error ? reject(error) : resolve(out)))
  )
  rmSync(project, { recursive: true, force: true })
  said = JSON.parse(out)
}, 300_000)

describe("the programs of the documentation", () => {
  it("have types that are right", () => {
    expect(written.length).toBeGreaterThan(5)
    expect(said.faults).toBe("")
  })
})

describe("the doors", () => {
  for (const [index, [door, least]] of doors.entries()) {
    it(`${door} gives nothing without a word on what it is`, () => {
      expect(said.doors[index]?.count).toBeGreaterThan(least)
      expect(said.doors[index]?.silent).toEqual([])
    })
  }
})
