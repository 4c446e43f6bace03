/** Scrapes one page: validates the options, gets the page from the cache, HTTP or a browser, converts it, and adds the enrichments. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Fetch } from "../Fetch/Fetch.ts"
import { HostTurns } from "../Fetch/HostTurns.ts"
import { type LoginSession, Logins } from "../Fetch/Logins.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import { Model } from "../Model/Model.ts"
import { PageCache } from "../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import { PageVersions } from "../PageCache/PageVersions.ts"
import { Parser } from "../Parse/Parser.ts"
import { Renderer } from "../Render/Renderer.ts"
import { loginOf, type Options } from "../ScrapeOptions.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import { Owner } from "../Teams/FairQueue.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import * as Branding from "./Branding.ts"
import { buildPage, restored } from "./BuildPage.ts"
import { cached, withProvenance } from "./CachedSource.ts"
import * as Tracking from "./ChangeTracking.ts"
import { isRepeatable } from "./Conversion.ts"
import { DocumentThreads } from "./DocumentThreads.ts"
import * as Json from "./Json.ts"
import * as Plan from "./Plan.ts"
import { HostTrust } from "./Recrawl/HostTrust.ts"
import { makeRepeatedPages } from "./RepeatedPages.ts"
import {
  type Enrichment,
  enrich,
  type LookedUp,
  type Page,
  type ScrapeFailure,
  type ScrapeTarget,
  siteWait
} from "./ScrapedPage.ts"
import { type ScrapeRequest, uncached } from "./Sources.ts"

/**
 * A site that answers 404 or 500 is a page, not a failure. A single scrape asks a site again that answered 429 or 503 and says when, as far as
 * its timeout allows; a page of a job is asked again by its job.
 */
export class Scraper extends Context.Tag("sluice/Engine/Scrape/Scraper")<
  Scraper,
  { readonly scrape: (target: ScrapeTarget) => Effect.Effect<Page, ScrapeFailure> }
>() {}

/**
 * Looks pages of a job up, which share their options. Answers are in the order of the targets; a page without an answer is scraped.
 */
export class PageLookup extends Context.Tag("sluice/Engine/Scrape/PageLookup")<
  PageLookup,
  (targets: ReadonlyArray<ScrapeTarget>) => Effect.Effect<ReadonlyArray<LookedUp>>
>() {}

/** Says in the metadata when the site wants to be asked again. */
const withRetryAfter = (page: Page, retryAfter: number | undefined): Page => {
  if (retryAfter === undefined) return page
  const { document } = page
  const metadata = { ...document.metadata, retryAfter: Math.ceil(retryAfter / 1000) }
  return { ...page, retryAfter, document: { ...document, metadata } }
}

/** Warns when the page was not requested from the country that was asked for. */
const routeWarning: Enrichment = ({ plan }) =>
  plan.route.warning === undefined ? undefined : Effect.succeed({ warning: plan.route.warning })

/** False if an enrichment reads the content or adds to it. */
const mayBeBytes = (plan: Plan.Plan): boolean => plan.route.warning === undefined && isRepeatable(plan)

const hostOf = (url: string): string | undefined => (canParse(url) ? new URL(url).host : undefined)

const withMetrics = (scraped: Effect.Effect<Page, ScrapeFailure>) =>
  Effect.suspend(() => {
    const begun = performance.now()
    Metrics.pagesRunning.add(1)
    return Effect.onExit(scraped, (exit) =>
      Effect.sync(() => {
        Metrics.pagesRunning.add(-1)
        Metrics.pages.add(1, Exit.isSuccess(exit) ? `${Math.floor(exit.value.statusCode / 100)}xx` : "failed")
        Metrics.pageSeconds.record((performance.now() - begun) / 1000)
      })
    ).pipe(
      Effect.tap(({ statusCode, url }) =>
        Trace.note({ "server.address": hostOf(url), "sluice.page.status": statusCode })
      )
    )
  })

/** Waits for the host before a request goes out; a cached page needs no turn. The timeout of the request begins after the wait. */
const inTurn = (
  turns: Context.Tag.Service<typeof HostTurns>,
  source: PageSource<ScrapeRequest, ScrapeFailure>
): PageSource<ScrapeRequest, ScrapeFailure> => ({
  get: (request) => {
    const { hasTurn = false, teamId, url } = request.target
    // An address that cannot be parsed is refused by the source.
    if (hasTurn || !canParse(url)) return source.get(request)
    const ask = Effect.flatMap(Clock.currentTimeMillis, (asked) =>
      turns.within(
        url,
        teamId
      )(
        Effect.flatMap(Clock.currentTimeMillis, (begun) =>
          Effect.map(source.get(request), (fetched) => ({ ...fetched, waited: begun - asked }))
        )
      )
    )
    /** `waited`: for turns, and for as long as the site has asked for. */
    const attempt = (number: number, waited: number, paused: number): typeof ask =>
      Effect.gen(function* () {
        const fetched = yield* ask
        const wait = siteWait(fetched, yield* Clock.currentTimeMillis)
        const total = { ...fetched, waited: waited + fetched.waited }
        const longest = request.target.options.timeout / 2 - paused
        if (wait === undefined || number >= maxAttempts || wait > longest) return total
        yield* Effect.sleep(wait)
        return yield* attempt(number + 1, total.waited + wait, paused + wait)
      })
    return attempt(1, 0, 0)
  }
})

/** Times that a page is asked for while others sign in again. */
const maxSignedIn = 4

/** Gets a page as a member: signs in again where the site shows its login page, once for the page, and fails rather than give that page. */
const asMember = <A extends { readonly fetched: Fetched; readonly page: Page }, E, R>(
  login: LoginSession,
  url: string,
  obtain: Effect.Effect<A, E, R>,
  attempt = 1,
  renewed = false
): Effect.Effect<A, E | Unprocessable, R> =>
  Effect.suspend(() => {
    const sent = login.sent()
    return Effect.flatMap(obtain, (obtained): Effect.Effect<A, E | Unprocessable, R> => {
      const { fetched, page } = obtained
      const isWall = page.blocked?.kind === "login" && login.concerns(page.url)
      if (!login.seesLogin(url, fetched) && !isWall) return Effect.as(login.hasWorked(renewed), obtained)
      const refused = (error: string) => new Unprocessable({ error, code: "LOGIN_REQUIRED" })
      if (renewed || attempt >= maxSignedIn) {
        login.noteRefused()
        return refused(`${url} shows the login page of its site, also after a new sign-in.`)
      }
      return login.renew(sent).pipe(
        Effect.mapError(({ reason }) => refused(reason)),
        Effect.flatMap((own) => asMember(login, url, obtain, attempt + 1, own))
      )
    })
  })

/** Requests of a single scrape to a site that asks to be asked again. */
const maxAttempts = 4

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const room = yield* PageMemory.shared
    const services = {
      threads: yield* DocumentThreads,
      parser: yield* Parser,
      files: yield* FileSystem.FileSystem,
      repeated: makeRepeatedPages()
    }
    const model = yield* Model
    const versions = yield* PageVersions
    const proxies = yield* Proxies
    const turns = yield* HostTurns
    const logins = yield* Logins
    const site = inTurn(turns, uncached({ fetch, renderer: yield* Renderer, room }))
    const source = cached(yield* PageCache, yield* HostTrust, room, site)
    const enrichments: ReadonlyArray<Enrichment> = [
      routeWarning,
      Json.make(model),
      Branding.make(fetch),
      Tracking.make(versions, model)
    ]
    /** All pages of a job share one options object. */
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
        const { takesBytes, teamId, url } = target
        const name = loginOf(target.options)
        const login = name === undefined ? undefined : yield* logins.find(teamId, name)
        const obtain = Effect.gen(function* () {
          const obtained = yield* source.get({ target, plan, login })
          const { fetched, keep } = obtained
          const page = yield* buildPage(
            { url, fetched, plan, teamId, takesBytes: takesBytes && mayBeBytes(plan) },
            services
          ).pipe(Effect.tapError(() => keep(undefined)))
          return { ...obtained, page }
        })
        const { fetched, forget, keep, page, provenance } = yield* login === undefined
          ? obtain
          : asMember(login, url, obtain)
        const visited = page.blocked === undefined ? yield* keep(page) : yield* forget
        const within = { target, plan, fetched, page, deadline: deadline + (fetched.waited ?? 0) }
        const enriched = yield* enrich(within, enrichments)
        return withRetryAfter(
          withProvenance(enriched, { ...provenance, ...visited }),
          siteWait(fetched, yield* Clock.currentTimeMillis)
        )
      },
      Effect.scoped,
      withMetrics,
      (page, { teamId }) => Effect.provideService(page, Owner, teamId)
    )

    const lookUp = Effect.fnUntraced(function* (targets: ReadonlyArray<ScrapeTarget>) {
      const [first] = targets
      const plan =
        first === undefined
          ? undefined
          : (plans.get(first.options) ??
            (yield* Effect.option(planOf(first.options)).pipe(Effect.map(Option.getOrUndefined))))
      if (plan === undefined || !mayBeBytes(plan)) return []
      const found = yield* source.lookUp(targets.map((target) => ({ target, plan })))
      return found.map((one, at): LookedUp => {
        const target = targets[at]
        if (one.answer === undefined || target === undefined) return { stored: one.stored }
        const { answer: fetched, unchanged } = one
        Metrics.pages.add(1, `${Math.floor(fetched.statusCode / 100)}xx`)
        return { page: withProvenance(restored({ ...target, fetched, plan }, fetched.converted), { unchanged }) }
      })
    })
    return Context.add(Context.make(Scraper, { scrape }), PageLookup, lookUp)
  })
).pipe(Layer.provide(DocumentThreads.Default))
