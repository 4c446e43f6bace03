/**
 * Layout of a PDF: columns of a page in reading order; running headers and footers removed; tables joined across pages.
 */
import { blockText, type Cell } from "../Tree.ts"
import type { Piece } from "./Interpreter.ts"
import { inlinesOf, type Line, lineOf, type Row, rowsOf } from "./Lines.ts"
import type { Page } from "./PdfPage.ts"
import { alignedTable, bandedTables, ruledTables } from "./Tables.ts"

export interface TablePart {
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** Drawn edges of the columns; undefined when they are not drawn. */
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

/** Bounds the search for aligned tables, which is quadratic on very long pages. */
const maxRowVisits = 100_000

export const partsOf = ({ pieces, rules, turned }: Page): ReadonlyArray<Part> => {
  const ruled = ruledTables(pieces, rules)
  const banded = bandedTables(ruled.rest, rules, ruled.grids)
  const waiting = [...ruled.grids, ...banded.grids].sort((a, b) => a.y - b.y)
  const parts: Array<Part> = []
  let lines: Array<Line> = []
  let visitsLeft = maxRowVisits
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
      const { visited, table } = visitsLeft > 0 ? alignedTable(region, at) : { visited: 0, table: undefined }
      visitsLeft -= visited
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

/** Consecutive rows of one column. */
export type Region = ReadonlyArray<Row>

/** Minimum rows of a column beside another. */
const minRows = 4
const step = 4
/** Positions tried for the gutter of a page. */
const maxSteps = 1_000

interface RowRun {
  readonly from: number
  readonly to: number
  readonly worth: number
}

/** Runs of rows that leave the vertical line at `x` free, with enough text on either side. */
const runsBeside = (rows: Region, x: number): ReadonlyArray<RowRun> => {
  const runs: Array<RowRun> = []
  let from = 0
  let left = 0
  let right = 0
  const finish = (to: number) => {
    const worth = Math.min(left, right)
    if (worth >= minRows) runs.push({ from, to, worth })
    left = 0
    right = 0
  }
  rows.forEach((row, index) => {
    if (row.segments.some((segment) => segment.x0 < x && segment.x1 > x)) {
      finish(index)
      from = index + 1
      return
    }
    if (row.x0 < x) left += 1
    if (row.x1 > x) right += 1
  })
  finish(rows.length)
  return runs
}

/** Distinguishes prose, which fills its column, from table cells. */
const isProse = (rows: Region, keep: (x: number) => boolean): boolean => {
  const segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0)))
  const left = Math.min(...segments.map(({ x0 }) => x0))
  const right = Math.max(...segments.map(({ x1 }) => x1))
  const filled = segments.reduce((sum, { x0, x1 }) => sum + (x1 - x0), 0) / segments.length
  const letters = segments.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
  return filled > 0.5 * (right - left) && letters / segments.length > 14
}

/** Long prose: at least 12 full lines. */
const isFlow = (rows: Region, keep: (x: number) => boolean): boolean => {
  const segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0)))
  const left = Math.min(...segments.map(({ x0 }) => x0))
  const right = Math.max(...segments.map(({ x1 }) => x1))
  const full = segments.filter(({ pieces, x0, x1 }) => {
    const letters = pieces.reduce((sum, { text }) => sum + text.length, 0)
    return letters > 35 && x1 - x0 > 0.85 * (right - left)
  })
  return full.length >= 12 && full.length * 4 >= segments.length * 3
}

/** Columns of a page are about equally wide, those of a table rarely. */
const isCentered = (x: number, left: number, right: number): boolean =>
  Math.min(x - left, right - x) > 0.8 * Math.max(x - left, right - x)

/** Middle of the widest vertical gap between columns of text. */
const findGutter = (rows: Region): { readonly x: number; readonly runs: ReadonlyArray<RowRun> } | undefined => {
  const left = Math.min(...rows.map(({ x0 }) => x0))
  const right = Math.max(...rows.map(({ x1 }) => x1))
  const stride = Math.max(step, (right - left) / maxSteps)
  let best = 0
  let from = 0
  let to = 0
  for (let x = left + stride; x < right; x += stride) {
    const worth = runsBeside(rows, x).reduce((sum, run) => sum + run.worth, 0)
    if (worth > best) {
      best = worth
      from = x
      to = x
    } else if (worth > 0 && worth === best && x - to <= stride) to = x
  }
  if (best === 0) return undefined
  const x = (from + to) / 2
  const runs = runsBeside(rows, x).filter(({ from: start, to: end }) => {
    const beside = rows.slice(start, end)
    const before = (at: number) => at < x
    const after = (at: number) => at >= x
    if (isProse(beside, before) && isProse(beside, after)) return true
    // Beside prose the other column may be a drawing or a listing.
    return isCentered(x, left, right) && (isFlow(beside, before) || isFlow(beside, after))
  })
  return runs.length === 0 ? undefined : { x, runs }
}

const isRightToLeft = (rows: Region): boolean => {
  let letters = 0
  let rtl = 0
  for (const { segments } of rows) {
    for (const { pieces } of segments) {
      for (const { text } of pieces) {
        letters += text.length
        rtl += text.match(/[\u0590-\u08ff]/g)?.length ?? 0
      }
    }
  }
  return rtl * 2 > letters
}

/** Splits a page into regions in reading order: full-width rows and columns. */
export const regionsOf = (pieces: ReadonlyArray<Piece>, depth = 0): ReadonlyArray<Region> => {
  const rows = rowsOf(pieces)
  const gutter = depth > 3 || rows.length < minRows ? undefined : findGutter(rows)
  if (gutter === undefined) return rows.length === 0 ? [] : [rows]
  const regions: Array<Region> = []
  let done = 0
  const flushFullWidth = (to: number) => {
    if (to > done) regions.push(rows.slice(done, to))
  }
  for (const { from, to } of gutter.runs) {
    flushFullWidth(from)
    const inside = rows.slice(from, to).flatMap(({ segments }) => segments)
    const side = (keep: (x: number) => boolean) =>
      regionsOf(
        inside.filter(({ x0 }) => keep(x0)).flatMap((segment) => segment.pieces),
        depth + 1
      )
    const sides = [side((x) => x < gutter.x), side((x) => x >= gutter.x)]
    regions.push(...(isRightToLeft(rows) ? sides.reverse() : sides).flat())
    done = to
  }
  flushFullWidth(rows.length)
  return regions
}

type Pages = ReadonlyArray<ReadonlyArray<Part>>

export const linesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<Line> =>
  parts.flatMap((part) => ("lines" in part ? part.lines : []))

/** Removes running headers and footers: lines at the top or bottom of most pages, ignoring page numbers. */
export const withoutRunningLines = (pages: Pages): Pages => {
  if (pages.length < 4) return pages
  const keyOf = ({ text, y }: Line) => `${Math.round(y / 8)} ${text.replace(/\d+/g, "#")}`
  const edges = pages.map((parts) => {
    const lines = [...linesOf(parts)].sort((a, b) => a.y - b.y)
    return new Set([...lines.slice(0, 2), ...lines.slice(-2)])
  })
  const counts = new Map<string, number>()
  for (const edge of edges) for (const line of edge) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  return pages.map((parts, index) =>
    parts.map((part) =>
      "lines" in part
        ? {
            lines: part.lines.filter(
              (line) => !(edges[index]?.has(line) && (counts.get(keyOf(line)) ?? 0) > Math.max(3, pages.length * 0.4))
            )
          }
        : part
    )
  )
}

const textOf = (row: ReadonlyArray<Cell> | undefined): string =>
  (row ?? []).map(({ blocks }) => blockText(blocks).trim()).join("\t")

const sameColumns = (one: TablePart, other: TablePart): boolean =>
  one.xs !== undefined &&
  other.xs !== undefined &&
  one.xs.length === other.xs.length &&
  one.xs.every((x, index) => Math.abs(x - (other.xs?.[index] ?? 0)) < 5)

/** Joins tables that continue on the next page, without repeated headers. */
export const withTablesJoined = (pages: Pages): ReadonlyArray<Part> => {
  const joined: Array<Part> = []
  /** Rows of the last table, once it was extended. */
  let growing: Array<ReadonlyArray<Cell>> = []
  for (const parts of pages) {
    const [first, ...others] = parts.filter((part) => "table" in part || part.lines.length > 0)
    const last = joined[joined.length - 1]
    if (first === undefined) continue
    if (last !== undefined && "table" in last && "table" in first && sameColumns(last.table, first.table)) {
      const [head, ...rest] = first.table.rows
      const repeats = textOf(head) === textOf(last.table.rows[0])
      if (last.table.rows !== growing) {
        growing = [...last.table.rows]
        joined[joined.length - 1] = { table: { ...last.table, rows: growing } }
      }
      for (const row of repeats ? rest : first.table.rows) growing.push(row)
    } else joined.push(first)
    joined.push(...others)
  }
  return joined
}
