/** Running crawls of the team. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Auth } from "./Auth.ts"
import { maybe, open } from "./Field.ts"

/** One running crawl. `options` are those of its start, with `scrapeOptions`. */
export const ActiveCrawl = Schema.Struct({
  id: Schema.String,
  teamId: maybe(Schema.String),
  url: maybe(Schema.String),
  created_at: maybe(Schema.String),
  options: maybe(
    Schema.Struct({ scrapeOptions: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown })) }).annotations(
      open
    )
  )
}).annotations({ identifier: "ActiveCrawl", ...open })
export type ActiveCrawl = typeof ActiveCrawl.Type

export const ActiveCrawls = Schema.Struct({
  success: Schema.Boolean,
  crawls: Schema.Array(ActiveCrawl)
}).annotations({ identifier: "ActiveCrawls", ...open })

/** Group `activeCrawls`. */
export class ActiveCrawlsGroup extends HttpApiGroup.make("activeCrawls")
  .add(
    HttpApiEndpoint.get("active", "/v2/crawl/active")
      .annotate(OpenApi.Summary, "The crawls that run now")
      .addSuccess(ActiveCrawls)
  )
  .add(
    HttpApiEndpoint.get("activeV1", "/v1/crawl/active")
      .annotate(OpenApi.Summary, "The crawls that run now")
      .addSuccess(ActiveCrawls)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Active crawls") {}
