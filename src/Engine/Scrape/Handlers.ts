/** Answers a scrape: fetch, book, make searchable (spec 2.9). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { settle } from "../../Api/Field.ts"
import { requestFields, type ScrapeRequest, type ScrapeRequestV1 } from "../../Api/Scrape.ts"
import { Api } from "../../Api.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { priced, prices, Usage } from "../Usage/Usage.ts"
import { fromV1 } from "./OptionsV1.ts"
import { Scraper } from "./Scraper.ts"

const scrape = Effect.fn("Scrape.scrape")(function* (request: ScrapeRequest) {
  const { url, origin: _origin, integration: _integration, ...options } = settle(requestFields, request)
  const team = yield* Team
  const scraper = yield* Scraper
  const page = yield* scraper.scrape({ url, options })
  const usage = yield* Usage
  yield* usage.charge(team, "scrape", prices.scrape)
  if (page.indexed !== undefined) {
    const index = yield* SearchIndex
    yield* index.add([{ teamId: team.id, url: page.url, ...page.indexed }])
  }
  const { warning } = page.document
  return { success: true, data: priced(page.document, prices.scrape), ...(warning === undefined ? {} : { warning }) }
})

const scrapeV1 = (request: ScrapeRequestV1) => {
  const { url, origin: _origin, integration: _integration, ...options } = request
  return scrape({ url, ...fromV1(options) })
}

/** Group `scrape`. */
export const handlers = HttpApiBuilder.group(Api, "scrape", (group) =>
  group
    .handle("scrape", ({ payload }) => Effect.catchTag(scrape(payload), "SqlError", Effect.die))
    .handle("scrapeV1", ({ payload }) => Effect.catchTag(scrapeV1(payload), "SqlError", Effect.die))
)
