/** Text as the index compares it: folded, split into words, quoted so that nothing in it is syntax. */
/** The part of a text that shows why it was found. */

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

const width = 240
/** Characters of a text that are looked at: a snippet from the first chapters is as good as any. */
const reach = 200_000
/** The same where each letter is a word. */
const reachOfLetters = 50_000

/** Two forms of one word, near enough to point at a place: they part in the last three letters only. */
const akin = (one: string, other: string): boolean => {
  if (one === other) return true
  const shared = Math.max(3, Math.max(one.length, other.length) - 3)
  return one.length >= shared && other.length >= shared && one.slice(0, shared) === other.slice(0, shared)
}

/** Positions at which the wanted words occur, with the word's number. */
const occurrences = (text: string, wanted: ReadonlyArray<string>) => {
  const found: Array<{ readonly at: number; readonly word: number }> = []
  const initials = new Set(wanted.map((word) => word.charAt(0)))
  for (const match of wordsIn(text)) {
    const folded = fold(match[0])
    if (!initials.has(folded.charAt(0))) continue
    const word = wanted.findIndex((candidate) => akin(candidate, folded) || folded.startsWith(candidate))
    if (word >= 0) found.push({ at: match.index, word })
  }
  return found
}

/** The start of the window that holds the most different wanted words; the first such. */
const densest = (found: ReturnType<typeof occurrences>): number => {
  let [best, start, first] = [0, 0, 0]
  const counts = new Map<number, number>()
  for (const { at, word } of found) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    for (let head = found[first]; head !== undefined && at - head.at > width; head = found[++first]) {
      const left = (counts.get(head.word) ?? 1) - 1
      if (left === 0) counts.delete(head.word)
      else counts.set(head.word, left)
    }
    if (counts.size > best) [best, start] = [counts.size, found[first]?.at ?? at]
  }
  return start
}

/** Before a space; what is written without spaces ends anywhere, but in the middle of no letter. */
const endOf = (text: string, start: number): number => {
  const most = start + width
  if (most >= text.length) return text.length
  const space = text.lastIndexOf(" ", most)
  if (space > start + width / 2) return space
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most
}

const cut = (text: string, from: number): string => {
  const lead = Math.max(0, from - 40)
  const space = lead === 0 ? 0 : text.indexOf(" ", lead) + 1
  const start = space > from || space === 0 ? (lead === 0 ? 0 : from) : space
  const end = endOf(text, start)
  return `${start > 0 ? "… " : ""}${text.slice(start, end).trim()}${end < text.length ? " …" : ""}`
}

/** One line around the densest place of the query's words; the page's own description when the text has none of them. */
export const make = (text: string, description: string, words: ReadonlyArray<string>): string => {
  const line = text
    .slice(0, isSpaced(text.slice(reachOfLetters, reachOfLetters + 1_000)) ? reachOfLetters : reach)
    .replace(/\s+/gu, " ")
    .trim()
  const wanted = words.flatMap(split)
  const found = wanted.length === 0 ? [] : occurrences(line, wanted)
  if (found.length === 0) return description.trim() === "" ? cut(line, 0) : description.trim()
  return cut(line, densest(found))
}
