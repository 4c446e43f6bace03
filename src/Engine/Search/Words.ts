/** Converts words of text to the form that the index stores: folded, split, stemmed, quoted for FTS5. */
import { stemmer } from "stemmer"
import { withoutSoftHyphens } from "../../Values/Text.ts"

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const eachUnspaced = new RegExp(unspaced, "gu")

const eachWord = /[\p{L}\p{N}]+/gu
const eachWordOrLetter = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}])+`, "gu")

/** Matches all words, with combining accents. In scripts without spaces each letter is a word, as in the index. */
export const wordsIn = (text: string): Iterable<RegExpExecArray> => text.matchAll(eachWordOrLetter)

/** Tests for letters of scripts that are written without spaces. */
export const hasUnspaced = (text: string): boolean => unspaced.test(text)

/** Puts spaces around each letter of scripts without spaces, so that a word becomes a phrase of letters. */
export const spaceLetters = (text: string): string => (unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text)

/**
 * Replaces characters that SQLite cannot store (NUL, lone surrogates) with spaces. Removes soft hyphens, at which FTS5 would split a word.
 */
export const clean = (text: string): string => withoutSoftHyphens(text).replace(/[\0\p{Surrogate}]/gu, " ")

/** Matches text that has no accents to remove: ASCII, punctuation, symbols and Han. */
const unaccented =
  /^[\0-\xbf\u2002-\u20cf\u2100-\u2123\u2190-\u2199\u2500-\u2ada\u3001-\u3003\u3008-\u3011\u4e00-\u9fff]*$/

/** Converts to lower case without accents. */
export const fold = (text: string): string =>
  unaccented.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()

const stemmed = /^[a-z]{3,}$/

/** True for folded words that the tokenizer of the index stems. */
export const isStemmed = (word: string): boolean => stemmed.test(word)

/** Porter stem of a folded word, as produced by the index's tokenizer. */
export const stemOf = (word: string): string => (isStemmed(word) ? stemmer(word) : word)

/** Splits text into all its words, folded. */
export const split = (text: string): ReadonlyArray<string> => fold(spaceLetters(text)).match(eachWord) ?? []

/** Quotes the string for FTS5, so that none of it is read as query syntax. */
export const quote = (text: string): string => `"${spaceLetters(clean(text)).replaceAll('"', " ")}"`

/** Returns a test for the words in this order and spelling, separated by punctuation or space only. */
export const phrase = (text: string): ((folded: string) => boolean) => {
  const words = split(text)
  if (words.length === 0) return () => true
  const spaced = unspaced.test(text)
  const pattern = words.join(spaced ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N}]+")
  const expression = new RegExp(spaced ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u")
  return (folded) => expression.test(folded)
}

/** English words that carry no topic. */
const stopWords = new Set(
  "a about after again against all am an and any are as at be because been before being below between both but by can cannot could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own same she should so some such than that the their theirs them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours".split(
    " "
  )
)

/** Returns the words without stop words, or all words if all are stop words. */
export const contentWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return kept.length === 0 ? words : kept
}
