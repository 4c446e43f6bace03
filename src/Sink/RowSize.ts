/** Upper bounds for the bytes that rows add to the files of a sink, before compression; what a budget of bytes counts. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Row } from "../Row.ts"
import type { Place } from "../Sink.ts"
import type { ColumnType } from "./Cell.ts"
import type { Settings } from "./Destination.ts"
import { spellJson } from "./Json.ts"
import * as Route from "./Route.ts"

type Sizes = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>

interface Dialect extends Omit<Settings, "path"> {
  readonly csv: string
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined
  readonly quote: string
  readonly nullText: string
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

/** A line end of two characters, or a byte order mark. */
const aroundRecord = 3

/** Of a row as a record of CSV, with the header of each file that begins with it. */
export const recordSizes = ({ csv, columns, nullText, quote, ...dialect }: Dialect, place: Place): Sizes => {
  const route = Route.make({ ...dialect, path: csv }, place)
  const cell = (value: unknown, type?: ColumnType): number => {
    const text = typeof value === "string" ? value : Either.getOrElse(spellJson(value), () => "")
    const bytes = bytesIn(text ?? "") + (text?.split(quote).length ?? 1) - 1
    return Math.max(bytes, bytesIn(nullText), type === "date" ? mostOfDate : 0) + aroundCell
  }
  /** Of each file: the columns that its header has so far, and how full it is. */
  const files = new Map<string, { seen: Set<string>; rows: number; bytes: number }>()
  const sizeIn = ({ data }: Row, path: string): number => {
    const names = Object.keys(columns ?? data)
    const record = names.reduce((sum, name) => sum + cell(data[name], columns?.[name]), aroundRecord)
    let file = files.get(path)
    // Where a part is full another one begins, with a header of its own.
    if (file === undefined || file.rows >= route.most.rows || file.bytes + record > route.most.size) {
      file = { seen: new Set(), rows: 0, bytes: aroundRecord }
      files.set(path, file)
    }
    const before = file.rows === 0 ? aroundRecord : 0
    const header = names.reduce((sum, name) => (file.seen.has(name) ? sum : sum + cell(name)), before)
    for (const name of names) file.seen.add(name)
    file.rows++
    file.bytes += header + record
    return header + record
  }
  return (rows) =>
    Effect.map(
      // A row whose partition cannot be told is written nowhere.
      Effect.orElseSucceed(route.of(rows), () => route.only),
      (paths) => rows.map((row, index) => sizeIn(row, typeof paths === "string" ? paths : (paths[index] ?? "")))
    )
}
