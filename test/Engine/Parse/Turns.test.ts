import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Pool from "../../../src/Engine/Parse/Pool.ts"
import * as FairQueue from "../../../src/Engine/Teams/FairQueue.ts"

/** Files that run until the test ends them, and the names of those that have started. */
const files = (hasRoom: () => boolean, teams = 1, weights: ReadonlyMap<string, number> = FairQueue.equal) => {
  const turns = Pool.makeTurns(hasRoom, FairQueue.make({ capacity: Pool.maxRunning, teams, weights }))
  const begun: Array<string> = []
  const file = (team: string, name = team) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        Effect.scoped(
          Effect.gen(function* () {
            const turn = yield* turns.take(team)
            begun.push(name)
            yield* Effect.raceFirst(Deferred.await(end), turns.watch(turn))
          })
        )
      )
      yield* Effect.yieldNow()
      return {
        end: Effect.zipRight(Deferred.succeed(end, undefined), Fiber.join(fiber)),
        leave: Fiber.interrupt(fiber)
      }
    })
  return { file, begun }
}

const itBecomesSlow = TestClock.adjust("1 second")

describe("turns", () => {
  it.effect("two files of a team run at once, and the next one starts when one of them ends", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true)
      const first = yield* file("a", "a1")
      yield* file("a", "a2")
      yield* file("a", "a3")
      expect(begun).toEqual(["a1", "a2"])
      yield* first.end
      expect(begun).toEqual(["a1", "a2", "a3"])
    })
  )

  it.effect(
    "the first file of a team waits for nobody: while others start their processes, none of their files is slow yet",
    () =>
      Effect.gen(function* () {
        const { begun, file } = files(() => true, 2)
        yield* file("a")
        yield* file("a")
        yield* file("b", "b1")
        expect(begun).toEqual(["a", "a", "b1"])
        yield* file("b", "b2")
        expect(begun).toEqual(["a", "a", "b1"])
      })
  )

  it.effect(
    "when memory is short, a team leaves the second place to others, whose files then never wait for its own",
    () =>
      Effect.gen(function* () {
        const { begun, file } = files(() => false, 2)
        yield* file("a", "a1")
        yield* file("a", "a2")
        yield* itBecomesSlow
        expect(begun).toEqual(["a1"])
        const other = yield* file("b")
        expect(begun).toEqual(["a1", "b"])
        yield* other.end
        expect(begun).toEqual(["a1", "b"])
      })
  )

  it.effect("a team gets a slot while slow files of several others run", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true, 3)
      for (let n = 0; n < 4; n++) {
        for (const team of ["a", "b"]) yield* file(team)
        yield* itBecomesSlow
      }
      yield* file("c")
      expect(begun.slice(5)).toEqual(["c"])
    })
  )

  it.effect("slow files do not block others", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true)
      yield* file("a", "bomb 1")
      yield* file("a", "bomb 2")
      yield* file("a", "mine")
      yield* file("b", "another's")
      expect(begun).toEqual(["bomb 1", "bomb 2", "another's"])
      yield* itBecomesSlow
      expect(begun).toEqual(["bomb 1", "bomb 2", "another's", "mine"])
    })
  )

  it.effect("at most three files of one team run, and six in total", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true)
      for (let count = 0; count < 5; count += 1) yield* file("a")
      for (let count = 0; count < 4; count += 1) yield* itBecomesSlow
      expect(begun).toEqual(["a", "a", "a"])
      for (let count = 0; count < 5; count += 1) yield* file("b")
      for (let count = 0; count < 4; count += 1) yield* itBecomesSlow
      expect(begun).toEqual(["a", "a", "a", "b", "b", "b"])
      const waiting = yield* file("c")
      yield* itBecomesSlow
      expect(begun).toHaveLength(6)
      yield* waiting.leave
    })
  )

  it.effect("when memory is short, only two run, slow or not", () =>
    Effect.gen(function* () {
      let room = false
      const { begun, file } = files(() => room)
      const first = yield* file("a")
      yield* file("a")
      yield* file("b")
      yield* itBecomesSlow
      expect(begun).toEqual(["a", "a"])
      yield* first.end
      expect(begun).toEqual(["a", "a", "b"])
      room = true
      yield* file("c")
      expect(begun).toEqual(["a", "a", "b", "c"])
    })
  )

  it.effect("a team with many queued files does not push another team's to the end", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true)
      yield* file("a", "a1")
      for (const name of ["a2", "a3", "a4"]) yield* file("a", name)
      const first = yield* file("b", "b1")
      yield* file("b", "b2")
      expect(begun).toEqual(["a1", "a2", "b1"])
      yield* first.end
      yield* itBecomesSlow
      expect(begun).toEqual(["a1", "a2", "b1", "b2", "a3"])
    })
  )

  it.effect("a team of twice the weight goes first when both have as many files running", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true, 2, new Map([["a", 2]]))
      for (const name of ["a1", "b1", "b2", "a2"]) yield* file(name.slice(0, 1), name)
      expect(begun).toEqual(["a1", "b1"])
      yield* itBecomesSlow
      expect(begun).toEqual(["a1", "b1", "a2", "b2"])
    })
  )

  it.effect("an interrupted file, running or queued, frees its slot", () =>
    Effect.gen(function* () {
      const { begun, file } = files(() => true)
      const first = yield* file("a", "a1")
      yield* file("a", "a2")
      const gone = yield* file("a", "a3")
      yield* file("a", "a4")
      yield* gone.leave
      yield* first.leave
      expect(begun).toEqual(["a1", "a2", "a4"])
    })
  )
})
