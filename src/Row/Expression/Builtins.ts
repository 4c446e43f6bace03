/** Functions that compiled expressions call directly, with JSONata's results and signature checks. */
import { readNumber } from "../../Values/Number.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"
import { css, data, date, ofText, price } from "./Functions.ts"
import { checkText, limits, push, step } from "./Limits.ts"
import { toBoolean, toText } from "./Operators.ts"
import { LinearRegExp } from "./Regex.ts"

interface Parameter {
  /** Accepted types, one letter each as in JSONata's signatures: s n b a o f, or x for any. */
  readonly type: string
  /** True if the context replaces a missing argument. */
  readonly context?: true
  readonly optional?: true
  /** Element type of an array. */
  readonly of?: "s" | "n"
}

const letterOf = (value: unknown): string => {
  if (value === undefined) return "m"
  if (value === null) return "l"
  if (Array.isArray(value)) return "a"
  if (value instanceof LinearRegExp) return "f"
  return typeof value === "object" ? "o" : (typeof value).charAt(0)
}

const patternOf = ({ type }: Parameter): string => (type === "a" || type === "x" ? "[asnblfom]" : `[${type}m]`)

/** Position of the first value of another type; -1 if there is none. */
const misfitAt = (values: ReadonlyArray<unknown>, of: Parameter["of"]): number =>
  of === undefined ? -1 : values.findIndex((value) => letterOf(value) !== of)

/** Makes a function that checks arguments like JSONata: the context may replace a missing one, and a single value becomes an array. */
const makeFitter = (
  token: string,
  parameters: ReadonlyArray<Parameter>
): ((given: ReadonlyArray<unknown>, input: unknown) => ReadonlyArray<unknown>) => {
  const groups = parameters.map((each) => patternOf(each) + (each.context || each.optional ? "?" : ""))
  const whole = new RegExp(`^${groups.map((group) => `(${group})`).join("")}$`)
  const contexts = parameters.map((each) => new RegExp(patternOf(each)))

  const refuse = (given: ReadonlyArray<unknown>, letters: string): never => {
    let matched = 0
    for (let count = 1; count <= groups.length; count++) {
      const match = new RegExp(`^${groups.slice(0, count).join("")}`).exec(letters)
      if (match === null) break
      matched = match[0].length
    }
    throw new EvaluationFault("T0410", given[matched], token, matched + 1)
  }

  return (given, input) => {
    const letters = given.map(letterOf).join("")
    const match = whole.exec(letters)
    if (match === null) return refuse(given, letters)
    let next = 0
    return parameters.map((parameter, index) => {
      const letter = match[index + 1] ?? ""
      if (letter === "" && parameter.context) {
        if (contexts[index]?.test(letterOf(input))) return input
        throw new EvaluationFault("T0411", input, token, next + 1)
      }
      const value = given[next++]
      if (letter === "" || letter === "m" || parameter.type !== "a") return value
      const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
      const at = misfitAt(values, parameter.of)
      if (at !== -1)
        throw new EvaluationFault("T0412", values[at], token, next, parameter.of === "s" ? "strings" : "numbers")
      return values
    })
  }
}

type Prepare = (given: ReadonlyArray<unknown>, input: unknown) => ReadonlyArray<unknown>

export interface Builtin {
  readonly prepare: Prepare
  /** Calls the function with checked arguments. */
  readonly apply: (args: ReadonlyArray<unknown>) => unknown
  /** Fast path for one string argument; skips the signature check. */
  readonly ofText?: ((text: string) => unknown) | undefined
}

const text: Parameter = { type: "s" }
const fromContext = { context: true } as const

const textFunction = (name: string, apply: (text: string) => unknown): readonly [string, Builtin] => [
  name,
  {
    prepare: makeFitter(name, [{ ...text, ...fromContext }]),
    apply: ([value]) => (typeof value === "string" ? apply(value) : undefined),
    ofText: apply
  }
]

/** A function that returns undefined if its first argument is undefined. */
const partial = <A>(
  name: string,
  parameters: ReadonlyArray<Parameter>,
  apply: (first: A, ...rest: ReadonlyArray<unknown>) => unknown
): readonly [string, Builtin] => [
  name,
  {
    prepare: makeFitter(name, parameters),
    apply: ([first, ...rest]) => (first === undefined ? undefined : apply(first as A, ...rest))
  }
]

const number: Parameter = { type: "n" }
const numbers: Parameter = { type: "a", of: "n" }

const surrogates = /[\ud800-\udbff]/

/** Length in characters; a surrogate pair counts as one. */
export const lengthOf = (value: string): number => {
  let length = value.length
  if (!surrogates.test(value)) return length
  for (let at = 0; at < value.length - 1; at++) {
    if ((value.charCodeAt(at) & 0xfc00) === 0xd800 && (value.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      length--
      at++
    }
  }
  return length
}

/** Maximum characters per `String.replace` call: native calls cannot be interrupted, so steps are counted in between. */
const partLength = 100_000

export const trim = (value: string): string => {
  let result = ""
  for (let at = 0; at < value.length; at += partLength) {
    step(partLength >> 4)
    const part = value.slice(at, at + partLength).replace(/[ \t\n\r]+/g, " ")
    result += part.startsWith(" ") && (result === "" || result.endsWith(" ")) ? part.slice(1) : part
  }
  return result.endsWith(" ") ? result.slice(0, -1) : result
}

/** Up to this length, patterns use V8's search, which at worst compares the whole pattern at each position. */
const shortPattern = 100

/** Knuth-Morris-Pratt search: reads each character of the text once. */
const searchLong = (text: string, pattern: string, from: number): number => {
  const widths = new Int32Array(pattern.length)
  let width = 0
  for (let at = 1; at < pattern.length; at++) {
    if (at % 1024 === 0) step(64)
    while (width > 0 && pattern[at] !== pattern[width]) width = widths[width - 1] ?? 0
    if (pattern[at] === pattern[width]) width++
    widths[at] = width
  }
  width = 0
  for (let at = from; at < text.length; at++) {
    if (at % 1024 === 0) step(64)
    while (width > 0 && text[at] !== pattern[width]) width = widths[width - 1] ?? 0
    if (text[at] === pattern[width] && ++width === pattern.length) return at - width + 1
  }
  return -1
}

/** Like `indexOf`, in linear time, and counts steps. */
export const search = (text: string, pattern: string, from = 0): number => {
  if (text.length - from <= partLength && pattern.length <= shortPattern) return text.indexOf(pattern, from)
  if (pattern.length > shortPattern)
    return text.length * pattern.length < 1e6 ? text.indexOf(pattern, from) : searchLong(text, pattern, from)
  for (let at = from; at < text.length; at += partLength) {
    step(partLength >> 4)
    const found = text.slice(at, at + partLength + pattern.length - 1).indexOf(pattern)
    if (found >= 0) return at + found
  }
  return pattern === "" ? Math.min(from, text.length) : -1
}

const toNumber = (value: unknown): number => {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "string") {
    if (/^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value) && Number.isFinite(Number(value)))
      return Number.parseFloat(value)
    if (/^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/.test(value)) return Number(value)
  }
  throw new EvaluationFault("D3030", value)
}

/** `$number(value, locale)`: with a locale, or "" for none, reads a number as written on pages. */
export const numberIn = (value: unknown, locale?: unknown): number | undefined =>
  locale === undefined || typeof value !== "string"
    ? toNumber(value)
    : readNumber(value, typeof locale === "string" ? locale : undefined)

export const substring = (value: string, start: unknown, length: unknown): string => {
  // Without surrogate pairs, slice the string itself: an array of its characters would need many times the memory.
  const characters = surrogates.test(value) ? [...value] : value
  const text = (from?: number, to?: number) => {
    const part = characters.slice(from, to)
    return typeof part === "string" ? part : part.join("")
  }
  const from = typeof start === "number" ? (characters.length + start < 0 ? 0 : start) : undefined
  if (typeof length !== "number") return text(from)
  if (length <= 0) return ""
  // As in JSONata, a missing start makes the end NaN, which is position 0.
  const end = from === undefined ? 0 : from >= 0 ? from + length : characters.length + from + length
  return text(from, end)
}

const splitBy = (value: string, separator: LinearRegExp, limit: number): Array<string> => {
  const parts: Array<string> = []
  let start = 0
  separator.lastIndex = 0
  let match = separator.exec(value)
  while (match !== null && parts.length < limit) {
    push(parts, value.slice(start, match.index))
    start = match.index + (match[0] ?? "").length
    match = separator.lastIndex >= value.length ? null : separator.exec(value)
    if (match !== null && match[0] === "") throw new EvaluationFault("D1004", separator)
  }
  if (parts.length < limit) parts.push(value.slice(start))
  return parts
}

const splitAt = (value: string, separator: string, limit: number): Array<string> => {
  if (separator === "" || value.length * Math.min(separator.length, 100) < 1e6) {
    const parts = value.split(separator, Math.min(limit, limits.sequence + 1))
    if (parts.length > limits.sequence) throw new EvaluationFault("D2015", parts.length)
    return parts
  }
  const parts: Array<string> = []
  let start = 0
  let found = search(value, separator)
  while (found >= 0 && parts.length < limit) {
    push(parts, value.slice(start, found))
    start = found + separator.length
    found = search(value, separator, start)
  }
  if (parts.length < limit) push(parts, value.slice(start))
  return parts
}

export const split = (value: string, separator: unknown, limit: unknown): ReadonlyArray<string> => {
  if (typeof limit === "number" && limit < 0) throw new EvaluationFault("D3020", limit)
  const maxParts = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY
  if (maxParts <= 0) return []
  if (separator instanceof LinearRegExp) return splitBy(value, separator, maxParts)
  if (typeof separator === "string") return splitAt(value, separator, maxParts)
  throw new EvaluationFault("D0000", separator, "split", 2)
}

const contains = (value: string, token: unknown): boolean | undefined => {
  if (token instanceof LinearRegExp) {
    token.lastIndex = 0
    return token.exec(value) !== null
  }
  return typeof token === "string" ? search(value, token) >= 0 : undefined
}

/** The larger of two values: `Math.max(...values)` fails for arrays longer than the maximum number of arguments. */
const larger = (most: number | undefined, value: number): number => (most === undefined ? value : Math.max(most, value))
const smaller = (least: number | undefined, value: number): number =>
  least === undefined ? value : Math.min(least, value)

export const largest = (values: ReadonlyArray<number>): number | undefined =>
  values.reduce<number | undefined>(larger, undefined)
export const smallest = (values: ReadonlyArray<number>): number | undefined =>
  values.reduce<number | undefined>(smaller, undefined)

/** Joins strings; checks the length of the result first. */
export const join = (values: ReadonlyArray<string>, separator = ""): string => {
  const gaps = separator.length * Math.max(0, values.length - 1)
  const length = values.reduce((length, value) => length + value.length, gaps)
  checkText(length)
  step(values.length + (length >> 6))
  return values.join(separator)
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** The functions by name, without the `$`. */
export const builtins: ReadonlyMap<string, Builtin> = new Map([
  ...Object.entries(ofText).map(([name, apply]) => textFunction(name, apply)),
  textFunction("lowercase", (value) => value.toLowerCase()),
  textFunction("uppercase", (value) => value.toUpperCase()),
  textFunction("length", lengthOf),
  textFunction("trim", trim),
  [
    "count",
    {
      prepare: makeFitter("count", [{ type: "a" }]),
      apply: ([list]) => (list as ReadonlyArray<unknown> | undefined)?.length ?? 0
    }
  ],
  ["exists", { prepare: makeFitter("exists", [{ type: "x" }]), apply: ([value]) => value !== undefined }],
  partial("boolean", [{ type: "x", ...fromContext }], toBoolean),
  partial("not", [{ type: "x", ...fromContext }], (value) => toBoolean(value) !== true),
  partial(
    "string",
    [
      { type: "x", ...fromContext },
      { type: "b", optional: true }
    ],
    (value, pretty) => toText(value, pretty ? 2 : 0)
  ),
  partial(
    "number",
    [
      { type: "nsb", ...fromContext },
      { type: "sl", optional: true }
    ],
    numberIn
  ),
  partial("floor", [{ ...number, ...fromContext }], Math.floor),
  partial("ceil", [{ ...number, ...fromContext }], Math.ceil),
  partial("abs", [{ ...number, ...fromContext }], Math.abs),
  partial("sum", [numbers], sum),
  partial("max", [numbers], largest),
  partial("min", [numbers], smallest),
  partial("average", [numbers], (values: ReadonlyArray<number>) =>
    values.length === 0 ? undefined : sum(values) / values.length
  ),
  partial("substring", [{ ...text, ...fromContext }, number, { ...number, optional: true }], substring),
  partial("contains", [{ ...text, ...fromContext }, { type: "sf" }], contains),
  partial("split", [{ ...text, ...fromContext }, { type: "sf" }, { ...number, optional: true }], split),
  partial(
    "join",
    [
      { type: "a", of: "s" },
      { ...text, optional: true }
    ],
    (values: ReadonlyArray<string>, separator) => join(values, typeof separator === "string" ? separator : "")
  ),
  // An object as the only argument is the second one, for which the row is no date.
  partial(
    "date",
    [
      { type: "sn", ...fromContext },
      { type: "so", optional: true }
    ],
    (value: string | number) => date(value)
  ),
  partial(
    "price",
    [
      { type: "snl", ...fromContext },
      { type: "sl", optional: true },
      { type: "sl", optional: true }
    ],
    price
  ),
  partial("css", [{ ...text, ...fromContext }, text], css),
  partial("data", [{ ...text, ...fromContext }, text], data)
])
