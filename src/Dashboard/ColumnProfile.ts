/**
 * Profile of the columns of an output: fill rate, types, distinct values, ranges and frequent values. One pass over rows that are not
 * kept, with bounded memory for each column.
 */
import type { ColumnProfile } from "../Web/Dashboard/RunProtocol.ts"

/** Columns, and for each of them distinct values and characters of a value that are remembered. */
export const limits = { columns: 200, distinct: 1_000, value: 80, top: 3 }

interface Column {
  filled: number
  readonly types: Map<string, number>
  /** Rows by value; values beyond `limits.distinct` are not added. */
  readonly values: Map<string, number>
  hasMore: boolean
  least: number
  greatest: number
  shortest: number
  longest: number
}

const emptyColumn = (): Column => ({
  filled: 0,
  types: new Map(),
  values: new Map(),
  hasMore: false,
  least: Number.POSITIVE_INFINITY,
  greatest: Number.NEGATIVE_INFINITY,
  shortest: Number.POSITIVE_INFINITY,
  longest: 0
})

/** A number that loses nothing as one: not a code like 007, and neither too large nor too long. */
const isNumber = (text: string): boolean => {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return false
  const value = Number(text)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

const typeOf = (value: unknown): string =>
  typeof value === "number"
    ? Number.isInteger(value)
      ? "integer"
      : "number"
    : Array.isArray(value)
      ? "array"
      : typeof value

/** Cells of a CSV file are strings: their types are read from the text. */
const ofText = (text: string): unknown =>
  isNumber(text) ? Number(text) : text === "true" || text === "false" ? text === "true" : text

const increment = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** `text`: how the value is counted. */
const addValue = (column: Column, value: unknown, text: string): void => {
  column.filled++
  increment(column.types, typeOf(value))
  if (typeof value === "number") {
    column.least = Math.min(column.least, value)
    column.greatest = Math.max(column.greatest, value)
  }
  if (typeof value === "string") {
    column.shortest = Math.min(column.shortest, value.length)
    column.longest = Math.max(column.longest, value.length)
  }
  // Two long values with the same beginning and length count as one.
  const name = text.length > limits.value ? `${text.slice(0, limits.value)}… (${text.length})` : text
  if (column.values.has(name) || column.values.size < limits.distinct) increment(column.values, name)
  else column.hasMore = true
}

const byCount = ([a, rows]: readonly [string, number], [b, others]: readonly [string, number]): number =>
  others - rows || (a < b ? -1 : 1)

/** Whole numbers are numbers where others have fractions. */
const typesOf = ({ types }: Column): ReadonlyArray<readonly [type: string, rows: number]> => {
  const [integers = 0, fractions = 0] = [types.get("integer"), types.get("number")]
  const merged = new Map(types)
  if (fractions > 0 && merged.delete("integer")) merged.set("number", integers + fractions)
  return [...merged].sort(byCount)
}

const toProfile = (name: string, column: Column): ColumnProfile => ({
  name,
  filled: column.filled,
  types: typesOf(column).map(([type, rows]) => ({ type, rows })),
  distinct: column.values.size,
  hasMore: column.hasMore,
  ...(column.least <= column.greatest ? { range: { least: column.least, greatest: column.greatest } } : {}),
  ...(column.shortest <= column.longest ? { lengths: { least: column.shortest, greatest: column.longest } } : {}),
  // A value that occurs once is not frequent.
  top: [...column.values]
    .filter(([, rows]) => rows > 1)
    .sort(byCount)
    .slice(0, limits.top)
    .map(([value, rows]) => ({ value, rows }))
})

/** Collects rows; `isText`: the cells are text, as in CSV files. An empty cell counts as missing. */
export const make = (isText: boolean) => {
  const columns = new Map<string, Column>()
  return {
    add: (row: Readonly<Record<string, unknown>>): void => {
      for (const [name, given] of Object.entries(row)) {
        let column = columns.get(name)
        if (column === undefined) {
          if (columns.size >= limits.columns) continue
          column = emptyColumn()
          columns.set(name, column)
        }
        if (given === null || given === undefined || given === "") continue
        if (typeof given === "string") addValue(column, isText ? ofText(given) : given, given)
        else addValue(column, given, JSON.stringify(given) ?? "")
      }
    },
    profiles: (): ReadonlyArray<ColumnProfile> => Array.from(columns, ([name, column]) => toProfile(name, column))
  }
}
