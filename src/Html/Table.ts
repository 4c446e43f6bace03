/** Tells data tables from layout tables, and expands spans to a grid. */

import { span } from "./DataGrid.ts"
import { type Element, isElement } from "./Element.ts"
import { noAttributes } from "./Tokenizer.ts"

export type Alignment = "left" | "center" | "right"

export interface Rows {
  /** Alignment by column, as declared by its first cells. */
  readonly alignments: ReadonlyArray<Alignment | undefined>
  /**
   * The header row, then the others. All have the same length; a position covered by another cell's span is undefined. The header row of a
   * table that has only row headers is empty.
   */
  readonly rows: ReadonlyArray<ReadonlyArray<Element | undefined>>
  /** Captions, a title row above the header, and misplaced elements between the rows. */
  readonly outside: ReadonlyArray<Element>
}

/** Maximum columns; bounds malicious `colspan` values. */
const maxColumns = 500
/** Maximum empty positions of a grid: the first number times its cells, plus the second one. */
const [emptyPerCell, emptyAnyway] = [20, 100_000]

/** A row group (`thead`, `tbody`, `tfoot`): its rows. */
type Group = Array<Element>

interface Found {
  /** Row groups of head, body and foot, whose order in the source may be different. */
  readonly sections: readonly [Array<Group>, Array<Group>, Array<Group>]
  readonly outside: Array<Element>
}

const collect = (element: Element, found: Found, section: 0 | 1 | 2 = 1): Found => {
  const group: Group = []
  found.sections[section].push(group)
  for (const child of element.children) {
    if (!isElement(child) || child.dropped) continue
    switch (child.name) {
      case "tr":
        group.push(child)
        break
      case "thead":
        collect(child, found, 0)
        break
      case "tbody":
        collect(child, found, section)
        break
      case "tfoot":
        collect(child, found, 2)
        break
      case "colgroup":
      case "col":
        break
      default:
        found.outside.push(child)
    }
  }
  return found
}

/** Cells by row. */
type Cells = ReadonlyArray<ReadonlyArray<Element>>

const cellsOf = (row: Element): ReadonlyArray<Element> =>
  row.children.filter(
    (child): child is Element => isElement(child) && !child.dropped && (child.name === "td" || child.name === "th")
  )

/** Elements that do not fit into the single line of a Markdown cell. */
const heavy = new Set(["table", "h1", "h2", "h3", "h4", "pre", "form", "article", "section", "nav", "blockquote"])
const nested = new Set(["table"])
const heavyExceptTable = new Set([...heavy].filter((name) => !nested.has(name)))

const holds = (element: Element, names: ReadonlySet<string>, depth: number): boolean =>
  element.children.some(
    (child) =>
      isElement(child) && !child.dropped && (names.has(child.name) || (depth > 0 && holds(child, names, depth - 1)))
  )

/** Number of paragraphs from which a cell is part of the page layout. */
const minParagraphs = 2

const isLayoutCell = (cell: Element): boolean =>
  holds(cell, heavy, 6) ||
  cell.children.filter((child) => isElement(child) && !child.dropped && child.name === "p").length >= minParagraphs

/** The grid of a data table; undefined for a layout table, unless it is within a cell (`isInCell`), where each row is a line anyway. */
export const readRows = (table: Element, isInCell = false): Rows | undefined => {
  const { role } = table.attributes
  if (role === "presentation" || role === "none") return undefined
  const { outside, sections } = collect(table, { sections: [[], [], []], outside: [] })
  const groups = sections.flat().map((group) => group.map(cellsOf))
  const cells = groups.flat()
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return undefined
  const marked =
    cells.some((row) => row.some(({ name }) => name === "th")) || outside.some(({ name }) => name === "caption")
  if (!isInCell && !(marked ? holdsData(cells) : looksLikeData(cells, width))) return undefined
  const grid = unfold(groups)
  if (grid === undefined) return undefined
  const title = titleOf(grid)
  const body = title === undefined ? grid : grid.slice(1)
  const isHeadless = sections[0].every((group) => group.length === 0) && body.every(hasRowHeaderOnly)
  return {
    rows: isHeadless ? [body[0]?.map(() => undefined) ?? [], ...body] : body,
    outside: title === undefined ? outside : [...outside, title],
    alignments: alignmentsOf(body)
  }
}

/** True for a table without headers and caption that has several rows and columns, and cells that fit into a line. */
const looksLikeData = (cells: Cells, width: number): boolean =>
  width > 1 && cells.length > 1 && !cells.some((row) => row.some(isLayoutCell))

/** True for a table with headers or a caption, unless cells hold tables that make it the layout of a page. */
const holdsData = (cells: Cells): boolean => {
  const around = cells.flatMap((row) => row.filter((cell) => holds(cell, nested, 6)))
  return around.length === 0 || (hasHeader(cells) && around.every(holdsSmallTables))
}

const isHeader = (cell: Element | undefined): boolean => cell?.name === "th"

/** True if the first row has a header for each of several columns, and other rows follow: surely a table of data. */
const hasHeader = ([head = [], ...body]: Cells): boolean => head.length > 1 && head.every(isHeader) && body.length > 0

/** Maximum cells of tables in one cell that are written as lines of it. */
const maxNestedCells = 100

const countCells = (element: Element): number =>
  element.children.reduce(
    (sum, child) =>
      isElement(child) && !child.dropped
        ? sum + countCells(child) + (child.name === "td" || child.name === "th" ? 1 : 0)
        : sum,
    0
  )

/** True if the tables in a cell fit into its line: then the outer table is one of data, and not the layout of a page. */
const holdsSmallTables = (cell: Element): boolean =>
  !holds(cell, heavyExceptTable, 12) && countCells(cell) <= maxNestedCells

/** True for a row with a header and its values: none of its cells heads a column. */
const hasRowHeaderOnly = (row: ReadonlyArray<Element | undefined>): boolean =>
  isHeader(row[0]) && row.length > 1 && !row.slice(1).some(isHeader)

/** The only cell of a first row above a row of headers, or above rows that each begin with a header; undefined if there is none. */
const titleOf = ([first = [], ...rows]: Rows["rows"]): Element | undefined => {
  const [title, ...others] = first.filter((cell) => cell !== undefined)
  const [second = [], ...body] = rows
  const isAboveHeaders = second.length > 1 && second.every(isHeader) && body.length > 0
  return others.length === 0 && first.length > 1 && (isAboveHeaders || rows.every(hasRowHeaderOnly)) && rows.length > 0
    ? title
    : undefined
}

const alignmentClass = /(?:^|\s)(?:has-text-align-|text-|align)(left|center|right)(?=$|\s)/

const alignmentOf = ({ attributes }: Element): Alignment | undefined => {
  if (attributes === noAttributes) return undefined
  const named =
    /(?:^|;)\s*text-align:\s*(left|center|right)/i.exec(attributes.style ?? "")?.[1] ??
    /^(left|center|right)$/i.exec(attributes.align ?? "")?.[1] ??
    alignmentClass.exec(attributes.class ?? "")?.[1]
  return named?.toLowerCase() as Alignment | undefined
}

/** Number of first rows that may declare the alignment of a column. */
const alignedRows = 2

const alignmentsOf = (grid: Rows["rows"]): Rows["alignments"] =>
  (grid[0] ?? []).map((_, column) => {
    for (const row of grid.slice(0, alignedRows)) {
      const cell = row[column]
      const found = cell === undefined || cell.attributes.colspan !== undefined ? undefined : alignmentOf(cell)
      if (found !== undefined) return found
    }
    return undefined
  })

/**
 * Expands spans to a grid that contains each cell once: other positions that it covers are empty. Spans end with their row group.
 * Undefined if there are no cells, or if spans make the grid huge and mostly empty. `DataGrid.ts` repeats cells instead.
 */
const unfold = (groups: ReadonlyArray<Cells>): ReadonlyArray<ReadonlyArray<Element | undefined>> | undefined => {
  const grid: Array<Array<Element | undefined>> = []
  const most = emptyAnyway + emptyPerCell * groups.flat(2).length
  let width = 0
  for (const group of groups) {
    /** By column: number of further rows that a cell above covers. */
    const reach: Array<number> = []
    for (const row of group) {
      // Ends the line at its last cell, so that one wide span at the edge does not widen every row.
      const line: Array<Element | undefined> = []
      let column = 0
      const skip = () => {
        for (let rows = reach[column] ?? 0; rows > 0; rows = reach[column] ?? 0) reach[column++] = rows - 1
      }
      for (const cell of row) {
        skip()
        if (column >= maxColumns) break
        while (line.length < column) line.push(undefined)
        line.push(cell)
        const down = span(cell.attributes.rowspan, group.length) || group.length
        const end = Math.min(column + (span(cell.attributes.colspan, maxColumns) || 1), maxColumns)
        while (column < end) reach[column++] = down - 1
      }
      // Columns to the right that a cell in a row above covers.
      for (; column < reach.length; column++) skip()
      if (row.length === 0) continue
      width = Math.max(width, line.length)
      grid.push(line)
      if (grid.length * width > most) return undefined
    }
  }
  for (const line of grid) while (line.length < width) line.push(undefined)
  return grid.length === 0 ? undefined : grid
}
