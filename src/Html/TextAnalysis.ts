/** Language detection, for pages that do not declare their language, and extractive summaries. */

let detector: Promise<typeof import("eld/extrasmall")> | undefined

/** Maximum and minimum characters given to the detector. */
export const maxExcerpt = 500
const minExcerpt = 40

/** Language code, such as `en`. Undefined if the text is shorter than `least` or ambiguous. Loads the detector on first use. */
export const detectLanguage = (text: string, least = minExcerpt): Promise<string | undefined> => {
  if (text.length < least) return Promise.resolve(undefined)
  detector ??= import("eld/extrasmall")
  return detector.then(({ default: eld }) => {
    const { language, isReliable } = eld.detect(text.slice(0, maxExcerpt))
    return language !== "" && isReliable() ? language : undefined
  })
}

const sentenceEnd = /(?<=[.!?。！？]["”’)]?)\s+|\n+/
const word = /[\p{L}\p{N}]{4,}/gu

/** Maximum sentences considered, sentences of a summary, and characters of a summary. */
const maxSentences = 400
const maxSummary = 4
const maxLength = 1_000

const wordsOf = (sentence: string): ReadonlyArray<string> => sentence.toLowerCase().match(word) ?? []

/** Summarises text by the sentences with its most frequent words, in their original order. Earlier sentences rank higher. */
export const summarize = (text: string): string => {
  const beginning = text.slice(0, 100_000)
  const sentences = beginning
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 30 && sentence.length <= 400 && /[.!?。！？]["”’)]?$/.test(sentence))
    .slice(0, maxSentences)
  if (sentences.length === 0) return beginning.replace(/\s+/g, " ").trim().slice(0, maxLength)
  const counts = new Map<string, number>()
  for (const sentence of sentences) for (const each of wordsOf(sentence)) counts.set(each, (counts.get(each) ?? 0) + 1)
  const weight = (sentence: string, index: number): number => {
    const words = wordsOf(sentence)
    const common = words.reduce((sum, each) => sum + Math.log(counts.get(each) ?? 1), 0)
    return common / Math.max(words.length, 6) + 1 / (1 + index / 2)
  }
  return sentences
    .map((sentence, index) => ({ sentence, index, weight: weight(sentence, index) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSummary)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence)
    .join(" ")
    .slice(0, maxLength)
}
