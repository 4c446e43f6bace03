/** Pieces of text on a page with their positions, and matrices that transform them. */
import type { Box } from "../Tree.ts"

/** Position and look of text on a page. y grows downwards. */
export interface TextBox {
  readonly text: string
  readonly x0: number
  readonly x1: number
  /** Baseline. */
  readonly y: number
  readonly size: number
  readonly bold: boolean
  readonly mono: boolean
  /** Heading level that a tag of the file declares. */
  readonly level?: number | undefined
  /** Distance by which the text is drawn above the baseline of its line; negative below it. */
  readonly rise?: number | undefined
}

/** Run of glyphs without a gap wider than a space. */
export interface Piece extends TextBox {
  readonly italic: boolean
  /** True if the text is neither filled nor stroked, such as the text layer of a scan. */
  readonly hidden?: boolean | undefined
  readonly href: string | undefined
}

/** Area of a link. y grows downwards. */
export interface LinkArea extends Box {
  readonly href: string
}

export type Matrix = readonly [number, number, number, number, number, number]

export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5]
]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Converts operands to a matrix: either six numbers, or one array of them. */
export const asMatrix = (args: unknown): Matrix => {
  const values = Array.from((args ?? []) as ArrayLike<unknown>)
  const flat = (values.length === 1 ? Array.from((values[0] ?? []) as ArrayLike<unknown>) : values).map(Number)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = flat
  return [a, b, c, d, e, f]
}
