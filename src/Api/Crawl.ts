/** Crawl jobs: scrape the pages of a site in one job. */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import * as Params from "./CrawlParams.ts"
import { characters, field, lenientBody, PageUrl, senderFields, strict } from "./Field.ts"
import { StartHeaders } from "./Idempotency.ts"
import * as Job from "./JobEndpoint.ts"
import { Webhook } from "./JobStatus.ts"
import { ScrapeOptions, ScrapeOptionsV1 } from "./ScrapeOptions.ts"

const crawlFields = {
  url: field(PageUrl, "Address where the crawl starts."),
  prompt: Schema.optional(characters(10_000)).annotations({
    description: "Describes the pages that you want; the service turns the description into crawl parameters."
  }),
  maxConcurrency: Schema.optional(Schema.Int.pipe(Schema.positive())).annotations({
    description: "Maximum number of pages that are fetched at once."
  }),
  webhook: Schema.optional(Webhook).annotations({ description: "Receives the events of the job." }),
  zeroDataRetention: Schema.optional(Schema.Boolean).annotations({
    description: "Do not store the request or its results in the service."
  }),
  ...senderFields
}

export const startFields = {
  ...Params.fields,
  ...crawlFields,
  scrapeOptions: Schema.optional(ScrapeOptions).annotations({ description: "How each page is scraped." })
}
export const startFieldsV1 = {
  ...Params.fieldsV1,
  ...crawlFields,
  scrapeOptions: Schema.optional(ScrapeOptionsV1).annotations({ description: "How each page is scraped." })
}

export const CrawlRequest = Schema.Struct(startFields).annotations({ identifier: "CrawlRequest", ...strict })
export type CrawlRequest = Types.CrawlRequest
export const CrawlRequestV1 = Schema.Struct(startFieldsV1).annotations({ identifier: "CrawlRequestV1", ...lenientBody })
export type CrawlRequestV1 = Types.CrawlRequestV1

/** Bounds of the revisit option `fullEvery`. */
export const fullEvery = { default: 10, max: 1000 } as const

/** Revisit policy of a crawl for pages that the local engine has stored. */
export const Revisit = Schema.Struct({
  /** Maximum age of the last visit, in milliseconds: an older page is visited again. */
  atLeast: Schema.Int.pipe(Schema.nonNegative()),
  /** Minimum milliseconds between two visits of a page, unless its sitemap says that it has changed; 0 by default. */
  atMost: Schema.optional(Schema.Int.pipe(Schema.nonNegative())),
  /** Every n-th crawl visits all pages. */
  fullEvery: Schema.Int.pipe(Schema.between(1, fullEvery.max))
})
export type Revisit = typeof Revisit.Type

/**
 * Name of the header with the revisit policy. It is not a field of the body, because other services refuse fields that they do not know.
 */
export const revisitHeader = "x-sluice-revisit"

const RevisitText = Schema.parseJson(Revisit)

const isRevisit = (text: string): boolean => Option.isSome(Schema.decodeUnknownOption(RevisitText)(text))

/** Decodes the header, which the endpoint has already validated. */
export const readRevisit = Schema.decodeSync(RevisitText)

export const writeRevisit = Schema.encodeSync(RevisitText)

const CrawlHeaders = Schema.Struct({
  ...StartHeaders.fields,
  [revisitHeader]: Schema.optional(
    Schema.String.pipe(
      Schema.filter((text) => isRevisit(text) || 'expected JSON like {"atLeast":604800000,"fullEvery":10}', {
        jsonSchema: {}
      })
    ).annotations({
      description:
        'Lets the crawl leave out pages that have most likely not changed since their last visit. JSON with times in milliseconds: {"atLeast":604800000,"fullEvery":10} visits every page again after at most 7 days, and all pages in one crawl of 10. For pages that it leaves out, the crawl returns stored copies, with metadata.unchanged. An extension of the local engine.'
    })
  )
})

/** Group of the API's `crawl` endpoints. */
export class CrawlGroup extends HttpApiGroup.make("crawl")
  .add(Job.start("start", "/v2/crawl", CrawlRequest, "crawlPage").setHeaders(CrawlHeaders))
  .add(Job.start("startV1", "/v1/crawl", CrawlRequestV1, "crawlPage"))
  .add(Job.status("status", "/v2/crawl/:id"))
  .add(Job.status("statusV1", "/v1/crawl/:id"))
  .add(Job.cancel("cancel", "/v2/crawl/:id"))
  .add(Job.cancel("cancelV1", "/v1/crawl/:id"))
  .add(Job.errors("errors", "/v2/crawl/:id/errors"))
  .add(Job.errors("errorsV1", "/v1/crawl/:id/errors"))
  .middleware(Auth)
  .annotate(OpenApi.Title, "Crawl") {}
