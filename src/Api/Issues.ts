/**
 * Issues of a value that does not match its schema. They use the words of the sender instead of the names of schemas and filters, and are
 * bounded in number and length, because formatting one takes up to half a millisecond and blocks the event loop.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as AST from "effect/SchemaAST"
import { getMessageAnnotation, getParseIssueTitleAnnotation } from "effect/SchemaAST"

/** Maximum number of issues that are described; further issues of a request are dropped. */
export const maxIssues = 100

/** Maximum characters of a value, as JSON, that the description of an issue quotes. */
export const maxQuoted = 500

/** The first characters of a string, counted in UTF-16 units, without half a character at the end. */
export const beginOf = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, "") : text

/** Truncates a value, so that the first `maxQuoted` characters of its JSON stay the same. */
const beginningOf = (value: unknown): unknown => {
  let left = maxQuoted
  const visit = (one: unknown): unknown => {
    if (typeof one === "string") {
      left -= one.length + 2
      return beginOf(one, maxQuoted)
    }
    if (typeof one !== "object" || one === null) {
      left -= String(one).length
      return one
    }
    left -= 1
    if (one instanceof Uint8Array) return one.subarray(0, maxQuoted)
    if (Array.isArray(one)) {
      const items: Array<unknown> = []
      for (const item of one) {
        if (left <= 0) break
        items.push(visit(item))
      }
      return items
    }
    const fields: Array<[string, unknown]> = []
    for (const key in one) {
      if (left <= 0) break
      if (!Object.hasOwn(one, key)) continue
      left -= key.length + 3
      fields.push([beginOf(key, maxQuoted), visit(Reflect.get(one, key))])
    }
    return Object.fromEntries(fields)
  }
  return visit(value)
}

/** True if the schema describes its issues itself: such a description may depend on parts that truncation would remove. */
const isDescribed = (ast: AST.AST): boolean =>
  Option.isSome(getMessageAnnotation(ast)) || Option.isSome(getParseIssueTitleAnnotation(ast))

/** The issue with at most `maxIssues` leaves, in order, and with the values that messages quote truncated. */
export const bounded = (issue: ParseResult.ParseIssue): ParseResult.ParseIssue => {
  let left = maxIssues
  const visit = (one: ParseResult.ParseIssue): ParseResult.ParseIssue => {
    switch (one._tag) {
      case "Pointer":
        return new ParseResult.Pointer(one.path, one.actual, visit(one.issue))
      case "Refinement":
        return new ParseResult.Refinement(one.ast, one.actual, one.kind, visit(one.issue))
      case "Transformation":
        return new ParseResult.Transformation(one.ast, one.actual, one.kind, visit(one.issue))
      case "Composite": {
        const [first, ...others] = "_tag" in one.issues ? [one.issues] : one.issues
        const kept: [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>] = [visit(first)]
        for (const other of others) {
          if (left <= 0) break
          kept.push(visit(other))
        }
        return new ParseResult.Composite(one.ast, one.actual, kept, one.output)
      }
      case "Type":
        left -= 1
        return isDescribed(one.ast) ? one : new ParseResult.Type(one.ast, beginningOf(one.actual), one.message)
      default:
        left -= 1
        return one
    }
  }
  return visit(issue)
}

/** Annotation that bounds the issues of a schema. Belongs on the whole body: on parts, each part would have its own limit. */
export const boundedIssues = {
  decodingFallback: (issue: ParseResult.ParseIssue) => Either.left(bounded(issue))
}

/** Path in an invalid value, and what is wrong there. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
  /** `required`, `unrecognized_key`, `invalid_type`, `invalid_value`, or `invalid`. */
  readonly code: string
}

const codes: Readonly<Record<string, string>> = {
  Missing: "required",
  Unexpected: "unrecognized_key",
  Type: "invalid_type",
  Refinement: "invalid_value"
}

/** Words for types in messages, by how the type's name in the schema begins. */
const kinds: ReadonlyArray<readonly [name: RegExp, kind: string]> = [
  [/^(?:ReadonlyArray<|readonly \[)/, "an array"],
  [/^PersistedFile$/, "a file"],
  [/^(?:\{|[A-Z]\w*(?:Options(?:V1)?|Profile|Request(?:V1)?)$)/, "an object"],
  [/^(?:string|number|boolean)$/, "a"]
]

/** Describes the expected type in words, because the names of schemas and filters say nothing to a caller. */
const typeText = (type: string): string => {
  const kind = kinds.find(([name]) => name.test(type))?.[1]
  if (kind === "a") return `a ${type}`
  if (kind !== undefined) return kind
  return /[<>{}]|readonly |^\w+\(|^[A-Z]\w*$/.test(type) ? "another value" : type
}

/** Shortens a message: replaces the schema's text by words, and cuts off the end of a long value. */
const shortened = (message: string): string => {
  // The value may contain ", actual ", too, so the type ends at the first one: types do not contain it.
  const text = message.replace(/^Expected (.*?), actual /s, (_, type: string) => `Expected ${typeText(type)}, actual `)
  return text.length > maxQuoted ? `${beginOf(text, maxQuoted)}…` : text
}

const pathText = (path: ReadonlyArray<PropertyKey>): string => path.map(String).join(".")

/** Path and message of a fault, such as `actions.0.type: Expected a string, actual 1`. */
export const faultText = ({ message, path }: Fault): string =>
  path.length === 0 ? message : `${pathText(path)}: ${message}`

/**
 * True for a message that Effect Schema wrote itself (`Expected …, actual …`). The tag does not show it: issues with custom messages have
 * the same tag.
 */
export const isTypeIssue = ({ message }: ParseResult.ArrayFormatterIssue): boolean => message.startsWith("Expected ")

/** True for an issue that says the field may be omitted, which does not help a caller who has sent it. */
export const isAbsenceIssue = ({ message }: ParseResult.ArrayFormatterIssue): boolean =>
  message.startsWith("Expected undefined,")

/** True if `one` describes the same fault as `other` more exactly. */
const explains = (one: ParseResult.ArrayFormatterIssue, other: ParseResult.ArrayFormatterIssue): boolean =>
  one !== other && !isAbsenceIssue(one) && other.path.every((part, at) => part === one.path[at])

const literal = /^Expected (".*"), actual (.*)$/s

/** Merges the faults of a union of literals into one fault that lists all of them. */
const mergeLiterals = (all: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  const faults = new Map<string, Fault>()
  for (const fault of all) {
    const [, word, actual] = literal.exec(fault.message) ?? []
    const at = word === undefined ? `${faults.size}` : JSON.stringify([fault.path, actual])
    const known = faults.get(at)
    const words = known === undefined ? word : `${literal.exec(known.message)?.[1]} or ${word}`
    faults.set(at, word === undefined ? fault : { ...fault, message: `Expected ${words}, actual ${actual}` })
  }
  return [...faults.values()]
}

/** Describes the first `maxIssues` issues. */
export const faultsOf = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<Fault> => {
  const told = issues.slice(0, maxIssues)
  const helpful = told.filter((issue) => !isAbsenceIssue(issue) || !told.some((other) => explains(other, issue)))
  return mergeLiterals(
    helpful.map(({ _tag, message, path }) => ({
      path: path.map((part) => (typeof part === "symbol" ? String(part) : part)),
      message: _tag === "Unexpected" ? `Unrecognized key "${pathText(path)}"` : shortened(message),
      code: codes[_tag] ?? "invalid"
    }))
  )
}

/** Describes the first `maxIssues` issues of an error. */
export const faultsOfError = (error: ParseResult.ParseError): ReadonlyArray<Fault> =>
  faultsOf(ParseResult.ArrayFormatter.formatErrorSync(error))
