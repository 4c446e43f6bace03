/** Group `browser`: opens sessions, names them, ends them (spec 4.3). */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import type { CreateSession } from "../../Api/Browser.ts"
import { NotImplemented } from "../../Api/Errors.ts"
import { Api } from "../../Api.ts"
import { orDie, origin } from "../Jobs/Answer.ts"
import * as Cdp from "./Cdp.ts"
import type { Session } from "./Session.ts"
import { Sessions } from "./Sessions.ts"

/** A session as its owner sees it: its links are as good as the key, for this session. */
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
    return { success: true, ...shown(session, yield* origin) }
  }).pipe(orDie)

const list = Effect.gen(function* () {
  const sessions = yield* Effect.zipWith(Sessions, Team, ({ list }, { id }) => list(id)).pipe(Effect.flatten)
  const from = yield* origin
  return { success: true, sessions: sessions.map((session) => shown(session, from)) }
})

const find = (id: string) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return yield* sessions.find((yield* Team).id, id)
  }).pipe(orDie)

const remove = (id: string) =>
  Effect.gen(function* () {
    yield* (yield* find(id)).end("deleted")
    return { success: true }
  })

const execute = (id: string) =>
  Effect.zipRight(
    find(id),
    new NotImplemented({ error: "This engine does not run code in sessions yet.", code: "NOT_IMPLEMENTED" })
  )

export const handlers = HttpApiBuilder.group(Api, "browser", (group) =>
  group
    .handle("create", ({ payload }) => create(payload))
    .handle("list", () => list)
    .handle("delete", ({ path }) => remove(path.id))
    .handle("execute", ({ path }) => execute(path.id))
)
