/** Errors of expressions, at compile time and when evaluating a row. */
import * as Data from "effect/Data"
import { runtimeLimitOf } from "../../Values/RuntimeLimit.ts"

const excerpt = (source: string): string => (source.length > 80 ? `${source.slice(0, 77)}…` : source)

/** Error of an expression that cannot be compiled. */
export class ExpressionError extends Data.TaggedError("ExpressionError")<{
  readonly source: string
  /** Offset in `source`. */
  readonly position: number
  readonly reason: string
}> {
  override get message() {
    return `${this.reason} (character ${this.position + 1} of: ${excerpt(this.source)})`
  }
}

/** Error of an expression that fails for one row. */
export class EvaluationError extends Data.TaggedError("EvaluationError")<{
  readonly source: string
  /** JSONata error code, such as `T2001`. */
  readonly code: string
  readonly reason: string
}> {
  override get message() {
    return `${this.reason}, in: ${excerpt(this.source)}`
  }
}

/** Thrown inside of expressions, with the error code and the value. {@link evaluationError} adds the expression. */
export class EvaluationFault {
  readonly code: string
  readonly value: unknown
  /** The operator or function that failed. */
  readonly token: string
  /** Number of the argument, counted from 1. */
  readonly index: number
  /** Required type of the items of an array. */
  readonly type: "numbers" | "strings" | undefined

  constructor(code: string, value: unknown, token = "", index = 0, type?: EvaluationFault["type"]) {
    this.code = code
    this.value = value
    this.token = token
    this.index = index
    this.type = type
  }
}

/** Short description of a value, for messages. */
export const describe = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  if (typeof value === "function") return "a function"
  return typeof value === "string" ? JSON.stringify(excerpt(value)) : String(value)
}

const reasons: Readonly<Record<string, (fault: EvaluationFault) => string>> = {
  D1001: ({ value }) => `${String(value)} is not a number that JSON can contain`,
  D1002: ({ value }) => `- needs a number, got ${describe(value)}`,
  D1011: () => "the expression calls itself too deeply",
  D1012: () =>
    "the expression took longer than a second for one row: select the part of the row that it needs in an earlier step",
  D2015: () => "the expression makes an array of more than a million values: filter or split them in an earlier step",
  D2016: () => "the expression makes a string of more than 16 million characters: shorten it with $substring first",
  D2017: () => "the expression makes more than five million values for one row: select fewer",
  D2020: () => "the expression gives strings of more than 64 million characters: select fewer",
  D2019: () => "numbers and dates are read from strings of at most 1,000 characters",
  D2018: () => "a picture has at most 1,000 characters, and no number above 1,000",
  D2021: ({ value }) => `${describe(value)} is not a time zone: write +05:30, +0530, Z, or a name like Europe/Berlin`,
  D2022: ({ value }) => `${describe(value)} is not a time: $fromMillis needs milliseconds since 1970`,
  D2023: ({ value }) => `$date has no option ${describe(value)}: its options are now, language, order and timezone`,
  D2024: ({ value }) => `the options language, order and timezone of $date are strings, got ${describe(value)}`,
  D2025: ({ value }) => `${describe(value)} is not an order for $date: write DMY, MDY or YMD`,
  D2026: ({ value }) =>
    `the option "now" of $date must be a time in ISO 8601 or milliseconds since 1970, got ${describe(value)}`,
  D2027: ({ value }) => `$css: ${String(value)}`,
  D3070: () => "$sort without a function needs an array of numbers, or of strings",
  D3001: () => "$string cannot write infinity",
  D3030: ({ value }) => `$number cannot read ${describe(value)}`,
  D3020: () => "the limit of $split must be 0 or more",
  T0410: ({ value, token, index }) => `argument ${index} of $${token} cannot be ${describe(value)}`,
  T0411: ({ value, token, index }) =>
    token === "date"
      ? `$date has no value: the row, which is used instead, is ${describe(value)}, and an object as the only argument is read as the options: write $date(value, { … })`
      : `argument ${index} of $${token} is missing, and the row or item used instead is ${describe(value)}`,
  T0412: ({ value, token, index, type }) =>
    `argument ${index} of $${token} must have only ${type}, got ${describe(value)}`,
  T2001: ({ value, token }) => `the left side of ${token} must be a number, got ${describe(value)}`,
  T2002: ({ value, token }) => `the right side of ${token} must be a number, got ${describe(value)}`,
  T2009: ({ token, value }) =>
    `both sides of ${token} must be numbers, or both strings, got the string ${describe(value)} and a number${
      String(value).trim() !== "" && Number.isFinite(Number(value)) ? ": write $number(…) around the string" : ""
    }`,
  T2010: ({ value, token }) => `${token} compares numbers or strings, got ${describe(value)}`
}

/** Code for an error of V8, which has none. Compares names, because errors from JSONata's context are not instances of the classes here. */
const codeOfNative = (cause: object): string => {
  if (field(cause, "name") !== "RangeError") return "D0000"
  return runtimeLimitOf(String(field(cause, "message"))) === "length" ? "D2016" : "D1011"
}

const field = (cause: object, name: string): unknown => (cause as Readonly<Record<string, unknown>>)[name]

/** Converts an error thrown while evaluating `source`. */
export const evaluationError = (source: string, cause: unknown): EvaluationError => {
  if (cause instanceof EvaluationError) return cause
  if (typeof cause !== "object" || cause === null)
    return new EvaluationError({ source, code: "D0000", reason: String(cause) })
  const code = String(field(cause, "code") ?? codeOfNative(cause))
  const token = field(cause, "token")
  const index = field(cause, "index")
  const fault =
    cause instanceof EvaluationFault
      ? cause
      : new EvaluationFault(code, field(cause, "value"), String(token ?? ""), typeof index === "number" ? index : 0)
  const reason = reasons[code]?.(fault) ?? String(field(cause, "message") ?? "the evaluation failed")
  return new EvaluationError({ source, code, reason })
}
