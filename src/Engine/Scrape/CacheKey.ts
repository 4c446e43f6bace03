/** Keys of the page cache: decide which requests may use the cache, and which of them share responses. */
import { hash } from "node:crypto"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import { controlsCaching } from "../Fetch/Validators.ts"
import type { CachedResponse } from "../PageCache/CacheSegments.ts"
import { sorted } from "../Usage/Idempotency.ts"
import type { Plan } from "./Plan.ts"
import type { ScrapeTarget } from "./ScrapedPage.ts"
import type { ScrapeRequest } from "./Sources.ts"

/** Returns the URL of the cached page with the fragment of the request: requests that differ only in the fragment share a cached page. */
export const addressOf = (page: CachedResponse, { url }: ScrapeTarget): string => {
  const address = new URL(page.url)
  if (address.hash === "") address.hash = new URL(url).hash
  return address.href
}

/** Key of a team and a host, for finding the visits of a site. */
export const siteOf = (team: string, host: string): string => `${team}\n${host}`

/** Actions with a result besides the page. The cache stores no such results. */
const actionsWithResults = new Set(["screenshot", "scrape", "executeJavascript", "pdf"])

/**
 * Reason why a request cannot use the cache; undefined when it can. A page fetched with credentials is never stored: it must
 * not outlive its request.
 */
export const uncacheable = ({ formats, headers, actions, profile }: Plan["options"]): string | undefined => {
  const name = Object.keys(headers ?? {}).find(mayBeSecret)
  if (name !== undefined)
    return `pages requested with the header "${name}" are never stored, because it may be a secret`
  if (profile !== undefined)
    return "pages requested with a browser profile are never stored, because it may be logged in"
  const format = formats.map(formatName).find((format) => format.startsWith("screenshot"))
  if (format !== undefined) return `the format "${format}" needs a browser that has the page open`
  const action = (actions ?? []).find(({ type }) => actionsWithResults.has(type))
  return action === undefined ? undefined : `the result of the action "${action.type}" is never stored`
}

/** Values of `proxy` that share cache entries with requests without `proxy`. */
const plainProxies = new Set(["basic", "auto", "none"])

/** Removes the parts that are not sent to a server: the fragment, unless a script may read it, and the credentials. */
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

/** Part of the key that depends on the plan only, cached because all pages of a job share one plan. */
const variants = new WeakMap<Plan, { readonly userAgent: string | undefined; readonly variant: string }>()

const variantOf = (target: ScrapeTarget, plan: Plan): string => {
  // With headers, the variant also depends on the URL.
  if (plan.options.headers !== undefined) return variant(target, plan)
  const known = variants.get(plan)
  if (known !== undefined && known.userAgent === target.userAgent) return known.variant
  const own = { userAgent: target.userAgent, variant: variant(target, plan) }
  variants.set(plan, own)
  return own.variant
}

const variant = ({ headersFor, url, userAgent }: ScrapeTarget, { options, rendering }: Plan): string => {
  const headers = lowered(options.headers)
  const actions = options.actions ?? []
  return JSON.stringify(
    sorted({
      headers,
      // Headers are sent to this origin only, so the response depends on it.
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
export const keyOf = (target: ScrapeTarget, plan: Plan): string =>
  hash(
    "sha256",
    `${target.teamId}\n${normalize(target.url, plan.rendering !== undefined)}\n${variantOf(target, plan)}`,
    "base64url"
  )

/** True if the plan lets a stored page be revalidated, or replace a visit. */
export const mayUseStored = ({ options, rendering }: Plan): boolean =>
  rendering === undefined && !controlsCaching(options.headers)

/** Key of a page whose stored response may replace a visit; undefined if there is none. */
export const storedKey = ({ plan, target }: ScrapeRequest): string | undefined => {
  const { acceptable, keeps } = plan.freshness
  const isUsable = keeps && acceptable === undefined && mayUseStored(plan) && uncacheable(plan.options) === undefined
  return isUsable ? keyOf(target, plan) : undefined
}
