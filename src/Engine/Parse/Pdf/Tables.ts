/** Detects tables on a PDF page: with a full grid of lines, with lines between rows only, or by alignment. */
import type { Piece } from "./Geometry.ts"
import { type Row, rowsOf, type Segment } from "./Lines.ts"
import type { Rule } from "./Rules.ts"

/** Text pieces of a cell, and the number of columns that it spans. */
export interface GridCell {
  readonly pieces: ReadonlyArray<Piece>
  readonly colSpan: number
}

/** Placeholder for a position covered by the cell to its left. */
export const covered: GridCell = { pieces: [], colSpan: 0 }

/** Table found on the page: top, bottom, columns, and the cells of each row. */
export interface Grid {
  readonly y: number
  readonly bottom: number
  /** Edges of columns that lines separate, or left and right ends of columns that were found by alignment. */
  readonly columns: Columns
  readonly cells: ReadonlyArray<ReadonlyArray<GridCell>>
}

export type Columns = { readonly edges: ReadonlyArray<number> } | { readonly spans: ReadonlyArray<Span> }

const plainCells = (rows: ReadonlyArray<Cells>): Grid["cells"] =>
  rows.map((row) => row.map((pieces) => ({ pieces, colSpan: 1 })))

const tolerance = 3
const maxColumns = 60
const maxRows = 400

const isLevel = ({ y0, y1 }: Rule): boolean => y1 - y0 < tolerance
const isUpright = ({ x0, x1 }: Rule): boolean => x1 - x0 < tolerance

/** Joins horizontal rules that continue each other, because some programs draw the border of each cell separately. */
export const joinedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const out: Array<Rule> = []
  const level = rules.filter(isLevel).sort((a, b) => Math.round(a.y0) - Math.round(b.y0) || a.x0 - b.x0)
  for (const rule of level) {
    const last = out[out.length - 1]
    if (last !== undefined && Math.round(last.y0) === Math.round(rule.y0) && rule.x0 - last.x1 < tolerance) {
      out[out.length - 1] = { ...last, x1: Math.max(last.x1, rule.x1) }
    } else out.push(rule)
  }
  return [...out, ...rules.filter((rule) => !isLevel(rule))]
}

/** Merges nearly equal values. */
const cluster = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (const value of [...values].sort((a, b) => a - b)) {
    if (out.length === 0 || value - (out[out.length - 1] ?? 0) > tolerance) out.push(value)
  }
  return out
}

/** Groups rules that touch each other, or the box around a group. */
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

/** Heights at which all vertical rules are interrupted: boundaries between rows that only shading or space separates. */
const breaksOf = (upright: ReadonlyArray<Rule>, xs: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (xs.length < 2 || upright.length < 2 * xs.length) return []
  const starts = cluster(upright.map(({ y0 }) => y0)).slice(0, maxRows)
  const meets = (x: number, y: number, side: "y0" | "y1") =>
    upright.some((rule) => Math.abs(rule.x0 - x) < tolerance && Math.abs(rule[side] - y) < 1.5)
  return starts.filter((y) => xs.every((x) => meets(x, y, "y0") && meets(x, y, "y1")))
}

const isNear = (values: ReadonlyArray<number>, value: number): boolean =>
  values.some((each) => Math.abs(each - value) < tolerance)

const edgesOf = (drawing: ReadonlyArray<Rule>) => {
  const upright = drawing.filter(isUpright)
  const level = drawing.filter(isLevel)
  const xs = cluster(upright.map(({ x0 }) => x0))
  const ys = cluster(level.map(({ y0 }) => y0))
  // Some programs interrupt vertical rules at every line of text. So breaks count only if the table has no rule between rows, or for a
  // single break above the second rule.
  const breaks = breaksOf(upright, xs).filter((y) => !isNear(ys, y))
  const rows = ys.length === 2 || (breaks.length === 1 && (breaks[0] ?? 0) < (ys[1] ?? 0)) ? breaks : []
  if (xs.length === 0 || ys.length + rows.length === 0) return { xs, ys, breaks: rows }
  const all = [...ys, ...rows].sort((a, b) => a - b)
  return {
    xs: withOuterEdges(xs, Math.min(...level.map(({ x0 }) => x0)), Math.max(...level.map(({ x1 }) => x1)), 12),
    ys: withOuterEdges(all, Math.min(...upright.map(({ y0 }) => y0)), Math.max(...upright.map(({ y1 }) => y1)), 6),
    breaks: rows
  }
}

type Cells = ReadonlyArray<ReadonlyArray<Piece>>

/** Minimum lines of a cell for splitting it into rows. */
const minLines = 3

/**
 * Splits a row into the rows that only space separates. In every cell with text, three quarters of the first cell's lines need a
 * counterpart.
 */
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

/** True if at least 70 % of the cells have a rule above them. Where a rule is missing, a cell spans rows. */
const hasMostRules = (
  xs: ReadonlyArray<number>,
  ys: ReadonlyArray<number>,
  hasLevel: (column: number, row: number) => boolean
): boolean => {
  let ruled = 0
  for (let row = 1; row + 1 < ys.length; row += 1) {
    for (let column = 0; column + 1 < xs.length; column += 1) ruled += hasLevel(column, row) ? 1 : 0
  }
  return ruled >= 0.7 * (ys.length - 2) * (xs.length - 1)
}

/**
 * Joins cells of a row if no rule separates them and text crosses their edge. If the text stays within its column, the edge is kept,
 * because some programs separate header cells by shading.
 */
const withColumnSpans = (
  row: Cells,
  xs: ReadonlyArray<number>,
  hasRule: (x: number) => boolean
): ReadonlyArray<GridCell> => {
  const out: Array<GridCell> = []
  let open = -1
  row.forEach((pieces, column) => {
    const x = xs[column] ?? 0
    const last = out[open]
    const crosses = (): boolean =>
      rowsOf([...(last?.pieces ?? []), ...pieces]).some(({ segments }) =>
        segments.some(({ x0, x1 }) => x0 < x - 1 && x1 > x + 1)
      )
    if (last !== undefined && last.pieces.length + pieces.length > 0 && !hasRule(x) && crosses()) {
      out[open] = { pieces: [...last.pieces, ...pieces], colSpan: last.colSpan + 1 }
      out.push(covered)
    } else {
      open = column
      out.push({ pieces, colSpan: 1 })
    }
  })
  return out
}

/** Moves the text of cells that span rows into their first row: in columns where no rule separates the rows. */
const withRowSpans = (
  rows: ReadonlyArray<Cells>,
  hasRule: (column: number, row: number) => boolean
): ReadonlyArray<Cells> => {
  const out = rows.map((row) => [...row])
  const columns = rows[0]?.length ?? 0
  for (let column = 0; column < columns; column += 1) {
    let first = 0
    for (let row = 1; row < out.length; row += 1) {
      const pieces = out[row]?.[column] ?? []
      const home = out[first]
      if (hasRule(column, row)) first = row
      else if (home !== undefined && pieces.length > 0) {
        home[column] = [...(home[column] ?? []), ...pieces]
        const left = out[row]
        if (left !== undefined) left[column] = []
      }
    }
  }
  return out
}

/** Finds tables with ruled rows and columns. `rest` is the text outside of them. */
export const ruledTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  let rest = pieces
  for (const drawing of connectedRules(rules)) {
    const { breaks, xs, ys } = edgesOf(drawing)
    if (xs.length < 3 || ys.length < 3 || xs.length > maxColumns || ys.length > maxRows) continue
    const cells: Array<Array<Array<Piece>>> = ys.slice(1).map(() => xs.slice(1).map(() => []))
    const outside: Array<Piece> = []
    for (const piece of rest) {
      const column = between(xs, (piece.x0 + Math.min(piece.x1, piece.x0 + piece.size)) / 2)
      const row = between(ys, piece.y - 0.3 * piece.size)
      const cell = column < 0 || row < 0 ? undefined : cells[row]?.[column]
      if (cell === undefined) outside.push(piece)
      else cell.push(piece)
    }
    const upright = drawing.filter(isUpright)
    const hasUpright = (x: number, y: number): boolean =>
      upright.some((rule) => Math.abs(rule.x0 - x) < tolerance && rule.y0 <= y && rule.y1 >= y)
    const level = drawing.filter(isLevel)
    const hasLevel = (column: number, row: number): boolean => {
      const middle = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2
      if (isNear(breaks, ys[row] ?? 0)) return true
      return level.some(
        (rule) => Math.abs(rule.y0 - (ys[row] ?? 0)) < tolerance && rule.x0 <= middle && rule.x1 >= middle
      )
    }
    const middles = ys.slice(1).map((y, row) => (y + (ys[row] ?? 0)) / 2)
    const isComplete = hasMostRules(xs, ys, hasLevel)
    const filledRows = (isComplete ? withRowSpans(cells, hasLevel) : cells).flatMap((row, index) =>
      row.every((cell) => cell.length === 0)
        ? []
        : splitRow(row).map((cut) => withColumnSpans(cut, xs, (x) => hasUpright(x, middles[index] ?? 0)))
    )
    const filled = filledRows.flat().filter(({ pieces }) => pieces.length > 0).length
    // Boxes around figures and forms also have lines, but few cells with text.
    if (filledRows.length < 2 || filled * 3 < filledRows.length * (xs.length - 1)) continue
    grids.push({ y: ys[0] ?? 0, bottom: ys[ys.length - 1] ?? 0, columns: { edges: xs }, cells: filledRows })
    rest = outside
  }
  return { grids, rest }
}

export interface Span {
  x0: number
  x1: number
}

/** Merges overlapping horizontal spans. */
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

/** True for a list whose bullets or numbers are far from its text, so that it looks like a table with two columns. */
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
  readonly spans: ReadonlyArray<Span>
  readonly cells: Grid["cells"]
}

/** Minimum width of a gap between columns that runs through all rows, in units of the font size: wider than a word space. */
const minRiver = 0.42
/** Minimum rows that a gap must run through. In fewer rows, the spaces between words may be aligned by chance. */
const minRiverRows = 3

/** Splits columns at vertical gaps that run through all rows, which are too narrow to be seen in a single row. */
export const withRivers = (rows: ReadonlyArray<Row>, columns: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  if (rows.length < minRiverRows) return columns
  const size = Math.max(...rows.map((row) => row.size))
  return columns.flatMap((column) => {
    const inside = rows.flatMap((row) => {
      const segments = row.segments.filter(({ x0, x1 }) => x0 >= column.x0 - 1 && x1 <= column.x1 + 1)
      return segments.length === 0 ? [] : [segments.flatMap(({ pieces }) => pieces)]
    })
    if (inside.length < minRiverRows) return [column]
    const parts: Array<Span> = []
    for (const { x0, x1 } of inside.flat().sort((a, b) => a.x0 - b.x0)) {
      const last = parts[parts.length - 1]
      if (last !== undefined && x0 - last.x1 < minRiver * size) last.x1 = Math.max(last.x1, x1)
      else parts.push({ x0, x1 })
    }
    const isFilled = ({ x0, x1 }: Span) =>
      inside.filter((pieces) => pieces.some((piece) => piece.x0 >= x0 && piece.x1 <= x1)).length * 2 >= inside.length
    return parts.length > 1 && parts.every(isFilled) ? parts : [column]
  })
}

/** Splits the segments of a row at column edges. */
const cutAt = (row: Row, columns: ReadonlyArray<Span>): ReadonlyArray<Segment> =>
  row.segments.flatMap((segment) => {
    const homes = columns.filter(({ x0, x1 }) => segment.x0 < x1 && segment.x1 > x0)
    if (homes.length < 2) return [segment]
    const homeOf = (piece: Piece) => homes.findIndex(({ x0, x1 }) => piece.x0 >= x0 - 1 && piece.x1 <= x1 + 1)
    // Text across the gap between columns spans them.
    if (segment.pieces.some((piece) => homeOf(piece) < 0)) return [segment]
    return homes.flatMap((_, index) => {
      const pieces = segment.pieces.filter((piece) => homeOf(piece) === index)
      return pieces.length === 0
        ? []
        : [{ pieces, x0: Math.min(...pieces.map(({ x0 }) => x0)), x1: Math.max(...pieces.map(({ x1 }) => x1)) }]
    })
  })

interface TableSearch {
  /** Number of rows that the search visited. */
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
  const columns = withRivers(inside, spans)
  const cells: Array<Array<Array<Piece>>> = []
  for (const row of inside) {
    const line: Array<Array<Piece>> = columns.map(() => [])
    const segments = columns.length === spans.length ? row.segments : cutAt(row, columns)
    for (const segment of segments) {
      const at = columns.findIndex(({ x1 }) => segment.x0 <= x1)
      line[at]?.push(...segment.pieces)
    }
    const above = cells[cells.length - 1]
    // A lone segment outside the first column continues the row above.
    if (segments.length === 1 && above !== undefined && (line[0]?.length ?? 0) === 0) {
      line.forEach((cell, column) => {
        above[column]?.push(...cell)
      })
    } else cells.push(line)
  }
  return { visited: seen, table: { rows: taken, spans: columns, cells: plainCells(cells) } }
}

const bandTolerance = 4
/** Minimum rules of a table: top, bottom, and at least one between them. */
const minRules = 3
/** Maximum distance in points between consecutive rules of a table. */
const maxHeight = 400
/** Maximum average letters of a segment. Above it the columns are prose. */
const maxLetters = 32

/** Groups horizontal lines that begin and end at the same x, from top to bottom. */
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

/**
 * Heights of the rules of a stack, and of shorter rules between them that cover 40 % of its width together. Rules are shorter where cells
 * span rows.
 */
const withPartialRules = (stack: ReadonlyArray<Rule>, rules: ReadonlyArray<Rule>): ReadonlyArray<number> => {
  const [first] = stack
  const last = stack[stack.length - 1]
  if (first === undefined || last === undefined) return []
  const ys = stack.map(({ y0 }) => y0)
  const lengths = new Map<number, number>()
  for (const { x0, x1, y0, y1 } of rules) {
    const isInside =
      y1 - y0 < tolerance &&
      y0 > first.y0 &&
      y0 < last.y0 &&
      x0 > first.x0 - bandTolerance &&
      x1 < first.x1 + bandTolerance &&
      ys.every((y) => Math.abs(y - y0) > bandTolerance)
    if (isInside) lengths.set(Math.round(y0), (lengths.get(Math.round(y0)) ?? 0) + x1 - x0)
  }
  const partial = [...lengths].flatMap(([y, length]) => (length > 0.4 * (first.x1 - first.x0) ? [y] : []))
  return [...ys, ...partial].sort((a, b) => a - b)
}

const letterCount = ({ pieces }: Segment): number => pieces.reduce((sum, { text }) => sum + text.length, 0)

/** Returns the columns that at least half of the rows have; undefined for a single column, or for columns of prose. */
const columnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Span> | undefined => {
  const several = rows.filter(({ segments }) => segments.length > 1)
  if (several.length < 2 || several.length * 2 < rows.length) return undefined
  const counts = several.map(({ segments }) => segments.length).sort((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 2)] ?? 2
  const full = several.filter(({ segments }) => segments.length >= usual)
  const segments = full.flatMap((row) => row.segments)
  if (segments.reduce((sum, segment) => sum + letterCount(segment), 0) / segments.length > maxLetters) return undefined
  const spans = full.reduce<ReadonlyArray<Span>>((all, row) => addSpans(all, row.segments), [])
  return spans.length < 2 ? undefined : withRivers(full, spans)
}

const sharedWidth = (segment: Segment, { x0, x1 }: Span): number => Math.min(segment.x1, x1) - Math.max(segment.x0, x0)

/** Puts each segment into the column that it overlaps most. */
const cellsOf = (rows: ReadonlyArray<Row>, spans: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Piece>> => {
  const cells: Array<Array<Piece>> = spans.map(() => [])
  for (const segment of rows.flatMap((row) => cutAt(row, spans))) {
    const widths = spans.map((span) => sharedWidth(segment, span))
    cells[widths.indexOf(Math.max(...widths))]?.push(...segment.pieces)
  }
  return cells
}

/** Returns the header row above the first rule. */
const headerOf = (rows: ReadonlyArray<Row>, top: number): Row | undefined => {
  const last = rows.filter(({ y }) => y < top).at(-1)
  return last !== undefined && last.segments.length > 1 && top - last.y < 2 * last.size ? last : undefined
}

/** Maximum gap between words of prose, in units of the font size. */
const maxWordGap = 0.6

/** Splits a stack wherever the text between two rules is prose: the rules then belong to different tables of the same width. */
const withoutProse = (stack: ReadonlyArray<Rule>, pieces: ReadonlyArray<Piece>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const parts: Array<Array<Rule>> = []
  let part: Array<Rule> = []
  for (const rule of stack) {
    const last = part[part.length - 1]
    if (last !== undefined) {
      const rows = rowsOf(pieces.filter(({ y }) => y > last.y0 && y < rule.y0))
      const isProseRow = ({ segments }: Row): boolean =>
        segments.some(
          ({ pieces: words, x0, x1 }) =>
            (words.every((word, index) => word.x0 - (words[index - 1]?.x1 ?? word.x0) < maxWordGap * word.size) &&
              Math.min(x1, rule.x1) - Math.max(x0, rule.x0) > 0.7 * (rule.x1 - rule.x0)) ||
            (x0 < rule.x1 - 12 && x1 > rule.x1 + 12)
        )
      const prose = rows.filter(isProseRow).length
      if (prose > 1 && prose * 2 > rows.length) {
        parts.push(part)
        part = []
      }
    }
    part.push(rule)
  }
  return [...parts, part].filter(({ length }) => length >= minRules)
}

/** Finds tables with horizontal rules only. `rest` is the text outside them. */
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
  for (const stack of stacksOf(free).flatMap((whole) => withoutProse(whole, pieces))) {
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
    const ys = withPartialRules(stack, free)
    const bands = ys.slice(1).map((bottom, index) => rows.filter(({ y }) => y > (ys[index] ?? 0) - 2 && y < bottom))
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
      columns: { spans: columns },
      cells: plainCells(cells)
    })
  }
  return { grids, rest }
}
