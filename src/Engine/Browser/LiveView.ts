/** Live view of a browser session (`/live/{secret}`): the HTML page, its script and style, and the WebSocket of each viewer. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import type { WebSocket } from "ws"
import { Forbidden, Gone, NotFound } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { after } from "../../Callback.ts"
import * as Page from "../../Web/Live/Page.ts"
import type { FromEngine, Mode } from "../../Web/Live/Protocol.ts"
import * as Serving from "../../Web/Serving.ts"
import { ofPage } from "../../Web/Serving.ts"
import * as Upgrade from "../Http/Upgrade.ts"
import * as DetachedScope from "../Teams/DetachedScope.ts"
import { SocketBacklog } from "../Teams/SocketBacklog.ts"
import { type Ending, type Found, type Session, Sessions } from "./Sessions.ts"
import * as Viewer from "./Viewer.ts"
import * as ViewSession from "./ViewSession.ts"

/** The URL of the page contains a secret, so headers forbid caching it and sending it as the referrer. */
const respond = (body: string, contentType: string, status = 200) =>
  HttpServerResponse.text(body, { status, contentType, headers: ofPage })

export const page = (html: string, status = 200) => respond(html, "text/html; charset=utf-8", status)

const built = Serving.bundle({ folder: "Live", script: "Main.ts", style: "Live.css", name: "live-view" })

/** Script and style of the page, bundled at the first request. */
export const make = Effect.map(Effect.cached(built), (built) => ({
  script: Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8")),
  style: Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8")),
  icon: respond(Page.favicon, "image/svg+xml")
}))

/**
 * Maximum viewers of one link. A session has one link to watch and one to interact, counted separately, so that watchers do not lock out
 * those who may interact.
 */
const maxViewers = 32
/** Maximum bytes of one message; the longest one is pasted text. */
const maxMessage = 512 * 1024
/** Time for which the state shared by the viewers of a session outlives the last viewer, for example while the page reloads. */
const idleTimeToLive = "3 seconds"

const reasons: Readonly<Record<Ending, string>> = {
  deleted: "It was deleted.",
  closed: "A program has closed its browser.",
  expired: "Its time is over.",
  inactive: "It was not used for a while.",
  crashed: "Its browser has crashed.",
  spent: "It has reached the limit of what one session may load.",
  credits: "The credits of its team are used up.",
  stopped: "The service that ran it was stopped."
}

/** Finds the session of a link, and whether the link permits to watch or to interact. Undefined if the session has no live view. */
const unlock = (
  { unlock }: { readonly unlock: (way: Mode, secret: string) => Found | undefined },
  secret: string
): { readonly mode: Mode; readonly found: Found } | undefined => {
  for (const mode of ["watch", "interact"] as const) {
    const found = unlock(mode, secret)
    if (found === undefined) continue
    return (found._tag === "Open" ? found.session : found).streamWebView ? { mode, found } : undefined
  }
  return undefined
}

const unknown = page(
  Page.over("This link is not valid", "It does not belong to a session, or its session ended some time ago."),
  404
)
const watchPage = page(Page.live("watch"))
const interactivePage = page(Page.live("interact"))
const endPage = (ending: Ending) => page(Page.over("This session has ended", reasons[ending]), 410)

/** HTTP routes below `/live`. */
export const routes = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const files = yield* make
    yield* router.get("/live/page.js", files.script)
    yield* router.get("/live/page.css", files.style)
    yield* router.get("/live/icon.svg", Effect.succeed(files.icon))
    yield* router.get(
      "/live/:secret",
      Effect.map(HttpRouter.params, ({ secret = "" }) => {
        const link = unlock(sessions, secret)
        if (link === undefined) return unknown
        if (link.found._tag === "Over") return endPage(link.found.ending)
        return link.mode === "watch" ? watchPage : interactivePage
      })
    )
  })
)

const secretOf = (url = ""): string | undefined => /^\/live\/([\w-]{16,64})\/socket$/.exec(url)?.[1]

/** True for a connection from the engine's own page. Pages of other sites have another origin, and programs send none. */
const isOwnPage = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin !== undefined && host !== undefined && canParse(origin) && new URL(origin).host === host.toLowerCase()

const send = (ws: WebSocket, message: FromEngine) => ws.send(JSON.stringify(message))

/** Accepts WebSockets of viewers below `/live` for as long as the scope is open. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const upgrades = yield* Upgrade.Upgrades
    const run = yield* FiberSet.makeRuntime<never, void>()
    const viewSessions = yield* RcMap.make({
      lookup: (session: Session) => ViewSession.make(session),
      idleTimeToLive: idleTimeToLive
    })
    const detached = yield* DetachedScope.make
    const unsent = yield* SocketBacklog
    const server = Upgrade.webSocketServer(maxMessage)
    const viewers = { watch: new Map<Session, number>(), interact: new Map<Session, number>() }

    const authenticate = (secret: string, request: IncomingMessage) => {
      if (!isOwnPage(request)) {
        return new Forbidden({
          error: "Only the engine's own live view page may connect here.",
          code: "ORIGIN_REFUSED"
        })
      }
      const link = unlock(sessions, secret)
      if (link === undefined) return new NotFound({ error: "Browser session not found", code: "SESSION_NOT_FOUND" })
      return link.found._tag === "Open"
        ? Effect.succeed({ mode: link.mode, session: link.found.session })
        : new Gone({ error: `The session has ended. ${reasons[link.found.ending]}`, code: "SESSION_GONE" })
    }

    const count = (session: Session, mode: Mode, by: 1 | -1) => {
      const now = (viewers[mode].get(session) ?? 0) + by
      if (now === 0) viewers[mode].delete(session)
      else viewers[mode].set(session, now)
      return now
    }

    const show = (ws: WebSocket, mode: Mode, session: Session) =>
      Effect.gen(function* () {
        const now = yield* Effect.acquireRelease(
          Effect.sync(() => count(session, mode, 1)),
          () => Effect.sync(() => count(session, mode, -1))
        )
        if (now > maxViewers)
          return ws.close(1013, `${maxViewers} viewers have already opened this link, which is the limit`)
        const viewSession = yield* detached(RcMap.get(viewSessions, session))
        yield* Viewer.serve(ws, mode, session, viewSession, yield* unsent.open(session.team.id, ws))
      }).pipe(Effect.scoped)

    const serve = (secret: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
      Effect.gen(function* () {
        const { mode, session } = yield* authenticate(secret, request)
        const ws = yield* Upgrade.handshake(server, request, socket, head)
        const endPage = Effect.map(session.ended, (ending) => {
          send(ws, { type: "end", text: reasons[ending] })
          ws.close(1000)
        })
        yield* Effect.raceFirst(
          // The browser no longer responds, so the session ends in a moment; wait for its reason.
          Effect.catchAll(show(ws, mode, session), () => Effect.never),
          endPage
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              ws.close(1001)
              after(500, () => ws.terminate()).unref()
            })
          )
        )
      }).pipe(Upgrade.guarded(socket, "A viewer of a session"))

    yield* upgrades.add((request, socket, head) => {
      const secret = secretOf(request.url)
      if (secret === undefined || !Upgrade.isWebSocket(request)) return false
      run(serve(secret, request, socket, head))
      return true
    })
  })
)
