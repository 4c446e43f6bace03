/**
 * Ranks candidate pages by BM25 over their texts, with repeated query words, title matches, and query words that stand close together.
 *
 * FTS5 picks the candidates. Its own score cannot express k1, repeated words or distance, and measures a page with its stop words.
 * `docs/quality.md` has the figures of each part of the score.
 */
import { stemmer } from "stemmer"
import { fold } from "./Words.ts"

/** Distinct word of a query, in the form of the index. */
export interface QueryTerm {
  readonly word: string
  /** How often the query has it. */
  readonly count: number
}

/** Counts of the index. */
export interface IndexStatistics {
  readonly pages: number
  /** Average characters of a page, each cut at {@link maxRankedCharacters}. */
  readonly averageLength: number
  /** Pages that have the term, by word. */
  readonly pagesWith: ReadonlyMap<string, number>
}

/** Characters of a page that are scored. */
export const maxRankedCharacters = 40_000

/** BM25 parameters: saturation of term frequency, and normalization by length. */
const [k1, b] = [2, 0.75]
/** A match in the title counts as two in the text. */
const titleWeight = 2
/** A word that the query has four times counts twice. */
const repetitionExponent = 0.5
/** Share of a pair of query words that stand beside each other, and of the best passage, in the score. */
const [pairWeight, passageWeight] = [0.4, 0.3]
/** Characters between words of a pair: punctuation, or a stop word. */
const maxPairGap = 8
/** Characters of a passage. */
const passageLength = 300

const isStemmed = /^[a-z]{3,}$/

/** The Porter stem, as the tokenizer of the index makes it. */
const stemOf = (word: string): string => (isStemmed.test(word) ? stemmer(word) : word)

/** Letters that all words of a stem begin with: the stemmer may rewrite the last ones (`possibl` of `possibility`). */
const commonPrefix = (stem: string): string => (isStemmed.test(stem) ? stem.replace(/(?:bl|[ei])$/, "") : stem)

interface Occurrence {
  readonly start: number
  readonly end: number
  readonly term: number
}

/** Returns a function that lists the occurrences of the stems in a folded text. */
const matcher = (stems: ReadonlyArray<string>) => {
  const prefixes = [...new Set(stems.map(commonPrefix))].join("|")
  // Without the flag `u` ASCII texts are searched several times faster.
  const ascii = new RegExp(`(?<![a-z0-9])(?:${prefixes})[a-z0-9]*`, "g")
  const unicode = new RegExp(`(?<![\\p{L}\\p{N}])(?:${prefixes})[\\p{L}\\p{N}]*`, "gu")
  const termOf = new Map(stems.map((stem, at) => [stem, at]))
  const known = new Map<string, number | undefined>()
  return (folded: string): ReadonlyArray<Occurrence> => {
    const found: Array<Occurrence> = []
    for (const match of folded.matchAll(/^[\0-\x7f]*$/.test(folded) ? ascii : unicode)) {
      const [word] = match
      if (!known.has(word)) known.set(word, termOf.get(stemOf(word)))
      const term = known.get(word)
      if (term !== undefined) found.push({ start: match.index, end: match.index + word.length, term })
    }
    return found
  }
}

/** Highest sum of weights of distinct terms within one passage. */
const bestPassage = (found: ReadonlyArray<Occurrence>, weights: ReadonlyArray<number>): number => {
  const counts = weights.map(() => 0)
  let [best, sum, first] = [0, 0, 0]
  for (const { start, term } of found) {
    if (counts[term] === 0) sum += weights[term] ?? 0
    counts[term] = (counts[term] ?? 0) + 1
    for (let head = found[first]; head !== undefined && start - head.start > passageLength; head = found[++first]) {
      counts[head.term] = (counts[head.term] ?? 0) - 1
      if (counts[head.term] === 0) sum -= weights[head.term] ?? 0
    }
    best = Math.max(best, sum)
  }
  return best
}

/** Distinct terms of the words, which are folded and may repeat. */
export const termsOf = (words: ReadonlyArray<string>): ReadonlyArray<QueryTerm> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => ({ word, count }))
}

/** Inverse document frequency: rare words weigh more. */
export const rarity = (word: string, { pages, pagesWith }: IndexStatistics): number => {
  const having = Math.min(pages, pagesWith.get(word) ?? 0)
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5))
}

export interface Scorable {
  readonly title: string
  readonly text: string
}

/** Returns a function that scores a page for the words of a query, which are folded and in their order. */
export const scorer = (words: ReadonlyArray<string>, statistics: IndexStatistics): ((page: Scorable) => number) => {
  const weightOf = new Map<string, number>()
  for (const { count, word } of termsOf(words.map(stemOf))) weightOf.set(word, count ** repetitionExponent)
  const rarities = new Map(words.map((word) => [stemOf(word), rarity(word, statistics)]))
  const stems = [...weightOf.keys()]
  const idf = stems.map((stem) => rarities.get(stem) ?? 0)
  const weights = stems.map((stem, at) => (weightOf.get(stem) ?? 1) * (idf[at] ?? 0))
  const occurrences = matcher(stems)
  const pairKey = (one: number, other: number) => one * stems.length + other
  const order = words.map((word) => stems.indexOf(stemOf(word)))
  const pairs = new Map<number, number>()
  for (const [at, other] of order.entries()) {
    const one = order[at - 1]
    if (one === undefined || one === other) continue
    const key = pairKey(one, other)
    pairs.set(key, (pairs.get(key) ?? 0) + Math.min(idf[one] ?? 0, idf[other] ?? 0))
  }

  return ({ text, title }) => {
    const inTitle = occurrences(fold(title))
    const inText = occurrences(fold(text.slice(0, maxRankedCharacters)))
    const length = title.length + Math.min(text.length, maxRankedCharacters)
    const saturation = k1 * (1 - b + (b * length) / statistics.averageLength)
    const bm25 = (weight: number, frequency: number) => (weight * frequency * (k1 + 1)) / (frequency + saturation)

    const frequencies = new Map<number, number>()
    const pairFrequencies = new Map<number, number>()
    for (const [found, weight] of [
      [inTitle, titleWeight],
      [inText, 1]
    ] as const) {
      for (const [at, { start, term }] of found.entries()) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + weight)
        const before = found[at - 1]
        if (before === undefined || start - before.end > maxPairGap) continue
        const key = pairKey(before.term, term)
        if (pairs.has(key)) pairFrequencies.set(key, (pairFrequencies.get(key) ?? 0) + 1)
      }
    }
    let score = passageWeight * bestPassage(inText, weights)
    for (const [term, frequency] of frequencies) score += bm25(weights[term] ?? 0, frequency)
    for (const [key, frequency] of pairFrequencies) score += pairWeight * bm25(pairs.get(key) ?? 0, frequency)
    return score
  }
}
