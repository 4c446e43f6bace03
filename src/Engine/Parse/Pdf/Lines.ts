/** Groups pieces of text into rows and segments, and reads a row as text: words, styles, right-to-left order. */
import { raisedText } from "../../../Html/Math.ts"
import type { Inline, Style } from "../Tree.ts"
import type { Piece, TextBox } from "./Geometry.ts"
import { trackingsOf } from "./LetterSpacing.ts"

/** Part of a row between gaps of at least `wideGap`. */
export interface Segment {
  readonly pieces: ReadonlyArray<Piece>
  readonly x0: number
  readonly x1: number
}

export interface Row {
  readonly segments: ReadonlyArray<Segment>
  readonly x0: number
  readonly x1: number
  /** Baseline. */
  readonly y: number
  readonly size: number
}

/** Minimum gap between segments, in units of the font size. */
const wideGap = 1.05
/** Minimum gap between words, in units of the font size. */
export const wordGap = 0.16

/** Baseline of the line that a piece is raised above or lowered below. */
const baseOf = ({ rise = 0, y }: Piece): number => y + rise

const top = (piece: Piece): number => baseOf(piece) - 0.75 * piece.size
const bottom = (piece: Piece): number => baseOf(piece) + 0.2 * piece.size

/** Vertical overlap of two pieces, as a share of the height of the smaller one. */
const verticalOverlap = (one: Piece, other: Piece): number =>
  (Math.min(bottom(one), bottom(other)) - Math.max(top(one), top(other))) / (0.95 * Math.min(one.size, other.size))

const segmentsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Segment> => {
  const sorted = [...pieces].sort((a, b) => a.x0 - b.x0)
  const segments: Array<{ pieces: Array<Piece>; x0: number; x1: number }> = []
  for (const piece of sorted) {
    const last = segments[segments.length - 1]
    const before = last?.pieces[last.pieces.length - 1]
    // Some programs print text twice to make it bold.
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

/**
 * Returns the longest piece in the size of most of the text. The longest piece alone could be the number of a note, if the program that
 * wrote the file places each letter by itself.
 */
const mainOf = (pieces: ReadonlyArray<Piece>): Piece => {
  const [first] = pieces
  const longest = pieces.reduce((most, piece) => (piece.text.length > most.text.length ? piece : most))
  if (pieces.every(({ size }) => Math.abs(size - (first?.size ?? 0)) < 0.1)) return longest
  const letters = new Map<number, number>()
  for (const { size, text } of pieces) letters.set(size, (letters.get(size) ?? 0) + text.length)
  const [size] = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most))
  return pieces
    .filter((piece) => piece.size === size)
    .reduce((most, piece) => (piece.text.length > most.text.length ? piece : most))
}

const rowOf = (pieces: ReadonlyArray<Piece>): Row => {
  const segments = segmentsOf(pieces)
  const main = mainOf(pieces)
  return {
    segments,
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size
  }
}

/** Pieces of a row that is still being built. */
interface OpenRow {
  /** The largest piece. */
  main: Piece
  x0: number
  x1: number
  pieces: Array<Piece>
}

/**
 * True if one text is more than twice as large as the other, and further away than its own size: small text beside a title has its own
 * rows.
 */
const isBeside = ({ main, x0, x1 }: OpenRow, piece: Piece): boolean => {
  const [small, large] = main.size < piece.size ? [main.size, piece.size] : [piece.size, main.size]
  return large > 2 * small && Math.max(piece.x0 - x1, x0 - piece.x1) > large
}

/** Rows from top to bottom. Superscripts and subscripts belong to the row of their text. */
export const rowsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Row> => {
  const rows: Array<OpenRow> = []
  for (const piece of [...pieces].sort((a, b) => baseOf(a) - baseOf(b))) {
    let home: OpenRow | undefined
    for (let index = rows.length - 1; index >= Math.max(0, rows.length - 4); index -= 1) {
      const row = rows[index]
      if (row !== undefined && verticalOverlap(row.main, piece) > 0.55 && !isBeside(row, piece)) {
        home = row
        break
      }
    }
    if (home === undefined) rows.push({ main: piece, x0: piece.x0, x1: piece.x1, pieces: [piece] })
    else {
      home.pieces.push(piece)
      home.x0 = Math.min(home.x0, piece.x0)
      home.x1 = Math.max(home.x1, piece.x1)
      if (piece.size > home.main.size) home.main = piece
    }
  }
  return rows.map((row) => rowOf(row.pieces)).sort((a, b) => a.y - b.y)
}

const rtl = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc"
const rtlLetters = new RegExp(`[${rtl}]`)
const rtlRun = /[\u0590-\u08ff][\u0590-\u08ff\s.,:;!?()\u060c\u061b\u061f-]*/g
/** Punctuation that is not reversed at the end of a right-to-left run, because it belongs to the line around the run. */
const punctuation = " \u00a0\t\n.,:;!?()-"
/** Letters of scripts that are written from left to right, and digits that are not those of a right-to-left script. */
const [ltrLetter, ltrDigit] = [`[^\\P{L}${rtl}]`, `[^\\P{N}${rtl}]`]
const numeric = "\\p{N}\\s.,:/%@_+-"
/**
 * Text that stays in drawing order (UAX #9). After a left-to-right letter all signs up to the last letter or digit belong to it, between
 * numbers only some.
 */
const ltrRun = new RegExp(
  `(?:\\p{N}[${numeric}]*)?${ltrLetter}(?:[^${rtl}]*(?:${ltrLetter}|${ltrDigit}%?))?\\p{M}*|\\p{N}(?:[${numeric}]*\\p{N})?%?`,
  "gu"
)
const eachLtrLetter = new RegExp(ltrLetter, "gu")

const mirrors: Readonly<Record<string, string>> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" }
const mirrored = (text: string): string => text.replace(/[()[\]{}]/g, (mark) => mirrors[mark] ?? mark)

const clusters = (text: string): ReadonlyArray<string> => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
const reverse = (text: string): string => [...clusters(text)].reverse().join("")

/** Position after the brackets behind a run that close brackets in it. */
const closedEnd = (drawn: string, from: number, to: number): number => {
  const open: Array<string | undefined> = []
  for (const [mark] of drawn.slice(from, to).matchAll(/[()[\]{}]/g)) {
    if ("([{".includes(mark)) open.push(mirrors[mark])
    else if (mark === open.at(-1)) open.pop()
  }
  let end = to
  while (end < drawn.length && open.length > 0 && drawn.charAt(end) === open.pop()) end += 1
  return end
}

/** Reorders the runs of a right-to-left line. */
const reordered = (drawn: string): string => {
  const parts: Array<string> = []
  let end = 0
  for (const { 0: run, index } of drawn.matchAll(ltrRun)) {
    parts.push(mirrored(reverse(drawn.slice(end, index))))
    end = closedEnd(drawn, index, index + run.length)
    parts.push(drawn.slice(index, end))
  }
  parts.push(mirrored(reverse(drawn.slice(end))))
  return parts.reverse().join("")
}

/** Reorders text from drawing order, left to right, to reading order. */
export const toLogical = (drawn: string): string => {
  if (!rtlLetters.test(drawn)) return drawn
  const right = drawn.match(/[\u0590-\u08ff]/g)?.length ?? 0
  const left = drawn.match(eachLtrLetter)?.length ?? 0
  if (right < left) {
    return drawn.replace(rtlRun, (run) => {
      let end = run.length
      while (end > 0 && punctuation.includes(run.charAt(end - 1))) end -= 1
      return reverse(run.slice(0, end)) + run.slice(end)
    })
  }
  // Word processors draw the space after a Latin word before the word, so it is added again after it.
  return reordered(drawn).replace(/(\p{Script=Latin})(?=[\u05d0-\u05ea\u0620-\u064a])/gu, "$1 ")
}

const styleOf = ({ bold, italic, mono }: Piece): Style => ({
  ...(bold && !mono && { bold }),
  ...(italic && !mono && { italic })
})

const sameLook = (one: Piece, other: Piece): boolean =>
  one.bold === other.bold && one.italic === other.italic && one.mono === other.mono && one.href === other.href

/** True if the piece is above the line of the other one: smaller and higher, or raised by the file itself. */
const isRaised = ({ rise = 0, size, y }: Piece, other: Piece): boolean =>
  size < 0.82 * other.size ? y < other.y - 0.15 * other.size : rise - (other.rise ?? 0) > 0.15 * other.size

/** True for a raised number or sign after a word: a note reference, not part of the word. */
const isNoteReference = (piece: Piece, word: Piece): boolean =>
  isRaised(piece, word) && /^[\d*\u2020\u2021,]{1,4}\)?$/.test(piece.text.trim()) && /\p{L}/u.test(word.text)

const isNoteBeside = (one: Piece, other: Piece): boolean =>
  (isNoteReference(other, one) && /[\p{L}\p{P}]{2}$/u.test(one.text)) ||
  (isNoteReference(one, other) && /^\p{L}{2}/u.test(other.text))

/** Units that may have a raised number. A raised number after any other word refers to a note. */
const unit = /(?:^|[\d\s/·])(?:[kcdmnµ]?m|ft|s)$/u

/** Returns the power for a raised number that follows a number, a unit or a sign. */
const powerOf = (piece: Piece, before: Piece): string | undefined => {
  const { text } = piece
  if (!isRaised(piece, before)) return undefined
  const isPower = !isNoteBeside(before, piece) || (unit.test(before.text.trimEnd()) && /^[-−]?[1-9]$/.test(text.trim()))
  return isPower ? raisedText(text) : undefined
}

/** Replaces soft hyphens by hyphens: a PDF draws them. One at the end of the row stays, because it divides a word. */
const showHyphens = (runs: ReadonlyArray<{ text: string }>): void => {
  const last = runs.findLast(({ text }) => text.trim() !== "")
  for (const run of runs) run.text = run.text.replace(run === last ? /\u00ad(?=\s*\S)/g : /\u00ad/g, "-")
}

/** Converts the pieces of a row, ordered from left to right, to text. */
export const inlinesOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Inline> => {
  const runs: Array<{ text: string; piece: Piece; latest: Piece; end: number }> = []
  const trackings = trackingsOf(pieces)
  for (const [at, piece] of pieces.entries()) {
    const last = runs[runs.length - 1]
    const power = last === undefined ? undefined : powerOf(piece, last.latest)
    if (last !== undefined && power !== undefined) {
      last.text = last.text.trimEnd() + power
      last.end = piece.x1
      continue
    }
    const spaced =
      last !== undefined &&
      (piece.x0 - last.end > (wordGap + (trackings[at] ?? 0)) * Math.min(piece.size, last.piece.size) ||
        isNoteBeside(last.latest, piece)) &&
      !last.text.endsWith(" ") &&
      !piece.text.startsWith(" ")
    const words = spaced ? ` ${piece.text}` : piece.text
    if (last !== undefined && sameLook(last.piece, piece)) {
      last.text += words
      last.end = piece.x1
      last.latest = piece
    } else runs.push({ text: words, piece, latest: piece, end: piece.x1 })
  }
  if (runs.some(({ text }) => text.includes("\u00ad"))) showHyphens(runs)
  const whole = runs.map(({ text }) => text).join("")
  if (rtlLetters.test(whole)) return [{ kind: "text", text: toLogical(whole), style: {} }]
  return runs.map(({ piece, text }): Inline => {
    const inline: Inline = { kind: "text", text, style: styleOf(piece) }
    return piece.href === undefined ? inline : { kind: "link", href: piece.href, content: [{ ...inline, style: {} }] }
  })
}

/** Line of text; bold or mono if all of its text is. */
export interface Line extends TextBox {
  readonly content: ReadonlyArray<Inline>
  readonly italic: boolean
  /** True if the direction differs from most of the page. */
  readonly turned: boolean
}

export const lineOf = (row: Row, turned = false): Line => {
  const pieces = row.segments.flatMap((segment) => segment.pieces)
  const content = inlinesOf(pieces)
  const text = content
    .map((inline) => (inline.kind === "text" ? inline.text : inline.kind === "link" ? joined(inline.content) : ""))
    .join("")
  const wordy = pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece.text))
  return {
    content,
    text: text.trim(),
    x0: row.x0,
    x1: row.x1,
    y: row.y,
    size: row.size,
    bold: wordy.length > 0 && wordy.every(({ bold }) => bold),
    italic: wordy.length > 0 && wordy.every(({ italic }) => italic),
    mono: pieces.every(({ mono }) => mono),
    level: wordy.every(({ level }) => level === wordy[0]?.level) ? wordy[0]?.level : undefined,
    turned
  }
}

const joined = (content: ReadonlyArray<Inline>): string =>
  content.map((inline) => (inline.kind === "text" ? inline.text : "")).join("")
