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

/** Date in HTTP format (RFC 9110, 5.6.7). */
const http = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

interface Time {
  /** Milliseconds since 1970, without the fraction of a second. */
  readonly at: number
  /** Digits of the fraction of a second. */
  readonly fraction: string
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
  if (http.test(text)) {
    const at = Date.parse(text)
    return Number.isNaN(at) ? undefined : { at, fraction: "", write: (other) => new Date(other).toUTCString() }
  }
  const [, day, separator = "", clock = "", point = "", fraction = "", gap = "", zone = ""] = iso.exec(text) ?? []
  if (day === undefined) return undefined
  const offset = offsetOf(zone)
  const local = Date.parse(clock === "" ? day : `${day}T${clock}Z`)
  if (Number.isNaN(local)) return undefined
  return {
    at: local - offset,
    fraction,
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

/** True for a string with a time after `millis` (since 1970). Numbers may be anything that grows. */
export const isAfter = (value: Value, millis: number): boolean =>
  typeof value === "string" && (timeIn(value)?.at ?? millis) > millis

/** Number of units per millisecond in a time since 1970: nanoseconds, microseconds, milliseconds or seconds, for times from 2001 on. */
const perMilli = (value: number): number =>
  value > 1e17 ? 1_000_000 : value > 1e14 ? 1000 : value > 100_000_000_000 ? 1 : 0.001

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
  const exact = typeof lag === "number" ? lag : Duration.toMillis(lag) * perMilli(number)
  // The result must not have a fraction if the value has none.
  const amount = typeof lag !== "number" && Number.isInteger(number) ? Math.ceil(exact) : exact
  if (typeof value === "number") return number - amount
  return isDigits(value) && Number.isInteger(amount) ? String(BigInt(value) - BigInt(amount)) : String(number - amount)
}
