/** Tables as data: caption, header and rows of text. A cell is repeated in every place that its spans cover. */
import { hides } from "./Boilerplate.ts"
import { descendantsOf, type Element, isElement, squeeze } from "./Element.ts"
import type { Tree } from "./Tree.ts"

export interface TableData {
  readonly caption?: string
  /** Several header rows are joined from top to bottom; empty if the table has none. */
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Columns of a table, and cells of all tables of a page: spans may ask for any number. */
const [maxColumns, maxCells] = [1_000, 1_000_000]

const span = (text: string | undefined, most: number): number => {
  const count = Number.parseInt(text ?? "1", 10)
  return Number.isNaN(count) || count < 0 ? 1 : Math.min(count, most)
}

const isHidden = (element: Element): boolean => element.layout === "unseen" || hides(element)

const textIn = (element: Element): string => {
  let text = ""
  const visit = ({ children }: Element): void => {
    for (const child of children) {
      if (!isElement(child)) text += child
      else if (child.name !== "table" && !isHidden(child)) {
        const apart = child.name === "br" || child.layout !== "inline"
        if (apart) text += " "
        visit(child)
        if (apart) text += " "
      }
    }
  }
  visit(element)
  return squeeze(text)
}

interface Group {
  readonly isHead: boolean
  readonly rows: ReadonlyArray<Element>
}

const childrenNamed = (element: Element, ...names: ReadonlyArray<string>): ReadonlyArray<Element> =>
  element.children.filter(
    (child): child is Element => isElement(child) && names.includes(child.name) && !isHidden(child)
  )

const groupsOf = (table: Element): ReadonlyArray<Group> => {
  const rank = ({ name }: Element) => (name === "thead" ? 0 : name === "tfoot" ? 2 : 1)
  return childrenNamed(table, "thead", "tbody", "tr", "tfoot")
    .toSorted((a, b) => rank(a) - rank(b))
    .map((element) => ({
      isHead: element.name === "thead",
      rows: element.name === "tr" ? [element] : childrenNamed(element, "tr")
    }))
}

interface Line {
  readonly isHeader: boolean
  readonly cells: ReadonlyArray<string>
}

interface Budget {
  cells: number
}

/** Spans end with the group of their rows. */
const linesOf = ({ isHead, rows }: Group, budget: Budget): ReadonlyArray<Line> => {
  const covered: Array<{ text: string; rows: number } | undefined> = []
  return rows.map((row) => {
    const cells: Array<string> = []
    let column = 0
    const fill = (): void => {
      for (let cover = covered[column]; cover !== undefined && budget.cells > 0; cover = covered[column]) {
        cells[column] = cover.text
        budget.cells--
        covered[column] = cover.rows > 1 ? { text: cover.text, rows: cover.rows - 1 } : undefined
        column++
      }
    }
    const found = childrenNamed(row, "td", "th")
    for (const cell of found) {
      fill()
      if (column >= maxColumns || budget.cells <= 0) break
      const text = textIn(cell)
      const down = span(cell.attributes.rowspan, rows.length)
      const end = Math.min(column + Math.max(1, span(cell.attributes.colspan, maxColumns)), maxColumns)
      for (; column < end; column++) {
        cells[column] = text
        budget.cells--
        covered[column] = down === 1 ? undefined : { text, rows: down === 0 ? rows.length : down - 1 }
      }
    }
    // Columns to the right that a cell above covers.
    for (; column < covered.length && column < maxColumns; column++) {
      fill()
      if (column < covered.length && cells[column] === undefined) cells[column] = ""
    }
    return { isHeader: isHead || (found.length > 0 && found.every(({ name }) => name === "th")), cells }
  })
}

const tableOf = (table: Element, budget: Budget): TableData | undefined => {
  const lines = groupsOf(table)
    .flatMap((group) => linesOf(group, budget))
    .filter(({ cells }) => cells.length > 0)
  const width = lines.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  budget.cells -= width * lines.length
  if (width === 0 || budget.cells <= 0) return undefined
  const first = lines.findIndex(({ isHeader }) => !isHeader)
  const headers = lines.slice(0, first === -1 ? lines.length : first)
  const columns = Array.from({ length: width }, (_, column) => column)
  const rows = lines.slice(headers.length).map(({ cells }) => columns.map((column) => cells[column] ?? ""))
  const header =
    headers.length === 0
      ? []
      : columns.map((column) =>
          headers
            .map(({ cells }) => cells[column] ?? "")
            .filter((name, at, all) => name !== "" && name !== all[at - 1])
            .join(" ")
        )
  const [caption] = childrenNamed(table, "caption").map(textIn)
  return { ...(caption === undefined || caption === "" ? {} : { caption }), header, rows }
}

/** Every table of the page in document order; nested ones are tables of their own. Calls `warn` when some are left out. */
export const readTables = (tree: Tree, warn: (text: string) => void): ReadonlyArray<TableData> => {
  if (!tree.tags.some(({ tag }) => tag.name === "table")) return []
  const budget = { cells: maxCells }
  const tables = descendantsOf(tree.root)
    .filter((element) => element.name === "table" && !isHidden(element))
    .flatMap((table) => tableOf(table, budget) ?? [])
  if (budget.cells <= 0) warn(`tables beyond ${maxCells.toLocaleString("en")} cells are left out`)
  return tables
}
