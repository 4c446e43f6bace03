/** Tables as data: rows by the names of their columns. Spans are resolved, and headers of several rows are one. */

import { descendantsOf, type Element } from "./Element.ts"
import { readText } from "./FieldText.ts"
import { readCells } from "./Table.ts"

export interface DataGrid {
  /** Each name once. Columns without a header are named by their number, from 1. */
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Element | undefined>>
}

type Line = ReadonlyArray<Element | undefined>

const isHeader = (line: Line): boolean => line.every((cell) => cell === undefined || cell.name === "th")

const textsOf = (line: Line): ReadonlyArray<string> => line.map((cell) => (cell === undefined ? "" : readText(cell)))

/** Of a table without `th`: the first row is the header if it names every column with a word, and a row below has a number. */
const looksLikeHeader = ([first, ...rest]: ReadonlyArray<Line>): boolean => {
  const names = first === undefined ? [] : textsOf(first)
  return (
    names.length > 1 &&
    new Set(names).size === names.length &&
    names.every((name) => /\p{L}/u.test(name) && name.length <= 60 && !/^\d/.test(name)) &&
    rest.some((line) => textsOf(line).some((text) => /^\p{Sc}?\s?[-+]?\d/u.test(text)))
  )
}

const countHeaders = ({
  headRows,
  rows
}: {
  readonly headRows: number
  readonly rows: ReadonlyArray<Line>
}): number => {
  if (headRows > 0 && headRows < rows.length) return headRows
  const leading = rows.findIndex((line) => !isHeader(line))
  if (leading !== 0) return Math.max(0, leading)
  const hasHeaders = rows.some((line) => line.some((cell) => cell?.name === "th"))
  return !hasHeaders && looksLikeHeader(rows) ? 1 : 0
}

/** Joins the header of a column from top to bottom, with equal neighbours once. */
const nameOf = (headers: ReadonlyArray<ReadonlyArray<string>>, column: number): string =>
  headers
    .map((line) => line[column] ?? "")
    .filter((name, index, all) => name !== "" && name !== all[index - 1])
    .join(" ")
    .replace(/\s*\[\d+\]$/, "")

/** Reads a table; undefined without cells. */
export const readGrid = (table: Element): DataGrid | undefined => {
  const cells = readCells(table)
  if (cells === undefined) return undefined
  const headerRows = countHeaders(cells)
  const headers = cells.rows.slice(0, headerRows).map(textsOf)
  const width = cells.rows.reduce((most, line) => Math.max(most, line.length), 0)
  const names: Array<string> = []
  for (let column = 0; column < width; column++) {
    const name = nameOf(headers, column) || String(column + 1)
    let unique = name
    for (let number = 2; names.includes(unique); number++) unique = `${name} ${number}`
    names.push(unique)
  }
  // A header that is repeated between the rows, and empty rows, are no data.
  const isRepeated = (line: Line) =>
    isHeader(line) && headers.some((header) => header.join("\n") === textsOf(line).join("\n"))
  const rows = cells.rows
    .slice(headerRows)
    .filter((line) => textsOf(line).some((text) => text !== "") && !isRepeated(line))
  return { names, rows }
}

const sizeOf = (table: Element): number => {
  const cells = readCells(table)
  return cells === undefined ? 0 : cells.rows.reduce((sum, line) => sum + line.length, 0)
}

const tablesIn = (element: Element): ReadonlyArray<Element> =>
  descendantsOf(element).filter(({ name }) => name === "table")

/** The table with this number, from 1; with `true` the largest. */
export const chooseTable = (page: Element, which: number | true): Element | undefined => {
  const tables = tablesIn(page)
  if (which !== true) return tables[which - 1]
  let [best, most] = [undefined as Element | undefined, 0]
  for (const table of tables) {
    // A table that holds others arranges them.
    const size = tablesIn(table).length > 0 ? 1 : sizeOf(table)
    if (size > most) [best, most] = [table, size]
  }
  return best
}

/** The table that an element is, or the first one in it. */
export const tableAt = (element: Element): Element | undefined =>
  element.name === "table" ? element : tablesIn(element)[0]
