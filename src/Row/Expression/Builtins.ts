/** The functions that closures can call, with JSONata's results. */
import { Refusal } from "./Errors.ts"
import { date, ofText } from "./Functions.ts"
import { toBoolean, toText } from "./Operators.ts"
import { LinearRegExp } from "./Regex.ts"
import { makeFitter, type Parameter } from "./Signature.ts"

type Prepare = (given: ReadonlyArray<unknown>, input: unknown) => ReadonlyArray<unknown>

export interface Builtin {
  readonly prepare: Prepare
  /** The function of fitted arguments. */
  readonly apply: (args: ReadonlyArray<unknown>) => unknown
  /** The function of its one argument when that is a text: the usual case, without fitting. */
  readonly ofText?: ((text: string) => unknown) | undefined
}

const text: Parameter = { type: "s" }
const here = { context: true } as const

const textFunction = (name: string, apply: (text: string) => unknown): readonly [string, Builtin] => [
  name,
  {
    prepare: makeFitter(name, [{ ...text, ...here }]),
    apply: ([value]) => (typeof value === "string" ? apply(value) : undefined),
    ofText: apply
  }
]

/** A function that gives nothing when its first argument is nothing. */
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

/** Characters, not UTF-16 units: a surrogate pair is one. */
const surrogates = /[\ud800-\udbff]/

/** In code points. */
const lengthOf = (value: string): number => {
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

const trim = (value: string): string => value.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "")

const toNumber = (value: unknown): number => {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "string") {
    if (/^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value) && Number.isFinite(Number(value)))
      return Number.parseFloat(value)
    if (/^(0[xX][0-9A-Fa-f]+)|(0[oO][0-7]+)|(0[bB][0-1]+)$/.test(value)) return Number(value)
  }
  throw new Refusal("D3030", value)
}

const substring = (value: string, start: unknown, length: unknown): string => {
  const characters = [...value]
  const from = typeof start === "number" ? (characters.length + start < 0 ? 0 : start) : undefined
  if (typeof length !== "number") return characters.slice(from).join("")
  if (length <= 0) return ""
  // A missing start makes the end of it no number, which is position 0.
  const end = from === undefined ? 0 : from >= 0 ? from + length : characters.length + from + length
  return characters.slice(from, end).join("")
}

const splitBy = (value: string, separator: LinearRegExp, limit: number): Array<string> => {
  const parts: Array<string> = []
  let start = 0
  separator.lastIndex = 0
  let match = separator.exec(value)
  while (match !== null && parts.length < limit) {
    parts.push(value.slice(start, match.index))
    start = match.index + (match[0] ?? "").length
    match = separator.lastIndex >= value.length ? null : separator.exec(value)
    if (match !== null && match[0] === "") throw new Refusal("D1004", separator)
  }
  if (parts.length < limit) parts.push(value.slice(start))
  return parts
}

const split = (value: string, separator: unknown, limit: unknown): ReadonlyArray<string> => {
  if (typeof limit === "number" && limit < 0) throw new Refusal("D3020", limit)
  const most = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY
  if (most <= 0) return []
  if (separator instanceof LinearRegExp) return splitBy(value, separator, most)
  if (typeof separator === "string") return value.split(separator, typeof limit === "number" ? limit : undefined)
  throw new Refusal("D0000", separator, "split", 2)
}

const contains = (value: string, token: unknown): boolean | undefined => {
  if (token instanceof LinearRegExp) {
    token.lastIndex = 0
    return token.exec(value) !== null
  }
  return typeof token === "string" ? value.includes(token) : undefined
}

/** Two at a time: a list may have more values than a call has room for arguments. */
const larger = (most: number | undefined, value: number): number => (most === undefined ? value : Math.max(most, value))
const smaller = (least: number | undefined, value: number): number =>
  least === undefined ? value : Math.min(least, value)

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** By name, without the `$`. */
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
  partial("boolean", [{ type: "x", ...here }], toBoolean),
  partial("not", [{ type: "x", ...here }], (value) => toBoolean(value) !== true),
  partial(
    "string",
    [
      { type: "x", ...here },
      { type: "b", optional: true }
    ],
    (value, pretty) => toText(value, pretty ? 2 : 0)
  ),
  partial("number", [{ type: "nsb", ...here }], toNumber),
  partial("floor", [{ ...number, ...here }], Math.floor),
  partial("ceil", [{ ...number, ...here }], Math.ceil),
  partial("abs", [{ ...number, ...here }], Math.abs),
  partial("sum", [numbers], sum),
  partial("max", [numbers], (values: ReadonlyArray<number>) => values.reduce<number | undefined>(larger, undefined)),
  partial("min", [numbers], (values: ReadonlyArray<number>) => values.reduce<number | undefined>(smaller, undefined)),
  partial("average", [numbers], (values: ReadonlyArray<number>) =>
    values.length === 0 ? undefined : sum(values) / values.length
  ),
  partial("substring", [{ ...text, ...here }, number, { ...number, optional: true }], substring),
  partial("contains", [{ ...text, ...here }, { type: "sf" }], contains),
  partial("split", [{ ...text, ...here }, { type: "sf" }, { ...number, optional: true }], split),
  partial(
    "join",
    [
      { type: "a", of: "s" },
      { ...text, optional: true }
    ],
    (values: ReadonlyArray<string>, separator) => values.join(typeof separator === "string" ? separator : "")
  ),
  partial("date", [{ type: "sn", ...here }], date)
])
