/** The parts of a PDF page in reading order: lines that belong together, and tables. */
import { bandedTables } from "./PdfBands.ts"
import { regionsOf } from "./PdfColumns.ts"
import { ruledTables } from "./PdfGrids.ts"
import { inlinesOf, type Line, lineOf } from "./PdfLines.ts"
import type { Page } from "./PdfPage.ts"
import { rowsOf } from "./PdfRows.ts"
import { alignedTable } from "./PdfTables.ts"
import type { Cell } from "./Tree.ts"

export interface TablePart {
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** Where the edges of its columns are drawn; undefined when they are not. */
  readonly xs: ReadonlyArray<number> | undefined
}

export type Part = { readonly lines: ReadonlyArray<Line> } | { readonly table: TablePart }

const tablePart = (
  cells: ReadonlyArray<ReadonlyArray<Page["pieces"]>>,
  xs: ReadonlyArray<number> | undefined
): TablePart => ({
  xs,
  rows: cells.map((row) =>
    row.map((pieces): Cell => {
      const lines = rowsOf(pieces).map((line) => inlinesOf(line.segments.flatMap((segment) => segment.pieces)))
      const content = lines.flatMap((line, index) =>
        index === 0 ? line : [{ kind: "text" as const, text: " ", style: {} }, ...line]
      )
      return { blocks: [{ kind: "paragraph", content }], colSpan: 1, rowSpan: 1 }
    })
  )
})

/** How often a row of a page is looked at for a table: of a page as long as a book, not each for each other. */
const maxLooks = 100_000

export const partsOf = ({ pieces, rules, turned }: Page): ReadonlyArray<Part> => {
  const ruled = ruledTables(pieces, rules)
  const banded = bandedTables(ruled.rest, rules, ruled.grids)
  const waiting = [...ruled.grids, ...banded.grids].sort((a, b) => a.y - b.y)
  const parts: Array<Part> = []
  let lines: Array<Line> = []
  let looks = maxLooks
  const flush = () => {
    if (lines.length > 0) parts.push({ lines })
    lines = []
  }
  for (const region of regionsOf(banded.rest)) {
    for (let at = 0; at < region.length; ) {
      const row = region[at]
      if (row === undefined) break
      for (let grid = waiting[0]; grid !== undefined && grid.y < row.y; grid = waiting[0]) {
        flush()
        waiting.shift()
        parts.push({ table: tablePart(grid.cells, grid.xs) })
      }
      const { seen, table } = looks > 0 ? alignedTable(region, at) : { seen: 0, table: undefined }
      looks -= seen
      if (table === undefined) {
        lines.push(lineOf(row, turned))
        at += 1
      } else {
        flush()
        parts.push({ table: tablePart(table.cells, undefined) })
        at += table.rows
      }
    }
    flush()
  }
  for (const { cells, xs } of waiting) parts.push({ table: tablePart(cells, xs) })
  return parts
}
