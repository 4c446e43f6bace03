/** Types of the promise-based client, for applications that do not use Effect. */
import type { ActiveCrawls as ActiveCrawlList } from "../Api/ActiveCrawls.ts"
import type { BatchRequest, BatchRequestV1 } from "../Api/BatchScrape.ts"
import type { CreateSession, Deleted, Execute, Executed, ListQuery, Session, Sessions } from "../Api/Browser.ts"
import type { CrawlRequest, CrawlRequestV1 } from "../Api/Crawl.ts"
import type { PreviewRequest, PreviewResponse } from "../Api/CrawlPreview.ts"
import type { Document } from "../Api/Document.ts"
import type { JobCancelled, JobErrors, JobStarted, JobStatus } from "../Api/JobStatus.ts"
import type { MapRequest, MapResponse } from "../Api/Map.ts"
import type { Parsed, ParseOptions } from "../Api/Parse.ts"
import type { Scraped, ScrapeRequest, ScrapeRequestV1 } from "../Api/Scrape.ts"
import type { SearchRequest, SearchResponse } from "../Api/Search.ts"
import type {
  Concurrency,
  CreditBalance,
  HistoricalCredits,
  HistoricalUsage,
  QueueStatus,
  TokenBalance
} from "../Api/TokenUsage.ts"
import type { Keyed, Versioned } from "../Client/Calls.ts"
import type { PageOptions, StartOptions } from "../Client/JobCalls.ts"
import type { JobPage, JobStreamOptions } from "../Client/JobStream.ts"
import type { ParseInput } from "../Client/Parse.ts"
import type { UsageOptions } from "../Client/TokenUsage.ts"
import type { CallOptions } from "./Runner.ts"

/** Connection options of the client. */
export interface ClientOptions {
  /** Like `https://api.example.com`, without `/v1` or `/v2`. */
  readonly baseUrl: string
  /** The team's key; sent to the origin of `baseUrl` only, and never part of an error. */
  readonly apiKey?: string | undefined
  /** Milliseconds to wait for one whole answer; default 360,000. */
  readonly timeout?: number | undefined
  /**
   * Retries of a call that may safely be made again, or false for none. Without it five, and a service that has answered
   * before and is out of reach is waited for up to five minutes.
   */
  readonly retries?: number | false | undefined
}

/** v2, which is what is meant where nothing is said. */
type V2 = CallOptions & { readonly version?: "v2" | undefined }
type V1 = CallOptions & { readonly version: "v1" }
export type AnyVersion = CallOptions & Versioned

/** Batch or crawl jobs. Ids are UUIDs; wrong ones reject with `InvalidRequest` before anything is sent. */
interface Jobs<Request, RequestV1> {
  /**
   * Starts a job. With an `idempotencyKey` a start that failed on the way is made again without a second job.
   * Rejects with `InvalidRequest`, `PaymentRequired`, `RateLimited`, `Conflict`.
   */
  readonly start: {
    (request: Request, options?: V2 & StartOptions): Promise<JobStarted>
    (request: RequestV1, options: V1 & StartOptions): Promise<JobStarted>
  }
  /** One page of the status: `{status, total, completed, creditsUsed, expiresAt, next, data}`. */
  readonly status: (id: string, options?: CallOptions & PageOptions) => Promise<JobStatus>
  /** Stops the job; rejects with `Conflict` when it has ended. */
  readonly cancel: (id: string, options?: AnyVersion) => Promise<typeof JobCancelled.Type>
  /** The pages that failed: `{errors: [{id, timestamp, url, code, error}], robotsBlocked: [url]}`. */
  readonly errors: (id: string, options?: AnyVersion) => Promise<JobErrors>
  /**
   * The documents of the job while it runs and until it has ended: each once, in order, in memory for one page.
   * Throws `JobFailed` after the last document of a job that failed or was cancelled (`onFailure: "end"` just ends),
   * `JobNotFound`, `JobExpired`, `CrossOrigin`.
   */
  readonly stream: (id: string, options?: CallOptions & JobStreamOptions) => AsyncIterable<Document>
  /** As `stream`, one element `{documents, position, next, status, total, completed, creditsUsed}` for each answer. */
  readonly pages: (id: string, options?: CallOptions & JobStreamOptions) => AsyncIterable<JobPage>
}

/** Remote browser sessions. Times are in seconds. */
interface BrowserSessions {
  /** `ttl` 30 to 3600 (600), `activityTtl` 10 to 3600 (300). Rejects with `Conflict` when the profile has a saver already. */
  readonly create: (request?: CreateSession, options?: CallOptions) => Promise<Session>
  /** The open sessions; with `status: "destroyed"` those that ended a short while ago. */
  readonly list: (options?: CallOptions & ListQuery) => Promise<typeof Sessions.Type>
  readonly delete: (id: string, options?: CallOptions) => Promise<typeof Deleted.Type>
  /** Code that fails is an answer with `error`; a session that has ended rejects with `Gone`. */
  readonly execute: (id: string, request: Execute, options?: CallOptions) => Promise<typeof Executed.Type>
}

/** Usage and remaining credits of the team. One credit is 15 tokens; months are UTC. */
interface Usage {
  readonly historical: (options?: CallOptions & UsageOptions) => Promise<typeof HistoricalUsage.Type>
  readonly historicalCredits: (
    options?: CallOptions & { readonly byApiKey?: boolean }
  ) => Promise<typeof HistoricalCredits.Type>
  readonly balance: (options?: AnyVersion) => Promise<typeof TokenBalance.Type>
  readonly credits: (options?: AnyVersion) => Promise<typeof CreditBalance.Type>
  readonly concurrency: (options?: CallOptions) => Promise<typeof Concurrency.Type>
  readonly queueStatus: (options?: CallOptions) => Promise<typeof QueueStatus.Type>
}

/**
 * The service by Promises. Every call rejects with one of the error classes of this module. A call that is paid takes an
 * `idempotencyKey`: repeated with the same key and request it gives the first answer and costs nothing more, so the client
 * repeats it by itself when it failed on the way.
 */
export interface SluiceClient {
  /** One page as a document; a page that itself answers 404 resolves, see `data.metadata.statusCode`. */
  readonly scrape: {
    (request: ScrapeRequest, options?: V2 & Keyed): Promise<typeof Scraped.Type>
    (request: ScrapeRequestV1, options: V1 & Keyed): Promise<typeof Scraped.Type>
  }
  /** Results by source, `{data: {web?, images?, news?}}`; `query` has at most 500 characters, `limit` is 1 to 100. */
  readonly search: (request: SearchRequest, options?: CallOptions & Keyed) => Promise<SearchResponse>
  /** The URLs of a site. */
  readonly map: (request: MapRequest, options?: AnyVersion & Keyed) => Promise<MapResponse>
  /**
   * A file as a document: a path, or bytes with a name. Over 50 MB rejects with `TooLarge`, an unknown extension
   * with `UnsupportedFile`, both before anything is sent.
   */
  readonly parse: (
    input: ParseInput,
    request?: ParseOptions,
    options?: CallOptions & Keyed
  ) => Promise<typeof Parsed.Type>
  /** Crawl parameters from a prompt of at most 10,000 characters. */
  readonly crawlPreview: (request: PreviewRequest, options?: CallOptions) => Promise<typeof PreviewResponse.Type>
  /** The crawls that are running now. */
  readonly activeCrawls: (options?: AnyVersion) => Promise<typeof ActiveCrawlList.Type>
  /** A site as one job. */
  readonly crawl: Jobs<CrawlRequest, CrawlRequestV1>
  /** Many pages as one job. */
  readonly batchScrape: Jobs<BatchRequest, BatchRequestV1>
  readonly browser: BrowserSessions
  readonly usage: Usage
  /** Closes the connections; calls still running are ended. */
  readonly close: () => Promise<void>
}
