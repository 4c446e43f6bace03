/** Lifetime and credits of a session, with a real Chromium and a test clock. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as ProfilesFile from "../../../src/Engine/Browser/Profiles.ts"
import * as SeatsFile from "../../../src/Engine/Browser/SessionQuota.ts"
import * as SessionsFile from "../../../src/Engine/Browser/Sessions.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as UsageFile from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { chromium, chromiumSandbox, isMissing } from "../Render/Installed.ts"
import { guard } from "../Scrape/Site.ts"

const { Sessions } = SessionsFile
const { Usage } = UsageFile

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (dataDir) =>
    SessionsFile.layer({ chromium, chromiumSandbox }).pipe(
      Layer.provide(Layer.mergeAll(ProfilesFile.layer(dataDir), SeatsFile.layer({}), guard())),
      Layer.provideMerge(UsageFile.layer),
      Layer.provide(Store.memory),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)

const team = { id: "team", keyId: "key" }

const request = { team, ttl: 600, activityTtl: 60, streamWebView: true }

const credits = Effect.flatMap(Usage, (usage) => usage.months(team.id, false)).pipe(
  Effect.map((months) => months.reduce((sum, { credits }) => sum + credits, 0))
)

describe.skipIf(isMissing)("A session", () => {
  it.scoped.skipIf(skipsLong)(
    "ends when it is not used, and its links say why",
    layer,
    function* () {
      const sessions = yield* Sessions
      const session = yield* sessions.open(request)
      yield* TestClock.adjust("50 seconds")
      session.touch()
      yield* TestClock.adjust("50 seconds")
      expect(yield* sessions.list(team.id)).toEqual([session])
      expect(sessions.unlock("watch", session.secrets.watch)).toEqual({ _tag: "Open", session })
      yield* TestClock.adjust("10 seconds")
      expect(yield* session.ended).toBe("inactive")
      expect(sessions.unlock("watch", session.secrets.watch)).toEqual({
        _tag: "Over",
        ending: "inactive",
        streamWebView: true
      })
      expect((yield* Effect.flip(sessions.find(team.id, session.id))).message).toContain("it was not used")
      // Plain data: a function would keep the browser's objects for as long as the session is known.
      const ended = structuredClone(yield* sessions.ended(team.id))
      expect(ended).toEqual([expect.objectContaining({ id: session.id, lastActivity: session.lastActivity() })])
      expect((yield* Effect.flip(sessions.find("another", session.id)))._tag).toBe("NotFound")
      yield* session.end("deleted")
      expect(yield* Effect.either(session.devtools.root.call("Browser.getVersion"))).toMatchObject({ _tag: "Left" })
    },
    180_000
  )

  it.scoped.skipIf(skipsLong)(
    "ends when its ttl is over, and costs two credits for each minute begun",
    layer,
    function* () {
      const sessions = yield* Sessions
      const session = yield* sessions.open({ ...request, ttl: 150, activityTtl: 3600 })
      expect(yield* credits).toBe(2)
      yield* TestClock.adjust("59 seconds")
      expect(yield* credits).toBe(2)
      yield* TestClock.adjust("1 seconds")
      expect(yield* credits).toBe(4)
      yield* TestClock.adjust("60 seconds")
      expect(yield* credits).toBe(6)
      yield* TestClock.adjust("30 seconds")
      expect(yield* session.ended).toBe("expired")
      yield* session.end("deleted")
      yield* TestClock.adjust("10 minutes")
      expect(yield* credits).toBe(6)
    },
    180_000
  )
})
