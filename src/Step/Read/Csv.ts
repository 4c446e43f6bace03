/** CSV: splits lines into records of cells, and makes records into rows by the names of the header. */

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { deepest, isDeepJson } from "../../Api/Depth.ts"
import { count } from "../../Row/Count.ts"
import { fieldsOf } from "../../Row/FieldOrder.ts"
import { parse } from "../../Row/Integers.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import type { Data, Row } from "../../Row.ts"
import {
  type Decoder,
  type Integers,
  isTooLong,
  LinesLost,
  longestLine,
  type Malformed,
  malformed,
  type Position,
  shown,
  tooLarge,
  tooLongLine,
  withoutMark
} from "./Decoder.ts"

/** One ASCII character that may be a delimiter or a quote. */
export const Character = Schema.String.pipe(
  Schema.filter((text) => /^[\t\x20-\x7e]$/.test(text) || "expected one ASCII character, such as , or ; or a tab")
)

export const CellType = Schema.Literal("string", "integer", "number", "boolean", "json").annotations({
  description: "string, integer, number, boolean or json"
})
type CellType = typeof CellType.Type

/** Options of a table: its dialect, header and column types. */
export interface TableOptions extends Dialect {
  readonly header: boolean
  readonly columns: Readonly<Record<string, CellType>> | undefined
  /** Names in `columns`, in definition order. */
  readonly order?: ReadonlyArray<string> | undefined
  readonly nullText: string | undefined
  /** How to treat large integers; default: `string`. */
  readonly integers?: Integers | undefined
}

/** Thrown if the table cannot be read at all; `message` says why. */
export class HeaderInvalid {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

type Cell = (text: string) => unknown

/** Stands for a cell that does not fit its type. */
const unfit = Symbol("unfit")

/** Value of a cell with an integer beyond 2^53, or a number too large for a double. */
class Kept {
  readonly value: unknown
  readonly integer: string

  constructor(value: unknown, integer: string) {
    this.value = value
    this.integer = integer
  }
}

const cells: Readonly<Record<CellType, Cell>> = {
  string: (text) => text,
  integer: (text) => {
    if (!/^\s*[+-]?\d+\s*$/.test(text)) return unfit
    if (Number.isSafeInteger(Number(text))) return Number(text)
    const integer = text.trim().replace(/^(?:\+|(-))?0*/, "$1")
    return new Kept(integer, integer)
  },
  number: (text) => {
    if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return unfit
    const number = Number(text)
    return Number.isFinite(number) ? number : new Kept(text.trim(), text.trim())
  },
  boolean: (text) => ({ true: true, false: false })[text.trim().toLowerCase()] ?? unfit,
  json: (text) => {
    if (isDeepJson(text, deepest)) return unfit
    const parsed = Either.getOrUndefined(Either.try(() => parse(text)))
    if (parsed === undefined) return unfit
    return parsed.kept === undefined ? parsed.value : new Kept(parsed.value, parsed.kept)
  }
}

const spelt: Readonly<Record<CellType, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  json: "JSON"
}

interface Column {
  readonly name: string
  readonly type: CellType
  readonly read: Cell
}

const columnOf = (name: string, { columns, nullText }: TableOptions): Column => {
  const type = (columns !== undefined && Object.hasOwn(columns, name) ? columns[name] : undefined) ?? "string"
  const read = cells[type]
  if (type === "string") {
    return { name, type, read: nullText === undefined ? read : (text) => (text === nullText ? null : text) }
  }
  return { name, type, read: (text) => (text === "" || text === nullText ? null : read(text)) }
}

/** Names of the columns, from the header or from the definition. */
const namesOf = (first: ReadonlyArray<string>, { columns, header, order }: TableOptions): ReadonlyArray<string> => {
  const declared = columns === undefined ? undefined : (order ?? Object.keys(columns))
  const names = header ? first.map((name) => name.trim()) : declared
  return (names ?? first.map(() => "")).map((name, index) => (name === "" ? `column${index + 1}` : name))
}

const separators = { ";": "semicolons", "\t": "tabs" }

/** Hint for a header with a single column that looks like several columns with another delimiter. */
export const delimiterHint = (names: ReadonlyArray<string>): string | undefined => {
  const [name = ""] = names
  const found = Object.entries(separators).find(([each]) => names.length === 1 && name.includes(each))
  if (found === undefined) return undefined
  const [delimiter, spelt] = found
  return `it is one column, ${JSON.stringify(name)}: if ${spelt} separate its cells, set delimiter: ${JSON.stringify(delimiter)}`
}

const otherwise = (absent: string, names: ReadonlyArray<string>): string => {
  const hint = delimiterHint(names)
  return hint === undefined ? didYouMean(absent, names) || `: its columns are ${names.join(", ")}` : `, ${hint}`
}

const objectionTo = (names: ReadonlyArray<string>, { columns, header }: TableOptions): string | undefined => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `has two columns ${JSON.stringify(twice)}: rename one of them`
  if (names.includes("__proto__")) return "has a column __proto__, which no row can have: rename it"
  const absent = header ? Object.keys(columns ?? {}).find((name) => !names.includes(name)) : undefined
  return absent === undefined ? undefined : `has no column ${JSON.stringify(absent)}${otherwise(absent, names)}`
}

/** Data of a record, or what is wrong with the record. */
const dataOf = (
  record: ReadonlyArray<string>,
  columns: ReadonlyArray<Column>,
  integers: Integers,
  keep: (integer: string) => void
): Either.Either<Data, string> => {
  if (record.length !== columns.length) {
    return Either.left(`has ${count(record.length, "cell")} for ${columns.length} columns`)
  }
  const data: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    const cell = record[index]
    if (column === undefined || cell === undefined) continue
    const value = column.read(cell)
    if (value === unfit) {
      const given = JSON.stringify(cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)
      return Either.left(`has ${given} in ${column.name}, which is not ${spelt[column.type]}`)
    }
    if (value instanceof Kept) {
      if (integers === "strict") return Either.left(`${tooLarge(value.integer)}: it is in ${column.name}`)
      keep(value.integer)
      data[column.name] = value.value
    } else data[column.name] = value
  }
  return Either.right(data)
}

/** Reading ends if a lost record has at least this many lines, and more than this share of all lines so far. */
const manyLines = 10
const maxLostShare = 0.05

/** A record whose lines are still being read. */
interface Open {
  lines: number
  bytes: number
  /** First characters of the record. */
  text: string
}

/** Makes a decoder of CSV. Decoding throws {@link HeaderInvalid} if the columns cannot be determined. */
export const tableDecoder = (options: TableOptions, from: Position): Decoder => {
  const records = new Records(options)
  let line = from.line
  let columns = from.header?.map((name) => columnOf(name, options))
  let fields = fieldsOf(from.header ?? [])
  let open: Open | undefined
  let rows: Array<Row> = []
  let failures: Array<Malformed> = []
  let kept: string | undefined
  let loneReturn: number | undefined

  const refuse = (message: string, text: string, lines?: number): void =>
    void failures.push(malformed(line + 1, message, text, lines))

  const settle = (record: ReadonlyArray<string>, text: string): void => {
    if (columns === undefined) {
      const names = namesOf(record, options)
      const objection = objectionTo(names, options)
      if (objection !== undefined) throw new HeaderInvalid(objection)
      columns = names.map((name) => columnOf(name, options))
      fields = fieldsOf(names)
      if (options.header) return
    }
    const data = dataOf(record, columns, options.integers ?? "string", (integer) => {
      kept ??= integer
    })
    if (Either.isLeft(data)) refuse(data.left, text)
    else rows.push({ data: data.right, position: line + 1, fields })
  }

  const giveUp = ({ lines, text }: Open): void => {
    const all = line + lines
    if (lines >= manyLines && lines > all * maxLostShare) {
      throw new LinesLost(
        `line ${line + 1} opens a quote that nothing closes, so ${lines.toLocaleString("en")} of ${all.toLocaleString("en")} lines are lost: close it, or name another quote character, like quote: "\`", if quotes are text`
      )
    }
    refuse(`opens a quote that nothing closes: ${lines === 1 ? "the line is" : `${lines} lines are`} lost`, text, lines)
  }

  /** Notes the number of a line that contains a carriage return in the middle, and no quotes. */
  const noteReturn = (text: string): void => {
    const at = text.indexOf("\r")
    if (at >= 0 && at < text.length - 1 && !text.includes(options.quote)) loneReturn = line + 1
  }

  /** Reads a line; `text` is undefined if the line was too long. */
  const read = (text: string | undefined, bytes: number): void => {
    const now = open ?? { lines: 0, bytes: 0, text: text?.slice(0, shown + 1) ?? "" }
    now.lines++
    now.bytes += bytes + 1
    const empty = open === undefined && (text === "" || text === "\r")
    if (loneReturn === undefined && open === undefined && text !== undefined) noteReturn(text)
    const result = text === undefined ? { message: tooLongLine } : empty ? [] : records.line(text)
    if (result === "open" && now.bytes <= longestLine) {
      open = now
      return
    }
    if (result === "open") giveUp(now)
    else if ("message" in result) refuse(result.message, now.text)
    else if (result.length > 0) settle(result, now.text)
    records.reset()
    line += now.lines
    open = undefined
  }

  const take = () => {
    const decoded = { rows, malformed: failures, kept, loneReturn }
    rows = []
    failures = []
    return decoded
  }

  return {
    decode: (parts) => {
      for (const { bytes, ends, starts } of parts) {
        for (let index = 0; index < starts.length; index++) {
          const start = starts[index] ?? 0
          const end = ends[index] ?? 0
          const text = isTooLong(start, end) ? undefined : bytes.toString("utf8", start, end)
          read(line === 0 && text !== undefined ? withoutMark(text, 1) : text, Math.max(0, end - start))
        }
      }
      return take()
    },
    end: () => {
      if (open !== undefined) giveUp(open)
      return take()
    },
    state: () => ({ line, header: columns?.map(({ name }) => name) }),
    held: () => open?.bytes ?? 0
  }
}

/** Delimiter and quote character. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

/** Result of reading a line: a complete record, `open` inside a quoted cell, or an error. */
export type Cells = ReadonlyArray<string> | "open" | { readonly message: string }

/** Splits lines into records. Each line is scanned once. */
export class Records {
  readonly #delimiter: string
  readonly #quote: string
  #cells: Array<string> = []
  /** Lines of the quoted cell that is still open. */
  #open: Array<string> | undefined

  constructor({ delimiter, quote }: Dialect) {
    this.#delimiter = delimiter
    this.#quote = quote
  }

  /** Reads a line; a carriage return at its end belongs to the line end. */
  line(text: string): Cells {
    const returns = text.endsWith("\r")
    const line = returns ? text.slice(0, -1) : text
    if (this.#open === undefined && !line.includes(this.#quote)) return line.split(this.#delimiter)
    const result = this.#read(line, returns ? "\r\n" : "\n")
    if (result !== "open") this.reset()
    return result
  }

  /** Drops a record that is not complete. */
  reset(): void {
    this.#cells = []
    this.#open = undefined
  }

  /** Splits a line into cells. A quote begins a quoted cell only at the cell's beginning; inside such a cell it is doubled. */
  #read(line: string, lineEnd: string): Cells {
    const delimiter = this.#delimiter
    const quote = this.#quote
    const cells = this.#cells
    let at = 0
    let open = this.#open
    for (;;) {
      if (open === undefined) {
        if (line[at] !== quote) {
          const end = line.indexOf(delimiter, at)
          cells.push(line.slice(at, end < 0 ? undefined : end))
          if (end < 0) return cells
          at = end + 1
          continue
        }
        open = []
        at++
      }
      const end = this.#closing(line, at)
      open.push(line.slice(at, end).replaceAll(quote + quote, quote))
      if (end === undefined) {
        open.push(lineEnd)
        this.#open = open
        return "open"
      }
      cells.push(open.length === 1 ? (open[0] ?? "") : open.join(""))
      open = undefined
      const next = line[end + 1]
      if (next === undefined) return cells
      if (next !== delimiter) {
        return { message: `has ${JSON.stringify(next)} after the quote that closes cell ${cells.length}` }
      }
      at = end + 2
    }
  }

  /** Index of the quote that ends the open cell. */
  #closing(line: string, from: number): number | undefined {
    let end = line.indexOf(this.#quote, from)
    while (end >= 0 && line[end + 1] === this.#quote) end = line.indexOf(this.#quote, end + 2)
    return end < 0 ? undefined : end
  }
}
