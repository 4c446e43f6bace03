/**
 * Rows as CSV records: a header at the beginning of a file, and the same number of cells in every record.
 *
 * Columns may be found while rows are written. Records that were written before get empty cells for them.
 */
import { stringify } from "csv-stringify/sync"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { instant } from "../Row/Expression/Functions.ts"
import type { Data } from "../Row.ts"
import { type Format, type Group, indexOf, spellJson } from "./Codec.ts"
import { ColumnMismatch, NewField, type RowError } from "./SinkErrors.ts"

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

export interface Shape {
  /** The whole header line, without its line end, in place of the one in the file. */
  readonly header: string
  readonly columns: number
  readonly delimiter: string
  readonly quote: string
  readonly lineEnd: "lf" | "crlf"
  readonly nullText: string
}

/**
 * A function that is given the file's bytes, piece by piece, and returns them with every record filled up to the
 * number of columns. Quotes and line ends are one byte each in UTF-8, and no byte of another character equals them.
 */
export const makeWidener = (shape: Shape): ((bytes: Uint8Array) => Uint8Array) => {
  const delimiter = shape.delimiter.charCodeAt(0)
  const quote = shape.quote.charCodeAt(0)
  const end = shape.lineEnd === "lf" ? 0x0a : 0x0d
  let quoted = false
  let cells = 1
  let inHeader = true
  return (bytes) => {
    const parts: Array<Uint8Array> = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === quote) quoted = !quoted
      else if (quoted) continue
      else if (byte === delimiter) cells++
      else if (byte === end) {
        if (inHeader) {
          parts.push(Buffer.from(shape.header))
          from = at
          inHeader = false
        } else if (cells < shape.columns) {
          parts.push(
            bytes.subarray(from, at),
            Buffer.from((shape.delimiter + shape.nullText).repeat(shape.columns - cells))
          )
          from = at
        }
        cells = 1
      }
    }
    if (inHeader) return new Uint8Array()
    parts.push(bytes.subarray(from))
    return parts.length === 1 ? bytes : Buffer.concat(parts)
  }
}

/** What is known of one file. */
export interface FileColumns {
  readonly columns: Columns
  /** Columns in the header as it is in the file; 0 before there is one. */
  readonly headed: number
}

/** Plain JSON. */
interface Kept {
  readonly headed: number
  /** The columns that this file has beyond those of all. */
  readonly more?: ReadonlyArray<string>
}

const bom = "\ufeff"

const namesOf = ({ list }: Columns): ReadonlyArray<string> => list.map(({ name }) => name)

/** `base` is what every file begins with; it is asked for only when there are rows. */
export const makeFormat = (
  dialect: Dialect & { readonly bom: boolean },
  types: Readonly<Record<string, ColumnType>> | undefined,
  base: () => Columns,
  drop: (field: string) => void
): Format<Data | Cells, FileColumns> => {
  const lineEnd = dialect.lineEnd === "lf" ? "\n" : "\r\n"
  const head = (columns: Columns): string => (dialect.bom ? bom : "") + header(columns, dialect)
  const wider = (columns: Columns, more: ReadonlyArray<string>): Columns =>
    columnsOf([...namesOf(columns), ...more], types, dialect)
  return {
    name: "csv",
    lineEnd,
    header: () => head(base()),
    empty: () => (base().list.length === 0 ? "" : head(base())),
    begin: (continued) => ({ columns: base(), headed: continued ? base().list.length : 0 }),
    keep: ({ columns, headed }) => {
      const more = namesOf(columns).slice(base().list.length)
      return { headed, ...(more.length === 0 ? {} : { more }) }
    },
    restore: (kept) => {
      const { headed, more } = kept as unknown as Kept
      return { columns: more === undefined ? base() : wider(base(), more), headed }
    },
    encode: (group, from, to, state, out) => {
      let { columns, headed } = state
      let at = from
      while (at < to) {
        const found = recordsOf(group, at, to, columns, dialect, drop)
        if (Either.isLeft(found)) return Either.left(found.left)
        const { next, records, strange } = found.right
        if (records.length > 0) {
          if (headed === 0) {
            out.put(head(columns))
            headed = columns.list.length
          }
          out.put(join(records, dialect))
        }
        if (strange.length > 0) columns = wider(columns, strange)
        at = next
      }
      return Either.right(columns === state.columns && headed === state.headed ? state : { columns, headed })
    },
    change: ({ columns, headed }) =>
      columns.list.length === headed
        ? undefined
        : makeWidener({
            ...dialect,
            header: head(columns).slice(0, -lineEnd.length),
            columns: columns.list.length
          })
  }
}

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
