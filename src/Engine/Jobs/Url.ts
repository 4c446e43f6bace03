/** Decides which URLs are the same page. */
import { canParse } from "../../Api/Url.ts"

/** What counts as a difference. */
export interface Sameness {
  readonly ignoreQueryParameters: boolean
  /** Scheme, `www.`, `index.html` and a trailing slash make no difference. */
  readonly deduplicateSimilarURLs: boolean
}

/** An address to visit, and the text by which it is recognised. */
export interface Address {
  readonly url: URL
  readonly href: string
  readonly key: string
}

const index = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i

/** The host by which two addresses belong to the same site. */
export const siteHost = (url: URL): string => url.host.replace(/^www\./, "")

const keyOf = (url: URL, href: string, { deduplicateSimilarURLs }: Sameness): string => {
  if (!deduplicateSimilarURLs) return href
  const path = url.pathname.replace(index, "/").replace(/\/+$/, "")
  return `${siteHost(url)}${path}${url.search}`
}

/** Reads an address as a crawler does; undefined when it is not one of the web. */
export const parse = (text: string, sameness: Sameness): Address | undefined => {
  if (!canParse(text)) return undefined
  const url = new URL(text)
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined
  url.hash = ""
  url.username = ""
  url.password = ""
  // Assigning removes the lone "?" too.
  url.search = sameness.ignoreQueryParameters ? "" : url.search
  const { href } = url
  return { url, href, key: keyOf(url, href, sameness) }
}
