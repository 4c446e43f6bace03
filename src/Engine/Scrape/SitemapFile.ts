/** Parses a sitemap file: an index, a list of pages, or plain lines (sitemaps.org). */
import { SaxesParser } from "saxes"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../Html/Charset.ts"

export interface SitemapFile {
  readonly urls: ReadonlyArray<string>
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
  for (let start = 0; start < text.length && urls.length < limit; ) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    const line = end - start > maxLine ? "" : text.slice(start, end)
    const url = /^\s*https?:\/\//i.test(line) ? absolute(line, base) : undefined
    if (url !== undefined) urls.push(url)
    start = end + 1
  }
  return { urls, sitemaps: [] }
}

const readXml = (text: string, base: string, limit: number): SitemapFile => {
  const urls: Array<string> = []
  const sitemaps: Array<string> = []
  const parser = new SaxesParser({ fragment: false, position: false })
  const path: Array<string> = []
  let loc = ""
  let full = false
  parser.on("opentag", ({ name }) => {
    path.push(name.slice(name.indexOf(":") + 1).toLowerCase())
    loc = ""
    if (path.length > maxDepth) full = true
  })
  const append = (chunk: string) => {
    if (path.at(-1) === "loc" && loc.length < maxLine) loc += chunk
  }
  parser.on("text", append)
  parser.on("cdata", append)
  parser.on("closetag", () => {
    const [parent, name] = [path.at(-2), path.pop()]
    if (name !== "loc") return
    const url = absolute(loc, base)
    if (url === undefined) return
    if (parent === "url") urls.push(url)
    else if (parent === "sitemap" && sitemaps.length < maxSitemaps) sitemaps.push(url)
    if (urls.length >= limit) full = true
  })
  // Syntax errors are ignored: the rest of the file is still read.
  parser.on("error", () => {})
  for (let start = 0; start < text.length && !full; start += 65_536) parser.write(text.slice(start, start + 65_536))
  return { urls: urls.slice(0, limit), sitemaps }
}

/** Returns at most `limit` pages. */
export const readSitemap = (bytes: Uint8Array, url: string, limit: number): SitemapFile => {
  const { text } = decodeText(bytes, undefined)
  return /^\s*</.test(text) ? readXml(text, url, limit) : readLines(text, url, limit)
}
