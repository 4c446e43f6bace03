/** Scrapes one page: validates the options, gets the page from the cache, HTTP or a browser, converts it, and adds the enrichments. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isFailure, Unprocessable } from "../../Api/Errors.ts"
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
import { type Held, keeping, plainly, type Work } from "../Teams/Work.ts"
import * as Branding from "./Branding.ts"
import { buildPage, restored } from "./BuildPage.ts"
import { cached, type Obtained, withProvenance } from "./CachedSource.ts"
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
 * A 404 or 500 response is a page, not a failure. After a 429 or 503 with a retry time, a single scrape retries as far as its timeout
 * allows; for a page of a job, the job retries.
 */
export interface Service {
  /** Scrapes a page in plain async work (`Teams/Work.ts`) of the target's team. A failure is a `ScrapeFailure`. */
  readonly open: (work: Work, target: ScrapeTarget) => Promise<Page>
  /** Scrapes a page as an effect. */
  readonly scrape: (target: ScrapeTarget) => Effect.Effect<Page, ScrapeFailure>
}

export class Scraper extends Context.Tag("sluice/Engine/Scrape/Scraper")<Scraper, Service>() {}

/** Looks up pages of a job, which share their options. Results are in the order of the targets; a page without a result must be scraped. */
export class PageLookup extends Context.Tag("sluice/Engine/Scrape/PageLookup")<
  PageLookup,
  (targets: ReadonlyArray<ScrapeTarget>) => Effect.Effect<ReadonlyArray<LookedUp>>
>() {}

/** Adds the retry time that the site gave to the metadata. */
const withRetryAfter = (page: Page, retryAfter: number | undefined): Page => {
  if (retryAfter === undefined) return page
  const { document } = page
  const metadata = { ...document.metadata, retryAfter: Math.ceil(retryAfter / 1000) }
  return { ...page, retryAfter, document: { ...document, metadata } }
}

/** Enrichment that adds a warning if the page was not requested from the country in the options. */
const routeWarning: Enrichment = ({ plan }) =>
  plan.route.warning === undefined ? undefined : Effect.succeed({ warning: plan.route.warning })

/** True if the content can be returned as the bytes of its JSON. False if an enrichment reads the content or adds to it. */
const mayBeBytes = (plan: Plan.Plan): boolean => plan.route.warning === undefined && isRepeatable(plan)

const hostOf = (url: string): string | undefined => (canParse(url) ? new URL(url).host : undefined)

const withMetrics = async (scraped: () => Promise<Page>): Promise<Page> => {
  const begun = performance.now()
  Metrics.pagesRunning.add(1)
  let status = "failed"
  try {
    const page = await scraped()
    status = `${Math.floor(page.statusCode / 100)}xx`
    return page
  } finally {
    Metrics.pagesRunning.add(-1)
    Metrics.pages.add(1, status)
    Metrics.pageSeconds.record((performance.now() - begun) / 1000)
  }
}

/**
 * Waits for a request slot of the host before each request; cached pages need none. Repeats the request if the site asks to retry later, up
 * to `maxAttempts` requests and half of the timeout. The timeout of a request begins after the wait. A target that has a slot is requested
 * once, at once.
 */
const inTurn = (
  turns: Context.Tag.Service<typeof HostTurns>,
  source: PageSource<ScrapeRequest, Fetched>
): PageSource<ScrapeRequest, Fetched> => ({
  open: async (work, request) => {
    const { hasTurn = false, teamId, url } = request.target
    // The source refuses a URL that cannot be parsed.
    if (hasTurn || !canParse(url)) return source.open(work, request)
    const ask = async (): Promise<Held<Fetched & { readonly waited: number }>> => {
      const asked = work.now()
      const { page, release, waited } = await turns.within(work, url, teamId, async () => {
        const waited = work.now() - asked
        return { ...(await source.open(work, request)), waited }
      })
      return { page: { ...page, waited }, release }
    }
    /** Milliseconds waited in all, and milliseconds waited because the site asked for it. */
    let waited = 0
    let paused = 0
    for (let number = 1; ; number++) {
      const { page, release } = await ask()
      waited += page.waited
      const wait = siteWait(page, work.now())
      const longest = request.target.options.timeout / 2 - paused
      if (wait === undefined || number >= maxAttempts || wait > longest) return { page: { ...page, waited }, release }
      release()
      await work.run(Effect.sleep(wait))
      waited += wait
      paused += wait
    }
  }
})

/** Maximum attempts for a page while other requests keep signing in again. */
const maxSignedIn = 4

/** A response with the page that was built from it. */
type Made = Obtained & { readonly page: Page }

/**
 * Gets a page as a signed-in member. If the site shows its login page, it signs in again, once per page, and fails rather than return the
 * login page.
 */
const asMember = async (
  work: Work,
  login: LoginSession,
  url: string,
  obtain: () => Promise<Held<Made>>
): Promise<Held<Made>> => {
  const refused = (error: string) => new Unprocessable({ error, code: "LOGIN_REQUIRED" })
  let renewed = false
  for (let attempt = 1; ; attempt++) {
    const sent = login.sent()
    const held = await obtain()
    const { fetched, page } = held.page
    const isWall = page.blocked?.kind === "login" && login.concerns(page.url)
    const isMembers = !login.seesLogin(url, fetched) && !isWall
    if (!isMembers) held.release()
    else {
      return keeping(held, async (made) => {
        await work.run(login.hasWorked(renewed))
        return made
      })
    }
    if (renewed || attempt >= maxSignedIn) {
      login.noteRefused()
      throw refused(`${url} shows the login page of its site, even after a new sign-in.`)
    }
    renewed = await work.run(Effect.mapError(login.renew(sent), ({ message }) => refused(message)))
  }
}

/** Maximum requests of a single scrape to a site that asks to retry later. */
const maxAttempts = 4

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const room = yield* PageMemory.PageMemory
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
    const planning = Context.make(Model, model).pipe(Context.add(Proxies, proxies))
    /** Plan of each options object, because all pages of a job share one object. */
    const plans = new WeakMap<Options, Plan.Plan>()
    const planOf = (options: Options) =>
      Effect.map(Effect.provide(Plan.make(options), planning), (plan) => {
        plans.set(options, plan)
        return plan
      })
    /** Gets the response and converts it to a page. */
    const obtain = async (work: Work, request: ScrapeRequest): Promise<Held<Made>> => {
      const { page: obtained, release } = await source.open(work, request)
      const { fetched, keep } = obtained
      const { plan, target } = request
      const { takesBytes, teamId, url } = target
      const response = { url, fetched, plan, teamId, takesBytes: takesBytes && mayBeBytes(plan) }
      try {
        return { page: { ...obtained, page: await buildPage(work, response, services) }, release }
      } catch (cause) {
        if (isFailure(cause)) await keep(undefined)
        release()
        throw cause
      }
    }
    const scrapePage = async (work: Work, target: ScrapeTarget): Promise<Page> => {
      const deadline = work.now() + target.options.timeout
      const plan = plans.get(target.options) ?? (await work.run(planOf(target.options)))
      const name = loginOf(target.options)
      const login = name === undefined ? undefined : await work.run(logins.find(target.teamId, name))
      const made = () => obtain(work, { target, plan, login })
      const { page: obtained, release } = await (login === undefined ? made() : asMember(work, login, target.url, made))
      const { fetched, forget, keep, page, provenance } = obtained
      try {
        const visited = page.blocked === undefined ? await keep(page) : await forget()
        const within = { target, plan, fetched, page, deadline: deadline + (fetched.waited ?? 0) }
        const enriched = await enrich(work, within, enrichments)
        return withRetryAfter(withProvenance(enriched, { ...provenance, ...visited }), siteWait(fetched, work.now()))
      } finally {
        release()
      }
    }
    const open = (work: Work, target: ScrapeTarget) => withMetrics(() => scrapePage(work, target))
    const scrape = (target: ScrapeTarget) =>
      plainly<Page, ScrapeFailure>((work) => open(work, target)).pipe(
        Effect.tap(({ statusCode, url }) =>
          Trace.note({ "server.address": hostOf(url), "sluice.page.status": statusCode })
        ),
        Effect.provideService(Owner, target.teamId)
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
    return Context.add(Context.make(Scraper, { open, scrape }), PageLookup, lookUp)
  })
).pipe(Layer.provide(DocumentThreads.Default))
