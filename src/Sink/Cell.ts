/** One value as the text of a CSV cell. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { date } from "../Row/Expression/Functions.ts"
import { spellJson } from "./Json.ts"

export const ColumnType = Schema.Literal("string", "integer", "number", "boolean", "date", "json").annotations({
  identifier: "ColumnType",
  description: "What the column holds. Nested values become JSON text, dates ISO 8601 in UTC."
})
export type ColumnType = typeof ColumnType.Type

/** The text of a value that is there; undefined when it does not fit. */
export type Spell = (value: unknown) => string | undefined

/** Whether a spreadsheet would take the text for a formula (or skips to one). */
const looksLikeFormula = (text: string): boolean => {
  switch (text.charCodeAt(0)) {
    case 0x3d: // =
    case 0x2b: // +
    case 0x2d: // -
    case 0x40: // @
    case 0x09:
    case 0x0a:
    case 0x0d:
    case 0xff1d: // the same, full width
    case 0xff0b:
    case 0xff0d:
    case 0xff20:
      return true
    default:
      return false
  }
}

/** Text that a spreadsheet shows as it is. */
export const guardFormula = (text: string): string => (looksLikeFormula(text) ? `'${text}` : text)

const spellNested: Spell = (value) => Either.getOrUndefined(spellJson(value))

const spellDate: Spell = (value) => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return date(value) === undefined ? undefined : value
  return typeof value === "string" || typeof value === "number" ? date(value) : undefined
}

/** Any value: what a column without a declared type holds, and one of type string. */
const spellAny =
  (guard: (text: string) => string): Spell =>
  (value) => {
    if (typeof value === "string") return guard(value)
    if (typeof value !== "object") return String(value)
    return value instanceof Date ? spellDate(value) : spellNested(value)
  }

const spellInteger: Spell = (value) => {
  if (Number.isSafeInteger(value)) return String(value)
  // Behind 21 digits a number's own text has an exponent.
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : undefined
  if (typeof value === "bigint") return value.toString()
  const text = typeof value === "string" ? value.trim() : ""
  return /^[+-]?\d+$/.test(text) ? text : undefined
}

const spellNumber: Spell = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined
  if (typeof value === "bigint") return value.toString()
  const text = typeof value === "string" ? value.trim() : ""
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? text : undefined
}

const spellBoolean: Spell = (value) =>
  typeof value === "boolean" ? String(value) : value === "true" || value === "false" ? value : undefined

/** How a column's values are spelt. Numbers like -5 are numbers, not formulas. */
export const spellOf = (type: ColumnType | undefined, escapeFormulas: boolean): Spell => {
  switch (type) {
    case "integer":
      return spellInteger
    case "number":
      return spellNumber
    case "boolean":
      return spellBoolean
    case "date":
      return spellDate
    case "json":
      return spellNested
    default:
      return spellAny(escapeFormulas ? guardFormula : (text) => text)
  }
}
