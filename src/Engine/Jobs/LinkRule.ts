/** Decides whether a crawl follows a link, and gives the reason if not; decides which URLs are the same page. */
import * as Either from "effect/Either"
import type { RE2JS } from "re2js"
import type * as CrawlParams from "../../Api/CrawlParams.ts"
import { BadRequest } from "../../Api/Errors.ts"
import type { Settled } from "../../Api/Field.ts"
import type { Reason as Counted } from "../../Api/NotFollowed.ts"
import { canParse, isTracking, percentDecoded } from "../../Api/Url.ts"
import { isLogoutAddress } from "../../Html/LogoutLinks.ts"
import { re2js, tldts } from "../../Packages.ts"

export type Params = Settled<typeof CrawlParams.fields>

/** Reason for not following a link: the setting that excludes it, or why it is no page, or too many links from the start. */
export type Reason = Counted | "notWebAddress" | "notPage" | "maxDiscoveryDepth"

export type Decision =
  | { readonly _tag: "Follow"; readonly address: Address }
  | { readonly _tag: "Leave"; readonly reason: Reason; readonly tooDeep?: Address }

/** Compiled crawl parameters. */
export interface LinkRule {
  /**
   * `links`: links followed from the start to `href`, 1 for a link of the start; 0 for URLs from the sitemap. `isNext`: `href` is the next
   * page of a list, to which includePaths and depth limits do not apply.
   */
  readonly decide: (href: string, links: number, isNext?: boolean) => Decision
}

/** Extensions of files that are not followed, because they contain no text. Documents such as PDF are followed. */
const notAPage =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|flac|mov|avi|mkv|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|pkg|deb|rpm|msi|apk|iso|jar|wasm|swf)$/i

const segments = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

/** The folder of the start: `/docs` for `/docs`, `/docs/` and `/docs/intro.html`. */
const folderOf = (path: string): string => {
  const parts = segments(path)
  const last = parts.at(-1)
  const kept = last !== undefined && !path.endsWith("/") && last.includes(".") ? parts.slice(0, -1) : parts
  return kept.length === 0 ? "" : `/${kept.join("/")}`
}

/** Limits, because every link of every page is matched against every pattern. */
const maxPatterns = 100
const maxPattern = 1_000

const tooMuch = (field: string, message: string): Either.Either<never, BadRequest> =>
  Either.left(
    new BadRequest({
      error: `${field}: ${message}`,
      code: "BAD_REQUEST",
      details: [{ path: [field], message, code: "too_big" }]
    })
  )

const compileAll = (
  field: string,
  patterns: ReadonlyArray<string> = []
): Either.Either<ReadonlyArray<RE2JS>, BadRequest> => {
  if (patterns.length > maxPatterns) {
    return tooMuch(
      field,
      `there are ${patterns.length} patterns; at most ${maxPatterns} are allowed. Join some of them with "|".`
    )
  }
  const long = patterns.find(({ length }) => length > maxPattern)
  if (long !== undefined) {
    return tooMuch(field, `"${long.slice(0, 40)}…" has ${long.length} characters; ${maxPattern} are allowed.`)
  }
  return Either.all(
    patterns.map((pattern) =>
      Either.try({
        try: () => re2js().RE2JS.compile(pattern),
        catch: (cause) =>
          new BadRequest({
            error: `${field}: "${pattern}" is not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`,
            code: "BAD_REQUEST",
            details: [{ path: [field], message: `"${pattern}" is not a regular expression`, code: "invalid_pattern" }]
          })
      })
    )
  )
}

/** Compiles the parameters; `starts` are the crawl's URL and its redirect target. With `isMember`, links that sign out are not followed. */
export const compile = (
  params: Params,
  starts: ReadonlyArray<URL>,
  isMember = false
): Either.Either<LinkRule, BadRequest> =>
  Either.gen(function* () {
    const includes = yield* compileAll("includePaths", params.includePaths)
    const excludes = yield* compileAll("excludePaths", params.excludePaths)
    const sites = new Set(starts.map(siteHost))
    const domains = starts.map((url) => tldts().getDomain(url.hostname, { allowPrivateDomains: true }) ?? siteHost(url))
    const folders = starts.map((url) => ({ site: siteHost(url), folder: folderOf(url.pathname) }))
    const leave = (reason: Reason): Decision => ({ _tag: "Leave", reason })

    const isSubdomain = ({ hostname }: URL) =>
      domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))

    const whyOutside = (url: URL, isNext: boolean): Reason | undefined => {
      const site = siteHost(url)
      if (!sites.has(site)) {
        if (params.allowExternalLinks) return undefined
        return isSubdomain(url) ? (params.allowSubdomains ? undefined : "subdomain") : "anotherSite"
      }
      const here = folders.filter((start) => start.site === site)
      const below = here.some(({ folder }) => url.pathname === folder || url.pathname.startsWith(`${folder}/`))
      if (!below && !params.crawlEntireDomain) return "notBelowStart"
      const depth = segments(url.pathname).length - Math.min(...here.map(({ folder }) => segments(folder).length))
      return !isNext && params.maxDepth !== undefined && depth > params.maxDepth ? "maxDepth" : undefined
    }

    const whyFiltered = ({ href, pathname }: URL, isNext: boolean): Reason | undefined => {
      const text = params.regexOnFullURL ? href : pathname
      const plain = percentDecoded(text)
      const matches = (pattern: RE2JS) => pattern.test(text) || (plain !== text && pattern.test(plain))
      if (excludes.some(matches)) return "excludePaths"
      return !isNext && includes.length > 0 && !includes.some(matches) ? "includePaths" : undefined
    }

    return {
      decide: (href, links, isNext = false) => {
        const address = parse(href, params)
        if (address === undefined) return leave("notWebAddress")
        if (notAPage.test(address.url.pathname)) return leave("notPage")
        if (isMember && isLogoutAddress(address.url)) return leave("logout")
        const outside = whyOutside(address.url, isNext)
        // Only the depth excludes this page, so it is returned as too deep.
        if (outside === "maxDepth" && whyFiltered(address.url, isNext) === undefined) {
          return { _tag: "Leave", reason: outside, tooDeep: address }
        }
        const reason = outside ?? whyFiltered(address.url, isNext)
        if (reason !== undefined) return leave(reason)
        return !isNext && params.maxDiscoveryDepth !== undefined && links > params.maxDiscoveryDepth
          ? { _tag: "Leave", reason: "maxDiscoveryDepth", tooDeep: address }
          : { _tag: "Follow", address }
      }
    }
  })

/** Differences between two URLs to ignore. */
export interface Sameness {
  /** Removes the whole query, or the parameters with these names; `*` matches any characters. */
  readonly ignoreQueryParameters: boolean | ReadonlyArray<string>
  /**
   * Ignores the scheme, `www.`, `index.html`, a trailing slash, the encoding of characters, and campaign and session parameters
   * (`utm_source`, `gclid`, `PHPSESSID`, `;jsessionid=…`).
   */
  readonly deduplicateSimilarURLs: boolean
}

/** An address to visit; equal keys mean the same page. */
export interface Address {
  readonly url: URL
  readonly href: string
  readonly key: string
}

const index = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i

/** Host without `www.` and without the dot of a fully qualified name. */
export const siteHost = (url: URL): string => url.host.replace(/^www\./, "").replace(/\.(?=$|:\d+$)/, "")

/** Octets that mean the same encoded or not (RFC 3986, 6.2.2): letters, digits, and `-._~`. */
const unreserved = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|3\d|2[de]|5f|7e)/gi

/** Returns the same text for equivalent percent-encodings: `/%7euser` is `/~user`, `%c3` is `%C3`. */
const normalized = (path: string): string =>
  path.includes("%")
    ? path
        .replace(unreserved, (octet) => decodeURIComponent(octet))
        .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
    : path

/** Names of parameters that identify a session. */
const sessionParameter = /^(?:phpsessid|jsessionid|aspsessionid.*|cfid|cftoken)$/i

/** Session of a Java server in the path: `/item;jsessionid=1A2B`. */
const sessionInPath = /;jsessionid=[^/;]*/i

/** Returns the query without some parameters; the others keep their spelling. */
const queryWithout = (search: string, isLeft: (name: string) => boolean): string => {
  if (search === "") return search
  const all = search.slice(1).split("&")
  const kept = all.filter((parameter) => !isLeft(percentDecoded(parameter.split("=", 1)[0] ?? "")))
  return kept.length === all.length ? search : kept.length === 0 ? "" : `?${kept.join("&")}`
}

const isOfVisitor = (name: string): boolean => isTracking(name) || sessionParameter.test(name)

const keyOf = (url: URL, href: string, { deduplicateSimilarURLs }: Sameness): string => {
  if (!deduplicateSimilarURLs) return href
  const path = url.pathname.replace(sessionInPath, "").replace(index, "/").replace(/\/+$/, "")
  return siteHost(url) + normalized(path + queryWithout(url.search, isOfVisitor))
}

/** True if the name matches one of the patterns, in which `*` matches any characters. */
const isNamed = (name: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => {
    const [head = "", ...rest] = pattern.split("*")
    if (rest.length === 0) return name === pattern
    const tail = rest.pop() ?? ""
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false
    let at = head.length
    return rest.every((part) => {
      const found = name.indexOf(part, at)
      at = found + part.length
      return found >= 0 && at <= name.length - tail.length
    })
  })

/** Parses an http or https URL; undefined for anything else. */
export const parse = (text: string, sameness: Sameness): Address | undefined => {
  if (!canParse(text)) return undefined
  const url = new URL(text)
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined
  url.hash = ""
  url.username = ""
  url.password = ""
  const { ignoreQueryParameters: left } = sameness
  // Assigning also removes a lone "?".
  url.search =
    typeof left !== "boolean" ? queryWithout(url.search, (name) => isNamed(name, left)) : left ? "" : url.search
  const { href } = url
  return { url, href, key: keyOf(url, href, sameness) }
}
