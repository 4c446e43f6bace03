/** Types of the client for applications that do not use Effect. */
import type { ListQuery } from "../Api/BrowserSession.ts"
import type { Keyed, Versioned } from "../Client/Calls.ts"
import type { PageOptions, StartOptions } from "../Client/JobCalls.ts"
import type { JobPage, JobReadOptions } from "../Client/JobStream.ts"
import type { ParseInput } from "../Client/Parse.ts"
import type { UsageOptions } from "../Client/TokenUsage.ts"
import type {
  ActiveCrawls,
  BatchRequest,
  BatchRequestV1,
  BrowserExecute,
  BrowserExecuted,
  BrowserSession,
  BrowserSessions,
  Concurrency,
  CrawlPreview,
  CrawlPreviewRequest,
  CrawlRequest,
  CrawlRequestV1,
  CreateBrowserSession,
  CreditBalance,
  Deleted,
  Document,
  HistoricalCredits,
  HistoricalUsage,
  JobCancelled,
  JobErrors,
  JobStarted,
  JobStatus,
  MapRequest,
  MapResponse,
  Parsed,
  ParseOptions,
  QueueStatus,
  Scraped,
  ScrapeRequest,
  ScrapeRequestV1,
  SearchRequest,
  SearchResponse,
  TokenBalance
} from "../Generated/Api.ts"
import type * as Engine from "../LocalEngine.ts"
import type { CallOptions } from "./Runner.ts"

/** Options of the engine that a client without `baseUrl` starts. Secrets are plain strings here. */
export interface EngineOptions
  extends Omit<Engine.Options, "keys" | "metricsKey" | "model" | "proxies" | "searchProviders" | "webhookSecret"> {
  /**
   * API keys for other programs, if the engine has a `port`: `name:fc-<32 hex>,…`. Default: a key that it generates and stores in
   * `dataDir`.
   */
  readonly keys?: string | undefined
  /** Key of `/metrics`, if the engine has a `port`. Default: any of its API keys. */
  readonly metricsKey?: string | undefined
  /** Language model for the format `json`, at an address that supports the chat completions API. Default: none. */
  readonly model?: { readonly url: string; readonly name: string; readonly key?: string | undefined } | undefined
  /** Proxies for fetching pages: `url,name=url,…`. Default: none. */
  readonly proxies?: string | undefined
  /** Search providers in the order to try them: `brave=KEY,local`. Default: `local`. */
  readonly searchProviders?: string | undefined
  /** Signs webhook deliveries that have no secret of their own. */
  readonly webhookSecret?: string | undefined
}

/** Options of the client. */
export interface ClientOptions {
  /**
   * Address of a service, for example `https://api.example.com`, without `/v1` or `/v2`. Default: none; the first call then starts the
   * local engine in this process, and `close` stops it.
   */
  readonly baseUrl?: string | undefined
  /** Options of the local engine. Ignored if there is a `baseUrl`. */
  readonly engine?: EngineOptions | undefined
  /** API key of the team, for a service at `baseUrl`. It is sent only to the origin of `baseUrl`, and errors never contain it. */
  readonly apiKey?: string | undefined
  /** Maximum time until a response is complete, in milliseconds. Default: 360,000. */
  readonly timeout?: number | undefined
  /**
   * Number of retries of a call that is safe to repeat, or false for none. Default: five; if a service that has answered before becomes
   * unreachable, calls also wait for it, up to five minutes.
   */
  readonly retries?: number | false | undefined
}

/** Options of a call to version 2 of the API, which is the default. */
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
  /** Stops the job. Its results stay. Rejects with `Conflict` if the job has ended. */
  readonly cancel: (id: string, options?: AnyVersion) => Promise<JobCancelled>
  /** Pages that failed, and URLs that robots.txt disallows: `{errors: [{id, timestamp, url, code, error}], robotsBlocked: [url]}`. */
  readonly errors: (id: string, options?: AnyVersion) => Promise<JobErrors>
  /**
   * Documents of the job while it runs, until it has ended: each once, in order, with only one page of them in memory. Throws `JobFailed`
   * after the last document of a job that failed or was cancelled (not with `onFailure: "end"`), `JobNotFound`, `JobExpired` and
   * `CrossOrigin`.
   */
  readonly stream: (id: string, options?: CallOptions & JobReadOptions) => AsyncIterable<Document>
  /** Like `stream`, with one element `{documents, position, next, status, total, completed, creditsUsed}` per response. Pass `next` as `from` to resume. */
  readonly pages: (id: string, options?: CallOptions & JobReadOptions) => AsyncIterable<JobPage>
}

/** Remote browser sessions. Times are in seconds. */
interface BrowserCalls {
  /**
   * Opens a session. `ttl` is 30 to 3600 (default 600), `activityTtl` 10 to 3600 (default 300). Rejects with `Conflict` if another session
   * saves the same profile.
   */
  readonly create: (request?: CreateBrowserSession, options?: CallOptions) => Promise<BrowserSession>
  /** Open sessions, or with `status: "destroyed"` those that ended in the last half hour. */
  readonly list: (options?: CallOptions & ListQuery) => Promise<BrowserSessions>
  /** Ends a session and saves its profile. Rejects with `Gone` if it has already ended. */
  readonly delete: (id: string, options?: CallOptions) => Promise<Deleted>
  /**
   * Runs code for at most `timeout` seconds (1 to 300, default 30). Code that fails resolves with `error`. Rejects with `Gone` if the
   * session has ended.
   */
  readonly execute: (id: string, request: BrowserExecute, options?: CallOptions) => Promise<BrowserExecuted>
}

/** Usage and remaining credits of the team. One credit is 15 tokens; months are UTC. */
interface Usage {
  /** Tokens per month: `{periods: [{startDate, endDate, totalTokens, apiKey}]}`, oldest first. */
  readonly historical: (options?: CallOptions & UsageOptions) => Promise<HistoricalUsage>
  /** Like `historical`, but in credits. */
  readonly historicalCredits: (options?: CallOptions & { readonly byApiKey?: boolean }) => Promise<HistoricalCredits>
  /** Remaining tokens: `{data: {remainingTokens, planTokens, …}}`. */
  readonly balance: (options?: AnyVersion) => Promise<TokenBalance>
  /** Remaining credits: `{data: {remainingCredits, planCredits, …}}`. */
  readonly credits: (options?: AnyVersion) => Promise<CreditBalance>
  /** Number of running requests, and its limit. */
  readonly concurrency: (options?: CallOptions) => Promise<Concurrency>
  /** Number of waiting and running jobs. */
  readonly queueStatus: (options?: CallOptions) => Promise<QueueStatus>
}

/**
 * Client of a service, with Promises. Every call rejects with one of the error classes of this module. A paid call takes an
 * `idempotencyKey`: repeated with the same key and request, it returns the first response at no extra cost. With a key, the client itself
 * retries the call after a broken connection or a 5xx.
 */
export interface SluiceClient {
  /** Scrapes one page. A page whose site answers 404 still resolves: see `data.metadata.statusCode`. */
  readonly scrape: {
    (request: ScrapeRequest, options?: V2 & Keyed): Promise<Scraped>
    (request: ScrapeRequestV1, options: V1 & Keyed): Promise<Scraped>
  }
  /** Results by source, `{data: {web?, images?, news?}}`. `query` has at most 500 characters, `limit` is 1 to 100 (default 10). */
  readonly search: (request: SearchRequest, options?: CallOptions & Keyed) => Promise<SearchResponse>
  /** The URLs of a site. */
  readonly map: (request: MapRequest, options?: AnyVersion & Keyed) => Promise<MapResponse>
  /**
   * Parses a file, given as a path or as bytes with a name. Rejects with `TooLarge` over 50 MB, or with `UnsupportedFile` for an unknown
   * extension, both before anything is sent.
   */
  readonly parse: (input: ParseInput, request?: ParseOptions, options?: CallOptions & Keyed) => Promise<Parsed>
  /** Derives crawl parameters from a prompt of at most 10,000 characters. */
  readonly crawlPreview: (request: CrawlPreviewRequest, options?: CallOptions) => Promise<CrawlPreview>
  /** Running crawls of the team. */
  readonly activeCrawls: (options?: AnyVersion) => Promise<ActiveCrawls>
  /** Crawls of sites. */
  readonly crawl: Jobs<CrawlRequest, CrawlRequestV1>
  /** Batches of pages. */
  readonly batchScrape: Jobs<BatchRequest, BatchRequestV1>
  /** Remote browser sessions. */
  readonly browser: BrowserCalls
  /** Usage and remaining credits of the team. */
  readonly usage: Usage
  /** Closes the connections, interrupts running calls, and stops the engine if the client started one. */
  readonly close: () => Promise<void>
}
