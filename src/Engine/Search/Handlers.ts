/** Answers a search: look up, fetch what the results are to carry, book what it cost (spec 4.4). */

import { randomUUID } from "node:crypto"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest } from "../../Api/Search.ts"
import { Api } from "../../Api.ts"
import { prices, Usage } from "../Usage/Usage.ts"
import * as Content from "./Content.ts"
import { SearchIndex } from "./SearchIndex.ts"

/** What a search is booked as: the dearest of the kinds asked for. */
const kindOf = (enterprise: SearchRequest["enterprise"]) =>
  enterprise?.includes("zdr") ? "searchZdr" : enterprise?.includes("anon") ? "searchAnon" : "search"

const late = (timeout: number) => () =>
  new TimedOut({
    error: `The search took longer than ${timeout} ms. Narrow the query, or raise timeout.`,
    code: "SEARCH_TIMEOUT"
  })

/** One search, for the team in context. */
export const run = Effect.fn("Search.run")(function* (asked: SearchRequest) {
  const request = settle(requestFields, asked)
  const team = yield* Team
  const index = yield* SearchIndex
  const usage = yield* Usage
  yield* Content.check(request.scrapeOptions)
  const deadline = (yield* Clock.currentTimeMillis) + request.timeout

  const { data, warning } = yield* Effect.timeoutFail(index.search(team.id, asked), {
    duration: request.timeout,
    onTimeout: late(request.timeout)
  })
  const kind = kindOf(request.enterprise)
  const results = data.web ?? []
  const searchCredits = Math.ceil(results.length / 10) * prices[kind]
  const keep = kind !== "searchZdr"
  const filled = yield* Content.fill(team.id, results, request.scrapeOptions, { keep, deadline })
  const scrapeCredits = filled.scraped * prices.scrape

  yield* usage.charge(team, kind, searchCredits)
  yield* usage.charge(team, "scrape", scrapeCredits)
  return {
    success: true,
    data: results.length === 0 ? data : { ...data, web: filled.results },
    ...(warning === undefined ? {} : { warning }),
    id: randomUUID(),
    creditsUsed: searchCredits + scrapeCredits
  }
})

/** Group `search`. */
export const handlers = HttpApiBuilder.group(Api, "search", (group) =>
  group.handle("search", ({ payload }) => Effect.catchTag(run(payload), "SqlError", Effect.die))
)
