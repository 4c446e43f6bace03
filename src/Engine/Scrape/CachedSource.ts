/**
 * The page cache around another page source: serves a page from the cache if it is fresh enough, otherwise gets it, and can store it. A
 * page that is stored already is asked for with its validators ({@link Revalidation.make}).
 */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { isFailure, NotFound } from "../../Api/Errors.ts"
import { decode } from "../Fetch/Body.ts"
import { memoryTimeout } from "../Fetch/Fetch.ts"
import type { CachedPage } from "../PageCache/CacheSegments.ts"
import { bodyHash, type Packed, pack } from "../PageCache/Packing.ts"
import { maxPageBytes, type NewPage, type PageCache, type Peeked } from "../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { type Held, keeping, orFailure, type Work } from "../Teams/Work.ts"
import { addressOf, keyOf, mayUseStored, siteOf, uncacheable } from "./CacheKey.ts"
import * as Conversion from "./Conversion.ts"
import { isSameContent } from "./Conversion.ts"
import type { Acceptable, Plan } from "./Plan.ts"
import type { HostTrust } from "./Recrawl/HostTrust.ts"
import * as Revalidation from "./Recrawl/Revalidation.ts"
import * as SkippedPages from "./Recrawl/SkippedPages.ts"
import type { Page, ScrapeTarget, Unchanged } from "./ScrapedPage.ts"
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
  readonly keep: (page: Page | undefined) => Promise<Pick<Provenance, "check">>
  /** Called in place of `keep` for a block page: the next crawl visits the page. */
  readonly forget: () => Promise<Pick<Provenance, "check">>
}

export interface CachedSource extends PageSource<ScrapeRequest, Obtained> {
  /** Cached entries of pages, or the answers of those that need no visit, in the order of the requests. Empty if the plan uses no cache. */
  readonly lookUp: (requests: ReadonlyArray<ScrapeRequest>) => Effect.Effect<ReadonlyArray<SkippedPages.Found>>
}

/** The response of a visit, with the functions that store or forget it. */
interface Visited {
  readonly fetched: Fetched
  readonly unchanged?: Unchanged | undefined
  /** Returns whether the page has changed; undefined if that is not known. */
  readonly keep: (page: Page | undefined) => Promise<boolean | undefined>
  readonly forget: () => Promise<void>
}

const nothingKept = { keep: async () => ({}), forget: async () => ({}) }

const nothingHeld = () => undefined

/** Gets a page from the cache if the plan accepts a cached one; otherwise from `source`. */
export const cached = (
  cache: Context.Tag.Service<typeof PageCache>,
  trust: Context.Tag.Service<typeof HostTrust>,
  memory: PageMemory.MemoryPool,
  source: PageSource<ScrapeRequest, Fetched>
): CachedSource => {
  const decompressed = async (
    work: Work,
    page: CachedPage,
    { plan: { options }, target, timeout = options.timeout }: ScrapeRequest
  ): Promise<Held<Uint8Array | undefined>> => {
    const { teamId: team } = target
    const { close, reservation } = memory.enter({ team, host: new URL(page.url).host }, work.seam.call)
    const limit = { bytes: maxPageBytes, reservation }
    const unpacked = async (inner: Work) => {
      if (page.body.byteLength > PageMemory.uncountedSize) await inner.run(reservation.grow(page.body.byteLength))
      const body = await orFailure(decode(inner, new URL(page.url), page.body, page.coding, limit))
      return isFailure(body) ? undefined : body
    }
    try {
      return { page: await work.within(timeout, () => memoryTimeout(target.url, timeout), unpacked), release: close }
    } catch (cause) {
      close()
      throw cause
    }
  }

  /** The page as its site sent it; undefined when its body does not decompress. */
  const restore = async (work: Work, page: CachedPage, request: ScrapeRequest): Promise<Held<Fetched | undefined>> => {
    const { page: body, release } = await decompressed(work, page, request)
    if (body === undefined) {
      release()
      return { page: undefined, release: nothingHeld }
    }
    const { plan, target } = request
    const { headers, statusCode } = page
    // The key includes the rendering: a request that needs a browser only finds rendered pages.
    const shown = plan.rendering === undefined ? {} : { shown: {} }
    return { page: { url: addressOf(page, target), statusCode, headers, body, ...shown }, release }
  }

  const conversions = Conversion.make(cache)
  const { judge, lookUp } = SkippedPages.make(cache, trust, conversions)

  /** The stored page, without its body if its conversion is stored. */
  const restorePeeked = async (
    work: Work,
    stored: Peeked,
    request: ScrapeRequest
  ): Promise<Held<Fetched | undefined>> => {
    const { plan, target } = request
    const wanted = { pageKey: keyOf(target, plan), plan, page: stored, bodyHash: stored.hash }
    const converted = await work.run(conversions.find(wanted, target.stored))
    if (converted !== undefined) {
      const { headers, statusCode } = stored
      return {
        page: { url: addressOf(stored, target), statusCode, headers, body: noBody, converted },
        release: nothingHeld
      }
    }
    const body = await work.run(stored.body)
    return body === undefined ? { page: undefined, release: nothingHeld } : restore(work, { ...stored, body }, request)
  }

  const find = async (
    work: Work,
    key: string,
    acceptable: Acceptable,
    request: ScrapeRequest
  ): Promise<Held<Obtained> | undefined> => {
    const page = await work.run(cache.find(key, accepts(acceptable, work.now())))
    if (page === undefined) return undefined
    const { page: fetched, release } = await restore(work, page, request)
    if (fetched === undefined) return undefined
    const provenance = { cacheState: "hit", cachedAt: new Date(page.at).toISOString() } as const
    return { page: { fetched, provenance, ...nothingKept }, release }
  }

  const revalidate = Revalidation.make(trust, source, restorePeeked)

  /** What becomes of an answer of the site. `confirmedBy`: headers of an answer that says that the stored page is current. */
  const judgeAnswer = async (
    work: Work,
    { plan, target }: ScrapeRequest,
    key: string,
    stored: Peeked | undefined,
    { confirmedBy, fetched }: Revalidation.Revalidated
  ): Promise<Visited> => {
    const forget = async () => {
      if (stored !== undefined) await work.run(cache.forget(key))
    }
    const found = (page: Pick<Fetched, "headers" | "url">, bodyHash: string) =>
      work.run(conversions.find({ pageKey: key, plan, page, bodyHash }, target.stored))
    const site = siteOf(target.teamId, new URL(fetched.url).host)
    if (stored !== undefined && confirmedBy !== undefined) {
      const converted = fetched.converted ?? (await found(fetched, stored.hash))
      const keep = async (page: Page | undefined) => {
        await work.run(stored.confirm(pick(renewedHeaders, confirmedBy), site))
        if (converted === undefined && page !== undefined) await conversions.keep(key, plan, page, fetched, stored.hash)
        return false
      }
      return { fetched: { ...fetched, converted }, unchanged: notModified, keep, forget }
    }
    if (!isStorable(fetched)) {
      const keep = async () => {
        await forget()
        return isGone(fetched.statusCode) ? true : undefined
      }
      return { fetched, keep, forget }
    }
    // Without a stored page the body is hashed where it is converted.
    const ownHash = stored === undefined || fetched.shown !== undefined ? "" : bodyHash(fetched.body)
    const isEqual = stored !== undefined && ownHash !== "" && stored.hash === ownHash && stored.url === fetched.url
    const converted = isEqual ? await found(fetched, ownHash) : undefined
    const stores = {
      body: isPacked(fetched),
      conversion: Conversion.isRepeatable(plan)
    }
    const keep = async (page: Page | undefined) => {
      const before = stored === undefined || isEqual ? undefined : await found(stored, stored.hash)
      const isSame = isEqual || (before !== undefined && page !== undefined && isSameContent(before, page))
      const { changes, since, visits } = stored?.history ?? { since: work.now(), visits: -1, changes: 0 }
      const history = { since, visits: visits + 1, changes: isSame || visits < 0 ? changes : changes + 1 }
      const hash = hashOf(fetched, page)
      const body = page?.stored?.body ?? (isPacked(fetched) ? await pack(fetched.body) : plainOf(fetched))
      cache.keep(key, { ...entryOf(fetched, hash), ...body, site, history })
      if (converted === undefined && page !== undefined) await conversions.keep(key, plan, page, fetched, hash)
      return !isSame
    }
    return { fetched: { ...fetched, converted, ...(fetched.shown === undefined ? { stores } : {}) }, keep, forget }
  }

  /** Asks the site for the page, on condition that it has changed if there is a stored one. */
  const visit = async (
    work: Work,
    request: ScrapeRequest,
    key: string,
    stored: Peeked | undefined
  ): Promise<Held<Visited>> => {
    const asked =
      stored === undefined
        ? keeping(await source.open(work, request), async (fetched) => ({ fetched, confirmedBy: undefined }))
        : revalidate(work, stored, request)
    const answer = await asked.catch(async (cause) => {
      if (request.target.revisit !== undefined && stored !== undefined && isFailure(cause))
        await work.run(cache.forget(key))
      throw cause
    })
    return keeping(answer, (revalidated) => judgeAnswer(work, request, key, stored, revalidated))
  }

  /** Tells `HostTrust` what a visit has shown of the reason why it could have been left out. */
  const conclude = async (
    work: Work,
    { teamId }: ScrapeTarget,
    judged: SkippedPages.Judged | undefined,
    stored: Peeked | undefined,
    hasChanged: boolean | undefined
  ): Promise<Pick<Provenance, "check">> => {
    if (judged === undefined || stored === undefined || hasChanged === undefined) return {}
    const { isTold, subject } = judged
    const page = new URL(stored.url)
    if (isTold) {
      if (hasChanged) await work.run(trust.note(teamId, page, "told", subject))
      return {}
    }
    if (subject !== undefined) await work.run(trust.note(teamId, page, hasChanged ? "lied" : "confirmed", subject))
    return { check: hasChanged ? "missed" : "confirmed" }
  }

  /** The stored page if it need not be visited, otherwise what the site has. */
  const openCurrent = async (work: Work, request: ScrapeRequest, key: string | undefined): Promise<Held<Obtained>> => {
    const { plan, target } = request
    if (key === undefined) {
      const { page: fetched, release } = await source.open(work, request)
      return { page: { fetched, provenance: {}, ...nothingKept }, release }
    }
    const stored = !mayUseStored(plan)
      ? undefined
      : target.stored === undefined
        ? await work.run(cache.peek(key))
        : target.stored.page
    const judged = stored === undefined ? undefined : await work.run(judge(stored, target))
    if (stored !== undefined && judged?.isVisited === false) {
      const { page: fetched, release } = await restorePeeked(work, stored, request)
      const unchanged = SkippedPages.reasonOf(judged)
      if (fetched !== undefined) return { page: { fetched, provenance: { unchanged }, ...nothingKept }, release }
    }
    const {
      page: { fetched, forget, keep, unchanged },
      release
    } = await visit(work, request, key, stored)
    return {
      page: {
        fetched,
        provenance: unchanged === undefined ? {} : { unchanged },
        keep: async (page) => conclude(work, target, judged, stored, await keep(page)),
        forget: async () => {
          await forget()
          return {}
        }
      },
      release
    }
  }

  const open = async (work: Work, request: ScrapeRequest): Promise<Held<Obtained>> => {
    const { plan, target } = request
    const { acceptable, fetches, keeps } = plan.freshness
    if (acceptable === undefined && !keeps) return openCurrent(work, request, undefined)
    const reason = uncacheable(plan.options)
    const key = reason === undefined ? keyOf(target, plan) : undefined
    if (acceptable !== undefined && key !== undefined) {
      const found = await find(work, key, acceptable, request)
      if (found !== undefined) return found
    }
    if (!fetches) throw none(target, plan, reason)
    const { page, release } = await openCurrent(work, request, keeps ? key : undefined)
    return acceptable === undefined
      ? { page, release }
      : { page: { ...page, provenance: { cacheState: "miss", ...page.provenance } }, release }
  }
  return { open, lookUp }
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
