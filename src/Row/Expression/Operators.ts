/** JSONata's operators, with its type conversions. */
import { EvaluationFault } from "./ExpressionErrors.ts"
import { checkText, counter, step, weigh } from "./Limits.ts"
import { Sequence } from "./PathReader.ts"

export const isNumeric = (value: unknown): value is number => {
  if (typeof value !== "number" || Number.isNaN(value)) return false
  if (!Number.isFinite(value)) throw new EvaluationFault("D1001", value)
  return true
}

/** The value as a boolean; undefined stays undefined. */
export const toBoolean = (value: unknown): boolean | undefined => {
  if (value === undefined) return undefined
  if (Array.isArray(value))
    return value.length === 1 ? toBoolean(value[0]) : value.some((item) => toBoolean(item) === true)
  if (typeof value === "string") return value !== ""
  if (isNumeric(value)) return value !== 0
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0
  return value === true
}

/** True for functions: of JSONata, of the library, or written in an expression. */
export const isFunction = (value: unknown): boolean =>
  typeof value === "function" ||
  (typeof value === "object" && value !== null && ("_jsonata_lambda" in value || "_jsonata_function" in value))

/** The value as a string. Numbers have up to 15 digits. */
export const toText = (value: unknown, indent = 0): string | undefined => {
  if (value === undefined || typeof value === "string") return value
  if (typeof value === "number" && !Number.isFinite(value)) throw new EvaluationFault("D3001", value)
  return typeof value === "object" && value !== null
    ? write(value, indent)
    : JSON.stringify(value, (_, item) => shorten(item))
}

const shorten = (value: unknown): unknown =>
  isNumeric(value) && !Number.isInteger(value) ? Number(value.toPrecision(15)) : value

const write = (value: unknown, indent: number): string => {
  const count = counter()
  const text = JSON.stringify(
    value,
    function (this: unknown, name, item) {
      count(item, Array.isArray(this) ? "" : name)
      return isFunction(item) ? "" : shorten(item)
    },
    indent
  )
  checkText(text.length)
  return text
}

export const concatenate = (left: unknown, right: unknown): string => {
  const start = toText(left) ?? ""
  const end = toText(right) ?? ""
  checkText(start.length + end.length)
  return start + end
}

/** Deep equality; ignores the order of keys. */
export const equal = (left: unknown, right: unknown): boolean => {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right
  return equalInDepth(left, right)
}

const equalInDepth = (left: unknown, right: unknown): boolean => {
  step()
  weigh(left)
  if (left === right) return true
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalInDepth(item, right[index]))
  }
  if (left instanceof Sequence || right instanceof Sequence) return false
  const names = Object.getOwnPropertyNames(left)
  if (names.length !== Object.getOwnPropertyNames(right).length) return false
  const one = left as Readonly<Record<string, unknown>>
  const other = right as Readonly<Record<string, unknown>>
  return (
    names.every((name) => Object.hasOwn(other, name)) && names.every((name) => equalInDepth(one[name], other[name]))
  )
}

const comparable = (value: unknown): value is string | number | undefined =>
  value === undefined || typeof value === "string" || typeof value === "number"

/** Makes a comparison operator. Its result is undefined if a value is missing. */
export const compare =
  (token: string, accept: (left: string | number, right: string | number) => boolean) =>
  (left: unknown, right: unknown): boolean | undefined => {
    if (!comparable(left) || !comparable(right))
      throw new EvaluationFault("T2010", comparable(left) ? right : left, token)
    if (left === undefined || right === undefined) return undefined
    if (typeof left !== typeof right) throw new EvaluationFault("T2009", typeof left === "string" ? left : right, token)
    return accept(left, right)
  }

/** Makes an arithmetic operator. Its result is undefined if a value is missing. */
export const calculate =
  (token: string, result: (left: number, right: number) => number) =>
  (left: unknown, right: unknown): number | undefined => {
    if (left !== undefined && !isNumeric(left)) throw new EvaluationFault("T2001", left, token)
    if (right !== undefined && !isNumeric(right)) throw new EvaluationFault("T2002", right, token)
    return left === undefined || right === undefined ? undefined : result(left, right)
  }

export const includes = (value: unknown, list: unknown): boolean => {
  if (value === undefined || list === undefined) return false
  // indexOf compares by identity, as JSONata does.
  return Array.isArray(list) ? list.indexOf(value) !== -1 : list === value
}

type Operator = (left: unknown, right: unknown) => unknown

/** Operators that evaluate both sides. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["=", (left, right) => left !== undefined && right !== undefined && equal(left, right)],
  ["!=", (left, right) => left !== undefined && right !== undefined && !equal(left, right)],
  ["<", compare("<", (left, right) => left < right)],
  ["<=", compare("<=", (left, right) => left <= right)],
  [">", compare(">", (left, right) => left > right)],
  [">=", compare(">=", (left, right) => left >= right)],
  ["+", calculate("+", (left, right) => left + right)],
  ["-", calculate("-", (left, right) => left - right)],
  ["*", calculate("*", (left, right) => left * right)],
  ["/", calculate("/", (left, right) => left / right)],
  ["%", calculate("%", (left, right) => left % right)],
  ["&", concatenate],
  ["in", includes]
])
