/**
 * Scheduler daemon: scans the folder of definitions, claims occurrences when they are due, and starts a job for each one that it wins.
 *
 * - Four loops: `clock` claims what is due, `scan` reads changed definitions, `look` takes over occurrences of dead daemons, `prune`
 *   deletes old occurrences. A failure or defect is reported and does not end its loop.
 * - Until the claims of a pipeline are stored, its next due time is two seconds ahead, so that a failed claim is repeated.
 * - When the scope closes, no new job starts; active runs get the grace period, then stop at a checkpoint and are released.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import * as Definitions from "./Definitions.ts"
import { type Due, dueNow, type Entry, nextDue } from "./Due.ts"
import * as Job from "./Job.ts"
import * as JobTable from "./JobTable.ts"
import { defaultRetention, type ScheduleStore } from "./Model.ts"
import { clockTolerance } from "./Occurrences.ts"
import type { Scheduler, SchedulerEvent, SchedulerOptions, SchedulerStatus } from "./Scheduler.ts"

type Opened = typeof Ledger.Service

const defaults = {
  grace: "30 seconds",
  concurrency: 16,
  tolerance: "60 seconds",
  scanInterval: "2 seconds",
  maxSleep: "30 seconds",
  takeoverInterval: "5 seconds",
  retention: defaultRetention
} as const

/** Milliseconds until a failed claim is repeated. */
const claimRetryInterval = 2_000

/** Reports a lasting problem when it begins or changes, not each time it occurs. */
interface Trouble {
  /** Sets the current problem; undefined if it is solved. */
  readonly note: (message: string | undefined) => void
  readonly current: () => string | undefined
}

const makeTrouble = (report: (news: SchedulerEvent) => void): Trouble => {
  let current: string | undefined
  return {
    note: (message) => {
      if (message !== undefined && message !== current) report({ _tag: "Trouble", message })
      current = message
    },
    current: () => current
  }
}

/** Reports a defect of the work, so that the defect does not end the loop. */
const catchDefects = (work: Effect.Effect<unknown>, trouble: Trouble): Effect.Effect<unknown> =>
  Effect.catchAllDefect(work, (defect) =>
    Effect.sync(() => trouble.note(`internal error of sluice: ${String(defect)}`))
  )

const pipelineStatus = (entry: Entry, pausedAt: number | undefined): SchedulerStatus["pipelines"][number] => ({
  pipeline: entry.pipeline,
  file: entry.file,
  cron: entry.schedule.cron,
  timezone: entry.schedule.timezone,
  next: nextDue(entry)?.scheduledTime,
  pausedAt,
  broken: entry.broken
})

export const make = (
  ledger: Opened,
  schedules: ScheduleStore,
  options: SchedulerOptions
): Effect.Effect<Scheduler, LedgerError | Locked, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const { definitions, runner, onEvent: report = () => undefined } = options
    const millis = (name: Exclude<keyof typeof defaults, "concurrency">) =>
      Duration.toMillis(options[name] ?? defaults[name])
    const tolerance = millis("tolerance")
    const startedAt = yield* Clock.currentTimeMillis
    const holder = yield* schedules.acquireLease
    const known = yield* Definitions.make(definitions, { ledger, schedules }, runner, report, makeTrouble(report).note)
    /** Next due time of each pipeline. */
    const dueAt = new Map<string, number>()
    const firstDue = () => Math.min(...dueAt.values())
    const changed = yield* Queue.sliding<void>(1)
    let tickedAt = startedAt
    let paused: ReadonlyMap<string, number> = new Map()
    const trouble = makeTrouble(report)

    const services = {
      ledger,
      schedules,
      holder,
      runner,
      permits: yield* Effect.makeSemaphore(options.concurrency ?? defaults.concurrency),
      onEvent: report
    }
    const jobs = JobTable.make(services, known.snapshot)

    const plan = (entry: Entry) => {
      const next = nextDue(entry)
      if (next === undefined) dueAt.delete(entry.pipeline)
      else dueAt.set(entry.pipeline, next.due)
    }

    /** Claims due occurrences and starts jobs for them. */
    const tick = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      // If the clock was set back, scheduled times after the last tick, which was at most `maxSleep` ago, are planned again.
      if (now < tickedAt - clockTolerance) for (const entry of known.rewind(now - millis("maxSleep"))) plan(entry)
      tickedAt = now
      const reachedNow = [...dueAt].filter(([, at]) => at <= now).sort(([, one], [, other]) => one - other)
      for (const [pipeline] of reachedNow) dueAt.delete(pipeline)
      const entries = reachedNow.flatMap(([pipeline]) => known.find(pipeline) ?? [])
      if (entries.length === 0) return
      // If the claim fails, these pipelines are checked again after `claimRetryInterval`.
      for (const entry of entries) dueAt.set(entry.pipeline, now + claimRetryInterval)
      const due = entries.map((entry): readonly [Entry, Due] => [entry, dueNow(entry, now, tolerance)])
      const claims = due.flatMap(([, each]) => each.claims)
      const won = yield* Effect.either(holder.claim(claims))
      if (won._tag === "Left") {
        trouble.note(won.left.message)
        return
      }
      trouble.note(undefined)
      for (const [{ pipeline }, { reached }] of due) {
        const entry = known.advance(pipeline, reached)
        if (entry !== undefined) plan(entry)
      }
      // Scheduled times that are caught up wait for the earlier ones, also with `overlap: replace`.
      const replacing = new Set(claims.flatMap((each) => (each.overlap === "replace" ? JobTable.keyOf(each) : [])))
      for (const record of won.right) {
        if (record.endedAt !== undefined) report({ _tag: "Over", record })
        else {
          const earlier = replacing.has(JobTable.keyOf(record)) ? jobs.earlier(record) : []
          for (const job of earlier) yield* Job.stop(job, "replaced")
          yield* jobs.start(record)
        }
      }
    })

    const clock = Effect.gen(function* () {
      while (true) {
        yield* catchDefects(tick, trouble)
        const now = yield* Clock.currentTimeMillis
        const wait = Math.min(millis("maxSleep"), Math.max(0, firstDue() - now))
        yield* Effect.raceFirst(Effect.sleep(wait), Queue.take(changed))
      }
    })

    const scan = Effect.gen(function* () {
      const { added, removed } = yield* known.scan
      for (const pipeline of removed) dueAt.delete(pipeline)
      for (const entry of added) plan(entry)
      if (added.length + removed.length > 0) yield* Queue.offer(changed, undefined)
    })

    /** Takes over occurrences of other daemons, and stops jobs that a later occurrence has replaced. */
    const look = Effect.gen(function* () {
      for (const record of yield* holder.takeOver(({ pipeline }) => known.find(pipeline) !== undefined))
        yield* jobs.start(record)
      for (const record of yield* holder.owned) {
        const job = jobs.find(record)
        if (job === undefined) yield* jobs.start(record)
        else if (record.replacedBy !== undefined) yield* Job.stop(job, "replaced")
      }
      paused = yield* schedules.paused
    }).pipe(
      Effect.tap(() => Effect.sync(() => trouble.note(undefined))),
      Effect.catchAll(({ message }) => Effect.sync(() => trouble.note(message)))
    )

    const prune = Effect.flatMap(Clock.currentTimeMillis, (now) => schedules.prune(now - millis("retention"))).pipe(
      Effect.catchAll(({ message }) => Effect.sync(() => trouble.note(message)))
    )

    const every = (interval: number, work: Effect.Effect<unknown>) =>
      Effect.forkDaemon(
        Effect.interruptible(Effect.forever(Effect.zipRight(Effect.sleep(interval), catchDefects(work, trouble))))
      )

    yield* scan
    yield* look
    const fibers = [
      yield* Effect.forkDaemon(Effect.interruptible(clock)),
      yield* every(millis("scanInterval"), scan),
      yield* every(millis("takeoverInterval"), look),
      yield* every(3_600_000, prune)
    ]
    yield* Effect.addFinalizer(() => {
      jobs.close()
      return Effect.zipRight(Fiber.interruptAll(fibers), jobs.end(millis("grace")))
    })

    const status = Effect.sync((): SchedulerStatus => {
      const all = jobs.all()
      return {
        owner: holder.owner,
        startedAt,
        tickedAt,
        draining: jobs.isClosed(),
        next: dueAt.size === 0 ? undefined : firstDue(),
        pipelines: known.all().map((entry) => pipelineStatus(entry, paused.get(entry.pipeline))),
        broken: known.broken(),
        running: all.flatMap(({ record: { scheduledTime, pipeline }, run, runId }) =>
          run === undefined ? [] : [{ pipeline, scheduledTime, runId }]
        ),
        waiting: all.filter(({ run }) => run === undefined).length,
        trouble: trouble.current()
      }
    })
    return {
      status,
      definition: known.definition,
      rescan: scan,
      await: holder.lost
    }
  })
