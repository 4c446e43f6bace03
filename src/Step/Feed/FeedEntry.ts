/** A feed and its entries, independent of the format; parses dates, and makes keys and rows of entries. */
import { sha256 } from "../../Row/Hash.ts"
import { canonicalUrl } from "../../Row/Url.ts"
import type { Data } from "../../Row.ts"
import { readDate } from "../../Values/Date.ts"
import { textOf, webAddress, withAbsoluteAddresses } from "./FeedText.ts"

/** A file that belongs to an entry, such as an episode. */
export interface Enclosure {
  readonly url: string
  /** Media type. */
  readonly type: string | null
  /** Size in bytes. */
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
  /** Summary as HTML. */
  readonly summary: string | undefined
  /** Content as HTML. */
  readonly content: string | undefined
  readonly categories: ReadonlyArray<string>
  readonly enclosures: ReadonlyArray<Enclosure>
  /** Base for relative addresses in the HTML of the entry. */
  readonly base: string
}

export interface Feed {
  readonly title: string
  /** Authors of entries that do not name their own. */
  readonly authors: ReadonlyArray<string>
  readonly entries: ReadonlyArray<Entry>
  /** True if the feed has more entries than requested. */
  readonly isCut: boolean
  /** True if the document ends before its root does, or has parts that cannot be read. */
  readonly isDamaged: boolean
}

/** Reason why a document cannot be read as a feed. */
export interface Unreadable {
  readonly unreadable: string
}

/** Maximum categories, and maximum enclosures, of one entry. */
export const maxParts = 100

/** Completes forms of ISO 8601 that only feeds use (`20181004T100000Z`, `2018`, `2018-10`) to a full date or time. */
const extended = (text: string): string =>
  text
    .replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?=$|Z|[+-])/,
      (_, year, month, day, hour, minute, second = "00") => `${year}-${month}-${day}T${hour}:${minute}:${second}`
    )
    .replace(/^(\d{4})(-\d\d)?$/, (_, year, month = "-01") => `${year}${month}-01`)

/**
 * A feed's date as ISO 8601 in UTC; undefined if it cannot be read, could mean two different days, or depends on the time of reading.
 * Without a time zone it counts as UTC.
 */
export const dateOf = (text: string | undefined): string | undefined => {
  const written = extended(text?.trim() ?? "")
  const [first, later] = [0, 1e12].map((now) => readDate(written, { now })?.millis)
  const date = new Date(first === later ? (first ?? Number.NaN) : Number.NaN)
  return date.getUTCFullYear() >= 1 ? date.toISOString() : undefined
}

/** Maximum length of an id; longer ids are replaced by their hash. */
const maxId = 2_000

const isGlobal = /^[a-z][a-z0-9+.-]*:/i

/**
 * Key of an entry, as in feed readers: its id, compared exactly. An id that is not a URI is unique only within its feed. Without an id the
 * key is the address, and without an address the title and the publication date.
 */
export const keyOfEntry = ({ id, published, title, url }: Entry, feed: string): string => {
  const within = (text: string) => `${canonicalUrl(feed) ?? feed}#${text}`
  if (id !== undefined) {
    const short = id.length > maxId ? `sha256:${sha256(id)}` : id
    return id.length <= maxId && isGlobal.test(id) ? short : within(short)
  }
  return (url === undefined ? undefined : canonicalUrl(url)) ?? within(sha256(`${title}\n${published ?? ""}`))
}

/** True for an entry that is not empty. */
export const isEntry = ({ content, enclosures, id, summary, title, url }: Entry): boolean =>
  id !== undefined || url !== undefined || title !== "" || Boolean(content ?? summary) || enclosures.length > 0

const cleaned = (html: string | undefined, base: string): string | null =>
  html === undefined || html.trim() === "" ? null : withAbsoluteAddresses(html.trim(), base)

/** Fields of a row; every row has all of them. */
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

/** Adds an enclosure, unless its address is invalid or already there, or there are too many. */
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

/** Adds a string, unless it is empty or already there, or there are too many. */
export const addText = (texts: Array<string>, text: string): void => {
  if (text !== "" && texts.length < maxParts && !texts.includes(text)) texts.push(text)
}
