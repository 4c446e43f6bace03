/** Layout of a PDF: orders the columns of a page, removes running headers and footers, and joins tables across pages. */
import { type Box, blockText, type Cell } from "../Tree.ts"
import type { Piece } from "./Geometry.ts"
import { inlinesOf, type Line, lineOf, type Row, rowsOf, type Segment } from "./Lines.ts"
import type { Page } from "./PdfPage.ts"
import { boxOfPieces, type View } from "./Places.ts"
import {
  addSpans,
  alignedTable,
  bandedTables,
  type Columns,
  covered,
  type Grid,
  joinedRules,
  ruledTables
} from "./Tables.ts"

export interface TablePart {
  /** Cells by row; positions covered by a span are undefined. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell | undefined>>
  readonly columns: Columns
  readonly box: Box
}

/** Lines or a table of a page, with the page number and the rotation in which they are upright. */
export type Part = ({ readonly lines: ReadonlyArray<Line> } | { readonly table: TablePart }) & { readonly view: View }

/** A part, and the parts on the following pages that continue its table. */
export type JoinedPart = Part & { readonly continued?: ReadonlyArray<ContinuedTable> }

interface ContinuedTable {
  readonly part: Extract<Part, { readonly table: TablePart }>
  /** Number of rows that the part adds to the table: all except a repeated header. */
  readonly rows: number
}

const tablePart = (cells: Grid["cells"], columns: Columns): TablePart => ({
  columns,
  box: boxOfPieces(cells.flatMap((row) => row.flatMap(({ pieces }) => pieces))),
  rows: cells.map((row) =>
    row.map((cell): Cell | undefined => {
      if (cell === covered) return undefined
      const lines = rowsOf(cell.pieces).map((line) => inlinesOf(line.segments.flatMap((segment) => segment.pieces)))
      const content = lines.flatMap((line, index) =>
        index === 0 ? line : [{ kind: "text" as const, text: " ", style: {} }, ...line]
      )
      return { blocks: [{ kind: "paragraph", content }], colSpan: cell.colSpan, rowSpan: 1 }
    })
  )
})

/** Maximum row visits per page in the search for aligned tables, whose time grows with the square of the rows. */
const maxRowVisits = 100_000

/** Returns the parts of a page view in reading order. `page`: page number, from 1. */
export const partsOf = ({ pieces, rotation, rules: drawn, turned }: Page, page = 1): ReadonlyArray<Part> => {
  const view = { page, rotation }
  const rules = joinedRules(drawn)
  const ruled = ruledTables(pieces, rules)
  const banded = bandedTables(ruled.rest, rules, ruled.grids)
  const waiting = [...ruled.grids, ...banded.grids].sort((a, b) => a.y - b.y)
  const parts: Array<Part> = []
  let lines: Array<Line> = []
  let visitsLeft = maxRowVisits
  const flush = () => {
    if (lines.length > 0) parts.push({ lines, view })
    lines = []
  }
  for (const region of regionsOf(banded.rest)) {
    for (let at = 0; at < region.length; ) {
      const row = region[at]
      if (row === undefined) break
      for (let grid = waiting[0]; grid !== undefined && grid.y < row.y; grid = waiting[0]) {
        flush()
        waiting.shift()
        parts.push({ table: tablePart(grid.cells, grid.columns), view })
      }
      const { visited, table } = visitsLeft > 0 ? alignedTable(region, at) : { visited: 0, table: undefined }
      visitsLeft -= visited
      if (table === undefined) {
        lines.push(lineOf(row, turned))
        at += 1
      } else {
        flush()
        parts.push({ table: tablePart(table.cells, { spans: table.spans }), view })
        at += table.rows
      }
    }
    flush()
  }
  for (const { cells, columns } of waiting) parts.push({ table: tablePart(cells, columns), view })
  return parts
}

/** Consecutive rows of one column. */
export type Region = ReadonlyArray<Row>

/** Minimum rows of a column next to another column. */
const minRows = 4
const step = 4
/** Maximum positions tried for the gutter of a page. */
const maxSteps = 1_000

interface RowRun {
  readonly from: number
  readonly to: number
  readonly worth: number
}

/** Finds runs of rows that do not cross the vertical line at `x`, with at least `minRows` rows of text on both sides. */
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

/** True for prose, which fills its column, unlike table cells. */
const isProse = (rows: Region, keep: (x: number) => boolean): boolean => {
  const segments = rows.flatMap((row) => row.segments.filter(({ x0 }) => keep(x0)))
  return isFilled(segments, 14, 0.5) || isProseColumns(rows, segments)
}

const isFilled = (segments: ReadonlyArray<Segment>, minLetters: number, minShare: number): boolean => {
  const left = Math.min(...segments.map(({ x0 }) => x0))
  const right = Math.max(...segments.map(({ x1 }) => x1))
  const filled = segments.reduce((sum, { x0, x1 }) => sum + (x1 - x0), 0) / segments.length
  const letters = segments.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
  return filled > minShare * (right - left) && letters / segments.length > minLetters
}

/**
 * True for columns of prose whose lines have wide gaps. Stricter than `isFilled` for lines without gaps, because rows of tables have gaps
 * too.
 */
const isProseColumns = (rows: Region, segments: ReadonlyArray<Segment>): boolean => {
  const columns = addSpans([], segments)
  return (
    columns.length < 5 &&
    columns.every(({ x0, x1 }) => {
      const lines = rows.flatMap((row) => {
        const inside = row.segments.filter((segment) => segment.x0 >= x0 - 1 && segment.x1 <= x1 + 1)
        const [first] = inside
        const last = inside[inside.length - 1]
        // Justified lines of narrow columns have wide gaps.
        return first === undefined || last === undefined
          ? []
          : [{ pieces: inside.flatMap(({ pieces }) => pieces), x0: first.x0, x1: last.x1 }]
      })
      return lines.length >= (columns.length === 1 ? 4 : 2) * minRows && isFilled(lines, 16, 0.7)
    })
  )
}

/** True for long prose: at least 12 full lines, which are three quarters of the text on that side. */
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

/** True if the widths of both columns differ by less than a fifth, as in columns of prose but rarely in a table. */
const isCentered = (x: number, left: number, right: number): boolean =>
  Math.min(x - left, right - x) > 0.8 * Math.max(x - left, right - x)

/** Finds the gap between two columns of prose: the middle of the widest one, and the rows beside it. */
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
    // Next to prose, the other column may be a drawing or a listing.
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

/** Number of lines at the top and at the bottom of a page that are compared with other pages. */
const edgeLines = 2
/** Minimum pages for counting repeated lines. In shorter documents, a line has to repeat on all pages at the same position. */
const minPages = 4

const edgesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<Line> => {
  const lines = [...linesOf(parts)].sort((a, b) => a.y - b.y)
  return [...new Set([...lines.slice(0, edgeLines), ...lines.slice(-edgeLines)])]
}

/** Returns the number that a line begins or ends with, as in `12 Annual report` and `Page 3 of 12`. */
const pageNumberOf = (text: string): number | undefined => {
  const [, first, second] = /^(?:page\s+|[-\u2013]\s*)?(\d{1,4})\b|\b(\d{1,4})(?:\s*[-\u2013])?$/i.exec(text) ?? []
  const found = first ?? second
  return found === undefined ? undefined : Number(found)
}

const isBareNumber = (text: string): boolean =>
  /^(?:page\s+|[-\u2013]\s*)?\d{1,4}(?:\s*(?:[-\u2013]|\/\s*\d{1,4}|of\s+\d{1,4}))?$/i.test(text)

/** Pages without their running headers and footers, and the removed lines of each page. */
interface RunningLines {
  readonly pages: Pages
  readonly running: ReadonlyArray<ReadonlySet<Line>>
}

/**
 * Removes running headers and footers: lines at the top or bottom of most pages that differ only in numbers, or that have the same height
 * and contain the page number.
 */
export const withoutRunningLines = (pages: Pages): RunningLines => {
  if (pages.length < 2) return { pages, running: pages.map(() => new Set()) }
  const edges = pages.map(edgesOf)
  const placeOf = ({ y }: Line): number => Math.round(y / 8)
  const keyOf = (line: Line): string => `${placeOf(line)} ${line.text.replace(/\d+/g, "#")}`
  const exactKeyOf = ({ text, x0, y }: Line): string => `${Math.round(y)} ${Math.round(x0)} ${text}`
  // Page numbers at the same height have a constant difference to the position of the page.
  const offsetKeyOf = (line: Line, page: number): string | undefined => {
    const number = pageNumberOf(line.text)
    return number === undefined ? undefined : `${placeOf(line)} ${number - page}`
  }
  const counts = new Map<string, number>()
  const count = (key: string | undefined) => key !== undefined && counts.set(key, (counts.get(key) ?? 0) + 1)
  edges.forEach((lines, page) => {
    for (const line of lines) {
      count(keyOf(line))
      count(`exactly ${exactKeyOf(line)}`)
      count(`number ${offsetKeyOf(line, page)}`)
    }
  })
  const times = (key: string): number => counts.get(key) ?? 0
  const isRunning = (line: Line, page: number): boolean => {
    const offset = offsetKeyOf(line, page)
    const numbered = offset === undefined ? 0 : times(`number ${offset}`)
    if (pages.length < minPages) {
      return (
        times(`exactly ${exactKeyOf(line)}`) === pages.length || (numbered === pages.length && isBareNumber(line.text))
      )
    }
    return times(keyOf(line)) > Math.max(3, pages.length * 0.4) || numbered > Math.max(3, pages.length * 0.6)
  }
  const running = edges.map((lines, page) => new Set(lines.filter((line) => isRunning(line, page))))
  return {
    running,
    pages: pages.map((parts, page) =>
      parts.map((part) =>
        "lines" in part ? { ...part, lines: part.lines.filter((line) => !running[page]?.has(line)) } : part
      )
    )
  }
}

const textOf = (row: TablePart["rows"][number] | undefined): string =>
  (row ?? []).map((cell) => blockText(cell?.blocks ?? []).trim()).join("\t")

const areNear = (one: number, other: number): boolean => Math.abs(one - other) < 5

const sameColumns = (one: Columns, other: Columns): boolean => {
  if ("edges" in one) {
    return (
      "edges" in other &&
      one.edges.length === other.edges.length &&
      one.edges.every((x, index) => areNear(x, other.edges[index] ?? 0))
    )
  }
  // The ends of text vary between pages: each column keeps its left or its right edge, depending on its alignment.
  return (
    "spans" in other &&
    one.spans.length === other.spans.length &&
    one.spans.every(({ x0, x1 }, index) => {
      const match = other.spans[index] ?? { x0: 0, x1: 0 }
      return areNear(x0, match.x0) || areNear(x1, match.x1)
    })
  )
}

/** Joins tables that continue on the next page, without repeated headers. */
export const withTablesJoined = (pages: Pages): ReadonlyArray<JoinedPart> => {
  const joined: Array<JoinedPart> = []
  /** Rows of the last table, if it continued on another page. */
  let growing: Array<TablePart["rows"][number]> = []
  let continued: Array<ContinuedTable> = []
  for (const parts of pages) {
    const [first, ...others] = parts.filter((part) => "table" in part || part.lines.length > 0)
    const last = joined[joined.length - 1]
    if (first === undefined) continue
    if (
      last !== undefined &&
      "table" in last &&
      "table" in first &&
      sameColumns(last.table.columns, first.table.columns)
    ) {
      const [head, ...rest] = first.table.rows
      const repeats = textOf(head) === textOf(last.table.rows[0])
      if (last.table.rows !== growing) {
        growing = [...last.table.rows]
        continued = []
        joined[joined.length - 1] = { ...last, table: { ...last.table, rows: growing }, continued }
      }
      const added = repeats ? rest : first.table.rows
      for (const row of added) growing.push(row)
      continued.push({ part: first, rows: added.length })
    } else joined.push(first)
    joined.push(...others)
  }
  return joined
}
