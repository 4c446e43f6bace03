/** Reads the sitemaps of a site. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Trace from "../../Telemetry/Trace.ts"
import { Fetch, type FetchRequest } from "../Fetch/Fetch.ts"
import type { Teams } from "../Teams/FairQueue.ts"
import { DocumentThreads } from "./DocumentThreads.ts"
import type { ListedAge } from "./Recrawl/Revisit.ts"
import type { SitemapFile } from "./SitemapFile.ts"

export interface SitemapLimits {
  /** Maximum number of addresses. */
  readonly limit: number
  /** Maximum milliseconds for all files together. The addresses found by then are returned. Default 30,000. */
  readonly timeout?: number | undefined
  readonly userAgent?: string | undefined
  readonly skipTlsVerification?: boolean | undefined
  /** Proxy pool and session of the site's pages. */
  readonly proxy?: string | undefined
  readonly session?: string | undefined
}

export interface Listed {
  /** Ages of pages according to the sitemaps. Pages of unknown age are not included. */
  readonly ages?: ReadonlyMap<string, ListedAge> | undefined
  /** Addresses in the order listed, without duplicates. */
  readonly urls: ReadonlyArray<string>
  /** False if a sitemap could not be read, or if there may be more addresses than the limits allow. A missing sitemap is complete. */
  readonly isWhole: boolean
}

/** Reads the sitemaps of a site. Never fails: a site without a readable sitemap returns an empty list. */
export class Sitemap extends Context.Tag("sluice/Engine/Scrape/Sitemap")<
  Sitemap,
  {
    /** Reads the sitemaps listed in robots.txt, or `/sitemap.xml` if there are none. */
    readonly urls: (
      origin: string,
      robotsSitemaps: ReadonlyArray<string>,
      limits: SitemapLimits
    ) => Effect.Effect<Listed>
  }
>() {}

const maxFiles = 200
const maxDepth = 3
/** Limit of sitemaps.org, after decompression. Only the beginning of a larger file is read. */
const maxBytes = 50 * 1024 * 1024

interface Entry {
  readonly url: string
  readonly depth: number
}

const nothing: SitemapFile = { urls: [], ages: [], sitemaps: [], isWhole: false, isSitemap: false }

export const layer: Layer.Layer<Sitemap, never, Fetch | Teams> = Layer.effect(
  Sitemap,
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const threads = yield* DocumentThreads

    const load = (
      url: string,
      request: Pick<FetchRequest, "timeout" | "userAgent" | "skipTlsVerification" | "proxy" | "session">
    ) =>
      Effect.suspend(() => {
        let isCut = false
        const onCut = () => {
          isCut = true
        }
        return fetch.get({ ...request, url, maxBytes, gunzip: true, truncate: true, onCut }).pipe(
          Effect.map(({ statusCode, body }) =>
            statusCode === 200
              ? { body, isRead: body.byteLength < maxBytes && !isCut }
              : { body: new Uint8Array(), isRead: statusCode >= 400 && statusCode < 500 && statusCode !== 429 }
          ),
          Effect.catchAll(() => Effect.succeed({ body: new Uint8Array(), isRead: false }))
        )
      })

    const urls = Trace.fn("Sitemap.urls")(function* (
      origin: string,
      robotsSitemaps: ReadonlyArray<string>,
      { limit, timeout = 30_000, ...site }: SitemapLimits
    ) {
      const found = new Set<string>()
      const ages = new Map<string, ListedAge>()
      let isWhole = robotsSitemaps.length <= maxFiles
      const isNamed = robotsSitemaps.length > 0
      const start = robotsSitemaps.length > 0 ? robotsSitemaps.slice(0, maxFiles) : [`${origin}/sitemap.xml`]
      const seen = new Set(start)
      const queue: Array<Entry> = start.map((url) => ({ url, depth: 0 }))

      const visit = Effect.fnUntraced(function* ({ url, depth }: Entry) {
        const { body: bytes, isRead } = yield* load(url, { ...site, timeout })
        if (!isRead) isWhole = false
        const task = { kind: "sitemap", bytes, url, isCut: !isRead, limit: limit - found.size } as const
        const file = yield* Effect.orElseSucceed(threads.run<"sitemap">(task, url, timeout), () => nothing)
        // Many sites answer any URL with a page, so a file at `/sitemap.xml` that is no sitemap counts as missing, unless robots.txt lists
        // it.
        if (!file.isWhole || (!file.isSitemap && isNamed)) isWhole = false
        for (const page of file.urls) found.add(page)
        for (const [page, age] of file.ages) ages.set(page, age)
        if (depth >= maxDepth && file.sitemaps.length > 0) isWhole = false
        if (depth < maxDepth) {
          for (const next of file.sitemaps) {
            if (seen.has(next)) continue
            if (seen.size >= maxFiles) {
              isWhole = false
              continue
            }
            seen.add(next)
            queue.push({ url: next, depth: depth + 1 })
          }
        }
      }, Effect.scoped)

      const end = yield* Effect.iterate(0, {
        while: () => queue.length > 0 && found.size < limit,
        body: () => Effect.as(Effect.forEach(queue.splice(0, 4), visit, { concurrency: 4, discard: true }), 0)
      }).pipe(Effect.timeoutOption(timeout))
      // When the limit is reached, the sitemaps may list more addresses.
      return {
        urls: [...found].slice(0, limit),
        ...(ages.size === 0 ? {} : { ages }),
        isWhole: isWhole && Option.isSome(end) && found.size < limit
      }
    })

    return { urls }
  })
).pipe(Layer.provide(DocumentThreads.Default))
