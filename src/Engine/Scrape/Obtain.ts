/** Where a page comes from: over HTTP, as it is sent, or from a browser, as it is shown. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NotImplemented } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../Html/Charset.ts"
import { isEmptyFrame, showsWord } from "../Html/Extract.ts"
import type { Renderer } from "../Render/Renderer.ts"
import type { Fetch, Fetched } from "./Fetch.ts"
import { kindOf } from "./Kind.ts"
import type { Plan } from "./Plan.ts"
import * as Rendering from "./Rendering.ts"
import * as Room from "./Room.ts"
import { isTurnedAway } from "./Route.ts"
import type { ScrapeTarget } from "./Scraper.ts"

export interface Sources {
  readonly fetch: Context.Tag.Service<typeof Fetch>
  readonly renderer: Context.Tag.Service<typeof Renderer>
  /** Memory of large pages. */
  readonly room: Room.Room
}

/** Where scripts are needed and were not run. */
export const emptyFrame =
  "The page is an empty frame that a script fills in, and scripts are not run here: only what the server sent was read."

const notShown =
  "The address is a file, which no browser shows: it was read without screenshot, actions, waiting and profile."

/** As the site sends it. */
const sent = (target: ScrapeTarget, { options, route }: Plan, { fetch }: Sources, timeout: number) => {
  const { url, headersFor, userAgent } = target
  const { headers, skipTlsVerification } = options
  const { acceptLanguage, fallback, proxy } = route
  const request = {
    url,
    userAgent,
    headers,
    headersFor,
    timeout,
    skipTlsVerification,
    acceptLanguage,
    proxy
  }
  if (fallback === undefined) return fetch.get(request)
  return Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const first = yield* fetch.get(request)
    const left = begun + timeout - (yield* Clock.currentTimeMillis)
    return isTurnedAway(first.statusCode) && left > 0
      ? yield* fetch.get({ ...request, proxy: fallback, timeout: left })
      : first
  })
}

const hostOf = (url: string): string => (canParse(url) ? new URL(url).host : "")

const leftOf = (deadline: number) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(1, deadline - now))

/** As a browser shows it; a file is left to those who read files. */
const rendered = (
  target: ScrapeTarget,
  plan: Plan,
  rendering: Rendering.Rendering,
  sources: Sources,
  deadline: number
) =>
  Effect.gen(function* () {
    const { options, route } = plan
    if (route.proxy !== undefined) {
      return yield* new NotImplemented({
        error: `A browser goes out directly, and this request goes through the proxy "${route.proxy}". Leave "proxy" and "location.country" out, or what needs a browser: screenshot, actions, waitFor, mobile, profile.`,
        code: "NOT_IMPLEMENTED"
      })
    }
    const place = yield* sources.room.open({ team: target.teamId, host: hostOf(target.url) })
    const outcome = yield* sources.renderer.render({
      url: target.url,
      team: target.teamId,
      rendering,
      userAgent: target.userAgent,
      headers: options.headers,
      headersFor: target.headersFor,
      acceptLanguage: route.acceptLanguage,
      timeout: yield* leftOf(deadline),
      skipTlsVerification: options.skipTlsVerification,
      blockAds: options.blockAds,
      reserve: (bytes) => (bytes > Room.small ? place.grow(bytes) : Effect.void),
      storage: rendering.profile === undefined ? undefined : { team: target.teamId, ...rendering.profile }
    })
    if (outcome._tag === "Page") return { ...outcome.fetched, shown: outcome.shown } satisfies Fetched
    const fetched = yield* sent(target, plan, sources, yield* leftOf(deadline))
    return { ...fetched, shown: { warning: notShown } } satisfies Fetched
  })

/** Bytes: a frame is small, and what is large is not even made text of to see. */
const maxFrame = 256 * 1024
/** Most pages have a word so soon. */
const beginning = 4096

const isFrame = ({ body, headers, statusCode, url }: Fetched): boolean => {
  if (body.byteLength > maxFrame) return false
  const type = headers["content-type"]
  const kind = kindOf(type, statusCode >= 400 ? "/" : new URL(url).pathname, body)
  if (kind._tag !== "Html" || showsWord(decodeText(body.subarray(0, beginning), type).text)) return false
  return isEmptyFrame(decodeText(body, type).text)
}

/** The page as its site gives it; it has its place in memory until the scope closes. */
export const obtain = (target: ScrapeTarget, plan: Plan, sources: Sources) =>
  Effect.gen(function* () {
    const deadline = (yield* Clock.currentTimeMillis) + plan.options.timeout
    if (plan.rendering !== undefined) return yield* rendered(target, plan, plan.rendering, sources, deadline)
    const fetched = yield* sent(target, plan, sources, plan.options.timeout)
    if (!isFrame(fetched)) return fetched
    const frame = (why: string): Fetched => ({ ...fetched, shown: { warning: `${emptyFrame} ${why}` } })
    const installed = yield* sources.renderer.installed
    if (Either.isLeft(installed)) return frame(`To have them run, install a browser: ${installed.left.todo}`)
    return yield* Effect.catchAll(rendered(target, plan, Rendering.plain, sources, deadline), ({ message }) =>
      Effect.succeed(frame(message))
    )
  })
