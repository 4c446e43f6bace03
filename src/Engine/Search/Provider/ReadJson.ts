/** Reads JSON responses by path (values of unexpected types count as absent), and converts the time filter. */
import { isHttp } from "../../../Api/Url.ts"
import { parseInstant } from "../../../Values/TimeZone.ts"
import type { Hit, SourceRequest } from "../Provider.ts"

type Path = ReadonlyArray<string | number>

/** Value at the path, or undefined. */
export const at = (value: unknown, ...path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    value
  )

export const list = (value: unknown, ...path: Path): ReadonlyArray<unknown> | undefined => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : undefined
}

/** Maximum characters of a string; longer ones are cut. */
const maxLength = 4000

export const text = (value: unknown, ...path: Path): string | undefined => {
  const found = at(value, ...path)
  return typeof found === "string" && found.trim() !== "" ? found.trim().slice(0, maxLength) : undefined
}

/** Reads a number, also if it is written as a string. */
export const number = (value: unknown, ...path: Path): number | undefined => {
  const found = at(value, ...path)
  const read = typeof found === "string" && found.trim() !== "" ? Number(found) : found
  return typeof read === "number" && Number.isFinite(read) ? read : undefined
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
  "#x27": "'"
}

/** Text of HTML, without emphasis tags and with entities decoded. */
export const plain = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<\/?(?:b|em|i|mark|span|strong)\b[^>]{0,200}>/gi, "")
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)

const lengths: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000
}

/**
 * Parses a date as providers write it to milliseconds: `2026-03-01T08:00:00`, `Mar 1, 2026`, `3 days ago`. Without a time zone it is UTC.
 */
export const when = (date: string | undefined, now: number): number | undefined => {
  if (date === undefined || date.length > 60) return undefined
  const ago = /^(\d{1,4}|an?)\s+(second|minute|min|hour|day|week|month|year)s?\s+ago$/i.exec(date)
  if (ago !== null) {
    const [, amount = "", unit = ""] = ago
    return now - (/^an?$/i.test(amount) ? 1 : Number(amount)) * (lengths[unit.toLowerCase()] ?? 0)
  }
  if (/^yesterday$/i.test(date)) return now - (lengths.day ?? 0)
  if (!/\d{4}/.test(date)) return undefined
  const read = parseInstant(date)
  return Number.isFinite(read) ? read : undefined
}

const isWeb = (url: string | undefined): url is string => url !== undefined && isHttp(url)

/** Builds a search result; empty if the URL is not a web URL. */
export const hit = (found: {
  readonly url: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly date?: string | undefined
  readonly imageUrl?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly now: number
}): ReadonlyArray<Hit> => {
  const { date, description = "", imageUrl, now, url, title = url ?? "", ...rest } = found
  if (!isWeb(url)) return []
  return [
    {
      ...rest,
      url,
      title,
      description,
      date,
      published: when(date, now),
      imageUrl: isWeb(imageUrl) ? imageUrl : undefined
    }
  ]
}

export type Unit = "h" | "d" | "w" | "m" | "y"

/** Returns unit and number of a time filter such as `qdr:d3`; undefined if there is no `qdr`. */
export const recent = ({ tbs }: SourceRequest): { readonly unit: Unit; readonly count: number } | undefined => {
  const [, unit, count] = /(?:^|,)\s*qdr:([hdwmy])(\d*)/.exec(tbs ?? "") ?? []
  return unit === undefined ? undefined : { unit: unit as Unit, count: count ? Number(count) : 1 }
}

/** True if a range of dates is given, with or without `qdr`. */
export const ranged = ({ tbs }: SourceRequest): boolean => /(?:^|,)\s*cd_(?:min|max):/.test(tbs ?? "")

/** True if the period has a start or an end. */
export const isBounded = ({ period }: SourceRequest): boolean => period.from !== undefined || period.to !== undefined

/** Formats a time as a UTC day: `2026-03-01`. */
export const day = (time: number): string => new Date(clamp(time)).toISOString().slice(0, 10)

/** Limits a time to the range of valid dates. */
const clamp = (time: number): number => Math.min(Math.max(time, 0), 253_402_300_799_999)

/** Returns the first and last day of the period. */
export const days = ({
  period
}: SourceRequest): { readonly first: string | undefined; readonly last: string | undefined } => ({
  first: period.from === undefined ? undefined : day(period.from),
  last: period.to === undefined ? undefined : day(period.to - 1)
})
