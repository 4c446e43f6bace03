/** Joins accents that are drawn separately with their letters. */
import type { Piece } from "./Geometry.ts"

/** Combining marks by their spacing forms. */
const combiningMarks: Record<string, string> = {
  "\u0060": "\u0300",
  "\u00b4": "\u0301",
  "\u02c6": "\u0302",
  "\u005e": "\u0302",
  "\u02dc": "\u0303",
  "\u007e": "\u0303",
  "\u00af": "\u0304",
  "\u02d8": "\u0306",
  "\u02d9": "\u0307",
  "\u00a8": "\u0308",
  "\u02da": "\u030a",
  "\u02dd": "\u030b",
  "\u02c7": "\u030c",
  "\u00b8": "\u0327",
  "\u02db": "\u0328"
}

/** True if the character may be an accent of its neighbour. */
export const isAccent = (character: string): boolean => combiningMarks[character] !== undefined

/** Composes letter and accent; a dotless i becomes i. */
const withMark = (letter: string, accent: string): string =>
  ((letter === "\u0131" ? "i" : letter) + (combiningMarks[accent] ?? "")).normalize("NFC")

const takesAccent = (character: string): boolean => /\p{L}/u.test(character)

/** True if the second piece starts before the first one ends. */
const overlaps = (one: Piece, other: Piece): boolean =>
  other.x0 < one.x1 - 0.1 * one.size && other.x0 > one.x0 - 0.5 * one.size && Math.abs(other.y - one.y) < 0.5 * one.size

const withAccent = (one: Piece, other: Piece): string | undefined => {
  const before = one.text.slice(0, -1)
  const last = one.text.slice(-1)
  const first = other.text.slice(0, 1)
  const after = other.text.slice(1)
  if (isAccent(last) && takesAccent(first)) return before + withMark(first, last) + after
  return takesAccent(last) && isAccent(first) ? before + withMark(last, first) + after : undefined
}

/** Joins accents with the letters they are drawn over. Pieces are in drawing order. */
export const joinAccents = <P extends Piece>(pieces: ReadonlyArray<P>): ReadonlyArray<P> => {
  const out: Array<P> = []
  for (const piece of pieces) {
    const last = out[out.length - 1]
    const text = last !== undefined && overlaps(last, piece) ? withAccent(last, piece) : undefined
    if (last === undefined || text === undefined) out.push(piece)
    else out[out.length - 1] = { ...last, text, x1: Math.max(last.x1, piece.x1) }
  }
  return out
}
