/** Rows as CSV records: the columns, and how fields without a column are handled. */
import { stringify } from "csv-stringify/sync"
import * as Either from "effect/Either"
import type { Data } from "../Row.ts"
import { type CellDialect, type ColumnType, guardFormula, type Spell, spellOf } from "./Cell.ts"
import { ColumnMismatch, NewField, type RowError } from "./Errors.ts"
import { type Group, indexOf } from "./Format.ts"

/** How records are spelt. */
export interface Dialect extends CellDialect {
  readonly delimiter: string
  readonly quote: string
  readonly lineEnd: "lf" | "crlf"
  readonly nullText: string
  readonly onNewField: "drop" | "error" | "widen"
}

interface Column {
  readonly name: string
  readonly type: ColumnType | undefined
  readonly spell: Spell
  readonly read: (row: Data) => unknown
}

/** The columns of a file, in its order. */
export interface Columns {
  readonly list: ReadonlyArray<Column>
  readonly names: ReadonlySet<string>
}

/** More than any spreadsheet shows; a page that invents fields shall not fill the disk with empty cells. */
export const mostColumns = 10_000

export const columnsOf = (
  names: ReadonlyArray<string>,
  types: Readonly<Record<string, ColumnType>> | undefined,
  dialect: Dialect
): Columns => ({
  names: new Set(names),
  list: names.map((name) => {
    const type = types !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
    return {
      name,
      type,
      spell: spellOf(type, dialect),
      // Only a name that every object has needs a look at whose it is.
      read: name in Object.prototype ? (row) => (Object.hasOwn(row, name) ? row[name] : undefined) : (row) => row[name]
    }
  })
})

/** A row whose cells are spelt: in the order of the first columns, null where nothing is. */
export class Cells {
  readonly texts: ReadonlyArray<string | null>

  constructor(texts: ReadonlyArray<string | null>) {
    this.texts = texts
  }
}

/**
 * Readers take any kind of line end for one, not only the file's own; and a spreadsheet may split at the list separator of its country, so
 * that `x;=cmd` would become two cells, of which one is a formula.
 */
const needsQuotes = /[\r\n,;\t|]/

/** Records as text. */
export const join = (records: ReadonlyArray<ReadonlyArray<string>>, dialect: Dialect): string =>
  stringify(records as Array<Array<string>>, {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.quote,
    record_delimiter: dialect.lineEnd === "lf" ? "\n" : "\r\n",
    quoted_match: needsQuotes,
    // A line that is empty is no record to most readers.
    quoted_empty: records[0]?.length === 1
  })

/** The line of column names. */
export const header = ({ list }: Columns, dialect: Dialect): string =>
  join([list.map(({ name }) => (dialect.escapeFormulas ? guardFormula(name) : name))], dialect)

const describe = (value: unknown): string => {
  const text = typeof value === "object" ? "a nested value" : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : typeof value === "string" ? JSON.stringify(text) : text
}

const mismatch = (name: string, type: ColumnType | undefined, value: unknown, index: number): ColumnMismatch => {
  const expected = type === undefined || type === "string" || type === "json" ? "what JSON can say" : type
  return new ColumnMismatch({ column: name, expected, actual: describe(value), index })
}

/** Records up to `next`. Where that is not the end, the row there has fields that ask for columns. */
export interface Records {
  readonly records: ReadonlyArray<ReadonlyArray<string>>
  readonly next: number
  readonly strange: ReadonlyArray<string>
}

/** The records of some rows; fields without a column are told to `drop`, refuse the row, or end the records before it. */
export const recordsOf = (
  group: Group<Data | Cells>,
  from: number,
  to: number,
  columns: Columns,
  dialect: Dialect,
  drop: (field: string) => void
): Either.Either<Records, RowError> => {
  const { nullText, onNewField } = dialect
  const { list, names } = columns
  const records: Array<Array<string>> = []
  for (let at = from; at < to; at++) {
    const row = group.items[at] as Data | Cells
    const record: Array<string> = []
    if (row instanceof Cells) {
      for (let cell = 0; cell < list.length; cell++) record.push(row.texts[cell] ?? nullText)
      records.push(record)
      continue
    }
    let present = 0
    for (const { name, read, spell, type } of list) {
      const value = read(row)
      if (value !== undefined) present++
      const text = value === undefined || value === null ? nullText : spell(value)
      if (text === undefined) return Either.left(mismatch(name, type, value, indexOf(group, at)))
      record.push(text)
    }
    const fields = Object.keys(row)
    if (fields.length > present) {
      const strange = fields.filter((field) => !names.has(field))
      if (onNewField === "drop") strange.forEach(drop)
      else if (strange.length > 0) {
        if (onNewField === "widen" && list.length + strange.length <= mostColumns) {
          return Either.right({ records, next: at, strange })
        }
        return Either.left(new NewField({ column: strange[0] ?? "", index: indexOf(group, at) }))
      }
    }
    records.push(record)
  }
  return Either.right({ records, next: to, strange: [] })
}

/** The cells of a row whose columns are only being looked for; `fields` are those found so far, and grow. */
export const cellsOf = (
  data: Data,
  fields: Map<string, number>,
  dialect: Dialect,
  index: number,
  drop: (field: string) => void
): Either.Either<ReadonlyArray<string | null>, RowError> => {
  const spell = spellOf(undefined, dialect)
  const texts: Array<string | null> = new Array(fields.size).fill(null)
  for (const [name, value] of Object.entries(data)) {
    const known = fields.get(name)
    if (known === undefined && fields.size >= mostColumns) {
      if (dialect.onNewField !== "drop") return Either.left(new NewField({ column: name, index }))
      drop(name)
      continue
    }
    const text = value === undefined || value === null ? null : spell(value)
    if (text === undefined) return Either.left(mismatch(name, undefined, value, index))
    if (known === undefined) fields.set(name, fields.size)
    texts[known ?? fields.size - 1] = text
  }
  return Either.right(texts)
}
