/** Detects tables without ruled lines on a PDF page, by the alignment of their columns. */
import type { Piece } from "./PdfInterpreter.ts"
import type { Row, Segment } from "./PdfRows.ts"

export interface Span {
  x0: number
  x1: number
}

/** Where the segments of all rows lie together. */
export const addSpans = (spans: ReadonlyArray<Span>, segments: ReadonlyArray<Segment>): ReadonlyArray<Span> => {
  const merged: Array<Span> = []
  for (const { x0, x1 } of [...spans, ...segments].sort((a, b) => a.x0 - b.x0)) {
    const last = merged[merged.length - 1]
    if (last !== undefined && x0 < last.x1 + 2) last.x1 = Math.max(last.x1, x1)
    else merged.push({ x0, x1 })
  }
  return merged
}

const marker =
  /^(?:[\u2022\u25cf\u25aa\u25e6\u25cb\u2013\u2014*-]|\(?\d{1,3}[.)]|(?:\d{1,2}\.)+\d{0,2}|\(?[a-zA-Z][.)])$/

/** A list whose marks stand far from its text looks like a table of two columns. */
const isList = (rows: ReadonlyArray<Row>, columns: number): boolean =>
  columns === 2 &&
  rows.filter(({ segments }) =>
    marker.test(
      (segments[0]?.pieces ?? [])
        .map(({ text }) => text)
        .join("")
        .trim()
    )
  ).length *
    2 >
    rows.length

interface Aligned {
  /** Number of rows that belong to it. */
  readonly rows: number
  readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Piece>>>
}

interface Look {
  /** Rows that were looked at. */
  readonly seen: number
  readonly table: Aligned | undefined
}

/** The table that begins with the row at `from`, if there is one. */
export const alignedTable = (rows: ReadonlyArray<Row>, from: number): Look => {
  const first = rows[from]
  if (first === undefined || first.segments.length < 2) return { seen: 1, table: undefined }
  let spans = addSpans([], first.segments)
  let taken = 1
  let seen = 1
  for (let index = from + 1; index < rows.length; index += 1) {
    const row = rows[index]
    const before = rows[index - 1]
    if (row === undefined || before === undefined || row.y - before.y > 3 * Math.max(row.size, before.size)) break
    seen += 1
    const next = addSpans(spans, row.segments)
    if (next.length < 2 || next.length * 3 < spans.length * 2) break
    // One wide text over several columns ends the table.
    if (row.segments.length === 1 && next.length < spans.length) break
    spans = next
    if (row.segments.length > 1) taken = index + 1 - from
  }
  const inside = rows.slice(from, from + taken)
  const full = inside.filter(({ segments }) => segments.length > 1)
  if (full.length < (spans.length > 2 ? 2 : 3) || full.length * 2 < inside.length || isList(full, spans.length)) {
    return { seen, table: undefined }
  }
  const cells: Array<Array<Array<Piece>>> = []
  for (const row of inside) {
    const line: Array<Array<Piece>> = spans.map(() => [])
    for (const segment of row.segments) {
      const at = spans.findIndex(({ x0, x1 }) => segment.x0 >= x0 - 1 && segment.x0 <= x1)
      line[at]?.push(...segment.pieces)
    }
    const above = cells[cells.length - 1]
    // A lone text right below goes on with the cell above it.
    if (row.segments.length === 1 && above !== undefined && (line[0]?.length ?? 0) === 0) {
      line.forEach((cell, column) => {
        above[column]?.push(...cell)
      })
    } else cells.push(line)
  }
  return { seen, table: { rows: taken, cells } }
}
