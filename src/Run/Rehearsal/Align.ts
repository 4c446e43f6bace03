/** Two lists laid beside each other, so that a row too many does not make all the rows behind it different. */
import { canonical, type Difference, differences } from "../../Row/Difference.ts"

/** Where two lists differ; rows are counted from 1. */
export type Deviation =
  | { readonly kind: "changed"; readonly row: number; readonly differences: ReadonlyArray<Difference> }
  | { readonly kind: "missing"; readonly row: number; readonly value: unknown }
  | { readonly kind: "extra"; readonly row: number; readonly value: unknown }

/** Above so many cells rows are compared by their position alone. */
const mostCells = 4_000_000

/** Above so many pairs rows that are left over are not looked at for likeness any more. */
const mostPairs = 250_000

type Pair = readonly [expected: number, actual: number]

/** The longest list of pairs that are equal and in order. */
const common = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const width = b.length + 1
  const best = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Array<Pair> = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** How many fields of two rows are the same. */
const alike = (a: unknown, b: unknown): number => {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return 0
  const entries = Object.entries(a)
  return entries.filter(([key, value]) => canonical(value) === canonical((b as Record<string, unknown>)[key])).length
}

/** What is between two equal rows: as many pairs as there are on both sides, and what is left over. */
const gap = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>, from: Pair, to: Pair) => {
  const found: Array<Deviation> = []
  let [i, j] = from
  while (i < to[0] && j < to[1]) {
    const left = [to[0] - i, to[1] - j] as const
    // The side with more rows left gives one up that looks like none of the other's.
    const skipsActual = left[1] > left[0] && alike(expected[i], actual[j]) < alike(expected[i], actual[j + 1])
    const skipsExpected = left[0] > left[1] && alike(expected[i], actual[j]) < alike(expected[i + 1], actual[j])
    if (skipsActual) found.push({ kind: "extra", row: j + 1, value: actual[j++] })
    else if (skipsExpected) found.push({ kind: "missing", row: i + 1, value: expected[i++] })
    else found.push({ kind: "changed", row: j + 1, differences: differences(expected[i++], actual[j++]) })
  }
  while (i < to[0]) found.push({ kind: "missing", row: i + 1, value: expected[i++] })
  while (j < to[1]) found.push({ kind: "extra", row: j + 1, value: actual[j++] })
  return found
}

/** Every deviation of a list from the one expected, in order. */
export const align = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>): ReadonlyArray<Deviation> => {
  const pairs =
    expected.length * actual.length > mostCells ? [] : common(expected.map(canonical), actual.map(canonical))
  const ends: ReadonlyArray<Pair> = [...pairs, [expected.length, actual.length]]
  const found: Array<Deviation> = []
  let from: Pair = [0, 0]
  for (const [i, j] of ends) {
    found.push(...gap(expected, actual, from, [i, j]))
    from = [i + 1, j + 1]
  }
  return found.filter((each) => each.kind !== "changed" || each.differences.length > 0)
}

/** The same where the order means nothing: what is left over on both sides is paired by likeness. */
export const match = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>): ReadonlyArray<Deviation> => {
  const free = new Map<string, Array<number>>()
  for (const [index, value] of actual.entries()) {
    const key = canonical(value)
    const known = free.get(key)
    if (known === undefined) free.set(key, [index])
    else known.push(index)
  }
  const unmet: Array<number> = []
  for (const [index, value] of expected.entries()) {
    if (free.get(canonical(value))?.shift() === undefined) unmet.push(index)
  }
  const left = [...free.values()].flat().sort((a, b) => a - b)
  const found: Array<Deviation> = []
  const isTooMuch = unmet.length * left.length > mostPairs
  for (const index of unmet) {
    const likely = isTooMuch
      ? left[0]
      : left
          .map((each) => ({ each, same: alike(expected[index], actual[each]) }))
          .filter(({ same }) => same > 0)
          .sort((a, b) => b.same - a.same || a.each - b.each)[0]?.each
    if (likely === undefined) {
      found.push({ kind: "missing", row: index + 1, value: expected[index] })
      continue
    }
    left.splice(left.indexOf(likely), 1)
    found.push({ kind: "changed", row: likely + 1, differences: differences(expected[index], actual[likely]) })
  }
  return [...found, ...left.map((row): Deviation => ({ kind: "extra", row: row + 1, value: actual[row] }))]
}
