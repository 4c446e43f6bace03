/** The two page sources: HTTP, which returns the response unchanged, and a browser, which returns the rendered page. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isFailure } from "../../Api/Errors.ts"
import { hostOf } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetch } from "../Fetch/Fetch.ts"
import type { LoginSession } from "../Fetch/Logins.ts"
import type { Conditions } from "../Fetch/Validators.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import type { Renderer } from "../Render/Renderer.ts"
import * as Rendering from "../Render/Rendering.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { type Held, orFailure, type Work } from "../Teams/Work.ts"
import { withFrames } from "./Frames.ts"
import type { Plan } from "./Plan.ts"
import { refreshOf } from "./Refresh.ts"
import { isRefusal } from "./Route.ts"
import type { ScrapeTarget } from "./ScrapedPage.ts"

/** A target with its validated options. */
export interface ScrapeRequest {
  readonly target: ScrapeTarget
  readonly plan: Plan
  /** Validators for a conditional request. Only for plans without a browser. */
  readonly conditions?: Conditions | undefined
  /** Milliseconds until the request fails. Default: the timeout in the options. */
  readonly timeout?: number | undefined
  /** Maximum bytes of a body over HTTP. */
  readonly maxBytes?: number | undefined
  /** Session whose cookies are sent with HTTP requests. */
  readonly login?: LoginSession | undefined
}

export interface Services {
  readonly fetch: Context.Tag.Service<typeof Fetch>
  readonly renderer: Context.Tag.Service<typeof Renderer>
  /** Memory pool for large pages. */
  readonly room: PageMemory.MemoryPool
}

/** Warning for an empty frame, a page without content that its scripts would fill, when no scripts were run. */
export const emptyFrame =
  "The page is an empty shell that a script fills in, and scripts are not run here: only the HTML from the server was read."

const withoutBrowser = "it was fetched without a screenshot, actions, waiting or a profile."
const notRendered = `The address is a file, which browsers do not render: ${withoutBrowser}`
const passwordWanted = `The address asks for a name and a password, and browsers show no page then: ${withoutBrowser}`

/** Fetches over HTTP. If the site refuses, tries once more through the fallback proxy. */
const overHttp = async (
  work: Work,
  { conditions, login, maxBytes, plan: { options, route }, target }: ScrapeRequest,
  { fetch }: Services,
  timeout: number
): Promise<Held<Fetched>> => {
  const { url, headersFor, mayFollow, userAgent } = target
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
    refreshOf,
    mayFollow: login === undefined ? mayFollow : undefined
  }
  const begun = work.now()
  const first = await fetch.open(work, request)
  const left = begun + timeout - work.now()
  if (fallback === undefined || !isRefusal(first.page.statusCode) || left <= 0) return first
  first.release()
  return fetch.open(work, { ...request, proxy: fallback, timeout: left })
}

/** Renders in a browser. Files are fetched over HTTP instead, because browsers do not render them. */
const inBrowser = async (
  work: Work,
  { login, plan, target }: ScrapeRequest,
  rendering: Rendering.Rendering,
  sources: Services,
  leftOf: () => number
): Promise<Held<Fetched>> => {
  const { options, route } = plan
  const { close, reservation } = sources.room.enter({ team: target.teamId, host: hostOf(target.url) }, work.seam.call)
  const render = sources.renderer.render({
    url: target.url,
    team: target.teamId,
    rendering,
    userAgent: target.userAgent,
    headers: options.headers,
    headersFor: target.headersFor,
    acceptLanguage: route.acceptLanguage,
    proxy: route.proxy === undefined ? undefined : { pool: route.proxy, session: route.session },
    timeout: leftOf(),
    skipTlsVerification: options.skipTlsVerification,
    blockAds: options.blockAds,
    reserve: (bytes) => (bytes > PageMemory.uncountedSize ? reservation.grow(bytes) : Effect.void),
    profile: rendering.profile === undefined ? undefined : { team: target.teamId, ...rendering.profile }
  })
  let warning = notRendered
  try {
    const outcome = await work.run(render)
    if (outcome._tag === "Page") return { page: { ...outcome.fetched, shown: outcome.shown }, release: close }
    if (outcome.asksForPassword === true) warning = passwordWanted
  } catch (cause) {
    close()
    throw cause
  }
  close()
  const { page, release } = await overHttp(work, { target, plan, login }, sources, leftOf())
  return { page: { ...page, shown: { warning } }, release }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Status of a bodyless response to a conditional request. */
export const notModified = 304

/** Maximum bytes of an empty frame. Larger bodies are not tested. */
const maxFrame = 256 * 1024
/** Number of bytes at the start within which most pages show their first word. */
const beginning = 4096

const isFrame = async ({ body, headers, statusCode, url }: Fetched): Promise<boolean> => {
  if (body.byteLength > maxFrame) return false
  const type = headers["content-type"]
  const kind = kindOf(type, statusCode >= 400 ? "/" : new URL(url).pathname, body)
  if (kind._tag !== "Html") return false
  const { isEmptyFrame, showsWord } = await import("../../Html/Extract.ts")
  if (showsWord(Buffer.from(body.subarray(0, beginning)).toString("latin1"))) return false
  return isEmptyFrame(decodeText(body, type).text)
}

/** Uses a browser if the plan needs one, or if the response is an empty frame that scripts would fill; otherwise HTTP. */
export const uncached = (services: Services): PageSource<ScrapeRequest, Fetched> => {
  const open = async (work: Work, request: ScrapeRequest): Promise<Held<Fetched>> => {
    const { plan } = request
    const { timeout = plan.options.timeout } = request
    const deadline = work.now() + timeout
    const leftOf = () => Math.max(1, deadline - work.now())
    if (plan.rendering !== undefined) return inBrowser(work, request, plan.rendering, services, leftOf)
    const { page: fetched, release } = await overHttp(work, request, services, timeout)
    try {
      const framed = await withFrames(work, fetched, async (inner, url) => {
        const { headersFor = request.target.url } = request.target
        const { login, maxBytes } = request
        const frame = { plan, target: { ...request.target, url, headersFor, mayFollow: undefined }, maxBytes, login }
        return overHttp(inner, frame, services, leftOf())
      })
      const isCurrent = request.conditions !== undefined && framed.statusCode === notModified
      if (isCurrent || !(await isFrame(framed))) return { page: framed, release }
      const frame = (why: string) => ({ page: { ...framed, shown: { warning: `${emptyFrame} ${why}` } }, release })
      const installed = await work.run(services.renderer.installed)
      if (Either.isLeft(installed)) return frame(`To run them, install a browser: ${installed.left.todo}`)
      const scripts = { ...Rendering.scriptsOnly, profile: Rendering.loginProfile(plan.options) }
      const rendered = await orFailure(inBrowser(work, request, scripts, services, leftOf))
      if (isFailure(rendered)) return frame(rendered.message)
      release()
      return rendered
    } catch (cause) {
      release()
      throw cause
    }
  }
  return { open }
}
