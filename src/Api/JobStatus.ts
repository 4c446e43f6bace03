/** Status of a batch or crawl job, with one page of its documents. */
import * as Schema from "effect/Schema"
import { Document } from "./Document.ts"
import { maybe, numeric, open } from "./Field.ts"

/** Statuses of a job. To a client any other one means "still running". */
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

/** The status with undecoded documents: the client decodes them one by one, because this is its hot path. */
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

/** Page of documents to return. */
export const PageQuery = Schema.Struct({
  skip: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative())).annotations({
    description: "Number of documents before the page. Default: 0."
  }),
  limit: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, pageSize.max))).annotations({
    description: `Maximum number of documents of the page. Default: ${pageSize.default}.`
  })
})

/** Deletion of the results. Without it the job is only cancelled. */
export const CancelQuery = Schema.Struct({
  results: Schema.optional(
    Schema.Literal("delete").annotations({
      description:
        "Also removes the results of the job, running or ended, so that they no longer count for its team: once pages that are being read are sent, and webhooks delivered."
    })
  )
})

/** Answer to the start of a job. */
export const JobStarted = Schema.Struct({
  success: Schema.Boolean,
  id: Schema.String,
  url: maybe(Schema.String),
  invalidURLs: maybe(Schema.Array(Schema.String)),
  /** True for a crawl that may leave out pages which have not changed. Only the local engine sends it. */
  revisits: maybe(Schema.Boolean)
}).annotations({ identifier: "JobStarted", ...open })
export type JobStarted = typeof JobStarted.Type

export const JobCancelled = Schema.Struct({
  success: maybe(Schema.Boolean),
  status: Schema.String
}).annotations({ identifier: "JobCancelled", ...open })

/** Reasons why a crawl left out known pages. Only the local engine sends them. */
export const leftOut = ["limit", "depth", "sitemap"] as const

/** Failed pages of a job, and URLs that robots.txt disallows. */
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

/** Webhook of a job: a URL, or a URL with options. */
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
