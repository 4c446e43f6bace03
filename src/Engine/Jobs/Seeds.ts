/** The pages that a site's sitemap adds to a crawl. */
import * as Effect from "effect/Effect"
import { Robots } from "../Scrape/Robots.ts"
import { Sitemap } from "../Scrape/Sitemap.ts"
import type { Found } from "./Finished.ts"
import type { Running } from "./Visit.ts"

/** Sitemaps list more than a rule lets through; but not a hundred thousand pages for a crawl of ten. */
const addresses = (limit: number): number => Math.min(100_000, limit * 10 + 1000)

/** Pages of the sitemaps; `isWhole` when all of them could be read to their ends. */
interface Seeds {
  readonly found: ReadonlyArray<Found>
  readonly isWhole: boolean
}

const none: Seeds = { found: [], isWhole: true }

/** Gives what the sitemaps list and the rule allows; the sitemap's pages lie no link away from the start. */
export const make = Effect.map(
  Effect.all([Robots, Sitemap]),
  ([robots, sitemap]) =>
    ({ url, rule, spec: { options, params } }: Running): Effect.Effect<Seeds> =>
      Effect.gen(function* () {
        if (rule === undefined || params === undefined) return none
        if (options.lockdown || options.minAge !== undefined) return none
        const { origin } = new URL(url)
        const { sitemaps } = yield* robots.load(origin, params.robotsUserAgent, options)
        const { isWhole, urls } = yield* sitemap.urls(origin, sitemaps, {
          limit: addresses(params.limit),
          userAgent: params.robotsUserAgent,
          skipTlsVerification: options.skipTlsVerification
        })
        const found = urls.flatMap((href) => {
          const decision = rule.decide(href, 0)
          return decision._tag === "Follow" ? [{ address: decision.address, depth: 0 }] : []
        })
        return { found, isWhole }
      })
)
