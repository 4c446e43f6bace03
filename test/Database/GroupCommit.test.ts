/** Group commit: concurrent writes become one, and every caller gets the result of its write. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { nextTurn } from "../../src/Callback/EventLoop.ts"
import * as GroupCommit from "../../src/Database/GroupCommit.ts"
import { describe, expect, live } from "../It.ts"

describe("a group commit", () => {
  live("writes all items that arrived during the write before it", function* () {
    const groups: Array<ReadonlyArray<number>> = []
    const begun = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const put = GroupCommit.make<number, never>((items) => {
      groups.push(items)
      return Effect.zipRight(Deferred.succeed(begun, undefined), items.includes(0) ? Deferred.await(gate) : Effect.void)
    })
    const one = yield* Effect.fork(put(0))
    yield* Deferred.await(begun)
    const others = yield* Effect.fork(Effect.forEach([1, 2, 3], put, { concurrency: "unbounded", discard: true }))
    yield* Effect.yieldNow()
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(one)
    yield* Fiber.join(others)
    expect(groups).toEqual([[0], [1, 2, 3]])
    yield* put(4)
    expect(groups.at(-1)).toEqual([4])
  })

  live("returns once its own item is written, however many come meanwhile", function* () {
    const gate = yield* Deferred.make<void>()
    const put = GroupCommit.make<number, never>((items) =>
      items.includes(0) ? Effect.zipRight(Effect.forkDaemon(late), Effect.yieldNow()) : Deferred.await(gate)
    )
    const late: Effect.Effect<void> = Effect.suspend(() => put(1))
    yield* put(0)
    const last = yield* Effect.fork(put(2))
    yield* Effect.yieldNow()
    expect(last.unsafePoll()).toBeNull()
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(last)
  })

  live("fails for all items in it, but not for later ones", function* () {
    let fails = true
    const put = GroupCommit.make<number, string>(() => (fails ? Effect.fail("no room") : Effect.void))
    const results = yield* Effect.forEach([1, 2], (n) => Effect.either(put(n)), { concurrency: "unbounded" })
    expect(results.map((result) => result._tag)).toEqual(["Left", "Left"])
    fails = false
    yield* put(3)
  })

  live("fails for all items of a write that throws, and later ones are written", function* () {
    let fails = true
    const put = GroupCommit.make<number, never>(() => {
      if (fails) throw new Error("broken")
      return Effect.void
    })
    const results = yield* Effect.forEach([1, 2], (n) => Effect.exit(put(n)), { concurrency: "unbounded" })
    expect(results.map((result) => result._tag)).toEqual(["Failure", "Failure"])
    fails = false
    yield* put(3)
  })

  live("completes although its callers are interrupted", function* () {
    const written: Array<number> = []
    const begun = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const put = GroupCommit.make<number, never>((items) =>
      Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Deferred.await(gate)),
        Effect.zipRight(Effect.sync(() => written.push(...items)))
      )
    )
    const fiber = yield* Effect.fork(Effect.forEach([1, 2], put, { concurrency: "unbounded" }))
    yield* Deferred.await(begun)
    yield* Fiber.interruptFork(fiber)
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.await(fiber)
    expect(written).toEqual([1, 2])
  })

  live("waits while more items are expected, and no longer", function* () {
    const groups: Array<ReadonlyArray<number>> = []
    const write = (items: ReadonlyArray<number>) => Effect.sync(() => groups.push(items))
    let expected = 2
    const put = GroupCommit.make<number, never>(write, { longest: 60_000, expectsMore: () => expected > 0 })
    const one = yield* Effect.fork(put(1))
    yield* nextTurn
    expected = 1
    const two = yield* Effect.fork(put(2))
    yield* nextTurn
    yield* nextTurn
    expect(groups).toEqual([])
    expected = 0
    yield* put(3)
    yield* Fiber.join(one)
    yield* Fiber.join(two)
    expect(groups).toEqual([[1, 2, 3]])
  })

  live("looks again when an item that was expected will not come", function* () {
    const groups: Array<ReadonlyArray<number>> = []
    let expected = 1
    const put = GroupCommit.make<number, never>((items) => Effect.sync(() => groups.push(items)), {
      longest: 60_000,
      expectsMore: () => expected > 0
    })
    const one = yield* Effect.fork(put(1))
    yield* nextTurn
    yield* nextTurn
    put.look()
    expect(groups).toEqual([])
    expected = 0
    put.look()
    yield* Fiber.join(one)
    expect(groups).toEqual([[1]])
  })

  live("waits no longer than it may for items that do not come", function* () {
    const groups: Array<ReadonlyArray<number>> = []
    const write = (items: ReadonlyArray<number>) => Effect.sync(() => groups.push(items))
    yield* GroupCommit.make<number, never>(write, { longest: 1, expectsMore: () => true })(1)
    expect(groups).toEqual([[1]])
  })
})
