/** Handlers of group `browser`: open, list and end browser sessions, run code in them, and sign in to sites. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import type {
  CreateSession,
  Execute as ExecutePayload,
  ListQuery,
  SignIn,
  sessionStatuses
} from "../../Api/BrowserSession.ts"
import { Api } from "../../Api.ts"
import * as Cdp from "../Browser/Cdp.ts"
import { Execute } from "../Browser/Execute.ts"
import { Profiles } from "../Browser/Profiles.ts"
import { type Session, type SessionState, Sessions, stateOf } from "../Browser/Sessions.ts"
import { Logins } from "../Fetch/Logins.ts"
import { Listener } from "../Http/Server.ts"
import { origin } from "./JobAnswer.ts"

const socketOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) => NodeHttpServerRequest.toIncomingMessage(request).socket
)

/** Address of the engine for browsers and programs of this machine. An engine without a port begins to listen on a free one. */
const loopback = Effect.flatMap(Listener, ({ baseUrl }) => Effect.orDie(baseUrl))

/** Base URL of a session's links: the engine's address as the caller wrote it, or `loopback` for a caller in this process. */
const linkOrigin = Effect.gen(function* () {
  const { localPort } = yield* socketOf
  return localPort === undefined ? yield* loopback : yield* origin
})

/** A session as the response shows it: with its secret links, which give access without a key. */
const shown = (session: Session, origin: string) => {
  const { expiresAt, id, secrets, streamWebView } = session
  return {
    id,
    cdpUrl: `${origin.replace(/^http/, "ws")}${Cdp.pathOf(secrets.cdp)}`,
    liveViewUrl: streamWebView ? `${origin}/live/${secrets.watch}` : undefined,
    interactiveLiveViewUrl: streamWebView ? `${origin}/live/${secrets.interact}` : undefined,
    expiresAt: new Date(expiresAt).toISOString()
  }
}

const create = ({ activityTtl = 300, profile, streamWebView = true, ttl = 600 }: CreateSession) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const team = yield* Team
    const session = yield* sessions.open({
      team,
      ttl,
      activityTtl,
      streamWebView,
      profile: profile === undefined ? undefined : { name: profile.name, saveChanges: profile.saveChanges ?? true }
    })
    return { success: true, ...shown(session, yield* linkOrigin) }
  })

/** A session as an entry of a list. */
const listed = (
  status: (typeof sessionStatuses)[number],
  { createdAt, expiresAt, id, lastActivity, streamWebView, warning }: SessionState
) => ({
  id,
  status,
  streamWebView,
  createdAt: new Date(createdAt).toISOString(),
  lastActivity: new Date(lastActivity).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
  warning
})

const list = ({ status = "active" }: ListQuery) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { id } = yield* Team
    const from = yield* linkOrigin
    if (status === "destroyed") {
      return { success: true, sessions: (yield* sessions.ended(id)).map((session) => listed(status, session)) }
    }
    const open = yield* sessions.list(id)
    return { success: true, sessions: open.map((one) => ({ ...shown(one, from), ...listed(status, stateOf(one)) })) }
  })

const find = (id: string) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return yield* sessions.find((yield* Team).id, id)
  })

const remove = (id: string) =>
  Effect.gen(function* () {
    const session = yield* find(id)
    yield* session.end("deleted")
    return { success: true, warning: session.warning() }
  })

/** Address of the engine for programs on this machine, because the caller may have used the address of a reverse proxy. */
const ownAddress = Effect.gen(function* () {
  const { localAddress = "127.0.0.1", localPort } = yield* socketOf
  if (localPort === undefined) return (yield* loopback).replace(/^http/, "ws")
  const host = localAddress.replace(/^::ffff:/, "")
  return `ws://${host.includes(":") ? `[${host}]` : host}:${localPort}`
})

const execute = (id: string, { code, language = "node", timeout = 30 }: ExecutePayload) =>
  Effect.gen(function* () {
    const { run } = yield* Execute
    const session = yield* find(id)
    const cdpUrl = `${yield* ownAddress}${Cdp.pathOf(session.secrets.cdp)}`
    return { success: true, ...(yield* run(session, { code, language, timeout, cdpUrl })) }
  })

const signIn = ({ keep = false, name, ...recipe }: SignIn) =>
  Effect.gen(function* () {
    const { open } = yield* Logins
    const { id } = yield* Team
    return { success: true, cookies: yield* open({ team: id, name, recipe, keeps: keep }) }
  })

/** Removes a temporary login. A login that is kept stays; `sluice profile rm` removes it. */
const signOut = (name: string) =>
  Effect.gen(function* () {
    const { isTemporary } = yield* Logins
    const { remove } = yield* Profiles
    const { id } = yield* Team
    if (yield* isTemporary(id, name)) yield* Effect.ignore(remove(id, name))
    return { success: true }
  })

export const handlers = HttpApiBuilder.group(Api, "browser", (group) =>
  group
    .handle("create", ({ payload }) => create(payload))
    .handle("list", ({ urlParams }) => list(urlParams))
    .handle("delete", ({ path }) => remove(path.id))
    .handle("signIn", ({ payload }) => signIn(payload))
    .handle("signOut", ({ path }) => signOut(path.id))
    .handle("execute", ({ path, payload }) => execute(path.id, payload))
)
