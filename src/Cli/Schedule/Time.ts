/** Reads and prints times in the time zone of a pipeline. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { lastScheduledTime, type Schedule } from "../../Pipeline/Schedule.ts"

const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/
const absolute = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/i
const span = /^(\d+)(m|h|d)$/

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** True for an existing date: `Date` reads the 31st of February as the 3rd of March. */
const isDay = (date: string): boolean => {
  const made = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(date)
}

/**
 * Parses a time into milliseconds since 1970. If clocks go back, an ambiguous time means the first one; a time skipped by the clocks moves
 * forward by the length of the gap.
 */
export const parse = (text: string, timezone: string): number | undefined => {
  const [, date, time = "00:00", seconds = "00"] = local.exec(text.trim()) ?? []
  if (date !== undefined) {
    if (!isDay(date)) return undefined
    const zoned = DateTime.makeZoned(`${date}T${time}:${seconds}Z`, { timeZone: timezone, adjustForTimeZone: true })
    return Option.getOrUndefined(Option.map(zoned, DateTime.toEpochMillis))
  }
  if (!absolute.test(text.trim()) || !isDay(text.trim().slice(0, 10))) return undefined
  const millis = Date.parse(text.trim().replace(" ", "T"))
  return Number.isNaN(millis) ? undefined : millis
}

/**
 * The scheduled time that a user names, as the daemon schedules it: a time skipped by the clocks runs at the first moment after the gap.
 * Other times are read by {@link parse}, whether they are scheduled or not.
 */
export const scheduledAt = (text: string, schedule: Pick<Schedule, "cron" | "timezone">): number | undefined => {
  const { cron, timezone } = schedule
  const millis = parse(text, timezone)
  const named = parse(text, "UTC")
  if (millis === undefined || named === undefined || !local.test(text.trim())) return millis
  const offset = offsetAt(millis, timezone)
  const isSkipped = named - millis !== offset
  if (!isSkipped || lastScheduledTime({ cron, timezone: "UTC" }, named) !== named) return millis
  let [before, after] = [millis - aDay, millis]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle, timezone) === offset) after = middle
    else before = middle
  }
  return after
}

const aDay = 86_400_000

/** Difference of the local time to UTC, in milliseconds. */
const offsetAt = (millis: number, timezone: string): number =>
  Option.match(DateTime.makeZoned(millis, { timeZone: timezone }), { onNone: () => 0, onSome: DateTime.zonedOffset })

/** Parses a time, or a duration from now like 12h. */
export const parseUntil = (text: string, timezone: string, now: number): number | undefined => {
  const [, size, unit] = span.exec(text.trim()) ?? []
  return size === undefined ? parse(text, timezone) : now + Number(size) * units[unit as keyof typeof units]
}

export const expected =
  "write 2026-03-29T06:15 for the pipeline's time zone, or 2026-03-29T04:15Z or 2026-03-29T06:15+02:00"

/** Time such as `2026-03-29 06:15`, with seconds only if they are not zero, or if `cron` has a field for them. */
export const show = (millis: number, timezone: string, cron = ""): string =>
  Option.match(DateTime.makeZoned(millis, { timeZone: timezone }), {
    onNone: () => new Date(millis).toISOString(),
    onSome: (zoned) => {
      const [date, time = ""] = DateTime.formatIsoOffset(zoned).split("T")
      const hasSeconds = millis % 60_000 !== 0 || cron.trim().split(/\s+/).length === 6
      return `${date} ${time.slice(0, hasSeconds ? 8 : 5)}`
    }
  })

/** Time of a schedule with the name of its zone: `2026-03-29 06:15 Europe/Berlin`. */
export const showIn = (millis: number, { cron, timezone }: Pick<Schedule, "cron" | "timezone">): string =>
  `${show(millis, timezone, cron)} ${timezone}`

/** Distance from now, like `in 12 min` or `3 h ago`. */
export const distance = (millis: number, now: number): string => {
  const seconds = Math.round(Math.abs(millis - now) / 1000)
  const text =
    seconds < 90
      ? `${seconds} s`
      : seconds < 90 * 60
        ? `${Math.round(seconds / 60)} min`
        : seconds < 36 * 3600
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} d`
  return millis >= now ? `in ${text}` : `${text} ago`
}
