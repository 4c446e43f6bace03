/** `search`: results of a search as rows (spec 4.4). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { requestFields, sources } from "../Api/Search.ts"
import { Search } from "../Client/Search.ts"
import { canonicalUrl } from "../Row/Url.ts"
import type { Data, Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { counted } from "./Batch.ts"
import { call } from "./Call.ts"
import { perRow } from "./Field.ts"
import * as Formats from "./Formats.ts"
import * as Need from "./Need.ts"

const { origin: _, integration: __, ...fields } = requestFields

export const search = Step.make({
  key: "search",
  summary: "Searches and gives every result as a row, with the field `source`: web, images or news.",
  example: `search:
  query: open source etl engine
  limit: 20
  sources: [web, news]`,
  config: Schema.Struct({ ...fields, query: perRow(fields.query) }),
  needs: (fields) => [
    { ability: "web", path: [], what: "a search", optional: true },
    ...Need.within("scrapeOptions", fields, Need.scrapingMany)
  ],
  objections: (fields) => Need.within("scrapeOptions", fields, Formats.strangers),
  behaviour: {
    kind: "source",
    read: ({ query, ...request }, context, begin) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { row } = begin
          const text = yield* query.of(row ?? { data: {} }, context.bindings(row ?? { data: {} }))
          const client = yield* Search
          const limit = Math.min(request.limit ?? 10, context.wanted ?? 100)
          const answer = yield* context.once(
            { book: ({ creditsUsed }) => ({ credits: creditsUsed ?? undefined }) },
            (idempotencyKey: string) => call(client.run({ ...request, limit, query: text }, { idempotencyKey }))
          )
          // A page that is no longer among the best may be there all the same, however few were found.
          yield* context.incomplete("ranking")
          if (answer.warning) yield* Effect.logWarning(`${context.id}: ${answer.warning}`)
          const rows = sources.flatMap((source) =>
            (answer.data[source] ?? []).map((result, position): Row => {
              const data: Data = { source, ...result }
              return {
                data,
                position,
                key: typeof result.url === "string" ? canonicalUrl(result.url) : undefined,
                source: row?.data
              }
            })
          )
          const wanted = rows.slice(0, context.wanted)
          return counted(begin, wanted.length)(Stream.fromIterable(wanted))
        })
      )
  }
})
