/** Handlers of group `scrape`: scrape a page, charge its credits, and add it to the search index. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Team } from "../../Api/Auth.ts"
import { settle } from "../../Api/Field.ts"
import { requestFields, Scraped, type ScrapeRequest, type ScrapeRequestV1 } from "../../Api/Scrape.ts"
import { Api } from "../../Api.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as Failures from "../Http/Failures.ts"
import type { ScrapeTarget } from "../Scrape/ScrapedPage.ts"
import { Scraper } from "../Scrape/Scraper.ts"
import { fromV1 } from "../ScrapeOptions.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { type IdempotentRequest, repeat } from "../Usage/Idempotency.ts"
import { adding, PaidCalls } from "../Usage/PaidCalls.ts"
import { formatsPrice, priced, prices, type Spender, Usage } from "../Usage/Usage.ts"

const read = Trace.fn("Scrape.read")(function* (target: ScrapeTarget, team: Spender) {
  const scraper = yield* Scraper
  const usage = yield* Usage
  const index = yield* SearchIndex
  const { blocked, credits: more = 0, document, indexed, unchanged, url } = yield* scraper.scrape(target)
  const { warning } = document
  const price = unchanged === undefined ? prices.scrape : 0
  const credits = blocked === undefined ? price + more : 0
  return {
    answer: { success: true, data: priced(document, credits), ...(warning === undefined ? {} : { warning }) },
    book: usage.charge(team, "scrape", credits),
    adds: indexed === undefined ? undefined : adding(index.add, { teamId: team.id, url, ...indexed })
  }
})

const scrape = Trace.fn("Scrape.scrape")(function* (request: ScrapeRequest, repeat: IdempotentRequest | undefined) {
  const { url, origin: _origin, integration: _integration, ...options } = settle(requestFields, request)
  const team = yield* Team
  const calls = yield* PaidCalls
  const price = prices.scrape + formatsPrice(options.formats)
  const caller = { team, price, repeat: options.zeroDataRetention ? undefined : repeat }
  const answer = calls.answer(Scraped, caller, read({ url, options, teamId: team.id }, team))
  return yield* Failures.withoutCause(options.zeroDataRetention, answer)
})

const scrapeV1 = (request: ScrapeRequestV1, repeat: IdempotentRequest | undefined) => {
  const { url, origin: _origin, integration: _integration, ...options } = request
  return scrape({ url, ...fromV1(options) }, repeat)
}

export const handlers = HttpApiBuilder.group(Api, "scrape", (group) =>
  group
    .handle("scrape", ({ headers, payload }) =>
      scrape(payload, repeat(headers["x-idempotency-key"], "v2 scrape", payload))
    )
    .handle("scrapeV1", ({ headers, payload }) =>
      scrapeV1(payload, repeat(headers["x-idempotency-key"], "v1 scrape", payload))
    )
)
