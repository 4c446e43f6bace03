/** Client for applications that do not use Effect: Promises, AsyncIterables and error classes. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { BatchRequest, BatchRequestV1 } from "./Api/BatchScrape.ts"
import type { CrawlRequest, CrawlRequestV1 } from "./Api/Crawl.ts"
import type { ScrapeRequest, ScrapeRequestV1 } from "./Api/Scrape.ts"
import { ActiveCrawls } from "./Client/ActiveCrawls.ts"
import { BatchScrape } from "./Client/BatchScrape.ts"
import { Browser } from "./Client/Browser.ts"
import type { Keyed, PaidCall } from "./Client/Calls.ts"
import type { InvalidBaseUrl } from "./Client/ClientErrors.ts"
import * as Connection from "./Client/Connection.ts"
import { Crawl } from "./Client/Crawl.ts"
import { CrawlPreview } from "./Client/CrawlPreview.ts"
import type { operations, PageOptions, StartOptions } from "./Client/JobCalls.ts"
import type { JobReadOptions } from "./Client/JobStream.ts"
import { SiteMap } from "./Client/Map.ts"
import { Parse } from "./Client/Parse.ts"
import * as Retry from "./Client/Retry.ts"
import { Scrape } from "./Client/Scrape.ts"
import { Search } from "./Client/Search.ts"
import { TokenUsage } from "./Client/TokenUsage.ts"
import * as Client from "./Client.ts"
import * as Engine from "./LocalEngine.ts"
import type { AnyVersion, ClientOptions, EngineOptions, SluiceClient } from "./promise/Client.ts"
import { type CallOptions, requireKnown, runner, runtimeOf } from "./promise/Runner.ts"

export type { Document } from "./Api/Document.ts"
export {
  CircuitOpen,
  ClientClosed,
  Conflict,
  CrossOrigin,
  Forbidden,
  Gone,
  InsufficientStorage,
  InvalidBaseUrl,
  InvalidRequest,
  JobExpired,
  JobFailed,
  JobNotFound,
  NetworkError,
  NotFound,
  NotImplemented,
  PaymentRequired,
  RateLimited,
  Refused,
  ServiceError,
  TargetDnsError,
  TargetNetworkError,
  TargetTlsError,
  Timeout,
  TooLarge,
  Unauthorized,
  UnexpectedResponse,
  Unprocessable,
  UnsupportedFile
} from "./Client/ClientErrors.ts"
export type { JobPage } from "./Client/JobStream.ts"
export type { ParseInput } from "./Client/Parse.ts"
export { LedgerError, Locked } from "./Ledger/LedgerErrors.ts"
export { DefinitionInvalid, Unable } from "./Pipeline/Issue.ts"
export type { PlainDefinition as Definition, TypedDefinition } from "./Pipeline/TypedDefinition.ts"
export type { ClientOptions, EngineOptions, SluiceClient } from "./promise/Client.ts"
export {
  createPipeline,
  definePipeline,
  type PipelineOptions,
  type RunEvent,
  type RunnablePipeline,
  type RunOptions
} from "./promise/Pipeline.ts"
export type { CallOptions } from "./promise/Runner.ts"
export { type Progress, RunDiffers, RunFailed, RunUnknown, StepError, type Summary } from "./Run.ts"
export * as SinkErrors from "./Sink/SinkErrors.ts"

const clientOptions = {
  baseUrl: true,
  apiKey: true,
  timeout: true,
  retries: true,
  engine: true
} satisfies Record<keyof ClientOptions, true>

const engineOptions = {
  dataDir: true,
  host: true,
  port: true,
  allowNetworks: true,
  allowOrigins: true,
  keys: true,
  model: true,
  proxies: true,
  searchProviders: true,
  chromium: true,
  chromiumSandbox: true,
  browserSessions: true,
  browserSessionsPerKey: true,
  allowExecute: true,
  workers: true,
  perHost: true,
  retention: true,
  webhookSecret: true,
  rateLimit: true,
  quota: true,
  weights: true,
  parsesFiles: true,
  copyBytes: true,
  jobBytes: true,
  teamBytes: true,
  metricsKey: true,
  timeout: true
} satisfies Record<keyof EngineOptions, true>

type JobService = ReturnType<typeof operations>

const versioned = <Request, RequestV1, Response>(
  call: PaidCall<Request, RequestV1, Response>,
  request: Request | RequestV1,
  { idempotencyKey, version }: AnyVersion & Keyed = {}
) =>
  version === "v1"
    ? call(request as RequestV1, { version, idempotencyKey })
    : call(request as Request, { idempotencyKey })

const policy = ({ retries }: ClientOptions): Retry.Policy =>
  retries === false ? Retry.never : retries === undefined ? Retry.standard : Retry.limited(retries)

const redacted = (text: string | undefined) => (text === undefined ? undefined : Redacted.make(text))

/** Connects to the service at the base URL, or else to the local engine. */
const serviceOf = ({
  apiKey,
  baseUrl,
  engine = {},
  timeout
}: ClientOptions): Layer.Layer<Client.Client, InvalidBaseUrl | Engine.EngineError> => {
  if (baseUrl !== undefined) {
    return Layer.provide(Client.layer, Connection.layer({ baseUrl, timeout, apiKey: redacted(apiKey) }))
  }
  const { keys, metricsKey, model, proxies, searchProviders, webhookSecret, ...options } = engine
  return Engine.layer({
    ...options,
    keys: redacted(keys),
    metricsKey: redacted(metricsKey),
    model: model && { ...model, key: redacted(model.key) },
    proxies: redacted(proxies),
    searchProviders: redacted(searchProviders),
    webhookSecret: redacted(webhookSecret),
    timeout
  })
}

/**
 * Client of the service at `baseUrl`, or without one of the local engine, which then runs in this process: no server, port or key. The
 * first call rejects with `InvalidBaseUrl` if the base URL is not usable, and with `StoreError`, `KeysError`, `ListenError` or
 * `OptionError` (by `_tag`) if the engine cannot start.
 *
 * ```ts
 * const client = createClient()
 * const { data } = await client.scrape({ url: "https://example.com", formats: ["markdown"] })
 * await client.close()
 * ```
 *
 * ```ts
 * const client = createClient({ baseUrl: "https://api.example.com", apiKey: process.env.SLUICE_API_KEY })
 * const { id } = await client.crawl.start({ url: "https://docs.example.com", limit: 50 })
 * for await (const page of client.crawl.stream(id)) console.log(page.metadata?.sourceURL)
 * await client.close()
 * ```
 */
export const createClient = (options: ClientOptions = {}): SluiceClient => {
  requireKnown("createClient", options, clientOptions)
  requireKnown("engine of createClient", options.engine ?? {}, engineOptions)
  const runtime = runtimeOf(Layer.provide(serviceOf(options), Layer.succeed(Retry.RetryPolicy, policy(options))))
  let isClosed = false
  const run = runner(runtime, () => isClosed)
  const use =
    <I extends Client.Client, S>(service: Context.Tag<I, S>) =>
    <A, E>(method: (service: S) => Effect.Effect<A, E>, options?: CallOptions): Promise<A> =>
      run.call(Effect.flatMap(service, method), options)

  const jobs = <I extends Client.Client, S extends JobService>(service: Context.Tag<I, S>) => {
    const call = use(service)
    const iterate = <A>(documents: (service: S) => Stream.Stream<A, unknown>, options?: CallOptions) =>
      run.iterate(Stream.unwrap(Effect.map(service, documents)), options)
    return {
      status: (id: string, options?: CallOptions & PageOptions) => call((job) => job.status(id, options), options),
      cancel: (id: string, options?: AnyVersion) => call((job) => job.cancel(id, options), options),
      errors: (id: string, options?: AnyVersion) => call((job) => job.errors(id, options), options),
      stream: (id: string, options?: CallOptions & JobReadOptions) =>
        iterate((job) => job.stream(id, options), options),
      pages: (id: string, options?: CallOptions & JobReadOptions) => iterate((job) => job.pages(id, options), options)
    }
  }
  const [crawl, batch, scrape, browser, usage] = [
    use(Crawl),
    use(BatchScrape),
    use(Scrape),
    use(Browser),
    use(TokenUsage)
  ]

  return {
    scrape: (request: ScrapeRequest | ScrapeRequestV1, options?: AnyVersion & Keyed) =>
      scrape((_) => versioned(_.run, request, options), options),
    search: (request, options) => use(Search)((_) => _.run(request, options), options),
    map: (request, options) => use(SiteMap)((_) => _.run(request, options), options),
    parse: (input, request, options) => use(Parse)((_) => _.parse(input, request, options), options),
    crawlPreview: (request, options) => use(CrawlPreview)((_) => _.run(request), options),
    activeCrawls: (options) => use(ActiveCrawls)((_) => _.list(options), options),
    crawl: {
      ...jobs(Crawl),
      start: (request: CrawlRequest | CrawlRequestV1, options?: AnyVersion & StartOptions) =>
        crawl((_) => versioned(_.start, request, options), options)
    },
    batchScrape: {
      ...jobs(BatchScrape),
      start: (request: BatchRequest | BatchRequestV1, options?: AnyVersion & StartOptions) =>
        batch((_) => versioned(_.start, request, options), options)
    },
    browser: {
      create: (request, options) => browser((_) => _.create(request), options),
      list: (options) =>
        browser((_) => _.list(options?.status === undefined ? {} : { status: options.status }), options),
      delete: (id, options) => browser((_) => _.delete(id), options),
      execute: (id, request, options) => browser((_) => _.execute(id, request), options)
    },
    usage: {
      historical: (options) => usage((_) => _.historical(options), options),
      historicalCredits: (options) => usage((_) => _.historicalCredits(options), options),
      balance: (options) => usage((_) => _.balance(options), options),
      credits: (options) => usage((_) => _.credits(options), options),
      concurrency: (options) => usage((_) => _.concurrency(), options),
      queueStatus: (options) => usage((_) => _.queueStatus(), options)
    },
    close: () => {
      isClosed = true
      return runtime.dispose()
    }
  }
}
