/** JSON-LD of a page, read as tolerantly as the pages need: comments, control characters, and garbage around the JSON. */
import * as Either from "effect/Either"
import { textOf } from "./Element.ts"
import { isLinkedData } from "./Metadata.ts"
import type { Tree } from "./Tree.ts"

/** Scripts that are read, and characters of each. */
const [maxScripts, maxLength] = [200, 2_000_000]

const parseJson = (text: string): unknown => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))

/** Outside of strings, in this order: a string, what is left out, a bracket, a comma before a closing bracket, and the rest. */
const tokens =
  /"((?:[^"\\]|\\[\s\S])*)"|\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--|-->|<!\[CDATA\[|\]\]>(?!\s*[\]}])|([{[])|([}\]])|(,)(?=\s*[}\]])|[^"{}[\],/<\-\]]+|[\s\S]/g

const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

/** Control characters are escaped or left out; a backslash before an ordinary character is left out. */
const mendString = (text: string): string =>
  text
    .replace(/\\(u[\da-f]{4}|[\s\S])/gi, (whole, next: string) => (/^(?:u.{4}|["\\/bfnrt])$/.test(next) ? whole : next))
    .replace(/\p{Cc}/gu, (control) => escapes.get(control) ?? "")

/** The first object or array of the text, without what JSON does not allow. */
const mend = (text: string): string => {
  const parts: Array<string> = []
  let depth = 0
  for (const [token, string, opening, closing, comma] of text.matchAll(tokens)) {
    if (opening !== undefined) depth++
    if (depth === 0) continue
    if (string !== undefined) parts.push(`"${mendString(string)}"`)
    else if (comma === undefined && !/^(?:\/[/*]|<!|-->|\]\]>)/.test(token)) parts.push(token.replace(/\p{Cc}/gu, " "))
    if (closing !== undefined && --depth === 0) break
  }
  return parts.join("")
}

const parseTolerant = (text: string): unknown => {
  const strict = parseJson(text)
  if (strict !== undefined) return strict
  return (
    parseJson(mend(text)) ?? (text.includes("&quot;") ? parseJson(mend(text.replaceAll("&quot;", '"'))) : undefined)
  )
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The objects of all scripts, in page order; arrays are flattened. Calls `warn` for scripts that cannot be read. */
export const readLinkedData = (tree: Tree, warn: (text: string) => void): ReadonlyArray<object> => {
  const scripts = tree.dated
    .filter(isLinkedData)
    .map(textOf)
    .filter((text) => text.trim() !== "")
  const values = scripts
    .slice(0, maxScripts)
    .map((text) => (text.length <= maxLength ? parseTolerant(text) : undefined))
  const unread = scripts.length - values.filter(isObject).length
  if (unread > 0) warn(`${unread} of ${scripts.length} JSON-LD scripts cannot be read`)
  return values.flatMap((value) => [value].flat(2)).filter(isObject)
}
