/** Compares the Markdown of a document with its truth. Every score is from 0 to 1; undefined where the document has none. */
import type { Rows, Truth } from "./Documents.ts"

export interface Scores {
  /** Cells and rows found, in the best matching table of the Markdown. */
  readonly tables: number | undefined
  /** F1 of the headings. */
  readonly headings: number | undefined
  /** F1 of pairs of neighbouring words: reading order. */
  readonly order: number
  /** Notes and captions that begin a block of their own. */
  readonly notes: number | undefined
  /** Running lines left out. */
  readonly running: number | undefined
}

const keyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/<br>/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, "")

const plain = (markdown: string): string =>
  markdown
    .replace(/^\|(?:\s*:?-+:?\s*\|)+$/gm, "")
    .replace(/<br>/g, " ")
    .replace(/\\(.)/g, "$1")
    .replace(/[*_`|#]/g, " ")

const wordsOf = (text: string): ReadonlyArray<string> =>
  plain(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const pairsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`)

/** Number of values that both have, counted with repetition. */
const common = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const left = new Map<string, number>()
  for (const value of one) left.set(value, (left.get(value) ?? 0) + 1)
  return other.reduce((sum, value) => {
    const times = left.get(value) ?? 0
    left.set(value, times - 1)
    return times > 0 ? sum + 1 : sum
  }, 0)
}

const f1 = (wanted: ReadonlyArray<string>, found: ReadonlyArray<string>): number =>
  wanted.length + found.length === 0 ? 1 : (2 * common(wanted, found)) / (wanted.length + found.length)

const tablesOf = (markdown: string): ReadonlyArray<Rows> => {
  const tables: Array<Array<Array<string>>> = []
  let open = false
  for (const line of markdown.split("\n")) {
    const isRow = line.startsWith("|")
    if (isRow && !open) tables.push([])
    open = isRow
    const cells = line.replace(/^\|\s?|\s?\|$/g, "").split(/(?<!\\)\|/)
    if (isRow && !cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) tables[tables.length - 1]?.push(cells)
  }
  return tables
}

const cellKeys = (rows: Rows): ReadonlyArray<string> => rows.flat().map(keyOf).filter(Boolean)
const rowKeys = (rows: Rows): ReadonlyArray<string> =>
  rows.map((row) => row.map(keyOf).filter(Boolean).join("|")).filter(Boolean)

const tableScore = (wanted: Rows, found: ReadonlyArray<Rows>): number =>
  Math.max(
    0,
    ...found.map(
      (rows) =>
        (common(cellKeys(wanted), cellKeys(rows)) / cellKeys(wanted).length +
          common(rowKeys(wanted), rowKeys(rows)) / rowKeys(wanted).length) /
        2
    )
  )

const share = <A>(values: ReadonlyArray<A>, test: (value: A) => boolean): number | undefined =>
  values.length === 0 ? undefined : values.filter(test).length / values.length

export const scoresOf = (markdown: string, truth: Truth): Scores => {
  const found = tablesOf(markdown)
  const titles = [...markdown.matchAll(/^#{1,6} (.*)$/gm)].map(([, title = ""]) => keyOf(title))
  const starts = markdown.split(/\n+/).map((block) => keyOf(block.replace(/^\s*(?:[-*]|\d+\.|\[\^\d+\]:)\s+/, "")))
  // The reference mark may stand before the note.
  const isBlock = (note: string) => starts.some((block) => block.replace(/^\d{1,2}/, "").startsWith(keyOf(note)))
  const whole = keyOf(plain(markdown))
  return {
    tables:
      truth.tables.length === 0
        ? undefined
        : truth.tables.reduce((sum, rows) => sum + tableScore(rows, found), 0) / truth.tables.length,
    // Invented headings count, also in documents without any.
    headings: truth.headings.length === 0 && titles.length === 0 ? undefined : f1(truth.headings.map(keyOf), titles),
    order: f1(pairsOf(wordsOf(truth.text)), pairsOf(wordsOf(markdown))),
    notes: share(truth.notes, isBlock),
    running: share(truth.running, (line) => !whole.includes(keyOf(line)))
  }
}
