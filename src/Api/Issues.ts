/** Bounds the issues of a request that does not match its schema: formatting one takes up to half a millisecond and blocks the event loop. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as AST from "effect/SchemaAST"
import { getMessageAnnotation, getParseIssueTitleAnnotation } from "effect/SchemaAST"

/** Maximum number of issues that are described; a request with more gets the first ones. */
export const maxIssues = 100

/** Characters of a value, as JSON, that the description of an issue quotes. */
export const maxQuoted = 500

/** The first characters of a string, in UTF-16 units and without half of a character at the end. */
export const beginOf = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, "") : text

/** The beginning of a value: its JSON equals that of the whole for `maxQuoted` characters. */
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

/** True when the schema describes its issues itself: such a description may count what a beginning does not have. */
const isDescribed = (ast: AST.AST): boolean =>
  Option.isSome(getMessageAnnotation(ast)) || Option.isSome(getParseIssueTitleAnnotation(ast))

/** The issue with at most `maxIssues` leaves, in order, and with the beginnings of the values that a message quotes. */
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

/** Annotation of a schema whose issues are bounded. Belongs to the whole body: each part would have a bound of its own. */
export const boundedIssues = {
  decodingFallback: (issue: ParseResult.ParseIssue) => Either.left(bounded(issue))
}
