/** The local service: the whole of Api on loopback, from one process and one SQLite file. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Api } from "./Api.ts"
import { reportTo } from "./Callback.ts"
import { reasonOf } from "./Database/DriverErrors.ts"
import * as Browser from "./Engine/Browser/BrowserHandlers.ts"
import * as Cdp from "./Engine/Browser/Cdp.ts"
import * as Execute from "./Engine/Browser/Execute.ts"
import * as View from "./Engine/Browser/LiveView.ts"
import * as ProfileLease from "./Engine/Browser/ProfileLease.ts"
import * as Profiles from "./Engine/Browser/Profiles.ts"
import * as SessionQuota from "./Engine/Browser/SessionQuota.ts"
import * as Sessions from "./Engine/Browser/Sessions.ts"
import * as Docs from "./Engine/Docs.ts"
import * as DnsResolver from "./Engine/Fetch/DnsResolver.ts"
import * as Fetch from "./Engine/Fetch/Fetch.ts"
import * as Guard from "./Engine/Fetch/Guard.ts"
import { parseNetwork } from "./Engine/Fetch/Guard.ts"
import * as PageMemory from "./Engine/Fetch/PageMemory.ts"
import * as Proxies from "./Engine/Fetch/Proxies.ts"
import * as Robots from "./Engine/Fetch/Robots.ts"
import * as Gate from "./Engine/Gate.ts"
import * as ActiveCrawls from "./Engine/Jobs/ActiveHandlers.ts"
import * as BatchScrape from "./Engine/Jobs/BatchHandlers.ts"
import { ChangeSignal } from "./Engine/Jobs/ChangeSignal.ts"
import * as Crawl from "./Engine/Jobs/CrawlHandlers.ts"
import * as Hosts from "./Engine/Jobs/FairScheduler.ts"
import * as JobServices from "./Engine/Jobs/JobServices.ts"
import * as ZeroRetention from "./Engine/Jobs/ZeroRetention.ts"
import * as Keys from "./Engine/Keys.ts"
import * as Model from "./Engine/Model.ts"
import * as PageCache from "./Engine/PageCache/PageCache.ts"
import * as PageVersions from "./Engine/PageCache/PageVersions.ts"
import * as ParseHandlers from "./Engine/Parse/ParseHandlers.ts"
import * as Parser from "./Engine/Parse/Parser.ts"
import * as PreviewHandlers from "./Engine/Preview/PreviewHandlers.ts"
import * as Renderer from "./Engine/Render/Renderer.ts"
import * as SiteMap from "./Engine/Scrape/MapHandlers.ts"
import * as Scrape from "./Engine/Scrape/ScrapeHandlers.ts"
import * as Scraper from "./Engine/Scrape/Scraper.ts"
import * as Sitemap from "./Engine/Scrape/Sitemap.ts"
import * as Scratch from "./Engine/Scratch.ts"
import * as Providers from "./Engine/Search/ProviderSettings.ts"
import * as Search from "./Engine/Search/SearchHandlers.ts"
import * as SearchIndex from "./Engine/Search/SearchIndex.ts"
import * as Server from "./Engine/Server.ts"
import * as Shares from "./Engine/Shares.ts"
import * as Storage from "./Engine/Store/Storage.ts"
import * as Store from "./Engine/Store.ts"
import * as TeamScheduler from "./Engine/TeamScheduler.ts"
import * as Gauges from "./Engine/Telemetry/MetricsEndpoint.ts"
import * as Requests from "./Engine/Telemetry/Requests.ts"
import { Unsent } from "./Engine/Unsent.ts"
import { PaidCalls } from "./Engine/Usage/PaidCalls.ts"
import * as Quota from "./Engine/Usage/Quota.ts"
import * as Usage from "./Engine/Usage/Usage.ts"
import * as TokenUsage from "./Engine/Usage/UsageHandlers.ts"
import * as Watch from "./Engine/Watch.ts"
import * as Webhook from "./Engine/Webhook.ts"
import { apart, isTraced } from "./Telemetry/Trace.ts"

/** Price of each operation, in credits. */
export const { prices } = Usage

export interface Options {
  /** The folder of the store and the keys; made when it is not there. */
  readonly dataDir: string
  readonly host?: string | undefined
  /** 0 takes a free one. */
  readonly port?: number | undefined
  /** Private networks that may be fetched from, as CIDR. */
  readonly allowNetworks?: ReadonlyArray<string> | undefined
  /** Single places (`host:port`, exactly as dialled) that may be fetched from although they are private. */
  readonly allowOrigins?: ReadonlyArray<string> | undefined
  /** `name:fc-<32 hex>,team/name:fc-<32 hex>,…`; without it a key is made once and kept in the data folder. */
  readonly keys?: Redacted.Redacted | undefined
  /** A language model, for the format `json`. */
  readonly model?: Model.ModelOptions | undefined
  /** `name=url,…`: what pages may be fetched through. */
  readonly proxies?: Redacted.Redacted | undefined
  /** `brave=KEY,local`: who is asked when a search comes in, one after the other. */
  readonly searchProviders?: Redacted.Redacted | undefined
  /** Path of a Chromium for pages that only a browser can show; without one it is looked for. */
  readonly chromium?: string | undefined
  /** Runs Chromium in its sandbox; default: true. */
  readonly chromiumSandbox?: boolean | undefined
  /** Browser sessions at once, in all and of one key; as many as the machine's memory has room for unless said otherwise. */
  readonly browserSessions?: number | undefined
  readonly browserSessionsPerKey?: number | undefined
  /** Lets callers run code beside their sessions, as the engine's own user; default: false. */
  readonly allowExecute?: boolean | undefined
  /** Pages fetched at once, and of those from one host. */
  readonly workers?: number | undefined
  readonly perHost?: number | undefined
  /** Time that a job's results are kept after its last change. */
  readonly retention?: Duration.DurationInput | undefined
  /** Signs what webhooks send, where a job brings no secret of its own. */
  readonly webhookSecret?: Redacted.Redacted | undefined
  /** Requests that a key may make in a minute; any number without it. */
  readonly rateLimit?: number | undefined
  /** Credits a month for every team, `1000`, or for each by its name, `default=1000,other=500`; any number without it. */
  readonly quota?: string | undefined
  /** Weights of teams in the shares of the engine: `other=3,third=2`; 1 unless said otherwise. */
  readonly weights?: string | undefined
  /** Bytes of the copies of pages that are kept for `maxAge`; 512 MB unless said otherwise, 0 for none. */
  readonly copyBytes?: number | undefined
  /** Bytes of results that a job may keep, 2 GB unless said otherwise, and of all that is kept for a team, 8 GB. */
  readonly jobBytes?: number | undefined
  readonly teamBytes?: number | undefined
  /** Key of `/metrics`; without one they are for the engine's own keys, where these are of one team. */
  readonly metricsKey?: Redacted.Redacted | undefined
}

/** An engine that runs. */
export interface Engine {
  readonly baseUrl: string
  /** A key that it accepts. */
  readonly key: Redacted.Redacted
  /** File of that key; undefined when keys were given. */
  readonly keyFile: string | undefined
  /** Lets the engine fetch from one private `host:port` for as long as the scope is open. */
  readonly allowOrigin: (origin: string) => Effect.Effect<void, never, Scope.Scope>
}

/** An option that cannot be used. */
export class OptionError extends Data.TaggedError("OptionError")<{
  readonly option: "allowNetworks" | "model" | "proxies" | "quota" | "searchProviders" | "weights"
  readonly reason: string
}> {
  override get message() {
    return this.reason
  }
}

export type EngineError = Keys.KeysError | OptionError | Server.ListenError | Store.StoreError

const handlers = (workers: number) =>
  Layer.mergeAll(
    Scrape.handlers,
    SiteMap.handlers,
    PreviewHandlers.handlers,
    ParseHandlers.handlers,
    Search.handlers,
    Crawl.handlers,
    ActiveCrawls.handlers,
    BatchScrape.handlers,
    Browser.handlers,
    TokenUsage.handlers({ maxConcurrency: workers })
  )

/** All services, each above those that it stands on. */
const layer = (
  options: Options,
  guard: Context.Tag.Service<typeof Guard.Guard>,
  proxies: Proxies.ProxyTable,
  chain: Providers.Chain,
  quotas: Quota.Quotas,
  weights: ReadonlyMap<string, number>
) => {
  const { dataDir, host = "127.0.0.1", port = 0, workers = 32, perHost = 8 } = options
  const retention = Duration.decode(options.retention ?? Duration.hours(24))
  const shares = Layer.effectContext(
    Effect.flatMap(Keys.Keys, ({ teams }) => {
      const stranger = [...weights.keys()].find((name) => !teams.has(name))
      return stranger === undefined
        ? Effect.succeed(Context.make(Shares.Teams, teams.size).pipe(Context.add(Shares.Weights, weights)))
        : new OptionError({ option: "weights", reason: `No key is of the team ${stranger}` })
    })
  )
  const store = DnsResolver.layer.pipe(
    Layer.provideMerge(shares),
    Layer.merge(PageMemory.layer),
    Layer.provideMerge(Keys.layer(dataDir, options.keys)),
    Layer.provideMerge(Store.layer(dataDir))
  )
  // Sessions and pages that are shown with a profile share what there is.
  const profiles = Layer.provide(Layer.merge(Profiles.layer(dataDir), SessionQuota.layer(options)), store)
  const renderer = Layer.provide(Renderer.layer(options), Layer.provide(ProfileLease.layer, profiles))
  const web = Layer.mergeAll(Robots.layer, Sitemap.layer, Scraper.layer).pipe(
    Layer.provideMerge(Layer.merge(Fetch.layer, Parser.layer)),
    Layer.provide(Layer.mergeAll(PageCache.layer(dataDir, options.copyBytes), PageVersions.layer, renderer)),
    Layer.provide(store),
    Layer.provideMerge(
      // Handlers ask for the last two as well: what cannot be done is refused before anything begins.
      Layer.mergeAll(
        Layer.succeed(Guard.Guard, guard),
        Model.layer(options.model),
        Layer.succeed(Proxies.Proxies, proxies),
        Providers.layer(chain)
      )
    )
  )
  const books = Layer.mergeAll(PaidCalls.Default, SearchIndex.layer, ChangeSignal.Default).pipe(
    Layer.provideMerge(Usage.layerWith(quotas)),
    Layer.provideMerge(store)
  )
  const webhooks = Layer.provideMerge(Webhook.layer(dataDir, options.webhookSecret), Layer.merge(web, books))
  const work = { workers, perHost, retention, hosts: Hosts.makeHosts() }
  const sessions = Sessions.layer(options).pipe(
    Layer.provideMerge(Layer.merge(profiles, Execute.layer(options.allowExecute ?? false))),
    Layer.provide(Layer.merge(web, books))
  )
  const services = ZeroRetention.layer(work).pipe(
    Layer.provideMerge(JobServices.layer(work)),
    Layer.provideMerge(Layer.merge(webhooks, sessions))
  )
  const routes = Layer.mergeAll(
    HttpApiBuilder.api(Api),
    Docs.layer,
    Gauges.layer(options.metricsKey),
    View.routes
  ).pipe(Layer.provide(handlers(workers)), Layer.provide(Keys.authLayer))
  const sockets = Layer.provide(Layer.merge(Cdp.layer, View.layer), Unsent.Default)
  return Layer.mergeAll(Watch.layer(), sockets, Gauges.gauges(dataDir)).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.map(Gate.Gate, ({ through: gate }) => Server.layer({ host, port, gate })))
    ),
    Layer.provide(routes),
    Layer.provideMerge(
      Layer.provideMerge(Gate.layer({ rateLimit: options.rateLimit, atOnce: workers, waiting: 8 * workers }), services)
    ),
    Layer.provide(
      Layer.merge(
        Storage.freeSpace(dataDir),
        Layer.succeed(Storage.StorageLimits, {
          job: options.jobBytes ?? Storage.defaults.job,
          team: options.teamBytes ?? Storage.defaults.team
        })
      )
    ),
    Layer.provide(Layer.provideMerge(Scratch.layer, NodeContext.layer))
  )
}

/** Runs an engine for as long as the scope is open. */
export const start = Effect.fn("Engine.start")(function* (
  options: Options
): Effect.fn.Return<Engine, EngineError, Scope.Scope> {
  const networks = Either.all((options.allowNetworks ?? []).map(parseNetwork))
  if (Either.isLeft(networks)) return yield* new OptionError({ option: "allowNetworks", reason: networks.left })
  const proxies =
    options.proxies === undefined ? Either.right<Proxies.ProxyTable>(new Map()) : Proxies.parse(options.proxies)
  if (Either.isLeft(proxies)) return yield* new OptionError({ option: "proxies", reason: proxies.left })
  const chain =
    options.searchProviders === undefined
      ? Either.right<Providers.Chain>(["local"])
      : Providers.parse(options.searchProviders)
  if (Either.isLeft(chain)) return yield* new OptionError({ option: "searchProviders", reason: chain.left })
  const quotas = options.quota === undefined ? Either.right(Quota.unlimited) : Quota.parse(options.quota)
  if (Either.isLeft(quotas)) return yield* new OptionError({ option: "quota", reason: quotas.left })
  const weights = options.weights === undefined ? Either.right(Shares.equal) : Shares.parseWeights(options.weights)
  if (Either.isLeft(weights)) return yield* new OptionError({ option: "weights", reason: weights.left })
  const faulty = options.model === undefined ? undefined : Model.optionsFault(options.model)
  if (faulty !== undefined) return yield* new OptionError({ option: "model", reason: faulty })
  const runtime = yield* Effect.runtime()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      reportTo(
        (cause) => void Runtime.runFork(runtime)(Effect.logError("A callback failed with an unexpected error", cause))
      )
    ),
    Effect.sync
  )
  const guard = Guard.make(networks.right)
  yield* Effect.forEach(options.allowOrigins ?? [], guard.allow, { discard: true })
  // Spans cost time everywhere, so they are made only when a tracer is installed.
  const traced = yield* isTraced
  const context = yield* Effect.catchTag(
    Layer.build(layer(options, guard, proxies.right, chain.right, quotas.right, weights.right)).pipe(
      Effect.withScheduler(TeamScheduler.make(weights.right)),
      Requests.named(traced),
      Effect.withTracerEnabled(traced),
      // Work after the start is not part of the start's span.
      apart
    ),
    "SqlError",
    (cause) => Effect.fail(new Store.StoreError({ file: options.dataDir, reason: reasonOf(cause), cause }))
  )
  const keys = Context.get(context, Keys.Keys)
  const baseUrl = yield* Effect.provide(Server.baseUrl, context)
  return { baseUrl, key: keys.own, keyFile: keys.file, allowOrigin: guard.allow }
})
