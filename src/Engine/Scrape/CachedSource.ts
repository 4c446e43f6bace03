/**
 * The page cache around another page source: serves a page from the cache if it is fresh enough, otherwise gets it, and can store it. A
 * page that is already stored is revalidated ({@link Revalidation.make}).
 */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { isFailure, NotFound } from "../../Api/Errors.ts"
import type { PageCache, Peeked } from "../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import type * as PageMemory from "../Teams/PageMemory.ts"
import { type Held, keeping, type Work } from "../Teams/Work.ts"
import { keyOf, mayUseStored, uncacheable } from "./CacheKey.ts"
import * as Conversion from "./Conversion.ts"
import type { Acceptable, Plan } from "./Plan.ts"
import type { HostTrust } from "./Recrawl/HostTrust.ts"
import * as Revalidation from "./Recrawl/Revalidation.ts"
import * as SkippedPages from "./Recrawl/SkippedPages.ts"
import * as RestoredPage from "./RestoredPage.ts"
import type { Page, ScrapeTarget, Unchanged } from "./ScrapedPage.ts"
import type { ScrapeRequest } from "./Sources.ts"
import * as VisitedPage from "./VisitedPage.ts"

/** Origin of a page (cache or site), which becomes the cache fields of its metadata. */
export interface Provenance {
  /** Present when the request accepts a cached page. */
  readonly cacheState?: "hit" | "miss"
  readonly cachedAt?: string
  /** Present when the stored page is current: how that is known. */
  readonly unchanged?: Unchanged
  /** Present if the page was visited although it could have been skipped: `missed` if it had changed. */
  readonly check?: "confirmed" | "missed"
}

export interface Obtained {
  readonly fetched: Fetched
  readonly provenance: Provenance
  /**
   * Stores or renews the page, with its conversion, if it was fetched and may be stored. `page` is undefined if the conversion failed.
   * Returns the result of the check, if the visit was one.
   */
  readonly keep: (page: Page | undefined) => Promise<Pick<Provenance, "check">>
  /** Called instead of `keep` for a block page, so that the next crawl visits the page. */
  readonly forget: () => Promise<Pick<Provenance, "check">>
}

export interface CachedSource extends PageSource<ScrapeRequest, Obtained> {
  /**
   * Returns the cached entries of pages, or results for pages that need no visit, in the order of the requests. Empty if the plan uses no
   * cache.
   */
  readonly lookUp: (requests: ReadonlyArray<ScrapeRequest>) => Effect.Effect<ReadonlyArray<SkippedPages.Found>>
}

const nothingKept = { keep: async () => ({}), forget: async () => ({}) }

/** Gets a page from the cache if the plan accepts a cached one; otherwise from `source`. */
export const cached = (
  cache: Context.Tag.Service<typeof PageCache>,
  trust: Context.Tag.Service<typeof HostTrust>,
  memory: PageMemory.MemoryPool,
  source: PageSource<ScrapeRequest, Fetched>
): CachedSource => {
  const conversions = Conversion.make(cache)
  const { restore, restorePeeked } = RestoredPage.make(memory, conversions)
  const judgeAnswer = VisitedPage.make(cache, conversions)
  const { judge, lookUp } = SkippedPages.make(cache, trust, conversions)

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

  /** Requests the page from its site; if the page is stored, with a conditional request. */
  const visit = async (
    work: Work,
    request: ScrapeRequest,
    key: string,
    stored: Peeked | undefined
  ): Promise<Held<VisitedPage.Visited>> => {
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

  /** Reports to `HostTrust` whether the evidence about the page (its sitemap or the rates) was right, as this visit shows. */
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

  /** Returns the stored page if it need not be visited, otherwise the page from the site. */
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
