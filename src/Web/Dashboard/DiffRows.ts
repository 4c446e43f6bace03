/** Rows of a difference: numbered pairs of lines, with long unchanged parts folded. */
import type { DiffPart } from "./RunProtocol.ts"

export interface Side {
  readonly number: number
  readonly text: string
}
export interface Pair {
  readonly kind: "same" | "added" | "removed" | "changed"
  readonly from?: Side
  readonly to?: Side
}
export interface Fold {
  readonly kind: "fold"
  /** Number of the first line of the fold, which identifies it. */
  readonly at: number
  readonly pairs: ReadonlyArray<Pair>
}

/** Unchanged lines shown around a change. */
const context = 3

const side = (number: number, text: string | undefined): Side | undefined =>
  text === undefined ? undefined : { number, text }

const pairOf = (from: Side | undefined, to: Side | undefined): Pair => ({
  kind: from === undefined ? "added" : to === undefined ? "removed" : "changed",
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to })
})

export const diffRows = (parts: ReadonlyArray<DiffPart>): ReadonlyArray<Pair | Fold> => {
  const rows: Array<Pair | Fold> = []
  let [left, right] = [1, 1]
  let [removed, added]: [ReadonlyArray<string>, ReadonlyArray<string>] = [[], []]
  /** Pairs removed lines with the added lines that follow. */
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      rows.push(pairOf(side(left + index, removed[index]), side(right + index, added[index])))
    }
    left += removed.length
    right += added.length
    removed = []
    added = []
  }
  for (const [index, { kind, lines }] of parts.entries()) {
    if (kind === "removed") removed = [...removed, ...lines]
    else if (kind === "added") added = [...added, ...lines]
    else {
      flush()
      const pairs = lines.map(
        (text, offset): Pair => ({
          kind: "same",
          from: { number: left + offset, text },
          to: { number: right + offset, text }
        })
      )
      const before = index === 0 ? 0 : context
      const after = index === parts.length - 1 ? 0 : context
      const hidden = pairs.slice(before, Math.max(before, pairs.length - after))
      if (hidden.length > 2) {
        rows.push(
          ...pairs.slice(0, before),
          { kind: "fold", at: left + before, pairs: hidden },
          ...pairs.slice(before + hidden.length)
        )
      } else rows.push(...pairs)
      left += lines.length
      right += lines.length
    }
  }
  flush()
  return rows
}

/** Lengths of the common prefix and suffix of two lines. */
export const commonEnds = (one: string, other: string): readonly [before: number, after: number] => {
  const most = Math.min(one.length, other.length)
  let before = 0
  while (before < most && one[before] === other[before]) before++
  let after = 0
  while (after < most - before && one[one.length - 1 - after] === other[other.length - 1 - after]) after++
  return [before, after]
}
