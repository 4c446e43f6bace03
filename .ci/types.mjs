#!/usr/bin/env node
/**
 * Checks types, also in the programs of the documentation, the declarations of the published modules, and the rules of Effect's
 * language service, in one program.
 *
 * `tsc --noEmit`, `tsc --project tsconfig.build.json` and `effect-language-service diagnostics` find the same in three
 * times the processor time: each parses and checks all files again, the last one again for every 50 files.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { tsImport } from "tsx/esm/api"

const require = createRequire(import.meta.url)
const ts = require("typescript")
const effectPlugin = require("@effect/language-service/index.js")

const root = fileURLToPath(new URL("..", import.meta.url))
const formatting = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => "\n"
}

const configOf = (name) =>
  ts.getParsedCommandLineOfConfigFile(join(root, name), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, formatting))
    }
  })

const { errors, fileNames: sources, options } = configOf("tsconfig.json")

/** Writes the programs of all pages to a folder. A file of the repository is checked where it lies. */
const writePrograms = async (folder) => {
  const { pages } = await tsImport("../test/docs/Pages.ts", import.meta.url)
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  return pages.flatMap(({ blocks, name }) =>
    blocks
      .filter(({ language, title }) => language === "ts" && title?.startsWith("src/") !== true)
      .map(({ line, text, title }) => {
        const file = join(folder, name.replace(/\W/g, "-"), title ?? `line-${line}.mts`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
        return file
      })
  )
}

const folder = mkdtempSync(join(tmpdir(), "sluice-types-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const programs = await writePrograms(folder)
if (programs.length === 0) throw new Error("no page of the documentation has a program")
const fileNames = [...sources, ...programs]

const host = {
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
  getCompilationSettings: () => options,
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => fileNames,
  // No file changes while this runs.
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => {
    const text = ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  }
}
const service = ts.createLanguageService(host)
const program = service.getProgram()
const withEffect = effectPlugin({ typescript: ts }).create({
  languageService: service,
  languageServiceHost: host,
  serverHost: ts.sys,
  project: { log: () => undefined },
  config: options.plugins.find(({ name }) => name === "@effect/language-service")
})

/** Tests and benchmarks may do what the language service advises against. */
const isProduct = (name) => /^(src|pipelines)\//.test(relative(root, name))

/** Modules whose declarations are published: the public ones, and what they import. */
const published = new Set()
const publish = (name) => {
  if (published.has(name)) return
  published.add(name)
  for (const { text } of program.getSourceFile(name).imports) {
    const { resolvedModule } = ts.resolveModuleName(text, name, options, ts.sys)
    if (resolvedModule?.isExternalLibraryImport === false) publish(resolvedModule.resolvedFileName)
  }
}
configOf("tsconfig.build.json").fileNames.forEach(publish)

const diagnostics = [
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...fileNames.flatMap((name) => [
    ...service.getSyntacticDiagnostics(name),
    ...(isProduct(name) ? withEffect : service).getSemanticDiagnostics(name),
    ...(published.has(name) ? program.getDeclarationDiagnostics(program.getSourceFile(name)) : [])
  ])
].filter(({ category }) => category === ts.DiagnosticCategory.Error || category === ts.DiagnosticCategory.Warning)

if (diagnostics.length > 0) process.stdout.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, formatting))
console.log(`${fileNames.length} files, ${published.size} of them published: ${diagnostics.length} problems`)
process.exitCode = diagnostics.length > 0 ? 1 : 0
