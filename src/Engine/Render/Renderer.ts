/**
 * Renders pages in Chromium.
 *
 * Services: `Guard` decides which addresses pages may reach, `ProfileStorage` provides browser profiles, `FairQueue` divides the concurrent
 * pages between teams.
 *
 * - Requests without a profile share one process, started on demand, each with a browser context of its own. The process is replaced after
 *   `pagesPerBrowser` pages or when it hangs, and ends after a minute without requests.
 * - A request with a profile gets a process of its own. Its changes are saved after a successful request.
 * - A browser that ends fails its requests with `BROWSER_LOST`; the next request starts another one.
 * - The deadline covers everything: waiting for a free page, starting the browser, the visit, and waiting for memory.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import {
  type BadRequest,
  type Conflict,
  type Forbidden,
  type InsufficientStorage,
  type RateLimited,
  TimedOut,
  TooLarge,
  Unavailable,
  type Unprocessable
} from "../../Api/Errors.ts"
import { Guard } from "../../Guard.ts"
import { isAdHost } from "../../Html/Boilerplate.ts"
import * as Chromium from "../../Settings/Chromium.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { version } from "../../Version.ts"
import { DnsResolver } from "../Fetch/DnsResolver.ts"
import { memoryTimeout } from "../Fetch/Fetch.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import * as DetachedScope from "../Teams/DetachedScope.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import * as Gateway from "./Gateway.ts"
import type { Rendering } from "./Rendering.ts"
import { type RunningBrowser, start, unavailable } from "./RunningBrowser.ts"
import * as Tab from "./Tab.ts"
import { bytesOf, type RenderOutcome, visit, withWarning } from "./Visit.ts"

export interface RenderRequest {
  readonly url: string
  /** Team whose share of the concurrent pages is used. */
  readonly team: string
  readonly rendering: Rendering
  readonly userAgent: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** URL of the site that `headers` are meant for, if it is not the site of `url`. */
  readonly headersFor: string | undefined
  readonly acceptLanguage: string | undefined
  /** Deadline in milliseconds, queueing included. */
  readonly timeout: number
  readonly skipTlsVerification: boolean
  readonly blockAds: boolean
  /** Proxy pool and session for all requests of the page. */
  readonly proxy?: { readonly pool: string; readonly session: string } | undefined
  /** Reserves memory for the page and its screenshots. The page stays open until the memory is reserved. */
  readonly reserve?: ((bytes: number) => Effect.Effect<void>) | undefined
  /** Browser profile to use. The page then runs in its own browser. */
  readonly profile?: ProfileRequest | undefined
}

export type RenderFailure =
  | BadRequest
  | Conflict
  | InsufficientStorage
  | Forbidden
  | RateLimited
  | TimedOut
  | TooLarge
  | Unavailable
  | Unprocessable

interface RendererService {
  /** Renders a page. Succeeds with any HTTP status, including 404 and 500. */
  readonly render: (request: RenderRequest) => Effect.Effect<RenderOutcome, RenderFailure>
  /** Path of the browser, or how to install one. */
  readonly installed: Effect.Effect<Either.Either<string, Chromium.Absent>>
}

const browserMissing = ({ found, todo }: Chromium.Absent) =>
  unavailable(`The request needs Chromium, and ${found}. To fix this: ${todo}`)

export class Renderer extends Context.Tag("sluice/Engine/Render/Renderer")<Renderer, RendererService>() {}

export interface RendererOptions {
  /** Path of Chromium. Default: searched in the usual places. */
  readonly chromium?: string | undefined
  /** Enables Chromium's sandbox. Default true: pages run untrusted code. */
  readonly chromiumSandbox?: boolean | undefined
}

/** Maximum pages at once, shared fairly between teams. Further requests wait. */
const maxConcurrentPages = 4
/** Pages after which a process is replaced. */
const pagesPerBrowser = 200
const idleTimeToLive = "1 minute"
/** Name of the phase in which a page waits for memory, for timeout messages. */
const waitingForMemory = "waiting for memory"

/** Chromium's user agent without "Headless", followed by the engine's. */
const userAgentFor = (userAgent: string, mobile: boolean): string => {
  const shown = userAgent.replace("HeadlessChrome", "Chrome")
  const own = mobile
    ? shown.replace(/\([^)]*\)/, "(Linux; Android 10; K)").replace(" Safari/", " Mobile Safari/")
    : shown
  return `${own} Sluice/${version}`
}

const requestedUserAgent = (headers: RenderRequest["headers"]): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "user-agent")?.[1]

/** A browser that one request uses: the shared one, or one with a profile. */
interface Lease {
  readonly gateway: Gateway.Gateway
  readonly running: RunningBrowser
  /** Stops handing out this browser, because it hangs or has ended. */
  readonly retire: Effect.Effect<void>
  /** Never succeeds; fails when the browser ends or its profile grows too large. */
  readonly failure: Effect.Effect<never, TooLarge | Unavailable>
}

/** Browsers of an engine: one shared process, and one for each request with a profile. */
const makeBrowsers = (options: RendererOptions, installed: RendererService["installed"]) =>
  Effect.gen(function* () {
    const guard = yield* Guard
    const profiles = yield* ProfileStorage
    const resolver = yield* DnsResolver
    const proxies = yield* Proxies
    const detached = yield* DetachedScope.make
    const sandbox = options.chromiumSandbox ?? true
    const executable = Effect.mapError(Effect.flatten(installed), browserMissing)
    const gateways = yield* RcMap.make({ lookup: (_: "gateway") => Gateway.make(guard), idleTimeToLive })

    /** Number of the current shared process. */
    let generation = 0
    const processes = yield* RcMap.make({
      lookup: (_: number) =>
        Effect.gen(function* () {
          const path = yield* executable
          const gateway = yield* RcMap.get(gateways, "gateway")
          return { gateway, running: yield* start(path, sandbox, gateway) }
        }),
      idleTimeToLive
    })
    const retire = (number: number) =>
      Effect.suspend(() => {
        if (generation === number) generation += 1
        return RcMap.invalidate(processes, number)
      })

    const takeCurrent = Effect.gen(function* () {
      const number = generation
      const { gateway, running } = yield* Effect.tapError(detached(RcMap.get(processes, number)), () => retire(number))
      running.pages += 1
      if (running.pages >= pagesPerBrowser || !running.isAlive()) yield* retire(number)
      return { gateway, running, retire: retire(number), failure: running.end } satisfies Lease
    })

    /** Takes the shared browser. If it ended while idle, it is replaced at once. */
    const shared = Effect.flatMap(takeCurrent, (lease) =>
      lease.running.isAlive() ? Effect.succeed(lease) : takeCurrent
    )

    /**
     * A browser with a profile. When the scope closes after a success, the changes are saved and `onSaved` gets a warning if that failed.
     */
    const withProfile = (request: ProfileRequest, onSaved: (warning: string | undefined) => void) =>
      Effect.gen(function* () {
        const profile = yield* profiles.open(request)
        const path = yield* executable
        const gateway = yield* Gateway.make(guard, "single").pipe(
          Effect.provideService(DnsResolver, resolver),
          Effect.provideService(Proxies, proxies)
        )
        const running = yield* start(path, sandbox, gateway, profile.prepare)
        yield* profile.restore(running)
        yield* Effect.addFinalizer((exit) =>
          Exit.isSuccess(exit) ? Effect.map(profile.save(running), onSaved) : Effect.void
        )
        const full = new TooLarge({
          error: "The page stores more data than a browser profile can hold.",
          code: "SCRAPE_TOO_LARGE"
        })
        const failure = Effect.raceFirst(running.end, Effect.zipRight(profile.overflow(running), full))
        return { gateway, running, retire: Effect.void, failure } satisfies Lease
      })

    return { shared, withProfile }
  })

/** Opens a page in a browser and keeps it open until its memory is reserved. */
const showPage = (
  { failure, gateway, retire, running }: Lease,
  request: RenderRequest,
  onPhase: (name: string) => void,
  deadline: number
) =>
  Effect.gen(function* () {
    const { blockAds, headers = {}, rendering, url } = request
    const host = new URL(url).hostname
    const lost = new Unavailable({
      error: `The browser ended while it was loading ${url}. Try again: the next request starts a new one.`,
      code: "BROWSER_LOST"
    })
    const tab = yield* Tab.open(
      running.browser,
      {
        url,
        gateway,
        userAgent:
          request.userAgent ?? requestedUserAgent(headers) ?? userAgentFor(running.userAgent, rendering.mobile),
        mobile: rendering.mobile,
        viewport: rendering.screenshot?.viewport,
        headers,
        headersFor: request.headersFor,
        acceptLanguage: request.acceptLanguage,
        skipTlsVerification: request.skipTlsVerification,
        proxy: request.proxy === undefined ? undefined : { ...request.proxy, host },
        isBlockedHost: (other) => blockAds && other !== host && isAdHost(other),
        usesDefaultContext: request.profile !== undefined,
        deadline
      },
      retire
    ).pipe(
      Effect.mapError(() => lost),
      Effect.tapError(() => retire),
      // The deadline passed before the timeout of `open`: the browser may hang, so other requests get a new one.
      Effect.onInterrupt(() => retire)
    )
    onPhase("loading it")
    return yield* visit(tab, { url, rendering, onPhase }).pipe(
      Effect.raceFirst(tab.failure),
      Effect.raceFirst(failure),
      Effect.catchAll(
        (cause): Effect.Effect<never, RenderFailure> =>
          running.isAlive() ? Effect.fail(cause) : Effect.zipRight(retire, Effect.fail(lost))
      ),
      // Done after the race, because the page has been captured, and the end of the browser no longer matters.
      Effect.tap((outcome) => {
        onPhase(waitingForMemory)
        return request.reserve?.(bytesOf(outcome)) ?? Effect.void
      })
    )
  })

export const layer = (options: RendererOptions) =>
  Layer.scoped(
    Renderer,
    Effect.gen(function* () {
      const installed = Effect.sync(() => Chromium.find(options.chromium, process.env.PATH))
      const browsers = yield* makeBrowsers(options, installed)
      const shares = yield* FairQueue.ofEngine(maxConcurrentPages)

      const inBrowser = (request: RenderRequest, onPhase: (name: string) => void, deadline: number) =>
        Effect.suspend(() => {
          let unsaved: string | undefined
          const onSaved = (warning: string | undefined) => {
            unsaved = warning
          }
          const lease = request.profile === undefined ? browsers.shared : browsers.withProfile(request.profile, onSaved)
          return Effect.flatMap(lease, (taken) => showPage(taken, request, onPhase, deadline)).pipe(
            Effect.scoped,
            Effect.map((outcome) => (unsaved === undefined ? outcome : withWarning(outcome, unsaved)))
          )
        })

      const render = Trace.fn("Renderer.render")((request: RenderRequest) =>
        Effect.suspend(() => {
          const { team, timeout, url } = request
          let phase = "waiting for a free page of the browser"
          const onPhase = (name: string) => {
            phase = name
          }
          const timedOut = () =>
            phase === waitingForMemory
              ? memoryTimeout(url, timeout)
              : new TimedOut({
                  error: `${url} did not finish within ${timeout} ms; the slow part was ${phase}. Raise "timeout" if the site is slow.`,
                  code: "SCRAPE_TIMEOUT"
                })
          return Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.zipRight(
              shares.acquire(team),
              Effect.suspend(() => {
                onPhase("starting the browser")
                return inBrowser(request, onPhase, now + timeout)
              })
            ).pipe(Effect.scoped, Effect.timeoutFail({ duration: timeout, onTimeout: timedOut }))
          )
        })
      )
      return { render, installed } satisfies RendererService
    })
  )

/** Profile of a team, and whether to save the page's changes to it. */
export interface ProfileRequest {
  readonly team: string
  readonly name: string
  readonly saveChanges: boolean
  readonly isLogin?: boolean | undefined
}

/** A profile opened for one browser. */
export interface OpenProfile {
  /** Copies the profile to the browser's profile folder before the browser starts. */
  readonly prepare: (profile: string) => Effect.Effect<void>
  /** Restores data that Chromium does not store in the folder, such as session cookies. */
  readonly restore: (running: RunningBrowser) => Effect.Effect<void>
  /** Closes the browser and saves the profile if the request asked for it. Returns a warning if saving failed. */
  readonly save: (running: RunningBrowser) => Effect.Effect<string | undefined>
  /** Completes once the profile exceeds its size limit. */
  readonly overflow: (running: RunningBrowser) => Effect.Effect<void>
}

interface ProfileStorageService {
  /** Opens a profile until the scope closes. Also reserves quota for the browser process. */
  readonly open: (
    request: ProfileRequest
  ) => Effect.Effect<OpenProfile, Conflict | InsufficientStorage | RateLimited | Unavailable, Scope.Scope>
}

export class ProfileStorage extends Context.Tag("sluice/Engine/Render/ProfileStorage")<
  ProfileStorage,
  ProfileStorageService
>() {}
