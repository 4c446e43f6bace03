/**
 * Functions of JSONata that take linear time and bounded memory here. The library's own compare every value with every other, copy an
 * array for each value, or make a text of any length. They are registered under the same names, with the same signatures
 * and results, and the same number of parameters, which `$map` and its like look at.
 */
import type jsonata from "jsonata"
import { join, largest, lengthOf, smallest, split, substring } from "./Builtins.ts"
import { Refusal } from "./Errors.ts"
import { checkPicture, checkText, counter, limits } from "./Limits.ts"

type Values = ReadonlyArray<unknown>

/** A built-in function as JSONata implements it. */
export type Original = (this: jsonata.Focus, ...args: ReadonlyArray<unknown>) => unknown

const isSequence = (value: unknown): boolean => Array.isArray(value) && "sequence" in value && value.sequence === true

/** An array that JSONata takes for its value when there is only one. */
const sequence = (values: Array<unknown>): Array<unknown> => Object.assign(values, { sequence: true })

/** The same text for values that are equal, and for no others. */
const keyOf = (value: unknown, count: (value: unknown) => void): string => {
  count(value)
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, count)).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value
  if (value instanceof Date) return `@${value.getTime()}`
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${keyOf(item, count)}`).join()}}`
}

const distinct = (values?: unknown): unknown => {
  if (!Array.isArray(values) || values.length <= 1) return values
  const count = counter()
  const seen = new Set<unknown>()
  const keys = new Set<string>()
  const results = values.filter((value) => {
    if (typeof value === "object" && value !== null) {
      const key = keyOf(value, count)
      return !keys.has(key) && keys.add(key)
    }
    return !seen.has(value) && seen.add(value)
  })
  return isSequence(values) ? sequence(Array.from(results)) : results
}

const isText = (value: unknown): value is string => typeof value === "string"

const isNumber = (value: unknown): value is number => typeof value === "number"

const byNumber = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0)

/** Without a function; with one, the library's own does it. */
const sorted = (values: Values): Values => {
  if (values.every(isNumber)) return [...values].sort(byNumber)
  if (values.every(isText)) return [...values].sort()
  throw new Refusal("D3070", values)
}

const spread = (value?: unknown): unknown => {
  if (Array.isArray(value)) {
    const results: Array<unknown> = []
    for (const item of value as Values) {
      const parts = spread(item)
      if (Array.isArray(parts)) for (const part of parts) results.push(part)
      else if (parts !== undefined) results.push(parts)
      if (results.length > limits.sequence) throw new Refusal("D2015", results.length)
    }
    return results.length === 0 ? sequence(results) : results
  }
  if (typeof value !== "object" || value === null || "_jsonata_lambda" in value) return value
  return sequence(Object.entries(value).map(([name, item]) => Object.fromEntries([[name, item]])))
}

/** Fails where a value has too many parts to be written. */
const measure = (value: unknown, count: (value: unknown) => void): void => {
  count(value)
  if (typeof value !== "object" || value === null) return
  for (const item of Object.values(value)) measure(item, count)
}

const pad = (text?: string, width?: number, fill?: string): string | undefined => {
  if (text === undefined || width === undefined) return text
  const missing = Math.abs(Math.trunc(width)) - lengthOf(text)
  if (!(missing > 0)) return text
  const unit = fill === undefined || fill === "" ? " " : fill
  checkText(text.length + missing * unit.length)
  const characters = Array.from(unit)
  const rest = characters.slice(0, missing % characters.length).join("")
  const padding = unit.repeat(Math.floor(missing / characters.length)) + rest
  return width > 0 ? text + padding : padding + text
}

interface Replacement {
  readonly name: string
  readonly signature: string
  readonly implementation: Parameters<jsonata.Expression["registerFunction"]>[1]
}

/** The library's own function, whose second argument is a picture. */
const withPicture = (name: string, signature: string, original: Original): Replacement => ({
  name,
  signature,
  implementation:
    original.length < 3
      ? function (value: unknown, picture: unknown) {
          checkPicture(picture)
          return original.call(this, value, picture)
        }
      : function (value: unknown, picture: unknown, more: unknown) {
          checkPicture(picture)
          return original.call(this, value, picture, more)
        }
})

/** All of them; `original` gives the library's own function of a name. */
export const replacements = (original: (name: string) => Original): ReadonlyArray<Replacement> => {
  const ownSort = original("sort")
  const ownSplit = original("split")
  const ownString = original("string")
  return [
    { name: "distinct", signature: "<x:x>", implementation: distinct },
    { name: "spread", signature: "<x-:a<o>>", implementation: spread },
    { name: "pad", signature: "<s-ns?:s>", implementation: pad },
    {
      name: "sort",
      signature: "<af?:a>",
      implementation(values?: Values, comparator?: unknown) {
        if (values === undefined || values.length <= 1) return values
        return comparator === undefined ? sorted(values) : ownSort.call(this, values, comparator)
      }
    },
    {
      name: "split",
      signature: "<s-(sf)n?:a<s>>",
      implementation(text?: string, separator?: unknown, limit?: number) {
        const isPlain = typeof separator === "string" && text !== undefined
        return isPlain ? split(text, separator, limit) : ownSplit.call(this, text, separator, limit)
      }
    },
    {
      name: "string",
      signature: "<x-b?:s>",
      implementation(value?: unknown, prettify?: boolean) {
        measure(value, counter())
        return ownString.call(this, value, prettify)
      }
    },
    {
      name: "join",
      signature: "<a<s>s?:s>",
      implementation: (texts?: ReadonlyArray<string>, separator?: string) =>
        texts === undefined ? undefined : join(texts, separator)
    },
    {
      name: "length",
      signature: "<s-:n>",
      implementation: (text?: string) => (text === undefined ? undefined : lengthOf(text))
    },
    {
      name: "substring",
      signature: "<s-nn?:s>",
      implementation: (text?: string, start?: number, length?: number) =>
        text === undefined ? undefined : substring(text, start, length)
    },
    {
      name: "max",
      signature: "<a<n>:n>",
      implementation: (numbers?: ReadonlyArray<number>) => (numbers === undefined ? undefined : largest(numbers))
    },
    {
      name: "min",
      signature: "<a<n>:n>",
      implementation: (numbers?: ReadonlyArray<number>) => (numbers === undefined ? undefined : smallest(numbers))
    },
    withPicture("fromMillis", "<n-s?s?:s>", original("fromMillis")),
    withPicture("toMillis", "<s-s?:n>", original("toMillis")),
    withPicture("formatNumber", "<n-so?:s>", original("formatNumber")),
    withPicture("formatInteger", "<n-s:s>", original("formatInteger")),
    withPicture("parseInteger", "<s-s:n>", original("parseInteger"))
  ]
}
