/**
 * Writes the interfaces of requests, answers and steps from their schemas, so that editors show names and descriptions where the types of
 * the schemas would be expanded. `src/Generated/` is not in git: `npm ci`, `npm run check` and `npm pack` write it. Nothing loads it, only
 * types are imported from it, so that this program runs without it.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { knownValues } from "../src/Api/Field.ts"
import { Common, Frame, ignoredKeys } from "../src/Pipeline/Definition.ts"
import { expectation, withKeyDescriptions } from "../src/Pipeline/Expectation.ts"
import { builtIn } from "../src/Pipeline/Extensions.ts"
import { aboutOf, filledIn, layers } from "../src/Pipeline/Reference.ts"
import { isExpression } from "../src/Step/Field.ts"

type Side = "type" | "encoded"

/** Interfaces of one file, and the places of fields that say nothing about themselves. */
interface Printed {
  readonly text: string
  readonly silent: ReadonlyArray<string>
}

/** Phrases that say no more than a type of TypeScript does. */
const isPlain = (phrase: string): boolean =>
  phrase.length > 160 ||
  !/^(an? |one |off)/.test(phrase) ||
  /^(a string|a number|a string or a number|a string, a number or true or false|a string or an array(, each a string)?|any value|another value|an object.*|an array.*)$/.test(
    phrase
  ) ||
  /an object|an array/.test(phrase)

const sentence = (phrase: string): string => `${phrase[0]?.toUpperCase()}${phrase.slice(1)}.`

/** The types of a union, and of the unions in it. */
const members = (ast: AST.AST): ReadonlyArray<AST.AST> => (AST.isUnion(ast) ? ast.types.flatMap(members) : [ast])

/** Description, bounds and default of a field, as the text of a comment. */
const documentation = (signature: AST.PropertySignature, fallback: unknown): string => {
  const all = layers(signature.type)
  const own = signature.type
  const parts = members(own).filter(
    (type) => !AST.isUndefinedKeyword(type) && !(AST.isLiteral(type) && type.literal === null)
  )
  const phrase = [...new Set(parts.map(expectation))].join(" or ")
  const value = fallback ?? all.flatMap((each) => Option.toArray(AST.getDefaultAnnotation(each)))[0]
  return [
    aboutOf([signature, ...all]),
    isExpression(own) ? "An expression over the row (JSONata)." : undefined,
    isPlain(phrase) ? undefined : sentence(phrase),
    value === undefined ? undefined : `Default: \`${JSON.stringify(value)}\`.`
  ]
    .filter((part) => part !== undefined)
    .join(" ")
    .replaceAll("*/", "*\\/")
}

/** Names of objects that stand in a field of a definition, by their place. */
const fieldNames: Readonly<Record<string, string>> = {
  "Frame.budget": "BudgetFields",
  "Frame.health": "HealthFields",
  "Frame.inputs.NAME": "InputFields",
  "Frame.notify": "NotifyFields",
  "Frame.schedule": "ScheduleFields",
  "CommonKeys.retry": "RetryFields"
}

/** Prints the schemas that have an identifier as interfaces, and further ones under the names they are given. */
const printer = (side: Side) => {
  const named = new Map<string, AST.AST>()
  /** Interfaces of {@link fieldNames}. */
  const inner: Array<string> = []
  const silent: Array<string> = []

  /** What a value of this side is: without filters, and before or after the transformation. */
  const valueOf = (ast: AST.AST): AST.AST => {
    if (AST.isRefinement(ast)) return valueOf(ast.from)
    if (AST.isTransformation(ast)) return valueOf(side === "type" ? ast.to : ast.from)
    return AST.isSuspend(ast) ? valueOf(ast.f()) : ast
  }

  const nameOf = (ast: AST.AST): string | undefined => {
    const name = Option.getOrUndefined(AST.getIdentifierAnnotation(ast))
    const value = valueOf(ast)
    const isObject =
      AST.isTypeLiteral(value) || (AST.isUnion(value) && value.types.some((type) => !AST.isLiteral(type)))
    if (name === undefined || !/^[A-Z]\w+$/.test(name) || !isObject || name === "Tbs") return undefined
    if (!named.has(name)) named.set(name, ast)
    return name
  }

  const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

  const print = (ast: AST.AST, place: string): string => nameOf(ast) ?? body(ast, place)

  const body = (ast: AST.AST, place: string): string => {
    const value = valueOf(ast)
    switch (value._tag) {
      case "StringKeyword": {
        const known = value.annotations[knownValues] as ReadonlyArray<string> | undefined
        return known === undefined ? "string" : union(known.map((each) => JSON.stringify(each)))
      }
      case "TemplateLiteral":
        return "string"
      case "NumberKeyword":
        return "number"
      case "BooleanKeyword":
        return "boolean"
      case "UndefinedKeyword":
        return "undefined"
      case "UnknownKeyword":
      case "AnyKeyword":
        return "unknown"
      case "ObjectKeyword":
        return "object"
      case "Literal":
        return JSON.stringify(value.literal)
      case "Union":
        return union(value.types.map((type) => print(type, place)))
      case "TupleType": {
        const rest = union(value.rest.map(({ type }) => print(type, place)))
        const first = value.elements.map(({ type }) => print(type, place))
        if (first.length > 0)
          return `readonly [${[...first, ...(rest === "" ? [] : [`...ReadonlyArray<${rest}>`])].join(", ")}]`
        return `ReadonlyArray<${rest}>`
      }
      case "TypeLiteral":
        return object(ast, value, place)
      default:
        throw new Error(`${place}: a schema of the kind ${value._tag} has no type here`)
    }
  }

  const object = (ast: AST.AST, value: AST.TypeLiteral, place: string): string => {
    const defaults = side === "encoded" ? filledIn(ast) : {}
    const fields = value.propertySignatures.map((signature) => {
      const name = String(signature.name)
      const about = documentation(signature, defaults[name])
      const at = `${place}.${name}`
      if (/^(Default: `.*`\.)?$/.test(about)) silent.push(at)
      const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
      return `/** ${about === "" ? "TODO" : about} */\nreadonly ${key}${signature.isOptional ? "?" : ""}: ${print(signature.type, at)}`
    })
    const rest = value.indexSignatures.map(
      ({ parameter, type }) => `readonly [name: ${body(parameter, place)}]: ${print(type, `${place}.NAME`)}`
    )
    const text = `{\n${[...fields, ...rest].join("\n")}\n}`
    const name = fieldNames[place]
    if (name === undefined) return text
    inner.push(`/** Fields of \`${place.replace(/^\w+\.|\.NAME$/g, "")}\`. */\nexport interface ${name} ${text}\n`)
    return name
  }

  const declare = (name: string, ast: AST.AST, about: string): string => {
    const text = body(ast, name)
    return `/** ${about} */\n${text.startsWith("{") && AST.isTypeLiteral(valueOf(ast)) ? `export interface ${name} ${text}` : `export type ${name} = ${text}`}\n`
  }

  return { declare, inner, named, nameOf, silent }
}

/** Files that declare the schemas of the API. Its errors reach programs as classes. */
const folder = new URL("../src/Api/", import.meta.url)
const modules: ReadonlyArray<object> = await Promise.all(
  readdirSync(folder)
    .filter((file) => file !== "Errors.ts")
    .sort()
    .map((file) => import(new URL(file, folder).href))
)

const header = (about: string) =>
  `/** Generated by \`npm run interfaces\` from the schemas: change those. ${about} */\n\n`

const aboutSchema = (name: string, ast: AST.AST): string => {
  const description = Option.getOrUndefined(AST.getDescriptionAnnotation(ast))
  if (description !== undefined && /[.]$/.test(description)) return description
  return `\`${name}\` of the API.`
}

/** Requests and answers of the API, as a program has them. */
export const api = (): Printed => {
  const { declare, named, nameOf, silent } = printer("type")
  for (const module of modules) {
    for (const value of Object.values(module)) if (Schema.isSchema(value)) nameOf(value.ast)
  }
  const texts = new Map<string, string>()
  // Printing finds further names.
  for (let found = true; found; ) {
    found = false
    for (const [name, ast] of [...named]) {
      if (texts.has(name)) continue
      found = true
      texts.set(name, declare(name, ast, aboutSchema(name, ast)))
    }
  }
  const isUsed = (name: string): boolean =>
    [...texts].some(([other, text]) => other !== name && new RegExp(`\\b${name}\\b`).test(text))
  const shown = [...texts].filter(([name, text]) => text.includes(`export interface ${name} `) || isUsed(name))
  const sorted = shown.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
  return { text: header("Requests and answers of the API.") + sorted.join("\n"), silent }
}

const pascal = (key: string): string => `${key[0]?.toUpperCase()}${key.slice(1)}`

/** Fields of the steps, the common keys and the frame of a definition, as they are written. */
export const pipeline = (): Printed => {
  const { declare, inner, named, silent } = printer("encoded")
  const parts = [
    declare("Frame", withKeyDescriptions(Frame.ast), "Keys of a definition."),
    declare("CommonKeys", withKeyDescriptions(Common.ast), "Keys that a step may have beside its own."),
    ...builtIn.map(({ config, key, summary }) =>
      declare(`${pascal(key)}Fields`, withKeyDescriptions(config.ast), summary)
    )
  ]
  const table = builtIn.map(({ key, summary }) => `/** ${summary} */\nreadonly ${key}: ${pascal(key)}Fields`)
  const idle = builtIn.map(
    ({ behaviour, key }) =>
      `readonly ${key}: ${
        ignoredKeys(behaviour)
          .map((name) => `"${name}"`)
          .join(" | ") || "never"
      }`
  )
  const done = new Set<string>()
  const shared: Array<string> = []
  for (
    let next = [...named].find(([name]) => !done.has(name));
    next;
    next = [...named].find(([name]) => !done.has(name))
  ) {
    const [name, ast] = next
    done.add(name)
    shared.push(declare(name, ast, aboutSchema(name, ast)))
  }
  const all = `/** Fields of each step, by its key. */\nexport interface StepFields {\n${table.join("\n")}\n}\n`
  const none = `/** Common keys that would do nothing, by the key of the step. */\nexport interface IdleKeys {\n${idle.join("\n")}\n}\n`
  return {
    text:
      header("Keys and fields of definitions, as they are written.") +
      [...parts, ...inner, ...shared, all, none].join("\n"),
    silent
  }
}

export const files = { "src/Generated/Api.ts": api, "src/Generated/Pipeline.ts": pipeline }

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(fileURLToPath(new URL("../src/Generated", import.meta.url)), { recursive: true })
  for (const [file, print] of Object.entries(files)) {
    const { silent, text } = print()
    writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), text)
    for (const place of silent) console.error(`${file}: ${place} has no description`)
  }
}
