/** Detects tables on a PDF page: with a full grid of lines, with lines between rows only, or by alignment. */
import type { Piece, Rule } from "./Interpreter.ts"
import { type Row, rowsOf, type Segment } from "./Lines.ts"

/** Ruled table, with the text pieces of each cell. */
export interface Grid {
  readonly y: number
  readonly bottom: number
  /** Left and right edges of the columns. */
  readonly xs: ReadonlyArray<number>
  readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Piece>>>
}

const tolerance = 3

/** Merges values that are nearly equal. */
const cluster = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (const value of [...values].sort((a, b) => a - b)) {
    if (out.length === 0 || value - (out[out.length - 1] ?? 0) > tolerance) out.push(value)
  }
  return out
}

/** Groups rules that touch, directly or through others. */
const connectedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const groups: Array<{ x0: number; y0: number; x1: number; y1: number; rules: Array<Rule> }> = []
  for (const rule of rules) {
    const touching = groups.filter(
      (group) =>
        rule.x0 <= group.x1 + tolerance &&
        rule.x1 >= group.x0 - tolerance &&
        rule.y0 <= group.y1 + tolerance &&
        rule.y1 >= group.y0 - tolerance
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

/** Adds outer edges to a table without side borders: the ends of the lines that cross it. */
const withOuterEdges = (
  lines: ReadonlyArray<number>,
  from: number,
  to: number,
  least: number
): ReadonlyArray<number> => [
  ...(from < (lines[0] ?? 0) - least ? [from] : []),
  ...lines,
  ...(to > (lines[lines.length - 1] ?? 0) + least ? [to] : [])
]

const edgesOf = (drawing: ReadonlyArray<Rule>) => {
  const upright = drawing.filter(({ x0, x1 }) => x1 - x0 < tolerance)
  const level = drawing.filter(({ y0, y1 }) => y1 - y0 < tolerance)
  const xs = cluster(upright.map(({ x0 }) => x0))
  const ys = cluster(level.map(({ y0 }) => y0))
  if (xs.length === 0 || ys.length === 0) return { xs, ys }
  return {
    xs: withOuterEdges(xs, Math.min(...level.map(({ x0 }) => x0)), Math.max(...level.map(({ x1 }) => x1)), 12),
    ys: withOuterEdges(ys, Math.min(...upright.map(({ y0 }) => y0)), Math.max(...upright.map(({ y1 }) => y1)), 6)
  }
}

type Cells = ReadonlyArray<ReadonlyArray<Piece>>

/** Minimum lines of a cell that are split into rows. */
const minLines = 3

/** Splits rows that are separated only by space: each line of the first cell has a counterpart in all other cells. */
export const splitRow = (row: Cells): ReadonlyArray<Cells> => {
  const filled = row.filter((cell) => cell.length > 0)
  const lines = rowsOf(row[0] ?? [])
  if (filled.length < 2 || lines.length < minLines) return [row]
  const home = ({ size, y }: Piece) => lines.findIndex((line) => Math.abs(line.y - y) < 0.4 * size)
  const beside = filled.every((cell) => {
    const homes = new Set(cell.map(home))
    return !homes.has(-1) && homes.size * 4 >= lines.length * 3
  })
  return beside ? lines.map((_, index) => row.map((cell) => cell.filter((piece) => home(piece) === index))) : [row]
}

/** Finds tables with ruled rows and columns. `rest` is the text outside of them. */
export const ruledTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  let rest = pieces
  for (const drawing of connectedRules(rules)) {
    const { xs, ys } = edgesOf(drawing)
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
    const filledRows = cells.filter((row) => row.some((cell) => cell.length > 0)).flatMap(splitRow)
    const filled = filledRows.flat().filter((cell) => cell.length > 0).length
    // Boxes around figures and forms have lines too, but few cells with text.
    if (filledRows.length < 2 || filled * 3 < filledRows.length * (xs.length - 1)) continue
    grids.push({ y: ys[0] ?? 0, bottom: ys[ys.length - 1] ?? 0, xs, cells: filledRows })
    rest = outside
  }
  return { grids, rest }
}

export interface Span {
  x0: number
  x1: number
}

/** Merges horizontal spans that overlap. */
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

/** Lists whose marks are far from the text look like tables of two columns. */
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

interface AlignedTable {
  /** Number of rows of the table. */
  readonly rows: number
  readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Piece>>>
}

interface TableSearch {
  /** Rows visited by the search. */
  readonly visited: number
  readonly table: AlignedTable | undefined
}

/** Finds a table that begins with row `from`. */
export const alignedTable = (rows: ReadonlyArray<Row>, from: number): TableSearch => {
  const first = rows[from]
  if (first === undefined || first.segments.length < 2) return { visited: 1, table: undefined }
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
    // A wide text across several columns ends the table.
    if (row.segments.length === 1 && next.length < spans.length) break
    spans = next
    if (row.segments.length > 1) taken = index + 1 - from
  }
  const inside = rows.slice(from, from + taken)
  const full = inside.filter(({ segments }) => segments.length > 1)
  if (full.length < (spans.length > 2 ? 2 : 3) || full.length * 2 < inside.length || isList(full, spans.length)) {
    return { visited: seen, table: undefined }
  }
  const cells: Array<Array<Array<Piece>>> = []
  for (const row of inside) {
    const line: Array<Array<Piece>> = spans.map(() => [])
    for (const segment of row.segments) {
      const at = spans.findIndex(({ x0, x1 }) => segment.x0 >= x0 - 1 && segment.x0 <= x1)
      line[at]?.push(...segment.pieces)
    }
    const above = cells[cells.length - 1]
    // A single segment below the first column continues the cell above.
    if (row.segments.length === 1 && above !== undefined && (line[0]?.length ?? 0) === 0) {
      line.forEach((cell, column) => {
        above[column]?.push(...cell)
      })
    } else cells.push(line)
  }
  return { visited: seen, table: { rows: taken, cells } }
}

const bandTolerance = 4
/** Top, bottom, and at least one between. */
const minRules = 3
/** Maximum distance of consecutive lines of a table. */
const maxHeight = 400
/** Average letters of a segment above which the columns are prose. */
const maxLetters = 32

/** Groups of horizontal lines with the same ends, from top to bottom. */
const stacksOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const stacks: Array<Array<Rule>> = []
  const level = rules.filter(({ x0, x1, y0, y1 }) => y1 - y0 < 3 && x1 - x0 > 60)
  for (const rule of [...level].sort((a, b) => a.y0 - b.y0)) {
    const home = stacks.find((stack) => {
      const last = stack[stack.length - 1]
      return (
        last !== undefined &&
        Math.abs(last.x0 - rule.x0) < bandTolerance &&
        Math.abs(last.x1 - rule.x1) < bandTolerance &&
        rule.y0 - last.y0 < maxHeight
      )
    })
    if (home === undefined) stacks.push([rule])
    else if (rule.y0 - (home[home.length - 1]?.y0 ?? 0) > bandTolerance) home.push(rule)
  }
  return stacks.filter((stack) => stack.length >= minRules)
}

const letterCount = ({ pieces }: Segment): number => pieces.reduce((sum, { text }) => sum + text.length, 0)

/** Columns of most rows; undefined when there is one column, or columns of prose. */
const columnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Span> | undefined => {
  const several = rows.filter(({ segments }) => segments.length > 1)
  if (several.length < 2 || several.length * 2 < rows.length) return undefined
  const counts = several.map(({ segments }) => segments.length).sort((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 2)] ?? 2
  const full = several.filter(({ segments }) => segments.length >= usual)
  const segments = full.flatMap((row) => row.segments)
  if (segments.reduce((sum, segment) => sum + letterCount(segment), 0) / segments.length > maxLetters) return undefined
  const spans = full.reduce<ReadonlyArray<Span>>((all, row) => addSpans(all, row.segments), [])
  return spans.length < 2 ? undefined : spans
}

const sharedWidth = (segment: Segment, { x0, x1 }: Span): number => Math.min(segment.x1, x1) - Math.max(segment.x0, x0)

/** Puts each segment into the column with the largest overlap. */
const cellsOf = (rows: ReadonlyArray<Row>, spans: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Piece>> => {
  const cells: Array<Array<Piece>> = spans.map(() => [])
  for (const segment of rows.flatMap((row) => row.segments)) {
    const widths = spans.map((span) => sharedWidth(segment, span))
    cells[widths.indexOf(Math.max(...widths))]?.push(...segment.pieces)
  }
  return cells
}

/** Header row above the first line. */
const headerOf = (rows: ReadonlyArray<Row>, top: number): Row | undefined => {
  const last = rows.filter(({ y }) => y < top).at(-1)
  return last !== undefined && last.segments.length > 1 && top - last.y < 2 * last.size ? last : undefined
}

/** Finds tables with horizontal lines only. `rest` is the text outside of them. */
export const bandedTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>,
  taken: ReadonlyArray<Grid>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  const free = rules.filter(
    ({ y0 }) => !taken.some(({ bottom, y }) => y0 > y - bandTolerance && y0 < bottom + bandTolerance)
  )
  let rest = pieces
  for (const stack of stacksOf(free)) {
    const [first] = stack
    const last = stack[stack.length - 1]
    if (first === undefined || last === undefined) continue
    const within = ({ x0, x1 }: Piece) => x0 > first.x0 - 12 && x1 < first.x1 + 12
    const inside = rest.filter((piece) => within(piece) && piece.y > first.y0 - 2 && piece.y < last.y0)
    const rows = rowsOf(inside)
    const columns = columnsOf(rows)
    if (columns === undefined) continue
    const above = headerOf(
      rowsOf(rest.filter((piece) => within(piece) && piece.y < first.y0 && piece.y > first.y0 - 60)),
      first.y0
    )
    const bands = stack
      .slice(1)
      .map((rule, index) => rows.filter(({ y }) => y > (stack[index]?.y0 ?? 0) - 2 && y < rule.y0))
    const cells = [...(above === undefined ? [] : [[above]]), ...bands]
      .filter((band) => band.length > 0)
      .map((band) => cellsOf(band, columns))
      .flatMap(splitRow)
    if (cells.length < 2) continue
    const used = new Set(cells.flat(2))
    rest = rest.filter((piece) => !used.has(piece))
    grids.push({
      y: above === undefined ? first.y0 : above.y,
      bottom: last.y0,
      xs: columns.flatMap(({ x0, x1 }) => [x0, x1]),
      cells
    })
  }
  return { grids, rest }
}
