/** Where a page comes from: over HTTP, as it is sent. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fetch } from "./Fetch.ts"
import type { Plan } from "./Plan.ts"
import { isTurnedAway } from "./Route.ts"
import type { ScrapeTarget } from "./Scraper.ts"

export interface Sources {
  readonly fetch: Context.Tag.Service<typeof Fetch>
}

/** The page as its site gives it; it has its place in memory until the scope closes. */
export const obtain = (target: ScrapeTarget, { options, route }: Plan, { fetch }: Sources) => {
  const { url, headersFor, userAgent } = target
  const { headers, timeout, skipTlsVerification } = options
  const { acceptLanguage, fallback, proxy } = route
  const request = { url, userAgent, headers, headersFor, timeout, skipTlsVerification, acceptLanguage, proxy }
  if (fallback === undefined) return fetch.get(request)
  return Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const first = yield* fetch.get(request)
    const left = begun + timeout - (yield* Clock.currentTimeMillis)
    return isTurnedAway(first.statusCode) && left > 0
      ? yield* fetch.get({ ...request, proxy: fallback, timeout: left })
      : first
  })
}
