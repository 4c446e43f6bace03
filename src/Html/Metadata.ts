/** Metadata of a page: its head, JSON-LD (schema.org), images with captions, and dates. */
import { parseInstant } from "../Values/TimeZone.ts"
import { type Element, isElement, squeeze, startOf, textOf } from "./Element.ts"
import { linkedDataWith } from "./LinkedData.ts"
import { imagePlaceholder, type PageUrls } from "./PageUrls.ts"
import type { Tree } from "./Tree.ts"

/** `metadata` of a document, without the fields that come from fetching it. */
export type PageMetadata = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Converts a name such as `og:site_name` to `ogSiteName`. */
const camel = (key: string): string => key.replace(/[:_-]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())

/** Maximum keys and values, to limit memory. */
const maxKeys = 200
const maxKey = 200
const maxLength = 10_000

/** Fields set by the engine, which a page cannot override. */
const reserved = new Set([
  "blocked",
  "check",
  "unchanged",
  "warning",
  "error",
  "code",
  "retryAfter",
  "proxy",
  "next",
  "statusCode",
  "sourceURL",
  "url",
  "contentType",
  "cacheState",
  "cachedAt",
  "numPages",
  "totalPages",
  "creditsUsed",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
  "ogLocaleAlternate"
])

const times: ReadonlyMap<string, string> = new Map([
  ["article:published_time", "publishedTime"],
  ["article:modified_time", "modifiedTime"]
])

const isIcon = ({ attributes }: Element): boolean => /(?:^|\s)icon(?:\s|$)/i.test(attributes.rel ?? "")

/** Every `<meta>` by its own name, Open Graph also in camel case, plus title, language, favicon and canonical URL. */
export const readMetadata = (tree: Tree, resolve: (href: string) => string | undefined): PageMetadata => {
  const found: Record<string, string | Array<string>> = {}
  const put = (key: string, value: string | undefined) => {
    if (value === undefined || value === "" || reserved.has(key) || Object.hasOwn(found, key)) return
    found[key] = value
  }
  put("title", squeeze(tree.titles[0] === undefined ? "" : textOf(tree.titles[0])).slice(0, maxLength))
  put("language", tree.html?.attributes.lang ?? tree.html?.attributes["xml:lang"])
  const localeAlternates: Array<string> = []
  for (const { attributes } of tree.metas.slice(0, maxKeys)) {
    const value = attributes.content === undefined ? "" : squeeze(attributes.content.slice(0, maxLength))
    if (attributes["http-equiv"]?.toLowerCase() === "content-language") put("language", value)
    if (value === "") continue
    // One tag may have two names: <meta name="description" property="og:description">.
    for (const key of new Set([attributes.name, attributes.property ?? attributes.itemprop])) {
      if (key === undefined || key === "" || key.length > maxKey) continue
      const lower = key.toLowerCase()
      if (lower === "og:locale:alternate") localeAlternates.push(value)
      else if (lower.startsWith("og:")) {
        put(lower, value)
        put(camel(lower), value)
      } else put(usual.has(lower) ? lower : key, value)
      const time = times.get(lower)
      if (time !== undefined) put(time, value)
    }
  }
  if (localeAlternates.length > 0) {
    found["og:locale:alternate"] = localeAlternates
    found.ogLocaleAlternate = localeAlternates
  }
  const favicon = tree.relations.find(isIcon)?.attributes.href
  put("favicon", favicon === undefined ? undefined : resolve(favicon))
  const canonical = tree.relations.find(({ attributes }) => attributes.rel?.toLowerCase() === "canonical")?.attributes
    .href
  put("canonical", canonical === undefined ? undefined : resolve(canonical))
  put("title", first(found["og:title"] ?? found["twitter:title"]))
  put("description", first(found["og:description"] ?? found["twitter:description"]))
  return found
}

const usual = new Set(["description", "keywords", "author", "robots", "viewport", "generator", "theme-color"])

const first = (value: string | Array<string> | undefined): string | undefined =>
  typeof value === "string" ? value : value?.[0]

export interface Picture {
  /** Absolute URL of the image. */
  readonly url: string
  readonly caption: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Dates as written on the page, the first of each kind. */
export interface Dates {
  /** `datePublished` of JSON-LD that describes the page itself. */
  readonly published?: string | undefined
  readonly modified?: string | undefined
  /** Date of an element that is marked as the publication date. */
  readonly marked?: string | undefined
  /** Date of the first other `<time>` outside of margins and comments. */
  readonly shown?: string | undefined
}

export interface Facts {
  readonly pictures: ReadonlyArray<Picture>
  readonly dates: Dates
}

const [maxPictures, maxNodes, maxCaption] = [200, 500, 500]

const pixels = (text: unknown): number | undefined => {
  const found = typeof text === "string" ? /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(text) : null
  return found === null ? undefined : Number(found[1])
}

const ancestor = (element: Element, test: (name: string) => boolean, levels: number): Element | undefined => {
  let above = element.parent
  for (let at = 0; at < levels && above !== undefined; at++, above = above.parent) if (test(above.name)) return above
  return undefined
}

const below = (element: Element): string => {
  const figure = ancestor(element, (name) => name === "figure", 4)
  const caption = figure?.children.find((child): child is Element => isElement(child) && child.name === "figcaption")
  return caption === undefined ? "" : startOf(caption, 2 * maxCaption, true)
}

const pictureOf = (element: Element, urls: PageUrls): ReadonlyArray<Picture> => {
  const { attributes } = element
  const url = urls.image(element)
  if (url === undefined || url === imagePlaceholder) return []
  const parts = [attributes.alt, attributes.title, below(element)].map((part) =>
    (part ?? "").slice(0, 2 * maxCaption).trim()
  )
  const caption = [...new Set(parts)].filter((part) => part !== "").join(" — ")
  return [
    {
      url,
      caption: caption.slice(0, maxCaption),
      width: pixels(attributes.width),
      height: pixels(attributes.height)
    }
  ]
}

/** The page's images; the one for sharing (`og:image`) comes first. */
const picturesOf = (tree: Tree, urls: PageUrls, metadata: Readonly<Record<string, unknown>>) => {
  const shared = metadata["og:image"]
  const url = typeof shared === "string" ? urls.resolve(shared) : undefined
  const alt = metadata["og:image:alt"]
  const first: ReadonlyArray<Picture> =
    url === undefined
      ? []
      : [
          {
            url,
            caption: typeof alt === "string" ? alt.slice(0, maxCaption) : "",
            width: pixels(metadata["og:image:width"]),
            height: pixels(metadata["og:image:height"])
          }
        ]
  const rest = tree.images.slice(0, maxPictures).flatMap((element) => pictureOf(element, urls))
  // An og:image without alt text may have a caption where it appears in the page.
  const said = new Map(rest.map((picture) => [picture.url, picture]))
  return [...first.map((picture) => (picture.caption === "" ? (said.get(picture.url) ?? picture) : picture)), ...rest]
}

/** JSON-LD types that describe the page itself. */
const own = /article|posting|report|page|creativework|^blog$/i

/** Adds values one by one until the list has `most`: a page may contain more values than a function call takes as arguments. */
export const addSome = (list: Array<unknown>, values: ReadonlyArray<unknown>, most: number): void => {
  for (const value of values) {
    if (list.length >= most) return
    list.push(value)
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nodesOf = (data: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const found: Array<Readonly<Record<string, unknown>>> = []
  const open: Array<unknown> = [data]
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const value = open[at]
    if (Array.isArray(value)) for (const each of value.slice(0, maxNodes)) open.push(each)
    else if (isObject(value)) {
      found.push(value)
      open.push(value["@graph"], value.mainEntity)
    }
  }
  return found.filter((node) => [node["@type"]].flat().some((type) => typeof type === "string" && own.test(type)))
}

const structured = (tree: Tree): Pick<Dates, "published" | "modified"> => {
  const nodes = linkedDataWith(tree, '"date').flatMap(nodesOf)
  const first = (name: string) => nodes.map((node) => node[name]).find((value) => typeof value === "string")
  return { published: first("datePublished"), modified: first("dateModified") }
}

const margins = /^(?:aside|footer|nav|form)$/
const isRemark = /comment|related|sidebar|footer/i

const isMarginal = (element: Element): boolean => {
  for (let above = element.parent; above !== undefined; above = above.parent) {
    const { class: classes, id } = above.attributes
    if (margins.test(above.name) || isRemark.test(`${classes ?? ""} ${id ?? ""}`)) return true
  }
  return false
}

const datesOf = (tree: Tree): Dates => {
  const times = tree.dated.filter(({ name, attributes }) => name === "time" && attributes.datetime !== undefined)
  const marked = times.find(
    ({ attributes }) => attributes.itemprop?.toLowerCase() === "datepublished" || attributes.pubdate !== undefined
  )
  const shown = times.slice(0, 20).find((element) => !isMarginal(element))
  return {
    ...structured(tree),
    marked: marked?.attributes.datetime,
    shown: shown?.attributes.datetime
  }
}

export const factsOf = (tree: Tree, urls: PageUrls, metadata: Readonly<Record<string, unknown>>): Facts => ({
  pictures: picturesOf(tree, urls, metadata),
  dates: datesOf(tree)
})

/** Earliest date that is plausible for a web page. */
const earliest = Date.UTC(1990, 0, 1)

/** Names of time zones, which `Date` does not parse after a `T`. */
const named = /\b(?:UTC|GMT|[ECMP][SD]T)\b/i

/** Parses a date with a four-digit year, month and day, and an optional time. UTC unless it names a zone. */
const read = (text: unknown): Date | undefined => {
  if (typeof text !== "string") return undefined
  const trimmed = text.trim().slice(0, 60)
  const [, year, month, day, rest = ""] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(.*)$/.exec(trimmed) ?? []
  const isWritten =
    year === undefined && /\b\d{4}\b/.test(trimmed) && /[a-z]{3}/i.test(trimmed) && /\b\d{1,2}\b/.test(trimmed)
  if (year === undefined && !isWritten) return undefined
  const time = rest.replace(/^[T ]+/i, "").trim()
  const apart = time === "" ? "" : named.test(time) ? " " : "T"
  const whole = year === undefined ? trimmed : `${year}-${month}-${day}${apart}${time}`
  const millis = parseInstant(whole)
  return Number.isNaN(millis) || millis < earliest ? undefined : new Date(millis)
}

/** Date in a URL: `/2024/05/06/` or `/2024-05-06-name`. Requires two-digit months and days, to avoid false matches. */
const inPath = (url: string | undefined): Date | undefined => {
  const path = url === undefined ? "" : url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "")
  const found = /\/((?:19|20)\d{2})([/-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=[/_-]|\.|$)/.exec(path)
  return found === null ? undefined : read(`${found[1]}-${found[3]}-${found[4]}`)
}

export const publishedOf = (
  metadata: Readonly<Record<string, unknown>>,
  dates: Dates = {},
  url?: string
): Date | undefined => {
  const claims = [metadata.publishedTime, dates.published, dates.marked]
  for (const claim of claims) {
    const date = read(claim)
    if (date !== undefined) return date
  }
  return inPath(url) ?? read(dates.shown) ?? read(dates.modified) ?? read(metadata.modifiedTime)
}

/** Milliseconds that a date may be in the future, to allow for clock differences and time zones. */
const tolerance = 86_400_000

/** The date in milliseconds, or null if it is implausible. */
export const believed = (published: Date | undefined, now: number): number | null => {
  const time = published?.getTime()
  return time === undefined || Number.isNaN(time) || time > now + tolerance ? null : Math.min(time, now)
}
