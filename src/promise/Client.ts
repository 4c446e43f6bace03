/** Types of the client for applications that do not use Effect. */
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
  /** API key of the team. It is sent to the origin of `baseUrl` only, and errors never contain it. */
  readonly apiKey?: string | undefined
  /** Maximum time until one answer is complete, in milliseconds. Default: 360,000. */
  readonly timeout?: number | undefined
  /**
   * Number of retries of a call that is safe to repeat, or false for none. Default: five, and a service that has answered before is waited for
   * up to five minutes while it is unreachable.
   */
  readonly retries?: number | false | undefined
}

/** Options of a v2 call, the default. */
type V2 = CallOptions & { readonly version?: "v2" | undefined }
type V1 = CallOptions & { readonly version: "v1" }
export type AnyVersion = CallOptions & Versioned

/** Batch or crawl jobs. Ids are UUIDs; any other string rejects with `InvalidRequest` before anything is sent. */
interface Jobs<Request, RequestV1> {
  /**
   * Starts a job. With an `idempotencyKey` a start that failed with a broken connection is repeated without starting a second job.
   * Rejects with `InvalidRequest`, `PaymentRequired`, `RateLimited`, `Conflict`.
   */
  readonly start: {
    (request: Request, options?: V2 & StartOptions): Promise<JobStarted>
    (request: RequestV1, options: V1 & StartOptions): Promise<JobStarted>
  }
  /** One page of the status: `{status, total, completed, creditsUsed, expiresAt, next, data}`. */
  readonly status: (id: string, options?: CallOptions & PageOptions) => Promise<JobStatus>
  /** Stops the job. Its results stay. Rejects with `Conflict` when it has ended. */
  readonly cancel: (id: string, options?: AnyVersion) => Promise<typeof JobCancelled.Type>
  /** The pages that failed, and URLs that robots.txt disallows: `{errors: [{id, timestamp, url, code, error}], robotsBlocked: [url]}`. */
  readonly errors: (id: string, options?: AnyVersion) => Promise<JobErrors>
  /**
   * The documents of the job, while it runs and until it has ended: each once, in order, with one page in memory.
   * Throws `JobFailed` after the last document of a job that failed or was cancelled (not with `onFailure: "end"`),
   * `JobNotFound`, `JobExpired` and `CrossOrigin`.
   */
  readonly stream: (id: string, options?: CallOptions & JobStreamOptions) => AsyncIterable<Document>
  /** Like `stream`, with one element `{documents, position, next, status, total, completed, creditsUsed}` per response. Pass `next` as `from` to resume. */
  readonly pages: (id: string, options?: CallOptions & JobStreamOptions) => AsyncIterable<JobPage>
}

/** Remote browser sessions. Times are in seconds. */
interface BrowserSessions {
  /** Opens a session. `ttl` is 30 to 3600 (default 600), `activityTtl` 10 to 3600 (default 300). Rejects with `Conflict` when another session saves the same profile. */
  readonly create: (request?: CreateSession, options?: CallOptions) => Promise<Session>
  /** The open sessions; with `status: "destroyed"` those that ended in the last half hour. */
  readonly list: (options?: CallOptions & ListQuery) => Promise<typeof Sessions.Type>
  /** Ends a session, and saves its profile. Rejects with `Gone` when it has ended before. */
  readonly delete: (id: string, options?: CallOptions) => Promise<typeof Deleted.Type>
  /** Runs code, for at most `timeout` seconds (1 to 300, default 30). Failing code resolves with `error`. Rejects with `Gone` when the session has ended. */
  readonly execute: (id: string, request: Execute, options?: CallOptions) => Promise<typeof Executed.Type>
}

/** Usage and remaining credits of the team. One credit is 15 tokens; months are UTC. */
interface Usage {
  /** Tokens per month: `{periods: [{startDate, endDate, totalTokens, apiKey}]}`, oldest first. */
  readonly historical: (options?: CallOptions & UsageOptions) => Promise<typeof HistoricalUsage.Type>
  /** Like `historical`, in credits. */
  readonly historicalCredits: (
    options?: CallOptions & { readonly byApiKey?: boolean }
  ) => Promise<typeof HistoricalCredits.Type>
  /** Remaining tokens: `{data: {remainingTokens, planTokens, …}}`. */
  readonly balance: (options?: AnyVersion) => Promise<typeof TokenBalance.Type>
  /** Remaining credits: `{data: {remainingCredits, planCredits, …}}`. */
  readonly credits: (options?: AnyVersion) => Promise<typeof CreditBalance.Type>
  /** Number of running requests, and its limit. */
  readonly concurrency: (options?: CallOptions) => Promise<typeof Concurrency.Type>
  /** Number of waiting and running jobs. */
  readonly queueStatus: (options?: CallOptions) => Promise<typeof QueueStatus.Type>
}

/**
 * Client of a service, with Promises. Every call rejects with one of the error classes of this module. A paid call takes an
 * `idempotencyKey`: repeated with the same key and request, it returns the first answer and costs nothing more. With a key the client
 * repeats the call itself after a broken connection or a 5xx.
 */
export interface SluiceClient {
  /** One page as a document. A page that answers 404 itself resolves: see `data.metadata.statusCode`. */
  readonly scrape: {
    (request: ScrapeRequest, options?: V2 & Keyed): Promise<typeof Scraped.Type>
    (request: ScrapeRequestV1, options: V1 & Keyed): Promise<typeof Scraped.Type>
  }
  /** Results by source, `{data: {web?, images?, news?}}`. `query` has at most 500 characters, `limit` is 1 to 100 (default 10). */
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
  /** Running crawls of the team. */
  readonly activeCrawls: (options?: AnyVersion) => Promise<typeof ActiveCrawlList.Type>
  /** Crawls of sites. */
  readonly crawl: Jobs<CrawlRequest, CrawlRequestV1>
  /** Batches of pages. */
  readonly batchScrape: Jobs<BatchRequest, BatchRequestV1>
  readonly browser: BrowserSessions
  readonly usage: Usage
  /** Closes the connections and interrupts running calls. */
  readonly close: () => Promise<void>
}
