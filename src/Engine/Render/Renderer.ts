/**
 * Renders pages in Chromium: one shared process, started on demand, with a context per request; a request with a profile gets a process of its own.
 *
 * Ports: `Guard` restricts what pages can reach; `Storage` provides browser profiles, without it `profile` is refused.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
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
import * as Chromium from "../../Settings/Chromium.ts"
import { version } from "../../Version.ts"
import * as Detached from "../Detached.ts"
import { withoutMemory } from "../Fetch/Fetch.ts"
import { Guard } from "../Fetch/Guard.ts"
import { isAdHost } from "../Html/Boilerplate.ts"
import * as Shares from "../Shares.ts"
import * as Gateway from "./Gateway.ts"
import type { Rendering } from "./Rendering.ts"
import { type Running, start, unavailable } from "./Running.ts"
import * as Tab from "./Tab.ts"
import { bytesOf, type Outcome, visit, withWarning } from "./Visit.ts"

export interface RenderRequest {
  readonly url: string
  /** Whose share of the places it takes. */
  readonly team: string
  readonly rendering: Rendering
  readonly userAgent: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** An address of the site that `headers` were given for, when it is another than `url`'s. */
  readonly headersFor: string | undefined
  readonly acceptLanguage: string | undefined
  /** Milliseconds for everything, waiting for a free place included. */
  readonly timeout: number
  readonly skipTlsVerification: boolean
  readonly blockAds: boolean
  /** Reserves memory for so many bytes of the page and its pictures; the page keeps its place until they have it. */
  readonly reserve?: ((bytes: number) => Effect.Effect<void>) | undefined
  /** Shown in a browser of its own, with what others have kept in it. */
  readonly storage?: StorageRequest | undefined
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

interface Service {
  /** A site that answers 404 or 500 is a page, not a failure. */
  readonly render: (request: RenderRequest) => Effect.Effect<Outcome, RenderFailure>
  /** Whether there is a browser on this machine, or what to do about it. */
  readonly installed: Effect.Effect<Either.Either<string, Chromium.Absent>>
}

const absent = ({ found, todo }: Chromium.Absent) =>
  unavailable(`This needs a browser, and no Chromium is there (${found}). To get one: ${todo}`)

const none: Chromium.Absent = { found: "none was looked for", todo: Chromium.installCommand }

/** Brings back what a browser shows; without a layer there is no browser. */
export class Renderer extends Context.Reference<Renderer>()("sluice/Engine/Render/Renderer", {
  defaultValue: (): Service => ({ render: () => absent(none), installed: Effect.succeed(Either.left(none)) })
}) {}

export interface RendererOptions {
  /** Path of a Chromium; without one it is looked for. */
  readonly chromium?: string | undefined
  /** Chromium's own; pages are strangers' programs. */
  readonly chromiumSandbox?: boolean | undefined
}

/** Pages shown at once, shared by teams; the others wait. */
const places = 4
/** Pages after which a process makes room for a new one. */
const pagesPerBrowser = 200
/** How long a process is kept that nobody uses. */
const idle = "1 minute"
/** What is being done while a page waits for memory. */
const memory = "waiting for memory"

/** Chromium's own name without the word that says nobody is looking, and ours. */
const agentOf = (userAgent: string, mobile: boolean): string => {
  const shown = userAgent.replace("HeadlessChrome", "Chrome")
  const own = mobile
    ? shown.replace(/\([^)]*\)/, "(Linux; Android 10; K)").replace(" Safari/", " Mobile Safari/")
    : shown
  return `${own} Sluice/${version}`
}

const givenAgent = (headers: RenderRequest["headers"]): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "user-agent")?.[1]

export const layer = (options: RendererOptions): Layer.Layer<Renderer, never, Guard> =>
  Layer.scoped(
    Renderer,
    Effect.gen(function* () {
      const guard = yield* Guard
      const storage = yield* Storage
      const gateways = yield* RcMap.make({ lookup: (_: "gateway") => Gateway.make(guard), idleTimeToLive: idle })
      const installed = Effect.sync(() => Chromium.find(options.chromium, process.env.PATH))
      const shares = yield* Shares.ofEngine(places)

      /** Each process has a number; the next request after one was given up takes the next. */
      let generation = 0
      const browsers = yield* RcMap.make({
        lookup: (_: number) =>
          Effect.gen(function* () {
            const executable = yield* Effect.mapError(Effect.flatten(installed), absent)
            const gateway = yield* RcMap.get(gateways, "gateway")
            return { gateway, running: yield* start(executable, options.chromiumSandbox ?? true, gateway) }
          }),
        idleTimeToLive: idle
      })
      const detached = yield* Detached.make
      const giveUp = (number: number) =>
        Effect.suspend(() => {
          if (generation === number) generation += 1
          return RcMap.invalidate(browsers, number)
        })

      const takeOne = Effect.gen(function* () {
        const number = generation
        const { gateway, running } = yield* Effect.tapError(detached(RcMap.get(browsers, number)), () => giveUp(number))
        running.pages += 1
        if (running.pages >= pagesPerBrowser || !running.isAlive()) yield* giveUp(number)
        return { gateway, running, giveUp: giveUp(number), end: running.end }
      })
      // One that ended while nobody used it is not this request's fault.
      const take = Effect.flatMap(takeOne, (taken) => (taken.running.isAlive() ? Effect.succeed(taken) : takeOne))

      /** `onSaved` is called when the scope closes, with a warning where the changes were not saved. */
      const takeOwn = (asked: StorageRequest, onSaved: (warning: string | undefined) => void) =>
        Effect.gen(function* () {
          const kept = yield* storage.open(asked)
          const executable = yield* Effect.mapError(Effect.flatten(installed), absent)
          const gateway = yield* Gateway.make(guard, "single")
          const running = yield* start(executable, options.chromiumSandbox ?? true, gateway, kept.furnish)
          yield* kept.restore(running)
          // A request that fails has changed nothing.
          yield* Effect.addFinalizer((exit) =>
            Exit.isSuccess(exit) ? Effect.map(kept.save(running), onSaved) : Effect.void
          )
          const full = new TooLarge({
            error: "The page stores more than a browser profile may have.",
            code: "SCRAPE_TOO_LARGE"
          })
          const end = Effect.raceFirst(running.end, Effect.zipRight(kept.overflow(running), full))
          return { gateway, running, giveUp: Effect.void, end }
        })

      const inBrowser = (request: RenderRequest, begin: (name: string) => void, deadline: number) => {
        let unsaved: string | undefined
        const onSaved = (warning: string | undefined) => {
          unsaved = warning
        }
        return Effect.gen(function* () {
          const { blockAds, headers = {}, rendering, storage: asked, url } = request
          const { end, gateway, giveUp, running } = yield* asked === undefined ? take : takeOwn(asked, onSaved)
          const own = new URL(url).hostname
          const lost = new Unavailable({
            error: `The browser ended while it showed ${url}. Try again: the next request starts another.`,
            code: "BROWSER_LOST"
          })
          const tab = yield* Tab.open(
            running.browser,
            {
              url,
              gateway,
              userAgent: request.userAgent ?? givenAgent(headers) ?? agentOf(running.userAgent, rendering.mobile),
              mobile: rendering.mobile,
              viewport: rendering.screenshot?.viewport,
              headers,
              headersFor: request.headersFor,
              acceptLanguage: request.acceptLanguage,
              skipTlsVerification: request.skipTlsVerification,
              isUnwanted: (host) => blockAds && host !== own && isAdHost(host),
              isAlone: asked !== undefined
            },
            giveUp
          ).pipe(
            Effect.mapError(() => lost),
            Effect.tapError(() => giveUp),
            // Nobody has had the time to wait until it is known to hang.
            Effect.onInterrupt(() => giveUp)
          )
          begin("loading it")
          const left = Math.max(1, deadline - (yield* Clock.currentTimeMillis))
          return yield* visit(tab, { url, rendering, timeout: left, begin }).pipe(
            Effect.raceFirst(tab.end),
            Effect.raceFirst(end),
            Effect.catchAll(
              (failure): Effect.Effect<never, RenderFailure> =>
                running.isAlive() ? Effect.fail(failure) : Effect.zipRight(giveUp, Effect.fail(lost))
            ),
            // The page is here: it is not lost any more when the browser ends.
            Effect.tap((outcome) => {
              begin(memory)
              return request.reserve?.(bytesOf(outcome)) ?? Effect.void
            })
          )
        }).pipe(
          Effect.scoped,
          Effect.map((outcome) => (unsaved === undefined ? outcome : withWarning(outcome, unsaved)))
        )
      }

      const render = Effect.fn("Renderer.render")((request: RenderRequest) =>
        Effect.suspend(() => {
          const { team, timeout, url } = request
          let doing = "waiting for a free page of the browser"
          const begin = (name: string) => {
            doing = name
          }
          const late = () =>
            doing === memory
              ? withoutMemory(url, timeout)
              : new TimedOut({
                  error: `${url} was not done within ${timeout} ms; what took too long was ${doing}. Raise "timeout" if the site is slow.`,
                  code: "SCRAPE_TIMEOUT"
                })
          return Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.zipRight(
              shares.acquire(team),
              Effect.suspend(() => {
                begin("starting the browser")
                return inBrowser(request, begin, now + timeout)
              })
            ).pipe(Effect.scoped, Effect.timeoutFail({ duration: timeout, onTimeout: late }))
          )
        })
      )
      return { render, installed } satisfies Service
    })
  )

/** Whose, which, and whether it is to have what the page changes. */
export interface StorageRequest {
  readonly team: string
  readonly name: string
  readonly saveChanges: boolean
}

/** One browser's copy. */
export interface Kept {
  /** Puts it where a browser is about to look for it. */
  readonly furnish: (profile: string) => Effect.Effect<void>
  /** Gives the browser what it does not keep by itself. */
  readonly restore: (running: Running) => Effect.Effect<void>
  /** Ends the browser and, where changes are to be saved, keeps what it has. Returns a warning when it cannot keep it. */
  readonly save: (running: Running) => Effect.Effect<string | undefined>
  /** Waits until the browser has written more than it may. */
  readonly overflow: (running: Running) => Effect.Effect<void>
}

interface StorageService {
  /** Has room for the browser as well, until the scope closes. */
  readonly open: (
    request: StorageRequest
  ) => Effect.Effect<Kept, Conflict | InsufficientStorage | RateLimited | Unavailable, Scope.Scope>
}

/** Without a layer nothing is kept. */
export class Storage extends Context.Reference<Storage>()("sluice/Engine/Render/Storage", {
  defaultValue: (): StorageService => ({
    open: ({ name }) =>
      Effect.fail(
        unavailable(`No browser profiles are kept here, ${JSON.stringify(name)} neither. Leave "profile" out.`)
      )
  })
}) {}
