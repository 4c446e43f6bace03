/** Answers a search: look up, fetch what the results are to carry, book what it cost. */
import { randomUUID } from "node:crypto"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, SearchResponse } from "../../Api/Search.ts"
import { Api } from "../../Api.ts"
import * as Failures from "../Failures.ts"
import { repeat } from "../Repeat.ts"
import { PaidCalls } from "../Usage/PaidCalls.ts"
import { formatsPrice, prices, Usage } from "../Usage/Usage.ts"
import * as Chain from "./Chain.ts"
import * as Content from "./Content.ts"

/** What a search is booked as: the dearest of the kinds asked for. */
const kindOf = (enterprise: SearchRequest["enterprise"]) =>
  enterprise?.includes("zdr") ? "searchZdr" : enterprise?.includes("anon") ? "searchAnon" : "search"

const late = (timeout: number) => () =>
  new TimedOut({
    error: `The search took longer than ${timeout} ms. Narrow the query, or raise timeout.`,
    code: "SEARCH_TIMEOUT"
  })

/** One search, for the team in context, and how to book it. */
export const run = Effect.fn("Search.run")(function* (asked: SearchRequest) {
  const request = settle(requestFields, asked)
  const team = yield* Team
  const usage = yield* Usage
  yield* Content.check(request.scrapeOptions)
  const deadline = (yield* Clock.currentTimeMillis) + request.timeout

  const { data, warning: unmet } = yield* Effect.timeoutFail(Chain.search(team.id, asked, deadline), {
    duration: request.timeout,
    onTimeout: late(request.timeout)
  })
  const warning = [unmet, Content.withheld(request.scrapeOptions)].filter((line) => line !== undefined).join(" ")
  const kind = kindOf(request.enterprise)
  const web = data.web ?? []
  const news = data.news ?? []
  const searchCredits = Math.ceil((web.length + news.length + (data.images ?? []).length) / 10) * prices[kind]
  const keep = kind !== "searchZdr"
  const filled = yield* Content.fill(team.id, [...web, ...news], request.scrapeOptions, { keep, deadline })
  const scrapeCredits = filled.scraped * prices.scrape + filled.credits

  return {
    answer: {
      success: true,
      data: {
        ...data,
        ...(web.length === 0 ? {} : { web: filled.results.slice(0, web.length) }),
        ...(news.length === 0 ? {} : { news: filled.results.slice(web.length) })
      },
      ...(warning === "" ? {} : { warning }),
      id: randomUUID(),
      creditsUsed: searchCredits + scrapeCredits
    },
    book: Effect.zipRight(usage.charge(team, kind, searchCredits), usage.charge(team, "scrape", scrapeCredits))
  }
})

/** Whether nothing of the search may be kept. */
const isUnkept = ({ enterprise, scrapeOptions }: SearchRequest): boolean =>
  enterprise?.includes("zdr") === true || scrapeOptions?.zeroDataRetention === true

/** Credits at most: for all results that are asked for, and for each page that is scraped with them. */
const priceOf = (asked: SearchRequest): number => {
  const { enterprise, limit, scrapeOptions, sources } = settle(requestFields, asked)
  let results = 0
  let pages = 0
  for (const source of sources) {
    const most = typeof source === "string" ? limit : (source.limit ?? limit)
    results += most
    if ((typeof source === "string" ? source : source.type) !== "images") pages += most
  }
  const formats = scrapeOptions?.formats ?? []
  const page = formats.length === 0 ? 0 : prices.scrape + formatsPrice(formats)
  return Math.ceil(results / 10) * prices[kindOf(enterprise)] + pages * page
}

const search = (payload: SearchRequest, key: string | undefined) =>
  Effect.gen(function* () {
    const team = yield* Team
    const calls = yield* PaidCalls
    const caller = {
      team,
      price: priceOf(payload),
      repeat: isUnkept(payload) ? undefined : repeat(key, "v2 search", payload)
    }
    return yield* Failures.untold(isUnkept(payload), calls.answer(SearchResponse, caller, run(payload)))
  }).pipe(Effect.catchTag("SqlError", Effect.die))

/** Group `search`. */
export const handlers = HttpApiBuilder.group(Api, "search", (group) =>
  group.handle("search", ({ headers, payload }) => search(payload, headers["x-idempotency-key"]))
)
