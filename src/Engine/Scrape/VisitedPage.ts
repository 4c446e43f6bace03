/** Compares a site's response to a visit with the stored page, and decides what to store of it. */
import type * as Context from "effect/Context"
import { isGone } from "../../Api/Document.ts"
import { bodyHash, type Packed, pack } from "../PageCache/Packing.ts"
import { maxPageBytes, type NewPage, type PageCache, type Peeked } from "../PageCache/PageCache.ts"
import type { Fetched } from "../PageCache/PageSource.ts"
import type { Work } from "../Teams/Work.ts"
import { siteOf } from "./CacheKey.ts"
import * as Conversion from "./Conversion.ts"
import { isSameContent } from "./Conversion.ts"
import type * as Revalidation from "./Recrawl/Revalidation.ts"
import type { Page, Unchanged } from "./ScrapedPage.ts"
import { isSuccess, type ScrapeRequest } from "./Sources.ts"

/** The response of a visit, with the functions that store or forget it. */
export interface Visited {
  readonly fetched: Fetched
  readonly unchanged?: Unchanged | undefined
  /** Stores the page. Returns whether it has changed; undefined if that is unknown. */
  readonly keep: (page: Page | undefined) => Promise<boolean | undefined>
  readonly forget: () => Promise<void>
}

const notModified: Unchanged = "notModified"

/** Headers whose stored values a 304 response replaces. */
const renewedHeaders = ["cache-control", "date", "vary"]

/** Response headers that the engine reads, and therefore caches. */
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

/** True if a page may be stored. False if the browser failed to render it, so that the next request tries again. */
const isStorable = ({ body, shown, statusCode }: Fetched): boolean =>
  isSuccess(statusCode) && body.byteLength <= maxPageBytes && shown?.warning === undefined

/** True for text types. Files of other types are usually compressed already. */
const isText = (contentType: string | undefined): boolean =>
  contentType === undefined || /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:xml|json|javascript)\b)/i.test(contentType)

/** True for a body that must be compressed before it is stored. If the site has compressed its response, that response is stored. */
const isPacked = ({ headers, packed }: Fetched): boolean => packed === undefined && isText(headers["content-type"])

const plainOf = ({ body, packed }: Fetched): Packed => packed ?? { body, coding: "" }

/** Hash of the body. Empty for a rendered page, because its scripts may show something else while the site's response stays the same. */
const hashOf = ({ body, shown }: Fetched, page: Page | undefined): string =>
  shown === undefined ? (page?.stored?.hash ?? bodyHash(body)) : ""

const entryOf = ({ headers, statusCode, url }: Fetched, hash: string): Omit<NewPage, "body" | "coding"> => ({
  url,
  statusCode,
  headers: pick(cachedHeaders, headers),
  hash
})

/** Creates the function that handles the response of a visit. `confirmedBy`: headers of the response that confirmed the stored page. */
export const make =
  (cache: Context.Tag.Service<typeof PageCache>, conversions: ReturnType<typeof Conversion.make>) =>
  async (
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
        if (!isGone(fetched.statusCode)) {
          await forget()
          return undefined
        }
        // An older copy must not answer requests that accept cached pages.
        await work.run(cache.drop(key))
        return true
      }
      return { fetched, keep, forget }
    }
    // Without a stored page to compare with, the worker thread that converts the body computes its hash.
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
