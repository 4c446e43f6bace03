/**
 * Dates as pages write them, in every language that Intl knows: `5 mars 2024`, `03/04/2025 2:30 pm`, `vor 2 Stunden`, `Yesterday at 14:00`.
 *
 * - Three numbers: a number over 12 is the day. Otherwise the given order decides, then that of the locale (`en` and `en-US` month first,
 *   `en-GB` day first). Without both, dots mean day first, and any other date stays unread.
 * - A day that does not exist, such as 31 February, or month 13, is not a date; days never roll over into the next month.
 * - A date without a year is in the year of `now`, or in the year before if it would be more than half a year ahead. A weekday alone is
 *   today or its last occurrence.
 * - An amount without a direction (`3 h`) is in the past. Hours and less count from `now` to the millisecond; days and more name a day.
 * - A complete date may be part of a sentence without other numbers. In an incomplete date, every word must have a meaning.
 */
import { type CalendarDay, type DayReading, dayByName, dayInNumbers, daysIn } from "./CalendarDay.ts"
import { type DateWords, dateWords, type Order, weekdayNamed, wordKey } from "./DateWords.ts"
import { withoutEras } from "./OtherCalendar.ts"
import { relativeSteps, type Step } from "./RelativeDate.ts"
import { relativeWords } from "./RelativeWords.ts"
import { folded, knownLocale, plainText } from "./Text.ts"
import { dottedTime, type TimeOfDay, timeOfDay } from "./TimeOfDay.ts"
import { instantIn, offsetMillis } from "./TimeZone.ts"

export type { Order }

export interface DateOptions {
  /** Milliseconds since 1970; relative and incomplete dates refer to it. */
  readonly now: number
  /** Language of the page (BCP 47). English is always understood, too. */
  readonly locale?: string | undefined
  /** Order of day, month and year in numbers, if it differs from that of the locale. */
  readonly order?: Order | undefined
  /** Time zone for times that name none, and for the day of `now`. Default: UTC. */
  readonly timezone?: string | undefined
}

export interface DateReading {
  /** The day as written, as `YYYY-MM-DD`, in the time zone of the text. */
  readonly day: string
  readonly hasTime: boolean
  /** Point in time in milliseconds since 1970; midnight UTC for a day without a time. */
  readonly millis: number
}

/** Maximum length of text that is read, in characters. */
const maxText = 300

const dayMillis = 86_400_000

const english = () => dateWords("en")

/** Half a year in milliseconds. */
const halfYear = 183 * dayMillis

const readingOf = (day: number, time: TimeOfDay | undefined, timezone: string): DateReading | undefined => {
  if (Number.isNaN(new Date(day).getTime())) return undefined
  const name = new Date(day).toISOString().slice(0, 10)
  if (time === undefined) return { day: name, hasTime: false, millis: day }
  const wall = day + time.millis
  if (time.zone !== undefined && offsetMillis(time.zone, wall) === undefined) return undefined
  return { day: name, hasTime: true, millis: instantIn(time.zone ?? timezone, wall) }
}

const utcDay = (year: number, month: number, day: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

/** Midnight of the day of `now` in the time zone, as if its local time were UTC. */
const today = (now: number, timezone: string): number => {
  const wall = now + (offsetMillis(timezone, now) ?? 0)
  return wall - (((wall % dayMillis) + dayMillis) % dayMillis)
}

/** Adds months. A day that the new month does not have becomes its last day. */
const addMonths = (day: number, months: number): number => {
  const date = new Date(day)
  const count = date.getUTCFullYear() * 12 + date.getUTCMonth() + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return utcDay(year, month, Math.min(date.getUTCDate(), daysIn(month, year)))
}

const lengths = { second: 1000, minute: 60_000, hour: 3_600_000, day: dayMillis, week: 7 * dayMillis } as const
const monthLengths = { month: 1, quarter: 3, year: 12 } as const

const stepped = (
  steps: ReadonlyArray<Step>,
  time: TimeOfDay | undefined,
  { now }: DateOptions,
  timezone: string
): DateReading | undefined => {
  const start = today(now, timezone)
  let day = start
  let inDay = 0
  let isExact = false
  for (const { unit, amount } of steps) {
    if (unit === "month" || unit === "quarter" || unit === "year") day = addMonths(day, amount * monthLengths[unit])
    else if (unit === "day" || unit === "week") day += amount * lengths[unit]
    else {
      inDay += amount * lengths[unit]
      isExact = true
    }
  }
  if (!isExact) return readingOf(day, time, timezone)
  if (time !== undefined) return undefined
  // Hours and less count from `now`, which the local time does not tell where the clock is put back.
  const from = day === start ? now : instantIn(timezone, day + now + (offsetMillis(timezone, now) ?? 0) - start)
  const instant = from + inDay
  return readingOf(today(instant, timezone), undefined, timezone) === undefined
    ? undefined
    : { day: new Date(today(instant, timezone)).toISOString().slice(0, 10), hasTime: true, millis: instant }
}

/** Matches words before a date that say what happened on it. */
const labels =
  /^(?:[^\d:]{1,30}: |(?:last |date )?(?:posted|published|updated|modified|added|created|listed|written|edited|on|since)(?: on| at)?:? )/i

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}'.]*[\p{L}\p{M}]/gu) ?? []

/** True if every word is a weekday or only connects parts of a date. */
const isExplained = (text: string, vocabularies: ReadonlyArray<DateWords>): boolean =>
  !/\d/.test(text) &&
  wordsIn(text).every((word) =>
    vocabularies.some((words) => words.links.has(wordKey(word)) || weekdayNamed(wordKey(word), words) !== undefined)
  )

const relative = (
  text: string,
  time: TimeOfDay | undefined,
  vocabularies: ReadonlyArray<DateWords>,
  options: DateOptions,
  timezone: string
): DateReading | undefined => {
  const pieces = text
    .replace(/[|•·—–,]|(?<!\S)-(?=\D)/g, " ")
    .split(" ")
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  const isLink = (piece: string | undefined) => {
    const word = wordKey(piece ?? "").replace(/[^\p{L}\p{M}]/gu, "")
    return !/\d/.test(piece ?? "") && vocabularies.some(({ links }) => links.has(word))
  }
  while (pieces.length > 0) {
    const rest = pieces.join(" ")
    for (const { locale } of vocabularies) {
      const steps = relativeSteps(rest, relativeWords(locale))
      if (steps !== undefined) return stepped(steps, time, options, timezone)
    }
    // Drop words that connect a time: `Yesterday at`, `в 14:30 сегодня`.
    if (isLink(pieces.at(-1))) pieces.pop()
    else if (time !== undefined && isLink(pieces[0])) pieces.shift()
    else return undefined
  }
  return undefined
}

/** Reads a weekday, with or without a time, and nothing else. */
const weekday = (
  text: string,
  vocabularies: ReadonlyArray<DateWords>,
  now: number,
  timezone: string
): number | undefined => {
  const words = wordsIn(folded(text)).map(wordKey)
  for (const vocabulary of vocabularies) {
    const others = words.filter((word) => !vocabulary.links.has(word) || vocabulary.weekdays.has(word))
    const [only] = others
    const found =
      vocabulary.weekdays.get(words.join(" ")) ??
      (others.length === 1 && only !== undefined ? weekdayNamed(only, vocabulary) : undefined)
    if (found !== undefined) {
      const day = today(now, timezone)
      return day - ((new Date(day).getUTCDay() - found + 7) % 7) * dayMillis
    }
  }
  return undefined
}

/** Completes a date without a year, and returns its day as milliseconds in UTC. */
const withYear = ({ year, month, day }: CalendarDay, { now }: DateOptions, timezone: string): number | undefined => {
  if (year !== undefined) return utcDay(year, month, day)
  const current = new Date(today(now, timezone)).getUTCFullYear()
  const guess = utcDay(current, month, day)
  const nearest = guess - now > halfYear ? current - 1 : current
  return day > daysIn(month, nearest) ? undefined : utcDay(nearest, month, day)
}

/** Reads seconds or milliseconds since 1970, if they have the number of digits that times after 2001 have. */
const epoch = (text: string): number | undefined =>
  /^[1-9]\d{9}$/.test(text) ? Number(text) * 1000 : /^[1-9]\d{12}$/.test(text) ? Number(text) : undefined

/** Reads a date. Undefined for anything else, and for a date with two readings. */
export const readDate = (text: string, options: DateOptions): DateReading | undefined => {
  if (text.length > maxText) return undefined
  const timezone = options.timezone ?? "UTC"
  const plain = plainText(text).replace(/\s+/g, " ").trim()
  const since = epoch(plain)
  if (since !== undefined) return { day: new Date(since).toISOString().slice(0, 10), hasTime: true, millis: since }
  const locale = knownLocale(options.locale)
  const vocabularies =
    locale === undefined || locale.startsWith("en") ? [dateWords(locale ?? "en")] : [dateWords(locale), english()]
  const own = vocabularies[0] ?? english()
  const order = options.order ?? (locale === undefined ? undefined : own.order)
  // The T in `2014-09-03T10:00` is not part of a word.
  const spaced = withoutEras(plain)
    .replace(/(\d)T(?=\d)/, "$1 ")
    .replace(/\b(?:12 )?noon\b/i, "12:00")
    .replace(/\b(?:12 )?midnight\b/i, "00:00")
  const time = vocabularies.reduce<ReturnType<typeof timeOfDay>>(
    (found, words) => found ?? timeOfDay(spaced, words, own.locale),
    undefined
  )
  if (time === "impossible") return undefined
  const rest = time?.rest ?? spaced
  const numbers = dayInNumbers(rest, { order, calendar: own.calendar })
  // Amounts in relative dates never have four digits.
  if (numbers === undefined && !/\d{4}/.test(rest)) {
    const near = withoutDay(spaced, time, vocabularies, options, timezone)
    if (near !== undefined) return near
  }
  const first = numbers === undefined ? undefined : ofDay(numbers, time, vocabularies, options, timezone)
  if (first !== undefined || numbers === "impossible" || numbers === "ambiguous") return first
  // `5. marts 2024 kl. 14.07`: the dotted time would count as two more numbers.
  const dots = time === undefined ? dottedTime(rest) : undefined
  for (const clock of dots === undefined ? [time] : [dots, undefined]) {
    const found = dayByName(clock?.rest ?? rest, vocabularies, locale !== undefined)
    if (found !== undefined) return ofDay(found, clock, vocabularies, options, timezone)
  }
  return undefined
}

/** Result for a calendar day, if the text around it is allowed there. */
const ofDay = (
  found: DayReading,
  time: TimeOfDay | undefined,
  vocabularies: ReadonlyArray<DateWords>,
  options: DateOptions,
  timezone: string
): DateReading | undefined => {
  if (found === "impossible" || found === "ambiguous") return undefined
  const clock = time ?? dottedTime(found.rest)
  const left = clock === undefined || clock === time ? found.rest : clock.rest
  const isComplete = found.year !== undefined
  if (isComplete ? /\d/.test(left) : !isExplained(left.replace(labels, ""), vocabularies)) return undefined
  const day = withYear(found, options, timezone)
  return day === undefined ? undefined : readingOf(day, clock, timezone)
}

/** Reads dates without a calendar day: relative dates and weekdays. */
const withoutDay = (
  text: string,
  time: TimeOfDay | undefined,
  vocabularies: ReadonlyArray<DateWords>,
  options: DateOptions,
  timezone: string
): DateReading | undefined => {
  const whole = time === undefined ? undefined : relative(text, undefined, vocabularies, options, timezone)
  if (whole !== undefined) return whole
  const dots = time ?? dottedTime(text)
  for (const clock of dots === time ? [time] : [undefined, dots]) {
    const rest = (clock?.rest ?? text).trim()
    const label = labels.exec(rest)?.[0] ?? ""
    const found = relative(rest.slice(label.length), clock, vocabularies, options, timezone)
    if (found !== undefined) return found
    const day = /\d/.test(rest) ? undefined : weekday(rest.slice(label.length), vocabularies, options.now, timezone)
    if (day !== undefined) return readingOf(day, clock, timezone)
  }
  return undefined
}
