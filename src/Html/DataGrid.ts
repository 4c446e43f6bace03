/** Tables as data: repeats a cell wherever its spans reach, names columns by their headers, and joins headers of several rows. */

import { descendantsOf, type Element, isElement } from "./Element.ts"
import { readText } from "./FieldText.ts"

export interface DataGrid {
  /** Unique names. Columns without a header are named by their number, from 1. */
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Element | undefined>>
}

type Line = ReadonlyArray<Element | undefined>

/** Maximum columns of a table, and maximum cells added by spans per page: a span may have any size. */
const [maxColumns, maxAdded] = [1_000, 1_000_000]

/** Positions that a grid may have per cell, in addition to the number that every grid may have. */
const maxPerCell = 20

/** Number of cells that spans may still add. */
export interface Budget {
  cells: number
}

export interface CellRow {
  /** True if the row is in `thead`. */
  readonly inHead: boolean
  /** Cells of the row's own element, without those that span it from above. */
  readonly own: ReadonlyArray<Element>
  /** Cells by column, including cells of rows above that span this row. */
  readonly cells: Line
}

/** The value of `colspan` or `rowspan`, at most `most`; a `rowspan` of 0 stands for the other rows of the row group. */
export const span = (text: string | undefined, most: number): number => {
  const count = Number.parseInt(text ?? "1", 10)
  return Number.isNaN(count) || count < 0 ? 1 : Math.min(count, most)
}

export const childrenNamed = (
  element: Element,
  isLeftOut: (element: Element) => boolean,
  ...names: ReadonlyArray<string>
): ReadonlyArray<Element> =>
  element.children.filter(
    (child): child is Element => isElement(child) && names.includes(child.name) && !isLeftOut(child)
  )

const sectionRank = ({ name }: Element): number => (name === "thead" ? 0 : name === "tfoot" ? 2 : 1)

/** The rows of a table that have cells, head first and foot last. Stops early when the budget is used up. */
export const readCells = (
  table: Element,
  budget: Budget,
  isLeftOut: (element: Element) => boolean = () => false
): ReadonlyArray<CellRow> =>
  childrenNamed(table, isLeftOut, "thead", "tbody", "tr", "tfoot")
    .toSorted((one, other) => sectionRank(one) - sectionRank(other))
    .flatMap((section) => {
      const rows = section.name === "tr" ? [section] : childrenNamed(section, isLeftOut, "tr")
      return rowsOf(
        rows.map((row) => childrenNamed(row, isLeftOut, "td", "th")),
        section.name === "thead",
        budget
      )
    })

/** Rows of one section; spans do not reach beyond it. */
const rowsOf = (
  group: ReadonlyArray<ReadonlyArray<Element>>,
  inHead: boolean,
  budget: Budget
): ReadonlyArray<CellRow> => {
  const covered: Array<{ cell: Element; rows: number } | undefined> = []
  return group.flatMap((own) => {
    const cells: Array<Element | undefined> = []
    let column = 0
    const fill = (): void => {
      for (let cover = covered[column]; cover !== undefined && budget.cells > 0; cover = covered[column]) {
        cells[column] = cover.cell
        budget.cells--
        covered[column] = cover.rows > 1 ? { cell: cover.cell, rows: cover.rows - 1 } : undefined
        column++
      }
    }
    for (const cell of own) {
      fill()
      if (column >= maxColumns || budget.cells <= 0) break
      const down = span(cell.attributes.rowspan, group.length)
      const end = Math.min(column + Math.max(1, span(cell.attributes.colspan, maxColumns)), maxColumns)
      budget.cells -= end - column - 1
      for (; column < end; column++) {
        cells[column] = cell
        covered[column] = down === 1 ? undefined : { cell, rows: down === 0 ? group.length : down - 1 }
      }
    }
    // Columns to the right that a cell in a row above covers.
    for (; column < covered.length && column < maxColumns; column++) fill()
    return own.length === 0 ? [] : [{ inHead, own, cells }]
  })
}

const isHeader = (line: Line): boolean => line.every((cell) => cell === undefined || cell.name === "th")

const textsOf = (line: Line): ReadonlyArray<string> => line.map((cell) => (cell === undefined ? "" : readText(cell)))

/** For a table without `th`: true if the first row names every column with a word, and a row below contains a number. */
const looksLikeHeader = ([first, ...rest]: ReadonlyArray<Line>): boolean => {
  const names = first === undefined ? [] : textsOf(first)
  return (
    names.length > 1 &&
    new Set(names).size === names.length &&
    names.every((name) => /\p{L}/u.test(name) && name.length <= 60 && !/^\d/.test(name)) &&
    rest.some((line) => textsOf(line).some((text) => /^\p{Sc}?\s?[-+]?\d/u.test(text)))
  )
}

const countHeaders = (headRows: number, rows: ReadonlyArray<Line>): number => {
  if (headRows > 0 && headRows < rows.length) return headRows
  const leading = rows.findIndex((line) => !isHeader(line))
  if (leading !== 0) return Math.max(0, leading)
  const hasHeaders = rows.some((line) => line.some((cell) => cell?.name === "th"))
  return !hasHeaders && looksLikeHeader(rows) ? 1 : 0
}

/** Joins the headers of a column from top to bottom; equal neighbours appear once. */
const nameOf = (headers: ReadonlyArray<ReadonlyArray<string>>, column: number): string =>
  headers
    .map((line) => line[column] ?? "")
    .filter((name, index, all) => name !== "" && name !== all[index - 1])
    .join(" ")
    .replace(/\s*\[\d+\]$/, "")

/** Reads a table; undefined if it has no cells, or if spans make it huge and mostly empty. */
export const readGrid = (table: Element): DataGrid | undefined => {
  const found = readCells(table, { cells: maxAdded })
  const width = found.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const count = found.reduce((sum, { own }) => sum + own.length, 0)
  if (count === 0 || found.length * width > maxAdded + maxPerCell * count) return undefined
  const lines = found.map(({ cells }) => Array.from({ length: width }, (_, column) => cells[column]))
  const headerRows = countHeaders(found.filter(({ inHead }) => inHead).length, lines)
  const headers = lines.slice(0, headerRows).map(textsOf)
  const names = new Set<string>()
  for (let column = 0; column < width; column++) {
    const name = nameOf(headers, column) || String(column + 1)
    let unique = name
    for (let number = 2; names.has(unique); number++) unique = `${name} ${number}`
    names.add(unique)
  }
  // Headers repeated between the rows, and empty rows, are not data.
  const repeated = new Set(headers.map((header) => header.join("\n")))
  const isRepeated = (line: Line) => isHeader(line) && repeated.has(textsOf(line).join("\n"))
  const rows = lines.slice(headerRows).filter((line) => textsOf(line).some((text) => text !== "") && !isRepeated(line))
  return { names: [...names], rows }
}

const sizeOf = (table: Element, budget: Budget): number =>
  readCells(table, budget).reduce((sum, { cells }) => sum + cells.length, 0)

const tablesIn = (element: Element): ReadonlyArray<Element> =>
  descendantsOf(element).filter(({ name }) => name === "table")

/** The table with this number, counted from 1; with `true`, the largest one. */
export const chooseTable = (page: Element, which: number | true): Element | undefined => {
  const tables = tablesIn(page)
  if (which !== true) return tables[which - 1]
  const budget = { cells: maxAdded }
  let [best, most] = [undefined as Element | undefined, 0]
  for (const table of tables) {
    // A table that contains other tables is there for layout.
    const size = tablesIn(table).length > 0 ? 1 : sizeOf(table, budget)
    if (size > most) [best, most] = [table, size]
  }
  return best
}

/** The element itself if it is a table, otherwise the first table in it. */
export const tableAt = (element: Element): Element | undefined =>
  element.name === "table" ? element : tablesIn(element)[0]
