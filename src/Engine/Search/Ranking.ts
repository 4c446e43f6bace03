/**
 * Ranks candidate pages by BM25 over their texts, and also by repeated query words, title matches, and query words close to each other.
 *
 * FTS5 picks the candidates. Its own score has a fixed k1, ignores repeated words and distance, and includes stop words in the length of a
 * page. `docs/quality.md` has the measurements for each part of the score.
 */
import { bestWindow, matcher, type Occurrences } from "./Passage.ts"
import { fold, stemOf } from "./Words.ts"

/** Statistics of the index that scores depend on. */
export interface IndexStatistics {
  readonly pages: number
  /** Average characters of a page, each cut at {@link maxRankedCharacters}. */
  readonly averageLength: number
  /** Number of pages that contain the term, by word. */
  readonly pagesWith: ReadonlyMap<string, number>
}

/** Maximum characters of a page that are scored. */
export const maxRankedCharacters = 40_000

/** BM25 parameters: saturation of term frequency, and normalization by length. */
const [k1, b] = [2, 0.75]
/** Weight of the title: one match there counts like two in the text. */
const titleWeight = 2
/** Exponent for repeated query words: a word that occurs four times in the query counts twice. */
const repetitionExponent = 0.5
/** Weights of adjacent query words and of the best passage, relative to the score of the words. */
const [pairWeight, passageWeight] = [0.4, 0.3]
/** Maximum distinct stems of a query that does not count as long. */
const maxShortQuery = 12
/** Maximum characters between the words of a pair: punctuation, or a stop word. */
const maxPairGap = 8
/** Characters of a passage. */
const passageLength = 300

/** Inverse document frequency: rare words weigh more. */
const rarity = (word: string, { pages, pagesWith }: IndexStatistics): number => {
  const having = Math.min(pages, pagesWith.get(word) ?? 0)
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5))
}

/**
 * True for a long query, which describes a subject. Pages about the subject have its words far apart; adjacent words, or several in one
 * passage, only show that a page uses the same phrase, and do not count.
 */
export const isLongQuery = (words: ReadonlyArray<string>): boolean => new Set(words.map(stemOf)).size > maxShortQuery

interface Scorable {
  readonly title: string
  readonly text: string
}

export interface Scorer {
  readonly score: (page: Scorable) => number
  /** Weight of each stem of the query. Rare and repeated words weigh more. */
  readonly weights: ReadonlyMap<string, number>
}

/** Returns a function that scores a page for the words of a query, which are folded and in their order. */
export const scorer = (words: ReadonlyArray<string>, statistics: IndexStatistics): Scorer => {
  const order = words.map(stemOf)
  const rarities = new Map(words.map((word) => [stemOf(word), rarity(word, statistics)]))
  const counts = new Map<string, number>()
  for (const stem of order) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const stems = [...counts.keys()]
  const idf = stems.map((stem) => rarities.get(stem) ?? 0)
  const weights = stems.map((stem, at) => (counts.get(stem) ?? 1) ** repetitionExponent * (idf[at] ?? 0))
  const isLong = isLongQuery(words)
  const occurrences = matcher(stems)
  const pairKey = (one: number, other: number) => one * stems.length + other
  const pairs = new Map<number, number>()
  for (const [at, stem] of isLong ? [] : order.entries()) {
    const [one, other] = [stems.indexOf(order[at - 1] ?? ""), stems.indexOf(stem)]
    if (one === -1 || one === other) continue
    const key = pairKey(one, other)
    pairs.set(key, (pairs.get(key) ?? 0) + Math.min(idf[one] ?? 0, idf[other] ?? 0))
  }

  const score = ({ text, title }: Scorable) => {
    const inTitle = occurrences(fold(title))
    const inText = occurrences(fold(text.slice(0, maxRankedCharacters)))
    const length = title.length + Math.min(text.length, maxRankedCharacters)
    const saturation = k1 * (1 - b + (b * length) / statistics.averageLength)
    const bm25 = (weight: number, frequency: number) => (weight * frequency * (k1 + 1)) / (frequency + saturation)

    const frequencies = new Float64Array(stems.length)
    const pairFrequencies = new Map<number, number>()
    const count = ({ ends, starts, terms }: Occurrences, weight: number) => {
      for (let at = 0; at < terms.length; at++) {
        const term = terms[at] ?? 0
        frequencies[term] = (frequencies[term] ?? 0) + weight
        if (at === 0 || (starts[at] ?? 0) - (ends[at - 1] ?? 0) > maxPairGap) continue
        const key = pairKey(terms[at - 1] ?? 0, term)
        if (pairs.has(key)) pairFrequencies.set(key, (pairFrequencies.get(key) ?? 0) + 1)
      }
    }
    count(inTitle, titleWeight)
    count(inText, 1)
    let sum = isLong ? 0 : passageWeight * bestWindow(inText, weights, passageLength).weight
    for (const [term, frequency] of frequencies.entries()) sum += bm25(weights[term] ?? 0, frequency)
    for (const [key, frequency] of pairFrequencies) sum += pairWeight * bm25(pairs.get(key) ?? 0, frequency)
    return sum
  }
  return { score, weights: new Map(stems.map((stem, at) => [stem, weights[at] ?? 0])) }
}
