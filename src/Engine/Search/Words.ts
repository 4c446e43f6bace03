/** Words of text in the form the index stores them (folded, split, quoted for FTS5), and result snippets. */

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const eachUnspaced = new RegExp(unspaced, "gu")

const eachWord = /[\p{L}\p{N}]+/gu
const eachWordOrLetter = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}])+`, "gu")

/** Matches of all words. In scripts without spaces each letter is a word, as in the index. */
export const wordsIn = (text: string): Iterable<RegExpExecArray> =>
  text.matchAll(unspaced.test(text) ? eachWordOrLetter : eachWord)

/** Tests for letters of scripts that are written without spaces. */
export const hasUnspaced = (text: string): boolean => unspaced.test(text)

/** Puts spaces around each letter of scripts without spaces, so that a word becomes a phrase of letters. */
export const spaceLetters = (text: string): string => (unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text)

/** Replaces characters that SQLite cannot store (NUL, lone surrogates) with spaces. */
export const clean = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, " ")

/** Lower case, without accents. */
export const fold = (text: string): string =>
  /^[\0-\x7f\u4e00-\u9fff]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()

/** All words, folded. */
export const split = (text: string): ReadonlyArray<string> => fold(spaceLetters(text)).match(eachWord) ?? []

/** Quotes the string for FTS5, so that nothing in it is query syntax. */
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

/** English words without a topic. */
const stopWords = new Set(
  "a about after again against all am an and any are as at be because been before being below between both but by can cannot could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own same she should so some such than that the their theirs them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours".split(
    " "
  )
)

/** Words that are not stop words; all words when each is a stop word. */
export const contentWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return kept.length === 0 ? words : kept
}

const snippetLength = 240
/** Characters searched for a snippet. */
const maxCharacters = 200_000
/** The same limit for scripts without spaces, where each letter is a word. */
const maxUnspacedCharacters = 50_000

/** Compares word forms: they may differ in the last three letters. */
const sharesStem = (one: string, other: string): boolean => {
  if (one === other) return true
  const shared = Math.max(3, Math.max(one.length, other.length) - 3)
  return one.length >= shared && other.length >= shared && one.slice(0, shared) === other.slice(0, shared)
}

/** Occurrences of wanted words in a text: the position, and the index of the word. */
const occurrences = (text: string, wanted: ReadonlyArray<string>) => {
  const found: Array<{ readonly at: number; readonly word: number }> = []
  const initials = new Set(wanted.map((word) => word.charAt(0)))
  for (const match of wordsIn(text)) {
    const folded = fold(match[0])
    if (!initials.has(folded.charAt(0))) continue
    const word = wanted.findIndex((candidate) => sharesStem(candidate, folded) || folded.startsWith(candidate))
    if (word >= 0) found.push({ at: match.index, word })
  }
  return found
}

/** Start of the first window whose distinct wanted words have the highest sum of weights. */
const bestWindow = (found: ReturnType<typeof occurrences>, weights: ReadonlyArray<number>): number => {
  let [best, start, first, sum] = [0, 0, 0, 0]
  const counts = new Map<number, number>()
  for (const { at, word } of found) {
    const count = counts.get(word) ?? 0
    if (count === 0) sum += weights[word] ?? 1
    counts.set(word, count + 1)
    for (let head = found[first]; head !== undefined && at - head.at > snippetLength; head = found[++first]) {
      const left = (counts.get(head.word) ?? 1) - 1
      if (left === 0) sum -= weights[head.word] ?? 1
      counts.set(head.word, left)
    }
    // A sum of the same words may differ in its last digits.
    if (sum > best + 1e-9) [best, start] = [sum, found[first]?.at ?? at]
  }
  return start
}

/** End of the snippet: before a space when there is one, never inside a surrogate pair. */
const cutEnd = (text: string, start: number): number => {
  const most = start + snippetLength
  if (most >= text.length) return text.length
  const space = text.lastIndexOf(" ", most)
  if (space > start + snippetLength / 2) return space
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most
}

const cut = (text: string, from: number): string => {
  const lead = Math.max(0, from - 40)
  const space = lead === 0 ? 0 : text.indexOf(" ", lead) + 1
  const start = space > from || space === 0 ? (lead === 0 ? 0 : from) : space
  const end = cutEnd(text, start)
  return `${start > 0 ? "… " : ""}${text.slice(start, end).trim()}${end < text.length ? " …" : ""}`
}

const noWeights: ReadonlyMap<string, number> = new Map()

/**
 * The best passage as one line: the one with the most query words, by their weights (1 for a word without). The page's description when its
 * text has none of them.
 */
export const snippet = (
  text: string,
  description: string,
  words: ReadonlyArray<string>,
  weights: ReadonlyMap<string, number> = noWeights
): string => {
  const line = text
    .slice(
      0,
      hasUnspaced(text.slice(maxUnspacedCharacters, maxUnspacedCharacters + 1_000))
        ? maxUnspacedCharacters
        : maxCharacters
    )
    .replace(/\s+/gu, " ")
    .trim()
  const wanted = words.flatMap(split)
  const found = wanted.length === 0 ? [] : occurrences(line, wanted)
  if (found.length === 0) return description.trim() === "" ? cut(line, 0) : description.trim()
  return cut(
    line,
    bestWindow(
      found,
      wanted.map((word) => weights.get(word) ?? 1)
    )
  )
}
