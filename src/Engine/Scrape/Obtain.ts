/** Where a page comes from: over HTTP, as it is sent. */
import type * as Context from "effect/Context"
import type { Fetch } from "./Fetch.ts"
import type { Plan } from "./Plan.ts"
import type { ScrapeTarget } from "./Scraper.ts"

export interface Sources {
  readonly fetch: Context.Tag.Service<typeof Fetch>
}

/** The page as its site gives it; it has its place in memory until the scope closes. */
export const obtain = ({ url, headersFor, userAgent }: ScrapeTarget, { options }: Plan, { fetch }: Sources) => {
  const { headers, timeout, skipTlsVerification } = options
  return fetch.get({ url, userAgent, headers, headersFor, timeout, skipTlsVerification })
}
