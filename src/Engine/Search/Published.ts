/**
 * When a page or file says that it was published, as far as that can be read. What is said for machines goes before what
 * an address or the text shows, and a change of the page is the last resort. It is the page's word: the index believes
 * no date that lies in the future, or after the day when the page was seen already.
 */
import type { Dates } from "../Html/Metadata.ts"

/** Before it there were no pages. */
const earliest = Date.UTC(1990, 0, 1)

const zoned = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?$/i
/** Zones that have names; after a `T` no parser takes them. */
const named = /\b(?:UTC|GMT|[ECMP][SD]T)\b/i

/** A date with a year of four digits, a month and a day, and perhaps a time; without a zone it is of UTC. */
const read = (text: unknown): Date | undefined => {
  if (typeof text !== "string") return undefined
  const trimmed = text.trim().slice(0, 60)
  const [, year, month, day, rest = ""] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(.*)$/.exec(trimmed) ?? []
  const isWritten =
    year === undefined && /\b\d{4}\b/.test(trimmed) && /[a-z]{3}/i.test(trimmed) && /\b\d{1,2}\b/.test(trimmed)
  if (year === undefined && !isWritten) return undefined
  const time = rest.replace(/^[T ]+/i, "").trim()
  const apart = time === "" ? "" : named.test(time) ? " " : "T"
  const whole = year === undefined ? trimmed : `${year}-${month}-${day}${apart}${time}`
  // A day alone is of UTC by itself, everything else without a zone would be of this machine's.
  const zone = zoned.test(whole) || (!isWritten && time === "") ? "" : isWritten ? " UTC" : "Z"
  const millis = Date.parse(whole + zone)
  return Number.isNaN(millis) || millis < earliest ? undefined : new Date(millis)
}

/** `/2024/05/06/`, `/2024-05-06-name`: day and month with two digits, or it may be anything. */
const inPath = (url: string | undefined): Date | undefined => {
  const path = url === undefined ? "" : url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "")
  const found = /\/((?:19|20)\d{2})([/-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=[/_-]|\.|$)/.exec(path)
  return found === null ? undefined : read(`${found[1]}-${found[3]}-${found[4]}`)
}

export const publishedOf = (
  metadata: Readonly<Record<string, unknown>>,
  dates: Dates = {},
  url?: string
): Date | undefined => {
  const claims = [metadata.publishedTime, dates.published, dates.marked]
  for (const claim of claims) {
    const date = read(claim)
    if (date !== undefined) return date
  }
  return inPath(url) ?? read(dates.shown) ?? read(dates.modified) ?? read(metadata.modifiedTime)
}

/** Clocks differ by this much, and days by their zones. */
const tolerance = 86_400_000

/** The date in milliseconds as the index believes it; null when it does not. */
export const believed = (published: Date | undefined, now: number): number | null => {
  const time = published?.getTime()
  return time === undefined || Number.isNaN(time) || time > now + tolerance ? null : Math.min(time, now)
}
