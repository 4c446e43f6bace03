/**
 * Column types: which values each one holds, how a value is stored, and what a type becomes if a value does not fit.
 *
 * Values are stored as JSON: `integer`, `number` and `boolean` as themselves, `decimal`, `date`, `timestamp` and `string` as strings,
 * `json` as anything. So a type can widen without reading rows that are already written: a column of JSON values becomes `number` or
 * `json`, a column of strings becomes `string`.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

export const columnTypes = "string, integer, number, decimal, boolean, date, timestamp or json"

export const ColumnType = Schema.Literal(
  "string",
  "integer",
  "number",
  "decimal",
  "boolean",
  "date",
  "timestamp",
  "json"
).annotations({ description: columnTypes })
export type ColumnType = typeof ColumnType.Type

const day = /^\d{4}-\d{2}-\d{2}$/
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const digits = /^-?\d+(\.\d+)?$/

/** True for an existing date: not 2026-02-30. */
const isDay = (text: string): boolean => {
  const millis = day.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

const isInstant = (text: string): boolean =>
  instant.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))

/** Converts values that JSON cannot hold: dates become strings, big integers numbers if exact and otherwise strings. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  return typeof value === "number" && !Number.isFinite(value) ? null : value
}

/** The narrowest type that holds a value. Never `decimal`, which only a contract declares. */
export const typeOf = (value: unknown): ColumnType => {
  switch (typeof value) {
    case "boolean":
      return "boolean"
    case "number":
      return Number.isInteger(value) ? "integer" : "number"
    case "string":
      return isDay(value) ? "date" : isInstant(value) ? "timestamp" : "string"
    default:
      return "json"
  }
}

/** The value as it is stored in a column of this type; undefined if it does not fit. */
export const storedAs = (value: unknown, type: ColumnType): unknown => {
  switch (type) {
    case "json":
      return value
    case "string":
      return typeof value === "string" ? value : undefined
    case "number":
      return typeof value === "number" ? value : undefined
    case "decimal": {
      const text = typeof value === "number" ? String(value) : value
      return typeof text === "string" && digits.test(text) ? text : undefined
    }
    default:
      return typeOf(value) === type ? value : undefined
  }
}

/** The string itself, or the JSON text of another value. */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : Either.getOrUndefined(Either.try(() => JSON.stringify(value)))

/** Decimal digits that a double always holds exactly. */
const maxDigits = 15

/** Parses a string to a number that represents it exactly: `5`, `5.0` and ` 5 `, but not more digits than a double holds; else undefined. */
const numberIn = (text: string): number | undefined => {
  const trimmed = text.trim()
  const parts = /^[+-]?(\d*)(?:\.(\d*))?(?:e[+-]?\d+)?$/i.exec(trimmed)
  const [, whole = "", fraction = ""] = parts ?? []
  if (parts === null || whole + fraction === "") return undefined
  const value = Number(trimmed)
  const significant = `${whole}${fraction.replace(/0+$/, "")}`.replace(/^0+/, "")
  if (Number.isInteger(value) && (value !== 0 || significant === ""))
    return Number.isSafeInteger(value) ? value : undefined
  return Number.isFinite(value) && value !== 0 && significant.length <= maxDigits ? value : undefined
}

/** Value of a cell in a table without types; an empty cell is null. */
export const readCell = (text: unknown): unknown => {
  if (typeof text !== "string") return text
  if (text === "") return null
  if (text === "true" || text === "false") return text === "true"
  if (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return numberIn(text) ?? text
  return /^[[{]/.test(text)
    ? Either.getOrElse(
        Either.try(() => JSON.parse(text) as unknown),
        () => text
      )
    : text
}

const coerceText = (text: string, type: ColumnType): unknown => {
  switch (type) {
    case "boolean":
      return /^true$/i.test(text.trim()) ? true : /^false$/i.test(text.trim()) ? false : undefined
    case "integer":
    case "number":
      return storedAs(numberIn(text), type)
    case "decimal":
      return storedAs(text.trim().replace(/^\+/, ""), type)
    case "date":
    case "timestamp":
      return storedAs(text.trim(), type)
    default:
      return text
  }
}

/** Converts the value to the type; undefined if that would lose or invent information. */
export const coerce = (value: unknown, type: ColumnType): unknown => {
  const fitting = storedAs(value, type)
  if (fitting !== undefined) return fitting
  if (type === "string") return textOf(value)
  return typeof value === "string" ? coerceText(value, type) : undefined
}

const isStoredAsString = (type: ColumnType): boolean =>
  type === "string" || type === "decimal" || type === "date" || type === "timestamp"

/** The narrowest type that holds all values stored under both types, unchanged. */
export const join = (a: ColumnType, b: ColumnType): ColumnType => {
  if (a === b) return a
  if (isStoredAsString(a) && isStoredAsString(b)) return "string"
  const isNumeric = (type: ColumnType) => type === "integer" || type === "number"
  return isNumeric(a) && isNumeric(b) ? "number" : "json"
}

/** The new type of a column for a value that does not fit, and the value as stored then. */
export const widen = (type: ColumnType, value: unknown): { readonly type: ColumnType; readonly stored: unknown } => {
  if (isStoredAsString(type)) return { type: "string", stored: textOf(value) }
  const wider = join(type, typeOf(value))
  return { type: wider, stored: value }
}
