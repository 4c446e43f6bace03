/** Finds the tables of a PDF page: those with ruled lines, and those that are only aligned (spec 4.2). */
import type { Piece } from "./PdfInterpreter.ts"
import { type Row, rowsOf, type Segment } from "./PdfRows.ts"
import type { Rule } from "./PdfRules.ts"

/** The pieces of each cell. */
export interface Grid {
  readonly y: number
  readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Piece>>>
}

const near = 3

/** Positions that are nearly the same are one line. */
const cluster = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (const value of [...values].sort((a, b) => a - b)) {
    if (out.length === 0 || value - (out[out.length - 1] ?? 0) > near) out.push(value)
  }
  return out
}

/** Rules that touch, directly or by others, form one drawing. */
const drawings = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const groups: Array<{ x0: number; y0: number; x1: number; y1: number; rules: Array<Rule> }> = []
  for (const rule of rules) {
    const touching = groups.filter(
      (group) =>
        rule.x0 <= group.x1 + near &&
        rule.x1 >= group.x0 - near &&
        rule.y0 <= group.y1 + near &&
        rule.y1 >= group.y0 - near
    )
    const home = touching[0] ?? { ...rule, rules: [] }
    if (touching.length === 0) groups.push(home)
    for (const other of [...touching.slice(1), { ...rule, rules: [rule] }]) {
      home.x0 = Math.min(home.x0, other.x0)
      home.y0 = Math.min(home.y0, other.y0)
      home.x1 = Math.max(home.x1, other.x1)
      home.y1 = Math.max(home.y1, other.y1)
      home.rules.push(...other.rules)
      const at = groups.indexOf(other)
      if (at >= 0) groups.splice(at, 1)
    }
  }
  return groups.map((group) => group.rules)
}

const between = (lines: ReadonlyArray<number>, value: number): number => {
  for (let index = 0; index + 1 < lines.length; index += 1) {
    if (value >= (lines[index] ?? 0) - 1 && value < (lines[index + 1] ?? 0) + 1) return index
  }
  return -1
}

/** Tables whose rows and columns are drawn; what they hold is not among the rest. */
export const ruledTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  let rest = pieces
  for (const drawing of drawings(rules)) {
    const xs = cluster(drawing.filter(({ x0, x1 }) => x1 - x0 < near).map(({ x0 }) => x0))
    const ys = cluster(drawing.filter(({ y0, y1 }) => y1 - y0 < near).map(({ y0 }) => y0))
    if (xs.length < 3 || ys.length < 3 || xs.length > 60 || ys.length > 400) continue
    const cells: Array<Array<Array<Piece>>> = ys.slice(1).map(() => xs.slice(1).map(() => []))
    const outside: Array<Piece> = []
    for (const piece of rest) {
      const column = between(xs, (piece.x0 + Math.min(piece.x1, piece.x0 + piece.size)) / 2)
      const row = between(ys, piece.y - 0.3 * piece.size)
      const cell = column < 0 || row < 0 ? undefined : cells[row]?.[column]
      if (cell === undefined) outside.push(piece)
      else cell.push(piece)
    }
    const filledRows = cells.filter((row) => row.some((cell) => cell.length > 0))
    const filled = filledRows.flat().filter((cell) => cell.length > 0).length
    // Boxes around figures and forms have lines too, but hardly any cell with text in it.
    if (filledRows.length < 2 || filled * 3 < filledRows.length * (xs.length - 1)) continue
    grids.push({ y: ys[0] ?? 0, cells: filledRows })
    rest = outside
  }
  return { grids, rest }
}

interface Span {
  x0: number
  x1: number
}

const addSpans = (spans: ReadonlyArray<Span>, segments: ReadonlyArray<Segment>): ReadonlyArray<Span> => {
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

export interface Aligned {
  /** Number of rows from the start that belong to it. */
  readonly rows: number
  readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Piece>>>
}

/** The table that begins with the first of these rows, if there is one. */
export const alignedTable = (rows: ReadonlyArray<Row>): Aligned | undefined => {
  const [first] = rows
  if (first === undefined || first.segments.length < 2) return undefined
  let spans = addSpans([], first.segments)
  let taken = 1
  for (let index = 1; index < rows.length; index += 1) {
    const row = rows[index]
    const before = rows[index - 1]
    if (row === undefined || before === undefined || row.y - before.y > 3 * Math.max(row.size, before.size)) break
    const next = addSpans(spans, row.segments)
    if (next.length < 2 || next.length * 3 < spans.length * 2) break
    // One wide text over several columns ends the table.
    if (row.segments.length === 1 && next.length < spans.length) break
    spans = next
    if (row.segments.length > 1) taken = index + 1
  }
  const inside = rows.slice(0, taken)
  const full = inside.filter(({ segments }) => segments.length > 1)
  if (full.length < (spans.length > 2 ? 2 : 3) || full.length * 2 < inside.length || isList(full, spans.length)) {
    return undefined
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
  return { rows: taken, cells }
}

/** The lines of a cell, from top to bottom. */
export const cellRows = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Row> => rowsOf(pieces)
