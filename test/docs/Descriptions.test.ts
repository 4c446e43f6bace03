/** Every export of the public modules has a description, which editors show. */
import { dirname, resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import ts from "typescript"
import { root } from "./Pages.ts"

/** The public modules, with the number of exports that each has at least. */
const modules = [
  ["src/index.ts", 20],
  ["src/promise.ts", 20],
  ["src/Cluster/Door.ts", 5]
] as const

/** Descriptions are in the sources: no type of a package is read. */
const options: ts.CompilerOptions = { noLib: true, types: [], allowImportingTsExtensions: true, noEmit: true }

const host = ts.createCompilerHost(options)
const doors: ReadonlyArray<string> = modules.map(([name]) => root + name)
// Behind the doors only modules that are exported again are read: an export that is not found would be one without a description.
host.resolveModuleNameLiterals = (names, from, _redirected, _options, { text: source }) =>
  names.map(({ text }) =>
    text.endsWith(".ts") &&
    (doors.includes(from) || new RegExp(`^export .* from "${text}"|^\\} from "${text}"`, "m").test(source))
      ? { resolvedModule: { resolvedFileName: resolve(dirname(from), text), extension: ts.Extension.Ts } }
      : { resolvedModule: undefined }
  )

const program = ts.createProgram(
  modules.map(([name]) => root + name),
  options,
  host
)
const checker = program.getTypeChecker()

/** Exports of a module, and of the modules that it exports, by their names. */
const exportsOf = (module: ts.Symbol, prefix = ""): ReadonlyArray<readonly [name: string, symbol: ts.Symbol]> =>
  checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const name = `${prefix}${symbol.name}`
    return target.flags & ts.SymbolFlags.ValueModule ? exportsOf(target, `${name}.`) : [[name, target] as const]
  })

describe("the public modules", () => {
  for (const [name, least] of modules) {
    it(`${name} exports nothing without a description`, () => {
      const file = program.getSourceFile(root + name)
      const module = file && checker.getSymbolAtLocation(file)
      const all = module === undefined ? [] : exportsOf(module)
      expect(all.length).toBeGreaterThan(least)
      const silent = all.filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0)
      expect(silent.map(([name]) => name)).toEqual([])
    })
  }
})
