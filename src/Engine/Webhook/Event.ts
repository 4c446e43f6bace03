/** Webhook events of a job, in order: its start, every document, its end. */
import { createHmac } from "node:crypto"
import * as Redacted from "effect/Redacted"
import type { JobRow } from "../Jobs/Job.ts"
import type { EventName, Order } from "./Order.ts"

/** What of a job is told, or needed to tell it; what was asked of it may be long, and is not. */
export type Told = Pick<
  JobRow,
  "id" | "team" | "kind" | "version" | "status" | "error" | "results" | "completed" | "finished_at" | "purged"
>

/** A row of `webhooks`: how far a job has been told. */
export interface OutboxRow {
  readonly job_id: string
  readonly sealed: ArrayBuffer | Uint8Array
  readonly started: number
  readonly pages: number
  readonly ended_at: number | null
  readonly attempts: number
  readonly due_at: number
  readonly misses: number
  readonly owner: string | null
}

export interface Event {
  readonly name: EventName
  /** The same whenever it is told again, so that a receiver recognises it. */
  readonly id: string
  /** Of a page: which of the job's documents. */
  readonly position?: number
}

/** What comes next; undefined when everything that there is has been told. */
export const next = (row: OutboxRow, job: Told): Event | undefined => {
  if (row.started === 0) return { name: "started", id: `${job.id}/started` }
  if (row.pages < job.results) return { name: "page", id: `${job.id}/page/${row.pages}`, position: row.pages }
  if (job.status === "scraping" || row.ended_at === job.finished_at) return undefined
  return { name: job.status === "completed" ? "completed" : "failed", id: `${job.id}/ended/${job.finished_at}` }
}

/** Why a document is none of a page that succeeded. */
const errorOf = (document: Uint8Array): string | undefined =>
  JSON.parse(Buffer.from(document).toString("utf8"))?.metadata?.error

const failureOf = (job: Told, event: Event, document: Uint8Array | undefined): string | undefined => {
  if (event.name === "failed")
    return job.status === "cancelled" ? "The job was cancelled." : (job.error ?? "It failed.")
  // Of a job without failures no document has to be read.
  return document === undefined || job.completed >= job.results ? undefined : errorOf(document)
}

/** The JSON that is sent; a document in it is the stored bytes. */
export const bodyOf = (job: Told, event: Event, { metadata }: Order, document: Uint8Array | undefined): Buffer => {
  const error = failureOf(job, event, document)
  const head = JSON.stringify({
    success: error === undefined,
    type: `${job.kind === "crawl" ? "crawl" : "batch_scrape"}.${event.name}`,
    id: job.id,
    event: event.id,
    ...(error === undefined ? {} : { error }),
    metadata
  })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":[`), document ?? Buffer.alloc(0), Buffer.from("]}")])
}

export const headersOf = (event: Event, order: Order, body: Buffer, secret: Redacted.Redacted | undefined) => ({
  ...order.headers,
  "content-type": "application/json",
  "x-sluice-event": event.id,
  ...(secret === undefined
    ? {}
    : { "x-firecrawl-signature": `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}` })
})
