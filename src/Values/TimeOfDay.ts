/** Times of day in page text: `14:30`, `2:57 p.m. EDT`, `14h40`, `21時40分`, `下午3:05`. */
import { type DateWords, dateWords, monthNamed, weekdayNamed, wordKey } from "./DateWords.ts"
import { phraseKey, relativeWords } from "./RelativeWords.ts"
import { type WrittenZone, zoneAtStart } from "./TimeZone.ts"

export interface TimeOfDay {
  /** Milliseconds since midnight. */
  readonly millis: number
  readonly zone: string | undefined
  /** Text without the time, which is replaced by a space. */
  readonly rest: string
}

/**
 * Matches hours with minutes, separated by a colon, `h`, or the words of Chinese, Japanese and Korean; next to a word for a half of the day
 * (such as `pm`) also with a dot, or hours alone.
 */
const clock =
  /(?<![\d:.,+])(?<![^\p{L}]-)(?<h>\d{1,2})(?: ?: ?(?<m>\d{2})(?: ?: ?(?<s>\d{2})(?:[.,](?<f>\d{1,9}))?)?(?![\d:])|(?: ?h ?)(?<m2>\d{2})(?: ?min(?: ?\d{2} ?s)?)?(?![\d:])| ?[時时點点시](?! ?[간間间]) ?(?:(?<m3>\d{1,2}) ?[分분]?)?(?: ?(?<s3>\d{1,2}) ?[秒초])?|(?<late>[.](?<m4>\d{2}))?(?= ?[\p{L}]))/giu

/** Matches a dotted time, as written after a date or a word for the clock: `klo 14.30`. */
const dotted = /(?<![\d.,:/-])(?<h>\d{1,2})[.](?<m>\d{2})(?:[.](?<s>\d{2}))?(?!\d|[.,:/-]\d)/

/** Match text after and before a time that may be a word for a half of the day, such as `pm`. */
const halfAfter = /^ ?(a\.? ?m\b\.?|p\.? ?m\b\.?|[\p{L}\p{M}]\.? ?[\p{L}\p{M}]\.(?!\p{L})|[\p{L}\p{M}]+\.?)/iu
const halfBefore = /([\p{L}\p{M}.]+) ?$/u

const halfOf = (word: string | undefined, { isAfternoon }: DateWords): boolean | undefined =>
  word === undefined ? undefined : isAfternoon.get(wordKey(word).replace(/\s/g, ""))

const millisOf = (hour: number, minute: number, second: number, isLate: boolean | undefined): number | undefined => {
  if (minute > 59 || second > 60 || hour > 24 || (hour === 24 && minute + second > 0)) return undefined
  if (isLate !== undefined && hour === 0 && isLate) return undefined
  const full = isLate === undefined || hour > 12 ? hour : (hour % 12) + (isLate ? 12 : 0)
  return ((full * 60 + minute) * 60 + second) * 1000
}

/** True for a word of a language, or of English, that may stand behind a time. */
const isWord = (name: string, words: DateWords): boolean => {
  const key = wordKey(name)
  return [words, dateWords("en")].some(
    (each) =>
      each.links.has(key) ||
      each.isAfternoon.has(key) ||
      monthNamed(key, each) !== undefined ||
      weekdayNamed(key, each) !== undefined ||
      relativeWords(each.locale).named.has(phraseKey(name))
  )
}

/** Matches a word for the clock, which a zone may follow: `14:40 Uhr MEZ`. */
const clockWord = /^ ?(?:uhr|uur|hrs?|hs|h|hod|godz|ч|час\p{L}*)\.?(?!\p{L})/iu

/** The end of a range of times, `10:00-18:00`: no zone is so far behind UTC. */
const rangeEnd = /^-(?:1[2-9]|2[0-4]):[0-5]\d(?!\d)/

/** Finds the zone behind a time; `unknown` for an abbreviation that is neither a zone nor a word. */
const zoneAfter = (text: string, words: DateWords): WrittenZone | "unknown" | undefined => {
  const [range = ""] = rangeEnd.exec(text) ?? []
  if (range !== "") return { zone: undefined, name: "", length: range.length }
  const found = zoneAtStart(text)
  if (found?.zone !== undefined) return found
  const skipped = clockWord.exec(text)?.[0].length ?? 0
  const later = skipped === 0 ? undefined : zoneAtStart(text.slice(skipped))
  if (later?.zone !== undefined && later.name !== "") return { ...later, length: skipped + later.length }
  // Other words may follow a time: `10:00 PAR JEAN`.
  const isAlone = found !== undefined && /^ ?(?:[),.;|]|$)/.test(text.slice(found.length))
  return isAlone && !isWord(found.name, words) ? "unknown" : undefined
}

/** Languages in which `am` stands before a day: `12:30 am 5. März`. */
const hasDayWord = /^(?:de|gsw|lb|nds)\b/

/** True for a word behind a time that belongs to the day behind it. German writes a dot after the number of a day. */
const isOfDay = (word: string | undefined, next: string, locale: string): boolean => {
  if (word !== "am" || !hasDayWord.test(locale)) return false
  const [, number, day] = /^ ?(?:(\d{1,2}\.)|(\p{L}+))/u.exec(next) ?? []
  return number !== undefined || (day !== undefined && weekdayNamed(wordKey(day), dateWords(locale)) !== undefined)
}

const cut = (text: string, start: number, end: number): string => `${text.slice(0, start)} ${text.slice(end)}`

/** Finds the time of day. Undefined if there is none; `impossible` for one that does not exist (`25:00`) or has an unknown zone. */
export const timeOfDay = (text: string, words: DateWords, locale: string): TimeOfDay | "impossible" | undefined => {
  for (const match of text.matchAll(clock)) {
    const { h = "", m, s = "0", f = "", m2, m3, s3, late, m4 } = match.groups ?? {}
    const end = match.index + match[0].length
    const [after = "", wordAfter] = halfAfter.exec(text.slice(end)) ?? []
    // In `5 下午2:07`, the half of the day belongs to the number after it.
    const next = text.slice(end + after.length)
    const isLateAfter = /^\d/.test(next) || isOfDay(wordAfter, next, locale) ? undefined : halfOf(wordAfter, words)
    // A number alone is a time only if a word for a half of the day follows.
    const isBare = m === undefined && m2 === undefined && !/\D/.test(match[0])
    if ((isBare || late !== undefined) && isLateAfter === undefined) continue
    const [before = "", wordBefore] = (isLateAfter === undefined && halfBefore.exec(text.slice(0, match.index))) || []
    const isLateBefore = halfOf(wordBefore, words)
    const minute = Number(m ?? m2 ?? m3 ?? m4 ?? 0)
    const millis = millisOf(Number(h), minute, Number(m === undefined ? (s3 ?? 0) : s), isLateAfter ?? isLateBefore)
    if (millis === undefined) return "impossible"
    const start = isLateBefore === undefined ? match.index : match.index - before.length
    const behind = isLateAfter === undefined ? end : end + after.length
    const zone = zoneAfter(text.slice(behind), words)
    if (zone === "unknown") return "impossible"
    return {
      millis: millis + Math.floor(Number(`0.${f || "0"}`) * 1000),
      zone: zone?.zone,
      rest: cut(text, start, behind + (zone?.length ?? 0))
    }
  }
  return undefined
}

/** Finds a time with a dot, in text from which the date has been removed. */
export const dottedTime = (text: string): TimeOfDay | undefined => {
  const match = dotted.exec(text)
  if (match === null) return undefined
  const millis = millisOf(Number(match.groups?.h), Number(match.groups?.m), Number(match.groups?.s ?? 0), undefined)
  if (millis === undefined) return undefined
  return { millis, zone: undefined, rest: cut(text, match.index, match.index + match[0].length) }
}
