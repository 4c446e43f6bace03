/** Handlers of group `map`: list the addresses of a site, from its sitemaps and from the links of the given page. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { type leftOut, type MapRequest, type MapRequestV1, MapResponse, requestFields } from "../../Api/Map.ts"
import { canParse } from "../../Api/Url.ts"
import { Api } from "../../Api.ts"
import { tldts } from "../../Packages.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import { Fetch } from "../Fetch/Fetch.ts"
import { Robots } from "../Fetch/Robots.ts"
import type { PageOptions } from "../Scrape/DocumentTask.ts"
import { DocumentThreads } from "../Scrape/DocumentThreads.ts"
import { refreshOf } from "../Scrape/Refresh.ts"
import * as Route from "../Scrape/Route.ts"
import { Sitemap } from "../Scrape/Sitemap.ts"
import { type IdempotentRequest, repeat } from "../Usage/Idempotency.ts"
import { PaidCalls } from "../Usage/PaidCalls.ts"
import { prices, Usage } from "../Usage/Usage.ts"

type Request = Settled<typeof requestFields>

const defaultTimeout = 60_000

const linksOnly: PageOptions = {
  wanted: new Set(["linkTexts"]),
  onlyMainContent: false,
  removeBase64Images: true,
  blockAds: false,
  rawHtml: false
}

/** Fetches the page. Returns its address and its links, with titles. */
const fromPage = Effect.fnUntraced(function* (url: string, timeout: number, route: Route.Route) {
  const fetch = yield* Fetch
  const { acceptLanguage, proxy, session } = route
  const { body, headers, url: landed } = yield* fetch.get({ url, timeout, refreshOf, acceptLanguage, proxy, session })
  const contentType = headers["content-type"]
  if (kindOf(contentType, new URL(landed).pathname, body)._tag !== "Html") return [{ url: landed } satisfies Found]
  const { links, title, description, linkTexts } = yield* (yield* DocumentThreads).run<"page">(
    { kind: "page", bytes: body, contentType, options: { ...linksOnly, url: landed } },
    landed,
    timeout
  )
  const page: Found = { url: landed, title, description }
  return [page, ...links.map((link): Found => ({ url: link, title: linkTexts?.get(link) }))]
}, Effect.scoped)

interface Listed {
  readonly found: ReadonlyArray<Found>
  /** False when a sitemap or robots.txt could not be read. */
  readonly isWhole: boolean
  /** True for the entries of a single sitemap file, on whatever host they are. */
  readonly isOfFile?: boolean
}

/** Proxy and session of all requests of a map. */
type Way = Pick<Route.Route, "proxy" | "session">

const fromSitemaps = Effect.fnUntraced(function* (url: string, limit: number, timeout: number, way: Way) {
  const { origin } = new URL(url)
  const robots = yield* Robots
  const sitemap = yield* Sitemap
  const [spent, { isRead, sitemaps }] = yield* Effect.timed(
    robots.load(origin, undefined, { pool: way.proxy }).pipe(
      Effect.map(({ sitemaps, unreadable }) => ({ sitemaps, isRead: unreadable === undefined })),
      Effect.timeoutTo({
        duration: timeout / 2,
        onSuccess: identity,
        onTimeout: (): { readonly sitemaps: ReadonlyArray<string>; readonly isRead: boolean } => ({
          sitemaps: [],
          isRead: false
        })
      })
    )
  )
  const left = Math.max(1, timeout - Duration.toMillis(spent))
  const { isWhole, urls } = yield* sitemap.urls(origin, sitemaps, { ...way, limit, timeout: left })
  return { found: urls.map((listed): Found => ({ url: listed })), isWhole: isRead && isWhole, isOfFile: false }
})

/** Matches the path of a sitemap file. For such a URL, only the entries of that file are wanted. */
const isFile = /\.(?:xml|txt|rss|atom|rdf)(?:\.gz)?$|\.gz$/i

/** Returns the entries of one sitemap if the URL is that of a sitemap, whatever its name; else the URLs of the whole site. */
const fromFileOrSite = Effect.fnUntraced(function* (
  url: string,
  limit: number,
  timeout: number,
  way: Way
): Effect.fn.Return<Listed, never, Robots | Sitemap> {
  const { origin, pathname, search } = new URL(url)
  if (pathname === "/" && search === "") return yield* fromSitemaps(url, limit, timeout, way)
  const sitemap = yield* Sitemap
  const [spent, { isWhole, urls }] = yield* Effect.timed(
    sitemap.urls(origin, [url], { ...way, limit, timeout: timeout / 2 })
  )
  if (urls.length > 0 || isFile.test(pathname)) {
    return { found: urls.map((listed): Found => ({ url: listed })), isWhole, isOfFile: true }
  }
  return yield* fromSitemaps(url, limit, Math.max(1, timeout - Duration.toMillis(spent)), way)
})

/** Maps a site, without charging for it and without checking robots.txt. */
export const find = Trace.fn("Map.find")(function* (request: Request) {
  const { url, sitemap, limit, timeout = defaultTimeout } = request
  const route = yield* Route.read({ location: request.location, proxy: undefined })
  const way: Way = { proxy: route.proxy, session: route.session }
  // The page and the sitemaps have a deadline each, before that of the request, so that a slow part does not cost the result of the other.
  const share = timeout * 0.9
  const late = () =>
    new TimedOut({ error: `${url} could not be mapped within ${timeout} ms. Raise "timeout".`, code: "MAP_TIMEOUT" })
  // More than the limit, because addresses are filtered afterwards.
  const gathered = Math.min(limit * 10 + 1_000, 200_000)
  const [page, listed] = yield* Effect.all(
    [
      sitemap === "only"
        ? Effect.succeed(Either.right([]))
        : Effect.either(Effect.timeoutFail(fromPage(url, share, route), { duration: share, onTimeout: late })),
      sitemap === "skip"
        ? Effect.succeed<Listed>({ found: [], isWhole: true })
        : sitemap === "only"
          ? fromFileOrSite(url, gathered, share, way)
          : fromSitemaps(url, gathered, share, way)
    ],
    { concurrency: 2 }
  )
  // A failed page is an error only if the sitemaps have found nothing.
  if (Either.isLeft(page) && listed.found.length === 0) {
    return yield* page.left._tag === "TimedOut" ? late() : page.left
  }
  return {
    warning: sitemap === "only" ? undefined : route.warning,
    links: collect(request, [...Either.getOrElse(page, () => []), ...listed.found], listed.isOfFile),
    leftOut: (listed.isWhole ? [] : ["sitemap"]) satisfies ReadonlyArray<(typeof leftOut)[number]>
  }
})

const map = Trace.fn("Map.map")(function* (
  payload: MapRequest,
  repeat: IdempotentRequest | undefined,
  show: (links: ReadonlyArray<Found>) => MapResponse["links"]
) {
  const team = yield* Team
  const usage = yield* Usage
  const calls = yield* PaidCalls
  const found = Effect.map(find(settle(requestFields, payload)), ({ leftOut, links, warning }) => ({
    answer: {
      success: true,
      links: show(links),
      ...(warning === undefined ? {} : { warning }),
      ...(leftOut.length === 0 ? {} : { leftOut })
    },
    book: usage.charge(team, "map", prices.map)
  }))
  return yield* calls.answer(MapResponse, { team, repeat, price: prices.map }, found)
})

const fromV1 = ({ ignoreSitemap, sitemapOnly, ...request }: MapRequestV1): MapRequest => {
  const sitemap = sitemapOnly === true ? "only" : ignoreSitemap === true ? "skip" : undefined
  return { ...(sitemap === undefined ? {} : { sitemap }), ...request }
}

export const handlers = HttpApiBuilder.group(Api, "map", (group) =>
  group
    .handle("map", ({ headers, payload }) =>
      map(payload, repeat(headers["x-idempotency-key"], "v2 map", payload), (links) => links)
    )
    .handle("mapV1", ({ headers, payload }) =>
      map(fromV1(payload), repeat(headers["x-idempotency-key"], "v1 map", payload), (links) =>
        links.map(({ url }) => url)
      )
    )
).pipe(Layer.provide(DocumentThreads.Default))

export interface Found {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

type Rules = Pick<
  Settled<typeof requestFields>,
  "url" | "search" | "includeSubdomains" | "ignoreQueryParameters" | "limit"
>

const bare = (host: string): string => host.replace(/^www\./, "")

/** True for URLs on the host of the request, with or without `www.`; with `includeSubdomains`, on its registrable domain. */
const isOfSite = (rules: Rules) => {
  const start = new URL(rules.url)
  const domain = tldts().getDomain(start.hostname, { allowPrivateDomains: true })
  return (url: URL): boolean => {
    if (bare(url.host) === bare(start.host)) return true
    if (!rules.includeSubdomains || domain === null || url.port !== start.port) return false
    return url.hostname === domain || url.hostname.endsWith(`.${domain}`)
  }
}

const merge = (known: Found | undefined, found: Found, url: string): Found => {
  const title = known?.title || found.title
  const description = known?.description || found.description
  return { url, ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Number of search words that occur in the address, title or description. A word in the title counts twice. */
const relevance = (words: ReadonlyArray<string>, { url, title = "", description = "" }: Found): number => {
  const [address, heading, text] = [readable(url).toLowerCase(), title.toLowerCase(), description.toLowerCase()]
  let score = 0
  for (const word of words) {
    if (heading.includes(word)) score += 2
    if (address.includes(word)) score += 1
    if (text.includes(word)) score += 1
  }
  return score
}

/** The address without percent-encoding. */
const readable = (url: string): string => Option.getOrElse(Option.liftThrowable(decodeURI)(url), () => url)

/** Returns the URLs of the site, at most `limit`: in the order found, or by relevance if the request has search words. */
export const collect = (rules: Rules, all: ReadonlyArray<Found>, isAnySite = false): ReadonlyArray<Found> => {
  const ofSite = isAnySite ? () => true : isOfSite(rules)
  const found = new Map<string, Found>()
  for (const each of all) {
    if (!canParse(each.url)) continue
    const url = new URL(each.url)
    if (!ofSite(url)) continue
    url.hash = ""
    if (rules.ignoreQueryParameters) url.search = ""
    found.set(url.href, merge(found.get(url.href), each, url.href))
  }
  const links = [...found.values()]
  const words = wordsOf(rules.search ?? "")
  if (words.length === 0) return links.slice(0, rules.limit)
  return links
    .map((link, index) => ({ link, index, score: relevance(words, link) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, rules.limit)
    .map(({ link }) => link)
}
