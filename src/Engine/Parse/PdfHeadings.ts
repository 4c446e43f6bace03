/** Tells which lines of a PDF are headings: by what the file says, by size, weight and distance. */
import { keyOf, type Outline } from "./PdfHints.ts"
import type { Line } from "./PdfLines.ts"
import { isListed } from "./PdfMarks.ts"

/** What is common to the whole file. */
export interface Looks {
  readonly bodySize: number
  /** Most of the text is bold, so that weight says nothing. */
  readonly boldBody: boolean
  /** Sizes of headings, largest first. */
  readonly headingSizes: ReadonlyArray<number>
  readonly outline: Outline
}

const rounded = (size: number): number => Math.round(size * 2) / 2

/** Sizes by how many letters are set in them. */
export const looksOf = (lines: ReadonlyArray<Line>, outline: Outline): Looks => {
  const letters = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const line of lines) {
    if (line.turned) continue
    letters.set(rounded(line.size), (letters.get(rounded(line.size)) ?? 0) + line.text.length)
    all += line.text.length
    if (line.bold) bold += line.text.length
  }
  const [bodySize] = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [10, 0])
  const headingSizes = [...letters.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a)
  return { bodySize, boldBody: bold * 2 > all, headingSizes: headingSizes.slice(0, 5), outline }
}

/** Outlines often leave the numbers of headings out. */
const withoutNumber = (text: string): string => text.replace(/^(?:[\dA-Z]{1,3}|[IVX]+)(?:\.\d{1,3})*\.?\s+/, "")

const outlined = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  { bodySize, outline }: Looks
): number | undefined => {
  // In smaller letters the same words are an entry of the contents or a running line.
  if (outline.size === 0 || line.size < bodySize * 0.95) return undefined
  const level = (text: string) => outline.get(keyOf(text)) ?? outline.get(keyOf(withoutNumber(text)))
  const near = (one: Line, other: Line) =>
    Math.abs(one.y - other.y) < 2 * line.size && Math.abs(one.size - other.size) < 0.5
  return (
    level(line.text) ??
    (next !== undefined && near(line, next) ? level(`${line.text} ${next.text}`) : undefined) ??
    (before !== undefined && near(line, before) ? level(`${before.text} ${line.text}`) : undefined)
  )
}

const endsSentence = /[.,;:\-\u2010\u3001\u3002]$/

/** Space above that running text does not have. */
const isApart = (line: Line, before: Line | undefined): boolean =>
  before === undefined || line.y - before.y > 1.3 * line.size || line.y < before.y

export const headingLevel = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  looks: Looks
): number | undefined => {
  if (line.text.length > 200 || !/\p{L}/u.test(line.text)) return undefined
  if (line.level !== undefined) return line.level
  if (line.mono || line.turned) return undefined
  const stated = outlined(line, next, before, looks)
  if (stated !== undefined) return stated
  if (isListed(line, next, before)) return undefined
  const rank = looks.headingSizes.findIndex((size) => rounded(line.size) >= size)
  if (rank >= 0) return line.text.length < 2 ? undefined : rank + 1
  const isShort = line.text.length < 90 && !endsSentence.test(line.text)
  if (!isShort || !isApart(line, before)) return undefined
  const below = Math.min(looks.headingSizes.length + 1, 6)
  if (line.bold && !looks.boldBody && (next === undefined || !next.bold) && line.size >= looks.bodySize * 0.95)
    return below
  // A little larger than the text, with more space above than below.
  const larger = line.size >= looks.bodySize * 1.05 && next !== undefined && next.size < line.size * 0.97
  const above = before === undefined || line.y < before.y ? line.size * 2 : line.y - before.y
  return larger && next.y > line.y && next.y - line.y < above && above > 1.6 * line.size ? below : undefined
}
