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
  const [, sign = "+", hours, minutes = "00"] = /^([+-])?(\d{2}):?(\d{2})$|^[+-]\d{1,2}$/.exec(zone) ?? []
  if (hours !== undefined) {
    const isZone = Number(hours) * 60 + Number(minutes) <= maxOffset * 60 && Number(minutes) < 60
    return isZone ? `${sign}${hours}${minutes}` : undefined
  }
  if (/^[+-]\d{1,2}$/.test(zone)) return offsetAt(`${zone.charAt(0)}${zone.slice(1).padStart(2, "0")}00`, millis)
  if (!/^[A-Za-z]/.test(zone)) return undefined
  const parts = zoneNamed(zone)?.formatToParts(millis)
  const name = parts?.find(({ type }) => type === "timeZoneName")?.value
  if (name === undefined) return undefined
  const [, toward = "+", hour = "00", minute = "00"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
  return `${toward}${hour}${minute}`
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

/** Offset by abbreviation. An abbreviation of several zones, such as CST, has the meaning that most pages intend. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  `Z:0 UT:0 UTC:0 GMT:0 WET:0 WEST:+1 BST:+1 CET:+1 CEST:+2 MEZ:+1 MESZ:+2 EET:+2 EEST:+3 MSK:+3 TRT:+3 SAST:+2 CAT:+2 EAT:+3 WAT:+1 GST:+4 PKT:+5
  IST:+0530 WIB:+7 ICT:+7 SGT:+8 HKT:+8 PHT:+8 PST:-8 PDT:-7 MST:-7 MDT:-6 CST:-6 CDT:-5 EST:-5 EDT:-4 AST:-4 ADT:-3 NST:-0330 NDT:-0230
  AKST:-9 AKDT:-8 HST:-10 BRT:-3 ART:-3 CLT:-4 JST:+9 KST:+9 AWST:+8 ACST:+0930 ACDT:+1030 AEST:+10 AEDT:+11 NZST:+12 NZDT:+13`
    .split(/\s+/)
    .map((each) => {
      const [name = "", hours = ""] = each.split(":")
      return [name, hours === "0" ? "Z" : hours] as const
    })
)

/** Reads the time zone after a time: returns its name or offset, and the length of the text. */
export const zoneAtStart = (text: string): { readonly zone: string; readonly length: number } | undefined => {
  const [written, name = "", offset = ""] =
    /^ ?\(?(?:(Z|[A-Z]{2,5})(?![\p{L}]))?(?: ?([+-]\d\d?(?::?\d\d)?)(?!\d))?\)?/u.exec(text) ?? []
  if (written === undefined || written.trim() === "") return undefined
  const known = abbreviations.get(name)
  if (name !== "" && known === undefined) return undefined
  return { zone: offset === "" ? (known ?? "Z") : offset, length: written.length }
}
