/** Parses a sitemap file: an index, a list of pages, plain lines, or a feed in RSS or Atom (sitemaps.org). */
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import { makeXmlReader, pieceLength } from "../../Xml.ts"
import { type ListedAge, listedAge } from "./Recrawl/Revisit.ts"

export interface SitemapFile {
  readonly urls: ReadonlyArray<string>
  /** Pages for which the file states an age. */
  readonly ages: ReadonlyArray<readonly [url: string, age: ListedAge]>
  /** Sitemaps that an index lists. */
  readonly sitemaps: ReadonlyArray<string>
  /** False for a faulty file: its end is missing, it is nested too deeply, or its own entities could not be expanded. */
  readonly isWhole: boolean
  /** False for text that is not a sitemap at all, such as an HTML page. */
  readonly isSitemap: boolean
}

/** Maximum nesting. Sitemaps have three levels, their extensions a few more; the parser holds all open elements in memory. */
const maxDepth = 16

/** Maximum unclosed elements. */
const maxOpen = 1_000

const maxAttributes = 500

/** Maximum sitemaps of one index. */
const maxSitemaps = 1_000

/** Maximum characters of an address; longer lines are skipped. */
const maxLine = 4_096

const absolute = (text: string, base: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === "" || !canParse(trimmed, base)) return undefined
  const url = new URL(trimmed, base)
  url.hash = ""
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
}

const readLines = (text: string, base: string, limit: number): SitemapFile => {
  const urls: Array<string> = []
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (urls.length >= limit) break
    const url = line.length <= maxLine && /^\s*https?:\/\//i.test(line) ? absolute(line, base) : undefined
    if (url !== undefined) urls.push(url)
  }
  return { urls, ages: [], sitemaps: [], isWhole: true, isSitemap: urls.length > 0 || text.trim() === "" }
}

/** Name of an element without its namespace prefix. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/**
 * Name of the element whose text is a URL, by the name of its parent. Both must have the same namespace prefix, because `image:loc` is the
 * URL of an image.
 */
const addressIn: Readonly<Record<string, string>> = { url: "loc", sitemap: "loc", item: "link" }

const isAddress = (parent = "", name = ""): boolean => {
  const local = localName(parent)
  return Object.hasOwn(addressIn, local) && name === parent.slice(0, -local.length) + addressIn[local]
}

/** Maximum characters of `lastmod` and `changefreq`. */
const maxAgeText = 100

const ageOf = (name = ""): "lastmod" | "changefreq" | undefined => {
  const local = localName(name)
  return local === "lastmod" || local === "changefreq" ? local : undefined
}

/** Address of a `<link>` in an entry of an Atom feed. */
const entryLink = (attributes: Readonly<Record<string, unknown>>): string | undefined => {
  const { href, rel = "alternate" } = attributes
  return rel === "alternate" && typeof href === "string" && href.length <= maxLine ? href : undefined
}

const roots = new Set(["urlset", "sitemapindex", "rss", "feed", "rdf"])

/** Elements that list pages or sitemaps. If one is nested in another of its kind, the outer one was not closed. */
const listings = new Set(["url", "sitemap", "item"])

const readXml = (text: string, base: string, limit: number): SitemapFile => {
  const urls: Array<string> = []
  const sitemaps: Array<string> = []
  const path: Array<string> = []
  const ages: Array<readonly [string, ListedAge]> = []
  let address = ""
  /** The current entry, as far as it was read. */
  let page: { url?: string | undefined; lastmod?: string; changefreq?: string } = {}
  let isFull = false
  let isTooDeep = false
  /** Number of open elements, including those that a following entry has implicitly ended. */
  let depth = 0
  const add = (parent: string, written: string) => {
    const url = written.length > maxLine || isFull ? undefined : absolute(written, base)
    if (url === undefined) return
    if (localName(parent) !== "sitemap") {
      urls.push(url)
      page.url = url
    } else if (sitemaps.length < maxSitemaps) sitemaps.push(url)
    if (urls.length >= limit) isFull = true
  }
  const endOfPage = () => {
    const age = page.url === undefined ? undefined : listedAge(page.lastmod, page.changefreq)
    if (page.url !== undefined && age !== undefined) ages.push([page.url, age])
    page = {}
  }
  /** Called at the end of the innermost element's URL: at its end tag, or when another element begins in it. */
  const endOfAddress = () => {
    const parent = path.at(-2)
    if (parent !== undefined && address !== "" && isAddress(parent, path.at(-1))) add(parent, address)
    address = ""
  }
  const reader = makeXmlReader({
    isRoot: (name) => roots.has(name),
    maxAttributes,
    overflow: () => {},
    open: (written, attributes) => {
      depth++
      if (path.length > maxDepth || depth > maxOpen) isTooDeep = true
      if (isTooDeep || isFull) return
      endOfAddress()
      const name = written.toLowerCase()
      if (listings.has(localName(name))) {
        const open = path.lastIndexOf(name)
        // Only `path` forgets the unclosed elements: the XML reader still counts them as open, and their end tags are ignored.
        if (open >= 0) path.splice(open)
        endOfPage()
      }
      const parent = path.at(-1) ?? ""
      path.push(name)
      const link = localName(parent) === "entry" && localName(name) === "link" ? entryLink(attributes) : undefined
      if (link !== undefined) add(parent, link)
    },
    close: (isCut) => {
      depth--
      if (isTooDeep || isFull) return
      // A truncated URL would be another URL, so it is dropped.
      if (isCut) address = ""
      endOfAddress()
      const name = path.pop()
      if (localName(name ?? "") === "url") endOfPage()
    },
    text: (chunk) => {
      if (isTooDeep || isFull) return
      if (address.length <= maxLine && isAddress(path.at(-2), path.at(-1))) address += chunk
      const age = ageOf(path.at(-1))
      if (age !== undefined && (page[age]?.length ?? 0) < maxAgeText) page[age] = (page[age] ?? "") + chunk
    }
  })
  for (let start = 0; start < text.length && !isFull && !isTooDeep; start += pieceLength) {
    reader.write(text.slice(start, start + pieceLength))
  }
  const end = isFull || isTooDeep ? undefined : reader.end()
  return {
    urls: urls.slice(0, limit),
    ages,
    sitemaps,
    isWhole: end === undefined ? !isTooDeep : end.isWhole,
    isSitemap: end?.hasRoot ?? true
  }
}

const isXml = /^\s*<|<(?:\w+:)?(?:urlset|sitemapindex|rss|feed|rdf)\b/i

/** Returns at most `limit` pages. `isCut`: the end of the file is missing, so its last line may be a part of an address. */
export const readSitemap = (bytes: Uint8Array, url: string, limit: number, isCut = false): SitemapFile => {
  const { text } = decodeText(bytes, undefined)
  if (isXml.test(text.slice(0, 65_536))) return readXml(text, url, limit)
  const end = isCut ? Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1 : text.length
  return readLines(text.slice(0, end), url, limit)
}
