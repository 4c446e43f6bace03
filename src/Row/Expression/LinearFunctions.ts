/**
 * Replacements for JSONata functions that take linear time and bounded memory, and count steps. The originals compare every value with
 * every other, copy an array for each value, build strings of any length, or make one long call of V8. The replacements return the same
 * results, and have the same number of parameters, which `$map` and similar functions read.
 */
import { join, largest, lengthOf, smallest, split, substring, trim } from "./Builtins.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"
import type { FindOriginal, Original } from "./JsonataLibrary.ts"
import { checkPicture, checkText, counter, limits, push, step } from "./Limits.ts"
import { isFunction, isNumeric, toText } from "./Operators.ts"
import { withCalendar, withZone } from "./Time.ts"

type Values = ReadonlyArray<unknown>

const isSequence = (value: unknown): boolean => Array.isArray(value) && "sequence" in value && value.sequence === true

/** Marks an array as a JSONata sequence, which equals its value if it has only one. */
const sequence = (values: Array<unknown>): Array<unknown> => Object.assign(values, { sequence: true })

/** A string that is the same for equal values only. */
const keyOf = (value: unknown, count: ReturnType<typeof counter>, name?: string): string => {
  count(value, name)
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, count)).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value
  if (value instanceof Date) return `@${value.getTime()}`
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${keyOf(item, count, name)}`).join()}}`
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
    count(value)
    return !seen.has(value) && seen.add(value)
  })
  return isSequence(values) ? sequence(Array.from(results)) : results
}

const isText = (value: unknown): value is string => typeof value === "string"

const isNumber = (value: unknown): value is number => typeof value === "number"

const byNumber = (one: number, other: number): number => {
  step()
  return one < other ? -1 : one > other ? 1 : 0
}

const byText = (one: string, other: string): number => {
  step(1 + (Math.min(one.length, other.length) >> 6))
  return one < other ? -1 : one > other ? 1 : 0
}

const sortedPlain = (values: Values): Values => {
  if (values.every(isNumber)) return [...values].sort(byNumber)
  if (values.every(isText)) return [...values].sort(byText)
  throw new EvaluationFault("D3070", values)
}

/** Merges two sorted arrays. `isBehind` returns true if its first argument comes after its second. */
const merge = (left: Values, right: Values, isBehind: (left: unknown, right: unknown) => unknown): Values => {
  const merged: Array<unknown> = []
  let at = 0
  let other = 0
  while (at < left.length && other < right.length) {
    step()
    merged.push(isBehind(left[at], right[other]) ? right[other++] : left[at++])
  }
  while (at < left.length) merged.push(left[at++])
  while (other < right.length) merged.push(right[other++])
  return merged
}

const sorted = (values: Values, isBehind: (left: unknown, right: unknown) => unknown): Values => {
  if (values.length <= 1) return values
  step(values.length >> 3)
  const middle = Math.floor(values.length / 2)
  return merge(sorted(values.slice(0, middle), isBehind), sorted(values.slice(middle), isBehind), isBehind)
}

/** `$sort`, also called by the order-by operator. */
const sort = (values?: Values, comparator?: (left: unknown, right: unknown) => unknown): Values | undefined => {
  if (values === undefined || values.length <= 1) return values
  return comparator === undefined ? sortedPlain(values) : sorted(values, comparator)
}

const spread = (value?: unknown): unknown => {
  if (Array.isArray(value)) {
    const results: Array<unknown> = []
    for (const item of value as Values) {
      const parts = spread(item)
      if (Array.isArray(parts)) for (const part of parts) push(results, part)
      else if (parts !== undefined) push(results, parts)
    }
    return results.length === 0 ? sequence(results) : results
  }
  if (typeof value !== "object" || value === null || "_jsonata_lambda" in value) return value
  return sequence(Object.entries(value).map(([name, item]) => Object.fromEntries([[name, item]])))
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

/** Maximum length of a string parsed with a picture. */
const maxPictureInput = 1000

/** Adds limits to a library function that takes a value and a picture. */
const withPicture = (own: Original, guard: (original: Original) => Original = (original) => original): Original => {
  const original = guard(own)
  const check = (value: unknown, picture: unknown): void => {
    checkPicture(picture)
    if (typeof value === "string" && value.length > maxPictureInput) throw new EvaluationFault("D2019", value)
  }
  return own.length < 3
    ? function (value: unknown, picture: unknown) {
        check(value, picture)
        return original.call(this, value, picture)
      }
    : function (value: unknown, picture: unknown, more: unknown) {
        check(value, picture)
        return original.call(this, value, picture, more)
      }
}

/** Characters per call of the original function. */
const partLength = 100_000

/** Calls a function on parts of a string; never splits surrogate pairs. */
const inParts =
  (encode: Original): Original =>
  (text: unknown) => {
    if (typeof text !== "string" || text.length <= partLength) return encode.call(undefined, text)
    let result = ""
    for (let at = 0; at < text.length; ) {
      const last = text.charCodeAt(at + partLength - 1)
      const end = at + partLength - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
      step(partLength)
      result += String(encode.call(undefined, text.slice(at, end)))
      checkText(result.length)
      at = end
    }
    return result
  }

/** A deep copy, with the same result as a round trip through JSON. */
export const clone = (value?: unknown): unknown => {
  const count = counter(limits.text)
  const copy = (value: unknown, name?: string): unknown => {
    count(value, name)
    if (typeof value === "number")
      return isNumeric(value) && !Number.isInteger(value) ? Number(value.toPrecision(15)) : value
    if (isFunction(value)) return ""
    if (typeof value !== "object" || value === null || value instanceof Date) return value
    if (Array.isArray(value)) return Array.from(value, (item) => copy(item) ?? null)
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, name)]))
  }
  return copy(Array.isArray(value) && "outerWrapper" in value ? value[0] : value)
}

const string = (value?: unknown, pretty = false): string | undefined => {
  if (isFunction(value)) return ""
  return toText(Array.isArray(value) && "outerWrapper" in value ? value[0] : value, pretty ? 2 : 0)
}

const splitFast = (own: Original): Original =>
  function (text: unknown, separator: unknown, limit: unknown) {
    const isPlain = typeof separator === "string" && typeof text === "string"
    return isPlain ? split(text, separator, limit) : own.call(this, text, separator, limit)
  }

/** Replacements for JSONata's functions on strings, numbers, arrays and objects, by name. */
export const functions = (own: FindOriginal): Readonly<Record<string, unknown>> => ({
  distinct,
  spread,
  pad,
  sort,
  string,
  split: splitFast(own("split")),
  join: (texts?: ReadonlyArray<string>, separator?: string) =>
    texts === undefined ? undefined : join(texts, separator),
  trim: (text?: string) => (text === undefined ? undefined : trim(text)),
  length: (text?: string) => (text === undefined ? undefined : lengthOf(text)),
  substring: (text?: string, start?: number, length?: number) =>
    text === undefined ? undefined : substring(text, start, length),
  max: (numbers?: ReadonlyArray<number>) => (numbers === undefined ? undefined : largest(numbers)),
  min: (numbers?: ReadonlyArray<number>) => (numbers === undefined ? undefined : smallest(numbers)),
  encodeUrl: inParts(own("encodeUrl")),
  encodeUrlComponent: inParts(own("encodeUrlComponent")),
  formatNumber: withPicture(own("formatNumber"))
})

/** Replacements for functions on dates and numbers that take a picture, by name. */
export const pictures = (
  own: FindOriginal
): Readonly<Record<"fromMillis" | "toMillis" | "formatInteger" | "parseInteger", Original>> => ({
  fromMillis: withPicture(own("fromMillis"), withZone),
  toMillis: withPicture(own("toMillis"), withCalendar),
  formatInteger: withPicture(own("formatInteger")),
  parseInteger: withPicture(own("parseInteger"))
})
