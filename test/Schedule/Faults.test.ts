/** Faults around the scheduler: it loses no scheduled time, and reports them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { LedgerError } from "../../src/Ledger/LedgerErrors.ts"
import { Ledger } from "../../src/Ledger.ts"
import { Schedule as Definition, lastScheduledTime } from "../../src/Pipeline/Schedule.ts"
import { dueNow } from "../../src/Schedule/Due.ts"
import * as Store from "../../src/Schedule/Store.ts"
import * as Schedule from "../../src/Schedule.ts"
import { run } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { summary } from "../Project.ts"
import { close, eventually, failure, history, make, memory, type Opened, settle, timed, until } from "./World.ts"

const at = (time: string) =>
  Effect.gen(function* () {
    yield* until(time)
    return { world: yield* make, ledger: yield* memory }
  })

const schedule = Schema.decodeUnknownSync(Definition)

describe("a ledger that fails", () => {
  it.scoped.skipIf(skipsLong)("half-way through a folder does not keep its pipelines from running", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      const names = Array.from({ length: 201 }, (_, index) => `watch-${String(index).padStart(3, "0")}`)
      for (const name of names) world.write(name, 'cron: "0 * * * *"')
      let calls = 0
      const schedules = Store.of(ledger)
      yield* world.serve(ledger, undefined, {
        ...schedules,
        register: (some) =>
          ++calls === 2
            ? new LedgerError({ place: "here", doing: "changing schedules", reason: "the disk is full" })
            : schedules.register(some)
      })
      yield* until("2026-01-05T09:59:02Z")
      yield* eventually(() => world.news.filter(({ _tag }) => _tag === "Added").length === names.length)
      yield* until("2026-01-05T10:00:00Z")
      yield* eventually(() => world.ran.length === names.length)
      expect(new Set(world.ran.map(({ pipeline }) => pipeline)).size).toBe(names.length)
    })
  )
})

describe("a definition that is added or changed while the scheduler runs", () => {
  it.scoped("is known by the time that it is reported", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:50:00Z")
      const crons: Array<string | undefined> = []
      const scheduler: Schedule.Scheduler = yield* world.serve(ledger, {
        onEvent: () => {
          crons.push(scheduler.definition("watch")?.frame.schedule?.cron)
        }
      })
      world.write("watch", 'cron: "0 * * * *"')
      yield* until("2026-01-05T09:51:00Z")
      yield* eventually(() => crons.length === 1)
      world.write("watch", 'cron: "30 * * * *"')
      yield* until("2026-01-05T09:52:00Z")
      yield* eventually(() => crons.length === 2)
      expect(crons).toEqual(["0 * * * *", "30 * * * *"])
    })
  )
})

describe("an unexpected fault", () => {
  it.scoped("of one definition is reported as an error of its file, and the others run", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("strange", 'cron: "0 * * * *"')
      world.write("watch", 'cron: "0 * * * *"')
      const load: typeof world.runner.load = (file) =>
        file.includes("strange") ? Effect.die(new Error("out of its mind")) : world.runner.load(file)
      yield* world.serve(ledger, { runner: { ...world.runner, load } })
      yield* until("2026-01-05T10:00:00Z")
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
      expect(world.news).toContainEqual(
        expect.objectContaining({ _tag: "Broken", message: expect.stringContaining("out of its mind") })
      )
    })
  )

  it.scoped("at a tick is reported, and the same scheduled times are tried again", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 * * * *"')
      let faults = 0
      const carry = Effect.map(Store.of(ledger).acquireLease, (carrier) => ({
        ...carrier,
        claim: (claims: Parameters<typeof carrier.claim>[0]) =>
          faults++ === 0 ? Effect.die("out of its mind") : carrier.claim(claims)
      }))
      yield* world.serve(ledger, undefined, { ...Store.of(ledger), acquireLease: carry })
      yield* until("2026-01-05T10:00:00Z")
      yield* until("2026-01-05T10:00:02Z")
      expect(world.news).toContainEqual({ _tag: "Trouble", message: "internal error of sluice: out of its mind" })
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )
})

describe("a definition", () => {
  it.scoped("that is replaced while it is due loses no run", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:55Z")
      world.write("watch", 'cron: "0 * * * *"')
      yield* world.serve(ledger)
      world.remove("watch.yaml")
      yield* until("2026-01-05T09:59:57Z")
      yield* eventually(() => world.news.some(({ _tag }) => _tag === "Removed"))
      yield* until("2026-01-05T10:00:01Z")
      world.write("watch", 'cron: "0 * * * *"')
      for (let second = 3; second < 60 && world.ran.length === 0; second += 2) {
        yield* until(`2026-01-05T10:00:${String(second).padStart(2, "0")}Z`)
      }
      yield* settle
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it("with a jitter longer than a thousand intervals runs its scheduled times in order", () => {
    const entry = {
      pipeline: "watch",
      file: "watch.yaml",
      schedule: schedule({ cron: "* * * * *", jitter: "24h", catchUp: "none" }),
      checked: undefined,
      broken: undefined
    }
    const start = Date.parse("2026-01-05T00:00:00Z")
    let reached = start
    let missed = 0
    for (let now = start + 17 * 3_600_000; now < start + 50 * 3_600_000; now += 3 * 3_600_000) {
      const due = dueNow({ ...entry, reached }, now, 3_600_000)
      // A claim ends the wait.
      if (due.claims.length > 0) expect(due.reached).toBeGreaterThan(reached)
      missed += due.claims.filter(({ status }) => status === "missed").length
      reached = due.reached
    }
    expect(reached).toBeGreaterThan(start + 20 * 3_600_000)
    expect(missed).toBeLessThan(50 * 60)
  })
})

describe("retries", () => {
  it.scoped("are not used up by an orderly stop", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.work = ({ runId }) =>
        world.ran.length <= 2
          ? Effect.scoped(ledger.open(run(runId))).pipe(Effect.ignore, Effect.zipRight(Effect.never))
          : world.ran.length === 3
            ? Effect.fail(failure(runId, "HttpError", "no"))
            : Effect.succeed(summary(runId))
      world.write("watch", 'cron: "0 * * * *", retry: { times: 1, after: 1m }')
      for (const [index, time] of ["10:00:00", "10:10:00"].entries()) {
        const scope = yield* Scope.make()
        yield* Scope.extend(world.serve(ledger, { grace: 0 }), scope)
        yield* until(`2026-01-05T${time}Z`)
        yield* eventually(() => world.ran.length === index + 1)
        yield* close(scope)
      }
      yield* world.serve(ledger)
      yield* until("2026-01-05T10:30:00Z")
      yield* until("2026-01-05T10:32:00Z")
      yield* eventually(() => world.ran.length === 4)
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )
})

describe("a run that is active elsewhere", () => {
  it.scoped("is waited for without creating the next run again and again", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:59Z")
      world.write("watch", 'cron: "0 * * * *", overlap: queue')
      let made = 0
      const runner: Schedule.Runner = {
        ...world.runner,
        run: (task) => {
          made++
          return world.runner.run(task)
        }
      }
      yield* world.serve(ledger, { runner })
      const other = yield* Store.of(ledger).acquireLease
      const which = { pipeline: "watch", scheduledTime: Date.parse("2026-01-05T09:30:00Z") }
      const claim = { ...which, due: which.scheduledTime, notices: [], overlap: "queue", cause: "schedule" } as const
      yield* other.claim([{ ...claim, status: "waiting" }])
      yield* other.start({ ...which, runId: "elsewhere", alone: true })
      for (let second = 0; second < 60; second += 5) {
        yield* until(`2026-01-05T10:00:${String(second).padStart(2, "0")}Z`)
      }
      expect(made).toBe(1)
      yield* other.end(which, { status: "completed", notices: [] })
      yield* until("2026-01-05T10:01:00Z")
      expect(made).toBe(2)
      expect(yield* history(ledger, "watch")).toEqual(["09:30 completed", "10:00 completed"])
    })
  )
})

describe("a manual run of a scheduled time", () => {
  const prepared = Effect.gen(function* () {
    const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
    world.write("watch", 'cron: "0 * * * *"')
    const checked = yield* world.runner.load(`${world.folder}/watch.yaml`)
    const scheduledTime = Date.parse("2026-01-05T08:00:00Z")
    const start = (opened: Opened) =>
      Schedule.runAt({ checked, scheduledTime, runner: world.runner }).pipe(
        Effect.provideService(Ledger, opened),
        Effect.provide(NodeContext.layer)
      )
    return { ledger, world, scheduledTime, start, go: start(ledger) }
  })

  it.scoped("does not wait for the next retry, and leaves other scheduled times alone", () =>
    timed(function* () {
      const { go, scheduledTime, ledger } = yield* prepared
      yield* Effect.scoped(
        Effect.gen(function* () {
          const dead = yield* Store.of(ledger).acquireLease
          const claim = {
            due: scheduledTime,
            notices: [],
            overlap: "queue",
            cause: "schedule",
            status: "waiting"
          } as const
          yield* dead.claim(
            [scheduledTime, scheduledTime + 3_600_000].map((each) => ({
              ...claim,
              pipeline: "watch",
              scheduledTime: each
            }))
          )
          const later = { at: scheduledTime + 86_400_000, reason: "no", runId: undefined, counts: true }
          yield* dead.start({ pipeline: "watch", scheduledTime, runId: "lost", alone: true })
          yield* dead.retry({ pipeline: "watch", scheduledTime }, later)
        })
      )
      const [other] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(yield* go).toMatchObject({ status: "completed" })
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toEqual([other])
    })
  )

  it.scoped("starts again when all rows had been rejected, however often it is requested", () =>
    timed(function* () {
      const { ledger, start, world } = yield* prepared
      /** Runs as they stand when they have come to nothing. */
      const spent: Opened = {
        ...ledger,
        find: (id) =>
          Effect.map(
            ledger.find(id),
            (found) => found && { ...found, status: "failed", rows: 0, rejects: 1, progress: { over: true } }
          )
      }
      world.work = ({ runId }) =>
        Effect.scoped(ledger.open(run(runId))).pipe(
          Effect.ignore,
          Effect.zipRight(Effect.fail(failure(runId, "TooManyRejects", "all were rejected")))
        )
      for (let turn = 0; turn < 25; turn++) yield* start(spent)
      expect(world.ran).toHaveLength(25)
      expect(world.ran.every(({ resumed }) => resumed === undefined)).toBe(true)
    })
  )

  it.scoped("removes data older than ninety days", () =>
    timed(function* () {
      const { go, scheduledTime, ledger } = yield* prepared
      yield* go
      yield* until(scheduledTime + 91 * 86_400_000)
      yield* go
      expect(yield* Store.of(ledger).occurrences({ limit: 9 })).toEqual([])
    })
  )

  it("knows the last scheduled time also of a schedule in seconds, without counting earlier ones", () => {
    const now = Date.parse("2026-03-29T01:30:00.500Z")
    expect(lastScheduledTime(schedule({ cron: "* * * * * *", timezone: "Europe/Berlin" }), now)).toBe(now - 500)
    expect(lastScheduledTime(schedule({ cron: "30 2 * * *", timezone: "Europe/Berlin" }), now)).toBe(
      Date.parse("2026-03-29T01:00:00Z")
    )
    expect(lastScheduledTime(schedule({ cron: "0 0 1 * *" }), Date.parse("2026-03-01T00:00:00Z"))).toBe(
      Date.parse("2026-03-01T00:00:00Z")
    )
  })
})
