/** Turns: one fiber at a time, also where waiting ones are interrupted. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Turns from "../../src/Callback/Turns.ts"
import { describe, expect, scoped } from "../It.ts"

const within = (turns: Turns.Turns, work: Effect.Effect<unknown>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(turns.take(restore), Effect.ensuring(restore(work), Effect.sync(turns.release)))
  )

describe("turns", () => {
  scoped("are taken one after the other, in order", function* () {
    const turns = Turns.make()
    const seen: Array<string> = []
    const work = (name: string) =>
      within(
        turns,
        Effect.sync(() => seen.push(`${name} begins`)).pipe(
          Effect.zipRight(Effect.yieldNow()),
          Effect.zipRight(Effect.sync(() => seen.push(`${name} ends`)))
        )
      )
    yield* Effect.forEach(["a", "b", "c"], work, { concurrency: "unbounded" })
    expect(seen).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  scoped("pass over fibers that are interrupted while they wait, and as they get the turn", function* () {
    const turns = Turns.make()
    const gate = yield* Deferred.make<void>()
    const holder = yield* Effect.fork(within(turns, Deferred.await(gate)))
    yield* Effect.yieldNow()
    const early = yield* Effect.fork(within(turns, Effect.never))
    const late = yield* Effect.fork(within(turns, Effect.never))
    const last = yield* Effect.fork(within(turns, Effect.void))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(early)
    // The turn is handed to this one, which is interrupted before it runs again.
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.interruptFork(late)
    yield* Fiber.join(holder)
    yield* Fiber.await(late)
    yield* Fiber.join(last)
    yield* within(turns, Effect.void)
  })
})
