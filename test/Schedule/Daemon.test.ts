/** The scheduler when it is stopped, killed, run twice, or given another folder. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Store from "../../src/Schedule/Store.ts"
import { run } from "../Ledger/Ledgers.ts"
import { summary } from "../Project.ts"
import { close, eventually, failure, history, make, memory, settle, timed, until, type World } from "./World.ts"

/** The world at a time, with a ledger, before anything is served. */
const at = (time: string) =>
  Effect.gen(function* () {
    yield* until(time)
    return { world: yield* make, ledger: yield* memory }
  })

/** Events of files and pipelines, in order. */
const said = ({ news }: World) =>
  news.flatMap((each) => ("file" in each ? [`${each._tag} ${each.file.replace(/.*\//, "")}`] : []))

describe("a scheduler that is stopped", () => {
  it.scoped("starts no more runs, and lets active runs complete", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      const go = yield* Deferred.make<void>()
      world.work = ({ runId }) => Effect.as(Deferred.await(go), summary(runId))
      world.write("watch", 'cron: "*/10 * * * *"')
      const scope = yield* Scope.make()
      const served = yield* Scope.extend(world.serve(ledger, { grace: "15 minutes" }), scope)
      yield* until("2026-01-05T10:00:00Z")
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settle
      expect((yield* served.status).draining).toBe(true)
      yield* until("2026-01-05T10:10:00Z")
      expect(world.ran).toHaveLength(1)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(closing)
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("stops runs that exceed the grace period in order, and the next scheduler resumes them at once", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      let commits = 0
      world.work = ({ resumed, runId }) =>
        resumed === undefined
          ? Effect.scoped(ledger.open(run(runId))).pipe(
              Effect.orDie,
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(() => Effect.sync(() => commits++))
            )
          : Effect.succeed(summary(runId))
      world.write("watch", 'cron: "0 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger, { grace: "10 seconds" }), scope)
      yield* until("2026-01-05T10:00:00Z")
      yield* close(scope)
      expect(commits).toBe(1)
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toMatchObject([
        { status: "waiting", runId: "run-1", attempt: 0 }
      ])
      expect(yield* Store.of(ledger).leaseHolders).toEqual(new Set())
      yield* until("2026-01-05T10:20:00Z")
      yield* world.serve(ledger)
      expect(world.ran.map(({ resumed, runId }) => [runId, resumed])).toEqual([
        ["run-1", undefined],
        ["run-1", "run-1"]
      ])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("leaves queued runs and retries to the next scheduler", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.work = ({ runId }) =>
        world.ran.length === 1 ? Effect.fail(failure(runId, "HttpError", "no")) : Effect.succeed(summary(runId))
      world.write("watch", 'cron: "*/10 * * * *", overlap: queue, retry: { times: 1, after: 1h }')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* until("2026-01-05T10:00:00Z")
      yield* until("2026-01-05T10:10:00Z")
      yield* close(scope)
      expect(yield* history(ledger, "watch")).toEqual(["10:00 retrying", "10:10 waiting"])
      yield* world.serve(ledger)
      expect(world.ran).toHaveLength(1)
      yield* until("2026-01-05T11:00:00Z")
      expect((yield* history(ledger, "watch")).slice(0, 2)).toEqual(["10:00 completed", "10:10 completed"])
    })
  )
})

describe("a run that does not stop", () => {
  it.scoped("does not keep the scheduler from stopping", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      const go = yield* Deferred.make<void>()
      world.work = ({ runId }) => Effect.uninterruptible(Effect.as(Deferred.await(go), summary(runId)))
      world.write("watch", 'cron: "0 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger, { grace: "10 seconds" }), scope)
      yield* until("2026-01-05T10:00:00Z")
      yield* close(scope)
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toMatchObject([{ status: "waiting", owner: undefined }])
      expect(world.news.at(-1)).toMatchObject({
        message: "not stopped within a minute, and released to other schedulers: watch for 2026-01-05T10:00:00.000Z"
      })
      yield* Deferred.succeed(go, undefined)
      yield* settle
    })
  )
})

describe("after a crash", () => {
  /** A scheduled time of a daemon that was killed during its run. */
  const crashed = (begun: boolean) =>
    Effect.gen(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      const scheduledTime = Date.parse("2026-01-05T10:00:00Z")
      const dead = yield* Scope.make()
      const carrier = yield* Scope.extend(Store.of(ledger).acquireLease, dead)
      const claim = { pipeline: "watch", scheduledTime, due: scheduledTime, notices: [], overlap: "skip" } as const
      yield* carrier.claim([{ ...claim, cause: "schedule", status: "waiting" }])
      if (begun) yield* carrier.start({ pipeline: "watch", scheduledTime, runId: "lost", alone: true })
      // Its lock goes, and its rows stay.
      yield* close(dead)
      yield* until("2026-01-05T10:00:30Z")
      return { ledger, world, begun }
    })

  it.scoped("a scheduled time whose run never started is run", () =>
    timed(function* () {
      const { ledger, world } = yield* crashed(false)
      yield* world.serve(ledger)
      expect(world.ran).toMatchObject([{ runId: "run-1", resumed: undefined }])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("a scheduled time whose run left nothing in the ledger is run again", () =>
    timed(function* () {
      const { ledger, world } = yield* crashed(true)
      yield* world.serve(ledger)
      expect(world.ran).toMatchObject([{ runId: "run-1", resumed: undefined }])
      expect(yield* Store.of(ledger).occurrences({ limit: 1 })).toMatchObject([{ status: "completed", attempt: 2 }])
    })
  )

  it.scoped("an active run is resumed", () =>
    timed(function* () {
      const { ledger, world } = yield* crashed(true)
      yield* Effect.scoped(ledger.open(run("lost")))
      yield* world.serve(ledger)
      expect(world.ran).toMatchObject([{ runId: "lost", resumed: "lost" }])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("a completed run is not run again", () =>
    timed(function* () {
      const { ledger, world } = yield* crashed(true)
      yield* Effect.scoped(Effect.flatMap(ledger.open(run("lost")), (journal) => journal.complete([])))
      yield* world.serve(ledger)
      expect(world.ran).toEqual([])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed"])
    })
  )

  it.scoped("a live scheduler takes over the runs of a dead one, except those of pipelines that it does not have", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 12 * * *"')
      yield* world.serve(ledger)
      const dead = yield* Scope.make()
      const carrier = yield* Scope.extend(Store.of(ledger).acquireLease, dead)
      const scheduledTime = Date.parse("2026-01-05T09:00:00Z")
      const claim = {
        scheduledTime,
        due: scheduledTime,
        notices: [],
        overlap: "skip",
        cause: "schedule",
        status: "waiting"
      } as const
      yield* carrier.claim([
        { ...claim, pipeline: "watch" },
        { ...claim, pipeline: "elsewhere" }
      ])
      yield* until("2026-01-05T09:59:05Z")
      expect(world.ran).toEqual([])
      yield* close(dead)
      yield* until("2026-01-05T09:59:10Z")
      expect(world.ran.map(({ pipeline }) => pipeline)).toEqual(["watch"])
      expect(yield* history(ledger, "elsewhere")).toEqual(["09:00 waiting"])
    })
  )
})

describe("two schedulers over one ledger", () => {
  it.scoped("never run a scheduled time twice, and miss none", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      for (const name of ["a", "b", "c"]) world.write(name, 'cron: "*/5 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* world.serve(ledger)
      for (let minute = 0; minute < 60; minute += 5) {
        if (minute === 30) yield* close(scope)
        yield* until(`2026-01-05T10:${String(minute).padStart(2, "0")}:00Z`)
      }
      expect(world.ran).toHaveLength(36)
      expect(new Set(world.ran.map(({ scheduledTime, pipeline }) => `${pipeline} ${scheduledTime}`)).size).toBe(36)
      expect(yield* Store.of(ledger).occurrences({ status: ["completed"], limit: 100 })).toHaveLength(36)
    })
  )

  it.scoped("queue a scheduled time behind another scheduler's run, and stop replaced runs wherever they run", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.work = ({ runId }) => (world.ran.length === 1 ? Effect.never : Effect.succeed(summary(runId)))
      world.write("watch", 'cron: "0 * * * *", overlap: replace')
      const first = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), first)
      yield* until("2026-01-05T10:00:00Z")
      expect(world.ran).toHaveLength(1)
      // Another one claims what comes next, in the place of the first.
      const other = yield* Store.of(ledger).acquireLease
      const scheduledTime = Date.parse("2026-01-05T10:00:03Z")
      const claim = { pipeline: "watch", scheduledTime, due: scheduledTime, notices: [], overlap: "replace" } as const
      yield* other.claim([{ ...claim, cause: "schedule", status: "waiting" }])
      const next = { pipeline: "watch", scheduledTime, runId: "next", alone: true }
      expect(yield* other.start(next)).toBe(false)
      yield* until("2026-01-05T10:00:05Z")
      expect(yield* other.start(next)).toBe(true)
      expect(yield* history(ledger, "watch")).toEqual(["10:00 replaced", "10:00 running"])
      yield* close(first)
    })
  )
})

describe("the folder of definitions", () => {
  it.scoped("is read every two seconds: pipelines are added, changed and removed", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("first", 'cron: "0 * * * *"')
      world.writeText("not-one.test.yaml", "x: [")
      world.writeText("unscheduled.yaml", "version: 1\nname: un\nsteps:\n  - urls: [https://example.com/]\n")
      const served = yield* world.serve(ledger)
      world.write("second", 'cron: "0 * * * *"')
      yield* until("2026-01-05T09:59:02Z")
      yield* eventually(() => said(world).length === 2)
      world.write("first", 'cron: "30 * * * *"')
      yield* until("2026-01-05T09:59:04Z")
      yield* eventually(() => said(world).length === 3)
      yield* until("2026-01-05T10:00:00Z")
      yield* settle
      world.remove("second.yaml")
      // The folder may just have been looked at: it is looked at again.
      for (const second of ["02", "04", "06"]) yield* Effect.zipRight(until(`2026-01-05T10:00:${second}Z`), settle)
      yield* eventually(() => said(world).length === 4)
      expect(said(world)).toEqual([
        "Added first.yaml",
        "Added second.yaml",
        "Changed first.yaml",
        "Removed second.yaml"
      ])
      yield* until("2026-01-05T10:30:00Z")
      yield* until("2026-01-05T11:00:00Z")
      expect(world.ran.map(({ at, pipeline }) => `${pipeline} ${new Date(at).toISOString().slice(11, 16)}`)).toEqual([
        "second 10:00",
        "first 10:30"
      ])
      expect((yield* served.status).pipelines.map(({ pipeline }) => pipeline)).toEqual(["first"])
    })
  )

  it.scoped(
    "with an invalid definition: reports it once, misses its scheduled times for that reason, and continues when it is fixed",
    () =>
      timed(function* () {
        const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
        world.write("watch", 'cron: "0 * * * *"')
        const served = yield* world.serve(ledger)
        world.writeText("watch.yaml", "version: 1\nname: watch\nschedule: { cron: never }\nsteps: []\n")
        yield* until("2026-01-05T09:59:02Z")
        yield* eventually(() => said(world).length === 2)
        yield* until("2026-01-05T09:59:04Z")
        yield* until("2026-01-05T10:00:00Z")
        expect(said(world)).toEqual(["Added watch.yaml", "Broken watch.yaml"])
        const [row] = yield* Store.of(ledger).occurrences({ limit: 1 })
        expect(row?.status).toBe("missed")
        expect(row?.reason).toContain("its definition is broken: ")
        expect(row?.reason).toContain('watch.yaml:3:19  schedule.cron: "never" is not a cron expression')
        expect((yield* served.status).pipelines[0]?.broken).toContain("never")
        world.write("watch", 'cron: "0 * * * *"')
        yield* until("2026-01-05T10:00:02Z")
        yield* eventually(() => said(world).length === 3)
        yield* until("2026-01-05T11:00:00Z")
        expect(yield* history(ledger, "watch")).toEqual(["10:00 missed", "11:00 completed"])
      })
  )

  it.scoped("with a definition that was invalid before the start: the ledger still knows when it is due", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 * * * *"')
      const scope = yield* Scope.make()
      yield* Scope.extend(world.serve(ledger), scope)
      yield* close(scope)
      world.writeText("watch.yaml", "steps: [")
      yield* world.serve(ledger)
      yield* until("2026-01-05T10:00:00Z")
      const [row] = yield* Store.of(ledger).occurrences({ limit: 1 })
      expect(row).toMatchObject({ pipeline: "watch", status: "missed" })
      expect(row?.reason).toContain("its definition is broken")
    })
  )

  it.scoped("with two files of one name: reports it once, and the first file counts until it is removed", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      const text =
        'version: 1\nname: watch\nschedule: { cron: "0 * * * *" }\nsteps:\n  - urls: [https://example.com/]\n'
      world.writeText("a.yaml", text)
      world.writeText("b.yaml", text)
      yield* world.serve(ledger)
      yield* until("2026-01-05T10:00:00Z")
      expect(world.ran).toHaveLength(1)
      expect(said(world)).toEqual(["Twice b.yaml", "Added a.yaml"])
      world.remove("a.yaml")
      yield* until("2026-01-05T10:00:02Z")
      yield* eventually(() => said(world).length === 3)
      yield* until("2026-01-05T11:00:00Z")
      expect(said(world).slice(2)).toEqual(["Changed b.yaml"])
      expect(world.ran).toHaveLength(2)
    })
  )

  it.scoped("that cannot be read is reported, and changes nothing", () =>
    timed(function* () {
      const { ledger, world } = yield* at("2026-01-05T09:59:00Z")
      world.write("watch", 'cron: "0 * * * *"')
      yield* world.serve(ledger, { definitions: `${world.folder}/nowhere` })
      yield* until("2026-01-05T10:00:00Z")
      expect(world.news.map(({ _tag }) => _tag)).toEqual(["Trouble"])
    })
  )
})
