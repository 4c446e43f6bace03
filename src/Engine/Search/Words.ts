/** Text as the index compares it: folded, split into words, quoted so that nothing in it is syntax. */

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const eachUnspaced = new RegExp(unspaced, "gu")

const eachWord = /[\p{L}\p{N}]+/gu
const eachWordOrLetter = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}])+`, "gu")

/** Where its words are; in scripts that write no spaces, each letter is one, as it is in the index. */
export const wordsIn = (text: string): Iterable<RegExpExecArray> =>
  text.matchAll(unspaced.test(text) ? eachWordOrLetter : eachWord)

/** Whether it has letters of scripts that write no spaces. */
export const isSpaced = (text: string): boolean => unspaced.test(text)

/** Scripts that write no spaces get one around every letter, so that a word of them is a phrase of letters. */
export const space = (text: string): string => (unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text)

/** What SQLite cannot hold in a text (NUL, half a surrogate pair) becomes a space. */
export const clean = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, " ")

/** Lower case, no accents. */
export const fold = (text: string): string =>
  /^[\0-\x7f\u4e00-\u9fff]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()

/** The folded words of a text. */
export const split = (text: string): ReadonlyArray<string> => fold(space(text)).match(eachWord) ?? []

/** One FTS5 string: whatever is inside is text. */
export const quote = (text: string): string => `"${space(clean(text)).replaceAll('"', " ")}"`

/** Whether these words occur, in this order and spelling, with nothing but punctuation between them. */
export const phrase = (text: string): ((folded: string) => boolean) => {
  const words = split(text)
  if (words.length === 0) return () => true
  const spaced = unspaced.test(text)
  const pattern = words.join(spaced ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N}]+")
  const expression = new RegExp(spaced ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u")
  return (folded) => expression.test(folded)
}

const frequent = new Set(
  "a an and are as at be by can did do does for from had has have how i if in is it its me my of on or our that the their them there these they this to was we were what when where which who why will with you your".split(
    " "
  )
)

/** The words that say something; all of them when none does. */
export const telling = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept = words.filter((word) => !frequent.has(word.toLowerCase()))
  return kept.length === 0 ? words : kept
}
