#!/usr/bin/env node
/**
 * Makes the declarations of `tsc` (`dist/types`) those of the package:
 *
 * - `promise.d.ts` becomes one file that names no package: the declarations that its exports need, each class with the fields that
 *   programs see in place of its base of Effect. It fails on a type that names Effect otherwise.
 * - Declarations of packages whose code is bundled, `@effect/sql` for one, are copied: they are not installed with Sluice.
 * - Declarations that no entry needs go.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const ts = require("typescript")

const root = fileURLToPath(new URL("..", import.meta.url))
const types = join(root, "dist", "types")

/** Plain types for those of Effect in the options and errors of `sluice/promise`. */
const words = {
  Duration: `/** A duration of an error. */
export interface Duration {
  readonly value:
    | { readonly _tag: "Millis"; readonly millis: number }
    | { readonly _tag: "Nanos"; readonly nanos: bigint }
    | { readonly _tag: "Infinity" }
}`,
  DurationInput: `type DurationUnit = "nano" | "micro" | "milli" | "second" | "minute" | "hour" | "day" | "week"
/** Milliseconds, or a string like \`90 seconds\`. */
export type DurationInput = number | \`\${number} \${DurationUnit | \`\${DurationUnit}s\`}\``
}

const typeLike = ts.SymbolFlags.Type | ts.SymbolFlags.Alias
const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope

/** One file of declarations: those that the exports of a module need, as far as they are in `dist/types`. */
const rollUp = (entry) => {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")]
  })
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter()
  const isOurs = (node) => node.getSourceFile().fileName.startsWith(`${types}/`)
  const isOfEffect = (node) => /\/node_modules\/(@effect\/|effect\/)/.test(node.getSourceFile().fileName)
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  const isTopLevel = (declaration) =>
    ts.isSourceFile(declaration.parent) || ts.isVariableDeclarationList(declaration.parent)

  const names = new Map()
  const taken = new Set()
  const texts = []
  const faults = new Set()

  /** Name of a symbol in the file, whose declaration is added when it is asked for. */
  const nameOf = (symbol, wanted = symbol.name) => {
    const known = names.get(symbol)
    if (known !== undefined) return known
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
    taken.add(name)
    names.set(symbol, name)
    const at = texts.push("") - 1
    const all = symbol.declarations
    // A schema and its type share a name: programs see the type.
    const onlyTypes = all.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
    texts[at] = (onlyTypes.length > 0 ? onlyTypes : all).map((declaration) => declared(declaration, name)).join("\n")
    return name
  }

  /** Name that a reference gets in the one file; undefined for one to something inside the same declaration, which stays as it is. */
  const nameFor = (symbol, node) => {
    const target = resolved(symbol)
    const declaration = target.declarations?.find((each) => ts.isSourceFile(each) || isTopLevel(each))
    if (declaration === undefined || ts.isSourceFile(declaration)) return undefined
    if (isOurs(declaration)) return nameOf(target)
    if (!isOfEffect(declaration)) return undefined
    if (target.name in words) {
      if (!names.has(target)) {
        names.set(target, target.name)
        taken.add(target.name)
        texts.push(words[target.name])
      }
      return target.name
    }
    faults.add(`${target.name} of Effect, in ${relative(types, node.getSourceFile?.()?.fileName ?? entry)}`)
    return undefined
  }

  /** Text of a node with the names of this file. */
  const textOf = (node, { from = node.getFullStart() } = {}) => {
    const file = node.getSourceFile()
    const edits = []
    const visit = (child) => {
      const symbol = symbolOf(child)
      const name = symbol === undefined ? undefined : nameFor(symbol, child)
      if (name !== undefined) {
        edits.push([child.getStart(), ts.isImportTypeNode(child) ? endOfName(child) : child.getEnd(), name])
        if (ts.isImportTypeNode(child)) child.typeArguments?.forEach(visit)
        return
      }
      ts.forEachChild(child, visit)
    }
    const symbolOf = (child) => {
      if (ts.isImportTypeNode(child)) return child.qualifier && checker.getSymbolAtLocation(child.qualifier)
      if (ts.isQualifiedName(child) || ts.isPropertyAccessExpression(child)) return checker.getSymbolAtLocation(child)
      if (!ts.isIdentifier(child) || ts.isNamespaceExport(child.parent)) return undefined
      const { parent } = child
      const isName = parent.name === child && !ts.isExpressionWithTypeArguments(parent)
      return isName ? undefined : checker.getSymbolAtLocation(child)
    }
    const endOfName = (child) => child.qualifier.getEnd()
    visit(node)
    const text = file.text
    let [made, at] = ["", from]
    for (const [start, end, name] of edits.sort(([one], [other]) => one - other)) {
      made += text.slice(at, start) + name
      at = end
    }
    return made + text.slice(at, node.getEnd())
  }

  /** A type that the checker knows, as text. */
  const printed = (type, at, more = 0) => {
    const node = checker.typeToTypeNode(type, undefined, flags | more)
    if (node === undefined) throw new Error(`${at.getText().slice(0, 80)}: a type without a text`)
    const visit = (child) => {
      if (ts.isImportTypeNode(child))
        faults.add(`${printer.printNode(ts.EmitHint.Unspecified, child, at.getSourceFile())} in a class`)
      const symbol = ts.isIdentifier(child) ? child.symbol : ts.isQualifiedName(child) ? child.right.symbol : undefined
      const name = symbol === undefined || !(symbol.flags & typeLike) ? undefined : nameFor(symbol, at)
      return name === undefined ? ts.visitEachChild(child, visit, undefined) : ts.factory.createIdentifier(name)
    }
    return printer.printNode(ts.EmitHint.Unspecified, visit(node), at.getSourceFile())
  }

  /** The comment of a declaration, without that of its file. */
  const commentOf = (node) =>
    (ts.getLeadingCommentRanges(node.getSourceFile().text, node.getFullStart()) ?? [])
      .slice(-1)
      .map(({ end, pos }) => `${node.getSourceFile().text.slice(pos, end)}\n`)
      .join("")

  /** Fields of an object type, with their comments; those of Error and of Effect are left out. */
  const fieldsOf = (type, at) =>
    checker.getPropertiesOfType(type).flatMap((property) => {
      const [declaration] = property.declarations ?? []
      if (property.name.startsWith("__@") || declaration === undefined || !isOurs(declaration)) {
        if (property.name !== "_tag") return []
      }
      if (["message", "name", "stack"].includes(property.name)) return []
      const type = checker.getTypeOfSymbolAtLocation(property, at)
      const comment = declaration === undefined || !isOurs(declaration) ? "" : commentOf(declaration)
      const optional = property.flags & ts.SymbolFlags.Optional ? "?" : ""
      return [`${comment}readonly ${property.name}${optional}: ${printed(type, at)}`]
    })

  const declaredClass = (declaration, name) => {
    const symbol = checker.getSymbolAtLocation(declaration.name)
    const [make] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct)
    const given = make.parameters.map((parameter) => checker.getTypeOfSymbolAtLocation(parameter, declaration))
    const parameters = given
      .flatMap((type) => (checker.isTupleType(type) ? checker.getTypeArguments(type) : [type]))
      .filter((type) => !(type.flags & ts.TypeFlags.Void))
      .map((type) => `fields: ${printed(type, declaration)}`)
    return `${commentOf(declaration)}export declare class ${name} extends Error {
${fieldsOf(checker.getDeclaredTypeOfSymbol(symbol), declaration).join("\n")}
constructor(${parameters.join(", ")})
}`
  }

  /** True for an interface that takes from another one by `Omit`, and for a type that is derived from a value of its name, such as a schema. */
  const isDerived = (declaration) =>
    new RegExp(`\\bOmit<[\\w.]*(Options|Given)|\\btypeof ${declaration.name.text}\\b`).test(
      ts.isTypeAliasDeclaration(declaration)
        ? declaration.type.getText()
        : (declaration.heritageClauses ?? []).map((each) => each.getText()).join()
    )

  const declared = (declaration, name) => {
    if (ts.isClassDeclaration(declaration)) return declaredClass(declaration, name)
    const isAlias = ts.isTypeAliasDeclaration(declaration)
    if ((ts.isInterfaceDeclaration(declaration) || isAlias) && isDerived(declaration)) {
      const type = checker.getTypeAtLocation(declaration)
      return isAlias && !(type.flags & ts.TypeFlags.Object)
        ? `${commentOf(declaration)}export type ${name} = ${printed(type, declaration, ts.NodeBuilderFlags.InTypeAlias)}`
        : `${commentOf(declaration)}export interface ${name} {\n${fieldsOf(type, declaration).join("\n")}\n}`
    }
    if (ts.isVariableDeclaration(declaration)) {
      const statement = declaration.parent.parent
      return `${commentOf(statement)}export declare const ${name}: ${textOf(declaration.type, { from: declaration.type.getStart() })}`
    }
    const start = declaration.name.getEnd()
    const kind = ts.isInterfaceDeclaration(declaration)
      ? "interface"
      : ts.isTypeAliasDeclaration(declaration)
        ? "type"
        : undefined
    if (kind === undefined)
      throw new Error(`${declaration.getText().slice(0, 80)}: a declaration of this kind is not expected`)
    return `${commentOf(declaration)}export ${kind} ${name}${textOf(declaration, { from: start })}`
  }

  const exportsOf = checker.getSymbolAtLocation(program.getSourceFile(entry))
  const [lists, shown] = [[], []]
  for (const exported of checker.getExportsOfModule(exportsOf)) {
    const target = resolved(exported)
    if (target.flags & ts.SymbolFlags.ValueModule) {
      const isShown = (each) => each.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias)
      const inner = checker
        .getExportsOfModule(target)
        .filter(isShown)
        .map((each) => {
          const name = nameOf(resolved(each))
          return name === each.name ? name : `${name} as ${each.name}`
        })
      lists.push(`export declare namespace ${exported.name} {\nexport { ${inner.join(", ")} }\n}`)
      continue
    }
    const name = nameOf(target, exported.name)
    shown.push(name === exported.name ? name : `${name} as ${exported.name}`)
  }
  if (faults.size > 0) throw new Error(`the types of sluice/promise name\n  ${[...faults].join("\n  ")}`)
  // What is not exported stays in the file.
  const all = texts.map((text) => text.replace(/^export (?=(declare|interface|type) )/m, "").replace(/^\s+/, ""))
  return `${all.map((text) => text.replace(/^(class|const) /m, "declare $1 ")).join("\n\n")}\n\n${lists.join("\n")}\nexport { ${shown.join(", ")} }\n`
}

/** Specifiers of a declaration's imports. */
const imports = /(?<=(?:\bfrom |\bimport\(|^import )")[^"]+(?=")/gm

/** Copies a declaration of a bundled package, with what it imports from such packages; returns its place. */
const copied = (specifier) => {
  const [, name, path] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(specifier)
  return copy(join(root, "node_modules", name, "dist", "dts", `${path}.d.ts`))
}

const copy = (file) => {
  const target = join(types, "packages", relative(join(root, "node_modules"), file).replace("/dist/dts/", "/"))
  if (existsSync(target)) return target
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, "")
  writeFileSync(target, withCopies(file, target))
  return target
}

/** Text of a declaration whose imports from bundled packages lead to their copies. */
const withCopies = (file, target) =>
  readFileSync(file, "utf8").replace(imports, (specifier) => {
    if (specifier.startsWith(".") && file !== target) copy(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")))
    if (!/^@effect\/(?!platform\/)/.test(specifier)) return specifier
    return relative(dirname(target), copied(specifier))
      .replace(/^(?!\.)/, "./")
      .replace(/\.d\.ts$/, ".js")
  })

/** Declarations that an entry needs. */
const needed = (entries) => {
  const found = new Set(entries.map((name) => join(types, name)))
  for (const file of found) {
    const text = withCopies(file, file)
    writeFileSync(file, text)
    for (const [specifier] of text.matchAll(imports)) {
      const path = join(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts"))
      if (specifier.startsWith(".") && existsSync(path)) found.add(path)
    }
  }
  return found
}

writeFileSync(join(types, "promise.d.ts"), rollUp(join(types, "promise.d.ts")))
const kept = needed(["index.d.ts", "promise.d.ts", "Cluster/Door.d.ts"])
for (const name of readdirSync(types, { recursive: true }))
  if (name.endsWith(".d.ts") && !kept.has(join(types, name))) rmSync(join(types, name))
