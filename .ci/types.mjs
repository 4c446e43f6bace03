#!/usr/bin/env node
/**
 * Checks types, also in the programs of the documentation, the rules of Effect's language service, and the declarations of
 * the published modules. With `emit`, writes these declarations to `dist/types` and checks nothing else.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { tsImport } from "tsx/esm/api"
import { compile } from "./compiler.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
process.chdir(root)

/** Writes the programs of all pages to a folder, as a project together with the sources and tests. */
const writeProject = async (project) => {
  const { pages } = await tsImport("../test/docs/Pages.ts", import.meta.url)
  const files = pages.flatMap(({ blocks, name }) =>
    blocks
      // A file of the repository is checked where it lies.
      .filter(({ language, title }) => language === "ts" && title?.startsWith("src/") !== true)
      .map(({ line, text, title }) => {
        const file = join(project, name.replace(/\W/g, "-"), title ?? `line-${line}.mts`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
        return file
      })
  )
  if (files.length === 0) throw new Error("no page of the documentation has a program")
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { typeRoots: [join(root, "node_modules/@types")] },
    include: ["src", "test", "bench", "pipelines", "docs/examples", "docs/.vitepress/config.mts"].map((name) =>
      join(root, name)
    ),
    exclude: [join(root, "src/Web")],
    files
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config))
}

/** Only `src` and `pipelines` follow the advice of the language service. */
const isAdviceElsewhere = (text) => !/^(src|pipelines)\//.test(text) && / TS377\d+: /.test(text)

const check = async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-types-"))
  try {
    await writeProject(folder)
    const found = await Promise.all([
      compile("--project", folder),
      compile("--project", "src/Web"),
      compile("--project", "tsconfig.build.json", "--outDir", join(folder, "declarations"))
    ])
    return found.flat().filter((text) => !isAdviceElsewhere(text))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const found = await (process.argv[2] === "emit" ? compile("--project", "tsconfig.build.json") : check())
const problems = [...new Set(found)]
if (problems.length > 0) console.log(problems.join("\n"))
console.log(`${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
