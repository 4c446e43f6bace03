import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as PageMemory from "../../../src/Engine/Teams/PageMemory.ts"
import { describe, expect, it } from "../../It.ts"
import { reserved } from "../Alone.ts"

const isWaiting = (fiber: Fiber.RuntimeFiber<void>) =>
  Effect.yieldNow().pipe(Effect.repeatN(10), Effect.zipRight(Fiber.poll(fiber)), Effect.map(Option.isNone))

const shares = { capacity: 100, perTeam: 60, perHost: 40 }

describe("the memory pool of bodies", () => {
  it.scoped("grants what fits; others wait until a body turns out smaller, or is released", function* () {
    const pool = PageMemory.make({ capacity: 100, perTeam: 100, perHost: 100 })
    const owner = { team: "a", host: "x" }
    const first = yield* Scope.make()
    const one = yield* Scope.extend(reserved(pool, owner), first)
    const [two, three] = [yield* reserved(pool, owner), yield* reserved(pool, owner)]
    yield* one.grow(60)
    const second = yield* Effect.fork(two.grow(60))
    expect(yield* isWaiting(second)).toBe(true)
    one.keep(40)
    yield* Fiber.join(second)
    const third = yield* Effect.fork(three.grow(50))
    expect(yield* isWaiting(third)).toBe(true)
    yield* Scope.close(first, Exit.void)
    two.keep(50)
    yield* Fiber.join(third)
  })

  it.scoped("grants nothing to an interrupted wait", function* () {
    const pool = PageMemory.make({ capacity: 100, perTeam: 100, perHost: 100 })
    const owner = { team: "a", host: "x" }
    const [one, two, three] = [yield* reserved(pool, owner), yield* reserved(pool, owner), yield* reserved(pool, owner)]
    yield* one.grow(100)
    const second = yield* Effect.fork(two.grow(100))
    expect(yield* isWaiting(second)).toBe(true)
    yield* Fiber.interrupt(second)
    one.keep(0)
    yield* three.grow(100)
  })

  it.scoped("has shares: one host of a team, and one team, leave memory for others", function* () {
    const pool = PageMemory.make(shares)
    const open = (team: string, host: string) => reserved(pool, { team, host })
    yield* (yield* open("a", "x")).grow(40)
    const sameHost = yield* Effect.fork((yield* open("a", "x")).grow(10))
    expect(yield* isWaiting(sameHost)).toBe(true)
    yield* (yield* open("a", "y")).grow(20)
    const sameTeam = yield* Effect.fork((yield* open("a", "z")).grow(10))
    expect(yield* isWaiting(sameTeam)).toBe(true)
    yield* (yield* open("b", "x")).grow(20)
    yield* (yield* open("b", "y")).grow(20)
  })

  it.scoped("always lets the oldest body of a team grow, whatever others hold", function* () {
    const pool = PageMemory.make(shares)
    for (const team of ["a", "b"])
      for (const host of ["x", "y"]) yield* (yield* reserved(pool, { team, host })).grow(25)
    const late = yield* reserved(pool, { team: "c", host: "x" })
    yield* late.grow(30)
    yield* late.grow(30)
  })

  it.scoped("never deadlocks on bodies that grow step by step", function* () {
    const pool = PageMemory.make(shares)
    const grow = Effect.gen(function* () {
      const reservation = yield* reserved(pool, { team: "a", host: "x" })
      for (let step = 0; step < 5; step++) yield* Effect.zipRight(reservation.grow(10), Effect.yieldNow())
    })
    yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.scoped(grow), { concurrency: "unbounded" })
  })

  it.scoped("serves the team that holds least first", function* () {
    const pool = PageMemory.make({ capacity: 100, perTeam: 90, perHost: 90 })
    const open = (team: string) => reserved(pool, { team, host: team })
    const [first, second] = [yield* open("a"), yield* open("b")]
    yield* first.grow(80)
    yield* second.grow(20)
    const order: Array<string> = []
    const join = (team: string) =>
      Effect.flatMap(open(team), (reservation) =>
        Effect.fork(
          Effect.zipRight(
            reservation.grow(10),
            Effect.sync(() => order.push(team))
          )
        )
      )
    yield* join("a")
    yield* join("b")
    yield* Effect.yieldNow().pipe(Effect.repeatN(10))
    first.keep(60)
    yield* Effect.yieldNow().pipe(Effect.repeatN(10))
    expect(order).toEqual(["b", "a"])
  })

  it.scoped("admits pages of jobs however much the team's clients leave unread, and delays its calls", function* () {
    const pool = PageMemory.make({ ...shares, unread: 50 })
    const owner = { team: "a", host: "x" }
    const answers = [pool.reserve("a", 30), pool.reserve("a", 30)]
    expect(pool.unreadOf("a")).toBe(60)
    yield* (yield* reserved(pool, owner)).grow(20)
    const call = yield* Scope.make()
    const reservation = yield* Effect.provideService(reserved(pool, owner), PageMemory.Call, Option.some(call))
    const growing = yield* Effect.fork(reservation.grow(10))
    const reading = yield* Effect.fork(pool.whenRead("a"))
    expect([yield* isWaiting(growing), yield* isWaiting(reading), reservation.isWaiting()]).toEqual([true, true, true])
    for (const giveBack of [answers[0], answers[0]]) giveBack?.()
    yield* Fiber.join(growing)
    yield* Fiber.join(reading)
    expect([pool.unreadOf("a"), reservation.isWaiting()]).toEqual([30, false])
  })

  it.scoped(
    "keeps the bodies of a call reserved until the call ends, even after their own scopes have closed",
    function* () {
      const pool = PageMemory.make({ ...shares, unread: 50 })
      const call = (scope: Scope.CloseableScope, host: string) =>
        Effect.provideService(reserved(pool, { team: "a", host }), PageMemory.Call, Option.some(scope))
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      yield* Effect.scoped(Effect.flatMap(call(first, "x"), (reservation) => reservation.grow(40)))
      const late = yield* call(second, "y")
      const growing = yield* Effect.fork(late.grow(20))
      expect(yield* isWaiting(growing)).toBe(true)
      yield* Scope.close(first, Exit.void)
      yield* Fiber.join(growing)
      yield* Scope.close(second, Exit.void)
      yield* late.grow(200)
    }
  )
})
