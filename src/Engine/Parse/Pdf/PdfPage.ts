/** Text and ruled lines of a PDF page in any orientation, without line numbers. */
import type { Box } from "../Tree.ts"
import { joinAccents } from "./Accents.ts"
import type { FieldText, PageAnnotations } from "./Annotations.ts"
import { identity, type Matrix, multiply, type Piece } from "./Geometry.ts"
import { Interpreter, type Operators, type Surface } from "./Interpreter.ts"
import type { Rule } from "./Rules.ts"

export interface Page {
  readonly pieces: ReadonlyArray<Piece>
  readonly rules: ReadonlyArray<Rule>
  /** True if the text runs in another direction than most of the page's text, such as a side note. */
  readonly turned: boolean
  /** Rotation of the page that makes this text upright. */
  readonly rotation: Matrix
}

const quarterTurns = (angle: number): number | undefined => {
  const turns = angle / (Math.PI / 2)
  return Math.abs(turns - Math.round(turns)) < 0.05 ? ((Math.round(turns) % 4) + 4) % 4 : undefined
}

/** Rotations that turn text upright, by quarter turns. */
const rotations: ReadonlyArray<Matrix> = [identity, [0, -1, 1, 0, 0, 0], [-1, 0, 0, -1, 0, 0], [0, 1, -1, 0, 0, 0]]

/** A visible area after a rotation about the origin. */
const rotatedArea = ({ x0, x1, y0, y1 }: Box, [a, b, c, d]: Matrix): Box => {
  const xs = [a * x0 + c * y0, a * x1 + c * y1]
  const ys = [b * x0 + d * y0, b * x1 + d * y1]
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) }
}

const lettersIn = (pieces: ReadonlyArray<Piece>): number =>
  pieces.reduce((sum, { text }) => sum + text.replace(/[^\p{L}\p{N}]/gu, "").length, 0)

/** Minimum share of the page that the images of a scan cover. */
const scanShare = 0.5
/**
 * Minimum length of an invisible text layer, as a multiple of the visible text. Beside a stamp or page number on a scan, the layer is
 * longer; if it is a copy of the visible text, it is not.
 */
const layerFactor = 1.5

/**
 * Decides whether invisible text is read. It is the text of the page if a scan covers the page, or if there is no other text. On other
 * pages it is ignored.
 */
const showsHidden = ({ pictured, pieces }: Interpreter, { x0, x1, y0, y1 }: Box): boolean => {
  const hidden = pieces.filter((piece) => piece.hidden)
  if (hidden.length === 0) return true
  const visible = lettersIn(pieces.filter((piece) => !piece.hidden))
  const isScan = pictured >= scanShare * (x1 - x0) * (y1 - y0)
  return visible === 0 || (isScan && lettersIn(hidden) > layerFactor * visible)
}

/** Reads a page as one view per text direction, the view with the most text first. Drops slanted text, because it is a watermark. */
export const readPage = (
  operators: Operators,
  surface: Surface,
  { fields, links }: PageAnnotations
): { readonly views: ReadonlyArray<Page>; readonly withholds: boolean } => {
  const upright = new Interpreter(surface, links, fields)
  upright.run(operators)
  const withHidden = showsHidden(upright, surface.area)
  const amounts = [0, 0, 0, 0]
  for (const { angle, hidden, text } of upright.pieces) {
    if (hidden && !withHidden) continue
    const turn = quarterTurns(angle)
    if (turn !== undefined) amounts[turn] = (amounts[turn] ?? 0) + text.length
  }
  const views = rotations
    .map((rotation, turn) => ({ rotation, amount: amounts[turn] ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)
    .map(({ rotation }, index) => {
      const view =
        rotation === identity
          ? upright
          : new Interpreter(
              { ...surface, base: multiply(rotation, surface.base), area: rotatedArea(surface.area, rotation) },
              [],
              fields
            )
      if (view !== upright) view.run(operators)
      const drawn = joinAccents(
        view.pieces.filter(({ angle, hidden }) => quarterTurns(angle) === 0 && (withHidden || !hidden))
      )
      const pieces = index > 0 ? drawn : [...drawn, ...fieldPieces(fields, upright.drawn, drawn)]
      return { pieces: withoutLineNumbers(pieces), rules: view.rules, turned: index > 0, rotation }
    })
  return { views, withholds: upright.withholds }
}

/** Maximum distance of a value from its label, in units of the font size. Labels with a colon may be further away. */
const maxLabelGap = 4

/** Converts values of form fields to pieces of text next to their labels. */
const fieldPieces = (
  fields: ReadonlyArray<FieldText>,
  drawn: ReadonlySet<string>,
  pieces: ReadonlyArray<Piece>
): ReadonlyArray<Piece> =>
  fields.flatMap(({ id, lines, replaces, size, x0, x1, y0, y1 }) => {
    if (!replaces && drawn.has(id)) return []
    const isOne = lines.length === 1
    return lines.flatMap((text, at): ReadonlyArray<Piece> => {
      if (text.trim() === "") return []
      const y = isOne ? y1 - (y1 - y0 - size) / 2 - 0.22 * size : y0 + size * (1 + 1.2 * at)
      const [label] = pieces
        .filter((piece) => Math.abs(piece.y - y) < 0.5 * size && piece.x1 <= x0 + 1)
        .sort((one, other) => other.x1 - one.x1)
      const isNear = label !== undefined && (/[:?]\s*$/.test(label.text) || x0 - label.x1 < maxLabelGap * size)
      const from = isNear ? Math.min(x0, label.x1 + 0.4 * size) : x0
      const end = Math.max(from + 1, Math.min(x1, from + 0.5 * size * text.length))
      const look = { bold: false, italic: false, mono: false, href: undefined }
      return [{ text, x0: from, x1: end, y: isNear ? label.y : y, size: isNear ? label.size : size, ...look }]
    })
  })

/** Minimum numbers in a column of line numbers. Fewer are a list or a table. */
const minLines = 8
/** Maximum distance in points at which edges count as aligned. */
const edgeTolerance = 3

/** True if the numbers increase by one from top to bottom. */
const countsUp = (numbers: ReadonlyArray<Piece>): boolean => {
  const steps = numbers.slice(1).filter((piece, index) => Number(piece.text) - Number(numbers[index]?.text) === 1)
  return steps.length >= 0.9 * (numbers.length - 1)
}

/** Removes line numbers of drafts and legal pleadings: numbers that count up at the edge of the text. */
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

/** True if the column is at the edge of the text, and the text is prose. */
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

/** True for prose, which has more text per line than table cells. */
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
