/** Live view of a session (`/live/{secret}`): its page, its files, and the WebSocket of each viewer. */
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
import { safely } from "../../Callback.ts"
import * as Page from "../../Web/Live/Page.ts"
import type { FromEngine, Mode } from "../../Web/Live/Protocol.ts"
import * as Serving from "../../Web/Serving.ts"
import { ofPage } from "../../Web/Serving.ts"
import * as Detached from "../Detached.ts"
import { Unsent } from "../Unsent.ts"
import * as Upgrade from "../Upgrade.ts"
import { type Ending, type Found, type Session, Sessions } from "./Sessions.ts"
import * as Viewer from "./Viewer.ts"
import * as ViewSession from "./ViewSession.ts"

/** The address of a page is its secret: it is kept by nobody and told to nobody. */
const respond = (body: string, contentType: string, status = 200) =>
  HttpServerResponse.text(body, { status, contentType, headers: ofPage })

export const page = (html: string, status = 200) => respond(html, "text/html; charset=utf-8", status)

const built = Serving.bundle({ folder: "Live", script: "Main.ts", style: "Live.css", name: "live-view" })

/** Made when somebody asks for the first of them. */
export const make = Effect.map(Effect.cached(built), (built) => ({
  script: Effect.map(built, ({ script }) => respond(script, "text/javascript; charset=utf-8")),
  style: Effect.map(built, ({ style }) => respond(style, "text/css; charset=utf-8")),
  icon: respond(Page.favicon, "image/svg+xml")
}))

/** People at one link: those who only look on leave room for those who steer. */
const maxViewers = 32
/** Bytes of one message: the longest is a text to paste. */
const maxMessage = 512 * 1024
/** A browser that was reloaded finds what it left. */
const linger = "3 seconds"

const reasons: Readonly<Record<Ending, string>> = {
  deleted: "It was closed by whoever opened it.",
  closed: "A program has closed its browser.",
  expired: "Its time is over.",
  inactive: "Nobody has used it for a while.",
  crashed: "Its browser has crashed.",
  spent: "It has loaded as much as one session may.",
  credits: "The credits of its team are used up.",
  stopped: "The service that ran it was stopped."
}

/** Which of the two links it is, and where it leads. */
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
  Page.over("This link leads nowhere", "There is no session behind it, or it ended some time ago."),
  404
)
const watching = page(Page.live("watch"))
const steering = page(Page.live("interact"))
const over = (ending: Ending) => page(Page.over("This session has ended", reasons[ending]), 410)

/** What HTTP asks for below `/live`. */
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
        if (link.found._tag === "Over") return over(link.found.ending)
        return link.mode === "watch" ? watching : steering
      })
    )
  })
)

const secretOf = (url = ""): string | undefined => /^\/live\/([\w-]{16,64})\/socket$/.exec(url)?.[1]

/** A page of another site has another origin; a program that has none uses `cdpUrl`. */
const isOwnPage = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin !== undefined && host !== undefined && canParse(origin) && new URL(origin).host === host.toLowerCase()

const send = (ws: WebSocket, message: FromEngine) => ws.send(JSON.stringify(message))

/** Upgrades below `/live`: lets people in for as long as the scope is open. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const upgrades = yield* Upgrade.Upgrades
    const run = yield* FiberSet.makeRuntime<never, void>()
    const stages = yield* RcMap.make({
      lookup: (session: Session) => ViewSession.make(session),
      idleTimeToLive: linger
    })
    const detached = yield* Detached.make
    const unsent = yield* Unsent
    const server = Upgrade.webSocketServer(maxMessage)
    const viewers = { watch: new Map<Session, number>(), interact: new Map<Session, number>() }

    const enter = (secret: string, request: IncomingMessage) => {
      if (!isOwnPage(request)) {
        return new Forbidden({ error: "Only the page of the link may connect here.", code: "ORIGIN_REFUSED" })
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
        if (now > maxViewers) return ws.close(1013, `${maxViewers} people have opened this link already`)
        const stage = yield* detached(RcMap.get(stages, session))
        yield* Viewer.serve(ws, mode, session, stage, yield* unsent.open(session.team.id, ws))
      }).pipe(Effect.scoped)

    const serve = (secret: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
      Effect.gen(function* () {
        const { mode, session } = yield* enter(secret, request)
        const ws = yield* Upgrade.handshake(server, request, socket, head)
        const over = Effect.map(session.ended, (ending) => {
          send(ws, { type: "end", text: reasons[ending] })
          ws.close(1000)
        })
        yield* Effect.raceFirst(
          // When the browser does not answer any more, the reason follows at once.
          Effect.catchAll(show(ws, mode, session), () => Effect.never),
          over
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              ws.close(1001)
              setTimeout(
                safely(() => ws.terminate()),
                500
              ).unref()
            })
          )
        )
      }).pipe(Upgrade.guarded(socket, "Somebody at a live view"))

    yield* upgrades.add((request, socket, head) => {
      const secret = secretOf(request.url)
      if (secret === undefined || !Upgrade.isWebSocket(request)) return false
      run(serve(secret, request, socket, head))
      return true
    })
  })
)
