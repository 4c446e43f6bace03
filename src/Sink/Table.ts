/** Rows as CSV records: which columns there are, and what becomes of a field that has none (pipelines 14). */
import { stringify } from "csv-stringify/sync"
import * as Either from "effect/Either"
import { type ColumnType, guardFormula, type Spell, spellOf } from "./Cell.ts"
import { ColumnMismatch, NewField, type RowError } from "./Errors.ts"

export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** How records are spelt. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
  readonly lineEnd: "lf" | "crlf"
  readonly nullText: string
  readonly escapeFormulas: boolean
}

export interface Column {
  readonly name: string
  readonly type: ColumnType | undefined
  readonly spell: Spell
  readonly read: (row: Readonly<Record<string, unknown>>) => unknown
}

export const column = (name: string, type: ColumnType | undefined, dialect: Dialect): Column => ({
  name,
  type,
  spell: spellOf(type, dialect.escapeFormulas),
  // Only a name that every object has needs a look at whose it is.
  read: name in Object.prototype ? (row) => (Object.hasOwn(row, name) ? row[name] : undefined) : (row) => row[name]
})

/** The fields of the rows, in the order of their first appearance. */
export const fieldsOf = (rows: Rows): ReadonlyArray<string> => {
  const fields = new Set<string>()
  for (const row of rows) for (const field of Object.keys(row)) fields.add(field)
  return [...fields]
}

const join = (records: ReadonlyArray<ReadonlyArray<string>>, dialect: Dialect): string =>
  stringify(records as Array<Array<string>>, {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.quote,
    record_delimiter: dialect.lineEnd === "lf" ? "\n" : "\r\n",
    // Readers take any kind of line end for one, not only the file's own.
    quoted_match: dialect.lineEnd === "lf" ? "\r" : ["\r", "\n"],
    // A line that is empty is no record to most readers.
    quoted_empty: records[0]?.length === 1
  })

/** The line of column names. */
export const header = (columns: ReadonlyArray<Column>, dialect: Dialect): string =>
  join([columns.map(({ name }) => (dialect.escapeFormulas ? guardFormula(name) : name))], dialect)

const describe = (value: unknown): string => {
  const text = typeof value === "object" ? "a nested value" : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : typeof value === "string" ? JSON.stringify(text) : text
}

/** The rows' records. `strange` is told each field that has no column, and says whether that is an error. */
export const encode = (
  rows: Rows,
  columns: ReadonlyArray<Column>,
  dialect: Dialect,
  strange: (field: string) => "ignore" | "refuse"
): Either.Either<string, RowError> => {
  const names = new Set(columns.map(({ name }) => name))
  const records: Array<Array<string>> = []
  let index = -1
  for (const row of rows) {
    index++
    const record: Array<string> = []
    let present = 0
    for (const { name, read, spell, type } of columns) {
      const value = read(row)
      if (value !== undefined) present++
      const text = value === undefined || value === null ? dialect.nullText : spell(value)
      if (text === undefined) {
        const expected = type === undefined || type === "string" || type === "json" ? "what JSON can say" : type
        return Either.left(new ColumnMismatch({ column: name, expected, actual: describe(value), index }))
      }
      record.push(text)
    }
    const fields = Object.keys(row)
    if (fields.length > present) {
      const refused = fields.find((field) => !names.has(field) && strange(field) === "refuse")
      if (refused !== undefined) return Either.left(new NewField({ column: refused, index }))
    }
    records.push(record)
  }
  return Either.right(join(records, dialect))
}
