/** Schedules in the ledger: a scheduled time is one row, and exactly one of several claims wins. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type { Claim } from "../../src/Schedule/Model.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { expect, scoped } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"

const claim = (scheduledTime: number, more: Partial<Claim> = {}): Claim => ({
  pipeline: "watch",
  scheduledTime,
  due: scheduledTime + 5,
  cause: "schedule",
  status: "waiting",
  overlap: "allow",
  notices: [],
  ...more
})

const registration = (more: Partial<{ pipeline: string; file: string; times: string }> = {}) => ({
  pipeline: "watch",
  file: "/home/me/watch.yaml",
  schedule: "{}",
  times: "0 * * * * UTC",
  ...more
})

describeLedgers("scheduled times", (place) => {
  scoped("are claimed by exactly one of many schedulers", function* () {
    const where = yield* place
    const ledgers = [yield* ledgerIn(where), yield* ledgerIn(where), yield* ledgerIn(where)]
    const stores = ledgers.map(Store.of)
    yield* stores[0]?.register([registration()]) ?? Effect.void
    const carriers = yield* Effect.forEach(stores, ({ acquireLease: carry }) => carry)
    const wanted = Array.from({ length: 120 }, (_, index) => claim(index))
    const won = yield* Effect.forEach(
      carriers.flatMap((carrier) => [carrier, carrier]),
      (carrier) => carrier.claim(wanted),
      { concurrency: "unbounded" }
    )
    expect(
      won
        .flat()
        .map(({ scheduledTime }) => scheduledTime)
        .sort((one, other) => one - other)
    ).toEqual(wanted.map(({ scheduledTime }) => scheduledTime))
    expect(yield* carriers[0]?.claim([claim(7)]) ?? Effect.void).toEqual([])
  })

  scoped("are started, retried, ended and found only by the scheduler that has them", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    const [one, other] = [yield* schedules.acquireLease, yield* schedules.acquireLease]
    const which = { pipeline: "watch", scheduledTime: 60 }
    yield* one.claim([claim(60)])
    expect(yield* other.start({ ...which, runId: "r0", alone: false })).toBe(false)
    yield* TestClock.adjust("10 millis")
    expect(yield* one.start({ ...which, runId: "r1", alone: false })).toBe(true)
    expect(yield* schedules.find(which)).toEqual({
      ...which,
      due: 65,
      cause: "schedule",
      status: "running",
      owner: one.owner,
      runId: "r1",
      attempt: 1,
      reason: undefined,
      replacedBy: undefined,
      claimedAt: 0,
      begunAt: 10,
      nextAt: undefined,
      endedAt: undefined
    })
    expect(yield* one.retry(which, { at: 500, reason: "no \0 luck", runId: "r1", counts: true })).toBe(true)
    expect(yield* schedules.find(which)).toMatchObject({ status: "retrying", nextAt: 500, reason: "no \0 luck" })
    expect(yield* one.start({ ...which, runId: "r1", alone: false })).toBe(true)
    const notices = [{ event: "failed", target: 0, body: '{"a":1}' }] as const
    expect(yield* other.end(which, { status: "failed", notices })).toBe(false)
    expect(yield* schedules.notifications.list({ limit: 9 })).toEqual([])
    expect(yield* one.end(which, { status: "failed", reason: "broke", notices })).toBe(true)
    expect(yield* one.end(which, { status: "completed", notices })).toBe(false)
    expect(yield* schedules.occurrences({ limit: 9 })).toMatchObject([{ status: "failed", attempt: 2, endedAt: 10 }])
    expect(yield* schedules.notifications.list({ pipeline: "watch", limit: 9 })).toMatchObject([
      { event: "failed", runId: "r1", scheduledTime: 60, body: '{"a":1}' }
    ])
    expect(yield* other.reclaim(which)).toMatchObject({ status: "waiting", cause: "hand", owner: other.owner })
    expect(yield* one.reclaim(which)).toBeUndefined()
    yield* other.end(which, { status: "completed", notices: [] })
    expect(yield* one.reclaim(which)).toBeUndefined()
  })

  scoped("wait for earlier ones of their pipeline, are skipped, or replace them", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration(), registration({ pipeline: "other" })])
    const carrier = yield* schedules.acquireLease
    const begin = (scheduledTime: number) =>
      carrier.start({ pipeline: "watch", scheduledTime, runId: `r${scheduledTime}`, alone: true })
    yield* carrier.claim([claim(1), claim(2, { overlap: "queue" }), claim(2, { pipeline: "other", overlap: "skip" })])
    expect([yield* begin(2), yield* begin(1)]).toEqual([false, true])
    const [skipped] = yield* carrier.claim([claim(3, { overlap: "skip" })])
    expect(skipped).toMatchObject({
      status: "skipped",
      owner: undefined,
      reason: "the run for 1970-01-01T00:00:00.001Z was still active"
    })
    yield* carrier.claim([claim(4, { overlap: "replace" })])
    expect(
      (yield* schedules.occurrences({ limit: 9, pipeline: "watch" })).map(({ scheduledTime, replacedBy, status }) => [
        scheduledTime,
        status,
        replacedBy
      ])
    ).toEqual([
      [4, "waiting", undefined],
      [3, "skipped", undefined],
      [2, "replaced", 4],
      [1, "running", 4]
    ])
    expect(yield* begin(4)).toBe(false)
    yield* carrier.end({ pipeline: "watch", scheduledTime: 1 }, { status: "replaced", notices: [] })
    expect(yield* begin(4)).toBe(true)
    expect(yield* schedules.find({ pipeline: "other", scheduledTime: 2 })).toMatchObject({ status: "waiting" })
  })

  scoped("that were released, or whose owner is dead, are taken over by one live scheduler", function* () {
    const where = yield* place
    const schedules = Store.of(yield* ledgerIn(where))
    const dead = yield* Scope.make()
    const gone = yield* Scope.extend(schedules.acquireLease, dead)
    const living = [yield* schedules.acquireLease, yield* Store.of(yield* ledgerIn(where)).acquireLease]
    yield* gone.claim([claim(1), claim(2), claim(3, { pipeline: "other" })])
    yield* gone.start({ pipeline: "watch", scheduledTime: 1, runId: "r1", alone: false })
    const all = () => true
    expect(yield* Effect.forEach(living, ({ takeOver }) => takeOver(all))).toEqual([[], []])
    yield* gone.release([{ pipeline: "watch", scheduledTime: 1 }])
    expect(yield* living[0]?.takeOver(all) ?? Effect.void).toMatchObject([
      { scheduledTime: 1, status: "waiting", runId: "r1", owner: living[0]?.owner }
    ])
    yield* Scope.close(dead, Exit.void)
    const taken = yield* Effect.forEach(living, ({ takeOver }) => takeOver(({ pipeline }) => pipeline === "watch"), {
      concurrency: 2
    })
    expect(taken.flat().map(({ scheduledTime }) => scheduledTime)).toEqual([2])
    expect(yield* schedules.leaseHolders).toEqual(new Set(living.map(({ owner }) => owner)))
    expect(yield* living[1]?.takeOver(({ pipeline }) => pipeline === "other") ?? Effect.void).toHaveLength(1)
  })
})

describeLedgers("schedules", (place) => {
  scoped("count from when they were first known, and again after they changed or came back", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    const reached = (more = {}) => Effect.map(schedules.register([registration(more)]), ([one]) => one?.reached)
    yield* TestClock.setTime(1_000)
    expect(yield* reached()).toBe(1_000)
    yield* TestClock.setTime(2_000)
    expect(yield* reached({ file: "/elsewhere.yaml" })).toBe(1_000)
    const carrier = yield* schedules.acquireLease
    yield* carrier.claim([claim(1_500), claim(1_800, { cause: "hand" }), claim(9_000)])
    expect(yield* reached()).toBe(1_500)
    expect(yield* reached({ times: "5 * * * * UTC" })).toBe(2_000)
    yield* TestClock.setTime(3_000)
    yield* schedules.remove(["watch"])
    expect(yield* schedules.list).toMatchObject([{ pipeline: "watch", removedAt: 3_000 }])
    // A file that is swapped for another is away for a moment.
    yield* TestClock.setTime(8_000)
    expect(yield* reached({ times: "5 * * * * UTC" })).toBe(2_000)
    yield* schedules.remove(["watch"])
    yield* TestClock.setTime(68_001)
    expect(yield* reached({ times: "5 * * * * UTC" })).toBe(68_001)
    expect(yield* schedules.list).toMatchObject([{ removedAt: undefined, file: "/home/me/watch.yaml" }])
  })

  scoped("can be paused, and report the result of their last scheduled time", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration()])
    yield* TestClock.setTime(50)
    expect([yield* schedules.pause("watch", "not now"), yield* schedules.pause("nobody", undefined)]).toEqual([
      true,
      false
    ])
    expect(yield* schedules.paused).toEqual(new Map([["watch", 50]]))
    const carrier = yield* schedules.acquireLease
    const notices = [{ event: "missed", target: 0, body: "{}" }] as const
    const paused = yield* carrier.claim([
      claim(60),
      claim(70, { status: "missed", notices }),
      claim(80, { cause: "hand" })
    ])
    expect(paused.map(({ status }) => status)).toEqual(["skipped", "skipped", "waiting"])
    expect(yield* schedules.notifications.list({ limit: 9 })).toEqual([])
    expect(yield* schedules.lastEnded).toEqual(new Map())
    yield* carrier.end({ pipeline: "watch", scheduledTime: 80 }, { status: "budget", notices: [] })
    expect((yield* schedules.lastEnded).get("watch")).toMatchObject({ scheduledTime: 80, status: "budget" })
    yield* schedules.resume("watch")
    expect(yield* schedules.paused).toEqual(new Map())
  })

  scoped("keep the reason and the end of a pause where a later one names none, until the pause is over", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration()])
    const pause = (why?: string, until?: number) =>
      Effect.map(Effect.zipRight(schedules.pause("watch", why, until), schedules.list), ([first]) => [
        first?.pausedAt,
        first?.pausedWhy,
        first?.pausedUntil
      ])
    yield* TestClock.setTime(50)
    expect(yield* pause("not now")).toEqual([50, "not now", undefined])
    expect(yield* pause(undefined, 70)).toEqual([50, "not now", 70])
    expect(yield* pause("holidays")).toEqual([50, "holidays", 70])
    yield* TestClock.setTime(70)
    expect(yield* pause()).toEqual([70, undefined, undefined])
  })

  scoped("skip scheduled times before the end of the pause, whenever it ends", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration()])
    yield* schedules.pause("watch", undefined, 70)
    const carrier = yield* schedules.acquireLease
    const made = yield* carrier.claim([claim(60), claim(70, { overlap: "queue" })])
    expect(made.map(({ scheduledTime, status }) => [scheduledTime, status])).toEqual([
      [60, "skipped"],
      [70, "waiting"]
    ])
  })

  scoped("drop removed pipelines and unclaimed scheduled times, but not active ones", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register(["gone", "paused", "watch"].map((pipeline) => registration({ pipeline })))
    yield* schedules.pause("paused", undefined)
    const living = yield* schedules.acquireLease
    yield* Effect.scoped(
      Effect.flatMap(schedules.acquireLease, ({ claim: make }) => make([claim(20, { pipeline: "gone" })]))
    )
    yield* living.claim([claim(20)])
    yield* TestClock.setTime(100)
    yield* schedules.remove(["gone", "paused"])
    expect(yield* schedules.prune(101)).toBe(1)
    expect((yield* schedules.list).map(({ pipeline }) => pipeline)).toEqual(["paused", "watch"])
    expect((yield* schedules.occurrences({ limit: 9 })).map(({ pipeline }) => pipeline)).toEqual(["watch"])
  })

  scoped("drop old scheduled times, and do not report them as missed afterwards", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration()])
    const carrier = yield* schedules.acquireLease
    const notices = [{ event: "missed", target: 0, body: "{}" }] as const
    yield* carrier.claim([claim(10, { status: "missed", notices }), claim(20), claim(30, { status: "missed" })])
    yield* TestClock.setTime(100)
    expect(yield* schedules.prune(30)).toBe(1)
    expect((yield* schedules.occurrences({ limit: 9 })).map(({ scheduledTime }) => scheduledTime)).toEqual([30, 20])
    // It is still to be sent.
    expect(yield* schedules.notifications.list({ limit: 9 })).toHaveLength(1)
    yield* schedules.prune(60)
    expect(yield* schedules.list).toMatchObject([{ reached: 60 }])
    expect((yield* schedules.occurrences({ status: [], limit: 9 })).length).toBe(0)
  })

  scoped("are due again from now on if a clock that was ahead has deleted old ones", function* () {
    const schedules = Store.of(yield* ledgerIn(yield* place))
    yield* schedules.register([registration()])
    yield* schedules.prune(1_000_000)
    yield* TestClock.setTime(100)
    expect(yield* schedules.list).toMatchObject([{ reached: 100 }])
    expect(yield* schedules.register([registration()])).toMatchObject([{ reached: 100 }])
    yield* TestClock.setTime(200)
    expect(yield* schedules.register([registration()])).toMatchObject([{ reached: 100 }])
  })
})

describeLedgers("notifications", (place) => {
  scoped(
    "are given to one sender at a time, again when it died, and not after they were sent or given up",
    function* () {
      const schedules = Store.of(yield* ledgerIn(yield* place))
      const { notifications: notices } = schedules
      const carrier = yield* schedules.acquireLease
      const event = { event: "missed", target: 0 } as const
      yield* carrier.claim([
        claim(1, {
          status: "missed",
          notices: [
            { ...event, body: "a" },
            { ...event, target: 1, body: "b" }
          ]
        })
      ])
      const taken = yield* Effect.all([notices.take(1, 1_000), notices.take(9, 1_000)], { concurrency: 2 })
      expect(
        taken
          .flat()
          .map(({ body }) => body)
          .sort()
      ).toEqual(["a", "b"])
      expect(yield* notices.take(9, 1_000)).toEqual([])
      const [first, second] = taken.flat()
      yield* notices.sent(first?.id ?? "")
      yield* TestClock.setTime(1_000)
      expect(yield* notices.take(9, 1_000)).toMatchObject([{ id: second?.id, attempts: 2 }])
      yield* notices.failed(second?.id ?? "", "503", 5_000)
      yield* TestClock.setTime(4_999)
      expect(yield* notices.take(9, 1_000)).toEqual([])
      yield* TestClock.setTime(5_000)
      expect(yield* notices.take(9, 1_000)).toMatchObject([{ attempts: 3, error: "503" }])
      yield* notices.failed(second?.id ?? "", "gone", undefined)
      yield* TestClock.setTime(20_000)
      expect(yield* notices.take(9, 1_000)).toEqual([])
      const ends = (yield* notices.list({ limit: 9 })).map(({ gaveUpAt, id, sentAt }) => [id, sentAt, gaveUpAt])
      expect(ends).toContainEqual([first?.id, 0, undefined])
      expect(ends).toContainEqual([second?.id, undefined, 5_000])
    }
  )
})
