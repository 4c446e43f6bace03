/** Finds the runs of words that two texts have in common. The work for all texts of a page is limited. */
import { jsdiff } from "../Packages.ts"

/**
 * A run that is common to both lists, or differs: its positions in the old and the new list; the end is exclusive. In a differing span, one
 * side may be empty.
 */
export interface Span {
  readonly isCommon: boolean
  readonly old: readonly [from: number, to: number]
  readonly fresh: readonly [from: number, to: number]
}

/**
 * Maximum differing words of a pair of texts, and maximum sum of their squares per page, because the time grows with the square. A page
 * takes milliseconds.
 */
const maxDiffering = 500
const budgetOfPage = 4_000_000

type Words = ReadonlyArray<string>

/** Spans of two texts with a single differing span, from the first to the last difference. */
const coarse = (old: Words, fresh: Words): ReadonlyArray<Span> => {
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start++
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++
  const [was, is] = [old.length - end, fresh.length - end]
  const spans: ReadonlyArray<Span> = [
    { isCommon: true, old: [0, start], fresh: [0, start] },
    { isCommon: false, old: [start, was], fresh: [start, is] },
    { isCommon: true, old: [was, old.length], fresh: [is, fresh.length] }
  ]
  return spans.filter(({ fresh, old }) => old[1] > old[0] || fresh[1] > fresh[0])
}

/**
 * Makes a function that finds the spans of one page's texts. Texts with more than `maxDiffering` differing words, or above the page's
 * budget, get a single differing span.
 */
export const makeSpans = (): ((old: Words, fresh: Words) => ReadonlyArray<Span>) => {
  let left = budgetOfPage
  return (old, fresh) => {
    const maxEditLength = Math.min(maxDiffering, Math.floor(Math.sqrt(left)))
    const parts = jsdiff().diffArrays([...old], [...fresh], { maxEditLength })
    if (parts === undefined) {
      left -= maxEditLength ** 2
      return coarse(old, fresh)
    }
    const spans: Array<Span> = []
    let [was, is, differing] = [0, 0, 0]
    for (const { added, count, removed } of parts) {
      const isCommon = !added && !removed
      const next: Span = {
        isCommon,
        old: [was, added ? was : was + count],
        fresh: [is, removed ? is : is + count]
      }
      const last = spans.at(-1)
      if (last === undefined || last.isCommon || isCommon) spans.push(next)
      else
        spans[spans.length - 1] = { isCommon, old: [last.old[0], next.old[1]], fresh: [last.fresh[0], next.fresh[1]] }
      if (!isCommon) differing += count
      was = next.old[1]
      is = next.fresh[1]
    }
    left -= differing ** 2
    return spans
  }
}
