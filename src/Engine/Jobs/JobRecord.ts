/** Job: its request and its progress. */
import type { Settled } from "../../Api/Field.ts"
import type { leftOut, Status } from "../../Api/JobStatus.ts"
import type * as ScrapeOptions from "../../Api/ScrapeOptions.ts"
import { formatsPrice, prices } from "../Usage/Usage.ts"
import type { Params } from "./LinkRule.ts"

export type Kind = "batch" | "crawl"
export type LeftOut = (typeof leftOut)[number]
export type Version = 1 | 2

/** What was asked, as it is stored. */
export interface Spec {
  readonly options: Settled<typeof ScrapeOptions.fields>
  readonly maxConcurrency?: number | undefined
  /** A crawl's; a batch has none. */
  readonly params?: Params | undefined
  /** Why the crawl has left out pages that it knows of. The limit is not stored where the queue already shows it. */
  readonly leftOut?: ReadonlyArray<LeftOut> | undefined
  /** Where the start of a crawl led to, when it is another address. */
  readonly landed?: string | undefined
  /** The `traceparent` of the request that started it, where somebody looks at spans: its pages are in that trace. */
  readonly trace?: string | undefined
}

/** A row of `jobs`; the names are the columns'. */
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
  /** Why it has failed, for programs; null where there is no code for it. */
  readonly code: string | null
  readonly page_limit: number
  /** Known and not yet claimed; may be more than the limit leaves. */
  readonly queued: number
  /** Claimed and without a result. */
  readonly active: number
  /** Those that count against the limit: active and finished. */
  readonly claimed: number
  /** Documents, failed pages included: the next position. */
  readonly results: number
  /** Pages that succeeded. */
  readonly completed: number
  readonly blocked: number
  readonly bytes: number
  readonly credits: number
  readonly created_at: number
  readonly updated_at: number
  readonly finished_at: number | null
  /** 0; 3 when its team has removed it, 2 while what it has is removed, 1 when that is gone. */
  readonly purged: number
}

/** What a page of this kind is booked as. */
export const endpointOf = (kind: Kind) => (kind === "crawl" ? "crawlPage" : "batchPage")
export const priceOf = (kind: Kind): number => prices[endpointOf(kind)]
/** Credits of a page with all that its formats may cost. */
export const mostPerPage = (kind: Kind, { options }: Pick<Spec, "options">): number =>
  priceOf(kind) + formatsPrice(options.formats)

/** The store is ours: what it holds was written by {@link writeSpec}. */
export const readSpec = ({ spec }: Pick<JobRow, "spec">): Spec => JSON.parse(spec)
export const writeSpec = (spec: Partial<Spec>): string => JSON.stringify(spec)

/** The spec with one more reason. */
export const leavingOut = (spec: Spec, reasons: Iterable<LeftOut>): Spec => {
  const all = [...new Set([...(spec.leftOut ?? []), ...reasons])]
  return all.length === 0 ? spec : { ...spec, leftOut: all }
}

/**
 * Why a crawl that has ended lacks pages that it would have had otherwise. Undefined for one that this cannot be said of: it
 * runs still, or did not come to its own end.
 */
export const leftOutOf = (job: JobRow): ReadonlyArray<LeftOut> | undefined => {
  if (job.kind !== "crawl" || job.status !== "completed") return undefined
  return leavingOut(readSpec(job), job.queued > 0 ? ["limit"] : []).leftOut ?? []
}

/** Pages attempted or still to be attempted within the limit. */
export const totalOf = ({ claimed, queued, page_limit }: Pick<JobRow, "claimed" | "queued" | "page_limit">): number =>
  claimed + Math.max(0, Math.min(queued, page_limit - claimed))

/** How many of the queued pages may still be claimed. */
export const claimable = ({ claimed, queued, page_limit }: Pick<JobRow, "claimed" | "queued" | "page_limit">): number =>
  Math.max(0, Math.min(queued, page_limit - claimed))

/**
 * The status in which a job ends once nothing is left to do; undefined while there is. A crawl that got nothing at all
 * has failed; a batch has done what it was told, whatever the pages answered.
 */
export const outcomeOf = (job: JobRow): Status | undefined => {
  if (job.status !== "scraping" || job.seeded === 0 || job.active > 0 || claimable(job) > 0) return undefined
  return job.kind === "crawl" && job.completed === 0 ? "failed" : "completed"
}
