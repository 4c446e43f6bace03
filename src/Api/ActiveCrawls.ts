/** Running crawls of the team. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { field, maybe, open, success, typed } from "./Field.ts"

/** One running crawl. `options` are the options that it was started with, including `scrapeOptions`. */
export const ActiveCrawl = Schema.Struct({
  id: field(Schema.String, "Id of the job, a UUID."),
  teamId: maybe(Schema.String, "Team that started the crawl."),
  url: maybe(Schema.String, "Address where the crawl starts."),
  created_at: maybe(Schema.String, "Start time (ISO 8601)."),
  options: maybe(
    Schema.Struct({
      scrapeOptions: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown }), "How each page is scraped.")
    }).annotations(open),
    "Options that the crawl was started with."
  )
}).annotations({ identifier: "ActiveCrawl", ...open })
export type ActiveCrawl = Types.ActiveCrawl

export const ActiveCrawls = Schema.Struct({
  success,
  crawls: field(Schema.Array(ActiveCrawl), "Crawls that are running.")
}).annotations({ identifier: "ActiveCrawls", ...open })

/** Group of the API's `activeCrawls` endpoints. */
export class ActiveCrawlsGroup extends HttpApiGroup.make("activeCrawls")
  .add(
    HttpApiEndpoint.get("active", "/v2/crawl/active")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "List the running crawls")
      .addSuccess(typed<Types.ActiveCrawls>()(ActiveCrawls))
  )
  .add(
    HttpApiEndpoint.get("activeV1", "/v1/crawl/active")
      .annotateContext(charges("lookup"))
      .annotate(OpenApi.Summary, "List the running crawls")
      .addSuccess(typed<Types.ActiveCrawls>()(ActiveCrawls))
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Active crawls") {}
