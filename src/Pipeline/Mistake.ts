/** What is wrong in a definition: one line each, with its place and the nearest right word. */

import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { didYouMean } from "../Row/Nearest.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { TypedError } from "../TypedError.ts"
import { expectation, flatten, knownKeys, neededKeys } from "./Expectation.ts"

export type Path = ReadonlyArray<PropertyKey>

/** A mistake, by the path of the value it is in. */
export interface Mistake {
  readonly path: Path
  /** The key at the end of the path is wrong, and not its value. */
  readonly atKey?: true
  /** The definition is right, and what it was given is wrong: the message names what, and there is no place. */
  readonly given?: true
  readonly message: string
}

/** A mistake with its place in the file, both counted from 1. */
export interface PlacedMistake extends Mistake {
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** The definition cannot be run; every mistake is listed. */
export class DefinitionInvalid extends TypedError("DefinitionInvalid", { scope: "run", exitCode: ExitCode.invalid })<{
  readonly file: string
  readonly mistakes: ReadonlyArray<PlacedMistake>
  /** Beside the mistakes: what may be right where the pipeline will run. */
  readonly warnings?: ReadonlyArray<PlacedMistake> | undefined
}> {
  override get message() {
    const lines = this.mistakes.map((mistake) => {
      if (mistake.given) return mistake.message
      const place = mistake.line === undefined ? this.file : `${this.file}:${mistake.line}:${mistake.column}`
      return `${place}  ${renderPath(mistake.path)}${mistake.message}`
    })
    const count = this.mistakes.length
    return `${lines.join("\n")}\n${count} mistake${count === 1 ? "" : "s"} in ${this.file}`
  }
}

/** `steps[2].search.limit: `, or nothing at the root. */
export const renderPath = (path: Path): string =>
  path.length === 0
    ? ""
    : `${path
        .map((part, index) =>
          typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`
        )
        .join("")}: `

/** A value as a person would say it, short. */
export const describeValue = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Objects that differ by one key, and an object that has none of these keys. */
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

/** What a value should have been. What YAML 1.1 took for true and false is a text since. */
const unfit = (ast: AST.AST, actual: unknown): string => {
  const expected = expectation(ast)
  const isOldBoolean = /true or false/.test(expected) && /^(y|yes|no?|on|off)$/i.test(String(actual))
  // `scrape:` with nothing behind it.
  if (actual === null && knownKeys(ast).length > 0 && neededKeys(ast).length === 0) {
    return "expected an object, got nothing: write {} where there is nothing to say"
  }
  return `expected ${expected}, got ${describeValue(actual)}${isOldBoolean ? ", which YAML takes for a string" : ""}`
}

/** Below filters that all speak of the same value. */
const bare = (issue: ParseResult.ParseIssue): ParseResult.ParseIssue =>
  issue._tag === "Refinement" || issue._tag === "Transformation" ? bare(issue.issue) : issue

/** The key at the end of the path is none of those that are known there. */
export const unknownKey = (path: Path, known: ReadonlyArray<string>): Mistake => {
  const key = String(path[path.length - 1])
  return { path, atKey: true, message: `unknown key "${key}"${didYouMean(key, known)}` }
}

/** The mistakes behind an issue; of a union's members the one that came furthest speaks. */
export const mistakesOf = (issue: ParseResult.ParseIssue, path: Path = [], owner?: AST.AST): ReadonlyArray<Mistake> => {
  switch (issue._tag) {
    case "Pointer": {
      const inner: Path = [...path, ...(Array.isArray(issue.path) ? issue.path : [issue.path as PropertyKey])]
      const key = String(inner[inner.length - 1])
      if (issue.issue._tag === "Unexpected") {
        return [unknownKey(inner, owner === undefined ? [] : knownKeys(owner))]
      }
      if (issue.issue._tag === "Missing") {
        const isItem = typeof inner[inner.length - 1] === "number"
        return [{ path, message: isItem ? `expected at least ${Number(key) + 1} in the array` : `"${key}" is missing` }]
      }
      return mistakesOf(issue.issue, inner, owner)
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
      if (innermost._tag !== "Type" || innermost.message !== undefined) return mistakesOf(issue.issue, path, issue.ast)
      const own = ownMessage(issue.ast, issue) ?? ownMessage(innermost.ast, innermost)
      return [{ path, message: own ?? unfit(issue.ast, issue.actual) }]
    }
    case "Composite": {
      const issues = isList(issue.issues) ? issue.issues : [issue.issues as ParseResult.ParseIssue]
      if (issue.ast._tag !== "Union") return issues.flatMap((each) => mistakesOf(each, path, issue.ast))
      if (isNoneOf(issue.ast, issue.actual)) {
        const keys = Object.keys(issue.actual).join(", ")
        const got = keys === "" ? "an empty one" : `one with ${keys}`
        return [{ path, message: `expected ${expectation(issue.ast)}, got ${got}` }]
      }
      // What got as far as being made something of has the most to say: an expression that cannot be compiled.
      const made = issues.find((each) => each._tag === "Transformation" && each.kind === "Transformation")
      if (made !== undefined) return mistakesOf(made, path, issue.ast)
      // That it might have been left out is no news: what it should be says what is wrong with it.
      const [only, other] = issues.filter((each) => each._tag !== "Type" || !AST.isUndefinedKeyword(each.ast))
      if (only !== undefined && other === undefined) return mistakesOf(only, path, issue.ast)
      // An object that has the keys of one kind is of that kind, however many mistakes it has.
      const fitting = issues.filter((each) => hasKeysOf(each, issue.actual))
      const members = (fitting.length > 0 ? fitting : issues).map((each) => mistakesOf(each, path, issue.ast))
      const deep = members.filter((mistakes) => mistakes.some((mistake) => mistake.path.length > path.length))
      const fewest = deep.sort((a, b) => a.length - b.length)[0]
      return fewest ?? [{ path, message: unfit(issue.ast, issue.actual) }]
    }
    case "Type":
      return [
        {
          path,
          message: issue.message ?? ownMessage(issue.ast, issue) ?? unfit(issue.ast, issue.actual)
        }
      ]
  }
}
