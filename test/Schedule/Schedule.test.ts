/** Pipelines run at their scheduled times, once for each. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { RunFailed } from "../../src/Run/RunResult.ts"
import { WindowHeld } from "../../src/Schedule/Backfill.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { run } from "../Ledger/Ledgers.ts"
import { summary } from "../Project.ts"
import { close, failure, history, make, memory, pass, settle, timed, until } from "./World.ts"

const began = "2026-01-05T09:59:00Z"

/** The world at a time, with a ledger, before anything is served. */
const at = (time: string) =>
  Effect.gen(function* () {
    yield* until(time)
    return { world: yield* make, ledger: yield* memory }
  })

describe("a schedule", () => {
  it.scoped("starts a run at every scheduled time, and records each", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "*/15 * * * *"')
      const served = yield* world.serve(ledger)
      yield* settle
      expect(world.ran).toEqual([])
      yield* until("2026-01-05T10:00:00Z")
      yield* until("2026-01-05T10:15:00Z")
      expect(world.ran.map(({ at, scheduledTime }) => [at - scheduledTime, scheduledTime])).toEqual([
        [0, Date.parse("2026-01-05T10:00:00Z")],
        [0, Date.parse("2026-01-05T10:15:00Z")]
      ])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed", "10:15 completed"])
      expect(yield* served.status).toMatchObject({ next: Date.parse("2026-01-05T10:30:00Z"), draining: false })
    })
  )

  it.scoped("delays a run by its jitter, the same on every machine", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "0 * * * *", jitter: 10m')
      yield* world.serve(ledger)
      yield* until("2026-01-05T10:00:00Z")
      expect(world.ran).toEqual([])
      yield* pass("2026-01-05T10:10:00Z")
      const [row] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(row).toMatchObject({ scheduledTime: Date.parse("2026-01-05T10:00:00Z"), status: "completed" })
      expect(row?.due).toBeGreaterThan(row?.scheduledTime ?? 0)
      expect(row?.due).toBeLessThan(Date.parse("2026-01-05T10:10:00Z"))
    })
  )

  it.scoped("never exceeds its number of parallel runs, and skips none", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const go = yield* Deferred.make<void>()
      let atOnce = 0
      let most = 0
      world.work = ({ runId }) =>
        Effect.gen(function* () {
          most = Math.max(most, ++atOnce)
          yield* Deferred.await(go)
          atOnce--
          return summary(runId)
        })
      for (let number = 0; number < 7; number++) world.write(`p${number}`, 'cron: "0 * * * *"')
      const served = yield* world.serve(ledger, { concurrency: 3 })
      yield* until("2026-01-05T10:00:00Z")
      expect((yield* served.status).running).toHaveLength(3)
      expect((yield* served.status).waiting).toBe(4)
      yield* Deferred.succeed(go, undefined)
      yield* settle
      expect(most).toBe(3)
      expect((yield* Store.of(ledger).occurrences({ status: ["completed"], limit: 10 })).length).toBe(7)
    })
  )

  it.scoped("records scheduled times of a paused pipeline as skipped, and continues after the pause", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "0 * * * *"', "notify: [{ on: [missed], webhook: http://127.0.0.1:9/ }]\n")
      const served = yield* world.serve(ledger)
      expect(yield* Store.of(ledger).pause("watch", "the site is being rebuilt")).toBe(true)
      expect(yield* Store.of(ledger).pause("nobody", undefined)).toBe(false)
      yield* until("2026-01-05T10:00:00Z")
      const [row] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(row).toMatchObject({
        status: "skipped",
        reason: "the pipeline is paused since 2026-01-05T09:59:00.000Z: the site is being rebuilt"
      })
      expect((yield* served.status).pipelines[0]?.pausedAt).toBe(Date.parse(began))
      yield* Store.of(ledger).resume("watch")
      yield* until("2026-01-05T11:00:00Z")
      expect(yield* history(ledger, "watch")).toEqual(["10:00 skipped", "11:00 completed"])
      expect(yield* Store.of(ledger).notifications.list({ limit: 10 })).toEqual([])
    })
  )
})

describe("while an earlier run is active", () => {
  const overlapping = (overlap: string) =>
    Effect.gen(function* () {
      const { ledger, world } = yield* at(began)
      const go = yield* Deferred.make<void>()
      const stopped: Array<number> = []
      world.work = ({ scheduledTime, runId }) =>
        Effect.as(Deferred.await(go), summary(runId)).pipe(
          Effect.onInterrupt(() => Effect.sync(() => stopped.push(scheduledTime)))
        )
      world.write("watch", `cron: "*/10 * * * *", overlap: ${overlap}`)
      const served = yield* world.serve(ledger)
      for (const minute of ["00", "10", "20"]) yield* until(`2026-01-05T10:${minute}:00Z`)
      const running = (yield* served.status).running.length
      yield* Deferred.succeed(go, undefined)
      yield* settle
      return {
        running,
        stopped: stopped.length,
        order: world.ran.length,
        rows: yield* history(ledger, "watch"),
        ledger
      }
    })

  it.scoped("the next scheduled time is skipped, with its reason", () =>
    timed(function* () {
      const { ledger, order, rows, running } = yield* overlapping("skip")
      expect([running, order]).toEqual([1, 1])
      expect(rows).toEqual(["10:00 completed", "10:10 skipped", "10:20 skipped"])
      const [skipped] = yield* Store.of(ledger).occurrences({ status: ["skipped"], limit: 1 })
      expect(skipped?.reason).toBe("the run for 2026-01-05T10:00:00.000Z was still active")
    })
  )

  it.scoped("the next scheduled times queue, and run one after the other", () =>
    timed(function* () {
      const { order, rows, running } = yield* overlapping("queue")
      expect([running, order]).toEqual([1, 3])
      expect(rows).toEqual(["10:00 completed", "10:10 completed", "10:20 completed"])
    })
  )

  it.scoped("the next scheduled time replaces it, after it has stopped in order", () =>
    timed(function* () {
      const { order, rows, running, stopped } = yield* overlapping("replace")
      expect([running, order, stopped]).toEqual([1, 3, 2])
      expect(rows).toEqual(["10:00 replaced", "10:10 replaced", "10:20 completed"])
    })
  )

  it.scoped("scheduled times that are caught up wait for it, and replace nothing", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const go = yield* Deferred.make<void>()
      let stops = 0
      world.work = ({ runId }) =>
        Effect.as(Deferred.await(go), summary(runId)).pipe(Effect.onInterrupt(() => Effect.sync(() => stops++)))
      world.write("watch", 'cron: "*/10 * * * *", overlap: replace, catchUp: all')
      yield* world.serve(ledger)
      yield* until("2026-01-05T10:00:00Z")
      // The machine was suspended.
      yield* until("2026-01-05T10:25:00Z")
      expect(yield* history(ledger, "watch")).toEqual(["10:00 running", "10:10 waiting", "10:20 waiting"])
      yield* Deferred.succeed(go, undefined)
      yield* pass("2026-01-05T10:27:00Z", 5)
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed", "10:10 completed", "10:20 completed"])
      expect(stops).toBe(0)
    })
  )

  it.scoped("the next scheduled times run in parallel, where that is allowed", () =>
    timed(function* () {
      const { order, rows, running } = yield* overlapping("allow")
      expect([running, order]).toEqual([3, 3])
      expect(rows).toEqual(["10:00 completed", "10:10 completed", "10:20 completed"])
    })
  )
})

describe("when no scheduler was running", () => {
  /** Served at 10:00, then not until 14:30. */
  const away = (schedule: string) =>
    Effect.gen(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:55:00Z")
      world.write("watch", schedule, "notify: [{ on: [missed], webhook: http://127.0.0.1:9/ }]\n")
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* until("2026-01-05T10:00:00Z")
      yield* close(scope)
      yield* until("2026-01-05T14:30:00Z")
      yield* world.serve(ledger)
      yield* settle
      yield* until("2026-01-05T15:00:00Z")
      const notices = yield* Store.of(ledger).notifications.list({ limit: 10 })
      return { rows: yield* history(ledger, "watch"), ledger, notices: notices.map(({ body }) => JSON.parse(body)) }
    })

  it.scoped("scheduled times are missed, with their reason and one notification", () =>
    timed(function* () {
      const { ledger, notices, rows } = yield* away('cron: "0 * * * *"')
      expect(rows).toEqual([
        "10:00 completed",
        "11:00 missed",
        "12:00 missed",
        "13:00 missed",
        "14:00 missed",
        "15:00 completed"
      ])
      const [missed] = yield* Store.of(ledger).occurrences({ status: ["missed"], limit: 1 })
      expect(missed?.reason).toBe("found 30m after it was due, and catchUp is none")
      expect(notices).toMatchObject([
        { event: "missed", pipeline: "watch", scheduledTime: "2026-01-05T14:00:00.000Z", missed: 4 }
      ])
    })
  )

  it.scoped("the latest scheduled time is caught up", () =>
    timed(function* () {
      const { notices, rows } = yield* away('cron: "0 * * * *", catchUp: latest')
      expect(rows).toEqual([
        "10:00 completed",
        "11:00 missed",
        "12:00 missed",
        "13:00 missed",
        "14:00 completed",
        "15:00 completed"
      ])
      expect(notices).toMatchObject([{ missed: 3 }])
    })
  )

  it.scoped("all scheduled times within the window are caught up in order", () =>
    timed(function* () {
      const { ledger, rows } = yield* away('cron: "0 * * * *", catchUp: all, catchUpWindow: 2h')
      expect(rows).toEqual([
        "10:00 completed",
        "11:00 missed",
        "12:00 missed",
        "13:00 completed",
        "14:00 completed",
        "15:00 completed"
      ])
      const [missed] = yield* Store.of(ledger).occurrences({ status: ["missed"], limit: 1 })
      expect(missed?.reason).toBe("found 2h 30m after it was due: longer than the catchUpWindow")
    })
  )

  it.scoped("a short absence misses nothing", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:50Z")
      world.write("watch", 'cron: "0 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      yield* until("2026-01-05T10:00:40Z")
      yield* world.serve(ledger)
      yield* settle
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("very many missed scheduled times are recorded as the newest ones and a count of the others", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T00:00:00Z")
      world.write("watch", 'cron: "* * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      yield* until("2026-01-07T00:00:30Z")
      yield* world.serve(ledger)
      yield* settle
      const missed = yield* Store.of(ledger).occurrences({ status: ["missed"], limit: 5000 })
      expect(missed.length).toBe(1000)
      expect(missed.at(-1)).toMatchObject({
        scheduledTime: Date.parse("2026-01-05T00:01:00Z"),
        reason:
          "this and all other scheduled times before 2026-01-06T07:21:00.000Z were missed (1,880): too many to list one by one"
      })
      expect(world.ran.map(({ scheduledTime }) => scheduledTime)).toEqual([Date.parse("2026-01-07T00:00:00Z")])
    })
  )

  it.scoped("a machine that slept, or a clock that jumped forward, is like no scheduler running", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 * * * *", catchUp: latest')
      yield* world.serve(ledger)
      yield* until("2026-01-05T13:20:00Z")
      expect(yield* history(ledger, "watch")).toEqual([
        "10:00 missed",
        "11:00 missed",
        "12:00 missed",
        "13:00 completed"
      ])
    })
  )

  it.scoped("a clock that was two hours ahead and has been corrected costs nothing but those that ran early", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("hourly", 'cron: "0 * * * *"')
      world.write("often", 'cron: "*/10 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* until("2026-01-05T10:00:00Z")
      yield* until("2026-01-05T12:05:00Z")
      for (const time of ["10:05", "10:06", "10:10", "10:20"]) yield* until(`2026-01-05T${time}:00Z`)
      expect(yield* history(ledger, "often")).toContain("10:20 completed")
      yield* close(scope)
      // The times of another process are those of the corrected clock, too.
      const served = yield* world.serve(ledger)
      expect((yield* served.status).pipelines.find(({ pipeline }) => pipeline === "often")?.next).toBe(
        Date.parse("2026-01-05T10:30:00Z")
      )
      for (const time of ["10:30", "10:40", "10:50", "11:00"]) yield* until(`2026-01-05T${time}:00Z`)
      expect((yield* history(ledger, "often")).filter((each) => / completed$/.test(each))).toEqual(
        expect.arrayContaining([
          "10:10 completed",
          "10:20 completed",
          "10:30 completed",
          "10:40 completed",
          "10:50 completed"
        ])
      )
      expect(world.ran.filter(({ pipeline }) => pipeline === "often").length).toBe(
        new Set(world.ran.filter(({ pipeline }) => pipeline === "often").map(({ scheduledTime }) => scheduledTime)).size
      )
    })
  )

  it.scoped("one that was registered while the clock was days ahead runs once the clock is corrected", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-08T09:59:00Z")
      for (const name of ["often", "wrong"]) world.write(name, 'cron: "*/10 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      yield* until("2026-01-05T10:05:00Z")
      world.writeText("wrong.yaml", "version: 1\nname: wrong\n")
      const [corrected, next] = ["2026-01-05T10:05:00Z", "2026-01-05T10:10:00Z"].map(Date.parse)
      expect((yield* Store.of(ledger).list).map(({ reached }) => reached)).toEqual([corrected, corrected])
      const again = yield* Scope.make()
      const served = yield* Scope.extend(world.serve(ledger), again)
      expect((yield* served.status).pipelines.map((each) => each.next)).toEqual([next, next])
      yield* until("2026-01-05T10:10:00Z")
      expect(yield* history(ledger, "often")).toEqual(["10:10 completed"])
      yield* close(again)
      yield* until("2026-01-05T10:20:40Z")
      yield* world.serve(ledger)
      yield* settle
      expect(yield* history(ledger, "often")).toEqual(["10:10 completed", "10:20 completed"])
    })
  )

  it.scoped("a schedule that was changed or removed meanwhile starts again", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:30:00Z")
      world.write("watch", 'cron: "0 * * * *", catchUp: all')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      world.write("watch", 'cron: "30 * * * *", catchUp: all')
      yield* until("2026-01-05T14:00:00Z")
      yield* world.serve(ledger)
      yield* until("2026-01-05T14:30:00Z")
      expect(yield* history(ledger, "watch")).toEqual(["14:30 completed"])
    })
  )
})

describe("a run that failed", () => {
  it.scoped("is resumed after a delay, as often as its schedule says", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.work = ({ runId }) =>
        world.ran.length < 3
          ? Effect.fail(failure(runId, "HttpError", "the site said 500"))
          : Effect.succeed(summary(runId))
      world.write("watch", 'cron: "0 12 * * *", retry: { times: 2, after: 10m }')
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      const [row] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(row).toMatchObject({ status: "retrying", attempt: 1, reason: "the site said 500" })
      expect(row?.nextAt).toBe(Date.parse("2026-01-05T12:10:00Z"))
      yield* until("2026-01-05T12:10:00Z")
      yield* until("2026-01-05T12:20:00Z")
      const [last] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(last).toMatchObject({ status: "completed", attempt: 3 })
      expect(world.ran.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual(["12:00", "12:10", "12:20"])
    })
  )

  it.scoped("is notified when it is not retried any more, and not before", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const webhook = 'webhook: "${{ secrets.OPS_WEBHOOK }}"'
      world.write(
        "watch",
        'cron: "0 12 * * *", retry: { times: 1, after: 10m }',
        `notify: [{ on: [missed], ${webhook} }, { on: [failed, quality], ${webhook} }]\n`
      )
      world.work = ({ runId }) => Effect.fail(failure(runId, "HttpError", "the site said 500"))
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      expect(yield* Store.of(ledger).notifications.list({ limit: 9 })).toEqual([])
      yield* until("2026-01-05T12:10:00Z")
      const [notice, more] = yield* Store.of(ledger).notifications.take(9, 60_000)
      expect(more).toBeUndefined()
      expect(notice).toMatchObject({ event: "failed", target: 1, pipeline: "watch", attempts: 1 })
      expect(JSON.parse(notice?.body ?? "")).toMatchObject({
        event: "failed",
        status: "failed",
        scheduledTime: "2026-01-05T12:00:00.000Z",
        reason: "the site said 500",
        attempt: 2
      })
      expect(notice?.body).not.toContain("127.0.0.1:9")
      expect(yield* history(ledger, "watch")).toEqual(["12:00 failed"])
    })
  )

  it.scoped("for a check or too many rejects notifies quality or else failed, and at its budget notifies budget", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const webhook = "webhook: http://127.0.0.1:9/"
      const notify = `notify: [{ on: [failed, quality, budget], ${webhook} }, { on: [failed], ${webhook} }]\n`
      for (const name of ["BudgetReached", "CheckFailed", "TooManyRejects"])
        world.write(name, 'cron: "0 12 * * *"', notify)
      const written = [5, 3].map((rows) => ({ step: "write", name: "a.csv", rows }))
      world.work = ({ pipeline, runId }) => {
        const failed = failure(runId, pipeline, `because of ${pipeline}`)
        return Effect.fail(new RunFailed({ ...failed, summary: { ...failed.summary, rows: 3, written } }))
      }
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
      expect(notices.map(({ event, pipeline, target }) => `${pipeline} ${target} ${event}`).sort()).toEqual([
        "BudgetReached 0 budget",
        "CheckFailed 0 quality",
        "CheckFailed 1 failed",
        "TooManyRejects 0 quality",
        "TooManyRejects 1 failed"
      ])
      expect(JSON.parse(notices[0]?.body ?? "")).toMatchObject({ rows: 8, written })
      expect(yield* history(ledger, "BudgetReached")).toEqual(["12:00 budget"])
      expect(yield* history(ledger, "CheckFailed")).toEqual(["12:00 failed"])
    })
  )

  it.scoped("whose outputs are held notifies health, or failed those who do not ask for it, and is not retried", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const webhook = "webhook: http://127.0.0.1:9/"
      world.write(
        "watch",
        'cron: "0 12 * * *", retry: { times: 3, after: 10m }',
        `notify: [{ on: [failed, health], ${webhook} }, { on: [failed], ${webhook} }, { on: [quality], ${webhook} }]\n`
      )
      world.work = ({ runId }) => Effect.fail(failure(runId, "OutputsHeld", "the outputs are held: too few rows"))
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
      expect(notices.map(({ event, target }) => `${target} ${event}`).sort()).toEqual(["0 health", "1 failed"])
      yield* until("2026-01-05T12:30:00Z")
      expect(world.ran).toHaveLength(1)
      expect(yield* history(ledger, "watch")).toEqual(["12:00 held"])
      expect(notices.map(({ body }) => JSON.parse(body).status)).toEqual(["held", "held"])
    })
  )

  it.scoped("whose window of a backfill is held notifies health, and is not retried", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const notify = "notify: [{ on: [failed, health], webhook: http://127.0.0.1:9/ }]\n"
      world.write("watch", 'cron: "0 12 * * *", retry: { times: 3, after: 1s }', notify)
      const held = Effect.fail(new WindowHeld({ from: "2024-01-01", to: "2024-02-01", run: "r1" }))
      yield* world.serve(ledger, { runner: { ...world.runner, run: () => held } })
      yield* until("2026-01-05T12:00:00Z")
      const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
      expect(notices.map(({ event }) => event)).toEqual(["health"])
      expect(notices[0]?.body).toContain("the window 2024-01-01 to 2024-02-01 is held: publish or discard run r1 first")
      expect(yield* history(ledger, "watch")).toEqual(["12:00 held"])
    })
  )

  it.scoped("that could not begin is tried as often as its schedule says, and notified", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      const notify = "notify: [{ on: [failed], webhook: http://127.0.0.1:9/ }]\n"
      world.write("watch", 'cron: "0 12 * * *", retry: { times: 2, after: 1m }', notify)
      let tried = 0
      const run = () => Effect.suspend(() => Effect.fail({ _tag: "NoService", message: `no service, ${++tried}` }))
      yield* world.serve(ledger, { runner: { ...world.runner, run } })
      for (const minute of ["00", "01", "02", "03", "04"]) yield* until(`2026-01-05T12:${minute}:00Z`)
      expect(tried).toBe(3)
      expect(yield* history(ledger, "watch")).toEqual(["12:00 failed"])
      expect(yield* Store.of(ledger).notifications.list({ limit: 9 })).toHaveLength(1)
    })
  )

  it.scoped("after others that failed or were held notifies recovered, once, and says how many and since when", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "0 * * * *"', "notify: [{ on: [recovered], webhook: http://127.0.0.1:9/ }]\n")
      const codes = [undefined, "OutputsHeld", "CheckFailed", undefined, undefined]
      world.work = ({ pipeline, runId }) => {
        const code = codes[world.ran.length - 1]
        if (code !== undefined) return Effect.fail(failure(runId, code, "because"))
        return Effect.flatMap(ledger.open(run(runId, { pipeline })), (journal) => journal.complete([])).pipe(
          Effect.as(summary(runId)),
          Effect.scoped,
          Effect.orDie
        )
      }
      yield* world.serve(ledger)
      for (const hour of ["10", "11", "12", "13", "14"]) yield* until(`2026-01-05T${hour}:00:00Z`)
      const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
      const bad = (yield* history(ledger, "watch")).filter((line) => !line.endsWith("completed"))
      expect(bad.map((line) => line.slice(6)).sort()).toEqual(["failed", "held"])
      expect(notices.map(({ event }) => event)).toEqual(["recovered"])
      const first = bad.map((line) => line.slice(0, 5)).sort()[0]
      expect(JSON.parse(notices[0]?.body ?? "")).toMatchObject({
        event: "recovered",
        status: "completed",
        reason: `completed after 2 runs that did not complete, the first at 2026-01-05T${first}:00.000Z`
      })
    })
  )

  it.scoped(
    "that was published although it is broken notifies health, unless its definition wants to hear nothing",
    () =>
      timed(function* () {
        const { ledger, world } = yield* at(began)
        const notify = "notify: [{ on: [failed, health], webhook: http://127.0.0.1:9/ }]\n"
        world.write("watch", 'cron: "0 12 * * *"', `health: { onBroken: warn }\n${notify}`)
        world.write("quiet", 'cron: "0 13 * * *"', `health: { onBroken: off }\n${notify}`)
        world.work = ({ pipeline, runId }) =>
          Effect.gen(function* () {
            const journal = yield* ledger.open(run(runId, { pipeline }))
            const verdict = { sink: "", metric: "rejected", level: "broken", expected: "few", got: "90 %" } as const
            const metrics = { steps: {}, rejected: 0.9, pages: 0, statuses: {} }
            const record = { runId, sink: "", pipeline, steps: "", series: "", at: 0, metrics, verdicts: [verdict] }
            yield* journal.recordSealed([], { profiles: new Map(), records: [record] })
            yield* journal.complete([])
            return summary(runId)
          }).pipe(Effect.scoped, Effect.orDie)
        yield* world.serve(ledger)
        yield* until("2026-01-05T12:00:00Z")
        yield* until("2026-01-05T13:00:00Z")
        const notices = yield* Store.of(ledger).notifications.list({ limit: 9 })
        expect(notices.map(({ event, pipeline }) => `${pipeline} ${event}`)).toEqual(["watch health"])
        expect(JSON.parse(notices[0]?.body ?? "")).toMatchObject({
          status: "completed",
          reason: "rejected: expected few, got 90 %"
        })
        expect(yield* history(ledger, "watch")).toEqual(["12:00 completed"])
        expect(yield* history(ledger, "quiet")).toEqual(["13:00 completed"])
      })
  )

  it.scoped("because another run holds its state is skipped", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "0 12 * * *"')
      world.work = ({ runId }) => Effect.fail(failure(runId, "Locked", "state watch is in use by process 7"))
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toMatchObject([
        { status: "skipped", reason: "state watch is in use by process 7" }
      ])
    })
  )

  it.scoped("because another run holds its state waits when scheduled times queue", () =>
    timed(function* () {
      const { ledger, world } = yield* at(began)
      world.write("watch", 'cron: "0 12 * * *", overlap: queue')
      world.work = ({ runId }) =>
        world.ran.length < 3 ? Effect.fail(failure(runId, "Locked", "it is locked")) : Effect.succeed(summary(runId))
      yield* world.serve(ledger)
      yield* until("2026-01-05T12:00:00Z")
      yield* until("2026-01-05T12:00:05Z")
      yield* until("2026-01-05T12:00:10Z")
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toMatchObject([{ status: "completed", attempt: 1 }])
    })
  )
})
