/** Preview of a crawl: turns a prompt into crawl parameters. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { CrawlParams } from "./CrawlParams.ts"
import { TimedOut } from "./Errors.ts"
import {
  characters,
  described,
  field,
  lenientBody,
  maybe,
  open,
  PageUrl,
  senderFields,
  success,
  typed
} from "./Field.ts"

export const PreviewRequest = Schema.Struct({
  url: Schema.propertySignature(PageUrl).annotations({ description: "Address of the site." }),
  prompt: Schema.propertySignature(characters(10_000)).annotations({
    description: "Describes the pages that you want."
  }),
  ...senderFields
}).annotations({ identifier: "CrawlPreviewRequest", ...lenientBody })
export type PreviewRequest = Types.CrawlPreviewRequest

export const PreviewResponse = Schema.Struct({
  success,
  data: field(CrawlParams, "The parameters that the prompt asks for."),
  warning: maybe(Schema.String, "Parts of the prompt that could not be turned into parameters."),
  answeredBy: maybe(
    described(Schema.String, "Source of the parameters: `model` or `rules`; other services may leave it out.")
  )
}).annotations({ identifier: "CrawlPreview", ...open })

/** Group of the API's `crawlPreview` endpoints. */
export class CrawlPreviewGroup extends HttpApiGroup.make("crawlPreview")
  .add(
    HttpApiEndpoint.post("preview", "/v2/crawl/params-preview")
      .annotateContext(charges("work", "crawlPreview"))
      .annotate(OpenApi.Summary, "Turn a prompt into crawl parameters")
      .setPayload(PreviewRequest)
      .addSuccess(typed<Types.CrawlPreview>()(PreviewResponse))
      .addError(TimedOut.schema)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Crawl preview") {}
