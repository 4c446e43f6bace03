/** Calendar days in page text: `2024-03-05`, `5.3.24`, `5 mars 2024`, `2024年3月5日`. Never returns a day that does not exist. */
import { type DateWords, monthAnywhere, monthNamed, type Order } from "./DateWords.ts"
import { fromCalendar, isOtherYear, type OtherCalendar } from "./OtherCalendar.ts"
import { folded } from "./Text.ts"

export interface CalendarDay {
  /** Undefined if the text does not name a year. */
  readonly year: number | undefined
  readonly month: number
  readonly day: number
  /** Text without the day, in lower case and without accents. */
  readonly rest: string
}

/** Result of reading a day: the day; `impossible` if it does not exist, such as 31 February; `ambiguous` if it has two readings. */
export type DayReading = CalendarDay | "impossible" | "ambiguous"

/** Days in a month (from 1). Without a year, those in a leap year. */
export const daysIn = (month: number, year = 2000): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

const isPossible = (year: number | undefined, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year) && (year === undefined || year > 0)

/** Rules for reading the days of a page: the order of day, month and year, and the calendar. */
export interface DayRules {
  readonly order: Order | undefined
  /** Calendar that the page may use besides the Gregorian one. */
  readonly calendar: OtherCalendar | undefined
}

/** Gregorian day for year, month and day in the Gregorian or the page's other calendar; `impossible` if there is none. */
const gregorian = (
  year: number | undefined,
  month: number,
  day: number,
  rest: string,
  calendar: OtherCalendar | undefined
): CalendarDay | "impossible" => {
  if (calendar === undefined || year === undefined || !isOtherYear(year, calendar))
    return isPossible(year, month, day) ? { year, month, day, rest } : "impossible"
  const at = fromCalendar(calendar, year, month, day)
  if (at === undefined) return "impossible"
  const date = new Date(at)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), rest }
}

/** Completes a year of two digits: `24` is 2024 and `69` is 1969, as in POSIX. */
const fullYear = (written: string): number => {
  const year = Number(written)
  return written.length > 2 ? year : year + (year < 69 ? 2000 : 1900)
}

const yearFirst =
  /(?<!\d)(\d{4}|\d{2}(?=[年년])) ?(?:([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,2})(?!\d)\.?|[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日日號号일]?)/
const monthAndDay = /(?<!\d)(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日號号일]/
const yearLast = /(?<!\d)(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?'?(\d{4}|\d{1,2})(?!\d)\.?/
const allDigits = /^(\d{4})(\d{2})(\d{2})$/

const reading = (
  text: string,
  match: RegExpExecArray,
  year: number | undefined,
  month: number,
  day: number,
  { calendar }: DayRules
): DayReading => {
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  return gregorian(year, month, day, folded(rest), calendar)
}

/** Reads three numbers: a number over 12 is not the month; otherwise the order decides. */
const ordered = (text: string, match: RegExpExecArray, rules: DayRules): DayReading => {
  const { order } = rules
  const [, one = "", separator, two = "", three = ""] = match
  if (order === "YMD" && three.length <= 2 && one.length === 2) {
    const first = reading(text, match, fullYear(one), Number(two), Number(three), rules)
    if (first !== "impossible") return first
  }
  if (three.length === 1) return "impossible"
  const year = fullYear(three)
  const dayFirst = reading(text, match, year, Number(two), Number(one), rules)
  const monthFirst = reading(text, match, year, Number(one), Number(two), rules)
  if (dayFirst === "impossible") return monthFirst
  if (monthFirst === "impossible" || one === two) return dayFirst
  if (order === undefined) return separator === "." ? dayFirst : "ambiguous"
  return order === "MDY" ? monthFirst : dayFirst
}

/** Finds a day in numbers: `2024-03-05`, `5.3.24`, `2024年3月5日`. Undefined if there is none. */
export const dayInNumbers = (text: string, rules: DayRules): DayReading | undefined => {
  const whole = allDigits.exec(text.trim())
  const first = yearFirst.exec(text)
  if (first !== null) {
    const [, year = "", , month, day, month2, day2] = first
    return reading(text, first, fullYear(year), Number(month ?? month2), Number(day ?? day2), rules)
  }
  const last = yearLast.exec(text)
  if (last !== null) return ordered(text, last, rules)
  const short = monthAndDay.exec(text)
  if (short !== null) return reading(text, short, undefined, Number(short[1]), Number(short[2]), rules)
  if (whole !== null && /^(19|20)/.test(text.trim())) {
    return reading(text.trim(), whole, Number(whole[1]), Number(whole[2]), Number(whole[3]), rules)
  }
  return undefined
}

interface NamedMonth {
  readonly month: number
  /** Calendar of the month name, if it is not the Gregorian one. */
  readonly calendar?: OtherCalendar | undefined
  readonly start: number
  readonly end: number
}

const isLetter = /[\p{L}\p{M}]/u

const namedMonth = (text: string, words: DateWords): NamedMonth | undefined => {
  for (const [name, month] of words.otherMonths) {
    const start = text.indexOf(name)
    const end = start + name.length
    const isWord = start >= 0 && !isLetter.test(text.charAt(start - 1)) && !isLetter.test(text.charAt(end))
    if (isWord) return { month, start, end, calendar: words.calendar }
  }
  for (const [phrase, month] of words.monthPhrases) {
    const start = text.indexOf(phrase)
    const ending = /^\p{L}{0,3}(?!\p{L})/u.exec(text.slice(start + phrase.length))?.[0]
    const end = start + phrase.length + (ending?.length ?? 0)
    const isWhole =
      ending !== undefined && !(/\d$/.test(phrase) && /^[\p{L}\d]/u.test(text.slice(start + phrase.length)))
    if (start >= 0 && isWhole) return { month, start, end }
  }
  const found: Array<NamedMonth & { readonly isSure: boolean }> = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}](?:[\p{L}\p{M}]|'(?=\p{L}))*/gu)) {
    const month = monthNamed(word, words)
    if (month === undefined) continue
    const end = index + word.length
    const isBesideNumber = /\d[\s.,'-]*$/.test(text.slice(0, index)) || /^[\s.,'-]*\d/.test(text.slice(end))
    // `mar` can mean Tuesday or March.
    found.push({ month, start: index, end, isSure: isBesideNumber && !words.weekdays.has(word) })
  }
  const chosen = found.find(({ isSure }) => isSure) ?? found[0]
  if (chosen !== undefined) return chosen
  for (const [name, month] of words.unspacedMonths) {
    const start = text.indexOf(name)
    if (start >= 0) return { month, start, end: start + name.length }
  }
  return undefined
}

const monthOfAnyLanguage = (text: string): NamedMonth | undefined => {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
    const month = monthAnywhere(word)
    if (month !== undefined) return { month, start: index, end: index + word.length }
  }
  return undefined
}

/** A number: `'24` with its apostrophe, `22nd` with its ordinal suffix; of `25শে` only the digits. */
const numberIn = /(')?(?<!\d)(\d+)(?!\d)(?:(?:st|nd|rd|th|er|eme|re|a|o|º|ª)(?![\p{L}]))?/gu

const byName = (
  text: string,
  { month, start, end, calendar }: NamedMonth,
  own: OtherCalendar | undefined
): DayReading | undefined => {
  const rest = `${text.slice(0, start)} | ${text.slice(end)}`
  const numbers = [...rest.matchAll(numberIn)].map(([written, mark, digits = ""]) => ({ written, mark, digits }))
  const [one, two, three] = numbers
  if (one === undefined || three !== undefined) return undefined
  const isYear = ({ mark, digits }: typeof one) =>
    mark !== undefined || digits.length === 4 || (digits.length === 2 && Number(digits) > 31)
  const year = [one, two].find((number) => number !== undefined && isYear(number)) ?? two
  const day = year === one ? two : one
  if (day === undefined || day.digits.length > 2 || (year !== undefined && ![2, 4].includes(year.digits.length)))
    return undefined
  const value = year === undefined ? undefined : fullYear(year.digits)
  const left = rest.replace(numberIn, " ").replace("|", " ")
  if (calendar !== undefined && (value === undefined || !isOtherYear(value, calendar))) return "ambiguous"
  return gregorian(value, month, Number(day.digits), left, calendar ?? (own === "buddhist" ? own : undefined))
}

/**
 * Finds a day whose month is named. Without a language, month names of all languages count, but only for dates with a year. Undefined if
 * there is none.
 */
export const dayByName = (
  text: string,
  vocabularies: ReadonlyArray<DateWords>,
  isToldLanguage: boolean
): DayReading | undefined => {
  if (!/\d/.test(text)) return undefined
  // Remove the dots in abbreviations such as `มี.ค.`, which make them two words.
  const low = folded(text).replace(/(?<=[\p{L}\p{M}])\.(?=\p{L})/gu, "")
  for (const words of vocabularies) {
    const rest = words.weekdayPhrases.reduce((text, phrase) => text.replace(phrase, " "), low)
    const month = namedMonth(rest, words)
    if (month !== undefined) return byName(rest, month, words.calendar)
  }
  const month = isToldLanguage || !/\d{4}|'\d\d/.test(low) ? undefined : monthOfAnyLanguage(low)
  const found = month === undefined ? undefined : byName(low, month, undefined)
  return typeof found === "object" && found.year === undefined ? undefined : found
}
