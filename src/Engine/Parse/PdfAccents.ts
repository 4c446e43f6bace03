/** Puts accents that a PDF draws as signs of their own on the letters they belong to. */
import type { Piece } from "./PdfInterpreter.ts"

/** Signs and the marks they are above or below a letter. */
const marks: Record<string, string> = {
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

/** A sign of this kind may stand over its neighbour. */
export const isAccent = (character: string): boolean => marks[character] !== undefined

/** A letter without its dot takes the accent where the dot was. */
const withMark = (letter: string, accent: string): string =>
  ((letter === "\u0131" ? "i" : letter) + (marks[accent] ?? "")).normalize("NFC")

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** Whether the second begins clearly before the first ends: one is drawn over the other. */
const overlap = (one: Piece, other: Piece): boolean =>
  other.x0 < one.x1 - 0.1 * one.size && other.x0 > one.x0 - 0.5 * one.size && Math.abs(other.y - one.y) < 0.5 * one.size

const joined = (one: Piece, other: Piece): string | undefined => {
  const before = one.text.slice(0, -1)
  const last = one.text.slice(-1)
  const first = other.text.slice(0, 1)
  const after = other.text.slice(1)
  if (isAccent(last) && isLetter(first)) return before + withMark(first, last) + after
  return isLetter(last) && isAccent(first) ? before + withMark(last, first) + after : undefined
}

/** Pieces in the order they are drawn; one that overlaps the next with an accent becomes one with it. */
export const joinAccents = <P extends Piece>(pieces: ReadonlyArray<P>): ReadonlyArray<P> => {
  const out: Array<P> = []
  for (const piece of pieces) {
    const last = out[out.length - 1]
    const text = last !== undefined && overlap(last, piece) ? joined(last, piece) : undefined
    if (last === undefined || text === undefined) out.push(piece)
    else out[out.length - 1] = { ...last, text, x1: Math.max(last.x1, piece.x1) }
  }
  return out
}
