/**
 * The page cache around another page source: serves a page from the cache if it is fresh enough, otherwise gets it, and can store it. A
 * page that is stored already is asked for with its validators ({@link Revalidation.make}).
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NotFound } from "../../Api/Errors.ts"
import { decode } from "../Fetch/Body.ts"
import { memoryTimeout } from "../Fetch/Fetch.ts"
import type { CachedPage } from "../PageCache/CacheSegments.ts"
import { bodyHash, type Packed, pack } from "../PageCache/Packing.ts"
import { maxPageBytes, type NewPage, type PageCache, type Peeked } from "../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { addressOf, keyOf, mayUseStored, siteOf, uncacheable } from "./CacheKey.ts"
import * as Conversion from "./Conversion.ts"
import { isSameContent } from "./Conversion.ts"
import type { Acceptable, Plan } from "./Plan.ts"
import type { HostTrust } from "./Recrawl/HostTrust.ts"
import * as Revalidation from "./Recrawl/Revalidation.ts"
import * as SkippedPages from "./Recrawl/SkippedPages.ts"
import type { Page, ScrapeFailure, ScrapeTarget, Unchanged } from "./ScrapedPage.ts"
import { isSuccess, type ScrapeRequest } from "./Sources.ts"

/** Cache fields of the metadata. */
export interface Provenance {
  /** Present when the request accepts a cached page. */
  readonly cacheState?: "hit" | "miss"
  readonly cachedAt?: string
  /** Present when the stored page is current. */
  readonly unchanged?: Unchanged
  /** Present when the page was visited although it could have been left out: `missed` when it had changed. */
  readonly check?: "confirmed" | "missed"
}

export interface Obtained {
  readonly fetched: Fetched
  readonly provenance: Provenance
  /**
   * Stores or renews the page, with its conversion, if it was fetched and may be stored. Without a page it could not be converted. Returns
   * what the visit has shown.
   */
  readonly keep: (page: Page | undefined) => Effect.Effect<Pick<Provenance, "check">>
  /** Called in place of `keep` for a block page: the next crawl visits the page. */
  readonly forget: Effect.Effect<Pick<Provenance, "check">>
}

export interface CachedSource extends PageSource<ScrapeRequest, ScrapeFailure, Obtained> {
  /** Cached entries of pages, or the answers of those that need no visit, in the order of the requests. Empty if the plan uses no cache. */
  readonly lookUp: (requests: ReadonlyArray<ScrapeRequest>) => Effect.Effect<ReadonlyArray<SkippedPages.Found>>
}

const nothingKept = { keep: () => Effect.succeed({}), forget: Effect.succeed({}) }

/** Gets a page from the cache if the plan accepts a cached one; otherwise from `source`. */
export const cached = (
  cache: Context.Tag.Service<typeof PageCache>,
  trust: Context.Tag.Service<typeof HostTrust>,
  memory: PageMemory.MemoryPool,
  source: PageSource<ScrapeRequest, ScrapeFailure>
): CachedSource => {
  const decompressed = (page: CachedPage, { plan: { options }, target, timeout = options.timeout }: ScrapeRequest) =>
    Effect.gen(function* () {
      const { teamId: team } = target
      const reservation = yield* memory.open({ team, host: new URL(page.url).host })
      const limit = { bytes: maxPageBytes, reservation }
      if (page.body.byteLength > PageMemory.uncountedSize) yield* reservation.grow(page.body.byteLength)
      return yield* Effect.option(decode(new URL(page.url), page.body, page.coding, limit))
    }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => memoryTimeout(target.url, timeout) }))

  /** The page as its site sent it; undefined when its body does not decompress. */
  const restore = Effect.fnUntraced(function* (page: CachedPage, request: ScrapeRequest) {
    const body = Option.getOrUndefined(yield* decompressed(page, request))
    if (body === undefined) return undefined
    const { plan, target } = request
    const { headers, statusCode } = page
    // The key includes the rendering: a request that needs a browser only finds rendered pages.
    const shown = plan.rendering === undefined ? {} : { shown: {} }
    return { url: addressOf(page, target), statusCode, headers, body, ...shown } satisfies Fetched
  })

  const conversions = Conversion.make(cache)
  const { judge, lookUp } = SkippedPages.make(cache, trust, conversions)

  /** The stored page, without its body if its conversion is stored. */
  const restorePeeked = Effect.fnUntraced(function* (stored: Peeked, request: ScrapeRequest) {
    const { plan, target } = request
    const converted = yield* conversions.find(
      { pageKey: keyOf(target, plan), plan, page: stored, bodyHash: stored.hash },
      target.stored
    )
    if (converted !== undefined) {
      const { headers, statusCode } = stored
      return { url: addressOf(stored, target), statusCode, headers, body: noBody, converted } satisfies Fetched
    }
    const body = yield* stored.body
    return body === undefined ? undefined : yield* restore({ ...stored, body }, request)
  })

  const find = Effect.fnUntraced(function* (key: string, acceptable: Acceptable, request: ScrapeRequest) {
    const now = yield* Clock.currentTimeMillis
    const page = yield* cache.find(key, accepts(acceptable, now))
    const fetched = page === undefined ? undefined : yield* restore(page, request)
    if (page === undefined || fetched === undefined) return undefined
    return {
      fetched,
      provenance: { cacheState: "hit", cachedAt: new Date(page.at).toISOString() },
      ...nothingKept
    } satisfies Obtained
  })

  const revalidate = Revalidation.make(trust, source, restorePeeked)

  /** Asks the site for the page, on condition that it has changed if there is a stored one. */
  const visit = Effect.fnUntraced(function* (request: ScrapeRequest, key: string, stored: Peeked | undefined) {
    const { plan, target } = request
    const forget = stored === undefined ? Effect.void : cache.forget(key)
    const found = (page: Pick<Fetched, "headers" | "url">, bodyHash: string) =>
      conversions.find({ pageKey: key, plan, page, bodyHash }, target.stored)
    const { confirmedBy, fetched } = yield* (
      stored === undefined
        ? Effect.map(source.get(request), (fetched) => ({ fetched, confirmedBy: undefined }))
        : revalidate(stored, request)
    ).pipe(Effect.tapError(() => (target.revisit === undefined ? Effect.void : forget)))
    const site = siteOf(target.teamId, new URL(fetched.url).host)
    if (stored !== undefined && confirmedBy !== undefined) {
      const converted = fetched.converted ?? (yield* found(fetched, stored.hash))
      const keep = Effect.fnUntraced(function* (page: Page | undefined) {
        yield* stored.confirm(pick(renewedHeaders, confirmedBy), site)
        if (converted === undefined && page !== undefined)
          yield* conversions.keep(key, plan, page, fetched, stored.hash)
        return false
      })
      return { fetched: { ...fetched, converted }, unchanged: notModified, keep, forget }
    }
    if (!isStorable(fetched)) {
      return { fetched, keep: () => Effect.as(forget, isGone(fetched.statusCode) ? true : undefined), forget }
    }
    // Without a stored page the body is hashed where it is converted.
    const ownHash = stored === undefined || fetched.shown !== undefined ? "" : bodyHash(fetched.body)
    const isEqual = stored !== undefined && ownHash !== "" && stored.hash === ownHash && stored.url === fetched.url
    const converted = isEqual ? yield* found(fetched, ownHash) : undefined
    const stores = {
      body: isPacked(fetched),
      conversion: Conversion.isRepeatable(plan)
    }
    const keep = Effect.fnUntraced(function* (page: Page | undefined) {
      const before = stored === undefined || isEqual ? undefined : yield* found(stored, stored.hash)
      const isSame = isEqual || (before !== undefined && page !== undefined && isSameContent(before, page))
      const { changes, since, visits } = stored?.history ?? {
        since: yield* Clock.currentTimeMillis,
        visits: -1,
        changes: 0
      }
      const history = { since, visits: visits + 1, changes: isSame || visits < 0 ? changes : changes + 1 }
      const hash = hashOf(fetched, page)
      const body =
        page?.stored?.body ?? (isPacked(fetched) ? yield* Effect.promise(() => pack(fetched.body)) : plainOf(fetched))
      yield* cache.keep(key, { ...entryOf(fetched, hash), ...body, site, history })
      if (converted === undefined && page !== undefined) yield* conversions.keep(key, plan, page, fetched, hash)
      return !isSame
    })
    return { fetched: { ...fetched, converted, ...(fetched.shown === undefined ? { stores } : {}) }, keep, forget }
  })

  /** The stored page if it need not be visited, otherwise what the site has. */
  const getCurrent = Effect.fnUntraced(function* (request: ScrapeRequest, key: string | undefined) {
    const { plan, target } = request
    if (key === undefined) {
      return { fetched: yield* source.get(request), provenance: {}, ...nothingKept } satisfies Obtained
    }
    const before = target.stored === undefined ? cache.peek(key) : Effect.succeed(target.stored.page)
    const stored = mayUseStored(plan) ? yield* before : undefined
    const judged = stored === undefined ? undefined : yield* judge(stored, target)
    if (stored !== undefined && judged?.isVisited === false) {
      const fetched = yield* restorePeeked(stored, request)
      const unchanged = SkippedPages.reasonOf(judged)
      if (fetched !== undefined) return { fetched, provenance: { unchanged }, ...nothingKept } satisfies Obtained
    }
    const { fetched, forget, keep, unchanged } = yield* visit(request, key, stored)
    const conclude = Effect.fnUntraced(function* (hasChanged: boolean | undefined) {
      if (judged === undefined || stored === undefined || hasChanged === undefined) return {}
      const { isTold, subject } = judged
      const page = new URL(stored.url)
      if (isTold) {
        if (hasChanged) yield* trust.note(target.teamId, page, "told", subject)
        return {}
      }
      if (subject !== undefined) {
        yield* trust.note(target.teamId, page, hasChanged ? "lied" : "confirmed", subject)
      }
      return { check: hasChanged ? "missed" : "confirmed" } as const
    })
    return {
      fetched,
      provenance: unchanged === undefined ? {} : { unchanged },
      keep: (page) => Effect.flatMap(keep(page), conclude),
      forget: Effect.as(forget, {})
    } satisfies Obtained
  })

  const get = Effect.fnUntraced(function* (request: ScrapeRequest) {
    const { plan, target } = request
    const { acceptable, fetches, keeps } = plan.freshness
    if (acceptable === undefined && !keeps) return yield* getCurrent(request, undefined)
    const reason = uncacheable(plan.options)
    const key = reason === undefined ? keyOf(target, plan) : undefined
    if (acceptable !== undefined && key !== undefined) {
      const found = yield* find(key, acceptable, request)
      if (found !== undefined) return found
    }
    if (!fetches) return yield* none(target, plan, reason)
    const obtained = yield* getCurrent(request, keeps ? key : undefined)
    return acceptable === undefined
      ? obtained
      : ({ ...obtained, provenance: { cacheState: "miss", ...obtained.provenance } } satisfies Obtained)
  })
  return { get, lookUp }
}

const isGone = (status: number): boolean => status === 404 || status === 410

/** Adds the cache fields to the page and its metadata. */
export const withProvenance = (page: Page, provenance: Provenance): Page =>
  Object.keys(provenance).length === 0
    ? page
    : {
        ...page,
        unchanged: provenance.unchanged,
        isUnsent:
          provenance.cacheState === "hit" || provenance.unchanged === "sitemap" || provenance.unchanged === "notDue",
        document: { ...page.document, metadata: { ...page.document.metadata, ...provenance } }
      }

const notModified: Unchanged = "notModified"

const noBody = new Uint8Array()

/** Headers that a 304 renews. */
const renewedHeaders = ["cache-control", "date", "vary"]

/** Response headers that the engine reads, and so the ones to cache. */
const cachedHeaders = [
  "content-type",
  "content-language",
  "content-disposition",
  "last-modified",
  "etag",
  "link",
  "x-robots-tag",
  ...renewedHeaders
]

const pick = (names: ReadonlyArray<string>, headers: Fetched["headers"]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const])))

/** False for a page that the browser failed to render: the next request should try again. */
const isStorable = ({ body, shown, statusCode }: Fetched): boolean =>
  isSuccess(statusCode) && body.byteLength <= maxPageBytes && shown?.warning === undefined

/** Types whose files are compressed already, or that are no text. */
const isText = (contentType: string | undefined): boolean =>
  contentType === undefined || /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:xml|json|javascript)\b)/i.test(contentType)

/** True for a body that is compressed before it is stored. Many sites compress their responses: what they have sent is stored. */
const isPacked = ({ headers, packed }: Fetched): boolean => packed === undefined && isText(headers["content-type"])

const plainOf = ({ body, packed }: Fetched): Packed => packed ?? { body, coding: "" }

/** A rendered page has no hash: its scripts can show something else while the response of the site stays the same. */
const hashOf = ({ body, shown }: Fetched, page: Page | undefined): string =>
  shown === undefined ? (page?.stored?.hash ?? bodyHash(body)) : ""

const entryOf = ({ headers, statusCode, url }: Fetched, hash: string): Omit<NewPage, "body" | "coding"> => ({
  url,
  statusCode,
  headers: pick(cachedHeaders, headers),
  hash
})

const accepts =
  ({ maxAge, minAge }: Acceptable, now: number) =>
  (at: number): boolean =>
    now - at >= minAge && now - at <= maxAge

const none = ({ url }: ScrapeTarget, { options }: Plan, reason: string | undefined) =>
  options.lockdown
    ? new NotFound({
        error: `The cache has no copy of ${url} for this request${reason === undefined ? "" : `: ${reason}`}. "lockdown" forbids fetching it; remove "lockdown" to fetch the page.`,
        code: "SCRAPE_LOCKDOWN_CACHE_MISS"
      })
    : new NotFound({
        error: `The cache has no copy of ${url} with the age that "minAge" and "maxAge" ask for${reason === undefined ? "" : `: ${reason}`}. Remove "minAge" to fetch the page.`,
        code: "SCRAPE_NO_CACHED_DATA"
      })
