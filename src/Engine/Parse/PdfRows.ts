/** Puts the pieces of a PDF page into rows, and the pieces of a row into segments with a wide gap between them. */
import type { Piece } from "./PdfInterpreter.ts"

/** A stretch of a row without a wide gap. */
export interface Segment {
  readonly pieces: ReadonlyArray<Piece>
  readonly x0: number
  readonly x1: number
}

export interface Row {
  readonly segments: ReadonlyArray<Segment>
  readonly x0: number
  readonly x1: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
}

/** Gap between segments, in units of the letter size. */
const wideGap = 1.05
/** Gap between words. */
export const wordGap = 0.16

const top = ({ size, y }: Piece): number => y - 0.75 * size
const bottom = ({ size, y }: Piece): number => y + 0.2 * size

/** The share of the lower of two pieces that is at the height of the other. */
const shared = (one: Piece, other: Piece): number =>
  (Math.min(bottom(one), bottom(other)) - Math.max(top(one), top(other))) / (0.95 * Math.min(one.size, other.size))

const segmentsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Segment> => {
  const sorted = [...pieces].sort((a, b) => a.x0 - b.x0)
  const segments: Array<{ pieces: Array<Piece>; x0: number; x1: number }> = []
  for (const piece of sorted) {
    const last = segments[segments.length - 1]
    const before = last?.pieces[last.pieces.length - 1]
    // Bold type is sometimes made by printing twice.
    if (before?.text === piece.text && Math.abs(before.x0 - piece.x0) < 0.2 * piece.size) continue
    if (last !== undefined && piece.x0 - last.x1 < wideGap * piece.size) {
      last.pieces.push(piece)
      last.x1 = Math.max(last.x1, piece.x1)
    } else {
      segments.push({ pieces: [piece], x0: piece.x0, x1: piece.x1 })
    }
  }
  return segments
}

const rowOf = (pieces: ReadonlyArray<Piece>): Row => {
  const segments = segmentsOf(pieces)
  const main = pieces.reduce((most, piece) => (piece.text.length > most.text.length ? piece : most))
  return {
    segments,
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size
  }
}

/** Rows from top to bottom; index figures stay with the line they belong to. */
export const rowsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Row> => {
  const rows: Array<{ main: Piece; pieces: Array<Piece> }> = []
  for (const piece of [...pieces].sort((a, b) => a.y - b.y)) {
    let home: { main: Piece; pieces: Array<Piece> } | undefined
    for (let index = rows.length - 1; index >= Math.max(0, rows.length - 4); index -= 1) {
      const row = rows[index]
      if (row !== undefined && shared(row.main, piece) > 0.55) {
        home = row
        break
      }
    }
    if (home === undefined) rows.push({ main: piece, pieces: [piece] })
    else {
      home.pieces.push(piece)
      if (piece.size > home.main.size) home.main = piece
    }
  }
  return rows.map((row) => rowOf(row.pieces)).sort((a, b) => a.y - b.y)
}
