/** Directives of a page for crawlers: robots meta tags, `X-Robots-Tag`, `rel="nofollow"`, and the canonical URL. */
import { httpDateMillis } from "../Api/HttpDate.ts"
import { canParse } from "../Api/Url.ts"
import type { Element } from "./Element.ts"
import { logoutLinks } from "./LogoutLinks.ts"
import { crawlable, type PageUrls } from "./PageUrls.ts"
import type { Tree } from "./Tree.ts"

/** Directives in the markup for all crawlers; see {@link robotsVerdict} for one crawler. */
export interface MarkupDirectives {
  /** Meta tags that may be directives: the name of the crawler in lower case, and the content. */
  readonly metas: ReadonlyArray<readonly [crawler: string, content: string]>
  /** Absolute URLs without fragments that every link to them marks as `nofollow`. */
  readonly nofollowLinks: ReadonlyArray<string>
  /** Absolute URLs without fragments of logout links; undefined if not requested. */
  readonly logoutLinks?: ReadonlyArray<string> | undefined
  /** Canonical URL, absolute; undefined if the page declares none, or several different ones. */
  readonly canonical: string | undefined
  /** URLs of links to the next page, if requested. */
  readonly next?: ReadonlyArray<string> | undefined
}

/** Directives of a response. */
export interface PageDirectives extends Partial<MarkupDirectives> {
  /** Values of `X-Robots-Tag`, one per line. */
  readonly header?: string | undefined
}

const [maxMetas, maxContent, maxHeader] = [20, 500, 8_192]

const isDirective = /\b(?:noindex|nofollow|none|unavailable_after)\b/i
const isCrawler = /^[a-z][a-z0-9_-]{1,40}$/

const nofollowToken = /(?:^|\s)nofollow(?:\s|$)/i
const canonicalToken = /(?:^|\s)canonical(?:\s|$)/i

const isNofollow = ({ attributes: { rel } }: Element): boolean => rel !== undefined && nofollowToken.test(rel)

const nofollowOf = (anchors: ReadonlyArray<Element>, urls: PageUrls): ReadonlyArray<string> => {
  const marked = anchors.filter(isNofollow)
  if (marked.length === 0) return []
  const followed = new Set(crawlable(urls.links(anchors.filter((anchor) => !isNofollow(anchor)))))
  return crawlable(urls.links(marked)).filter((link) => !followed.has(link))
}

/** The single URL in a list; undefined if there is none or if they differ. */
const only = (addresses: ReadonlyArray<string | undefined>): string | undefined =>
  new Set(addresses).size === 1 ? addresses[0] : undefined

export const readDirectives = (tree: Tree, urls: PageUrls, isMember = false): MarkupDirectives => ({
  metas: tree.metas
    .flatMap(({ attributes: { content = "", name = "" } }) => {
      const crawler = name.trim().toLowerCase()
      return isCrawler.test(crawler) && content.length <= maxContent && isDirective.test(content)
        ? [[crawler, content] as const]
        : []
    })
    .slice(0, maxMetas),
  nofollowLinks: nofollowOf(tree.anchors, urls),
  ...(isMember ? { logoutLinks: logoutLinks(tree.anchors, urls) } : {}),
  canonical: only(
    tree.relations
      .filter(({ attributes }) => canonicalToken.test(attributes.rel ?? "") && attributes.href !== undefined)
      .map(({ attributes: { href = "" } }) => urls.resolve(href))
  )
})

/** Matches the targets of `Link: <https://…>; rel="canonical"`. */
const linkHeader = /<([^<>]+)>((?:\s*;\s*[a-z*]+\s*=\s*(?:"[^"]*"|[^\s";,]*))*)/gi

const linkedAs = (relation: RegExp, header: string | undefined, url: string): ReadonlyArray<string> =>
  [...(header ?? "").slice(0, maxHeader).matchAll(linkHeader)].flatMap(([, target = "", parameters = ""]) => {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]*))/i.exec(parameters) ?? []
    return relation.test(quoted ?? bare ?? "") && canParse(target, url) ? [new URL(target, url).href] : []
  })

/** URL of the next page in the `Link` header. */
export const nextInHeader = (header: string | undefined, url: string): string | undefined =>
  linkedAs(/(?:^|\s)next(?:\s|$)/i, header, url)[0]

/** Directives of a response from its headers and, for HTML, its markup. */
export const directivesOf = (
  url: string,
  headers: Readonly<Record<string, string>>,
  markup: PageDirectives | undefined
): PageDirectives => {
  const { link, "x-robots-tag": tag } = headers
  return {
    ...markup,
    canonical: markup?.canonical ?? only(linkedAs(canonicalToken, link, url)),
    ...(tag === undefined ? {} : { header: tag.slice(0, maxHeader) })
  }
}

/** Meaning of a page's directives for one crawler. */
export interface RobotsVerdict {
  readonly isNoindex: boolean
  readonly isNofollow: boolean
}

/** Directives that take a value. Any other name before a colon is that of a crawler. */
const withValue = /^(?:unavailable_after|max-[a-z-]+)$/

/** Splits a directive at its first colon into name and value; without a colon, all of it is the name. */
const parted = (text: string): readonly [name: string, value: string | undefined] => {
  const colon = text.indexOf(":")
  return colon === -1
    ? [text.trim().toLowerCase(), undefined]
    : [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
}

/** Directives for a crawler in one line: `noindex, nofollow`, or `heron: noindex, stork: nofollow`. */
const directivesFor = (line: string, crawler: string): ReadonlyArray<readonly [name: string, value: string]> => {
  const found: Array<readonly [string, string]> = []
  let isMeant = true
  for (const part of line.split(",")) {
    const last = found.at(-1)
    // A date may have a comma: `unavailable_after: Friday, 25-Jun-10 15:00:00 UTC`.
    if (isMeant && last?.[0] === "unavailable_after" && /^\s*\d/.test(part)) {
      found[found.length - 1] = [last[0], `${last[1]},${part}`]
      continue
    }
    let [name, value] = parted(part)
    if (value !== undefined && !withValue.test(name)) {
      isMeant = name === crawler || name === "robots" || name === "*"
      ;[name, value] = parted(value)
    }
    if (isMeant) found.push([name, value ?? ""])
  }
  return found
}

const isPast = (date: string, now: number): boolean => {
  const time = httpDateMillis(date)
  return !Number.isNaN(time) && time <= now
}

/**
 * Robots directives of a page for one crawler, named by its product token in lower case. Combines the directives for all crawlers with
 * those for this one: the strictest applies. A past date in `unavailable_after` means `noindex`.
 */
export const robotsVerdict = (
  { header = "", metas = [] }: PageDirectives,
  crawler: string,
  now: number
): RobotsVerdict => {
  const lines = [
    ...header.split("\n"),
    ...metas.flatMap(([name, content]) => (name === "robots" || name === crawler ? [content] : []))
  ]
  const all = lines.flatMap((line) => directivesFor(line, crawler))
  const has = (...names: ReadonlyArray<string>) => all.some(([name]) => names.includes(name))
  return {
    isNoindex:
      has("noindex", "none") || all.some(([name, value]) => name === "unavailable_after" && isPast(value, now)),
    isNofollow: has("nofollow", "none")
  }
}
