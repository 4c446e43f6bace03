/** Scrapes: turn one page into a document. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { Document } from "./Document.ts"
import {
  anyOf,
  Conflict,
  Forbidden,
  InsufficientStorage,
  NotFound,
  TimedOut,
  TooLarge,
  Unavailable,
  Unprocessable,
  UnsupportedType
} from "./Errors.ts"
import { field, lenientBody, maybe, open, PageUrl, senderFields, strict, success, typed } from "./Field.ts"
import { CallHeaders } from "./Idempotency.ts"
import * as Options from "./ScrapeOptions.ts"

const address = field(PageUrl, "Address of the page.")

export const requestFields = { url: address, ...Options.fields, ...senderFields }
export const ScrapeRequest = Schema.Struct(requestFields).annotations({ identifier: "ScrapeRequest", ...strict })
export type ScrapeRequest = Types.ScrapeRequest

export const requestFieldsV1 = { url: address, ...Options.fieldsV1, ...senderFields }
export const ScrapeRequestV1 = Schema.Struct(requestFieldsV1).annotations({
  identifier: "ScrapeRequestV1",
  ...lenientBody
})
export type ScrapeRequestV1 = Types.ScrapeRequestV1

export const Scraped = Schema.Struct({
  success,
  data: field(Document, "The page."),
  warning: maybe(Schema.String, "What is missing or doubtful about the answer.")
}).annotations({ identifier: "Scraped", ...open })

const scrape = <const Name extends string, const Path extends HttpApiEndpoint.PathSegment>(name: Name, path: Path) =>
  HttpApiEndpoint.post(name, path)
    .annotateContext(charges("work", "scrape", "jsonFormat"))
    .setHeaders(CallHeaders)
    .addSuccess(typed<Types.Scraped>()(Scraped))
    .addError(
      anyOf(
        Conflict,
        InsufficientStorage,
        Forbidden,
        NotFound,
        TimedOut,
        TooLarge,
        UnsupportedType,
        Unprocessable,
        Unavailable
      )
    )

/** Group of the API's `scrape` endpoints. */
export class ScrapeGroup extends HttpApiGroup.make("scrape")
  .add(
    scrape("scrape", "/v2/scrape").annotate(OpenApi.Summary, "Turn a page into a document").setPayload(ScrapeRequest)
  )
  .add(
    scrape("scrapeV1", "/v1/scrape")
      .annotate(OpenApi.Summary, "Turn a page into a document")
      .setPayload(ScrapeRequestV1)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Scrape") {}
