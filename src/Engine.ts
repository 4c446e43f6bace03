/** The engine: serves the whole API from one process and one data folder, by default on loopback. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Api } from "./Api.ts"
import { nextTurn } from "./Callback/EventLoop.ts"
import { reportTo } from "./Callback.ts"
import * as Cdp from "./Engine/Browser/Cdp.ts"
import * as Execute from "./Engine/Browser/Execute.ts"
import * as View from "./Engine/Browser/LiveView.ts"
import * as Profiles from "./Engine/Browser/Profiles.ts"
import * as ScrapeProfiles from "./Engine/Browser/ScrapeProfiles.ts"
import * as SessionQuota from "./Engine/Browser/SessionQuota.ts"
import * as Sessions from "./Engine/Browser/Sessions.ts"
import { type Engine, type EngineError, OptionError, type Options } from "./Engine/EngineOptions.ts"
import * as DnsResolver from "./Engine/Fetch/DnsResolver.ts"
import * as Hosts from "./Engine/Fetch/FairScheduler.ts"
import * as Fetch from "./Engine/Fetch/Fetch.ts"
import * as HostTurns from "./Engine/Fetch/HostTurns.ts"
import * as Logins from "./Engine/Fetch/Logins.ts"
import * as Proxies from "./Engine/Fetch/Proxies.ts"
import * as Robots from "./Engine/Fetch/Robots.ts"
import * as ActiveCrawls from "./Engine/Handlers/ActiveHandlers.ts"
import * as BatchScrape from "./Engine/Handlers/BatchHandlers.ts"
import * as Browser from "./Engine/Handlers/BrowserHandlers.ts"
import * as Crawl from "./Engine/Handlers/CrawlHandlers.ts"
import * as SiteMap from "./Engine/Handlers/MapHandlers.ts"
import * as Gauges from "./Engine/Handlers/MetricsEndpoint.ts"
import * as ParseHandlers from "./Engine/Handlers/ParseHandlers.ts"
import * as PreviewHandlers from "./Engine/Handlers/PreviewHandlers.ts"
import * as Scrape from "./Engine/Handlers/ScrapeHandlers.ts"
import * as Search from "./Engine/Handlers/SearchHandlers.ts"
import * as TokenUsage from "./Engine/Handlers/UsageHandlers.ts"
import * as Watch from "./Engine/Handlers/WatchSocket.ts"
import * as Docs from "./Engine/Http/Docs.ts"
import * as RateLimits from "./Engine/Http/RateLimits.ts"
import * as Requests from "./Engine/Http/Requests.ts"
import * as Server from "./Engine/Http/Server.ts"
import { inOrder } from "./Engine/InOrder.ts"
import { ChangeSignal } from "./Engine/Jobs/ChangeSignal.ts"
import * as JobServices from "./Engine/Jobs/JobServices.ts"
import * as Webhook from "./Engine/Jobs/Webhook.ts"
import * as ZeroRetention from "./Engine/Jobs/ZeroRetention.ts"
import * as Model from "./Engine/Model/Model.ts"
import * as PageCache from "./Engine/PageCache/PageCache.ts"
import * as PageVersions from "./Engine/PageCache/PageVersions.ts"
import * as Parser from "./Engine/Parse/Parser.ts"
import * as Renderer from "./Engine/Render/Renderer.ts"
import { loadParsers } from "./Engine/Scrape/DocumentThreads.ts"
import * as HostTrust from "./Engine/Scrape/Recrawl/HostTrust.ts"
import * as Scraper from "./Engine/Scrape/Scraper.ts"
import * as Sitemap from "./Engine/Scrape/Sitemap.ts"
import * as Providers from "./Engine/Search/ProviderSettings.ts"
import * as SearchIndex from "./Engine/Search/SearchIndex.ts"
import * as Scratch from "./Engine/Store/Scratch.ts"
import { failing } from "./Engine/Store/Sql.ts"
import * as Storage from "./Engine/Store/Storage.ts"
import * as Store from "./Engine/Store/Store.ts"
import * as FairQueue from "./Engine/Teams/FairQueue.ts"
import * as Keys from "./Engine/Teams/Keys.ts"
import * as PageMemory from "./Engine/Teams/PageMemory.ts"
import { SocketBacklog } from "./Engine/Teams/SocketBacklog.ts"
import * as TeamScheduler from "./Engine/Teams/TeamScheduler.ts"
import { PaidCalls } from "./Engine/Usage/PaidCalls.ts"
import * as Quota from "./Engine/Usage/Quota.ts"
import * as Usage from "./Engine/Usage/Usage.ts"
import * as Guard from "./Guard.ts"
import { parseNetwork } from "./Guard.ts"
import { undici } from "./Packages.ts"
import * as Trace from "./Telemetry/Trace.ts"

/** Price of each operation, in credits. */
export const { prices } = Usage

export type { Engine, Options } from "./Engine/EngineOptions.ts"

/** Loads the modules that the first scrape needs, for programs that have started an engine and are waiting for requests. */
export const loadAhead: Effect.Effect<void> = nextTurn.pipe(
  Effect.zipRight(Effect.sync(undici)),
  Effect.zipRight(nextTurn),
  Effect.zipRight(Effect.promise(loadParsers))
)

/** Options of the engine, decoded into the values that its services take. */
interface Settings {
  readonly guard: Context.Tag.Service<typeof Guard.Guard>
  readonly proxies: Proxies.ProxyTable
  readonly searchChain: Providers.Chain
  readonly quotas: Quota.Quotas
  readonly weights: ReadonlyMap<string, number>
}

/** Reads an option if it is set. Fails with an error that names the option. */
const readOption = <I, A>(
  option: OptionError["option"],
  value: I | undefined,
  read: (value: I) => Either.Either<A, string>,
  otherwise: A
): Either.Either<A, OptionError> =>
  value === undefined
    ? Either.right(otherwise)
    : Either.mapLeft(read(value), (reason) => new OptionError({ option, reason }))

const checkModel = (model: Model.ModelOptions): Either.Either<void, string> => {
  const fault = Model.optionsFault(model)
  return fault === undefined ? Either.void : Either.left(fault)
}

const readSettings = (options: Options): Effect.Effect<Settings, OptionError> =>
  Effect.gen(function* () {
    const readNetworks = (networks: ReadonlyArray<string>) => Either.all(networks.map(parseNetwork))
    const networks = yield* readOption("allowNetworks", options.allowNetworks, readNetworks, [])
    const proxies = yield* readOption("proxies", options.proxies, Proxies.parse, new Map())
    const searchChain = yield* readOption("searchProviders", options.searchProviders, Providers.parse, ["local"])
    const quotas = yield* readOption("quota", options.quota, Quota.parse, Quota.unlimited)
    const weights = yield* readOption("weights", options.weights, FairQueue.parseWeights, FairQueue.equal)
    yield* readOption("model", options.model, checkModel, undefined)
    return { guard: Guard.make(networks), proxies, searchChain, quotas, weights }
  })

/** Layer with the teams of the API keys and their weights. Fails if a weight or a proxy names an unknown team. */
const teamsLayer = (weights: ReadonlyMap<string, number>, proxies: Proxies.ProxyTable) =>
  Layer.effect(
    FairQueue.Teams,
    Effect.flatMap(Keys.Keys, ({ teams }) => {
      const isUnknown = (name: string) => !teams.has(name)
      const weighted = [...weights.keys()].find(isUnknown)
      if (weighted !== undefined)
        return new OptionError({ option: "weights", reason: `No key belongs to the team ${weighted}` })
      const owner = Proxies.teamsOf(proxies).find(isUnknown)
      return owner === undefined
        ? Effect.succeed({ teams: teams.size, weights })
        : new OptionError({ option: "proxies", reason: `No key belongs to the team ${owner}` })
    })
  )

/**
 * The services of the engine, each with those before it:
 *
 * 1. `store`: SQL database, API keys, teams, memory for fetched bodies, DNS
 * 2. `pages`: model, proxies, search providers, HTTP, logins and profiles, browsers, page cache, parsers, robots.txt, sitemaps, scraper
 * 3. `jobs`: usage, search index, browser sessions and code beside them, webhooks, crawls and batches
 * 4. `server`: limits of the API keys, routes, WebSockets
 */
const layer = (options: Options, { guard, proxies, quotas, searchChain, weights }: Settings) => {
  const { dataDir, host = "127.0.0.1", port = 0, workers = 32, perHost = 8 } = options
  const retention = Duration.decode(options.retention ?? Duration.hours(24))
  const hosts = Hosts.makeHosts()
  const jobOptions = { workers, perHost, retention, hosts }
  const store = inOrder(
    NodeFileSystem.layer,
    NodePath.layer,
    Scratch.layer,
    Storage.freeSpace(dataDir),
    Layer.succeed(Storage.StorageLimits, {
      job: options.jobBytes ?? Storage.defaults.job,
      team: options.teamBytes ?? Storage.defaults.team
    }),
    Store.layer(dataDir),
    Keys.layer(dataDir, options.keys),
    teamsLayer(weights, proxies),
    PageMemory.layer,
    DnsResolver.layer
  )
  const pages = inOrder(
    Layer.succeed(Guard.Guard, guard),
    Model.layer(options.model),
    Layer.succeed(Proxies.Proxies, proxies),
    Providers.layer(searchChain),
    Fetch.layer,
    Logins.layer(dataDir),
    Profiles.layer(dataDir),
    // Sessions share one quota with pages that are rendered with a profile.
    SessionQuota.layer(options),
    ScrapeProfiles.layer,
    Renderer.layer(options),
    PageCache.layer(dataDir, options.copyBytes),
    HostTrust.layer,
    PageVersions.layer,
    HostTurns.layer({ perHost, hosts }),
    options.parsesFiles === true ? Parser.layerAhead : Parser.layer,
    Robots.layer,
    Sitemap.layer,
    Scraper.layer
  )
  const jobs = inOrder(
    Usage.layerWith(quotas),
    PaidCalls.Default,
    SearchIndex.layer,
    ChangeSignal.Default,
    Execute.layer(options.allowExecute ?? false),
    Sessions.layer(options),
    Webhook.layer(dataDir, options.webhookSecret),
    JobServices.layer(jobOptions),
    ZeroRetention.layer(jobOptions)
  )
  const server = inOrder(
    Server.listener({ host, port }),
    RateLimits.layer({ rateLimit: options.rateLimit, atOnce: workers, waiting: 8 * workers }),
    Keys.authLayer,
    Scrape.handlers,
    SiteMap.handlers,
    PreviewHandlers.handlers,
    ParseHandlers.handlers,
    Search.handlers,
    Crawl.handlers,
    ActiveCrawls.handlers,
    BatchScrape.handlers,
    Browser.handlers,
    TokenUsage.handlers({ maxConcurrency: workers }),
    HttpApiBuilder.api(Api),
    Docs.layer,
    Gauges.layer(options.metricsKey),
    View.routes,
    Layer.unwrapEffect(Effect.map(RateLimits.RateLimits, ({ through: gate }) => Server.layer({ host, port, gate }))),
    SocketBacklog.Default,
    Watch.layer(),
    Cdp.layer,
    View.layer,
    Gauges.gauges(dataDir),
    Server.opened
  )
  return inOrder(store, pages, jobs, server)
}

/** Base URL of requests over `connect`. */
const memoryUrl = "http://localhost"

/** Runs an engine for as long as the scope is open. */
export const start = Trace.fn("Engine.start")(function* (
  options: Options
): Effect.fn.Return<Engine, EngineError, Scope.Scope> {
  const settings = yield* readSettings(options)
  const runtime = yield* Effect.runtime()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      reportTo(
        (cause) =>
          void Runtime.runFork(runtime)(
            Effect.logError(
              "An internal event handler failed. Only the connection, process or job that it belongs to has ended; please report this error",
              cause
            )
          )
      )
    ),
    Effect.sync
  )
  const { guard, weights } = settings
  yield* Effect.forEach(options.allowOrigins ?? [], guard.allow, { discard: true })
  // Spans cost time, so they are only made if a tracer is installed.
  const traced = yield* Trace.isTraced
  const context = yield* Layer.build(layer(options, settings)).pipe(
    failing,
    Effect.withScheduler(TeamScheduler.make(weights)),
    Requests.named(traced),
    Effect.withTracerEnabled(traced),
    // Work after the start is not part of the start's span.
    Trace.apart
  )
  const keys = Context.get(context, Keys.Keys)
  const listener = Context.get(context, Server.Listener)
  const baseUrl = options.port === false ? memoryUrl : yield* listener.baseUrl
  const { connect } = listener
  return { baseUrl, connect, key: keys.own, keyFile: keys.file, allowOrigin: guard.allow }
})
