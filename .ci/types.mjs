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
const rulesOfEffect = require("@effect/language-service/schema.json")

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

const program = ts.createProgram(fileNames, options)
const fileOf = (name) => program.getSourceFile(name)

/** Rules that only suggest, in editors: a third of the time of all rules. */
const suggestions = Object.entries(
  rulesOfEffect.definitions.effectLanguageServicePluginDiagnosticSeverityDefinition.properties
)
  .filter(([, rule]) => rule.default === "suggestion")
  .map(([name]) => [name, "off"])
const config = options.plugins.find(({ name }) => name === "@effect/language-service")
const severity = { ...Object.fromEntries(suggestions), ...config.diagnosticSeverity }
const plugin = effectPlugin({ typescript: ts })
const withEffect = plugin.create({
  // All that the plugin needs of a language service. A real one looks for changed files before each answer.
  languageService: { getProgram: () => program, getSemanticDiagnostics: () => [] },
  project: { log: () => undefined },
  config: { ...config, diagnosticSeverity: severity }
})

/** The rule of duplicate packages looks at all files of the program, so it has nothing new to say about a second one. */
const effectDiagnostics = (name) => {
  const found = withEffect.getSemanticDiagnostics(name)
  plugin.onConfigurationChanged({ ...config, diagnosticSeverity: { ...severity, duplicatePackage: "off" } })
  return found
}

/** Tests and benchmarks may do what the language service advises against. */
const isProduct = (name) => /^(src|pipelines)\//.test(relative(root, name))

/** Modules whose declarations are published: the public ones, and what they import. */
const published = new Set()
const publish = (name) => {
  if (published.has(name)) return
  published.add(name)
  for (const { text } of fileOf(name).imports) {
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
    ...program.getSyntacticDiagnostics(fileOf(name)),
    ...program.getSemanticDiagnostics(fileOf(name)),
    ...(isProduct(name) ? effectDiagnostics(name) : []),
    ...(published.has(name) ? program.getDeclarationDiagnostics(fileOf(name)) : [])
  ])
].filter(({ category }) => category === ts.DiagnosticCategory.Error || category === ts.DiagnosticCategory.Warning)

if (diagnostics.length > 0) process.stdout.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, formatting))
console.log(`${fileNames.length} files, ${published.size} of them published: ${diagnostics.length} problems`)
process.exitCode = diagnostics.length > 0 ? 1 : 0
