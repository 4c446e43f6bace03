/** Places of blocks on the pages of a PDF, in points from the top left corner of the displayed page. */
import type { Block, Box, Place } from "../Tree.ts"
import type { Matrix, TextBox } from "./Geometry.ts"

/** A page, rotated so that text of one direction is upright. */
export interface View {
  /** Number of the page, from 1. */
  readonly page: number
  readonly rotation: Matrix
}

/** A block of the document with its places, in reading order. */
export interface Placed {
  readonly block: Block
  readonly places: ReadonlyArray<Place>
}

const nowhere: Box = { x0: 0, y0: 0, x1: 0, y1: 0 }

/** Returns the smallest box around text. Letters extend above and below their baseline. */
export const boxOfPieces = (pieces: ReadonlyArray<Pick<TextBox, "size" | "x0" | "x1" | "y">>): Box => {
  if (pieces.length === 0) return nowhere
  let [x0, y0, x1, y1] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY
  ]
  for (const { size, x0: left, x1: right, y } of pieces) {
    x0 = Math.min(x0, left)
    x1 = Math.max(x1, right)
    y0 = Math.min(y0, y - 0.75 * size)
    y1 = Math.max(y1, y + 0.2 * size)
  }
  return { x0, y0, x1, y1 }
}

/** Transforms a box of a view back to the page. */
export const placeIn = (
  { page, rotation: [a, b, c, d] }: View,
  { x0, x1, y0, y1 }: Box
): Pick<Place, "page" | "box"> => {
  // The inverse of a rotation is its transpose.
  const xs = [a * x0 + b * y0, a * x1 + b * y1]
  const ys = [c * x0 + d * y0, c * x1 + d * y1]
  return { page, box: { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) } }
}
