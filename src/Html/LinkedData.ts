/**
 * JSON-LD of a page, read as tolerantly as pages need: with comments, control characters, and garbage around the JSON. Parses each script
 * once, on demand.
 */
import * as Either from "effect/Either"
import { type Element, textOf } from "./Element.ts"
import type { Tree } from "./Tree.ts"

/** Maximum scripts read, and characters of each. */
const [maxScripts, maxLength] = [200, 2_000_000]

/** The parsed value; undefined if the text is not valid JSON. */
export const parseJson = (text: string): unknown => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))

/**
 * Matches the next part of lenient JSON: a string, a comment or marker to leave out, a bracket, or other text. Strings and comments may be
 * unclosed.
 */
const tokens =
  /"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"|\\?$)|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|<!--|-->|<!\[CDATA\[|\]\]>(?!\s*[\]}])|([{[])|([}\]])|[^"{}[\],/<\-\]]+|[\s\S]/g

const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

/** Makes the content of a string valid JSON: escapes or removes control characters, and removes needless backslashes. */
const mendString = (text: string): string =>
  text
    .replace(/\\(u[\da-f]{4}|[\s\S])/gi, (whole, next: string) => (/^(?:u.{4}|["\\/bfnrt])$/.test(next) ? whole : next))
    .replace(/\p{Cc}/gu, (control) => escapes.get(control) ?? "")

/** The first object or array in the text, with everything removed that JSON does not allow. */
const mend = (text: string): string => {
  const parts: Array<string> = []
  let depth = 0
  for (const [token, string, opening, closing] of text.matchAll(tokens)) {
    if (opening !== undefined) depth++
    if (depth === 0) continue
    // Removes a comma before a closing bracket.
    if (closing !== undefined) while (/^[\s,]*$/.test(parts.at(-1) ?? "x")) parts.pop()
    if (string !== undefined) parts.push(`"${mendString(string)}"`)
    else if (!/^(?:\/[/*]|<!|-->|\]\]>)/.test(token)) parts.push(token.replace(/\p{Cc}/gu, " "))
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

class LinkedScript {
  readonly text: string
  #value: { readonly parsed: unknown } | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The parsed value; undefined if the text cannot be read. */
  get value(): unknown {
    this.#value ??= { parsed: this.text.length <= maxLength ? parseTolerant(this.text) : undefined }
    return this.#value.parsed
  }
}

const isLinkedData = ({ attributes, name }: Element): boolean =>
  name === "script" && /^application\/ld\+json/i.test(attributes.type?.trim() ?? "")

const scriptsByTree = new WeakMap<Tree, ReadonlyArray<LinkedScript>>()

/** The non-blank scripts, in page order. */
const scriptsOf = (tree: Tree): ReadonlyArray<LinkedScript> => {
  const known = scriptsByTree.get(tree)
  if (known !== undefined) return known
  const scripts = tree.dated
    .filter(isLinkedData)
    .map(textOf)
    .filter((text) => text.trim() !== "")
    .map((text) => new LinkedScript(text))
  scriptsByTree.set(tree, scripts)
  return scripts
}

/** True if the text of a script matches. Does not parse the scripts. */
export const linkedDataHas = (tree: Tree, pattern: RegExp): boolean =>
  scriptsOf(tree).some(({ text }) => pattern.test(text))

const objectsOf = (scripts: ReadonlyArray<LinkedScript>): ReadonlyArray<object> =>
  scripts
    .slice(0, maxScripts)
    .flatMap(({ value }) => [value].flat(2))
    .filter(isObject)

/** The objects of the scripts that contain a word. */
export const linkedDataWith = (tree: Tree, word: string): ReadonlyArray<object> =>
  objectsOf(scriptsOf(tree).filter(({ text }) => text.includes(word)))

/** The objects of all scripts, in page order; arrays are flattened. Calls `warn` for scripts that cannot be read. */
export const readLinkedData = (tree: Tree, warn: (text: string) => void): ReadonlyArray<object> => {
  const scripts = scriptsOf(tree)
  const unread = scripts.filter((script, index) => index >= maxScripts || !isObject(script.value)).length
  if (unread > 0) warn(`${unread} of ${scripts.length} JSON-LD scripts cannot be read`)
  return objectsOf(scripts)
}
