/** Parses dates and time zones for expressions. A day that does not exist never becomes another day. */
import { daysIn } from "../../Values/CalendarDay.ts"
import { offsetAt, parseInstant } from "../../Values/TimeZone.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"
import type { Original } from "./JsonataLibrary.ts"

/** Maximum length of a date string. */
const maxDateLength = 1000

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/**
 * False for a day that does not exist, like 2024-02-30 or 31 Apr 2024, which `Date.parse` turns into a day of the next month. True if
 * the text names no day.
 */
export const isPossibleDate = (text: string): boolean => {
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(text)
  if (iso !== null) {
    const [year, month, day] = iso.slice(1).map(Number)
    return day !== undefined && day >= 1 && day <= daysIn(month ?? 0, year)
  }
  const month = (text.match(/[A-Za-z]{3,}/g) ?? [])
    .map((word) => months.indexOf(word.slice(0, 3).toLowerCase()))
    .find((index) => index >= 0)
  const day = /(?<![\d:.+-])(\d{1,2})(?![\d:])/.exec(text)?.[1]
  if (month === undefined || day === undefined) return true
  const year = /(?<!\d)\d{4}(?![\d:])/.exec(text)?.[0]
  return Number(day) >= 1 && Number(day) <= daysIn(month + 1, year === undefined ? undefined : Number(year))
}

/** Parses milliseconds, ISO 8601 or an e-mail date to milliseconds since 1970. Default time zone: UTC. */
export const parseTime = (value: string | number): number | undefined => {
  if (typeof value === "number") return Number.isNaN(new Date(value).getTime()) ? undefined : value
  const text = value.length > maxDateLength ? "" : value.trim()
  if (!/\d/.test(text) || !/^(\d{4}-|[A-Za-z]{3,9},? |\d{1,2} [A-Za-z]{3})/.test(text)) return undefined
  const parsed = parseInstant(text)
  return Number.isNaN(parsed) || !isPossibleDate(text) ? undefined : parsed
}

/** `$fromMillis`, extended to common notations of time zones: the library only accepts digits, and reads anything else as minutes. */
export const withZone = (fromMillis: Original): Original =>
  function (millis, picture, zone) {
    if (typeof millis === "number" && Number.isNaN(new Date(millis).getTime())) {
      throw new EvaluationFault("D2022", millis)
    }
    if (typeof zone !== "string" || typeof millis !== "number") return fromMillis.call(this, millis, picture, zone)
    const offset = offsetAt(zone, millis)
    if (offset === undefined) throw new EvaluationFault("D2021", zone)
    return fromMillis.call(this, millis, picture, offset)
  }

/** `$toMillis`, which returns undefined for a day that does not exist. */
export const withCalendar = (toMillis: Original): Original =>
  function (text, picture) {
    const millis = toMillis.call(this, text, picture)
    if (typeof millis === "number" && Number.isNaN(millis)) return undefined
    return picture === undefined && typeof text === "string" && !isPossibleDate(text) ? undefined : millis
  }
