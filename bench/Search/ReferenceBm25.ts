/** Plain BM25 in memory over titles and texts together, with stems and without stop words: the reference for the ranking. */
import { stemmer } from "stemmer"
import { contentWords, split } from "../../src/Engine/Search/Words.ts"
import type { Entry } from "./Collection.ts"

const b = 0.75
const maxResults = 11

const stemsOf = (text: string): ReadonlyArray<string> =>
  contentWords(split(text)).map((word) => (/^[a-z]{3,}$/.test(word) ? stemmer(word) : word))

/** Rankings of the queries. */
export const rankings = (
  entries: ReadonlyArray<Entry>,
  queries: ReadonlyArray<string>,
  k1: number
): ReadonlyArray<ReadonlyArray<string>> => {
  const lengths: Array<number> = []
  /** Document and frequency in turn, by stem. */
  const postings = new Map<string, Array<number>>()
  for (const [at, { text, title }] of entries.entries()) {
    const stems = stemsOf(`${title} ${text}`)
    const counts = new Map<string, number>()
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
    for (const [stem, count] of counts) {
      const known = postings.get(stem)
      if (known === undefined) postings.set(stem, [at, count])
      else known.push(at, count)
    }
    lengths.push(stems.length)
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return queries.map((query) => {
    const scores = new Map<number, number>()
    for (const stem of stemsOf(query)) {
      const found = postings.get(stem) ?? []
      const rarity = Math.log(1 + (entries.length - found.length / 2 + 0.5) / (found.length / 2 + 0.5))
      for (let at = 0; at < found.length; at += 2) {
        const [document = 0, frequency = 0] = [found[at], found[at + 1]]
        const saturation = k1 * (1 - b + (b * (lengths[document] ?? 0)) / average)
        const score = (rarity * frequency * (k1 + 1)) / (frequency + saturation)
        scores.set(document, (scores.get(document) ?? 0) + score)
      }
    }
    return [...scores]
      .sort(([, one], [, other]) => other - one)
      .slice(0, maxResults)
      .map(([document]) => entries[document]?.id ?? "")
  })
}
