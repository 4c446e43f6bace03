/**
 * Errors of the compiler in the programs of a project, and exports of the public modules without a description. A
 * process of its own, because it takes long. The sources of the library are checked elsewhere.
 */
import { dirname } from "node:path"
import ts from "typescript"

const [project, ...doors] = process.argv.slice(2)
const folder = dirname(project)
const { config, error } = ts.readConfigFile(project, ts.sys.readFile)
const { errors, fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
const program = ts.createProgram([...fileNames, ...doors], options)
const checker = program.getTypeChecker()

const faults = [
  ...(error === undefined ? [] : [error]),
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...fileNames
    .filter((name) => name.startsWith(folder))
    .map((name) => program.getSourceFile(name))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
]

const original = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

/** Exports of a module, and of the modules that it exports. */
const given = (module, prefix = "") =>
  checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = original(symbol)
    const name = `${prefix}${symbol.name}`
    return target.flags & ts.SymbolFlags.ValueModule ? given(target, `${name}.`) : [[name, target]]
  })

const silent = ([, symbol]) => symbol.getDocumentationComment(checker).length === 0

const said = {
  faults: ts.formatDiagnostics(faults, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n"
  }),
  doors: doors.map((door) => {
    const all = given(checker.getSymbolAtLocation(program.getSourceFile(door)))
    return { count: all.length, silent: all.filter(silent).map(([name]) => name) }
  })
}
process.stdout.write(JSON.stringify(said))
