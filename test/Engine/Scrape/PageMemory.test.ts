import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as PageMemory from "../../../src/Engine/Fetch/PageMemory.ts"

const isWaiting = (fiber: Fiber.RuntimeFiber<void>) =>
  Effect.yieldNow().pipe(Effect.repeatN(10), Effect.zipRight(Fiber.poll(fiber)), Effect.map(Option.isNone))

const shares = { capacity: 100, perTeam: 60, perHost: 40 }

describe("the room for bodies", () => {
  it.scoped("lets in what fits; others wait until a body turns out smaller, or is done with", () =>
    Effect.gen(function* () {
      const room = PageMemory.make({ capacity: 100, perTeam: 100, perHost: 100 })
      const owner = { team: "a", host: "x" }
      const first = yield* Scope.make()
      const one = yield* Scope.extend(room.open(owner), first)
      const [two, three] = [yield* room.open(owner), yield* room.open(owner)]
      yield* one.grow(60)
      const second = yield* Effect.fork(two.grow(60))
      expect(yield* isWaiting(second)).toBe(true)
      yield* one.keep(40)
      yield* Fiber.join(second)
      const third = yield* Effect.fork(three.grow(50))
      expect(yield* isWaiting(third)).toBe(true)
      yield* Scope.close(first, Exit.void)
      yield* two.keep(50)
      yield* Fiber.join(third)
    })
  )

  it.scoped("gives nothing to one that gave up waiting", () =>
    Effect.gen(function* () {
      const room = PageMemory.make({ capacity: 100, perTeam: 100, perHost: 100 })
      const owner = { team: "a", host: "x" }
      const [one, two, three] = [yield* room.open(owner), yield* room.open(owner), yield* room.open(owner)]
      yield* one.grow(100)
      const second = yield* Effect.fork(two.grow(100))
      expect(yield* isWaiting(second)).toBe(true)
      yield* Fiber.interrupt(second)
      yield* one.keep(0)
      yield* three.grow(100)
    })
  )

  it.scoped("has shares: one host of a team, and one team, leave room for others", () =>
    Effect.gen(function* () {
      const room = PageMemory.make(shares)
      const open = (team: string, host: string) => room.open({ team, host })
      yield* (yield* open("a", "x")).grow(40)
      const sameHost = yield* Effect.fork((yield* open("a", "x")).grow(10))
      expect(yield* isWaiting(sameHost)).toBe(true)
      yield* (yield* open("a", "y")).grow(20)
      const sameTeam = yield* Effect.fork((yield* open("a", "z")).grow(10))
      expect(yield* isWaiting(sameTeam)).toBe(true)
      yield* (yield* open("b", "x")).grow(20)
      yield* (yield* open("b", "y")).grow(20)
    })
  )

  it.scoped("always lets the eldest body of a team grow, whatever others hold", () =>
    Effect.gen(function* () {
      const room = PageMemory.make(shares)
      for (const team of ["a", "b"]) for (const host of ["x", "y"]) yield* (yield* room.open({ team, host })).grow(25)
      const late = yield* room.open({ team: "c", host: "x" })
      yield* late.grow(30)
      yield* late.grow(30)
    })
  )

  it.scoped("is never full of bodies that wait for each other to grow", () =>
    Effect.gen(function* () {
      const room = PageMemory.make(shares)
      const grow = Effect.gen(function* () {
        const place = yield* room.open({ team: "a", host: "x" })
        for (let step = 0; step < 5; step++) yield* Effect.zipRight(place.grow(10), Effect.yieldNow())
      })
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.scoped(grow), { concurrency: "unbounded" })
    })
  )

  it.scoped("serves the team that holds least first", () =>
    Effect.gen(function* () {
      const room = PageMemory.make({ capacity: 100, perTeam: 90, perHost: 90 })
      const open = (team: string) => room.open({ team, host: team })
      const [first, second] = [yield* open("a"), yield* open("b")]
      yield* first.grow(80)
      yield* second.grow(20)
      const order: Array<string> = []
      const join = (team: string) =>
        Effect.flatMap(open(team), (place) =>
          Effect.fork(
            Effect.zipRight(
              place.grow(10),
              Effect.sync(() => order.push(team))
            )
          )
        )
      yield* join("a")
      yield* join("b")
      yield* Effect.yieldNow().pipe(Effect.repeatN(10))
      yield* first.keep(60)
      yield* Effect.yieldNow().pipe(Effect.repeatN(10))
      expect(order).toEqual(["b", "a"])
    })
  )

  it.scoped("lets the pages of jobs in whatever the team's clients do not read, and holds back its calls", () =>
    Effect.gen(function* () {
      const room = PageMemory.make({ ...shares, unread: 50 })
      const owner = { team: "a", host: "x" }
      const answers = [room.reserve("a", 30), room.reserve("a", 30)]
      expect(room.unreadOf("a")).toBe(60)
      yield* (yield* room.open(owner)).grow(20)
      const call = yield* Scope.make()
      const place = yield* Effect.provideService(room.open(owner), PageMemory.Call, Option.some(call))
      const growing = yield* Effect.fork(place.grow(10))
      const reading = yield* Effect.fork(room.whenRead("a"))
      expect([yield* isWaiting(growing), yield* isWaiting(reading), place.isWaiting()]).toEqual([true, true, true])
      for (const giveBack of [answers[0], answers[0]]) giveBack?.()
      yield* Fiber.join(growing)
      yield* Fiber.join(reading)
      expect([room.unreadOf("a"), place.isWaiting()]).toEqual([30, false])
    })
  )

  it.scoped("keeps the bodies of a call until the call is over, also when their own scopes have closed", () =>
    Effect.gen(function* () {
      const room = PageMemory.make({ ...shares, unread: 50 })
      const call = (scope: Scope.CloseableScope, host: string) =>
        Effect.provideService(room.open({ team: "a", host }), PageMemory.Call, Option.some(scope))
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      yield* Effect.scoped(Effect.flatMap(call(first, "x"), (place) => place.grow(40)))
      const late = yield* call(second, "y")
      const growing = yield* Effect.fork(late.grow(20))
      expect(yield* isWaiting(growing)).toBe(true)
      yield* Scope.close(first, Exit.void)
      yield* Fiber.join(growing)
      yield* Scope.close(second, Exit.void)
      yield* late.grow(200)
    })
  )
})
