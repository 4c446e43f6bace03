/** `parse`: turns the file of each row into a document. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PageUrl } from "../Api/Field.ts"
import { optionFields } from "../Api/Upload.ts"
import type { Keyed } from "../Client/Calls.ts"
import { Parse } from "../Client/Parse.ts"
import { Scrape } from "../Client/Scrape.ts"
import { keyOf, type Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { readable, sendable } from "./Access.ts"
import { call, documentRow, pageKey, paid } from "./Call.ts"
import * as Cost from "./Cost.ts"
import { pagePerRow } from "./Estimate.ts"
import { perRow } from "./Field.ts"
import * as Requirements from "./Requirements.ts"

const { origin: _, integration: __, ...fields } = optionFields

/** File of a row that a `files` step made. */
const localFile = (row: Row): string | undefined =>
  typeof row.source?.absolute === "string" ? row.source.absolute : undefined

/** A file with an address is scraped, which parses it the same way. */
const cost = (fields: Requirements.Fields): Cost.Cost =>
  Requirements.mapping(fields).url === undefined ? Cost.page("parse", fields) : Cost.page("scrape", fields)

export const parse = Step.make({
  key: "parse",
  summary:
    "Parses one file for each row: the local file of a `files` row is uploaded; a file with an address (`url`) is fetched and parsed by the service.",
  example: "parse: { formats: [markdown, summary] }",
  config: Schema.Struct({
    ...fields,
    url: Schema.optional(
      perRow(PageUrl).annotations({ description: "the address of a file, as a string or { expr: … }" })
    ).annotations({ description: "Address of the file; without it, the local file of a `files` row." })
  }),
  needs: (fields) => [...Requirements.parsing(fields), ...Requirements.reaching("url")(fields)],
  objections: (fields) => [
    ...Requirements.unknownFormats(fields),
    ...(Requirements.mapping(fields).url === undefined ? Requirements.formatsOfFiles(fields) : [])
  ],
  cost,
  service: (fields) =>
    Requirements.mapping(fields).url === undefined
      ? { request: "POST /v2/parse", documented: true }
      : { request: "POST /v2/scrape", documented: false },
  estimate: pagePerRow,
  nouns: { page: "file" },
  parsesFiles: true,
  headers: ["headers"],
  formatsAt: ["formats"],
  takesOwnFormat: () => true,
  sites: (fields) => (Requirements.mapping(fields).url === undefined ? undefined : Requirements.sitesOfRows(fields)),
  behaviour: {
    kind: "item",
    pages: true,
    apply: ({ url, ...options }, row, context) =>
      Effect.gen(function* () {
        const file = url === undefined ? localFile(row) : undefined
        if (url === undefined && file === undefined) {
          return yield* new Step.StepError({
            reason: "NoFile",
            message: "the row has no file: put parse after files, or name an address like url: { expr: link }"
          })
        }
        const { data, key } =
          file !== undefined
            ? {
                key: keyOf(row),
                data: yield* Effect.zipRight(
                  readable(file, context.folder),
                  paid(
                    (key) => call(Effect.flatMap(Parse, (client) => client.parse({ file }, options, key))),
                    keyOf(row),
                    cost(options),
                    context
                  )
                )
              }
            : yield* Effect.gen(function* () {
                // As in the cost: a file with a public address is scraped, which parses it the same way.
                const client = yield* Scrape
                const address = url === undefined ? "" : yield* url.of(row, context.bindings(row))
                yield* sendable(address, context)
                const ask = (key: Keyed) => call(client.run({ ...options, url: address }, key))
                const key = row.key ?? pageKey(address)
                return { key, data: yield* paid(ask, key, cost({ url, ...options }), context) }
              })
        const source = file === undefined ? row.data : row.source
        return { ...documentRow(data, { source, position: row.position }), key }
      })
  }
})
