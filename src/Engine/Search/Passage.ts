/** Finds query words in text, and the passage that contains most of them, with the headings above it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Heading } from "../../Html/Serialize.ts"
import { fold, hasUnspaced, isStemmed, split, stemOf, wordsIn } from "./Words.ts"

/** Occurrences of query words in text order, as arrays of equal length, because a page may have thousands. */
export interface Occurrences {
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
  /** For each occurrence, the index of its stem in the query. */
  readonly terms: ReadonlyArray<number>
}

/** Returns the letters that all words with a stem begin with. The stemmer may rewrite the last letters (`possibl` for `possibility`). */
const commonPrefix = (stem: string): string => (isStemmed(stem) ? stem.replace(/(?:bl|[ei])$/, "") : stem)

/** Kinds of characters: separator, part of a word, and a word by itself (in scripts without spaces). */
const [separator, inWord, wholeWord] = [1, 2, 3]

const kindOf = (character: string): number =>
  hasUnspaced(character) ? wholeWord : /^[\p{L}\p{N}]/u.test(character) ? inWord : separator

/** Key for the first two characters of a word. Other words may have the same key. */
const keyOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127)

/**
 * Returns a function that lists the occurrences of the stems in a folded text. It reads each character once. A regular expression with a
 * branch per stem would take twice as long on non-ASCII text.
 */
export const matcher = (stems: ReadonlyArray<string>) => {
  const termOf = new Map(stems.map((stem, at) => [stem, at]))
  const begins = new Uint8Array(keyOf(127, 127) + 1)
  for (const prefix of stems.map(commonPrefix)) {
    const first = prefix.charCodeAt(0)
    if (prefix.length > 1) begins[keyOf(first, prefix.charCodeAt(1))] = 1
    else for (let second = 0; second < 128; second++) begins[keyOf(first, second)] = 1
  }
  const known = new Map<string, number | undefined>()
  const termAt = (word: string): number | undefined => {
    const term = known.get(word)
    if (term !== undefined || known.has(word)) return term
    const made = termOf.get(stemOf(word))
    known.set(word, made)
    return made
  }
  const kinds = new Uint8Array(0x1_00_00)
  const kindAt = (text: string, at: number): number => {
    const code = text.charCodeAt(at)
    // Both halves of a surrogate pair have the kind of the whole character.
    if (code >= 0xdc_00 && code < 0xe0_00 && at > 0) return kindOf(String.fromCodePoint(text.codePointAt(at - 1) ?? 0))
    const kind = kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0))
    if (code < 0xd8_00 || code >= 0xe0_00) kinds[code] = kind
    return kind
  }

  return (folded: string): Occurrences => {
    const [starts, ends, terms]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
    const { length } = folded
    for (let at = 0; at < length; ) {
      const start = at++
      const first = folded.charCodeAt(start)
      const kind = kinds[first] || kindAt(folded, start)
      if (kind === separator) continue
      if (kind === inWord) while (at < length && (kinds[folded.charCodeAt(at)] || kindAt(folded, at)) === inWord) at++
      else if (at < length && (first & 0xfc_00) === 0xd8_00) at++
      if (begins[keyOf(first, at > start + 1 ? folded.charCodeAt(start + 1) : 0)] === 0) continue
      const term = termAt(folded.slice(start, at))
      if (term === undefined) continue
      starts.push(start)
      ends.push(at)
      terms.push(term)
    }
    return { starts, ends, terms }
  }
}

/** Returns the first window of the given length whose distinct words have the highest sum of weights. */
export const bestWindow = (
  { ends, starts, terms }: Occurrences,
  weights: ReadonlyArray<number>,
  length: number
): { readonly start: number; readonly weight: number } => {
  const counts = weights.map(() => 0)
  let [weight, start, sum, first] = [0, 0, 0, 0]
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? 0
    if (counts[term] === 0) sum += weights[term] ?? 0
    counts[term] = (counts[term] ?? 0) + 1
    for (; first <= at && (ends[at] ?? 0) - (starts[first] ?? 0) > length; first++) {
      const left = terms[first] ?? 0
      counts[left] = (counts[left] ?? 0) - 1
      if (counts[left] === 0) sum -= weights[left] ?? 0
    }
    // Equal sums may differ in their last digits, by the order of addition.
    if (sum > weight + 1e-9) [weight, start] = [sum, starts[first] ?? 0]
  }
  return { start, weight }
}

/** Maximum characters of a passage, and maximum characters of it before the first query word. */
const [passageLength, maxLead] = [240, 40]
/** Maximum characters searched for a passage, and the same for scripts without spaces, where each letter is a word. */
const [maxCharacters, maxUnspacedCharacters] = [200_000, 50_000]

const squeeze = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** Start of the passage: the start of a line, sentence or word, shortly before the first query word. */
const beginOf = (text: string, from: number): number => {
  const lead = Math.max(0, from - maxLead)
  if (lead === 0) return 0
  const before = text.slice(lead, from)
  const boundary = /[\s\S]*(?:\n|[.!?…。！？]["”’)]?\s)/u.exec(before)?.[0].length
  const space = before.search(/\s/u)
  return boundary !== undefined ? lead + boundary : space === -1 ? from : lead + space + 1
}

/** End of the passage: before a space if possible, never inside a surrogate pair. */
const endOf = (line: string): number => {
  if (passageLength >= line.length) return line.length
  const space = line.lastIndexOf(" ", passageLength)
  if (space > passageLength / 2) return space
  return /[\udc00-\udfff]/.test(line.charAt(passageLength)) ? passageLength - 1 : passageLength
}

const cut = (text: string, from: number): string => {
  const start = beginOf(text, from)
  const line = squeeze(text.slice(start, start + 4 * passageLength))
  const end = endOf(line)
  const isCut = end < line.length || start + 4 * passageLength < text.length
  return `${start > 0 ? "… " : ""}${line.slice(0, end).trim()}${isCut ? " …" : ""}`
}

/** Maximum characters of a heading in a path. */
const maxHeading = 120

/** Texts of the headings above a position, outermost first. */
const headingPath = (text: string, headings: ReadonlyArray<Heading>, position: number): ReadonlyArray<string> => {
  const path: Array<Heading> = []
  for (const heading of headings) {
    if (heading.at > position) break
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
    path.push(heading)
  }
  return path
    .map(({ at }) => squeeze(text.slice(at, at + maxHeading).replace(/\n[\s\S]*$/, "")))
    .filter((line) => line !== "")
}

/** See `encodeHeadings` in `Entry.ts`. */
const StoredHeadings = Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Int, Schema.Int)))
const decodeHeadings = Schema.decodeUnknownOption(StoredHeadings)

const storedHeadings = (json: string): ReadonlyArray<Heading> =>
  Option.getOrElse(decodeHeadings(json), () => []).map(([at, level]) => ({ at, level }))

export interface Passage {
  /** The passage on one line. */
  readonly text: string
  /** Headings above the passage, outermost first. */
  readonly headings: ReadonlyArray<string>
}

interface PageText {
  readonly text: string
  readonly description: string
  /** See `encodeHeadings` in `Entry.ts`. */
  readonly headings: string
}

/**
 * Returns a function that finds a page's passage with the most words, weighted by their stems (1 if a stem has no weight). If the text
 * contains none of the words, it returns the page's description.
 */
export const passageFinder = (words: ReadonlyArray<string>, weights: ReadonlyMap<string, number>) => {
  const stems = [...new Set(words.flatMap(split).map(stemOf))]
  const weightOfTerm = stems.map((stem) => weights.get(stem) ?? 1)
  const termOf = new Map(stems.map((stem, at) => [stem, at]))
  const occurrences = matcher(stems)

  const occurrencesIn = (text: string): Occurrences => {
    const folded = stems.length === 0 ? "" : fold(text)
    if (stems.length === 0 || folded.length === text.length) return occurrences(folded)
    // Positions in the folded text differ from those in the text.
    const found = [...wordsIn(text)].flatMap(({ 0: word, index }) => {
      const term = termOf.get(stemOf(fold(word)))
      return term === undefined ? [] : [{ start: index, end: index + word.length, term }]
    })
    return {
      starts: found.map(({ start }) => start),
      ends: found.map(({ end }) => end),
      terms: found.map(({ term }) => term)
    }
  }

  return ({ description, headings, text }: PageText): Passage => {
    const isUnspaced = hasUnspaced(text.slice(maxUnspacedCharacters, maxUnspacedCharacters + 1000))
    const found = occurrencesIn(text.slice(0, isUnspaced ? maxUnspacedCharacters : maxCharacters))
    if (found.terms.length === 0) {
      const told = description.trim()
      return { text: told === "" ? cut(text.trimStart(), 0) : told, headings: [] }
    }
    const { start } = bestWindow(found, weightOfTerm, passageLength - maxLead)
    return { text: cut(text, start), headings: headingPath(text, storedHeadings(headings), start) }
  }
}
