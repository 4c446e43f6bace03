/** A feed and its entries, whatever its format; dates, identities and the row of an entry. */
import { isPossibleDate } from "../../Row/Expression/Time.ts"
import { sha256 } from "../../Row/Hash.ts"
import { canonicalUrl } from "../../Row/Url.ts"
import type { Data } from "../../Row.ts"
import { textOf, webAddress, withAbsoluteAddresses } from "./FeedText.ts"

/** A file that belongs to an entry, such as an episode. */
export interface Enclosure {
  readonly url: string
  /** Media type. */
  readonly type: string | null
  /** Bytes. */
  readonly length: number | null
}

export interface Entry {
  /** `guid`, Atom's `id`, `rdf:about`, or the id of a JSON Feed. */
  readonly id: string | undefined
  readonly url: string | undefined
  readonly title: string
  readonly published: string | undefined
  readonly updated: string | undefined
  readonly authors: ReadonlyArray<string>
  /** HTML. */
  readonly summary: string | undefined
  /** HTML. */
  readonly content: string | undefined
  readonly categories: ReadonlyArray<string>
  readonly enclosures: ReadonlyArray<Enclosure>
  /** Base of relative addresses in its HTML. */
  readonly base: string
}

export interface Feed {
  readonly title: string
  /** Authors of entries that name none. */
  readonly authors: ReadonlyArray<string>
  readonly entries: ReadonlyArray<Entry>
  /** True if it has more entries than were asked for. */
  readonly isCut: boolean
}

/** Why a document cannot be read as a feed. */
export interface Unreadable {
  readonly unreadable: string
}

/** Maximum categories, and maximum enclosures, of one entry. */
export const maxParts = 100

const zone = /(?:[+-]\d{2}:?\d{2}|(?<![A-Z])[A-Z]{1,4})\s*(?:\([^()]*\))?$/i

/** Languages whose names of months stand in feeds, besides English. */
const languages = ["de", "de-AT", "fr", "es", "it", "nl", "pt", "sv", "da", "nb", "fi", "pl", "cs", "ru", "uk", "tr"]

/** English names of months, by their names and abbreviations in other languages; those that mean two months are left out. */
let monthNames: ReadonlyMap<string, string> | undefined

const monthsOf = (): ReadonlyMap<string, string> => {
  if (monthNames !== undefined) return monthNames
  const names = new Map<string, string>()
  for (let month = 0; month < 12; month++) {
    const date = Date.UTC(2001, month, 15)
    const english = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(date)
    for (const language of languages) {
      for (const style of ["long", "short"] as const) {
        const format = new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" })
        const part = format.formatToParts(date).find(({ type }) => type === "month")?.value
        const name = part?.toLowerCase().replace(/\.$/, "") ?? ""
        if (/^\p{L}{3,}$/u.test(name)) names.set(name, (names.get(name) ?? english) === english ? english : "")
      }
    }
  }
  monthNames = names
  return names
}

/** A date whose month is written in another language, in English. */
const inEnglish = (text: string): string =>
  text.replace(/(\d{1,2}\.?\s+)(\p{L}{3,})(\.?)(?=\s+\d{4}\b)/u, (written, day: string, name: string) => {
    const english = monthsOf().get(name.toLowerCase())
    return english ? `${day.replace(".", "")}${english}` : written
  })

/** Day and month in figures: `25/10/2018` is clear, `04/10/2018` may be October or April. */
const isAmbiguous = (text: string): boolean => {
  const [, first, second] = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b/.exec(text) ?? []
  return first !== undefined && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)
}

/** `25/10/2018` as the month first, as `Date.parse` has it. */
const monthFirst = (text: string): string =>
  text.replace(/^(\d{1,2})[/.-](\d{1,2})([/.-]\d{4})\b/, (written, day: string, month: string, year: string) =>
    Number(day) > 12 ? `${month}/${day}/${year.slice(1)}` : written
  )

/** The basic form of ISO 8601, `20181004T100000Z`, in the extended one. */
const extended = (text: string): string =>
  text.replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?=$|Z|[+-])/,
    (_, year, month, day, hour, minute, second = "00") => `${year}-${month}-${day}T${hour}:${minute}:${second}`
  )

/**
 * A date in one of the forms that feeds use, as ISO 8601 in UTC; undefined if it cannot be read, or could be one of two days. Without a time
 * zone it counts as UTC.
 */
export const dateOf = (text: string | undefined): string | undefined => {
  const written = text?.trim() ?? ""
  if (written === "" || written.length > 100 || isAmbiguous(written)) return undefined
  const trimmed = inEnglish(monthFirst(extended(written)))
  const isDay = /^\d{4}(?:-\d{2}){0,2}$/.test(trimmed)
  const isIso = /^\d{4}-\d{2}-\d{2}[T ]/.test(trimmed)
  const iso = isIso
    ? trimmed
        .replace(" ", "T")
        .replace(/\s+/g, "")
        .replace(/([+-]\d{2})$/, "$1:00")
    : trimmed
  const hasZone = zone.test(iso) && !/\b(?:AM|PM)$/i.test(iso)
  // A day of the week that is wrong or in another language does not matter.
  const plain = isIso ? iso : iso.replace(/^[^\d,]{2,12},\s*/, "").replace(/\bUTC?$/i, "GMT")
  const time = Date.parse(isDay || hasZone ? plain : isIso ? `${plain}Z` : `${plain} GMT`)
  if (Number.isNaN(time) || !isPossibleDate(plain)) return undefined
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined
}

/** Longer ids are replaced by their hash. */
const maxId = 2_000

const isGlobal = /^[a-z][a-z0-9+.-]*:/i

/**
 * Identity of an entry, as feed readers have it: its id, compared exactly. An id that is no URI is unique in its feed only. Without an id
 * it is the address, and without an address the title and the date of publication.
 */
export const keyOfEntry = ({ id, published, title, url }: Entry, feed: string): string => {
  const within = (text: string) => `${canonicalUrl(feed) ?? feed}#${text}`
  if (id !== undefined) {
    const short = id.length > maxId ? `sha256:${sha256(id)}` : id
    return id.length <= maxId && isGlobal.test(id) ? short : within(short)
  }
  return (url === undefined ? undefined : canonicalUrl(url)) ?? within(sha256(`${title}\n${published ?? ""}`))
}

/** True for an entry that says something. */
export const isEntry = ({ content, enclosures, id, summary, title, url }: Entry): boolean =>
  id !== undefined || url !== undefined || title !== "" || Boolean(content ?? summary) || enclosures.length > 0

const cleaned = (html: string | undefined, base: string): string | null =>
  html === undefined || html.trim() === "" ? null : withAbsoluteAddresses(html.trim(), base)

/** Fields of a row, always all of them. */
export const dataOf = (entry: Entry, { authors, title }: Feed, feed: string): Data => {
  const summary = entry.summary === undefined ? "" : textOf(entry.summary)
  const by = entry.authors.length > 0 ? entry.authors : authors
  return {
    id: entry.id ?? null,
    url: entry.url ?? null,
    title: entry.title === "" ? null : entry.title,
    published: entry.published ?? null,
    updated: entry.updated ?? null,
    author: by.length === 0 ? null : by.join(", "),
    summary: summary === "" ? null : summary,
    content: cleaned(entry.content ?? entry.summary, entry.base),
    categories: [...entry.categories],
    enclosures: entry.enclosures.map((each) => ({ ...each })),
    feed,
    feedTitle: title === "" ? null : title
  }
}

/** Adds an enclosure unless its address is there, is none, or there are too many. */
export const addEnclosure = (
  enclosures: Array<Enclosure>,
  base: string,
  given: { readonly url?: string | undefined; readonly type?: string | undefined; readonly length?: string | undefined }
): void => {
  const url = webAddress(given.url, base)
  if (url === undefined || enclosures.length >= maxParts || enclosures.some((each) => each.url === url)) return
  const length = /^\d{1,15}$/.test(given.length?.trim() ?? "") ? Number(given.length) : null
  const type = given.type?.trim() ?? ""
  enclosures.push({ url, type: type === "" || type.length > 200 ? null : type, length })
}

/** Adds a string unless it is empty, known, or one too many. */
export const addText = (texts: Array<string>, text: string): void => {
  if (text !== "" && texts.length < maxParts && !texts.includes(text)) texts.push(text)
}
