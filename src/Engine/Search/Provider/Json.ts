/** Reads strangers' JSON by path: what has another form than expected is not there. */
import { canParse } from "../../../Api/Url.ts"
import type { Hit } from "../Provider.ts"

type Path = ReadonlyArray<string | number>

/** What is there, or undefined. */
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

/** Characters that are kept of any text; addresses may be longer than that nowhere. */
const longest = 4000

export const text = (value: unknown, ...path: Path): string | undefined => {
  const found = at(value, ...path)
  return typeof found === "string" && found.trim() !== "" ? found.trim().slice(0, longest) : undefined
}

/** A number, also one that is written as text. */
export const number = (value: unknown, ...path: Path): number | undefined => {
  const found = at(value, ...path)
  const read = typeof found === "string" && found.trim() !== "" ? Number(found) : found
  return typeof read === "number" && Number.isFinite(read) ? read : undefined
}

const marks: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
  "#x27": "'"
}

/** Text that was made for a page, without its marks. */
export const plain = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<\/?(?:b|em|i|mark|span|strong)\b[^>]{0,200}>/gi, "")
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi, (whole, name: string) => marks[name.toLowerCase()] ?? whole)

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

/** A date as services write it: `2026-03-01T08:00:00`, `Mar 1, 2026`, `3 days ago`. A day without a zone is UTC's. */
export const when = (date: string | undefined, now: number): number | undefined => {
  if (date === undefined || date.length > 60) return undefined
  const ago = /^(\d{1,4}|an?)\s+(second|minute|min|hour|day|week|month|year)s?\s+ago$/i.exec(date)
  if (ago !== null) {
    const [, amount = "", unit = ""] = ago
    return now - (/^an?$/i.test(amount) ? 1 : Number(amount)) * (lengths[unit.toLowerCase()] ?? 0)
  }
  if (/^yesterday$/i.test(date)) return now - (lengths.day ?? 0)
  if (!/\d{4}/.test(date)) return undefined
  const zoned = /(?:z|gmt|utc|[ecmp][sd]t|[+-]\d{2}:?\d{2})$/i.test(date)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date)
  const read = Date.parse(zoned || isDay ? date : /^\d{4}-\d{2}-\d{2}T/.test(date) ? `${date}Z` : `${date} UTC`)
  return Number.isFinite(read) ? read : undefined
}

const isWeb = (url: string | undefined): url is string =>
  url !== undefined && canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** A result, unless it has no web address. */
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
