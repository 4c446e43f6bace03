/** Places that teams share: who is served next, what is guaranteed, and that no place is lost. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import fc from "fast-check"
import * as FairQueue from "../../src/Engine/Teams/FairQueue.ts"
import * as Engine from "../../src/Engine.ts"
import { describe, expect, it } from "../It.ts"
import { keys, tempDir } from "../Local.ts"

interface Request {
  readonly team: string
  readonly fiber: Fiber.RuntimeFiber<void>
  readonly end: Deferred.Deferred<void>
}

/** Requests of teams, and in which order they were served. */
const requests = (shares: FairQueue.FairQueue) => {
  const served: Array<string> = []
  const ask = (team: string, name = team) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const work = Effect.zipRight(
        shares.acquire(team),
        Effect.suspend(() => {
          served.push(name)
          return Deferred.await(end)
        })
      )
      const fiber = yield* Effect.fork(Effect.scoped(work))
      yield* Effect.yieldNow({ priority: 1 })
      return { team, fiber, end }
    })
  const finish = ({ end, fiber }: Request) => Effect.zipRight(Deferred.succeed(end, undefined), Fiber.await(fiber))
  return { ask, finish, served }
}

describe("FairQueue", () => {
  it("keep the whole minimum of an idle team with a larger weight free", () => {
    const shares = FairQueue.make({ capacity: 16, teams: 2, weights: new Map([["b", 3]]) })
    while (shares.fits("a")) shares.take("a")
    expect(shares.heldBy("a")).toBe(10)
    for (let n = 0; n < 6; n++) {
      expect(shares.fits("b")).toBe(true)
      shares.take("b")
    }
  })

  it("read the weights of teams, and refuse what is none", () => {
    expect(FairQueue.parseWeights(" other=3, third = 2")).toEqual(
      Either.right(
        new Map([
          ["other", 3],
          ["third", 2]
        ])
      )
    )
    for (const text of ["", "3", "a=", "a=0", "a=1.5", "a=-1", "=2", "a=1001", "a=2,a=3"]) {
      expect(Either.isLeft(FairQueue.parseWeights(text)), text).toBe(true)
    }
  })

  it.scopedLive("have no weight for a team without a key", function* () {
    const start = (weights: string) =>
      Effect.flatMap(tempDir, (dataDir) =>
        Engine.start({ dataDir, keys: Redacted.make(`a/one:${keys.first},b/two:${keys.second}`), weights })
      )
    yield* start("b=3")
    const refused = yield* Effect.flip(start("b=3,c=2"))
    expect(refused).toMatchObject({ _tag: "OptionError", option: "weights", reason: "No key belongs to the team c" })
    expect((yield* Effect.flip(start("b=many"))).message).toContain("like other=3,third=2")
  })

  it.effect("give a place for the time of a piece of work, also when it fails or is interrupted", function* () {
    const shares = FairQueue.make({ capacity: 1, teams: 2 })
    const held = Effect.sync(() => shares.heldBy("a"))
    expect(yield* shares.withPlace("a")(held)).toBe(1)
    yield* Effect.ignore(shares.withPlace("a")(Effect.fail("no")))
    const endless = yield* Effect.fork(shares.withPlace("a")(Effect.never))
    yield* Effect.yieldNow({ priority: 1 })
    const waiting = yield* Effect.fork(shares.withPlace("b")(held))
    yield* Effect.yieldNow({ priority: 1 })
    expect([shares.heldBy("a"), shares.heldBy("b")]).toEqual([1, 0])
    yield* Fiber.interrupt(endless)
    yield* Fiber.join(waiting)
    expect(shares.active()).toBe(0)
  })

  it.effect("serves the single request of a team at once while another team floods", function* () {
    const shares = FairQueue.make({ capacity: 4, teams: 2 })
    const { ask, served } = requests(shares)
    for (let n = 0; n < 20; n++) yield* ask("a")
    expect(served).toEqual(["a", "a", "a"])
    yield* ask("b")
    expect(served).toEqual(["a", "a", "a", "b"])
  })

  it.effect(
    "lends everything while no other team is known, and gives the next place to a team that holds none",
    function* () {
      const { ask, finish, served } = requests(FairQueue.make({ capacity: 4 }))
      const flood = []
      for (let n = 0; n < 20; n++) flood.push(yield* ask("a"))
      yield* ask("b")
      expect(served).toEqual(["a", "a", "a", "a"])
      const [first] = flood
      if (first !== undefined) yield* finish(first)
      yield* Effect.yieldNow({ priority: 1 })
      expect(served).toEqual(["a", "a", "a", "a", "b"])
    }
  )

  it.effect("lets teams alternate at a single place, and serves each of them in order", function* () {
    const { ask, finish, served } = requests(FairQueue.make({ capacity: 1, teams: 3 }))
    const all = new Map<string | undefined, Request>()
    for (let n = 0; n < 6; n++) all.set(`a${n}`, yield* ask("a", `a${n}`))
    for (let n = 0; n < 3; n++) for (const team of ["b", "c"]) all.set(`${team}${n}`, yield* ask(team, `${team}${n}`))
    while (served.length < all.size) {
      const last = all.get(served.at(-1))
      if (last !== undefined) yield* finish(last)
      yield* Effect.yieldNow({ priority: 1 })
    }
    expect(served.join(" ")).toBe("a0 b0 c0 a1 b1 c1 a2 b2 c2 a3 a4 a5")
  })

  it("serves teams by their weights", () => {
    const shares = FairQueue.make({ capacity: 1, teams: 2, weights: new Map([["a", 3]]) })
    const counts: Record<string, number> = {}
    for (let n = 0; n < 400; n++) {
      const [next = ""] = ["a", "b"].sort(shares.compare)
      counts[next] = (counts[next] ?? 0) + 1
      shares.take(next)
      shares.release(next)
    }
    expect(counts).toEqual({ a: 300, b: 100 })
    const wide = FairQueue.make({ capacity: 16, teams: 2, weights: new Map([["a", 3]]) })
    wide.take("a")
    wide.take("b")
    expect([wide.reservedForOthers("a"), wide.reservedForOthers("b")]).toEqual([1, 5])
  })

  it("reserves for the others what they miss of their minimums, whatever came before", () => {
    const weights = new Map([
      ["t1", 3],
      ["t3", 2]
    ])
    const names = ["t0", "t1", "t2", "t3"]
    const weightOf = (team: string) => weights.get(team) ?? 1
    const step = fc.record({ team: fc.constantFrom(...names), isTaken: fc.boolean() })
    const property = fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (teams, steps) => {
      const shares = FairQueue.make({ capacity: 40, teams, weights })
      const held = new Map<string, number>()
      for (const { isTaken, team } of steps) {
        const own = held.get(team) ?? 0
        if (isTaken) shares.take(team)
        else if (own > 0) shares.release(team)
        held.set(team, Math.max(0, own + (isTaken ? 1 : -1)))
        for (const name of names) {
          // Teams with a weight of their own count while they are idle, too.
          const others = names
            .map((other) => [other, held.get(other) ?? 0] as const)
            .filter(([other, count]) => other !== name && (count > 0 || weights.has(other)))
          const idle = Math.max(0, teams - 1 - others.length)
          const sum = others.reduce((all, [other]) => all + weightOf(other), weightOf(name) + idle)
          const minimumOf = (weight: number) => Math.max(1, Math.floor((20 * weight) / sum))
          const missing = others.reduce(
            (all, [other, count]) => all + Math.max(0, minimumOf(weightOf(other)) - count),
            idle * minimumOf(1)
          )
          expect(shares.reservedForOthers(name)).toBe(Math.min(20, missing))
        }
      }
    })
    fc.assert(property, { numRuns: 50 })
  })

  it("guarantees each team its minimum, and lends no more than capacity", () => {
    const team = fc.nat({ max: 5 }).map((n) => `t${n}`)
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant("ask" as const), team }) },
      fc.record({ do: fc.constant("end" as const), at: fc.nat() }),
      fc.record({ do: fc.constant("interrupt" as const), at: fc.nat() })
    )
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 24 }),
      fc.array(step, { maxLength: 120 }),
      (capacity, steps) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const teams = 6
            const shares = FairQueue.make({ capacity, teams })
            const minimum = Math.max(1, Math.floor(Math.floor(capacity / 2) / teams))
            const isGuaranteed = Math.floor(capacity / 2) >= teams
            const running: Array<Request> = []
            const waiting: Array<Request> = []
            const served: Array<Request> = []
            const check = () => {
              expect(shares.active()).toBe(running.length)
              expect(running.length).toBeLessThanOrEqual(capacity)
              // No request waits while a free place fits.
              for (const one of waiting) expect(shares.fits(one.team)).toBe(false)
              if (!isGuaranteed) return
              for (const one of waiting) expect(shares.heldBy(one.team)).toBeGreaterThanOrEqual(minimum)
            }
            for (const one of steps) {
              if (one.do === "ask") {
                const end = yield* Deferred.make<void>()
                const holder: { request?: Request } = {}
                const fiber = yield* Effect.fork(
                  Effect.scoped(
                    Effect.zipRight(
                      shares.acquire(one.team),
                      Effect.suspend(() => {
                        if (holder.request !== undefined) served.push(holder.request)
                        return Deferred.await(end)
                      })
                    )
                  )
                )
                holder.request = { team: one.team, fiber, end }
                waiting.push(holder.request)
              } else {
                const all = one.do === "end" ? running : [...waiting, ...running]
                const request = all[one.at % Math.max(1, all.length)]
                if (request === undefined) continue
                if (one.do === "end") yield* Deferred.succeed(request.end, undefined)
                // Together with a release of another: the place may be handed over in the moment of the interrupt.
                else if (running[0] !== undefined && running[0] !== request) {
                  yield* Deferred.succeed(running[0].end, undefined)
                }
                if (one.do === "interrupt") yield* Fiber.interrupt(request.fiber)
                else yield* Fiber.await(request.fiber)
                for (const list of [running, waiting]) {
                  const at = list.indexOf(request)
                  if (at >= 0) list.splice(at, 1)
                }
                if (one.do === "interrupt" && running[0] !== undefined && (yield* Deferred.isDone(running[0].end))) {
                  yield* Fiber.await(running[0].fiber)
                  running.shift()
                }
              }
              yield* Effect.yieldNow({ priority: 1 })
              yield* Effect.yieldNow({ priority: 1 })
              for (const request of served.splice(0)) {
                const at = waiting.indexOf(request)
                if (at < 0) continue
                // First come, first served within a team.
                expect(waiting.findIndex(({ team }) => team === request.team)).toBe(at)
                waiting.splice(at, 1)
                running.push(request)
              }
              check()
            }
            for (const { fiber } of [...waiting, ...running]) yield* Fiber.interrupt(fiber)
            expect(shares.active()).toBe(0)
            expect([0, 1, 2, 3, 4, 5].map((n) => shares.heldBy(`t${n}`))).toEqual([0, 0, 0, 0, 0, 0])
          })
        )
    )
    return fc.assert(property, { numRuns: 150 })
  })
})
