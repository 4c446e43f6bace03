/**
 * Codec of CSV: a header, then one record per row, all with the same number of cells.
 *
 * With `onNewField: widen`, a file may get new columns while it is written. A final pass over the finished file adds their cells to the
 * header and to older records.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { csvStringify } from "../Packages.ts"
import { parseTime } from "../Row/Expression/Time.ts"
import type { Data } from "../Row.ts"
import { type ByteTransform, type Codec, indexIn, jsonText, type RowBatch } from "./Codec.ts"
import { ColumnMismatch, NewField, type RowError } from "./SinkErrors.ts"

export const ColumnType = Schema.Literal("string", "integer", "number", "boolean", "date", "json").annotations({
  identifier: "ColumnType",
  description: "Type of the column. Nested values become JSON text; dates are written in the format that `dates` sets."
})
export type ColumnType = typeof ColumnType.Type

/** Formats a value for a cell; undefined if the value does not fit the column. Never called with null or undefined. */
type Formatter = (value: unknown) => string | undefined

/**
 * Matches a formula after invisible characters. Readers drop a byte order mark at the beginning of a file, and some trim spaces. After
 * spaces, a sign that begins a number or a list item does not count as a formula.
 */
const hiddenFormula =
  /^[\s\p{Cc}\p{Cf}]+[=@\uff1d\uff20\ufe66\ufe6b]|^[\p{Cc}\p{Cf}]+[+\-\uff0b\uff0d]|^[\s\p{Cc}\p{Cf}]+[+\-\uff0b\uff0d](?![\s\d.,]*$|\s)/u

/** Matches numbers in the notation of any country, and a lone sign: evaluating them as formulas changes nothing. */
const plainNumber = /^[+-](?:[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?%?)?$/

/** True if a spreadsheet would run the text as a formula, possibly after skipping leading characters. */
const looksLikeFormula = (text: string): boolean => {
  const first = text.charCodeAt(0)
  switch (first) {
    case 0x2b: // +
    case 0x2d: // -
      return !plainNumber.test(text)
    case 0x3d: // =
    case 0x40: // @
    case 0x09:
    case 0x0a:
    case 0x0d:
    case 0xff1d: // full width
    case 0xff0b:
    case 0xff0d:
    case 0xff20:
    case 0xfe66: // small
    case 0xfe62:
    case 0xfe63:
    case 0xfe6b:
      return true
    default:
      return (first <= 0x20 || first >= 0x7f) && hiddenFormula.test(text)
  }
}

/** Prefixes a formula with a quote, so that spreadsheets show the text instead of running it. */
export const escapeFormula = (text: string): string => (looksLikeFormula(text) ? `'${text}` : text)

const formatNested: Formatter = (value) => Either.getOrUndefined(jsonText(value))

export const Dates = Schema.Literal("iso", "date", "datetime", "epochSeconds", "epochMillis").annotations({
  description:
    "How dates are written, in UTC: iso 2026-01-31T10:00:00.000Z (days stay days), date 2026-01-31, datetime 2026-01-31 10:00:00, or whole seconds or milliseconds since 1970."
})
type Dates = typeof Dates.Type

const instantOf = (value: unknown): number | undefined => {
  const millis = value instanceof Date ? value.getTime() : undefined
  if (millis !== undefined) return Number.isNaN(millis) ? undefined : millis
  return typeof value === "string" || typeof value === "number" ? parseTime(value) : undefined
}

const formatInstant: Readonly<Record<Dates, (millis: number) => string>> = {
  iso: (millis) => new Date(millis).toISOString(),
  date: (millis) => new Date(millis).toISOString().replace(/T.*$/, ""),
  datetime: (millis) => new Date(millis).toISOString().replace("T", " ").replace(/\..*$/, ""),
  epochSeconds: (millis) => String(Math.floor(millis / 1000)),
  epochMillis: (millis) => String(Math.floor(millis))
}

const makeDateFormatter = (dates: Dates): Formatter => {
  const format = formatInstant[dates]
  return (value) => {
    const millis = instantOf(value)
    if (millis === undefined) return undefined
    const isDay = dates === "iso" && typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)
    return isDay ? value : format(millis)
  }
}

/** Formatter for columns of type string, and for columns without a declared type. */
const makeAnyFormatter =
  (guard: (text: string) => string, formatTime: Formatter): Formatter =>
  (value) => {
    if (typeof value === "string") return guard(value)
    if (typeof value !== "object") return String(value)
    return value instanceof Date ? formatTime(value) : formatNested(value)
  }

const formatInteger: Formatter = (value) => {
  if (Number.isSafeInteger(value)) return String(value)
  // `String()` would use an exponent for integers of more than 21 digits.
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : undefined
  if (typeof value === "bigint") return value.toString()
  const text = typeof value === "string" ? value.trim() : ""
  return /^[+-]?\d+$/.test(text) ? text : undefined
}

const formatNumber: Formatter = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined
  if (typeof value === "bigint") return value.toString()
  const text = typeof value === "string" ? value.trim() : ""
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? text : undefined
}

const formatBoolean: Formatter = (value) =>
  typeof value === "boolean" ? String(value) : value === "true" || value === "false" ? value : undefined

/** Options of a CSV dialect that affect cells. */
export interface CellDialect {
  readonly escapeFormulas: boolean
  readonly dates: Dates
}

/** Formatter of a column. Numbers such as -5 do not count as formulas. */
export const formatterOf = (type: ColumnType | undefined, { dates, escapeFormulas }: CellDialect): Formatter => {
  switch (type) {
    case "integer":
      return formatInteger
    case "number":
      return formatNumber
    case "boolean":
      return formatBoolean
    case "date":
      return makeDateFormatter(dates)
    case "json":
      return formatNested
    default:
      return makeAnyFormatter(escapeFormulas ? escapeFormula : (text) => text, makeDateFormatter(dates))
  }
}

export interface WideningOptions {
  /** Header that replaces the one in the file; without a line end. */
  readonly header: string
  readonly columns: number
  readonly delimiter: string
  readonly quote: string
  readonly lineEnd: "lf" | "crlf"
  readonly nullText: string
}

/**
 * Adds empty cells to every record until it has all columns. Accepts the bytes of the file in chunks of any size: delimiters, quotes and
 * line ends are single bytes in UTF-8 that occur in no other character.
 */
export const makeWidening = (options: WideningOptions): ByteTransform => {
  const delimiter = options.delimiter.charCodeAt(0)
  const quote = options.quote.charCodeAt(0)
  const end = options.lineEnd === "lf" ? 0x0a : 0x0d
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
          parts.push(Buffer.from(options.header))
          from = at
          inHeader = false
        } else if (cells < options.columns) {
          parts.push(
            bytes.subarray(from, at),
            Buffer.from((options.delimiter + options.nullText).repeat(options.columns - cells))
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

/** State of a CSV file. */
export interface CsvState {
  readonly columns: Columns
  /** Number of columns in the header of the file; 0 before the header is written. */
  readonly headed: number
}

/** {@link CsvState} as saved with a commit. */
export const SavedState = Schema.Struct({
  headed: Schema.Number,
  /** Columns that only this file has. */
  more: Schema.optional(Schema.Array(Schema.String))
})

const bom = "\ufeff"

const namesOf = ({ list }: Columns): ReadonlyArray<string> => list.map(({ name }) => name)

/**
 * `base` returns the columns of every file and is called once they are known; `drop` is called with the names of fields without a column.
 */
export const makeCodec = (
  dialect: Dialect & { readonly bom: boolean },
  types: Readonly<Record<string, ColumnType>> | undefined,
  base: () => Columns,
  drop: (field: string) => void
): Codec<Data | BufferedCells, CsvState> => {
  const lineEnd = dialect.lineEnd === "lf" ? "\n" : "\r\n"
  const head = (columns: Columns): string => (dialect.bom ? bom : "") + formatHeader(columns, dialect)
  const wider = (columns: Columns, more: ReadonlyArray<string>): Columns =>
    columnsOf([...namesOf(columns), ...more], types, dialect)
  return {
    format: "csv",
    lineEnd,
    header: () => head(base()),
    finish: (_, isEmpty) => (isEmpty && base().list.length > 0 ? head(base()) : ""),
    begin: (continued) => ({ columns: base(), headed: continued ? base().list.length : 0 }),
    save: ({ columns, headed }): typeof SavedState.Type => {
      const more = namesOf(columns).slice(base().list.length)
      return { headed, ...(more.length === 0 ? {} : { more }) }
    },
    restore: (saved) =>
      Either.map(Schema.decodeUnknownEither(SavedState)(saved), ({ headed, more }) => ({
        columns: more === undefined ? base() : wider(base(), more),
        headed
      })),
    encode: (batch, from, to, state, out) => {
      let { columns, headed } = state
      let at = from
      while (at < to) {
        const found = encodeRecords(batch, at, to, columns, dialect, drop)
        if (Either.isLeft(found)) return Either.left(found.left)
        const { next, records, newFields } = found.right
        if (records.length > 0) {
          if (headed === 0) {
            out.put(head(columns))
            headed = columns.list.length
          }
          out.put(formatRecords(records, dialect))
        }
        if (newFields.length > 0) columns = wider(columns, newFields)
        at = next
      }
      return Either.right(columns === state.columns && headed === state.headed ? state : { columns, headed })
    },
    rewrite: ({ columns, headed }) =>
      columns.list.length === headed
        ? undefined
        : makeWidening({
            ...dialect,
            header: head(columns).slice(0, -lineEnd.length),
            columns: columns.list.length
          })
  }
}

/** Syntax of CSV records. */
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
  readonly format: Formatter
  readonly read: (row: Data) => unknown
}

/** Columns in file order. */
export interface Columns {
  readonly list: ReadonlyArray<Column>
  readonly names: ReadonlySet<string>
}

/** Maximum columns, more than any spreadsheet shows. Limits how much disk space a page with made-up fields can fill. */
export const maxColumns = 10_000

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
      format: formatterOf(type, dialect),
      // Only names that every object inherits need the slower check.
      read: name in Object.prototype ? (row) => (Object.hasOwn(row, name) ? row[name] : undefined) : (row) => row[name]
    }
  })
})

/** Row buffered as cells before all columns are known; null for an empty cell. */
export class BufferedCells {
  readonly texts: ReadonlyArray<string | null>

  constructor(texts: ReadonlyArray<string | null>) {
    this.texts = texts
  }
}

/**
 * Text that needs quotes: with any line end, because readers accept all kinds, or with the list separator of any country, because a
 * spreadsheet would split `x;=cmd` into two cells and run the second.
 */
const needsQuotes = /[\r\n,;\t|]/

/** Formats records as text. */
const formatRecords = (records: ReadonlyArray<ReadonlyArray<string>>, dialect: Dialect): string =>
  csvStringify().stringify(records as Array<Array<string>>, {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.quote,
    record_delimiter: dialect.lineEnd === "lf" ? "\n" : "\r\n",
    quoted_match: needsQuotes,
    // Quote an empty record: most readers skip an empty line.
    quoted_empty: records[0]?.length === 1
  })

/** Formats the header line. */
const formatHeader = ({ list }: Columns, dialect: Dialect): string =>
  formatRecords([list.map(({ name }) => (dialect.escapeFormulas ? escapeFormula(name) : name))], dialect)

const describe = (value: unknown): string => {
  const text = typeof value === "object" ? "a nested value" : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : typeof value === "string" ? JSON.stringify(text) : text
}

const mismatch = (name: string, type: ColumnType | undefined, value: unknown, index: number): ColumnMismatch => {
  const expected = type === undefined || type === "string" || type === "json" ? "a value that JSON can hold" : type
  return new ColumnMismatch({ column: name, expected, actual: describe(value), index })
}

/** Records of the rows before `next`. Unless `next` is the end, the row there has fields that become columns. */
interface Records {
  readonly records: ReadonlyArray<ReadonlyArray<string>>
  readonly next: number
  readonly newFields: ReadonlyArray<string>
}

/**
 * Encodes rows. Depending on `onNewField`, a field without a column is passed to `drop`, fails its row, or ends the records before its row.
 */
const encodeRecords = (
  batch: RowBatch<Data | BufferedCells>,
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
    const row = batch.items[at] as Data | BufferedCells
    const record: Array<string> = []
    if (row instanceof BufferedCells) {
      for (let cell = 0; cell < list.length; cell++) record.push(row.texts[cell] ?? nullText)
      records.push(record)
      continue
    }
    let present = 0
    for (const { name, read, format, type } of list) {
      const value = read(row)
      if (value !== undefined) present++
      const text = value === undefined || value === null ? nullText : format(value)
      if (text === undefined) return Either.left(mismatch(name, type, value, indexIn(batch, at)))
      record.push(text)
    }
    const fields = Object.keys(row)
    if (fields.length > present) {
      const newFields = fields.filter((field) => !names.has(field))
      if (onNewField === "drop") newFields.forEach(drop)
      else if (newFields.length > 0) {
        if (onNewField === "widen" && list.length + newFields.length <= maxColumns) {
          return Either.right({ records, next: at, newFields })
        }
        return Either.left(new NewField({ column: newFields[0] ?? "", index: indexIn(batch, at) }))
      }
    }
    records.push(record)
  }
  return Either.right({ records, next: to, newFields: [] })
}

/** Cells of a row, for use while columns are collected. Adds the row's fields to `fields`, a map from name to column number. */
export const bufferCells = (
  data: Data,
  fields: Map<string, number>,
  dialect: Dialect,
  index: number,
  drop: (field: string) => void
): Either.Either<ReadonlyArray<string | null>, RowError> => {
  const format = formatterOf(undefined, dialect)
  const texts: Array<string | null> = new Array(fields.size).fill(null)
  for (const [name, value] of Object.entries(data)) {
    const column = fields.get(name)
    if (column === undefined && fields.size >= maxColumns) {
      if (dialect.onNewField !== "drop") return Either.left(new NewField({ column: name, index }))
      drop(name)
      continue
    }
    const text = value === undefined || value === null ? null : format(value)
    if (text === undefined) return Either.left(mismatch(name, undefined, value, index))
    if (column === undefined) fields.set(name, fields.size)
    texts[column ?? fields.size - 1] = text
  }
  return Either.right(texts)
}
