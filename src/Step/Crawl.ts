/** `crawl`: a site's pages as rows, while they come (spec 2.6, 4.7). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { startFields } from "../Api/Crawl.ts"
import { CrawlParams } from "../Api/CrawlParams.ts"
import { PageUrl } from "../Api/Field.ts"
import { Crawl } from "../Client/Crawl.ts"
import * as Step from "../Step.ts"
import { perRow } from "./Field.ts"
import * as Formats from "./Formats.ts"
import { jobRows } from "./JobRows.ts"
import * as Need from "./Need.ts"
import { start } from "./OwnJob.ts"

const { origin: _, integration: __, webhook: ___, ...fields } = startFields

export const crawl = Step.make({
  key: "crawl",
  summary: "Starts a crawl and gives its pages as rows while it runs; fields written here win over `params`.",
  example: `crawl:
  url: https://example.com/docs
  limit: 100
  scrapeOptions: { formats: [markdown, links] }`,
  config: Schema.Struct({
    ...fields,
    url: Schema.optional(perRow(PageUrl)),
    params: Schema.optional(CrawlParams.annotations({ description: "crawl parameters, usually of a crawlPreview" }))
  }).pipe(
    Schema.filter((config) =>
      config.url === undefined && config.params?.url == null ? "needs a url, of its own or in params" : true
    )
  ),
  needs: (fields) => [...Need.within("scrapeOptions", fields, Need.scrapingMany), ...Need.reaching("url")(fields)],
  objections: (fields) => Need.within("scrapeOptions", fields, Formats.strangers),
  behaviour: {
    kind: "source",
    pages: true,
    drains: true,
    read: ({ params, url, ...own }, context, { from: cursor, row }) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const client = yield* Crawl
          const from = row ?? { data: {} }
          const address = url === undefined ? params?.url : yield* url.of(from, context.bindings(from))
          const limit = Math.min(
            own.limit ?? params?.limit ?? Number.POSITIVE_INFINITY,
            context.wanted ?? Number.POSITIVE_INFINITY
          )
          const request = {
            ...params,
            ...own,
            url: address ?? "",
            ...(Number.isFinite(limit) ? { limit } : {})
          }
          const job = yield* start((options) => client.start(request, options), client.cancel, context)
          yield* Effect.logDebug(`${context.id}: crawl ${job.id} of ${address}`)
          const asked = row === undefined ? [] : [row]
          return jobRows(
            {
              ...job,
              pages: (position) => client.pages(job.id, { from: position }),
              errors: client.errors(job.id),
              bounds: {
                limit: request.limit ?? fields.limit.defaultValue,
                hasDepth: request.maxDiscoveryDepth !== undefined || request.maxDepth !== undefined
              },
              askedBy: () => asked
            },
            context,
            cursor
          )
        })
      )
  }
})
