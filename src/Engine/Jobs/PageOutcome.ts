/** Outcome of a page: a document, a failure, or nothing because robots.txt or the page itself forbids it. */
import type { Document } from "../../Api/Document.ts"
import type { NotFollowed } from "../../Api/NotFollowed.ts"
import type { Task } from "../Fetch/FairScheduler.ts"
import type { PackedText } from "../PageCache/Packing.ts"
import type { Page, ScrapeFailure } from "../Scrape/ScrapedPage.ts"
import * as JsonBytes from "../Teams/JsonBytes.ts"
import type { Work } from "../Teams/Work.ts"
import type { Address } from "./LinkRule.ts"

/** A link that the crawl follows. */
export interface FoundPage {
  readonly address: Address
  readonly depth: number
}

export interface Finished {
  readonly task: Task
  /** JSON of the document, or only the part after `content`; undefined if the page has no document. */
  readonly body: Buffer | undefined
  /** Compressed JSON of the requested formats. The document is this object with the members of `body`. */
  readonly content?: PackedText | undefined
  /** Present for a page that counts as failed. */
  readonly failure: { readonly code: string | undefined; readonly error: string } | undefined
  readonly blocked: boolean
  /** False for a page that costs no credit: no response, an access wall, or an unchanged page. */
  readonly isCharged: boolean
  /** True for a page from the cache, without a request to the site. */
  readonly isUnsent?: boolean | undefined
  readonly found: ReadonlyArray<FoundPage>
  /** True when the page has links that are too deep for the crawl. */
  readonly isDeep?: boolean | undefined
  /** New links of the page that the crawl does not follow, by reason. */
  readonly notFollowed?: NotFollowed | undefined
  /** Normalized address after a redirect to another page. */
  readonly landed: Address | undefined
  /** True if the redirect leads to a page that is left out because this page is its canonical address. */
  readonly isCanonical?: boolean | undefined
  readonly indexed: Page["indexed"]
  /** Credits in addition to the price of a page. */
  readonly credits?: number | undefined
  /** Milliseconds after which the page is visited again because the host of `url` asked to retry later. Nothing of this visit is kept. */
  readonly postponed?: number | undefined
  /** True if that host has not answered this visit, but was paused before. */
  readonly isHeld?: boolean | undefined
  /** The address after redirects, as far as they were followed. */
  readonly url: string
}

/** The document with its keys in the order that `ResultSlice.ts` expects: metadata last, and in it the fields that only v2 shows. */
const storedForm = ({ metadata = {}, ...document }: Document, { limited, url: asked }: Task): object => {
  const { url, ...shared } = metadata ?? {}
  const waited = limited === undefined ? {} : { concurrencyQueueDurationMs: limited }
  const own = { url: url ?? asked, concurrencyLimited: limited !== undefined, ...waited }
  return { ...document, metadata: { ...shared, ...own } }
}

/** Uncompressed bytes of the document. */
export const sizeOf = ({ body, content }: Pick<Finished, "body" | "content">): number =>
  body === undefined ? 0 : body.byteLength + (content === undefined ? 0 : content.size - 1)

/** Adds the metadata to a document whose content JSON stays compressed. */
const withMetadata = (content: PackedText, document: Document, task: Task): Pick<Finished, "body" | "content"> => {
  const rest = JSON.stringify(storedForm({ metadata: document.metadata }, task)).slice(1)
  const end = Buffer.from(content.size <= 2 ? rest : `,${rest}`)
  return content.coding === "" ? { body: Buffer.concat([content.body.subarray(0, -1), end]) } : { body: end, content }
}

/** Outcome if the site answered. A page with an error status has a document, but counts as failed. */
export const answered = async (work: Work, task: Task, page: Page): Promise<Finished> => {
  const { blocked } = page
  const failed = page.statusCode >= 400 || blocked !== undefined
  const error = page.document.metadata?.error ?? `The site answered ${page.statusCode}`
  const document = failed
    ? {
        ...page.document,
        metadata: { sourceURL: task.url, statusCode: page.statusCode, ...page.document.metadata, error }
      }
    : page.document
  const { content } = page
  return {
    ...(content === undefined
      ? { body: await work.run(JsonBytes.write(storedForm(document, task))) }
      : withMetadata(content, document, task)),
    task,
    failure: failed ? { code: page.statusCode >= 400 ? `HTTP_${page.statusCode}` : "BLOCKED", error } : undefined,
    blocked: false,
    // An access wall in place of the page costs nothing, and neither does an unchanged page.
    isCharged: blocked === undefined && page.unchanged === undefined,
    isUnsent: page.isUnsent,
    found: [],
    landed: undefined,
    indexed: failed ? undefined : page.indexed,
    credits: failed ? 0 : page.credits,
    url: page.url
  }
}

/** Outcome if there was no response, or an unusable one. */
export const failed = (task: Task, { code, error }: Pick<ScrapeFailure, "code" | "error">): Finished => ({
  task,
  body: Buffer.from(JSON.stringify(storedForm({ metadata: { sourceURL: task.url, error, code } }, task))),
  failure: { code, error },
  blocked: false,
  isCharged: false,
  found: [],
  landed: undefined,
  indexed: undefined,
  url: task.url
})

/** Outcome of an unexpected error, whose details are only in the log. */
export const crashed = (task: Task): Finished =>
  failed(task, {
    code: "UNKNOWN_ERROR",
    error: "An unexpected error occurred while the page was read. The engine's log has the details."
  })

/**
 * Outcome if robots.txt forbids the page, so that it was not fetched, or if the page excludes itself by `noindex`. It does not count
 * against the limit.
 */
export const forbidden = (task: Task): Finished => ({
  task,
  body: undefined,
  failure: undefined,
  blocked: true,
  isCharged: false,
  found: [],
  landed: undefined,
  indexed: undefined,
  url: task.url
})

/** Outcome of a page that was read only for its links. It is charged, but does not count against the limit. */
export const listed = (finished: Finished): Finished => ({ ...duplicate(finished), isCharged: finished.isCharged })

/** Outcome of a redirect that is not followed because it leads out of the crawl. */
export const leftOut = (task: Task): Finished => ({ ...forbidden(task), blocked: false })

/** Outcome if the host of `url`, which the page itself or a redirect leads to, asked to retry later. */
export const postponed = (task: Task, millis: number, url: string): Finished => ({
  ...leftOut(task),
  postponed: millis,
  url
})

/** Outcome if the host of `url` is paused, so that nothing was sent to it. */
export const held = (task: Task, millis: number, url: string): Finished => ({
  ...postponed(task, millis, url),
  isHeld: true
})

/** Outcome of a redirect to a known page, or to one outside the crawl. It has no document and does not count against the limit. */
export const duplicate = (finished: Finished): Finished => ({
  ...finished,
  body: undefined,
  content: undefined,
  failure: undefined,
  isCharged: false,
  indexed: undefined,
  credits: 0
})
