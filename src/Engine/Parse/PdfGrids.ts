/** Detects tables with ruled lines on a PDF page. */
import type { Piece } from "./PdfInterpreter.ts"
import { rowsOf } from "./PdfRows.ts"
import type { Rule } from "./PdfRules.ts"

/** Ruled table, with the text pieces of each cell. */
export interface Grid {
  readonly y: number
  readonly bottom: number
  /** Left and right edges of the columns. */
  readonly xs: ReadonlyArray<number>
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

/** A table that is open at its sides reaches as far as the lines that cross it. */
const opened = (lines: ReadonlyArray<number>, from: number, to: number, least: number): ReadonlyArray<number> => [
  ...(from < (lines[0] ?? 0) - least ? [from] : []),
  ...lines,
  ...(to > (lines[lines.length - 1] ?? 0) + least ? [to] : [])
]

const edgesOf = (drawing: ReadonlyArray<Rule>) => {
  const upright = drawing.filter(({ x0, x1 }) => x1 - x0 < near)
  const level = drawing.filter(({ y0, y1 }) => y1 - y0 < near)
  const xs = cluster(upright.map(({ x0 }) => x0))
  const ys = cluster(level.map(({ y0 }) => y0))
  if (xs.length === 0 || ys.length === 0) return { xs, ys }
  return {
    xs: opened(xs, Math.min(...level.map(({ x0 }) => x0)), Math.max(...level.map(({ x1 }) => x1)), 12),
    ys: opened(ys, Math.min(...upright.map(({ y0 }) => y0)), Math.max(...upright.map(({ y1 }) => y1)), 6)
  }
}

type Cells = ReadonlyArray<ReadonlyArray<Piece>>

/** Cells with this many lines that all stand beside each other are as many rows without a line between them. */
const minLines = 3

/** Rows that only space tells apart: each line of the first cell has one beside it in every other cell. */
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

/** Tables whose rows and columns are drawn; what they hold is not among the rest. */
export const ruledTables = (
  pieces: ReadonlyArray<Piece>,
  rules: ReadonlyArray<Rule>
): { readonly grids: ReadonlyArray<Grid>; readonly rest: ReadonlyArray<Piece> } => {
  const grids: Array<Grid> = []
  let rest = pieces
  for (const drawing of drawings(rules)) {
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
    // Boxes around figures and forms have lines too, but hardly any cell with text in it.
    if (filledRows.length < 2 || filled * 3 < filledRows.length * (xs.length - 1)) continue
    grids.push({ y: ys[0] ?? 0, bottom: ys[ys.length - 1] ?? 0, xs, cells: filledRows })
    rest = outside
  }
  return { grids, rest }
}
