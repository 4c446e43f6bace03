/** The content of search results: every page scraped, a failure told in its own metadata. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { TimedOut } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import * as ScrapeOptions from "../../Api/ScrapeOptions.ts"
import type { SearchRequest, SearchResponse } from "../../Api/Search.ts"
import { mayBeSecret } from "../Scrape/Headers.ts"
import * as Plan from "../Scrape/Plan.ts"
import { Scraper } from "../Scrape/Scraper.ts"
import { SearchIndex } from "./SearchIndex.ts"

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

const late = () =>
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
      if (left <= 0) return yield* late()
      return yield* Effect.timeoutFail(scraper.scrape({ url, options, teamId }), { duration: left, onTimeout: late })
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
      scraped: pages.length,
      credits: pages.reduce((sum, { credits = 0 }) => sum + credits, 0)
    }
  })
