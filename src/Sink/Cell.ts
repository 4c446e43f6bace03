/** One value as the text of a CSV cell. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { instant } from "../Row/Expression/Functions.ts"
import { spellJson } from "./Json.ts"

export const ColumnType = Schema.Literal("string", "integer", "number", "boolean", "date", "json").annotations({
  identifier: "ColumnType",
  description: "What the column holds. Nested values become JSON text, dates what `dates` says."
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

export const Dates = Schema.Literal("iso", "date", "datetime", "epochSeconds", "epochMillis").annotations({
  description:
    "How dates are written, in UTC: iso 2026-01-31T10:00:00.000Z (days stay days), date 2026-01-31, datetime 2026-01-31 10:00:00, or whole seconds or milliseconds since 1970."
})
type Dates = typeof Dates.Type

const instantOf = (value: unknown): number | undefined => {
  const millis = value instanceof Date ? value.getTime() : undefined
  if (millis !== undefined) return Number.isNaN(millis) ? undefined : millis
  return typeof value === "string" || typeof value === "number" ? instant(value) : undefined
}

const spellInstant: Readonly<Record<Dates, (millis: number) => string>> = {
  iso: (millis) => new Date(millis).toISOString(),
  date: (millis) => new Date(millis).toISOString().replace(/T.*$/, ""),
  datetime: (millis) => new Date(millis).toISOString().replace("T", " ").replace(/\..*$/, ""),
  epochSeconds: (millis) => String(Math.floor(millis / 1000)),
  epochMillis: (millis) => String(Math.floor(millis))
}

const spellDate = (dates: Dates): Spell => {
  const spell = spellInstant[dates]
  return (value) => {
    const millis = instantOf(value)
    if (millis === undefined) return undefined
    const isDay = dates === "iso" && typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)
    return isDay ? value : spell(millis)
  }
}

/** Any value: what a column without a declared type holds, and one of type string. */
const spellAny =
  (guard: (text: string) => string, spellTime: Spell): Spell =>
  (value) => {
    if (typeof value === "string") return guard(value)
    if (typeof value !== "object") return String(value)
    return value instanceof Date ? spellTime(value) : spellNested(value)
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

/** What of a dialect cells depend on. */
export interface CellDialect {
  readonly escapeFormulas: boolean
  readonly dates: Dates
}

/** How a column's values are spelt. Numbers like -5 are numbers, not formulas. */
export const spellOf = (type: ColumnType | undefined, { dates, escapeFormulas }: CellDialect): Spell => {
  switch (type) {
    case "integer":
      return spellInteger
    case "number":
      return spellNumber
    case "boolean":
      return spellBoolean
    case "date":
      return spellDate(dates)
    case "json":
      return spellNested
    default:
      return spellAny(escapeFormulas ? guardFormula : (text) => text, spellDate(dates))
  }
}
