/** Serves a page from the cache if it is fresh enough; otherwise fetches it and stores it in the cache. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { NotFound, type TimedOut } from "../../Api/Errors.ts"
import { decode } from "../Scrape/Body.ts"
import { type Fetched, withoutMemory } from "../Scrape/Fetch.ts"
import type { Acceptable } from "../Scrape/Freshness.ts"
import type { Plan } from "../Scrape/Plan.ts"
import * as Room from "../Scrape/Room.ts"
import type { Page, ScrapeTarget } from "../Scrape/Scraper.ts"
import type { Copies } from "./Copies.ts"
import * as Key from "./Key.ts"
import type { Copy } from "./Shelf.ts"

/** Cache fields of the metadata; absent when the request did not use the cache. */
export interface Provenance {
  readonly cacheState?: "hit" | "miss"
  readonly cachedAt?: string
}

export interface Obtained {
  readonly fetched: Fetched
  readonly provenance: Provenance
}

/** Maximum size of a cached page. */
const maxCopied = 10 * 1024 * 1024

/** Response headers that the engine reads, and so the ones to cache. */
const telling = ["content-type", "content-language", "content-disposition", "last-modified", "etag", "link"]

/** False for a page that the browser failed to render: the next request should try again. */
const storable = ({ body, shown, statusCode }: Fetched): boolean =>
  statusCode < 400 && body.byteLength <= maxCopied && shown?.warning === undefined

const copyOf = ({ body, headers, packed, statusCode, url }: Fetched) => ({
  url,
  statusCode,
  headers: Object.fromEntries(
    telling.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  ),
  // Most sites compress their responses: store the compressed body instead of compressing it again.
  ...(packed === undefined ? { body, coding: "" } : { body: packed.body, coding: packed.coding })
})

/** A place on the page that was asked for is not part of the copy. */
const addressOf = (copy: Copy, { url }: ScrapeTarget): string => {
  const address = new URL(copy.url)
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
        error: `There is no stored copy of ${url} that answers this request${reason === undefined ? "" : `: ${reason}`}. "lockdown" keeps it from being fetched; leave it out to fetch the page.`,
        code: "SCRAPE_LOCKDOWN_CACHE_MISS"
      })
    : new NotFound({
        error: `There is no stored copy of ${url} of the age that "minAge" and "maxAge" ask for${reason === undefined ? "" : `: ${reason}`}. Leave "minAge" out to fetch the page.`,
        code: "SCRAPE_NO_CACHED_DATA"
      })

/** Both ways round the copies: `fetch` is only run when no copy will do. */
export const make = (copies: Context.Tag.Service<typeof Copies>, room: Room.Room) => {
  const unpacked = (copy: Copy, { options: { timeout }, teamId: team, url }: ScrapeTarget) =>
    Effect.gen(function* () {
      const place = yield* room.open({ team, host: new URL(copy.url).host })
      const limit = { bytes: maxCopied, place }
      if (copy.body.byteLength > Room.small) yield* place.grow(copy.body.byteLength)
      return yield* Effect.option(decode(new URL(copy.url), copy.body, copy.coding, limit))
    }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => withoutMemory(url, timeout) }))

  const look = Effect.fnUntraced(function* (key: string, acceptable: Acceptable, target: ScrapeTarget, plan: Plan) {
    const now = yield* Clock.currentTimeMillis
    const copy = yield* copies.find(key, accepts(acceptable, now))
    if (copy === undefined) return undefined
    const body = Option.getOrUndefined(yield* unpacked(copy, target))
    if (body === undefined) return undefined
    const { headers, statusCode } = copy
    return {
      // By its key it was shown by a browser when one is asked for.
      fetched: {
        url: addressOf(copy, target),
        statusCode,
        headers,
        body,
        ...(plan.rendering === undefined ? {} : { shown: {} })
      },
      provenance: { cacheState: "hit", cachedAt: new Date(copy.at).toISOString() }
    } satisfies Obtained
  })

  return <E, R>(
    target: ScrapeTarget,
    plan: Plan,
    fetch: Effect.Effect<Fetched, E, R>
  ): Effect.Effect<Obtained, E | NotFound | TimedOut, R | Scope.Scope> =>
    Effect.gen(function* () {
      const { acceptable, fetches, keeps } = plan.freshness
      if (acceptable === undefined && !keeps) return { fetched: yield* fetch, provenance: {} }
      const reason = Key.unfit(plan.options)
      const key = reason === undefined ? Key.make(target, plan) : undefined
      if (acceptable !== undefined && key !== undefined) {
        const found = yield* look(key, acceptable, target, plan)
        if (found !== undefined) return found
      }
      if (!fetches) return yield* none(target, plan, reason)
      const fetched = yield* fetch
      if (keeps && key !== undefined && storable(fetched)) yield* copies.keep(key, copyOf(fetched))
      return { fetched, provenance: acceptable === undefined ? {} : { cacheState: "miss" } }
    })
}

/** The page, with what is to be said of where it came from. */
export const told = (page: Page, provenance: Provenance): Page =>
  provenance.cacheState === undefined
    ? page
    : { ...page, document: { ...page.document, metadata: { ...page.document.metadata, ...provenance } } }
