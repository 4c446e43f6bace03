/** Outcome of a page: a document, a failure, or nothing because robots.txt forbids it. */
import * as Effect from "effect/Effect"
import type { Document } from "../../Api/Document.ts"
import * as JsonBytes from "../JsonBytes.ts"
import type { Page, ScrapeFailure } from "../Scrape/ScrapedPage.ts"
import type { Task } from "./FairScheduler.ts"
import type { Address } from "./LinkRule.ts"

/** A link that the crawl follows. */
export interface Found {
  readonly address: Address
  readonly depth: number
}

export interface Finished {
  readonly task: Task
  /** The document as it is sent; undefined when there is none to send. */
  readonly body: Buffer | undefined
  /** Why the page does not count as completed. */
  readonly failure: { readonly code: string | undefined; readonly error: string } | undefined
  readonly blocked: boolean
  /** True when the site has answered, whatever its status: such a page is paid for. */
  readonly isAnswered: boolean
  readonly found: ReadonlyArray<Found>
  /** True when it has links that are too deep for the crawl. */
  readonly isDeep?: boolean | undefined
  /** The address after redirects, as the frontier knows addresses; undefined when it is the task's own. */
  readonly landed: Address | undefined
  readonly indexed: Page["indexed"]
  /** What the document costs beyond the price of a page. */
  readonly credits?: number | undefined
  readonly url: string
}

/** As `Slice.ts` expects it: the metadata last, and in it what only v2 shows. */
const kept = ({ metadata = {}, ...document }: Document, { limited, url: asked }: Task): object => {
  const { url, ...shared } = metadata ?? {}
  const waited = limited === undefined ? {} : { concurrencyQueueDurationMs: limited }
  const own = { url: url ?? asked, concurrencyLimited: limited !== undefined, ...waited }
  return { ...document, metadata: { ...shared, ...own } }
}

/** The site answered; an error status is a document too, but not a completed page. */
export const answered = (task: Task, page: Page): Effect.Effect<Finished> => {
  const { blocked } = page
  const failed = page.statusCode >= 400 || blocked !== undefined
  const error = page.document.metadata?.error ?? `The site answered ${page.statusCode}`
  const document = failed
    ? {
        ...page.document,
        metadata: { sourceURL: task.url, statusCode: page.statusCode, ...page.document.metadata, error }
      }
    : page.document
  return Effect.map(JsonBytes.write(kept(document, task)), (body) => ({
    task,
    body,
    failure: failed ? { code: page.statusCode >= 400 ? `HTTP_${page.statusCode}` : "BLOCKED", error } : undefined,
    blocked: false,
    // A wall in place of the page costs nothing.
    isAnswered: blocked === undefined,
    found: [],
    landed: undefined,
    indexed: failed ? undefined : page.indexed,
    credits: failed ? 0 : page.credits,
    url: page.url
  }))
}

/** There was no answer, or none that can be used. */
export const failed = (task: Task, { code, error }: Pick<ScrapeFailure, "code" | "error">): Finished => ({
  task,
  body: Buffer.from(JSON.stringify(kept({ metadata: { sourceURL: task.url, error } }, task))),
  failure: { code, error },
  blocked: false,
  isAnswered: false,
  found: [],
  landed: undefined,
  indexed: undefined,
  url: task.url
})

/** A fault of ours, which only the log tells. */
export const crashed = (task: Task): Finished =>
  failed(task, {
    code: "UNKNOWN_ERROR",
    error: "An unexpected error occurred while the page was read; the log has it."
  })

/** robots.txt forbids it: nothing was fetched, and the limit is not touched. */
export const forbidden = (task: Task): Finished => ({
  task,
  body: undefined,
  failure: undefined,
  blocked: true,
  isAnswered: false,
  found: [],
  landed: undefined,
  indexed: undefined,
  url: task.url
})

/** It led to a page that the crawl has already, or does not want: nothing to keep, and the limit is not touched. */
export const duplicate = (finished: Finished): Finished => ({
  ...finished,
  body: undefined,
  failure: undefined,
  isAnswered: false,
  indexed: undefined,
  credits: 0
})
