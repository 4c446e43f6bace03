/** Expressions over a response, and a hint when a name they use is not in it. */
import * as Predicate from "effect/Predicate"
import { didYouMean } from "../../Row/Nearest.ts"
import { expressionText } from "../Field.ts"

/** Expression over a response; it may also read the headers, by name in lower case. */
export const AnswerExpression = expressionText(["headers"], "an expression over the answer (JSONata)")

/** Names that an expression begins with, as in `data.items[id > 1]` and `$headers."x-next"`. */
const leadingPath =
  /^\s*(?:(\$headers)\s*\.\s*)?((?:`[^`]+`|"[^"]+"|[A-Za-z_]\w*)(?:\s*\.\s*(?:`[^`]+`|"[^"]+"|[A-Za-z_]\w*))*)(?!\w|\s*\()/

/** Names of an expression that is only a path; empty without an expression, undefined for other expressions. */
export const plainPath = (expression: typeof AnswerExpression.Type | undefined): ReadonlyArray<string> | undefined => {
  if (expression === undefined) return []
  const { source } = expression
  const [whole, root, path = ""] = leadingPath.exec(source) ?? []
  if (root !== undefined || whole?.trim() !== source.trim()) return undefined
  return [...path.matchAll(/`[^`]+`|"[^"]+"|\w+/g)].map(([name]) => name.replace(/^[`"]|[`"]$/g, ""))
}

/** The first few names of many: `total, next, items`. */
const namesOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "no fields" : names.slice(0, 8).join(", ") + (names.length > 8 ? ", …" : "")

/**
 * Says which name of an expression is missing in a response, and which names exist; undefined if none is missing. Null counts as existing,
 * and so does everything inside an empty array.
 */
export const whatIsMissing = (
  { source }: typeof AnswerExpression.Type,
  { body, headers }: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> }
): string | undefined => {
  const [, root, path = ""] = leadingPath.exec(source) ?? []
  let values: ReadonlyArray<unknown> = [root === undefined ? body : headers]
  const before: Array<string> = []
  for (const [written] of path.matchAll(/`[^`]+`|"[^"]+"|\w+/g)) {
    const name = written.replace(/^[`"]|[`"]$/g, "")
    const objects = values.flat(Number.POSITIVE_INFINITY).filter(Predicate.isReadonlyRecord)
    if (objects.length === 0) return undefined
    values = objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []))
    if (values.length === 0) {
      const names = [...new Set(objects.flatMap((each) => Object.keys(each)))]
      const near = didYouMean(name, names)
      if (root !== undefined) return `the answer has no header ${name}${near}`
      const place = before.length === 0 ? "the answer" : before.join(".")
      return `${place} has no ${name}${near === "" ? `, but ${namesOf(names)}` : `${near} It has ${namesOf(names)}`}`
    }
    before.push(name)
  }
  return undefined
}
