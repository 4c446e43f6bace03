/** Order of rows by their sort keys: numbers, then text (by code unit), then true and false; null comes last in both directions. */
import * as Schema from "effect/Schema"

/** Sort key of a row; null if there is no value. */
export type Mark = number | string | boolean | null

/** Sort keys of a row: later keys decide if earlier ones are equal. */
export type Marks = ReadonlyArray<Mark>

export type Direction = "asc" | "desc"

export const isMark = (value: unknown): value is Mark =>
  value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean"

export const SavedMarks = Schema.Array(Schema.declare(isMark, { title: "a mark" }))

const ranks: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 }

/** Compares two keys that are not null. */
export const compareMarks = (a: Exclude<Mark, null>, b: Exclude<Mark, null>): number => {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0
  return (ranks[typeof a] ?? 0) - (ranks[typeof b] ?? 0)
}

/** Compares rows by their keys; 0 for rows that keep their order. */
export const comparison =
  (directions: ReadonlyArray<Direction>) =>
  (a: Marks, b: Marks): number => {
    for (let index = 0; index < directions.length; index++) {
      const one = a[index] ?? null
      const other = b[index] ?? null
      if (one === other) continue
      // Null comes last in both directions.
      if (one === null) return 1
      if (other === null) return -1
      const compared = compareMarks(one, other)
      if (compared !== 0) return directions[index] === "desc" ? -compared : compared
    }
    return 0
  }

/** Number of code units that all texts have in common at the start. */
const commonPrefix = (texts: ReadonlyArray<string>): number => {
  const [first = ""] = texts
  let length = first.length
  for (const text of texts) {
    let at = 0
    while (at < length && text.charCodeAt(at) === first.charCodeAt(at)) at++
    length = at
  }
  return length
}

/** Three code units as a number with the same order as the texts. */
const unitsAt = (text: string, at: number): number => {
  const unit = (index: number) => (index < text.length ? text.charCodeAt(index) + 1 : 0)
  return (unit(at) * 65_537 + unit(at + 1)) * 65_537 + unit(at + 2)
}

/**
 * A number for each row that decides most comparisons without looking at the keys; if the numbers are equal, the keys decide. Only used if
 * the first keys are all numbers or all texts.
 */
const leads = (rows: ReadonlyArray<Marks>, direction: Direction): Float64Array => {
  const lead = new Float64Array(rows.length)
  const sign = direction === "desc" ? -1 : 1
  if (rows.every(([first]) => typeof first === "number")) {
    for (const [index, [first]] of rows.entries()) lead[index] = sign * Number(first)
  } else if (rows.every(([first]) => typeof first === "string")) {
    const texts = rows.map(([first]) => String(first))
    const skipped = commonPrefix(texts)
    for (const [index, text] of texts.entries()) lead[index] = sign * unitsAt(text, skipped)
  }
  return lead
}

/** Indices of the rows in sorted order; equal rows keep their order. */
export const sortedIndices = (rows: ReadonlyArray<Marks>, directions: ReadonlyArray<Direction>): Uint32Array => {
  const compare = comparison(directions)
  const lead = leads(rows, directions[0] ?? "asc")
  const none: Marks = []
  return Uint32Array.from(rows.keys()).sort((a, b) => {
    const one = lead[a] ?? 0
    const other = lead[b] ?? 0
    if (one !== other) return one < other ? -1 : 1
    return compare(rows[a] ?? none, rows[b] ?? none) || a - b
  })
}
