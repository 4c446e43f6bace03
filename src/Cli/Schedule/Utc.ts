/** A cron expression of a time zone as expressions in UTC, for schedulers that know no other zone. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type Fields, fiveFields } from "./Fields.ts"

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
