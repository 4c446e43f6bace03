/** Config errors and warnings: one line each, with the position in the file and the nearest valid word. */

import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { count, describeValue } from "../Row/Count.ts"
import { didYouMean, didYouMeanWord } from "../Row/Nearest.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { TypedError } from "../TypedError.ts"
import { expectation, flatten, knownKeys, neededKeys, shapesOf } from "./Expectation.ts"

export type Path = ReadonlyArray<PropertyKey>

/** True for a path at or below another one. */
export const isBelow = (path: Path, above: Path): boolean => above.every((part, index) => path[index] === part)

/** A config error at the path of a value. */
export interface Issue {
  readonly path: Path
  /** True when the key at the end of the path is wrong, not its value. */
  readonly atKey?: true
  /** True for an unknown key that is near no known one. */
  readonly isForeign?: true
  /** True for an unknown key whose message says where it belongs. */
  readonly isPlaced?: true
  /** Path of the empty fields of a step that the key belongs into. */
  readonly belongsInto?: Path
  /** True for a value of the right type that is only too long or too large. */
  readonly isBeyondLimit?: true
  /** True when the value as a whole has the wrong type. */
  readonly isWhole?: true
  /** Set for an input with a wrong value from outside: the definition is valid; the message starts with {@link inputFlag}. */
  readonly input?: string
  /** A value that the caller has to provide. */
  readonly missing?: { readonly kind: "input" | "variable"; readonly name: string }
  readonly message: string
}

/** The flag that sets an input, as the beginning of a message about its value. */
export const inputFlag = (name: string): string => `--input ${name}: `

/** A config error with line and column, counted from 1. */
export interface PlacedIssue extends Issue {
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** The definition cannot run; lists every config error. */
export class DefinitionInvalid extends TypedError("DefinitionInvalid", { scope: "run", exitCode: ExitCode.invalid })<{
  readonly file: string
  readonly issues: ReadonlyArray<PlacedIssue>
  /** Warnings: settings that may be right on the machine where the pipeline will run. */
  readonly warnings?: ReadonlyArray<PlacedIssue> | undefined
}> {
  /** One line per config error, with its position. */
  get lines() {
    return this.issues.map((issue) => (issue.input === undefined ? lineOf(this.file, issue) : issue.message))
  }
  /** The last line of the message. */
  get conclusion() {
    return `${count(this.issues.length, "mistake")} in ${this.file}`
  }
  override get message() {
    return [...this.lines, this.conclusion].join("\n")
  }
}

/** A path as text: `steps[2].search.limit: `; empty at the root. */
export const renderPath = (path: Path): string =>
  path.length === 0
    ? ""
    : `${path
        .map((part, index) =>
          typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`
        )
        .join("")}: `

const lineOf = (file: string, { column, line, message, path }: PlacedIssue): string =>
  `${line === undefined ? file : `${file}:${line}:${column}`}  ${renderPath(path)}${message}`

/** A capability that a step requires and the service lacks. */
export interface Unmet extends PlacedIssue {
  /** The id of the step; undefined for the pipeline as a whole. */
  readonly step: string | undefined
  /** True if the step can run without the capability. */
  readonly optional: boolean
}

/** Error of a valid definition that requires capabilities which the service lacks. */
export class Unable extends TypedError("Unable", { scope: "run", exitCode: ExitCode.invalid })<{
  readonly file: string
  readonly who: string
  readonly unmet: ReadonlyArray<Unmet>
}> {
  /** One line per capability, with its position. */
  get lines() {
    return this.unmet.map((each) => lineOf(this.file, each))
  }
  /** The last line of the message. */
  get conclusion() {
    const things = this.unmet.length === 1 ? "something" : `${this.unmet.length} things`
    return `${this.who} cannot do ${things} that ${this.file} requires; nothing was sent`
  }
  override get message() {
    return [...this.lines, this.conclusion].join("\n")
  }
}

/** True for an object that has none of the keys which distinguish the members of a union. */
const isNoneOf = (ast: AST.AST, actual: unknown): actual is object => {
  const kinds = AST.isUnion(ast) ? flatten(ast).map(neededKeys) : []
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false
  return kinds.length > 1 && kinds.every((keys) => keys.length > 0 && !keys.some((key) => Object.hasOwn(actual, key)))
}

const hasKeysOf = (issue: ParseResult.ParseIssue, actual: unknown): boolean => {
  if (issue._tag !== "Composite" && issue._tag !== "Refinement" && issue._tag !== "Transformation") return false
  if (typeof actual !== "object" || actual === null) return false
  const keys = neededKeys(issue.ast)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(actual, key))
}

const isList = (
  issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>
): issues is ParseResult.Composite["issues"] & ReadonlyArray<ParseResult.ParseIssue> => Array.isArray(issues)

const ownMessage = (ast: AST.AST, issue: ParseResult.ParseIssue): string | undefined => {
  const annotated = Option.getOrUndefined(AST.getMessageAnnotation(ast))?.(issue)
  if (annotated === undefined) return undefined
  return typeof annotated === "string"
    ? annotated
    : "message" in annotated && typeof annotated.message === "string"
      ? annotated.message
      : undefined
}

/** String literals that are valid values of this type. */
const wordsOf = (ast: AST.AST): ReadonlyArray<string> =>
  flatten(ast).flatMap((member) => {
    if (AST.isRefinement(member) || AST.isTransformation(member)) return wordsOf(member.from)
    return AST.isLiteral(member) && typeof member.literal === "string" ? [member.literal] : []
  })

/** Advice for an array of fields where names with expressions belong: `select: [url, title]`. */
const namesOf = (ast: AST.AST, actual: unknown): string => {
  const [index] = AST.isTypeLiteral(ast) ? ast.indexSignatures : []
  const isList = Array.isArray(actual) && actual.length > 0 && actual.length <= 10
  if (index === undefined || !expectation(index.type).startsWith("an expression ") || !isList) return ""
  const fields = actual.flatMap((each) => (typeof each === "string" && /^[A-Za-z_][\w.]*$/.test(each) ? [each] : []))
  return fields.length < actual.length
    ? ""
    : `: write { ${fields.map((field) => `${field.split(".").at(-1)}: ${field}`).join(", ")} }`
}

/** Advice for a plain string where an object belongs that has a field for it: the address of `crawl`, the file of `write`. */
const fieldOf = (ast: AST.AST, actual: string): string => {
  const keys = flatten(ast).flatMap(knownKeys)
  const field = /^https?:\/\/./.test(actual) ? "url" : /^[\w./-]+\.(\w+)$/.exec(actual)?.[1]
  return field === undefined || !keys.includes(field) || actual.length > 100
    ? ""
    : `, did you mean { ${field}: ${JSON.stringify(actual)} }?`
}

/** Error for a value of the wrong type. `yes` and `on` are strings since YAML 1.2. */
const unfit = (ast: AST.AST, actual: unknown): string => {
  const expected = expectation(ast)
  const isOldBoolean = shapesOf(ast, {}).some(AST.isBooleanKeyword) && /^(y|yes|no?|on|off)$/i.test(String(actual))
  // A key without a value, like `scrape:`.
  if (actual === null && knownKeys(ast).length > 0 && neededKeys(ast).length === 0) {
    return "expected an object, got nothing: write {} if there are no options"
  }
  const near =
    typeof actual === "string" ? didYouMeanWord(actual, wordsOf(ast)) || fieldOf(ast, actual) : namesOf(ast, actual)
  return `expected ${expected}, got ${describeValue(actual)}${isOldBoolean ? ", which YAML reads as a string" : near}`
}

/** True if a value exceeds an upper limit of its filters. */
const isBeyondLimit = (ast: AST.AST, actual: unknown): boolean => {
  if (!AST.isRefinement(ast)) return false
  const { maximum, maxLength } = Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) as {
    readonly maximum?: number
    readonly maxLength?: number
  }
  return (
    (typeof actual === "string" && maxLength !== undefined && actual.length > maxLength) ||
    (typeof actual === "number" && maximum !== undefined && actual > maximum) ||
    isBeyondLimit(ast.from, actual)
  )
}

/** The innermost issue of nested filters on the same value. */
const bare = (issue: ParseResult.ParseIssue): ParseResult.ParseIssue =>
  issue._tag === "Refinement" || issue._tag === "Transformation" ? bare(issue.issue) : issue

/** Maximum number of known keys for a message to list them, and maximum characters of the list. */
const [maxListed, maxListCharacters] = [20, 130]

/** The first keys, as many as fit. */
const listOf = (keys: ReadonlyArray<string>): string => {
  const all = keys.join(", ")
  return all.length <= maxListCharacters ? all : `${all.slice(0, all.lastIndexOf(", ", maxListCharacters))}, …`
}

/** Error for an unknown key. */
export const unknownKey = (path: Path, known: ReadonlyArray<string>): Issue => {
  const key = String(path[path.length - 1])
  const near = didYouMean(key, known)
  const listed = known.length === 1 ? `; the only key is ${known[0]}` : `; known keys: ${listOf(known)}`
  const others = known.length === 0 || known.length > maxListed ? "" : listed
  const message = `unknown key "${key}"${near || others}`
  return { path, atKey: true, ...(near === "" ? { isForeign: true } : {}), message }
}

/** Advice for a missing key that has a single value: `version: 1`. */
const onlyValue = (owner: AST.AST | undefined, key: string): string => {
  const type =
    owner !== undefined && AST.isTypeLiteral(owner)
      ? owner.propertySignatures.find(({ name }) => name === key)?.type
      : undefined
  return type !== undefined && AST.isLiteral(type) ? `: write ${key}: ${String(type.literal)}` : ""
}

/** Config errors for a schema issue; for a union, those of the best matching member. */
export const issuesOf = (issue: ParseResult.ParseIssue, path: Path = [], owner?: AST.AST): ReadonlyArray<Issue> => {
  switch (issue._tag) {
    case "Pointer": {
      const inner: Path = [...path, ...(Array.isArray(issue.path) ? issue.path : [issue.path as PropertyKey])]
      const key = String(inner[inner.length - 1])
      if (issue.issue._tag === "Unexpected") {
        return [unknownKey(inner, owner === undefined ? [] : knownKeys(owner))]
      }
      if (issue.issue._tag === "Missing") {
        const isItem = typeof inner[inner.length - 1] === "number"
        const message = isItem ? `expected at least ${Number(key) + 1} in the array` : `"${key}" is missing`
        return [{ path, message: `${message}${onlyValue(owner, key)}` }]
      }
      return issuesOf(issue.issue, inner, owner)
    }
    case "Missing":
      return [{ path, message: "is missing" }]
    case "Unexpected":
      return [{ path, message: `unexpected ${describeValue(issue.actual)}` }]
    case "Forbidden":
      return [{ path, message: issue.message ?? "is not allowed" }]
    case "Refinement":
    case "Transformation": {
      const innermost = bare(issue)
      if (innermost._tag !== "Type" || innermost.message !== undefined) return issuesOf(issue.issue, path, issue.ast)
      const own = ownMessage(issue.ast, issue) ?? ownMessage(innermost.ast, innermost)
      const beyond = isBeyondLimit(issue.ast, issue.actual) ? ({ isBeyondLimit: true } as const) : {}
      return [{ path, isWhole: true, ...beyond, message: own ?? unfit(issue.ast, issue.actual) }]
    }
    case "Composite": {
      const issues = isList(issue.issues) ? issue.issues : [issue.issues as ParseResult.ParseIssue]
      if (issue.ast._tag !== "Union") return issues.flatMap((each) => issuesOf(each, path, issue.ast))
      if (isNoneOf(issue.ast, issue.actual)) {
        const keys = Object.keys(issue.actual).join(", ")
        const near = didYouMean(keys, AST.isUnion(issue.ast) ? flatten(issue.ast).flatMap(neededKeys) : [])
        const hint = Option.getOrUndefined(AST.getDocumentationAnnotation(issue.ast))
        const advice = near !== "" || hint === undefined ? near : `; ${hint}`
        const got = keys === "" ? "an empty one" : `one with ${keys}${advice}`
        return [{ path, isWhole: true, message: `expected ${expectation(issue.ast)}, got ${got}` }]
      }
      // A member that failed only in its transformation is the best match, like an expression that does not compile.
      const made = issues.find((each) => each._tag === "Transformation" && each.kind === "Transformation")
      if (made !== undefined) return issuesOf(made, path, issue.ast)
      // Skip `undefined`: the error of the other member is the relevant one.
      const [only, other] = issues.filter((each) => each._tag !== "Type" || !AST.isUndefinedKeyword(each.ast))
      if (only !== undefined && other === undefined) return issuesOf(only, path, issue.ast)
      // An object with the required keys of a member is meant as that member, however many errors it has.
      const fitting = issues.filter((each) => hasKeysOf(each, issue.actual))
      const members = (fitting.length > 0 ? fitting : issues).map((each) => issuesOf(each, path, issue.ast))
      const deep = members.filter((issues) => issues.some((issue) => issue.path.length > path.length))
      const fewest = deep.sort((a, b) => a.length - b.length)[0]
      return fewest ?? [{ path, isWhole: true, message: unfit(issue.ast, issue.actual) }]
    }
    case "Type":
      return issue.message === undefined
        ? [{ path, isWhole: true, message: ownMessage(issue.ast, issue) ?? unfit(issue.ast, issue.actual) }]
        : [{ path, message: issue.message }]
  }
}
