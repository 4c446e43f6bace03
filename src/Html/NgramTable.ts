/**
 * The n-grams of the language detector as one sorted string, because an object of 50,000 objects takes a tenth of a second to load and
 * 80 MB of memory. The build packs them (`build.mjs`); one detection looks up a few hundred.
 *
 * Each line is an n-gram, a tab, and two characters per language: its index and its score, each offset by the code of the space. N-grams
 * contain Latin-1 characters from the space on.
 */

/** Scores of an n-gram (a sequence of letters) by the index of the language. */
type Scores = Readonly<Record<string, number>>

const first = 32
const tab = 9
const newline = 10

export const pack = (ngrams: Readonly<Record<string, Scores>>): string =>
  Object.keys(ngrams)
    .sort((left, right) => (left < right ? -1 : 1))
    .map((ngram) => {
      const codes = Object.entries(ngrams[ngram] ?? {}).flatMap(([language, score]) => [Number(language), score])
      return `${ngram}\t${String.fromCharCode(...codes.map((code) => code + first))}\n`
    })
    .join("")

const startsOf = (packed: string): Uint32Array => {
  const starts: Array<number> = []
  for (let at = 0; at < packed.length; at = packed.indexOf("\n", at) + 1) starts.push(at)
  return Uint32Array.from(starts)
}

/** Compares an n-gram with the one that begins at `start`: negative, zero or positive. */
const compare = (packed: string, start: number, ngram: string): number => {
  for (let at = 0; at < ngram.length; at++) {
    const difference = ngram.charCodeAt(at) - packed.charCodeAt(start + at)
    if (difference !== 0) return difference
  }
  return packed.charCodeAt(start + ngram.length) === tab ? 0 : -1
}

const scoresAt = (packed: string, start: number): Scores => {
  const scores: Record<string, number> = {}
  for (let at = start; packed.charCodeAt(at) !== newline; at += 2) {
    scores[packed.charCodeAt(at) - first] = packed.charCodeAt(at + 1) - first
  }
  return scores
}

/** Maximum n-grams cached: the pages of a site share most of theirs. */
const maxKnown = 4_000

/** The packed n-grams in the form that the detector reads: an object with one property per n-gram. */
export const table = (packed: string): Readonly<Record<string, Scores>> => {
  let starts: Uint32Array | undefined
  const known = new Map<string, Scores | undefined>()
  const find = (ngram: string): Scores | undefined => {
    starts ??= startsOf(packed)
    let [low, high] = [0, starts.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const start = starts[middle] ?? 0
      const order = compare(packed, start, ngram)
      if (order === 0) return scoresAt(packed, start + ngram.length + 1)
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return undefined
  }
  const remembered = (ngram: string): Scores | undefined => {
    const scores = known.get(ngram)
    if (scores !== undefined || known.has(ngram)) return scores
    if (known.size >= maxKnown) known.clear()
    const found = find(ngram)
    known.set(ngram, found)
    return found
  }
  return new Proxy({}, { get: (_, name) => (typeof name === "string" ? remembered(name) : undefined) })
}
