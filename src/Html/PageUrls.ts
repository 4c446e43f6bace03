/** Resolves the URLs of a page to absolute ones; caches each. */
import { canParse } from "../Api/Url.ts"
import { queryEncoder } from "./Charset.ts"
import { type Element, isElement, startOf } from "./Element.ts"
import type { Tree } from "./Tree.ts"
/** URL that replaces the base64 data of an inlined image. */
export const imagePlaceholder = "<Base64-Image-Removed>"

const plainPath = /^\/(?!\/)[\w\-/~%!$&*+,;=:@?]*$/
const dotSegment = /\/\.|\.\/|%2e/i
/** Matches absolute URLs that the URL parser would leave unchanged: no port, no IP address, nothing to encode. */
const plainAddress = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\/[\w\-/~%!$&*+,;=:@?#.]*$/
/** Matches relative paths to which the URL parser would only prepend a directory, after resolving the leading `../`. */
const plainRelative = /^(?:\.\.\/)*[\w\-~%!$&*+,;=@][\w\-/~%!$&*+,;=@?#.]*$/
const httpScheme = /^https?:/i
/** Matches links whose query has a character that must be encoded in the charset of the page. */
const foreignQuery = /^([^?#]*\?)([^#]*[^\0-\x7f][^#]*)/
/** Schemes whose queries are in the charset of the page (WHATWG URL, "query state"). */
const encodedScheme = /^(?:https?|ftp|file):/
/** Schemes of links that do not lead to a page. */
const nowhere = /^(?:javascript|vbscript|data|about|blob):/i
/** Characters that browsers ignore in a URL. */
const unseen = /[\p{Cc}\s]+/gu

/** Maximum characters of link text that are read, including white space: nested links repeat the same text. */
const longestText = 2_000

/** Maximum characters of a declared base: every relative URL repeats it. */
const longestBase = 4_000

/** Resolves the URLs of links and images while a tree is written. */
export interface Addresses {
  /** Absolute URL; undefined if the link does not lead anywhere (`javascript:`). */
  readonly link: (href: string) => string | undefined
  /** Absolute URL, or the placeholder of an inlined image; undefined if there is none. */
  readonly image: (element: Element) => string | undefined
}

export class PageUrls implements Addresses {
  /** URL of the page, if known. */
  readonly page: string | undefined
  readonly #base: string | undefined
  readonly #origin: string | undefined
  /** Path of the page without its last segment; undefined if relative paths need the URL parser. */
  readonly #directory: string | undefined
  readonly #known = new Map<string, string | undefined>()
  /** Pictures that were read, and of each image in them, the address that the sources before it declare. */
  readonly #declared = new Map<Element, string | undefined>()
  readonly #removeInlined: boolean
  readonly #encode: ReturnType<typeof queryEncoder>

  /** `charset`: that of the page; by default, the one that its markup declares. */
  constructor(tree: Tree, url: string | undefined, removeInlined: boolean, charset?: string) {
    const page = url !== undefined && canParse(url) ? url : undefined
    this.page = page
    const declared = tree.bases.find(({ attributes }) => attributes.href !== undefined)?.attributes.href
    const base =
      declared !== undefined && declared.length <= longestBase && canParse(declared, page)
        ? new URL(declared, page).href
        : undefined
    // Like browsers, reject `data:` and `javascript:` as a base.
    this.#base = base === undefined || /^(?:data|javascript):/.test(base) ? page : base
    const parsed = this.#base === undefined ? undefined : new URL(this.#base)
    this.#origin = parsed?.origin
    const isPlain = parsed !== undefined && httpScheme.test(parsed.protocol) && parsed.username + parsed.password === ""
    this.#directory = isPlain ? parsed.pathname.slice(0, parsed.pathname.lastIndexOf("/") + 1) : undefined
    this.#removeInlined = removeInlined
    this.#encode = queryEncoder(charset, tree.metas)
  }

  /** Base URL of the page's relative URLs, without its fragment; undefined if not known. */
  get base(): string | undefined {
    return this.#base?.replace(/#.*$/s, "")
  }

  /** Resolves a URL: absolute if the URL of the page is known; undefined for `javascript:` and invalid URLs. */
  resolve(href: string): string | undefined {
    const known = this.#known.get(href)
    if (known !== undefined || this.#known.has(href)) return known
    const resolved = this.#work(href.trim())
    this.#known.set(href, resolved)
    return resolved
  }

  #work(href: string): string | undefined {
    const relative = this.#directory !== undefined && plainRelative.test(href) ? this.#above(href) : undefined
    if (relative !== undefined) return relative
    if (href === "" || nowhere.test(href.replace(unseen, ""))) return undefined
    if (plainAddress.test(href) && !dotSegment.test(href) && !href.includes("xn--")) return href
    if (this.#base === undefined) return canParse(href) ? this.#parse(href) : href
    // Fast path for the usual case, without the URL parser.
    if (plainPath.test(href) && !dotSegment.test(href) && this.#origin !== "null") return this.#origin + href
    return canParse(href, this.#base) ? this.#parse(href) : undefined
  }

  #parse(href: string): string {
    const { href: resolved } = new URL(href, this.#base)
    const encode = this.#encode
    if (encode === undefined || !foreignQuery.test(href) || !encodedScheme.test(resolved)) return resolved
    const encoded = href.replace(
      foreignQuery,
      (_, start: string, query: string) => start + query.replace(/[^\0-\x7f]/gu, encode)
    )
    return new URL(encoded, this.#base).href
  }

  /** Resolves a relative path whose only dot segments are leading `../`. */
  #above(href: string): string | undefined {
    let directory = this.#directory ?? "/"
    let from = 0
    for (; href.startsWith("../", from); from += 3) {
      directory = directory.slice(0, directory.lastIndexOf("/", directory.length - 2) + 1)
    }
    const rest = href.slice(from)
    return dotSegment.test(rest) ? undefined : this.#origin + directory + rest
  }

  /** Target of a link; undefined for a fragment of the same page. */
  readonly link = (href: string): string | undefined => {
    const trimmed = href.trim()
    return trimmed.startsWith("#") ? undefined : this.resolve(trimmed)
  }

  /** URL of an image; also finds lazily loaded ones. */
  readonly image = (element: Element): string | undefined => {
    const { attributes } = element
    const { src = "" } = attributes
    const isInlined = src.startsWith("data:")
    const lazy =
      attributes["data-src"] || attributes["data-lazy-src"] || attributes["data-original"] || attributes["data-lazy"]
    const isAbsent = src === "" || isInlined
    if (lazy !== undefined && lazy !== "" && (isAbsent || isAddress.test(lazy))) return this.resolve(lazy)
    const delayed = isAbsent ? (inSets(element) ?? this.#inSources(element)) : undefined
    if (delayed !== undefined) return this.resolve(delayed)
    if (src === "") return undefined
    return isInlined ? (this.#removeInlined ? imagePlaceholder : src) : this.resolve(src)
  }

  /** The address that the `<source>` elements before an image in a `<picture>` declare. Each picture is read once. */
  #inSources(image: Element): string | undefined {
    const picture = image.parent
    if (picture?.name !== "picture") return undefined
    if (this.#declared.has(picture)) return this.#declared.get(image)
    let address: string | undefined
    this.#declared.set(picture, undefined)
    for (const child of picture.children) {
      if (!isElement(child)) continue
      if (child.name === "source" && imageType.test(child.attributes.type ?? "")) address ??= inSets(child)
      else if (child.name !== "picture") this.#declared.set(child, address)
    }
    return this.#declared.get(image)
  }

  /** All links to other pages, with any scheme, in page order, without duplicates. */
  links(anchors: ReadonlyArray<Element>): ReadonlyArray<string> {
    const found = new Set<string>()
    for (const { attributes } of anchors) {
      const address = attributes.href === undefined ? undefined : this.link(attributes.href)
      if (address !== undefined) found.add(address)
    }
    return [...found]
  }

  /** Link texts by URL. */
  linkTexts(anchors: ReadonlyArray<Element>): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const anchor of anchors) {
      const address = anchor.attributes.href === undefined ? undefined : this.link(anchor.attributes.href)
      if (address === undefined || found.has(address)) continue
      const text = startOf(anchor, longestText, true).slice(0, 200)
      if (text !== "") found.set(address, text)
    }
    return found
  }

  /** All images except inlined ones, in page order, without duplicates. */
  images(elements: ReadonlyArray<Element>): ReadonlyArray<string> {
    const found = new Set<string>()
    for (const element of elements) {
      const address = this.image(element)
      if (address !== undefined && address !== imagePlaceholder && !address.startsWith("data:")) found.add(address)
    }
    return [...found]
  }
}

/** Matches values of lazy-loading attributes that can be URLs, unlike `data-lazy="true"`. */
const isAddress = /[/.]/

/** The address in the sets of an element, first of those that load lazily. */
const inSets = ({ attributes }: Element): string | undefined =>
  bestOfSet(attributes["data-srcset"] || attributes["data-lazy-srcset"]) ?? bestOfSet(attributes.srcset)

/** Matches the type of a source of images; a source may leave it out. */
const imageType = /^\s*(?:image\/|$)/i

/**
 * The address of a `srcset` for the widest screen; without widths the first, for screens of usual density. Inlined images are no address.
 * Addresses may contain commas; only those at their ends are separators.
 */
const bestOfSet = (set: string | undefined): string | undefined => {
  let [best, widest] = [undefined as string | undefined, 0]
  let count = 0
  for (const [, address, width] of (set ?? "").matchAll(
    /(?:^|[\s,])([^\s,](?:\S*[^\s,])?)(?:\s+(\d+)w|\s+[\d.]+[xh])?/g
  )) {
    if (++count > longestSet) break
    if (inlinedAddress.test(address ?? "")) continue
    if (best !== undefined && Number(width ?? 0) <= widest) continue
    best = address
    widest = Number(width ?? 0)
  }
  return best
}

const longestSet = 100

const inlinedAddress = /^data:/i

/** Copies the string: a substring would keep the whole page in memory, and crawls keep links for a long time. */
const detach = (address: string): string => ` ${address}`.slice(1)

/** Links that a crawl may follow: http and https, without fragments and duplicates. */
export const crawlable = (links: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const link of links) {
    if (!httpScheme.test(link)) continue
    const hash = link.indexOf("#")
    found.add(hash === -1 ? link : link.slice(0, hash))
  }
  return Array.from(found, detach)
}
