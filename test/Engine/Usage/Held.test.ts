/** Calls that want credits while others hold them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Usage.layerWith({ every: 5, teams: new Map() }).pipe(
      Layer.provide(Store.layer(folder)),
      Layer.provide(NodeContext.layer)
    )
  )
)

const team = { id: "team", keyId: "key" }

it.scoped.skipIf(skipsLong)(
  "a call waits for credits that another call releases, then gets 429, and 402 when they are used up",
  layer,
  function* () {
    const usage = yield* Usage.Usage
    const release = yield* Deferred.make<void>()
    const other = yield* Effect.fork(usage.within(team, 5, Deferred.await(release)))
    yield* Effect.yieldNow()
    const late = yield* Effect.fork(Effect.flip(usage.within(team, 2, Effect.void)))
    yield* TestClock.adjust("11 seconds")
    expect(yield* Fiber.join(late)).toMatchObject({ _tag: "RateLimited", code: "CREDITS_HELD" })
    const next = yield* Effect.fork(usage.within(team, 2, usage.charge(team, "scrape", 4)))
    yield* TestClock.adjust("1 second")
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(other)
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(next)
    expect(yield* Effect.flip(usage.within(team, 2, Effect.void))).toMatchObject({ code: "INSUFFICIENT_CREDITS" })
  }
)
