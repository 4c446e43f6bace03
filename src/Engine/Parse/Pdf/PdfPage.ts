/** Text and ruled lines of a PDF page in any orientation, without line numbers. */
import type { Font } from "./Fonts.ts"
import {
  Interpreter,
  identity,
  joinAccents,
  type LinkArea,
  type Matrix,
  multiply,
  type Operators,
  type Piece,
  type Rule
} from "./Interpreter.ts"
import type { Levels } from "./Structure.ts"

export interface Page {
  readonly pieces: ReadonlyArray<Piece>
  readonly rules: ReadonlyArray<Rule>
  /** Text in another direction than most of the page, such as a side note. */
  readonly turned: boolean
  /** Turns the page so that this text is upright. */
  readonly rotation: Matrix
}

const quarterTurns = (angle: number): number | undefined => {
  const turns = angle / (Math.PI / 2)
  return Math.abs(turns - Math.round(turns)) < 0.05 ? ((Math.round(turns) % 4) + 4) % 4 : undefined
}

/** Rotations that turn text upright, by quarter turns. */
const rotations: ReadonlyArray<Matrix> = [identity, [0, -1, 1, 0, 0, 0], [-1, 0, 0, -1, 0, 0], [0, 1, -1, 0, 0, 0]]

/**
 * One view of the page for each text direction, the one with the most text first. Slanted text is dropped as a
 * watermark.
 */
export const readPage = (
  operators: Operators,
  base: Matrix,
  fonts: (id: string) => Font,
  links: ReadonlyArray<LinkArea>,
  levels: Levels
): ReadonlyArray<Page> => {
  const upright = new Interpreter(base, fonts, links, levels)
  upright.run(operators)
  const amounts = [0, 0, 0, 0]
  for (const { angle, text } of upright.pieces) {
    const turn = quarterTurns(angle)
    if (turn !== undefined) amounts[turn] = (amounts[turn] ?? 0) + text.length
  }
  return rotations
    .map((rotation, turn) => ({ rotation, amount: amounts[turn] ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)
    .map(({ rotation }, index) => {
      const view = rotation === identity ? upright : new Interpreter(multiply(rotation, base), fonts, [], levels)
      if (view !== upright) view.run(operators)
      const pieces = joinAccents(view.pieces.filter(({ angle }) => quarterTurns(angle) === 0))
      return { pieces: withoutLineNumbers(pieces), rules: view.rules, turned: index > 0, rotation }
    })
}

/** Fewer numbers in a column are a list or a table. */
const minLines = 8
/** Distance at which edges count as aligned. */
const edgeTolerance = 3

/** The numbers increase by one from top to bottom. */
const countsUp = (numbers: ReadonlyArray<Piece>): boolean => {
  const steps = numbers.slice(1).filter((piece, index) => Number(piece.text) - Number(numbers[index]?.text) === 1)
  return steps.length >= 0.9 * (numbers.length - 1)
}

/** Removes line numbers of drafts and pleadings: numbers that count up at the edge of the text. */
export const withoutLineNumbers = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const numbers = pieces.filter(({ text }) => /^\d{1,3}$/.test(text.trim()))
  if (numbers.length < minLines) return pieces
  const columns = (["x0", "x1"] as const)
    .flatMap((side) =>
      edgesOf(numbers, side).map(([edge]) => numbers.filter((piece) => Math.abs(piece[side] - edge) < edgeTolerance))
    )
    .filter((column) => column.length >= minLines)
    .sort((one, other) => other.length - one.length)
  for (const column of columns) {
    const inColumn = new Set(column)
    const others = pieces.filter((piece) => !inColumn.has(piece))
    if (countsUp([...column].sort((a, b) => a.y - b.y)) && isMargin(column, others)) return others
  }
  return pieces
}

/** The column is at the edge of the text, which is prose. */
const isMargin = (column: ReadonlyArray<Piece>, others: ReadonlyArray<Piece>): boolean => {
  const left = Math.min(...column.map(({ x0 }) => x0))
  const right = Math.max(...column.map(({ x1 }) => x1))
  const top = Math.min(...column.map(({ y }) => y)) - 2
  const bottom = Math.max(...column.map(({ y }) => y)) + 2
  const beside = others.filter(({ y }) => y > top && y < bottom)
  const lines = new Set(beside.map(({ y }) => Math.round(y / 3)))
  const isEdge = beside.every(({ x0 }) => x0 > right) || beside.every(({ x1 }) => x1 < left)
  return beside.length > 0 && isEdge && isProse(beside, lines.size)
}

/** Distinguishes prose from table cells by the text per line. */
const isProse = (pieces: ReadonlyArray<Piece>, lines: number): boolean =>
  pieces.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, lines) > 30

const edgesOf = (pieces: ReadonlyArray<Piece>, side: "x0" | "x1"): ReadonlyArray<readonly [number, number]> => {
  const seen = new Map<number, number>()
  for (const piece of pieces) seen.set(Math.round(piece[side]), (seen.get(Math.round(piece[side])) ?? 0) + 1)
  return [...seen]
    .filter(([, count]) => count >= minLines / 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
}
