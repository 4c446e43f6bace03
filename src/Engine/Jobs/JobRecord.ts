/** Stored record of a job: its request and its progress. */
import type { leftOut, Status } from "../../Api/JobStatus.ts"
import type { NotFollowed } from "../../Api/NotFollowed.ts"
import type { Revisit } from "../Scrape/Recrawl/Revisit.ts"
import type { Options } from "../ScrapeOptions.ts"
import { formatsPrice, prices } from "../Usage/Usage.ts"
import type { Params } from "./LinkRule.ts"

export type Kind = "batch" | "crawl"
export type LeftOut = (typeof leftOut)[number]
export type Version = 1 | 2

/** The request of a job, as stored. */
export interface Spec {
  readonly options: Options
  readonly maxConcurrency?: number | undefined
  /** Parameters of a crawl; undefined for a batch. */
  readonly params?: Params | undefined
  /** Lets a crawl skip pages that have most likely not changed. */
  readonly revisit?: Revisit | undefined
  /**
   * Reasons why the crawl skipped pages that it found. "limit" is stored only if found pages did not fit into the queue: pages
   * left in the queue of a completed crawl imply it.
   */
  readonly leftOut?: ReadonlyArray<LeftOut> | undefined
  readonly notFollowed?: NotFollowed | undefined
  /** Address that the start of a crawl redirected to. */
  readonly landed?: string | undefined
  /** `traceparent` of the request that started the job, if traces are exported; the job's pages join that trace. */
  readonly trace?: string | undefined
}

/** A row of `jobs`. */
export interface JobRow {
  readonly id: string
  readonly team: string
  readonly key_id: string
  readonly kind: Kind
  readonly version: Version
  readonly url: string
  readonly spec: string
  readonly status: Status
  readonly seeded: number
  readonly error: string | null
  /** Machine-readable failure reason; null if there is none. Answers have {@link failureCodeOf}. */
  readonly code: string | null
  readonly page_limit: number
  /** Known pages that no worker pool has leased; may be more than the limit allows. */
  readonly queued: number
  /** Leased pages, which have no result yet. */
  readonly active: number
  /** Pages that count against the limit: active and finished ones. */
  readonly claimed: number
  /** Number of stored documents, including those of failed pages; also the position of the next document. */
  readonly results: number
  /** Pages that succeeded. */
  readonly completed: number
  readonly blocked: number
  readonly bytes: number
  readonly credits: number
  readonly created_at: number
  readonly updated_at: number
  readonly finished_at: number | null
  /** State of the data: 0 = kept; 3 = removed by its team; 2 = being deleted; 1 = deleted. */
  readonly purged: number
}

/** Error code of a failed job, for its status and its watchers. Undefined for jobs that have not failed. */
export const failureCodeOf = ({ code, status }: Pick<JobRow, "code" | "status">): string | undefined =>
  code ?? (status === "failed" ? "JOB_FAILED" : undefined)

/** Name under which a page is charged. */
export const endpointOf = (kind: Kind) => (kind === "crawl" ? "crawlPage" : "batchPage")
export const priceOf = (kind: Kind): number => prices[endpointOf(kind)]
/** Maximum credits of a page, with all its formats. */
export const maxPricePerPage = (kind: Kind, { options }: Pick<Spec, "options">): number =>
  priceOf(kind) + formatsPrice(options.formats)

/** Parses the spec of a job. Not validated, because only {@link writeSpec} writes it. */
export const readSpec = ({ spec }: Pick<JobRow, "spec">): Spec => JSON.parse(spec)
export const writeSpec = (spec: Partial<Spec>): string => JSON.stringify(spec)

/** True for a crawl whose pages are followed up to a number of links from the start, so that the depth of a page matters. */
export const hasMaxDepth = ({ params }: Pick<Spec, "params">): boolean => params?.maxDiscoveryDepth !== undefined

/** Adds reasons for skipped pages to the spec. */
export const addLeftOut = (spec: Spec, reasons: Iterable<LeftOut>): Spec => {
  const all = [...new Set([...(spec.leftOut ?? []), ...reasons])]
  return all.length === 0 ? spec : { ...spec, leftOut: all }
}

/** Why a crawl skipped pages. Undefined unless the crawl has completed. */
export const leftOutOf = (job: JobRow): ReadonlyArray<LeftOut> | undefined => {
  if (job.kind !== "crawl" || job.status !== "completed") return undefined
  return addLeftOut(readSpec(job), job.queued > 0 ? ["limit"] : []).leftOut ?? []
}

/** Pages attempted or still to be attempted within the limit. */
export const totalOf = ({ claimed, queued, page_limit }: Pick<JobRow, "claimed" | "queued" | "page_limit">): number =>
  claimed + Math.max(0, Math.min(queued, page_limit - claimed))

/** Number of queued pages that may still be leased. */
export const claimable = ({ claimed, queued, page_limit }: Pick<JobRow, "claimed" | "queued" | "page_limit">): number =>
  Math.max(0, Math.min(queued, page_limit - claimed))

/**
 * Status in which a job ends when nothing is left to do; undefined before that. A crawl without a single successful page has failed. A batch
 * has completed even if all its pages failed.
 */
export const outcomeOf = (job: JobRow): Status | undefined => {
  if (job.status !== "scraping" || job.seeded === 0 || job.active > 0 || claimable(job) > 0) return undefined
  return job.kind === "crawl" && job.completed === 0 ? "failed" : "completed"
}
