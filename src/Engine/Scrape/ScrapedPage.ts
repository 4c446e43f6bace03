/** A scrape from its request to its page, and the enrichments that add to the page. */
import { STATUS_CODES } from "node:http"
import * as Effect from "effect/Effect"
import type { Document, Metadata } from "../../Api/Document.ts"
import type {
  BadRequest,
  Conflict,
  Forbidden,
  InsufficientStorage,
  NotFound,
  NotImplemented,
  RateLimited,
  TimedOut,
  TooLarge,
  Unavailable,
  Unprocessable,
  UnsupportedType
} from "../../Api/Errors.ts"
import { retryAfterMillis } from "../../Api/RetryAfter.ts"
import { canParse } from "../../Api/Url.ts"
import type { Blocked } from "../../Html/BlockedPage.ts"
import type { Extracted } from "../../Html/Extract.ts"
import { nextInHeader, type PageDirectives } from "../../Html/PageDirectives.ts"
import { summarize } from "../../Html/TextAnalysis.ts"
import type { FetchRequest } from "../Fetch/Fetch.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import type { PackedText } from "../PageCache/Packing.ts"
import type { StoredBefore } from "../PageCache/PageCache.ts"
import type { Fetched } from "../PageCache/PageSource.ts"
import type { Options } from "../ScrapeOptions.ts"
import type { IndexedPage } from "../Search/Gather.ts"
import type { Work } from "../Teams/Work.ts"
import type { Plan } from "./Plan.ts"
import type { ListedAge, Revisit } from "./Recrawl/Revisit.ts"
import type { StoredPage } from "./StoredConversion.ts"

export type ScrapeFailure =
  | BadRequest
  | Conflict
  | InsufficientStorage
  | Forbidden
  | NotFound
  | NotImplemented
  | RateLimited
  | TimedOut
  | TooLarge
  | Unavailable
  | Unprocessable
  | UnsupportedType

export interface RevisitedPage extends Revisit {
  readonly listed?: ListedAge | undefined
  /** Random number below 1 that decides whether the page is visited to check the evidence. By default the scrape draws one. */
  readonly draw?: number | undefined
}

/** Result of looking up a page: the page, or the cache entries that its visit needs. */
export interface LookedUp {
  /** Result, if the page need not be visited. */
  readonly page?: Page | undefined
  /** Cache entries for the visit. */
  readonly stored?: StoredBefore | undefined
}

export interface ScrapeTarget {
  readonly url: string
  readonly options: Options
  /** The team whose cached pages may be used, and for which new ones are stored. */
  readonly teamId: string
  /** URL of the site that the headers in the options are meant for; defaults to `url`. */
  readonly headersFor?: string | undefined
  /** User agent that is sent to the site. robots.txt is evaluated for it, too. */
  readonly userAgent?: string | undefined
  /** Revisit policy of the crawl; absent if the page is visited in any case. */
  readonly revisit?: RevisitedPage | undefined
  /** Entries of the page cache, if they were looked up before the visit. */
  readonly stored?: StoredBefore | undefined
  /** True if the caller accepts the content as bytes, in {@link Page.content}. */
  readonly takesBytes?: boolean | undefined
  /** True for a page of a job, which holds a request slot of its host already. */
  readonly hasTurn?: boolean | undefined
  /** Asked before a redirect over HTTP is followed; not for frames, and not while signed in, where a redirect may lead to the sign-in. */
  readonly mayFollow?: FetchRequest["mayFollow"]
}

/**
 * Why a page counts as unchanged.
 *
 * - `notModified`: the site answered 304, or sent the stored bytes again with their validators.
 * - `sitemap`: it was not visited, because its sitemap says that it has not changed since the last visit.
 * - `notDue`: it was not visited, because its earlier visits make a change unlikely.
 */
export type Unchanged = "notModified" | "sitemap" | "notDue"

/** Result of a scrape. */
export interface Page {
  /** The requested formats and the metadata. */
  readonly document: Document
  /** JSON of the requested formats, which `document` then omits. It is written once, during the conversion, and never parsed. */
  readonly content?: PackedText | undefined
  /** The address after redirects. */
  readonly url: string
  readonly statusCode: number
  /** All links of the page for a crawl to follow: absolute, in order, without duplicates. */
  readonly links: ReadonlyArray<string>
  /** Robots directives of the page. */
  readonly directives?: PageDirectives | undefined
  /** Present when the site returned a block page instead of the page. The page counts as failed and costs nothing. */
  readonly blocked?: Blocked | undefined
  /** True if the page may be a block page. It is judged again at each visit. */
  readonly isSuspicious?: boolean
  /** Present when the stored page is current. The page itself then costs nothing. */
  readonly unchanged?: Unchanged | undefined
  /** True for a page from the cache, without a request to the site. */
  readonly isUnsent?: boolean | undefined
  /** Present when an enrichment reads it; see {@link Plan.readsMarkdown}. */
  readonly markdown?: string | undefined
  /** Credits in addition to the price of a page. */
  readonly credits?: number | undefined
  /** Milliseconds to wait before a retry, from the `Retry-After` header of a 429 or 503. */
  readonly retryAfter?: number | undefined
  /** The page as the page cache stores it, if it was created during the conversion. */
  readonly stored?: StoredPage | undefined
  /** Entry for the search index; absent for pages that are not text, and for error responses. */
  readonly indexed?: Omit<IndexedPage, "teamId" | "url"> | undefined
}

/** Milliseconds to wait before a retry after 429 or 503; undefined if the site does not say. */
export const siteWait = ({ headers, statusCode }: Fetched, now: number): number | undefined =>
  statusCode === 429 || statusCode === 503 ? retryAfterMillis(headers["retry-after"], now) : undefined

/** A response to be converted to a page. */
export interface Source {
  /** The requested address. */
  readonly url: string
  readonly fetched: Fetched
  readonly plan: Plan
  readonly teamId?: string | undefined
  readonly takesBytes?: boolean | undefined
}

const nextOf = ({ headers, url }: Fetched): Metadata => {
  const next = headers.link === undefined ? undefined : nextInHeader(headers.link, url)
  return next === undefined ? {} : { next }
}

export const fetchMetadata = ({ url, fetched }: Source): Metadata => ({
  sourceURL: url,
  url: fetched.url,
  ...nextOf(fetched),
  statusCode: fetched.statusCode,
  ...(fetched.proxy === undefined ? {} : { proxy: fetched.proxy }),
  ...(fetched.headers["content-type"] === undefined ? {} : { contentType: fetched.headers["content-type"] }),
  ...(fetched.statusCode >= 400 ? { error: STATUS_CODES[fetched.statusCode] ?? `Status ${fetched.statusCode}` } : {})
})

/** True if the page was fetched with credentials, so that other users of the team must not find it. */
const isPersonal = ({ plan: { options }, url }: Source): boolean =>
  Object.keys(options.headers ?? {}).some(mayBeSecret) ||
  options.profile !== undefined ||
  (canParse(url) && new URL(url).username !== "")

/** True if the search index may store the page. */
export const isIndexed = (source: Source): boolean =>
  source.plan.freshness.keeps && source.fetched.statusCode < 400 && !isPersonal(source)

interface Content
  extends Pick<Extracted, "markdown" | "html" | "images" | "text">,
    Partial<Pick<Extracted, "attributes" | "data">> {
  readonly rawHtml: string
  readonly links: ReadonlyArray<string>
  readonly metadata: Metadata
  readonly warning?: string | undefined
}

/** Selects the requested formats of the content. */
export const documentOf = (formats: ReadonlySet<string>, content: Content): Document => ({
  ...(formats.has("markdown") ? { markdown: content.markdown ?? "" } : {}),
  ...(formats.has("html") ? { html: content.html ?? "" } : {}),
  ...(formats.has("rawHtml") || content.data?.needsHtml === true ? { rawHtml: content.rawHtml } : {}),
  ...(formats.has("links") ? { links: content.links } : {}),
  ...(formats.has("images") ? { images: content.images ?? [] } : {}),
  ...(formats.has("summary") ? { summary: summarize(content.text ?? "") } : {}),
  ...(formats.has("attributes") ? { attributes: content.attributes ?? [] } : {}),
  ...content.data?.formats,
  metadata: content.metadata,
  ...(content.warning === undefined ? {} : { warning: content.warning })
})

/** Input of an enrichment: the page with its request. */
export interface Subject {
  readonly target: ScrapeTarget
  readonly plan: Plan
  readonly fetched: Fetched
  readonly page: Page
  /** Epoch milliseconds at which the timeout of the request expires. */
  readonly deadline: number
}

/** Fields and warning that an enrichment adds to the page. */
export interface Part {
  readonly document?: Partial<Document> | undefined
  readonly warning?: string | undefined
  /** Credits in addition to the price of the page. */
  readonly credits?: number | undefined
}

/** Adds data to a page that has been read. Returns undefined if the request does not ask for it. If it fails, the scrape fails. */
export type Enrichment = (subject: Subject) => Effect.Effect<Part, ScrapeFailure> | undefined

const add = (page: Page, { credits, document, warning }: Part): Page => {
  const warnings = [page.document.warning, document?.warning, warning].filter((text) => typeof text === "string")
  return {
    ...page,
    document: { ...page.document, ...document, ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }) },
    credits: (page.credits ?? 0) + (credits ?? 0)
  }
}

/** Runs the enrichments concurrently and adds their parts to the page. */
export const enrich = async (work: Work, subject: Subject, enrichments: ReadonlyArray<Enrichment>): Promise<Page> => {
  const asked = enrichments.flatMap((each) => each(subject) ?? [])
  return asked.length === 0
    ? subject.page
    : (await work.run(Effect.all(asked, { concurrency: "unbounded" }))).reduce(add, subject.page)
}
