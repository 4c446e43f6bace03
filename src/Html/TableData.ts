/** Reads every table of a page as text: caption, header and rows. */
import { hides } from "./Boilerplate.ts"
import { type Budget, childrenNamed, readCells } from "./DataGrid.ts"
import { descendantsOf, type Element, isElement, squeeze } from "./Element.ts"
import type { Tree } from "./Tree.ts"

export interface TableData {
  readonly caption?: string
  /** One text per column, joined from top to bottom if there are several header rows. Empty for a table without headers. */
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Maximum cells in all tables of a page: spans may have any size. */
const maxCells = 1_000_000

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

const tableOf = (table: Element, budget: Budget): TableData | undefined => {
  const lines = readCells(table, budget, isHidden)
  const width = lines.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  budget.cells -= width * lines.length
  if (width === 0 || budget.cells <= 0) return undefined
  const isHeader = ({ inHead, own }: (typeof lines)[number]) => inHead || own.every(({ name }) => name === "th")
  const first = lines.findIndex((line) => !isHeader(line))
  const texts = new Map<Element, string>()
  const textAt = (line: ReadonlyArray<Element | undefined>, column: number): string => {
    const cell = line[column]
    if (cell === undefined) return ""
    const text = texts.get(cell) ?? textIn(cell)
    texts.set(cell, text)
    return text
  }
  const headers = lines.slice(0, first === -1 ? lines.length : first)
  const columns = Array.from({ length: width }, (_, column) => column)
  const rows = lines.slice(headers.length).map(({ cells }) => columns.map((column) => textAt(cells, column)))
  const header =
    headers.length === 0
      ? []
      : columns.map((column) =>
          headers
            .map(({ cells }) => textAt(cells, column))
            .filter((name, at, all) => name !== "" && name !== all[at - 1])
            .join(" ")
        )
  const [caption] = childrenNamed(table, isHidden, "caption").map(textIn)
  return { ...(caption === undefined || caption === "" ? {} : { caption }), header, rows }
}

/** Every table of the page in document order, including nested ones. Calls `warn` if some are left out. */
export const readTables = (tree: Tree, warn: (text: string) => void): ReadonlyArray<TableData> => {
  if (!tree.tags.some(({ tag }) => tag.name === "table")) return []
  const budget = { cells: maxCells }
  const tables = descendantsOf(tree.root)
    .filter((element) => element.name === "table" && !isHidden(element))
    .flatMap((table) => tableOf(table, budget) ?? [])
  if (budget.cells <= 0) warn(`tables beyond ${maxCells.toLocaleString("en")} cells are left out`)
  return tables
}
