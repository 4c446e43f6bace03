import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { at, pages, root } from "./Pages.ts"

describe("the programs of the documentation", () => {
  it("have types that are right", async () => {
    const project = mkdtempSync(`${tmpdir()}/sluice-docs-types-`)
    const files = pages.flatMap((page) =>
      page.blocks
        // A file of the project is checked where it lies.
        .filter(({ language, title }) => language === "ts" && title?.startsWith("src/") !== true)
        .map((block) => {
          const file = `${project}/${page.name.replace(/\W/g, "-")}/${block.title ?? `program-${block.line}.mts`}`
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, block.text)
          return [at(block), file] as const
        })
    )
    expect(files.length).toBeGreaterThan(5)
    symlinkSync(`${root}node_modules`, `${project}/node_modules`)
    writeFileSync(`${project}/package.json`, '{ "type": "module" }')
    const compilerOptions = {
      paths: { sluice: [`${root}src/index.ts`], "sluice/promise": [`${root}src/promise.ts`] },
      typeRoots: [`${root}node_modules/@types`]
    }
    const config = {
      extends: `${root}tsconfig.json`,
      compilerOptions,
      include: [`${root}src/**/*.d.ts`],
      files: files.map(([, file]) => file)
    }
    writeFileSync(`${project}/tsconfig.json`, JSON.stringify(config))
    // In a process of its own: it takes long, and nobody else waits for it.
    const said = await new Promise<string>((resolve) =>
      execFile(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", project], (_, out) =>
        resolve(out)
      )
    )
    rmSync(project, { recursive: true, force: true })
    expect(said).toBe("")
  }, 300_000)
})
