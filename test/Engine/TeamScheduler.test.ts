/** Time of the event loop: between teams, for sockets and timers, and for what others wait for. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { vi } from "vitest"
import { nextTurn } from "../../src/Callback/EventLoop.ts"
import { Owner } from "../../src/Engine/Teams/FairQueue.ts"
import * as TeamScheduler from "../../src/Engine/Teams/TeamScheduler.ts"
import { describe, expect, it } from "../It.ts"

/** Milliseconds of the clock that {@link atOwnPace} installs. */
let time = 0

/** Takes so many milliseconds of the event loop, by that clock. */
const spin = (millis: number) =>
  Effect.sync(() => {
    time += millis
  })

const shared = (weights?: ReadonlyMap<string, number>) => Effect.withScheduler(TeamScheduler.make(weights))

/** Lets the scheduler measure by `time`: on a busy machine a fiber that is interrupted by other processes would be charged for them. */
const atOwnPace = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => vi.spyOn(performance, "now").mockImplementation(() => time)),
    () => effect,
    (clock) => Effect.sync(() => clock.mockRestore())
  )

/** Works for a team on many fibers, each of which yields after every millisecond. */
const flood = (team: string, count: () => void) =>
  Effect.forEach(
    Array.from({ length: 40 }),
    () =>
      Effect.fork(
        TeamScheduler.asTeam(team)(
          Effect.forever(Effect.zipRight(Effect.zipRight(spin(1), Effect.sync(count)), Effect.yieldNow()))
        )
      ),
    { discard: true }
  )

const noted = (done: Array<string>, team: string) => () => {
  done.push(team)
}

describe("the event loop", () => {
  it.scopedLive("gives a team with one fiber as much as one with forty", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      yield* flood("a", noted(done, "a"))
      const begun = done.length
      const one = Effect.zipRight(Effect.zipRight(spin(1), Effect.sync(noted(done, "b"))), Effect.yieldNow())
      yield* TeamScheduler.asTeam("b")(Effect.repeatN(one, 19))
      const others = done.slice(begun).filter((team) => team === "a").length
      expect(others).toBeGreaterThan(5)
      expect(others).toBeLessThan(60)
    }).pipe(shared(), atOwnPace)
  )

  it.scopedLive("gives teams time by their weights", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      yield* flood("a", noted(done, "a"))
      yield* flood("b", noted(done, "b"))
      while (done.length < 300) yield* Effect.sleep("1 millis")
      const share = done.filter((team) => team === "a").length / done.length
      expect(share).toBeGreaterThan(0.6)
      expect(share).toBeLessThan(0.9)
    }).pipe(shared(new Map([["a", 3]])), atOwnPace)
  )

  it.scopedLive("hears sockets and timers between ready fibers, however many there are", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      yield* flood("a", noted(done, "a"))
      // Without turns of the event loop the fibers would run on forever, and the timer would never fire.
      const fired = yield* Effect.fork(
        Effect.async<void>((resume) => {
          setTimeout(() => resume(Effect.void), 10)
        })
      )
      let most = 0
      while (fired.unsafePoll() === null) {
        const before = done.length
        yield* nextTurn
        most = Math.max(most, done.length - before)
      }
      // Fibers of a millisecond, in a slice of four.
      expect(most).toBeGreaterThan(0)
      expect(most).toBeLessThanOrEqual(12)
    }).pipe(shared(), atOwnPace)
  )

  it.scopedLive("lets those go first that hold what others wait for", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const held = yield* Deferred.make<void>()
      const of = (name: string) => Effect.fork(Effect.zipRight(Deferred.await(held), Effect.sync(noted(done, name))))
      const late = yield* TeamScheduler.asTeam("a")(of("usual"))
      const first = yield* TeamScheduler.asTeam("a")(TeamScheduler.urgently(of("urgent")))
      yield* Effect.sleep("5 millis")
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.joinAll([late, first])
      expect(done).toEqual(["urgent", "usual"])
    }).pipe(shared())
  )

  it.scopedLive("lets a fiber of another team run between urgent ones, and charges their time to their team", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const urgentOnce = Effect.zipRight(
        Effect.zipRight(spin(2), Effect.sync(noted(done, "urgent"))),
        Effect.yieldNow()
      )
      for (let n = 0; n < 4; n++)
        yield* Effect.fork(TeamScheduler.asTeam("a")(TeamScheduler.urgently(Effect.repeatN(urgentOnce, 50))))
      yield* TeamScheduler.asTeam("b")(Effect.repeatN(Effect.yieldNow(), 10))
      expect(done.length).toBeGreaterThan(0)
      expect(done.length).toBeLessThan(80)
    }).pipe(shared(), atOwnPace)
  )

  it.scopedLive("gives the engine's own work half of the time, whatever the weights of teams", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      yield* flood("a", noted(done, "a"))
      const begun = done.length
      yield* Effect.repeatN(Effect.zipRight(spin(1), Effect.yieldNow()), 19)
      expect(done.length - begun).toBeLessThan(60)
    }).pipe(shared(new Map([["a", 1000]])), atOwnPace)
  )

  it.scopedLive("works for the team that is named, also where nothing is shared", function* () {
    expect(yield* TeamScheduler.asTeam("a")(Owner)).toBe("a")
    expect(yield* Effect.all([TeamScheduler.asTeam("b")(Owner), Owner]).pipe(shared())).toEqual(["b", ""])
  })
})
