/** Group `search`: asks the provider chain, scrapes the results if requested, books the credits. */
import { randomUUID } from "node:crypto"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import * as ScrapeOptions from "../../Api/ScrapeOptions.ts"
import { requestFields, type SearchRequest, SearchResponse } from "../../Api/Search.ts"
import { Api } from "../../Api.ts"
import * as Failures from "../Failures.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import { repeat } from "../Idempotency.ts"
import * as Plan from "../Scrape/Plan.ts"
import { Scraper } from "../Scrape/Scraper.ts"
import { PaidCalls } from "../Usage/PaidCalls.ts"
import { formatsPrice, prices, Usage } from "../Usage/Usage.ts"
import * as Chain from "./Chain.ts"
import { SearchIndex } from "./SearchIndex.ts"

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
  yield* check(request.scrapeOptions)
  const deadline = (yield* Clock.currentTimeMillis) + request.timeout

  const { data, warning: unmet } = yield* Effect.timeoutFail(Chain.search(team.id, asked, deadline), {
    duration: request.timeout,
    onTimeout: late(request.timeout)
  })
  const warning = [unmet, withheld(request.scrapeOptions)].filter((line) => line !== undefined).join(" ")
  const kind = kindOf(request.enterprise)
  const web = data.web ?? []
  const news = data.news ?? []
  const searchCredits = Math.ceil((web.length + news.length + (data.images ?? []).length) / 10) * prices[kind]
  const keep = kind !== "searchZdr"
  const filled = yield* fill(team.id, [...web, ...news], request.scrapeOptions, { keep, deadline })
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
    return yield* Failures.withoutCause(isUnkept(payload), calls.answer(SearchResponse, caller, run(payload)))
  }).pipe(Effect.catchTag("SqlError", Effect.die))

/** Group `search`. */
export const handlers = HttpApiBuilder.group(Api, "search", (group) =>
  group.handle("search", ({ headers, payload }) => search(payload, headers["x-idempotency-key"]))
)

type Data = SearchResponse["data"]

/** Pictures carry no content. */
export type Result = NonNullable<Data["web"]>[number] | NonNullable<Data["news"]>[number]

export interface Filled {
  readonly results: ReadonlyArray<Result>
  readonly scraped: number
  /** What the documents cost beyond the price of a page. */
  readonly credits: number
}

const concurrency = 5

/** The hosts of results are strangers to whoever searches: what may be a secret is not for them. */
const harmless = (headers: Readonly<Record<string, string>> | undefined) =>
  headers && Object.fromEntries(Object.entries(headers).filter(([name]) => !mayBeSecret(name)))

/** What the results are to carry; undefined when that is nothing but themselves. */
const optionsOf = (asked: SearchRequest["scrapeOptions"]) => {
  const formats = asked?.formats ?? []
  return formats.length === 0
    ? undefined
    : settle(ScrapeOptions.fields, { ...asked, formats, headers: harmless(asked?.headers) })
}

/** Headers that are kept from the hosts of the results, in words. */
export const withheld = (asked: SearchRequest["scrapeOptions"]): string | undefined => {
  const names = optionsOf(asked) === undefined ? [] : Object.keys(asked?.headers ?? {}).filter(mayBeSecret)
  return names.length === 0
    ? undefined
    : `Not sent to the results' hosts, because they may be secrets: ${names.join(", ")}.`
}

/** What no result could carry is refused before the search, and not by every result anew. */
export const check = (asked: SearchRequest["scrapeOptions"]) => {
  const options = optionsOf(asked)
  return options === undefined ? Effect.void : Effect.asVoid(Plan.makeForMany(options))
}

const tooLate = () =>
  new TimedOut({ error: "The search's timeout passed before this page was read.", code: "SCRAPE_TIMEOUT" })

/**
 * Scrapes the results when formats are asked for, as many as the deadline (in milliseconds) allows; what was read goes
 * into the index, unless nothing is to be kept.
 */
export const fill = (
  teamId: string,
  results: ReadonlyArray<Result>,
  asked: SearchRequest["scrapeOptions"],
  { keep, deadline }: { readonly keep: boolean; readonly deadline: number }
): Effect.Effect<Filled, never, Scraper | SearchIndex> =>
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
            metadata: { sourceURL: result.url, url: result.url, error: failure.error }
          }),
          onRight: ({ document }) => ({ ...document, ...result })
        })
      }),
      scraped: pages.filter(({ blocked }) => blocked === undefined).length,
      credits: pages.reduce((sum, { credits = 0 }) => sum + credits, 0)
    }
  })
