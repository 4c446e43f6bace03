/**
 * Adds variety to a list of results: of pages with nearly the same text only the best stays, and if a host has many pages, pages of other
 * hosts move ahead.
 */
import { locate } from "./Place.ts"
import { split } from "./Words.ts"

export interface ScoredPage {
  readonly url: string
  readonly text: string
  readonly score: number
}

/** Characters that are compared, and number of consecutive words in a shingle. */
const [comparedCharacters, shingleLength] = [5000, 4]
/** Minimum words of texts that are compared. Shorter texts may be similar by chance. */
const minComparedWords = 50
/** Size of a MinHash sketch: the number of smallest shingle hashes that it keeps. */
const sketchSize = 64
/** Minimum share of common shingles (estimated Jaccard similarity) for texts that count as the same. */
const minSimilarity = 0.85
/** Maximum difference in length of texts that are compared, as a share. */
const maxLengthDifference = 0.1

/** 32-bit FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Returns the smallest hashes of shingles, sorted. Undefined for short texts. */
const sketchOf = (text: string): Uint32Array | undefined => {
  const words = split(text.slice(0, comparedCharacters))
  if (words.length < minComparedWords) return undefined
  const hashes = new Set<number>()
  for (let at = 0; at + shingleLength <= words.length; at++) {
    hashes.add(hashOf(words.slice(at, at + shingleLength).join(" ")))
  }
  return Uint32Array.from(hashes).sort().slice(0, sketchSize)
}

/** Estimates the Jaccard similarity of two sketches: the share of their smallest hashes that both contain. */
const similarity = (one: Uint32Array, other: Uint32Array): number => {
  let [common, count, at, otherAt] = [0, 0, 0, 0]
  for (; count < sketchSize && (at < one.length || otherAt < other.length); count++) {
    const [hash, otherHash] = [one[at] ?? Number.POSITIVE_INFINITY, other[otherAt] ?? Number.POSITIVE_INFINITY]
    if (hash === otherHash) common++
    if (hash <= otherHash) at++
    if (otherHash <= hash) otherAt++
  }
  return common / count
}

const isSimilarLength = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= maxLengthDifference * Math.max(one.length, other.length)

/**
 * Number of results of a host that keep their full score. Each later one keeps {@link repeatedHostShare} of the share of the one before.
 */
const fullScoresOfHost = 2
const repeatedHostShare = 0.85

/**
 * Selects the first `limit` of pages that are sorted by score, without near-duplicates of better pages, and spread over hosts. Pages
 * without a host (uploads) are not moved. The order within a host is kept.
 */
export const varied = <Page extends ScoredPage>(pages: ReadonlyArray<Page>, limit: number): ReadonlyArray<Page> => {
  const hosts = new Map<string, Array<Page>>()
  for (const page of pages) {
    const { host } = locate(page.url)
    const key = host === "" ? page.url : host
    const known = hosts.get(key)
    if (known === undefined) hosts.set(key, [page])
    else known.push(page)
  }
  const queues = [...hosts.values()].map((queue) => ({ queue, next: 0, taken: 0 }))
  const chosen: Array<Page> = []
  const sketches = new Map<Page, ReturnType<typeof sketchOf>>()
  const sketch = (page: Page) => {
    if (!sketches.has(page)) sketches.set(page, sketchOf(page.text))
    return sketches.get(page)
  }
  const isDuplicate = (page: Page): boolean =>
    chosen.some((better) => {
      if (!isSimilarLength(page.text, better.text)) return false
      const [one, other] = [sketch(page), sketch(better)]
      return one !== undefined && other !== undefined && similarity(one, other) >= minSimilarity
    })

  while (chosen.length < limit) {
    let best: { readonly from: (typeof queues)[number]; readonly page: Page; readonly score: number } | undefined
    for (const from of queues) {
      const page = from.queue[from.next]
      if (page === undefined) continue
      const score = page.score * repeatedHostShare ** Math.max(0, from.taken + 1 - fullScoresOfHost)
      if (best === undefined || score > best.score) best = { from, page, score }
    }
    if (best === undefined) break
    best.from.next++
    if (isDuplicate(best.page)) continue
    best.from.taken++
    chosen.push(best.page)
  }
  return chosen
}
