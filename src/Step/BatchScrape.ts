/** `batchScrape`: many rows' pages as one job (spec 4.6). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PageUrl } from "../Api/Field.ts"
import { fields } from "../Api/ScrapeOptions.ts"
import { BatchScrape } from "../Client/BatchScrape.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { perRow, rowUrl } from "./Field.ts"
import { jobRows } from "./JobRows.ts"
import { start } from "./OwnJob.ts"

export const batchScrape = Step.make({
  key: "batchScrape",
  summary:
    "Scrapes the pages of all incoming rows as one job; rows flow on as pages are done. `$source` is the incoming row.",
  example: `batchScrape:
  url: { expr: url }
  formats: [markdown, links]`,
  config: Schema.Struct({
    ...fields,
    url: Schema.optionalWith(perRow(PageUrl), { default: rowUrl }),
    maxConcurrency: Schema.optional(Schema.Int.pipe(Schema.positive()))
  }),
  behaviour: {
    kind: "stream",
    calls: true,
    through: ({ url, ...options }, context) =>
      Effect.succeed((rows) =>
        Stream.unwrapScoped(
          Effect.gen(function* () {
            const client = yield* BatchScrape
            /** The rows that ask for each address; the page is asked for once. */
            const asked = new Map<string, Array<Row>>()
            const askedBy = (address: string) => asked.get(canonicalUrl(address) ?? address) ?? []
            const urls: Array<string> = []
            const kept: Array<Row> = []
            const fail = (row: Row, error: Step.StepError) =>
              Effect.map(context.failed(row, error), (instead) => void kept.push(...instead))
            const ask = (address: string, row: Row) => {
              const key = canonicalUrl(address) ?? address
              const others = asked.get(key)
              if (others !== undefined) return void others.push(row)
              asked.set(key, [row])
              urls.push(address)
            }
            const collect = (row: Row) =>
              url.of(row, context.bindings(row)).pipe(
                Effect.map((address) => ask(address, row)),
                Effect.catchAll((error) => fail(row, error))
              )
            yield* Stream.runForEachChunk(rows, (chunk) => Effect.forEach(chunk, collect, { discard: true }))
            if (urls.length === 0) return Stream.fromIterable(kept)
            const job = yield* start((given) => client.start({ ...options, urls }, given), client.cancel, context)
            yield* Effect.logDebug(`${context.id}: batch ${job.id} of ${urls.length} pages`)
            for (const invalid of job.started.invalidURLs ?? []) {
              const failure = new Step.StepError({
                reason: "InvalidUrl",
                message: `${invalid}: the service refuses this address`
              })
              yield* Effect.forEach(askedBy(invalid), (row) => fail({ ...row, jobId: job.id }, failure))
            }
            const made = jobRows(
              { ...job, pages: client.pages(job.id), errors: client.errors(job.id), askedBy },
              context
            )
            return Stream.concat(Stream.fromIterable(kept), made)
          })
        )
      )
  }
})
