/** Status of a batch or crawl job, with one page of its documents. */
import * as Schema from "effect/Schema"
import { Document } from "./Document.ts"
import { maybe, numeric, open } from "./Field.ts"

/** The statuses that services send; a client takes any other for "still running". */
export const statuses = ["scraping", "completed", "failed", "cancelled"] as const
export type Status = (typeof statuses)[number]

/** Final statuses of a job. */
export const ended: ReadonlySet<string> = new Set<Status>(["completed", "failed", "cancelled"])

/** Limits of one page of results: documents, and bytes of JSON. */
export const pageSize = { default: 100, max: 1000, bytes: 10_485_760 } as const

const statusFields = {
  success: maybe(Schema.Boolean),
  status: Schema.String.annotations({ description: `One of ${statuses.join(", ")}.`, examples: [...statuses] }),
  total: maybe(numeric),
  completed: maybe(numeric),
  creditsUsed: maybe(numeric),
  expiresAt: maybe(Schema.String),
  next: maybe(Schema.String),
  error: maybe(Schema.String),
  code: maybe(Schema.String)
}

/** The status with the page's documents left as they came: the hot path checks them one by one. */
export const JobEnvelope = Schema.Struct({
  ...statusFields,
  data: maybe(Schema.Array(Schema.Unknown))
}).annotations({ identifier: "JobEnvelope", ...open })
export type JobEnvelope = typeof JobEnvelope.Type

export const JobStatus = Schema.Struct({
  ...statusFields,
  data: maybe(Schema.Array(Document))
}).annotations({ identifier: "JobStatus", ...open })
export type JobStatus = typeof JobStatus.Type

/** Which of the finished documents to send. */
export const PageQuery = Schema.Struct({
  skip: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative())),
  limit: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, pageSize.max)))
})

/** What to do with what a job has: without it the job is cancelled, and its results stay. */
export const CancelQuery = Schema.Struct({
  results: Schema.optional(
    Schema.Literal("delete").annotations({
      description:
        "Also removes the results of the job, running or ended, so that they no longer count for its team: once pages that are being read are sent, and webhooks delivered."
    })
  )
})

/** The answer to a job's start. */
export const JobStarted = Schema.Struct({
  success: Schema.Boolean,
  id: Schema.String,
  url: maybe(Schema.String),
  invalidURLs: maybe(Schema.Array(Schema.String))
}).annotations({ identifier: "JobStarted", ...open })
export type JobStarted = typeof JobStarted.Type

export const JobCancelled = Schema.Struct({
  success: maybe(Schema.Boolean),
  status: Schema.String
}).annotations({ identifier: "JobCancelled", ...open })

/** Why a crawl left pages out that it knew of, as our engine says it; other services say nothing. */
export const leftOut = ["limit", "depth", "sitemap"] as const

/** The pages of a job that failed, and those that robots.txt kept it from. */
export const JobErrors = Schema.Struct({
  errors: Schema.Array(
    Schema.Struct({
      id: maybe(Schema.String),
      timestamp: maybe(Schema.String),
      url: maybe(Schema.String),
      code: maybe(Schema.String),
      error: maybe(Schema.String)
    }).annotations(open)
  ),
  robotsBlocked: maybe(Schema.Array(Schema.String)),
  leftOut: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: `Why pages are missing that the job would have had otherwise: ${leftOut.join(", ")}. An empty list means that no page is missing.`
    })
  )
}).annotations({ identifier: "JobErrors", ...open })
export type JobErrors = typeof JobErrors.Type

/** Who is told about a job's progress: an address, or an address with particulars. */
export const Webhook = Schema.Union(
  Schema.String,
  Schema.Struct({
    url: Schema.String,
    headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    metadata: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    events: Schema.optional(Schema.Array(Schema.String)),
    secret: Schema.optional(
      Schema.String.annotations({ description: "What is sent is signed with it: X-Firecrawl-Signature." })
    )
  })
).annotations({ identifier: "Webhook" })
