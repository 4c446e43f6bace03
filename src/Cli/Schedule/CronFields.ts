/** Fields of a cron expression as sets of numbers, for schedulers with another syntax; also converted to UTC. */
import { CronPattern } from "croner"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** A weekday in a month: the n-th, or the last. */
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
  /** Undefined where every day of the month will do. */
  readonly days: ReadonlyArray<number> | undefined
  readonly lastDay: boolean
  /** 0 is Sunday; undefined where every weekday will do. */
  readonly weekdays: ReadonlyArray<number> | undefined
  readonly nths: ReadonlyArray<Nth>
  /** Days and weekdays must both be right; else one of them is enough, as cron has it. */
  readonly both: boolean
  /** What is in it that only croner knows: the weekday nearest to a day, the last weekday. */
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

/** Takes an expression apart that was checked before. */
export const fieldsOf = (cron: string): Fields => {
  const pattern = new CronPattern(cron, undefined, { mode: "5-or-6-parts", sloppyRanges: true })
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

/** What five plain fields cannot say; undefined when they can. */
export const beyondCrontab = (fields: Fields): string | undefined => {
  if (fields.seconds.join() !== "0") return "it begins at seconds other than 0"
  if (fields.lastDay) return "L, the last day of a month, is not known there"
  if (fields.nearest) return "W, the nearest weekday, is not known there"
  if (fields.nths.length > 0) return "a weekday such as 5#2 or 5L, by its place in the month, is not known there"
  return fields.both && fields.days !== undefined && fields.weekdays !== undefined
    ? "+, a day that must have the right weekday too, is not known there"
    : undefined
}

/** Runs of numbers that follow each other. */
export const ranges = (values: ReadonlyArray<number>): ReadonlyArray<readonly [from: number, to: number]> => {
  const found: Array<[number, number]> = []
  for (const value of values) {
    const last = found[found.length - 1]
    if (last !== undefined && last[1] + 1 === value) last[1] = value
    else found.push([value, value])
  }
  return found
}

/** The step of values that stand evenly from the first to the end, when there are enough of them to be worth it. */
export const stepOf = (values: ReadonlyArray<number>, first: number, last: number): number | undefined => {
  const step = (values[1] ?? first) - (values[0] ?? first)
  const even = values.every((value, index) => value === first + index * step)
  return values.length > 2 && step > 1 && even && (values[values.length - 1] ?? 0) + step > last ? step : undefined
}

/** `*`, a step, or ranges: a field of a crontab. */
export const cronField = (values: ReadonlyArray<number> | undefined, first: number, last: number): string => {
  if (values === undefined || values.length === last - first + 1) return "*"
  const step = stepOf(values, first, last)
  if (step !== undefined) return `*/${step}`
  return ranges(values)
    .map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
    .join(",")
}

/** Days that are named begin with no star, not even with that of a step: crons take it for every day then. */
const dayField = (values: ReadonlyArray<number> | undefined, first: number, last: number): string =>
  values === undefined
    ? "*"
    : values.length === last - first + 1
      ? `${first}-${last}`
      : cronField(values, first, last).replace("*", `${first}-${last}`)

/** Five fields: minute, hour, day, month, weekday. */
export const fiveFields = ({ days, hours, minutes, months, weekdays }: Fields): string =>
  [
    cronField(minutes, 0, 59),
    cronField(hours, 0, 23),
    dayField(days, 1, 31),
    cronField(months, 1, 12),
    dayField(weekdays, 0, 6)
  ].join(" ")

const day = 24 * 60

const offsetAt = (instant: number, zone: string): number =>
  Option.match(DateTime.makeZoned(instant, { timeZone: zone }), {
    onNone: () => 0,
    onSome: (zoned) => DateTime.zonedOffset(zoned) / 60_000
  })

export interface Offsets {
  /** Minutes that the clocks of the zone are before UTC, without and with daylight saving. */
  readonly standard: number
  readonly summer: number
}

/** As they are in the year of an instant. */
export const offsetsOf = (zone: string, now: number): Offsets => {
  const year = new Date(now).getUTCFullYear()
  const offsets = Array.from({ length: 12 }, (_, month) => offsetAt(Date.UTC(year, month, 15), zone))
  return { standard: Math.min(...offsets), summer: Math.max(...offsets) }
}

interface Group {
  /** Days that its begin lies before (-1) or after (1) in UTC. */
  readonly shift: number
  readonly minutes: ReadonlyArray<number>
  readonly hours: Array<number>
}

/** Hours of the same minutes and on the same day, together. */
const groupsOf = ({ hours, minutes }: Fields, offset: number, everyDay: boolean): ReadonlyArray<Group> => {
  const byHour = new Map<string, { shift: number; hour: number; minutes: Array<number> }>()
  for (const hour of hours) {
    for (const minute of minutes) {
      const at = hour * 60 + minute - offset
      const days = Math.floor(at / day)
      const ofDay = at - days * day
      // On which day something is matters only where a day is named.
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

/** The expressions in UTC; a text says why there are none. */
export const inUtc = (fields: Fields, offset: number): ReadonlyArray<string> | string => {
  const everyDay = fields.days === undefined && fields.weekdays === undefined && fields.months.length === 12
  const groups = groupsOf(fields, offset, everyDay)
  const moved = groups.some(({ shift }) => shift !== 0)
  if (moved && (fields.days !== undefined || fields.months.length < 12)) {
    return "it is on certain days of a month, and some of its instants are on another day in UTC: give it `timezone: UTC`"
  }
  return groups.map(({ hours, minutes, shift }) =>
    fiveFields({
      ...fields,
      minutes,
      hours: ascending(hours),
      weekdays: fields.weekdays && ascending(fields.weekdays.map((weekday) => (weekday + shift + 7) % 7))
    })
  )
}
