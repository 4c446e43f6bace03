/** Numbers of sessions per team. */

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as SessionQuota from "../../../src/Engine/Browser/SessionQuota.ts"
import { Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import { describe, expect, it } from "../../It.ts"

const layer = (
  browserSessions: number,
  teams: number,
  weights: ReadonlyMap<string, number> = new Map(),
  perKey?: number
) =>
  Layer.provide(
    SessionQuota.layer({ browserSessions, browserSessionsPerKey: perKey }),
    Layer.succeed(Teams, { teams, weights })
  )

/** Opens sessions of a team until one is refused. */
const openAll = (id: string, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const quota = yield* SessionQuota.SessionQuota
    for (let count = 0; ; count++) {
      // Long after each other: the memory of the last one is known.
      const opened = yield* Effect.either(Scope.extend(quota.take({ id, keyId: `k${count}` }, count * 60_000), scope))
      if (opened._tag === "Left") return { count, refused: opened.left }
    }
  })

describe("Seats", () => {
  it.scoped(
    "leave a session to every other team, however many keys and sessions one team has",
    layer(4, 2),
    function* () {
      const scope = yield* Effect.scope
      const flood = yield* openAll("a", scope)
      expect(flood.count).toBe(3)
      expect(flood.refused).toMatchObject({ _tag: "RateLimited", code: "TOO_MANY_SESSIONS" })
      expect(flood.refused.message).toContain("This team has 3 browser sessions open")
      expect((yield* openAll("b", scope)).count).toBe(1)
    }
  )

  it.scoped("are kept free for a team by its weight", layer(8, 2, new Map([["b", 3]])), function* () {
    const scope = yield* Effect.scope
    expect((yield* openAll("a", scope)).count).toBe(5)
    expect((yield* openAll("b", scope)).count).toBe(3)
  })

  it.scoped(
    "of a key have a limit of their own, which scrapes with a profile do not share",
    layer(4, 1, undefined, 1),
    function* () {
      const { take } = yield* SessionQuota.SessionQuota
      yield* take({ id: "a", keyId: "one" }, 0)
      const second = yield* Effect.flip(take({ id: "a", keyId: "one" }, 60_000))
      expect(second.message).toContain("This key has 1 browser sessions open")
      yield* take({ id: "a" }, 120_000)
      yield* take({ id: "a" }, 180_000)
      yield* take({ id: "a", keyId: "two" }, 240_000)
    }
  )

  it.scoped("are all the only team's, and come back when they are given back", layer(4, 1), function* () {
    const scope = yield* Scope.make()
    expect((yield* openAll("a", scope)).count).toBe(4)
    yield* Scope.close(scope, Exit.void)
    expect((yield* openAll("b", yield* Effect.scope)).count).toBe(4)
  })
})
