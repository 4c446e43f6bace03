/** `batchScrape`: many rows' pages as one job (spec 4.6). */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PageUrl } from "../Api/Field.ts"
import { fields } from "../Api/ScrapeOptions.ts"
import { BatchScrape } from "../Client/BatchScrape.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { call } from "./Call.ts"
import { perRow, rowUrl } from "./Field.ts"
import { jobRows } from "./JobRows.ts"

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
    through: ({ url, ...options }, context) =>
      Effect.succeed((rows) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const client = yield* BatchScrape
            const sources = new Map<string, Data>()
            const urls: Array<string> = []
            const kept: Array<Row> = []
            const ask = (address: string, row: Row) => {
              const key = canonicalUrl(address) ?? address
              if (sources.has(key)) return
              sources.set(key, row.data)
              urls.push(address)
            }
            const collect = (row: Row) =>
              url.of(row, context.bindings(row)).pipe(
                Effect.andThen((address) => Effect.sync(() => ask(address, row))),
                Effect.catchAll((error) =>
                  Effect.andThen(context.failed(row, error), (passed) => Effect.sync(() => kept.push(...passed)))
                )
              )
            yield* Stream.runForEachChunk(rows, (chunk) => Effect.forEach(chunk, collect, { discard: true }))
            const passed = Stream.fromChunk(Chunk.unsafeFromArray(kept))
            if (urls.length === 0) return passed
            const job = yield* call(client.start({ ...options, urls }))
            yield* Effect.logDebug(`${context.id}: batch ${job.id} of ${urls.length} pages`)
            for (const invalid of job.invalidURLs ?? []) {
              const failure = new Step.StepError({
                reason: "InvalidUrl",
                message: `${invalid}: the service refuses this address`
              })
              kept.push(...(yield* context.failed({ data: { url: invalid }, key: invalid, jobId: job.id }, failure)))
            }
            const made = jobRows(
              {
                id: job.id,
                pages: client.pages(job.id),
                errors: client.errors(job.id),
                sourceOf: (address) => sources.get(canonicalUrl(address) ?? address)
              },
              context
            )
            return Stream.concat(passed, made)
          })
        )
      )
  }
})
