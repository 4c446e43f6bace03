/** `search`: gives the results of a search as rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PageUrl } from "../Api/Field.ts"
import { oneDomainList, requestFields, type SearchResponse, sources } from "../Api/SearchRequest.ts"
import { Search } from "../Client/Search.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data } from "../Row.ts"
import * as Step from "../Step.ts"
import { call } from "./Call.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { notWebAddress, perRow } from "./Field.ts"
import * as Requirements from "./Requirements.ts"
import { countedBatches, type SourceRow } from "./SavedState.ts"

const isPageUrl = Schema.is(PageUrl)

const { origin: _, integration: __, ...fields } = requestFields

const withLimit = <Source extends { readonly limit?: number | undefined }>(source: Source, most: number): Source =>
  source.limit === undefined ? source : { ...source, limit: Math.min(source.limit, most) }

export const search = Step.make({
  key: "search",
  summary:
    "Searches and gives every result as a row, with the field `source`: web, images or news. A result that is not a web address is a failed row.",
  example: `search:
  query: open source etl engine
  limit: 20
  sources: [web, news]`,
  config: Schema.Struct({ ...fields, query: perRow(fields.query) }).pipe(oneDomainList),
  needs: (fields) => [
    { ability: "web", path: [], what: "a search", optional: true },
    ...Requirements.within("scrapeOptions", fields, Requirements.scrapingMany)
  ],
  cost: (fields, wanted) => Cost.search(fields, Cost.searchLimit(fields, wanted)),
  service: { request: "POST /v2/search", documented: true },
  estimate: ({ config, cost, times, wanted }) => {
    const known = config === Estimate.open ? undefined : config
    const { pages, results } = Cost.searchResults(known, Cost.searchLimit(known, wanted))
    return {
      requests: times,
      pages: Estimate.times(times, Estimate.upTo(pages)),
      rows: Estimate.times(times, Estimate.upTo(Math.min(results, wanted ?? results))),
      buys: Estimate.bought(cost, times)
    }
  },
  headers: ["scrapeOptions", "headers"],
  sites: () => "any",
  objections: (fields) => Requirements.within("scrapeOptions", fields, Requirements.unknownFormats),
  behaviour: {
    kind: "source",
    read: ({ query, ...request }, context, begin) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { row } = begin
          const text = yield* query.of(row ?? { data: {} }, context.bindings(row ?? { data: {} }))
          const client = yield* Search
          const limit = Cost.searchLimit(request, context.wanted)
          const capped = (most: number) => ({
            ...request,
            limit: Math.min(request.limit ?? 10, most),
            ...(request.sources === undefined
              ? {}
              : {
                  sources: request.sources.map((source) =>
                    typeof source === "string" ? source : withLimit(source, most)
                  )
                }),
            query: text
          })
          const { pages: scraped } = Cost.searchResults(request, limit)
          const answer = yield* context.once(
            {
              buys: {
                cost: (most) => Cost.search(request, most),
                most: limit,
                pages: (most) => Cost.searchResults(request, most).pages
              },
              book: ({ creditsUsed, data }: SearchResponse) => ({
                credits: creditsUsed ?? undefined,
                pages: scraped === 0 ? 0 : (data.web?.length ?? 0) + (data.news?.length ?? 0)
              })
            },
            (idempotencyKey: string, most) =>
              // Request fewer results if the budget cannot pay for all.
              (most < limit ? context.cut : Effect.void).pipe(
                Effect.zipRight(call(client.run(capped(most), { idempotencyKey })))
              )
          )
          // A page that is no longer among the best results may still exist, even if few results were found.
          yield* context.incomplete("ranking")
          if (answer.warning) yield* Effect.logWarning(`${context.id}: ${answer.warning}`)
          const rows = sources.flatMap((source) =>
            (answer.data[source] ?? []).map((result, position): SourceRow => {
              const data: Data = { source, ...result }
              const { url } = result
              const made = {
                data,
                position,
                key: typeof url === "string" ? canonicalUrl(url) : undefined,
                source: row?.data
              }
              const isStray = typeof url === "string" && !isPageUrl(url)
              return isStray ? [made, notWebAddress(`hit ${position + 1} of ${source}`, url)] : made
            })
          )
          const wanted = rows.slice(0, context.wanted)
          return countedBatches(begin, wanted, wanted.length)
        })
      )
  }
})
