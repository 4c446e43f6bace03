/** Parses a sitemap file: an index, a list of pages, plain lines, or a feed in RSS or Atom (sitemaps.org). */
import { canParse } from "../../Api/Url.ts"
import { saxes } from "../../Packages.ts"
import { decodeText } from "../Html/Charset.ts"
import { type ListedAge, listedAge } from "./Revisit.ts"

export interface SitemapFile {
  readonly urls: ReadonlyArray<string>
  /** Pages of which the file says how old they are. */
  readonly ages: ReadonlyArray<readonly [url: string, age: ListedAge]>
  /** Sitemaps that an index lists. */
  readonly sitemaps: ReadonlyArray<string>
}

/** Maximum nesting. Sitemaps have three levels, their extensions a few more; the parser holds all open elements in memory. */
const maxDepth = 16

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
  return { urls, ages: [], sitemaps: [] }
}

/** Name of an element without its namespace prefix. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Elements whose text is an address, by their parent. The namespace prefix must be the same: `image:loc` is the address of an image. */
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

const readXml = (text: string, base: string, limit: number): SitemapFile => {
  const urls: Array<string> = []
  const sitemaps: Array<string> = []
  const parser = new (saxes().SaxesParser)({ fragment: false, position: false })
  const path: Array<string> = []
  const ages: Array<readonly [string, ListedAge]> = []
  let address = ""
  /** What was read of the current entry. */
  let page: { url?: string | undefined; lastmod?: string; changefreq?: string } = {}
  let isFull = false
  const add = (parent: string, written: string) => {
    const url = written.length > maxLine ? undefined : absolute(written, base)
    if (url === undefined) return
    if (localName(parent) !== "sitemap") {
      urls.push(url)
      page.url = url
    } else if (sitemaps.length < maxSitemaps) sitemaps.push(url)
    if (urls.length >= limit) isFull = true
  }
  parser.on("opentag", ({ attributes, name }) => {
    const parent = path.at(-1) ?? ""
    path.push(name.toLowerCase())
    address = ""
    if (localName(path.at(-1) ?? "") === "url") page = {}
    if (path.length > maxDepth) isFull = true
    const link = localName(parent) === "entry" && localName(name) === "link" ? entryLink(attributes) : undefined
    if (link !== undefined) add(parent, link)
  })
  const append = (chunk: string) => {
    if (address.length <= maxLine && isAddress(path.at(-2), path.at(-1))) address += chunk
    const age = ageOf(path.at(-1))
    if (age !== undefined && (page[age]?.length ?? 0) < maxAgeText) page[age] = (page[age] ?? "") + chunk
  }
  parser.on("text", append)
  parser.on("cdata", append)
  parser.on("closetag", () => {
    const name = path.pop()
    const parent = path.at(-1)
    if (parent !== undefined && isAddress(parent, name)) add(parent, address)
    if (localName(name ?? "") !== "url" || page.url === undefined) return
    const age = listedAge(page.lastmod, page.changefreq)
    if (age !== undefined) ages.push([page.url, age])
  })
  // Syntax errors are ignored: the rest of the file is still read.
  parser.on("error", () => {})
  for (let start = 0; start < text.length && !isFull; start += 65_536) parser.write(text.slice(start, start + 65_536))
  return { urls: urls.slice(0, limit), ages, sitemaps }
}

/** Returns at most `limit` pages. */
export const readSitemap = (bytes: Uint8Array, url: string, limit: number): SitemapFile => {
  const { text } = decodeText(bytes, undefined)
  return /^\s*</.test(text) ? readXml(text, url, limit) : readLines(text, url, limit)
}
