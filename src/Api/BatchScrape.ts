/** Batch jobs: scrape many pages in one job. */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { defaulted, described, field, lenientBody, list, senderFields, strict } from "./Field.ts"
import * as Job from "./JobEndpoint.ts"
import { Webhook } from "./JobStatus.ts"
import * as Options from "./ScrapeOptions.ts"

/** Maximum number of URLs per job. */
export const mostUrls = 100_000

const batchFields = {
  urls: field(list(Schema.String, mostUrls).pipe(Schema.minItems(1)), "Addresses of the pages: 1 to 100,000."),
  ignoreInvalidURLs: defaulted(
    described(Schema.Boolean, "Leave invalid URLs out and list them, instead of refusing the job."),
    true
  ),
  maxConcurrency: Schema.optional(Schema.Int.pipe(Schema.positive())).annotations({
    description: "Maximum number of pages that are fetched at once."
  }),
  appendToId: Schema.optional(Schema.UUID).annotations({
    description: "Id of an existing batch: the pages are added to it, and no new batch is started."
  }),
  webhook: Schema.optional(Webhook).annotations({ description: "Receives the events of the job." }),
  ...senderFields
}

export const startFields = { ...Options.fields, ...batchFields }
export const startFieldsV1 = { ...Options.fieldsV1, ...batchFields }

export const BatchRequest = Schema.Struct(startFields).annotations({ identifier: "BatchRequest", ...strict })
export type BatchRequest = Types.BatchRequest
export const BatchRequestV1 = Schema.Struct(startFieldsV1).annotations({ identifier: "BatchRequestV1", ...lenientBody })
export type BatchRequestV1 = Types.BatchRequestV1

/** Group of the API's `batchScrape` endpoints. */
export class BatchScrapeGroup extends HttpApiGroup.make("batchScrape")
  .add(Job.start("start", "/v2/batch/scrape", BatchRequest, "batchPage"))
  .add(Job.start("startV1", "/v1/batch/scrape", BatchRequestV1, "batchPage"))
  .add(Job.status("status", "/v2/batch/scrape/:id"))
  .add(Job.status("statusV1", "/v1/batch/scrape/:id"))
  .add(Job.cancel("cancel", "/v2/batch/scrape/:id"))
  .add(Job.cancel("cancelV1", "/v1/batch/scrape/:id"))
  .add(Job.errors("errors", "/v2/batch/scrape/:id/errors"))
  .add(Job.errors("errorsV1", "/v1/batch/scrape/:id/errors"))
  .middleware(Auth)
  .annotate(OpenApi.Title, "Batch scrape") {}
