/** Upper bounds for the bytes that rows add to the files of a sink, before compression; what a budget of bytes counts. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Data, Row } from "../Row.ts"
import type { Place } from "../Sink.ts"
import { mapping } from "../Step/Need.ts"
import { spellJson } from "./Codec.ts"
import { looked } from "./Csv.ts"
import { type ColumnType, mostColumns } from "./CsvTable.ts"
import type { Settings } from "./Destination.ts"
import * as Partition from "./Partition.ts"

type Sizes = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>

interface Dialect extends Omit<Settings, "path"> {
  readonly csv: string
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined
  readonly quote: string
  readonly nullText: string
  readonly onNewField: "drop" | "error" | "widen"
}

const bytesIn = (text: string): number => Buffer.byteLength(text)

/** Of a row as a line of JSON. */
export const lineSizes: Sizes = (rows) =>
  Effect.sync(() =>
    rows.map(({ data }) => Either.match(spellJson(data), { onLeft: () => 0, onRight: (text) => bytesIn(text) }) + 1)
  )

/** Quotes around a cell, one that keeps spreadsheets from running it, and a delimiter. */
const aroundCell = 4

/** The longest way to write a date. */
const mostOfDate = 24

/** Bytes of a line end, and of quotes around a record without text. */
const aroundRecord = 3

const names = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : []

/** Bytes of a byte order mark and the line end of a header. */
const aroundHeader = 5

/** A file of CSV as far as its rows have been measured. */
interface Table {
  /** Columns beyond those of all files, and what the header needs for them. */
  readonly more: Set<string>
  moreHeader: number
  /** Parts, with a header each. */
  parts: number
  /** Rows of the current part and of all parts. */
  rows: number
  allRows: number
  /** Bytes of the current part. */
  bytes: number
}

/**
 * Of a row as a record of CSV, with the headers and the cells of older records that it adds. Each row is measured once, in
 * the order in which rows are written: the columns that files have so far are kept.
 *
 * - Without declared columns, the columns of the first rows are those of every file and every record.
 * - With `widen`, a later column adds a cell to the header and to each record that its file has.
 */
export const recordSizes = (
  { csv, columns, nullText, onNewField, quote, ...dialect }: Dialect,
  place: Place
): Sizes => {
  const route = Partition.make({ ...dialect, path: csv }, place)
  const { most } = route
  const spelt = (value: unknown) => (typeof value === "string" ? Either.right(value) : spellJson(value))
  const cell = (value: unknown, type?: ColumnType): number => {
    const text = Either.getOrElse(spelt(value), () => "")
    const bytes = bytesIn(text ?? "") + (text?.split(quote).length ?? 1) - 1
    return Math.max(bytes, bytesIn(nullText), type === "date" ? mostOfDate : 0) + aroundCell
  }
  /** A cell that widening adds to an older record. */
  const added = bytesIn(nullText) + 1
  const headerOf = (names: Iterable<string>): number => Array.from(names).reduce((sum, name) => sum + cell(name), 0)

  const { files: earlier = [], held = [], state } = place.resume ?? {}
  const known = mapping(state)
  const base = new Set<string>(columns === undefined ? names(known.fields) : Object.keys(columns))
  let baseHeader = headerOf(base) + aroundHeader
  /** Rows that wait until the columns of all files are known. */
  let waiting = columns !== undefined || known.found === true ? looked : held.length
  // A file of an interrupted run may have all columns and rows that any of them has.
  const widened = earlier.flatMap((file) => names(mapping(file.state).more))
  const olderRows = Math.max(0, ...earlier.map(({ rows }) => rows))
  const tables = new Map<string, Table>()
  /** Files of the rows that wait since before a resume. */
  const waitingFiles = new Set(held.map((row) => mapping(row).of)).size

  /** Finds columns for all files; gives the bytes that they add to files that have rows. */
  const find = (data: Data): number => {
    let size = 0
    for (const name of Object.keys(data)) {
      if (base.has(name) || base.size >= mostColumns) continue
      base.add(name)
      baseHeader += cell(name)
      if (held.length > 0) {
        const more = waitingFiles * cell(name) + held.length * added
        size += more + Math.min(held.length, Math.ceil((2 * more) / most.size)) * baseHeader
      }
      for (const table of tables.values()) {
        const more = table.parts * cell(name) + table.allRows * added
        // Wider records fill parts earlier, so that more of them begin with a header.
        const parts = Math.min(table.allRows, Math.ceil((2 * more) / most.size))
        table.parts += parts
        table.bytes += more
        size += more + parts * (baseHeader + table.moreHeader)
      }
    }
    if (Object.values(data).every((value) => value === undefined || Either.isRight(spelt(value)))) waiting++
    return size
  }

  /** Adds columns to one file; gives the bytes that they add to its header and its records. */
  const widen = (data: Data, table: Table): number => {
    let size = 0
    for (const name of Object.keys(data)) {
      if (base.has(name) || table.more.has(name) || base.size + table.more.size >= mostColumns) continue
      table.more.add(name)
      table.moreHeader += cell(name)
      size += cell(name) + Math.min(table.allRows, most.rows) * added
    }
    table.bytes += size
    return size
  }

  const sizeIn = ({ data }: Row, path: string): number => {
    let size = waiting < looked ? find(data) : 0
    let table = tables.get(path)
    if (table === undefined) {
      const more = new Set(widened)
      table = { more, moreHeader: headerOf(more), parts: 0, rows: 0, allRows: olderRows, bytes: 0 }
      tables.set(path, table)
    }
    if (onNewField === "widen" && waiting >= looked) size += widen(data, table)
    let record = aroundRecord
    for (const some of [base, table.more]) {
      for (const name of some) {
        record += cell(Object.hasOwn(data, name) ? data[name] : undefined, columns?.[name])
      }
    }
    // Where a part is full another one begins, with a header of its own.
    if (table.parts === 0 || table.rows >= most.rows || table.bytes + record > most.size) {
      table.parts++
      table.rows = 0
      table.bytes = baseHeader + table.moreHeader
      size += table.bytes
    }
    table.rows++
    table.allRows++
    table.bytes += record
    return size + record
  }

  const pathOf = (row: Row): Effect.Effect<string> =>
    // A row whose partition cannot be told is written nowhere.
    Effect.map(
      Effect.orElseSucceed(route.of([row]), () => route.only),
      (path) => (typeof path === "string" ? path : (path[0] ?? ""))
    )
  return (rows) =>
    Effect.map(
      Effect.catchAll(route.of(rows), () => Effect.forEach(rows, pathOf)),
      (paths) => rows.map((row, index) => sizeIn(row, typeof paths === "string" ? paths : (paths[index] ?? "")))
    )
}
