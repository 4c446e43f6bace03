/** Handlers of group `search`: query the provider chain, scrape the results on request, charge the credits. */
import { randomUUID } from "node:crypto"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import * as ScrapeOptions from "../../Api/ScrapeOptions.ts"
import { isZeroRetention, requestFields, type SearchRequest, SearchResponse } from "../../Api/SearchRequest.ts"
import { Api } from "../../Api.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import * as Failures from "../Http/Failures.ts"
import * as Plan from "../Scrape/Plan.ts"
import type { ScrapeFailure } from "../Scrape/ScrapedPage.ts"
import { Scraper } from "../Scrape/Scraper.ts"
import { invalid } from "../ScrapeOptions.ts"
import * as Chain from "../Search/Chain.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { repeat } from "../Usage/Idempotency.ts"
import { PaidCalls } from "../Usage/PaidCalls.ts"
import { formatsPrice, prices, Usage } from "../Usage/Usage.ts"

/** Returns the price key of a search: that of the most expensive kind requested. */
const kindOf = (enterprise: SearchRequest["enterprise"]) =>
  enterprise?.includes("zdr") ? "searchZdr" : enterprise?.includes("anon") ? "searchAnon" : "search"

const timedOut = (timeout: number) => () =>
  new TimedOut({
    error: `The search took longer than ${timeout} ms. Narrow the query, or raise timeout.`,
    code: "SEARCH_TIMEOUT"
  })

/** Runs a search for the team in context. Returns the response, and the effect that charges its credits. */
export const run = Trace.fn("Search.run")(function* (asked: SearchRequest) {
  const request = settle(requestFields, asked)
  const team = yield* Team
  const usage = yield* Usage
  yield* checkOptions(request.scrapeOptions)
  const deadline = (yield* Clock.currentTimeMillis) + request.timeout

  const { data, warning: unmet } = yield* Effect.timeoutFail(Chain.search(team.id, asked, deadline), {
    duration: request.timeout,
    onTimeout: timedOut(request.timeout)
  })
  const warning = [unmet, withheldHeaders(request.scrapeOptions)].filter((line) => line !== undefined).join(" ")
  const kind = kindOf(request.enterprise)
  const web = data.web ?? []
  const news = data.news ?? []
  const searchCredits = Math.ceil((web.length + news.length + (data.images ?? []).length) / 10) * prices[kind]
  const keep = kind !== "searchZdr"
  const scraped = yield* scrapeResults(team.id, [...web, ...news], request.scrapeOptions, { keep, deadline })
  const scrapeCredits = scraped.scraped * prices.scrape + scraped.credits

  return {
    answer: {
      success: true,
      data: {
        ...Object.fromEntries(request.sources.map((source) => [typeof source === "string" ? source : source.type, []])),
        ...data,
        ...(web.length === 0 ? {} : { web: scraped.results.slice(0, web.length) }),
        ...(news.length === 0 ? {} : { news: scraped.results.slice(web.length) })
      },
      ...(warning === "" ? {} : { warning }),
      id: randomUUID(),
      creditsUsed: searchCredits + scrapeCredits
    },
    book: Effect.zipRight(usage.charge(team, kind, searchCredits), usage.charge(team, "scrape", scrapeCredits))
  }
})

/** Maximum credits of a search: all requested results, and one scraped page for each result that can be scraped. */
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
      repeat: isZeroRetention(payload) ? undefined : repeat(key, "v2 search", payload)
    }
    return yield* Failures.withoutCause(isZeroRetention(payload), calls.answer(SearchResponse, caller, run(payload)))
  })

/** Implements the API group `search`. */
export const handlers = HttpApiBuilder.group(Api, "search", (group) =>
  group.handle("search", ({ headers, payload }) => search(payload, headers["x-idempotency-key"]))
)

type Data = SearchResponse["data"]

/** Result that can be scraped; images cannot. */
export type Result = NonNullable<Data["web"]>[number] | NonNullable<Data["news"]>[number]

export interface ScrapedResults {
  readonly results: ReadonlyArray<Result>
  readonly scraped: number
  /** Credits beyond the base price of a page. */
  readonly credits: number
}

const concurrency = 5

/** Headers that may be sent to the hosts of the results, without those that may be secret. */
const publicHeaders = (headers: Readonly<Record<string, string>> | undefined) =>
  headers && Object.fromEntries(Object.entries(headers).filter(([name]) => !mayBeSecret(name)))

/** Scrape options of the results; undefined when no format is requested. */
const optionsOf = (asked: SearchRequest["scrapeOptions"]) => {
  const formats = asked?.formats ?? []
  return formats.length === 0
    ? undefined
    : settle(ScrapeOptions.fields, { ...asked, formats, headers: publicHeaders(asked?.headers) })
}

/** Warning about headers that are not sent to the hosts of the results. */
export const withheldHeaders = (asked: SearchRequest["scrapeOptions"]): string | undefined => {
  const names = optionsOf(asked) === undefined ? [] : Object.keys(asked?.headers ?? {}).filter(mayBeSecret)
  return names.length === 0
    ? undefined
    : `These headers may be secrets, so they were not sent to the hosts of the results: ${names.join(", ")}.`
}

/** Validates the scrape options before the search, instead of once per result. */
export const checkOptions = (asked: SearchRequest["scrapeOptions"]) => {
  const options = optionsOf(asked)
  if (options === undefined) return Effect.void
  // A profile is refused, because the results may be on any host.
  return options.profile === undefined
    ? Effect.asVoid(Plan.makeForMany(options))
    : Effect.fail(invalid("profile", "a search cannot use a profile: scrape its results in a separate step or call"))
}

const tooLate = () =>
  new TimedOut({ error: "The timeout of the search passed before this page was scraped.", code: "SCRAPE_TIMEOUT" })

/** Status that the scrape alone would have failed with, because a page without an answer has no status of its own. */
const statusOf = (failure: ScrapeFailure): number => {
  const { status } = failure.constructor as { readonly status?: unknown }
  return typeof status === "number" ? status : 500
}

/**
 * Scrapes the results until the deadline (milliseconds since 1970) and indexes the pages, unless nothing may be stored.
 */
export const scrapeResults = (
  teamId: string,
  results: ReadonlyArray<Result>,
  asked: SearchRequest["scrapeOptions"],
  { keep, deadline }: { readonly keep: boolean; readonly deadline: number }
): Effect.Effect<ScrapedResults, never, Scraper | SearchIndex> =>
  Effect.gen(function* () {
    const wanted = optionsOf(asked)
    if (wanted === undefined) return { results, scraped: 0, credits: 0 }
    const options = keep ? wanted : { ...wanted, zeroDataRetention: true }
    const scraper = yield* Scraper
    const index = yield* SearchIndex

    const scrape = Effect.fnUntraced(function* (url: string) {
      const left = deadline - (yield* Clock.currentTimeMillis)
      if (left <= 0) return yield* tooLate()
      return yield* Effect.timeoutFail(scraper.scrape({ url, options, teamId }), { duration: left, onTimeout: tooLate })
    })
    const outcomes = yield* Effect.forEach(results, ({ url }) => Effect.either(scrape(url ?? "")), { concurrency })
    const pages = outcomes.flatMap((outcome) => (Either.isRight(outcome) ? [outcome.right] : []))
    if (options.storeInCache && !options.zeroDataRetention) {
      yield* index.add(
        pages.flatMap(({ url, indexed }) => (indexed === undefined ? [] : [{ teamId, url, ...indexed }]))
      )
    }
    return {
      results: results.map((result, i) => {
        const outcome = outcomes[i]
        if (outcome === undefined) return result
        return Either.match(outcome, {
          onLeft: (failure) => ({
            ...result,
            metadata: { sourceURL: result.url, url: result.url, statusCode: statusOf(failure), error: failure.error }
          }),
          onRight: ({ document }) => ({ ...document, ...result })
        })
      }),
      scraped: pages.filter(({ blocked, unchanged }) => blocked === undefined && unchanged === undefined).length,
      credits: pages.reduce((sum, { credits = 0 }) => sum + credits, 0)
    }
  })
