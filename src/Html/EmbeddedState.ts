/**
 * State that a page contains for its own scripts: `__NEXT_DATA__` and the flight data of Next.js, Nuxt's payload,
 * `window.__APOLLO_STATE__ = {…}` and the like. Reads only JSON; evaluates nothing.
 */
import { textOf } from "./Element.ts"
import { parseJson } from "./LinkedData.ts"
import { addSome, isObject } from "./Metadata.ts"
import type { Tree } from "./Tree.ts"

/** Maximum scripts read, characters of each, states per script, and values of Nuxt's payload that are resolved. */
const [maxScripts, maxLength, maxValues, maxResolved] = [100, 5_000_000, 100, 200_000]

/** Parses JSON in which `undefined` may stand for null, as some serializers write it. */
const parseState = (text: string): unknown =>
  parseJson(text) ??
  (text.includes("undefined") ? parseJson(text.replace(/([:[,]\s*)undefined(?=\s*[,}\]])/g, "$1null")) : undefined)

/** End of the object, array or string that begins at `from`; undefined if it is not closed. */
const endOfValue = (text: string, from: number): number | undefined => {
  const isString = text[from] === '"'
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      at++
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
      if (isString) return at + 1
    } else if (character === "{" || character === "[") depth++
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1
  }
  return undefined
}

/** Matches an assignment to a global variable, a push to a queue, or a call with JSON in a string. */
const assignment =
  /(?:(?:window|self|globalThis)\s{0,9}(?:\.\s{0,9}|\[\s{0,9}["'])|^|[;\n\s])([\w$]{1,80})(?:["']\s{0,9}\])?\s{0,9}(?:\|\|\s{0,9}\[\]\s{0,9}\)?)?\s{0,9}(?:=(?!=)|\.push\s{0,9}\()\s{0,9}(?:JSON\.parse\s{0,9}\(\s{0,9})?(?=[{["])/g

/** Names of global variables that contain page state. */
const isState = /^__\w+|^_+[A-Z]|state|store|data(?:layer)?$|^initial|product|^meta$|^runParams$/i

const assigned = (text: string): ReadonlyArray<readonly [name: string, value: unknown]> => {
  const found: Array<readonly [string, unknown]> = []
  assignment.lastIndex = 0
  for (let match = assignment.exec(text); match !== null && found.length < maxValues; match = assignment.exec(text)) {
    const [whole, name = ""] = match
    if (!isState.test(name)) continue
    const from = match.index + whole.length
    const end = endOfValue(text, from)
    // An unclosed value reaches to the end of the script: any further assignment is inside it.
    if (end === undefined) break
    const value = parseState(text.slice(from, end))
    assignment.lastIndex = end
    if (typeof value === "string") found.push([name, parseState(value)])
    else if (value !== undefined) found.push([name, value])
  }
  return found
}

/** Types in Nuxt's payload that wrap a single value. */
const wrappers = new Set([
  "Reactive",
  "ShallowReactive",
  "Ref",
  "ShallowRef",
  "EmptyRef",
  "EmptyShallowRef",
  "Object",
  "NuxtError"
])

/** Resolves the payload of Nuxt 3: an array in which objects refer to their values by index. */
const resolveIndexes = (payload: ReadonlyArray<unknown>): unknown => {
  const known = new Map<number, unknown>()
  let left = maxResolved
  const at = (index: unknown, depth: number): unknown => {
    if (typeof index !== "number" || index < 0 || depth > 100 || left-- <= 0) return undefined
    if (known.has(index)) return known.get(index)
    const value = payload[index]
    if (Array.isArray(value)) {
      const [type, inner] = value
      if (typeof type === "string") {
        const resolved = wrappers.has(type) ? at(inner, depth + 1) : type === "Date" ? inner : undefined
        known.set(index, resolved)
        return resolved
      }
      const resolved: Array<unknown> = []
      known.set(index, resolved)
      for (const each of value) resolved.push(at(each, depth + 1))
      return resolved
    }
    if (!isObject(value)) return value
    const resolved: Record<string, unknown> = {}
    known.set(index, resolved)
    for (const [name, each] of Object.entries(value)) if (name !== "__proto__") resolved[name] = at(each, depth + 1)
    return resolved
  }
  return at(0, 0)
}

/** Flight data of Next.js: lines like `1a:{…}`, spread over pieces of text. */
const flightOf = (pieces: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  pieces
    .map((piece) => (Array.isArray(piece) && typeof piece[1] === "string" ? piece[1] : ""))
    .join("")
    .split("\n")
    .flatMap((line) => {
      const [, json] = /^[0-9a-f]+:(?=[{[])(.*)$/s.exec(line) ?? []
      const value = json === undefined ? undefined : parseJson(json)
      return value === undefined ? [] : [value]
    })

export interface EmbeddedState {
  /** State objects of the page's application. */
  readonly states: ReadonlyArray<unknown>
  /** Objects pushed to `dataLayer`. */
  readonly dataLayer: ReadonlyArray<unknown>
}

const isJson = /^application\/(?:\w+\+)?json\b|^text\/(?:x-)?json\b/i

/** The state of a page, in document order. */
export const readEmbeddedState = (tree: Tree): EmbeddedState => {
  const states: Array<unknown> = []
  const dataLayer: Array<unknown> = []
  const flight: Array<unknown> = []
  const scripts = tree.dated.filter(({ attributes, name }) => name === "script" && attributes.src === undefined)
  for (const script of scripts.slice(0, maxScripts)) {
    const { id, type = "" } = script.attributes
    if (/ld\+json/i.test(type)) continue
    const text = textOf(script)
    if (text.length > maxLength || text.length < 2) continue
    if (isJson.test(type.trim())) {
      const value = parseState(text)
      if (id === "__NUXT_DATA__" && Array.isArray(value)) states.push(resolveIndexes(value))
      else if (value !== undefined) states.push(value)
      continue
    }
    for (const [name, value] of assigned(text)) {
      if (/^dataLayer$/i.test(name)) addSome(dataLayer, [value].flat(), 500)
      else if (name === "__next_f") flight.push(value)
      else states.push(value)
    }
  }
  return { states: [...states, ...flightOf(flight)], dataLayer }
}
