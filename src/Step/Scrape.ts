/** `scrape`: one page for each row. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PageUrl } from "../Api/Field.ts"
import { fields } from "../Api/ScrapeOptions.ts"
import { Scrape } from "../Client/Scrape.ts"
import { keyOf } from "../Row.ts"
import * as Step from "../Step.ts"
import { documentRow, paid } from "./Call.ts"
import { perRow, rowUrl } from "./Field.ts"

export const scrape = Step.make({
  key: "scrape",
  summary: "Scrapes one page for each row; the row becomes the document, `$source` is the incoming row.",
  example: `scrape:
  url: { expr: link }
  formats: [markdown]`,
  config: Schema.Struct({ ...fields, url: Schema.optionalWith(perRow(PageUrl), { default: rowUrl }) }),
  behaviour: {
    kind: "item",
    apply: ({ url, ...options }, row, context) =>
      Effect.gen(function* () {
        const client = yield* Scrape
        const address = yield* url.of(row, context.bindings(row))
        const data = yield* paid((key) => client.run({ ...options, url: address }, key), keyOf(row), context)
        return { ...documentRow(data, { source: row.data, position: row.position }), key: row.key }
      })
  }
})
