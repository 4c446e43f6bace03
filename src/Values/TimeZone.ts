/** Time zones: IANA names, offsets such as `+05:30`, and the abbreviations used on pages. */
import * as Either from "effect/Either"
import { remember } from "./Remember.ts"

const zoneNamed = remember(1000, (name) =>
  Either.getOrUndefined(
    Either.try(() => new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" }))
  )
)

/** Maximum difference of a time zone from UTC, in hours. */
const maxOffset = 14

/** Offset of a time zone at a time, as `+0530`; undefined if it is not a time zone. */
export const offsetAt = (zone: string, millis: number): string | undefined => {
  if (/^(z|utc|gmt)$/i.test(zone)) return "+0000"
  const [, sign = "+", hours, minutes = "00"] = /^([+-])?(\d{2}):?(\d{2})$/.exec(zone) ?? []
  if (hours !== undefined) {
    const isZone = Number(hours) * 60 + Number(minutes) <= maxOffset * 60 && Number(minutes) < 60
    return isZone ? `${sign}${hours}${minutes}` : undefined
  }
  const [, short = "", hour = "", minute = "00"] = /^([+-])(\d{1,2})(?::(\d{2}))?$/.exec(zone) ?? []
  if (short !== "") return offsetAt(`${short}${hour.padStart(2, "0")}${minute}`, millis)
  if (!/^[A-Za-z]/.test(zone) || Number.isNaN(new Date(millis).getTime())) return undefined
  const parts = zoneNamed(zone)?.formatToParts(millis)
  const name = parts?.find(({ type }) => type === "timeZoneName")?.value
  if (name === undefined) return undefined
  const [, toward = "+", fullHour = "00", fullMinute = "00"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
  return `${toward}${fullHour}${fullMinute}`
}

/** Offset of a time zone at a time, in milliseconds; undefined if it is not a time zone. */
export const offsetMillis = (zone: string, millis: number): number | undefined => {
  const offset = offsetAt(zone, millis)
  if (offset === undefined) return undefined
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3))
  return (offset.startsWith("-") ? -minutes : minutes) * 60_000
}

/**
 * Converts a local time, given in milliseconds as if it were UTC, to milliseconds since 1970. Of an hour that occurs twice, takes the
 * first.
 */
export const instantIn = (zone: string, wall: number): number => {
  const before = wall - (offsetMillis(zone, wall - 86_400_000) ?? 0)
  return before + (offsetMillis(zone, before) ?? 0) === wall ? before : wall - (offsetMillis(zone, wall) ?? 0)
}

/** Offset or name by abbreviation. An abbreviation of several zones, such as CST, has the meaning that most pages intend. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  `Z:0 UT:0 UTC:0 GMT:0 WET:0 WEST:+1 BST:+1 CET:+1 CEST:+2 MEZ:+1 MESZ:+2 EET:+2 EEST:+3 MSK:+3 TRT:+3 SAST:+2 CAT:+2 EAT:+3 WAT:+1 GST:+4 PKT:+5
  IST:+0530 WIB:+7 ICT:+7 SGT:+8 HKT:+8 PHT:+8 PST:-8 PDT:-7 MST:-7 MDT:-6 CST:-6 CDT:-5 EST:-5 EDT:-4 AST:-4 ADT:-3 NST:-0330 NDT:-0230
  AKST:-9 AKDT:-8 HST:-10 BRT:-3 ART:-3 CLT:-4 CLST:-3 UYT:-3 JST:+9 KST:+9 AWST:+8 ACST:+0930 ACDT:+1030 AEST:+10 AEDT:+11
  NZST:+12 NZDT:+13 NPT:+0545 MYT:+8 WITA:+8 WIT:+9 HNE:-5 HAE:-4 HNC:-6 HAC:-5 HNR:-7 HAR:-6 HNP:-8 HAP:-7
  ET:America/New_York CT:America/Chicago MT:America/Denver PT:America/Los_Angeles`
    .split(/\s+/)
    .map((each) => {
      const [name = "", hours = ""] = each.split(":")
      return [name, hours === "0" ? "Z" : hours] as const
    })
)

/** A time zone as written after a time. */
export interface WrittenZone {
  /** Name or offset; undefined for an unknown abbreviation. */
  readonly zone: string | undefined
  /** Abbreviation; empty for an offset alone. */
  readonly name: string
  readonly length: number
}

/** Reads the time zone after a time: `Z`, ` CET`, ` (ET)`, `+02`, ` GMT+0200`. Undefined if nothing there may be one. */
export const zoneAtStart = (text: string): WrittenZone | undefined => {
  // Behind a space, `z` is a word in Polish.
  if (/^z(?!\p{L})/u.test(text)) return { zone: "Z", name: "Z", length: 1 }
  const [written = "", name = "", offset = ""] =
    /^ ?\(?(?:(Z|[A-Z]{2,5})(?![.-]?\p{L}))?(?: ?([+-]\d\d?(?::?\d\d)?)(?!\d))?\)?/u.exec(text) ?? []
  if (name === "" && offset === "") return undefined
  const known = name === "" ? "Z" : abbreviations.get(name)
  return { zone: known === undefined || offset === "" ? known : offset, name, length: written.length }
}

/** Matches a time of day in data. */
const clock = /\d:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m\b)?/i

/** Matches a zone at the end. */
const zoneAtEnd = /(?:z|[+-]\d{2}:?\d{2}|\b(?:gmt|utc?|[ecmp][sd]t))\)?(?: ?\([^()]*\)?)?$/i

/**
 * Parses ISO 8601, or a date as e-mail and scripts write it, to milliseconds since 1970; NaN for other text. Without a zone it is in UTC. A
 * comment at the end, as in `+0200 (CEST)`, is dropped.
 */
export const parseInstant = (written: string): number => {
  const text = written.trim().replace(/\s+/g, " ")
  const inUtc = (each: string) => Date.parse(/^\d{4}-/.test(each) ? `${each}Z` : `${each} UTC`)
  const time = clock.exec(text)
  const end = time === null ? text.length : time.index + time[0].length
  const found = zoneAtStart(text.slice(end).toUpperCase())
  if (found?.zone === undefined) {
    return zoneAtEnd.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : inUtc(text)
  }
  const wall = inUtc(text.slice(0, end) + text.slice(end + found.length).replace(/ ?\([^()]*\)?$/, ""))
  return offsetMillis(found.zone, wall) === undefined ? Number.NaN : new Date(instantIn(found.zone, wall)).getTime()
}
