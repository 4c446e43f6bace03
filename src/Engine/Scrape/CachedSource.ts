/** The page cache around another page source: serves a page from the cache if it is fresh enough, otherwise gets it, and can store it. */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NotFound } from "../../Api/Errors.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { decode } from "../Fetch/Body.ts"
import { memoryTimeout } from "../Fetch/Fetch.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import * as PageMemory from "../Fetch/PageMemory.ts"
import { sorted } from "../Idempotency.ts"
import type { CachedPage } from "../PageCache/CacheSegments.ts"
import type { PageCache } from "../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../PageSource.ts"
import type { Acceptable, Plan } from "./Plan.ts"
import type { Page, ScrapeFailure, ScrapeTarget } from "./ScrapedPage.ts"
import type { ScrapeRequest } from "./Sources.ts"

/** Cache fields of the metadata; absent when the request did not use the cache. */
export interface Provenance {
  readonly cacheState?: "hit" | "miss"
  readonly cachedAt?: string
}

export interface Obtained {
  readonly fetched: Fetched
  readonly provenance: Provenance
  /** Stores the page, if it was fetched and may be stored. Not called for block pages. */
  readonly keep: Effect.Effect<void>
}

/** Gets a page from the cache if the plan accepts a cached one; otherwise from `source`. */
export const cached = (
  cache: Context.Tag.Service<typeof PageCache>,
  memory: PageMemory.MemoryPool,
  source: PageSource<ScrapeRequest, ScrapeFailure>
): PageSource<ScrapeRequest, ScrapeFailure, Obtained> => {
  const decompressed = (page: CachedPage, { options: { timeout }, teamId: team, url }: ScrapeTarget) =>
    Effect.gen(function* () {
      const reservation = yield* memory.open({ team, host: new URL(page.url).host })
      const limit = { bytes: maxCached, reservation }
      if (page.body.byteLength > PageMemory.uncountedSize) yield* reservation.grow(page.body.byteLength)
      return yield* Effect.option(decode(new URL(page.url), page.body, page.coding, limit))
    }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => memoryTimeout(url, timeout) }))

  const find = Effect.fnUntraced(function* (key: string, acceptable: Acceptable, { plan, target }: ScrapeRequest) {
    const now = yield* Clock.currentTimeMillis
    const page = yield* cache.find(key, accepts(acceptable, now))
    if (page === undefined) return undefined
    const body = Option.getOrUndefined(yield* decompressed(page, target))
    if (body === undefined) return undefined
    const { headers, statusCode } = page
    return {
      // The key includes the rendering: a request that needs a browser only finds rendered pages.
      fetched: {
        url: addressOf(page, target),
        statusCode,
        headers,
        body,
        ...(plan.rendering === undefined ? {} : { shown: {} })
      },
      provenance: { cacheState: "hit", cachedAt: new Date(page.at).toISOString() },
      keep: Effect.void
    } satisfies Obtained
  })

  const get = Effect.fnUntraced(function* (request: ScrapeRequest) {
    const { plan, target } = request
    const { acceptable, fetches, keeps } = plan.freshness
    if (acceptable === undefined && !keeps)
      return { fetched: yield* source.get(request), provenance: {}, keep: Effect.void }
    const reason = uncacheable(plan.options)
    const key = reason === undefined ? keyOf(target, plan) : undefined
    if (acceptable !== undefined && key !== undefined) {
      const found = yield* find(key, acceptable, request)
      if (found !== undefined) return found
    }
    if (!fetches) return yield* none(target, plan, reason)
    const fetched = yield* source.get(request)
    return {
      fetched,
      provenance: acceptable === undefined ? {} : { cacheState: "miss" },
      keep: keeps && key !== undefined && isStorable(fetched) ? cache.keep(key, entryOf(fetched)) : Effect.void
    } satisfies Obtained
  })
  return { get }
}

/** Adds the cache fields to the metadata. */
export const withProvenance = (page: Page, provenance: Provenance): Page =>
  provenance.cacheState === undefined
    ? page
    : { ...page, document: { ...page.document, metadata: { ...page.document.metadata, ...provenance } } }

/** Maximum size of a cached page. */
const maxCached = 10 * 1024 * 1024

/** Response headers that the engine reads, and so the ones to cache. */
const cachedHeaders = ["content-type", "content-language", "content-disposition", "last-modified", "etag", "link"]

/** False for a page that the browser failed to render: the next request should try again. */
const isStorable = ({ body, shown, statusCode }: Fetched): boolean =>
  statusCode < 400 && body.byteLength <= maxCached && shown?.warning === undefined

const entryOf = ({ body, headers, packed, statusCode, url }: Fetched) => ({
  url,
  statusCode,
  headers: Object.fromEntries(
    cachedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  ),
  // Most sites compress their responses: store the compressed body instead of compressing it again.
  ...(packed === undefined ? { body, coding: "" } : { body: packed.body, coding: packed.coding })
})

/** The cached address with the fragment of the request, which is not part of the key. */
const addressOf = (page: CachedPage, { url }: ScrapeTarget): string => {
  const address = new URL(page.url)
  if (address.hash === "") address.hash = new URL(url).hash
  return address.href
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

/** Actions whose results are not part of the page. */
const actionsWithResults = new Set(["screenshot", "scrape", "executeJavascript", "pdf"])

/**
 * Reason why a request cannot use the cache; undefined when it can. A page fetched with credentials is never stored: it must
 * not outlive its request.
 */
const uncacheable = ({ formats, headers, actions, profile }: Plan["options"]): string | undefined => {
  const name = Object.keys(headers ?? {}).find(mayBeSecret)
  if (name !== undefined) return `the header "${name}" may be a secret`
  if (profile !== undefined) return "a browser profile may be logged in"
  const format = formats.map(formatName).find((format) => format.startsWith("screenshot"))
  if (format !== undefined) return `the format "${format}" needs a browser that has the page open`
  const action = (actions ?? []).find(({ type }) => actionsWithResults.has(type))
  return action === undefined ? undefined : `the action "${action.type}" has a result besides the page`
}

/** Values of `proxy` that share cache entries with requests that name none. */
const plainProxies = new Set(["basic", "auto", "none"])

/** Removes the parts that no server sees: the fragment, unless a script may read it, and the credentials. */
const normalize = (text: string, rendered: boolean): string => {
  const url = new URL(text)
  if (!rendered && !/^#[!/]/.test(url.hash)) url.hash = ""
  url.username = ""
  url.password = ""
  return url.href
}

const lowered = (headers: Readonly<Record<string, string>> | undefined) => {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const variant = ({ headersFor, url, userAgent }: ScrapeTarget, { options, rendering }: Plan): string => {
  const headers = lowered(options.headers)
  const actions = options.actions ?? []
  return JSON.stringify(
    sorted({
      headers,
      // Headers are only sent to the site that they are meant for.
      ...(headers === undefined ? {} : { headersFor: new URL(headersFor ?? url).origin }),
      userAgent,
      skipTlsVerification: options.skipTlsVerification ? true : undefined,
      mobile: options.mobile ? true : undefined,
      location: options.location,
      proxy: options.proxy === undefined || plainProxies.has(options.proxy) ? undefined : options.proxy,
      waitFor: options.waitFor > 0 ? options.waitFor : undefined,
      actions: actions.length === 0 ? undefined : actions,
      // Blocking advertisements changes the rendered page.
      ...(rendering === undefined ? {} : { blockAds: options.blockAds })
    })
  )
}

/** Cache key: team, address, and every option that changes the response. */
const keyOf = (target: ScrapeTarget, plan: Plan): string =>
  hash(
    "sha256",
    `${target.teamId}\n${normalize(target.url, plan.rendering !== undefined)}\n${variant(target, plan)}`,
    "base64url"
  )
