/** One page over HTTP, as a document. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Document } from "../../Api/Document.ts"
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
import { canParse } from "../../Api/Url.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as Around from "../Copies/Around.ts"
import { Copies } from "../Copies/Copies.ts"
import { Versions } from "../Copies/Versions.ts"
import { Model } from "../Model.ts"
import { Parser } from "../Parse/Parser.ts"
import { Renderer } from "../Render/Renderer.ts"
import type { IndexedPage } from "../Search/SearchIndex.ts"
import { Owner } from "../Shares.ts"
import * as Metrics from "../Telemetry.ts"
import * as Branding from "./Branding.ts"
import { type Enrichment, enrich } from "./Enrich.ts"
import { Fetch } from "./Fetch.ts"
import * as Json from "./Json.ts"
import { obtain } from "./Obtain.ts"
import type { Options } from "./Options.ts"
import { pageOf } from "./PageOf.ts"
import * as Plan from "./Plan.ts"
import { Proxies } from "./Proxies.ts"
import * as Room from "./Room.ts"
import { Threads } from "./Threads.ts"
import * as Tracking from "./Tracking.ts"

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

export interface ScrapeTarget {
  readonly url: string
  readonly options: Options
  /** Whose stored copies may be used, and whose they become. */
  readonly teamId: string
  /** An address of the site that the headers among the options were given for; without it, `url`. */
  readonly headersFor?: string | undefined
  /** Sent to the site; robots.txt is judged by the same name. */
  readonly userAgent?: string | undefined
}

/** What a scrape knows beyond the document that was asked for. */
export interface Page {
  /** Only the formats asked for, and the metadata. */
  readonly document: Document
  /** The address after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Every link of the page, absolute, in order, without repeats: what a crawl follows. */
  readonly links: ReadonlyArray<string>
  /** The markdown of what is shown, when something that follows the page reads it; see {@link Plan.readsMarkdown}. */
  readonly markdown?: string | undefined
  /** What it costs beyond the price of a page. */
  readonly credits?: number | undefined
  /** What the search index keeps; absent for pages that are not text or answered with an error. */
  readonly indexed?: Omit<IndexedPage, "teamId" | "url"> | undefined
}

/** Fetches and converts; retries nothing; a site that answers 404 or 500 is a page, not a failure. */
export class Scraper extends Context.Tag("sluice/Engine/Scrape/Scraper")<
  Scraper,
  { readonly scrape: (target: ScrapeTarget) => Effect.Effect<Page, ScrapeFailure> }
>() {}

/** Tells that the page was not asked for from where it should have been. */
const detour: Enrichment = ({ plan }) =>
  plan.route.warning === undefined ? undefined : Effect.succeed({ warning: plan.route.warning })

const hostOf = (url: string): string | undefined => (canParse(url) ? new URL(url).host : undefined)

/** Counts what came of it. */
const watched = (scraped: Effect.Effect<Page, ScrapeFailure>) =>
  Effect.suspend(() => {
    const begun = performance.now()
    Metrics.underway.add(1)
    return Effect.onExit(scraped, (exit) =>
      Effect.sync(() => {
        Metrics.underway.add(-1)
        Metrics.pages.add(1, Exit.isSuccess(exit) ? `${Math.floor(exit.value.statusCode / 100)}xx` : "failed")
        Metrics.pageSeconds.record((performance.now() - begun) / 1000)
      })
    ).pipe(
      Effect.tap(({ statusCode, url }) =>
        Trace.note({ "server.address": hostOf(url), "sluice.page.status": statusCode })
      )
    )
  })

export const layer: Layer.Layer<Scraper, never, Fetch | Parser | FileSystem.FileSystem> = Layer.effect(
  Scraper,
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const room = yield* Room.shared
    const throughCopies = Around.make(yield* Copies, room)
    const services = { threads: yield* Threads, parser: yield* Parser, files: yield* FileSystem.FileSystem }
    const model = yield* Model
    const versions = yield* Versions
    const proxies = yield* Proxies
    const renderer = yield* Renderer
    const enrichments: ReadonlyArray<Enrichment> = [
      detour,
      Json.make(model),
      Branding.make(fetch),
      Tracking.make(versions, model)
    ]
    /** The pages of a job have their options in common. */
    const plans = new WeakMap<Options, Plan.Plan>()
    const planOf = (options: Options) =>
      Plan.make(options).pipe(
        Effect.provideService(Model, model),
        Effect.provideService(Proxies, proxies),
        Effect.tap((plan) => Effect.sync(() => plans.set(options, plan)))
      )
    const scrape = Effect.fnUntraced(
      function* (target: ScrapeTarget) {
        const deadline = (yield* Clock.currentTimeMillis) + target.options.timeout
        const plan = plans.get(target.options) ?? (yield* planOf(target.options))
        const { fetched, provenance } = yield* throughCopies(
          target,
          plan,
          obtain(target, plan, { fetch, renderer, room })
        )
        const page = yield* pageOf({ url: target.url, fetched, plan, teamId: target.teamId }, services)
        const enriched = yield* enrich({ target, plan, fetched, page, deadline }, enrichments)
        return Around.told(enriched, provenance)
      },
      Effect.scoped,
      watched,
      (page, { teamId }) => Effect.provideService(page, Owner, teamId)
    )
    return { scrape }
  })
).pipe(Layer.provide(Threads.Default))
