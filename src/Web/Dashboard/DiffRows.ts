/** A difference as it is shown: pairs of lines with their numbers, and what is the same folded where it is long. */
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
  /** Names it: the number of its first line. */
  readonly at: number
  readonly pairs: ReadonlyArray<Pair>
}

/** Lines that stay around a change. */
const around = 3

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
  let [gone, come]: [ReadonlyArray<string>, ReadonlyArray<string>] = [[], []]
  /** What went and what came in its place stand beside each other. */
  const close = () => {
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      rows.push(pairOf(side(left + index, gone[index]), side(right + index, come[index])))
    }
    left += gone.length
    right += come.length
    gone = []
    come = []
  }
  for (const [index, { kind, lines }] of parts.entries()) {
    if (kind === "removed") gone = [...gone, ...lines]
    else if (kind === "added") come = [...come, ...lines]
    else {
      close()
      const pairs = lines.map(
        (text, offset): Pair => ({
          kind: "same",
          from: { number: left + offset, text },
          to: { number: right + offset, text }
        })
      )
      const before = index === 0 ? 0 : around
      const after = index === parts.length - 1 ? 0 : around
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
  close()
  return rows
}

/** What two lines have in common at their beginnings and ends, as lengths: between them is what differs. */
export const common = (one: string, other: string): readonly [before: number, after: number] => {
  const most = Math.min(one.length, other.length)
  let before = 0
  while (before < most && one[before] === other[before]) before++
  let after = 0
  while (after < most - before && one[one.length - 1 - after] === other[other.length - 1 - after]) after++
  return [before, after]
}
