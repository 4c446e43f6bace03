/** Chooses marks for emphasis that Markdown readers recognise: by CommonMark this depends on the characters around the marks. */
import { fenceFor } from "./MarkdownEscape.ts"

/** Of pages, emphasis begins as `_`; of files, as `*`. */
export type MarkKind = "**" | "_" | "*" | "~~"

/** Position at which emphasis opens or closes. */
export interface Mark {
  readonly kind: MarkKind
  readonly opens: boolean
  pair: Mark | undefined
  /** Text to write; empty if no mark can express the emphasis here. */
  text?: string
}

/** Markdown that must not be split, such as code or the brackets of a link. */
export interface Raw {
  readonly markdown: string
  /** The code, if the piece is inline code. */
  readonly code?: string
}

/** A part of a line; a string is escaped text. */
export type Piece = string | Raw | Mark

const isMark = (piece: Piece | undefined): piece is Mark => typeof piece === "object" && "kind" in piece

const isCode = (piece: Piece): boolean => typeof piece === "object" && "code" in piece
const opensAt = (piece: Piece | undefined): boolean => isMark(piece) && piece.opens
const closesAt = (piece: Piece | undefined): boolean => isMark(piece) && !piece.opens

const written = (piece: Piece): string =>
  typeof piece === "string" ? piece : isMark(piece) ? (piece.text ?? piece.kind) : piece.markdown

/** Joins emphasis that ends where emphasis of the same kind begins: readers do not recognise `**a****b**`. */
const merge = (line: ReadonlyArray<Piece>): Array<Piece> => {
  const merged: Array<Piece> = []
  for (const piece of line) {
    const last = merged.at(-1)
    if (isMark(piece) && isMark(last) && piece.opens && !last.opens && piece.kind === last.kind) {
      merged.pop()
      const [open, close] = [last.pair, piece.pair]
      if (open !== undefined && close !== undefined) {
        open.pair = close
        close.pair = open
      }
    } else merged.push(piece)
  }
  return merged
}

const word = /[\p{L}\p{N}\p{M}]/u
const space = /^\s?$/u
/**
 * Characters that some Markdown readers treat as punctuation, and those that all of them do: other symbols count only since CommonMark
 * 0.31.
 */
const mayBePunctuation = /[\p{P}\p{S}]/u
const isPunctuation = /[\p{P}$+<=>^`|~]/u

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 32)
const lastOf = (text: string): string => [...text.slice(-2)].at(-1) ?? " "

/** The nearest character before (`step` -1) or after the position; ignores marks that `skips` accepts. */
const beside = (line: ReadonlyArray<Piece>, at: number, step: 1 | -1, skips: (mark: Mark) => boolean): string => {
  for (let next = at + step; next >= 0 && next < line.length; next += step) {
    const piece = line[next] as Piece
    if (isMark(piece) && (piece.text === "" || skips(piece))) continue
    const text = written(piece)
    if (text !== "") return step === 1 ? firstOf(text) : lastOf(text)
  }
  return ""
}

/** Chooses `_`, or `*` next to a letter on the outside, where an underscore would be part of the word. */
const chooseMarks = (line: ReadonlyArray<Piece>): void => {
  for (const [at, piece] of line.entries()) {
    if (!isMark(piece)) continue
    piece.text ??= piece.kind
    if (piece.kind !== "_" || !word.test(beside(line, at, piece.opens ? -1 : 1, (mark) => mark.opens === piece.opens)))
      continue
    piece.text = "*"
    if (piece.pair !== undefined) piece.pair.text = "*"
  }
}

/** Punctuation and white space at the ends of text, including escapes, which are entities in files. */
const leading = /^(?:&(?:lt|amp);|\\?[\p{P}\p{S}]|\s)+/u
const trailing = /(?:&(?:lt|amp);|\\[\p{P}\p{S}]|[\p{P}\p{S}]|\s)+$/u
/** Maximum characters searched at the end. */
const longestEnd = 64

/** Position of the nearest piece before (`step` -1) or after the run of the mark: `***` is one run of two marks. */
const besideRun = (line: ReadonlyArray<Piece>, at: number, step: 1 | -1): number => {
  const mark = line[at] as Mark
  const isOfRun = (piece: Piece | undefined): boolean =>
    isMark(piece) &&
    (piece.text === "" || (piece.opens === mark.opens && piece.text?.charAt(0) === mark.text?.charAt(0)))
  let next = at + step
  while (isOfRun(line[next])) next += step
  return next
}

/** Makes a mark readable by moving the punctuation inside it to the outside where needed; removes the mark if that does not help. */
const settle = (line: Array<Piece>, at: number): void => {
  const mark = line[at] as Mark
  if (mark.text === "") return
  const [inward, outward] = mark.opens ? ([1, -1] as const) : ([-1, 1] as const)
  const isRun = ({ text }: Mark) => text?.charAt(0) === mark.text?.charAt(0)
  const outside = beside(line, at, outward, isRun)
  if (space.test(outside) || isPunctuation.test(outside)) return
  const inside = beside(line, at, inward, isRun)
  if (!mayBePunctuation.test(inside)) return
  const [inner, outer] = [besideRun(line, at, inward), besideRun(line, at, outward)]
  const [text, beyond] = [line[inner], line[outer]]
  if (typeof text === "string" && beyond !== undefined && !isMark(beyond) && !isCode(beyond)) {
    const end = mark.opens ? text : text.slice(-longestEnd)
    const moved = (mark.opens ? leading : trailing).exec(end)?.[0] ?? ""
    if (moved.length < end.length) {
      line[inner] = mark.opens ? text.slice(moved.length) : text.slice(0, text.length - moved.length)
      const joined = mark.opens ? written(beyond) + moved : moved + written(beyond)
      line[outer] = typeof beyond === "string" ? joined : { markdown: joined }
      return
    }
  }
  mark.text = ""
  if (mark.pair !== undefined) mark.pair.text = ""
}

/** Inline code. */
export const codeSpan = (code: string): Raw => {
  const fence = fenceFor(code, 1)
  const padded = /^`|`$|^ .*[^ ].* $/.test(code) ? ` ${code} ` : code
  return { markdown: fence + padded + fence, code }
}

/** Joins the pieces. Adjacent code becomes one span: two adjacent fences would be read as one longer fence. */
const join = (line: ReadonlyArray<Piece>): string => {
  let text = ""
  let code = ""
  for (const piece of line) {
    if (typeof piece === "object" && "code" in piece) {
      code += piece.code
      continue
    }
    if (code !== "") {
      if (isMark(piece) && piece.text === "") continue
      text += codeSpan(code).markdown
      code = ""
    }
    text += written(piece)
  }
  return code === "" ? text : text + codeSpan(code).markdown
}

/** The Markdown of a line. */
export const lineOf = (pieces: ReadonlyArray<Piece>): string => {
  const [first] = pieces
  if (pieces.length === 1 && typeof first === "string") return first
  if (!pieces.some(isMark)) return join(pieces)
  const line = merge(pieces)
  chooseMarks(line)
  for (let at = 0; at < line.length; at++) if (opensAt(line[at])) settle(line, at)
  for (let at = line.length - 1; at >= 0; at--) if (closesAt(line[at])) settle(line, at)
  return join(line)
}
