/** Parses a cron expression into sets of numbers, and converts these to UTC for schedulers that need it. */
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { croner } from "../../Packages.ts"

/** A weekday that is meant only once in a month: its n-th or its last occurrence. */
export interface Nth {
  /** 0 is Sunday. */
  readonly weekday: number
  readonly nth: number | "last"
}

export interface Fields {
  readonly seconds: ReadonlyArray<number>
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  /** 1 to 12. */
  readonly months: ReadonlyArray<number>
  /** Days of the month; undefined for every day. */
  readonly days: ReadonlyArray<number> | undefined
  readonly lastDay: boolean
  /** Days of the week, 0 is Sunday; undefined for every day. */
  readonly weekdays: ReadonlyArray<number> | undefined
  readonly nths: ReadonlyArray<Nth>
  /** True if a time must match days and weekdays; by default one of the two is enough, as in cron. */
  readonly both: boolean
  /** True for fields that only croner supports: the weekday nearest to a day, or the last weekday. */
  readonly nearest: boolean
}

const set = (bits: ReadonlyArray<number>, first: number): ReadonlyArray<number> =>
  bits.flatMap((bit, index) => (bit === 0 ? [] : [index + first]))

const everyWeek = 63
const lastWeek = 32

const nthsOf = (bits: ReadonlyArray<number>): ReadonlyArray<Nth> =>
  bits.slice(0, 7).flatMap((mask, weekday): ReadonlyArray<Nth> => {
    if (mask === 0 || mask === everyWeek) return []
    const counted = [1, 2, 3, 4, 5].filter((nth) => (mask & (1 << (nth - 1))) !== 0)
    return [
      ...counted.map((nth): Nth => ({ weekday, nth })),
      ...((mask & lastWeek) === 0 ? [] : [{ weekday, nth: "last" } as const])
    ]
  })

/** Parses a valid expression. */
export const fieldsOf = (cron: string): Fields => {
  const pattern = new (croner().CronPattern)(cron, undefined, { mode: "5-or-6-parts", sloppyRanges: true })
  const { day, dayOfWeek, hour, lastDayOfMonth, lastWeekday, minute, month, nearestWeekdays, second } = pattern
  const plain = dayOfWeek.slice(0, 7).flatMap((mask, weekday) => (mask === everyWeek ? [weekday] : []))
  return {
    seconds: set(second, 0),
    minutes: set(minute, 0),
    hours: set(hour, 0),
    months: set(month, 1),
    days: pattern.starDOM ? undefined : set(day, 1),
    lastDay: lastDayOfMonth,
    weekdays: pattern.starDOW ? undefined : plain,
    nths: pattern.starDOW ? [] : nthsOf(dayOfWeek),
    both: pattern.useAndLogic,
    nearest: lastWeekday || nearestWeekdays.some((bit) => bit !== 0)
  }
}

/** Reason why the five fields of a crontab cannot express it; undefined if they can. */
const beyondCrontab = (fields: Fields): string | undefined => {
  if (fields.seconds.join() !== "0") return "it starts at seconds other than 0"
  if (fields.lastDay) return "five-field cron cannot express L, the last day of a month"
  if (fields.nearest) return "five-field cron cannot express W, the nearest weekday"
  if (fields.nths.length > 0)
    return "five-field cron cannot express a weekday by its place in the month, such as 5#2 or 5L"
  return fields.both && fields.days !== undefined && fields.weekdays !== undefined
    ? "five-field cron cannot express +, a day that must also be a certain weekday"
    : undefined
}

/** Fields of an expression if a crontab can express it; the left side is the reason why not. */
export const crontabFields = (cron: string): Either.Either<Fields, string> => {
  const fields = fieldsOf(cron)
  const reason = beyondCrontab(fields)
  return reason === undefined ? Either.right(fields) : Either.left(reason)
}

/** Ranges of consecutive numbers. */
const ranges = (values: ReadonlyArray<number>): ReadonlyArray<readonly [from: number, to: number]> => {
  const found: Array<[number, number]> = []
  for (const value of values) {
    const last = found[found.length - 1]
    if (last !== undefined && last[1] + 1 === value) last[1] = value
    else found.push([value, value])
  }
  return found
}

/** Distance between evenly spaced values that cover the whole range; undefined for fewer than three values, or for any others. */
const stepOf = (values: ReadonlyArray<number>, first: number, last: number): number | undefined => {
  const step = (values[1] ?? first) - (values[0] ?? first)
  const even = values.every((value, index) => value === first + index * step)
  return values.length > 2 && step > 1 && even && (values[values.length - 1] ?? 0) + step > last ? step : undefined
}

/** Ranges as text, separated by commas. */
const rangesText = (values: ReadonlyArray<number>, between: string, text: (value: number) => string): string =>
  ranges(values)
    .map(([from, to]) => (from === to ? text(from) : `${text(from)}${between}${text(to)}`))
    .join(",")

/** A field of a crontab: `*`, a step, or ranges. */
const cronField = (values: ReadonlyArray<number> | undefined, first: number, last: number): string => {
  if (values === undefined || values.length === last - first + 1) return "*"
  const step = stepOf(values, first, last)
  return step === undefined ? rangesText(values, "-", String) : `*/${step}`
}

/** Field with restricted days. Never starts with a star: cron would read a step such as `*\/2` as "every day". */
const dayField = (values: ReadonlyArray<number> | undefined, first: number, last: number): string =>
  values === undefined
    ? "*"
    : values.length === last - first + 1
      ? `${first}-${last}`
      : cronField(values, first, last).replace("*", `${first}-${last}`)

/** The five fields of a crontab: minute, hour, day, month, weekday. */
export const fiveFields = ({ days, hours, minutes, months, weekdays }: Fields): string =>
  [
    cronField(minutes, 0, 59),
    cronField(hours, 0, 23),
    dayField(days, 1, 31),
    cronField(months, 1, 12),
    dayField(weekdays, 0, 6)
  ].join(" ")

const day = 24 * 60

const offsetAt = (millis: number, zone: string): number =>
  Option.match(DateTime.makeZoned(millis, { timeZone: zone }), {
    onNone: () => 0,
    onSome: (zoned) => DateTime.zonedOffset(zoned) / 60_000
  })

export interface Offsets {
  /** Minutes ahead of UTC, without and with daylight saving time. */
  readonly standard: number
  readonly summer: number
}

/** Offsets of a time zone in the year of `now`. */
export const offsetsOf = (zone: string, now: number): Offsets => {
  const year = new Date(now).getUTCFullYear()
  const offsets = Array.from({ length: 12 }, (_, month) => offsetAt(Date.UTC(year, month, 15), zone))
  return { standard: Math.min(...offsets), summer: Math.max(...offsets) }
}

interface Group {
  /** Shift of the day in UTC: -1 for the day before, 1 for the day after. */
  readonly shift: number
  readonly minutes: ReadonlyArray<number>
  readonly hours: Array<number>
}

/** Groups hours with the same minutes that fall on the same day in UTC. */
const groupsOf = ({ hours, minutes }: Fields, offset: number, everyDay: boolean): ReadonlyArray<Group> => {
  const byHour = new Map<string, { shift: number; hour: number; minutes: Array<number> }>()
  for (const hour of hours) {
    for (const minute of minutes) {
      const at = hour * 60 + minute - offset
      const days = Math.floor(at / day)
      const ofDay = at - days * day
      // The shift by a day only matters if the expression restricts days.
      const shift = everyDay ? 0 : days
      const key = `${shift} ${Math.floor(ofDay / 60)}`
      const found = byHour.get(key) ?? { shift, hour: Math.floor(ofDay / 60), minutes: [] }
      found.minutes.push(ofDay % 60)
      byHour.set(key, found)
    }
  }
  const groups = new Map<string, Group>()
  for (const { hour, minutes, shift } of byHour.values()) {
    const sorted = minutes.sort((a, b) => a - b)
    const key = `${shift} ${sorted.join()}`
    const group = groups.get(key) ?? { shift, minutes: sorted, hours: [] }
    group.hours.push(hour)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const ascending = (values: ReadonlyArray<number>) => [...new Set(values)].sort((a, b) => a - b)

/** Equivalent expressions in UTC; the left side is the reason why there are none. */
export const inUtc = (fields: Fields, offset: number): Either.Either<ReadonlyArray<string>, string> => {
  const everyDay = fields.days === undefined && fields.weekdays === undefined && fields.months.length === 12
  const groups = groupsOf(fields, offset, everyDay)
  const moved = groups.some(({ shift }) => shift !== 0)
  if (moved && (fields.days !== undefined || fields.months.length < 12)) {
    return Either.left(
      "it names days of a month, and some of its times are on another day in UTC: set `timezone: UTC` in its schedule"
    )
  }
  return Either.right(
    groups.map(({ hours, minutes, shift }) =>
      fiveFields({
        ...fields,
        minutes,
        hours: ascending(hours),
        weekdays: fields.weekdays && ascending(fields.weekdays.map((weekday) => (weekday + shift + 7) % 7))
      })
    )
  )
}

const weekdayTexts = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const two = (value: number): string => String(value).padStart(2, "0")

const calendarField = (values: ReadonlyArray<number>, first: number, last: number): string => {
  if (values.length === last - first + 1) return "*"
  const step = stepOf(values, first, last)
  return step === undefined ? rangesText(values, "..", two) : `${two(first)}/${step}`
}

/** Weekdays such as `Mon..Fri`; systemd's week starts on Monday. */
const weekdayNames = (weekdays: ReadonlyArray<number>): string => {
  const fromMonday = weekdays.map((day) => (day + 6) % 7).sort((a, b) => a - b)
  return rangesText(fromMonday, "..", (day) => weekdayTexts[(day + 1) % 7] ?? "")
}

/** Pairs of weekday and day of the month, as in OnCalendar; several if cron accepts either. */
const daysOf = ({ both, days, lastDay, nths, weekdays }: Fields): ReadonlyArray<readonly [string, string]> => {
  const numbered = days === undefined ? undefined : days.length > 0 ? `-${calendarField(days, 1, 31)}` : undefined
  const months: ReadonlyArray<string> = [...(numbered === undefined ? [] : [numbered]), ...(lastDay ? ["~01"] : [])]
  const plain = weekdays === undefined || weekdays.length === 0 ? [] : [weekdayNames(weekdays)]
  const placed = nths.map(({ nth, weekday }): readonly [string, string] => [
    weekdayTexts[weekday] ?? "",
    nth === "last" ? "~07/1" : `-${two(nth * 7 - 6)}..${two(Math.min(31, nth * 7))}`
  ])
  const anyMonthDay = days === undefined && !lastDay
  const anyWeekday = weekdays === undefined
  if (anyMonthDay && anyWeekday) return [["", "-*"]]
  if (anyWeekday) return months.map((day) => ["", day] as const)
  if (anyMonthDay) return [...plain.map((week) => [week, "-*"] as const), ...placed]
  if (both) return plain.flatMap((week) => months.map((day) => [week, day] as const))
  return [...months.map((day) => ["", day] as const), ...plain.map((week) => [week, "-*"] as const), ...placed]
}

/** `OnCalendar=` expressions for a cron expression; the left side is the reason why there are none. */
export const calendarsOf = (cron: string, timezone: string): Either.Either<ReadonlyArray<string>, string> => {
  const fields = fieldsOf(cron)
  if (fields.nearest) return Either.left("systemd cannot express W, the nearest weekday")
  if (fields.both && fields.nths.length > 0 && (fields.days !== undefined || fields.lastDay)) {
    return Either.left("systemd cannot express a day that must also be a certain weekday of its month")
  }
  const month = calendarField(fields.months, 1, 12)
  const time = [
    calendarField(fields.hours, 0, 23),
    calendarField(fields.minutes, 0, 59),
    calendarField(fields.seconds, 0, 59)
  ].join(":")
  return Either.right(
    daysOf(fields).map(([week, day]) => [week, `*-${month}${day}`, time, timezone].filter(Boolean).join(" "))
  )
}
