/**
 * Values for `since`: numbers, times and text, in a total order. A time is compared as a time, and sent in the form in which it was
 * received.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

export const Value = Schema.Union(Schema.String, Schema.Number)
export type Value = typeof Value.Type

export const isValue = Schema.is(Value)

/** ISO 8601: a month or day, optionally with separator, time, fraction and zone. */
const iso = /^(\d{4}-\d\d(?:-\d\d)?)(?:(T|\s+)(\d\d:\d\d(?::\d\d)?)(?:([.,])(\d+))?(\s*)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** Dates of HTTP and mail: `Fri, 20 Nov 2026 10:00:00 GMT` or `+0100`. */
const mail = /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (GMT|[+-]\d{4})$/

/** Dates of C with a zone: `Fri Nov 20 10:00:00 +0000 2026`. */
const ctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2} \d\d) (\d\d:\d\d:\d\d) (GMT|UTC|[+-]\d{4}) (\d{4})$/

/** A date that is compared as text, because it has no order that is known here: `12/31/2026`, `Nov 20, 2026`. */
const otherDate =
  /^\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|^\d{1,2}\/\d{1,2}\/\d\d\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b.*\d/i

/** Digits of a day, and perhaps a time: `20261120`, `202611201000`, `20261120100000`. */
const compact = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?$/

interface Time {
  /** Milliseconds since 1970, without the fraction of a second. */
  readonly at: number
  /** Digits of the fraction of a second. */
  readonly fraction: string
  readonly hasZone: boolean
  /** Formats another time in the same way. */
  readonly write: (at: number, fraction: string) => string
}

/** Milliseconds of a zone such as `+02:00`, `-0530` or `+02`. */
const offsetOf = (zone: string): number => {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return sign === undefined ? 0 : (sign === "-" ? -60_000 : 60_000) * (Number(hours) * 60 + Number(minutes))
}

/** Time in a string, in UTC if there is no zone; undefined for an invalid time, such as a day of zeros. */
const timeIn = (text: string): Time | undefined => {
  const [, zoneOfMail] = mail.exec(text) ?? []
  const [, dayOfC, clockOfC, zoneOfC, yearOfC] = ctime.exec(text) ?? []
  const givenZone = zoneOfMail ?? zoneOfC
  if (givenZone !== undefined) {
    const at = Date.parse(zoneOfC === undefined ? text : `${dayOfC} ${yearOfC} ${clockOfC} ${zoneOfC}`)
    const write = (other: number) => {
      const [weekday = "", date, month, year, clock] = new Date(other + offsetOf(givenZone)).toUTCString().split(" ")
      return zoneOfC === undefined
        ? [weekday, date, month, year, clock, givenZone].join(" ")
        : [weekday.slice(0, 3), month, date, clock, givenZone, year].join(" ")
    }
    return Number.isNaN(at) ? undefined : { at, fraction: "", hasZone: true, write }
  }
  const [, day, separator = "", clock = "", point = "", fraction = "", gap = "", zone = ""] = iso.exec(text) ?? []
  if (day === undefined) return undefined
  const offset = offsetOf(zone)
  const local = Date.parse(clock === "" ? day : `${day}T${clock}Z`)
  if (Number.isNaN(local)) return undefined
  return {
    at: local - offset,
    fraction,
    hasZone: zone !== "",
    write: (at, rest) => {
      const full = new Date(at + offset).toISOString()
      return `${full.slice(0, day.length)}${separator}${full.slice(11, 11 + clock.length)}${point}${rest}${gap}${zone}`
    }
  }
}

const isDigits = (text: string): boolean => /^\d+$/.test(text)

const numberIn = (value: Value): number | undefined => {
  const number = typeof value === "number" || value.trim() !== "" ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

const ofText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares values. Text comes before numbers, and both come before times, so that the largest value is a time or number if there is any.
 */
export const compare = (a: Value, b: Value): number => {
  if (a === b) return 0
  const [first, second] = [timeIn(String(a)), timeIn(String(b))]
  if (first !== undefined && second !== undefined) {
    const length = Math.max(first.fraction.length, second.fraction.length)
    return (
      first.at - second.at ||
      ofText(first.fraction.padEnd(length, "0"), second.fraction.padEnd(length, "0")) ||
      ofText(String(a), String(b))
    )
  }
  if (first !== undefined || second !== undefined) return first === undefined ? -1 : 1
  const [one, other] = [numberIn(a), numberIn(b)]
  if (one === undefined || other === undefined) {
    return one === other ? ofText(String(a), String(b)) : one === undefined ? -1 : 1
  }
  const [left, right] = [String(a), String(b)]
  if (isDigits(left) && isDigits(right)) return BigInt(left) < BigInt(right) ? -1 : BigInt(left) > BigInt(right) ? 1 : 0
  return one - other
}

/** Milliseconds by which the clock of a service may be ahead of the clock here. */
const maxSkew = 15 * 60_000
/** Milliseconds by which a time without a zone may be ahead of UTC. */
const maxOffset = 14 * 3_600_000

/**
 * True for a time in the future, if `now` is the time here in milliseconds. A number counts as a time only with a duration as the lag:
 * otherwise it may be anything that grows.
 */
export const isAhead = (value: Value, now: number, lag: Duration.Duration | number | undefined): boolean => {
  const time =
    (typeof value === "string" ? timeIn(value) : undefined) ?? (Duration.isDuration(lag) ? timeOf(value) : undefined)
  return time !== undefined && time.at > now + maxSkew + (time.hasZone ? 0 : maxOffset)
}

/** True for a date in a form that is not known here, so that its order is that of text. */
export const isOtherDate = (value: Value): boolean =>
  typeof value === "string" && timeIn(value) === undefined && otherDate.test(value)

/** Number of units per millisecond in a time since 1970: nanoseconds, microseconds, milliseconds or seconds, for times from 2001 on. */
const perMilli = (value: number): number =>
  value > 1e17 ? 1_000_000 : value > 1e14 ? 1000 : value > 100_000_000_000 ? 1 : 0.001

/** Smallest number that counts as seconds since 1970: the year 2001. Smaller ones may be pages or identifiers. */
const firstSecond = 978_307_200

/** Time of a day in digits, like `20261120`. */
const compactTime = (value: Value): Omit<Time, "fraction"> | undefined => {
  const text = String(value)
  const [, year, month, day, hour = "00", minute = "00", second = "00"] = compact.exec(text) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(at)) return undefined
  const write = (other: number) => new Date(other).toISOString().replace(/\D/g, "").slice(0, text.length)
  return { at, hasZone: false, write }
}

/** The time that a value with a duration as its lag means. */
const timeOf = (value: Value): Pick<Time, "at" | "hasZone"> | undefined => {
  const known = compactTime(value)
  const number = numberIn(value)
  if (known !== undefined || number === undefined || number < firstSecond) return known
  return { at: number / perMilli(number), hasZone: true }
}

/** Earliest time whose year has four digits. */
const firstTime = Date.parse("0000-01-01T00:00:00Z")

/** The value reduced by the lag, in the same form; unchanged if a lag makes no sense for it. */
export const before = (value: Value, lag: Duration.Duration | number | undefined): Value => {
  if (lag === undefined) return value
  const time = typeof value === "string" ? timeIn(value) : undefined
  if (typeof value === "string" && time !== undefined) {
    if (typeof lag === "number") return value
    // Rounds the lag up to whole seconds.
    const at = time.at - Math.ceil(Duration.toMillis(lag) / 1000) * 1000
    return at < firstTime + 86_400_000 ? value : time.write(at, time.fraction)
  }
  const number = numberIn(value)
  if (number === undefined) return value
  if (typeof lag !== "number") {
    const day = compactTime(value)
    if (day !== undefined) {
      const earlier = day.write(day.at - Math.ceil(Duration.toMillis(lag) / 1000) * 1000, "")
      return typeof value === "number" ? Number(earlier) : earlier
    }
    if (number < firstSecond) return value
  }
  const exact = typeof lag === "number" ? lag : Duration.toMillis(lag) * perMilli(number)
  // The result must not have a fraction if the value has none.
  const amount = typeof lag !== "number" && Number.isInteger(number) ? Math.ceil(exact) : exact
  if (typeof value === "number") return number - amount
  return isDigits(value) && Number.isInteger(amount) ? String(BigInt(value) - BigInt(amount)) : String(number - amount)
}
