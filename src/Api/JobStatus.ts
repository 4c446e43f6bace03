/** Status of a batch or crawl job, with one page of its documents. */
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Document } from "./Document.ts"
import { field, maybe, numeric, open, success } from "./Field.ts"
import { reasons } from "./NotFollowed.ts"

/** Known statuses of a job. Clients treat any other status as "still running". */
export const statuses = ["scraping", "completed", "failed", "cancelled"] as const
export type Status = (typeof statuses)[number]

/** Final statuses of a job. */
export const ended: ReadonlySet<string> = new Set<Status>(["completed", "failed", "cancelled"])

/** Limits of one page of results: documents, and bytes of JSON. */
export const pageSize = { default: 100, max: 1000, bytes: 10_485_760 } as const

const statusFields = {
  success: maybe(Schema.Boolean, "Always true: a call that fails returns an error instead."),
  status: Schema.String.annotations({ description: `One of ${statuses.join(", ")}.`, examples: [...statuses] }),
  total: maybe(numeric, "Number of pages known so far."),
  completed: maybe(numeric, "Number of finished pages."),
  creditsUsed: maybe(numeric, "Credits that the job has cost so far."),
  expiresAt: maybe(Schema.String, "Time until which the results are kept (ISO 8601)."),
  next: maybe(Schema.String, "Address of the next page of results, if there is one."),
  error: maybe(Schema.String, "Why the job has failed."),
  code: maybe(Schema.String, "Error code of the failure.")
}

/** The status with undecoded documents: the client decodes them one by one, because this is its hot path. */
export const JobEnvelope = Schema.Struct({
  ...statusFields,
  data: maybe(Schema.Array(Schema.Unknown), "Documents of this page of results, as they were received.")
}).annotations({ identifier: "JobEnvelope", ...open })
export type JobEnvelope = Types.JobEnvelope

export const JobStatus = Schema.Struct({
  ...statusFields,
  data: maybe(Schema.Array(Document), "Documents of this page of results.")
}).annotations({ identifier: "JobStatus", ...open })
export type JobStatus = Types.JobStatus

/** Query parameters that select the page of documents in a status. */
export const PageQuery = Schema.Struct({
  skip: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative())).annotations({
    description: "Number of documents to skip before this page of results. Default: 0."
  }),
  limit: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, pageSize.max))).annotations({
    description: `Maximum number of documents in this page of results. Default: ${pageSize.default} while the job runs; once the job has ended, as many as fit into 10 MiB.`
  })
})

/** Query parameter of a cancel request that also deletes the results. Without it, the job is only cancelled. */
export const CancelQuery = Schema.Struct({
  results: Schema.optional(
    Schema.Literal("delete").annotations({
      description:
        "Also deletes the results of the job, running or ended, so that they no longer count towards its team's storage. They are deleted once responses in progress are sent and webhooks are delivered."
    })
  )
})

/** Response to starting a job. */
export const JobStarted = Schema.Struct({
  success,
  id: field(Schema.String, "Id of the job, a UUID."),
  url: maybe(Schema.String, "Address of the job's status."),
  invalidURLs: maybe(Schema.Array(Schema.String), "Addresses that the job leaves out, because they are not valid."),
  revisits: maybe(Schema.Boolean, "True if the crawl may leave out unchanged pages. Only the local engine sends it.")
}).annotations({ identifier: "JobStarted", ...open })
export type JobStarted = Types.JobStarted

export const JobCancelled = Schema.Struct({
  success: maybe(Schema.Boolean, "Always true: a call that fails returns an error instead."),
  status: field(Schema.String, "`cancelled`.")
}).annotations({ identifier: "JobCancelled", ...open })

/** Reasons why a crawl left out pages that it knew. Sent only by the local engine. */
export const leftOut = ["limit", "depth", "sitemap"] as const

/** Response with the failed pages of a job, and the URLs that robots.txt disallows. */
export const JobErrors = Schema.Struct({
  errors: Schema.Array(
    Schema.Struct({
      id: maybe(Schema.String, "Id of the page within the job."),
      timestamp: maybe(Schema.String, "Time of the failure (ISO 8601)."),
      url: maybe(Schema.String, "Address of the page."),
      code: maybe(Schema.String, "Code of the error."),
      error: maybe(Schema.String, "Why the page has failed.")
    }).annotations(open)
  ).annotations({ description: "Pages that have failed." }),
  robotsBlocked: maybe(Schema.Array(Schema.String), "Addresses that robots.txt disallows."),
  leftOut: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: `Reasons why the job lacks pages that it would otherwise have: ${leftOut.join(", ")}. An empty list means that no page is missing.`
    })
  ),
  notFollowed: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Number }).annotations({
      description: `Number of links that the crawl found but did not follow, by reason: ${reasons.join(", ")}. Each link counts once; a crawl that has more than 1,000 of them, or that continues after a restart of the engine, may count some again. Only the local engine sends it.`
    })
  )
}).annotations({ identifier: "JobErrors", ...open })
export type JobErrors = Types.JobErrors

/** Schema of a job's webhook: a URL, or a URL with options. */
export const Webhook = Schema.Union(
  Schema.String,
  Schema.Struct({
    url: field(Schema.String, "Address that receives the events, by POST."),
    headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })).annotations({
      description: "Headers to send with the events."
    }),
    metadata: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
      description: "Data to send with each event."
    }),
    events: Schema.optional(Schema.Array(Schema.String)).annotations({
      description: "Events to send: `started`, `page`, `completed` and `failed`. Default: all."
    }),
    secret: Schema.optional(
      Schema.String.annotations({ description: "Secret that signs the events, in the header X-Firecrawl-Signature." })
    )
  })
).annotations({ identifier: "Webhook", description: "Webhook of a job: an address, or an address with options." })
