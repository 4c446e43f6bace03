/** The two page sources: HTTP, which returns the response as it is, and a browser, which returns the rendered page. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import { isEmptyFrame, showsWord } from "../../Html/Extract.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetch } from "../Fetch/Fetch.ts"
import type { LoginSession } from "../Fetch/Logins.ts"
import type { Conditions } from "../Fetch/Validators.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import type { Renderer } from "../Render/Renderer.ts"
import * as Rendering from "../Render/Rendering.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { withFrames } from "./Frames.ts"
import type { Plan } from "./Plan.ts"
import { refreshOf } from "./Refresh.ts"
import { isRefusal } from "./Route.ts"
import type { ScrapeFailure, ScrapeTarget } from "./ScrapedPage.ts"

/** A target with its validated options. */
export interface ScrapeRequest {
  readonly target: ScrapeTarget
  readonly plan: Plan
  /** Only for plans without a browser. */
  readonly conditions?: Conditions | undefined
  /** Milliseconds; the timeout of the options by default. */
  readonly timeout?: number | undefined
  /** Maximum bytes of a body over HTTP. */
  readonly maxBytes?: number | undefined
  /** Session whose cookies go with requests over HTTP. */
  readonly login?: LoginSession | undefined
}

export interface Services {
  readonly fetch: Context.Tag.Service<typeof Fetch>
  readonly renderer: Context.Tag.Service<typeof Renderer>
  /** Memory of large pages. */
  readonly room: PageMemory.MemoryPool
}

/** Warning for a page that needs scripts, when none were run. */
export const emptyFrame =
  "The page is an empty frame that a script fills in, and scripts are not run here: only what the server sent was read."

const notRendered =
  "The address is a file, which browsers do not render: it was fetched without screenshot, actions, waiting and profile."

/** Fetches over HTTP, and once more through the fallback proxy if the site refuses the first request. */
const overHttp = (
  { conditions, login, maxBytes, plan: { options, route }, target }: ScrapeRequest,
  { fetch }: Services,
  timeout: number
) => {
  const { url, headersFor, userAgent } = target
  const { headers, skipTlsVerification } = options
  const { acceptLanguage, fallback, proxy, session } = route
  const request = {
    url,
    userAgent,
    headers,
    headersFor,
    timeout,
    skipTlsVerification,
    acceptLanguage,
    proxy,
    session,
    conditions,
    maxBytes,
    login,
    refreshOf
  }
  if (fallback === undefined) return fetch.get(request)
  return Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const [release, first] = yield* Effect.withEarlyRelease(fetch.get(request))
    const left = begun + timeout - (yield* Clock.currentTimeMillis)
    if (!isRefusal(first.statusCode) || left <= 0) return first
    yield* release
    return yield* fetch.get({ ...request, proxy: fallback, timeout: left })
  })
}

const hostOf = (url: string): string => (canParse(url) ? new URL(url).host : "")

const leftOf = (deadline: number) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(1, deadline - now))

/** Renders in a browser. Files are fetched over HTTP instead, because browsers do not render them. */
const inBrowser = (
  { login, plan, target }: ScrapeRequest,
  rendering: Rendering.Rendering,
  sources: Services,
  deadline: number
) =>
  Effect.gen(function* () {
    const { options, route } = plan
    const reservation = yield* sources.room.open({ team: target.teamId, host: hostOf(target.url) })
    const outcome = yield* sources.renderer.render({
      url: target.url,
      team: target.teamId,
      rendering,
      userAgent: target.userAgent,
      headers: options.headers,
      headersFor: target.headersFor,
      acceptLanguage: route.acceptLanguage,
      proxy: route.proxy === undefined ? undefined : { pool: route.proxy, session: route.session },
      timeout: yield* leftOf(deadline),
      skipTlsVerification: options.skipTlsVerification,
      blockAds: options.blockAds,
      reserve: (bytes) => (bytes > PageMemory.uncountedSize ? reservation.grow(bytes) : Effect.void),
      profile: rendering.profile === undefined ? undefined : { team: target.teamId, ...rendering.profile }
    })
    if (outcome._tag === "Page") return { ...outcome.fetched, shown: outcome.shown } satisfies Fetched
    const fetched = yield* overHttp({ target, plan, login }, sources, yield* leftOf(deadline))
    return { ...fetched, shown: { warning: notRendered } } satisfies Fetched
  })

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Status of an answer to a conditional request, without a body. */
export const notModified = 304

/** Maximum bytes of an empty frame; larger bodies are not even decoded to check. */
const maxFrame = 256 * 1024
/** Bytes after which most pages have shown their first word. */
const beginning = 4096

const isFrame = ({ body, headers, statusCode, url }: Fetched): boolean => {
  if (body.byteLength > maxFrame) return false
  const type = headers["content-type"]
  const kind = kindOf(type, statusCode >= 400 ? "/" : new URL(url).pathname, body)
  if (kind._tag !== "Html" || showsWord(Buffer.from(body.subarray(0, beginning)).toString("latin1"))) return false
  return isEmptyFrame(decodeText(body, type).text)
}

/** Uses a browser if the plan needs one, or if the response is an empty frame that scripts would fill; otherwise HTTP. */
export const uncached = (services: Services): PageSource<ScrapeRequest, ScrapeFailure> => ({
  get: (request) =>
    Effect.gen(function* () {
      const { plan } = request
      const { timeout = plan.options.timeout } = request
      const deadline = (yield* Clock.currentTimeMillis) + timeout
      if (plan.rendering !== undefined) return yield* inBrowser(request, plan.rendering, services, deadline)
      const fetched = yield* Effect.flatMap(overHttp(request, services, timeout), (page) =>
        withFrames(page, (url) => {
          const { headersFor = request.target.url } = request.target
          const frame = {
            plan,
            target: { ...request.target, url, headersFor },
            maxBytes: request.maxBytes,
            login: request.login
          }
          return Effect.flatMap(leftOf(deadline), (left) => overHttp(frame, services, left))
        })
      )
      const isCurrent = request.conditions !== undefined && fetched.statusCode === notModified
      if (isCurrent || !isFrame(fetched)) return fetched
      const frame = (why: string): Fetched => ({ ...fetched, shown: { warning: `${emptyFrame} ${why}` } })
      const installed = yield* services.renderer.installed
      const scripts = { ...Rendering.scriptsOnly, profile: Rendering.loginProfile(plan.options) }
      if (Either.isLeft(installed)) return frame(`To run them, install a browser: ${installed.left.todo}`)
      return yield* Effect.catchAll(inBrowser(request, scripts, services, deadline), ({ message }) =>
        Effect.succeed(frame(message))
      )
    })
})
