/** The schedule at work: the folder is looked at, the clock is looked at, and what is due is claimed and begun. */

import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import type { Options, Served, Status } from "../Schedule.ts"
import { carryOut } from "./CarryOut.ts"
import { type Due, dueNow, type Entry, nextDue } from "./Due.ts"
import * as Heap from "./Heap.ts"
import * as Job from "./Job.ts"
import { keep } from "./Keep.ts"
import * as Known from "./Known.ts"
import type { InstantRecord, Schedules } from "./Model.ts"
import * as Trouble from "./Trouble.ts"

type Opened = typeof Ledger.Service

const defaults = {
  grace: "30 seconds",
  atOnce: 16,
  tolerance: "60 seconds",
  scanEvery: "2 seconds",
  nap: "30 seconds",
  lookEvery: "5 seconds",
  keep
} as const

/** What the ledger did not take is tried again after so long. */
const troubled = 2_000

/** Runs that were told to stop take down where they stand in so long, or are left as they are. */
const stopping = Duration.toMillis("1 minute")

const keyOf = ({ instant, pipeline }: Pick<InstantRecord, "instant" | "pipeline">): string => `${pipeline} ${instant}`

export const make = (
  ledger: Opened,
  schedules: Schedules,
  options: Options
): Effect.Effect<Served, LedgerError | Locked, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const { definitions, runner, tell = () => undefined } = options
    const millis = (name: Exclude<keyof typeof defaults, "atOnce">) =>
      Duration.toMillis(options[name] ?? defaults[name])
    const tolerance = millis("tolerance")
    const startedAt = yield* Clock.currentTimeMillis
    const carrier = yield* schedules.carry
    const known = yield* Known.make(definitions, { ledger, schedules }, runner, tell)
    const heap = Heap.make()
    const jobs = new Map<string, Job.Job>()
    /** By pipeline, so that nobody looks through all of them. */
    const byPipeline = new Map<string, Set<Job.Job>>()
    const changed = yield* Queue.sliding<void>(1)
    let tickedAt = startedAt
    let draining = false
    let paused: ReadonlyMap<string, number> = new Map()
    const trouble = Trouble.make(tell)

    const shop: Job.Workshop = {
      ledger,
      schedules,
      carrier,
      runner,
      permits: yield* Effect.makeSemaphore(options.atOnce ?? defaults.atOnce),
      tell,
      earlier: (record) =>
        [...(byPipeline.get(record.pipeline) ?? [])].filter((job) => job.record.instant < record.instant)
    }

    /** Begins to carry out an instant, unless it is being carried out. */
    const start = (record: InstantRecord) =>
      Effect.gen(function* () {
        const key = keyOf(record)
        if (jobs.has(key) || draining) return
        const job = yield* Job.make(record)
        if (jobs.has(key)) return
        jobs.set(key, job)
        const others = byPipeline.get(record.pipeline) ?? new Set()
        byPipeline.set(record.pipeline, others.add(job))
        // A definition that has gone is kept for those that are under way.
        let last: Job.Orders | undefined
        const orders = () => {
          last = known.ordersFor(record.pipeline) ?? last
          return last ?? { checked: undefined, file: "", schedule: { overlap: "skip", retry: undefined } }
        }
        orders()
        const end = Effect.sync(() => {
          jobs.delete(key)
          others.delete(job)
          if (others.size === 0 && byPipeline.get(record.pipeline) === others) byPipeline.delete(record.pipeline)
        })
        yield* Effect.forkDaemon(Effect.interruptible(Effect.ensuring(carryOut(job, orders, shop), end)))
      })

    const plan = (entry: Entry) => {
      const next = nextDue(entry)
      if (next === undefined) heap.remove(entry.pipeline)
      else heap.set(entry.pipeline, next.due)
    }

    /** What nobody expected is told, and keeps nobody from the next look. */
    const unbroken = (work: Effect.Effect<unknown>): Effect.Effect<unknown> =>
      Effect.catchAllDefect(work, (defect) => Effect.sync(() => trouble.note(`a fault of sluice: ${String(defect)}`)))

    /** Claims what is due, and begins it. */
    const tick = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      tickedAt = now
      const entries = heap.takeUntil(now).flatMap((pipeline) => known.find(pipeline) ?? [])
      if (entries.length === 0) return
      // They are looked at again, whatever becomes of this look.
      for (const entry of entries) heap.set(entry.pipeline, now + troubled)
      const due = entries.map((entry): readonly [Entry, Due] => [entry, dueNow(entry, now, tolerance)])
      const claims = due.flatMap(([, { claims }]) => claims)
      const won = yield* Effect.either(carrier.claim(claims))
      if (won._tag === "Left") {
        trouble.note(won.left.message)
        return
      }
      trouble.note(undefined)
      for (const [{ pipeline }, { reached }] of due) {
        const entry = known.advance(pipeline, reached)
        if (entry !== undefined) plan(entry)
      }
      for (const record of won.right) {
        if (record.endedAt !== undefined) tell({ _tag: "Over", record })
        else {
          const { overlap } = known.ordersFor(record.pipeline)?.schedule ?? { overlap: "skip" }
          if (overlap === "replace") {
            yield* Effect.forEach(shop.earlier(record), (job) => Job.stop(job, "replaced"), { discard: true })
          }
          yield* start(record)
        }
      }
    })

    const clock = Effect.gen(function* () {
      while (true) {
        yield* unbroken(tick)
        const now = yield* Clock.currentTimeMillis
        const wait = Math.min(millis("nap"), Math.max(0, (heap.first() ?? Number.POSITIVE_INFINITY) - now))
        yield* Effect.raceFirst(Effect.sleep(wait), Queue.take(changed))
      }
    })

    const scan = Effect.gen(function* () {
      const { added, removed } = yield* known.scan
      for (const pipeline of removed) heap.remove(pipeline)
      for (const entry of added) plan(entry)
      if (added.length + removed.length > 0) yield* Queue.offer(changed, undefined)
    })

    /** Takes over what others left, and hears what others want of this one. */
    const look = Effect.gen(function* () {
      for (const record of yield* carrier.takeOver(({ pipeline }) => known.find(pipeline) !== undefined))
        yield* start(record)
      for (const record of yield* carrier.own) {
        const job = jobs.get(keyOf(record))
        if (job === undefined) yield* start(record)
        else if (record.replacedBy !== undefined) yield* Job.stop(job, "replaced")
      }
      paused = yield* schedules.paused
    }).pipe(
      Effect.tap(() => Effect.sync(() => trouble.note(undefined))),
      Effect.catchAll(({ message }) => Effect.sync(() => trouble.note(message)))
    )

    const forget = Effect.flatMap(Clock.currentTimeMillis, (now) => schedules.forget(now - millis("keep"))).pipe(
      Effect.catchAll(({ message }) => Effect.sync(() => trouble.note(message)))
    )

    const every = (interval: number, work: Effect.Effect<unknown>) =>
      Effect.forkDaemon(Effect.interruptible(Effect.forever(Effect.zipRight(Effect.sleep(interval), unbroken(work)))))

    /** Nothing new begins; what runs may come to its end, and what is not over then is left to whoever comes next. */
    const drain = (fibers: ReadonlyArray<Fiber.RuntimeFiber<unknown, unknown>>) =>
      Effect.gen(function* () {
        draining = true
        yield* Fiber.interruptAll(fibers)
        const all = [...jobs.values()]
        yield* Effect.forEach(
          all.filter(({ run }) => run === undefined),
          (job) => Job.stop(job, "left")
        )
        const over = Effect.forEach(all, ({ done }) => Deferred.await(done), { discard: true })
        // On a fiber of its own, which can be cut short here.
        const waiting = (most: number) =>
          Effect.flatMap(Effect.forkDaemon(Effect.interruptible(Effect.timeoutOption(over, most))), Fiber.await)
        yield* waiting(millis("grace"))
        yield* Effect.forEach(all, (job) => Job.stop(job, "left"), { discard: true })
        yield* waiting(stopping)
        const stuck = [...jobs.values()].map(({ record }) => record)
        if (stuck.length === 0) return
        const names = stuck
          .slice(0, 5)
          .map(({ instant, pipeline }) => `${pipeline} for ${new Date(instant).toISOString()}`)
        const more = stuck.length > names.length ? ` and ${stuck.length - names.length} more` : ""
        const message = `not stopped within a minute, and left for whoever comes next to go on with: ${names.join(", ")}${more}`
        tell({ _tag: "Trouble", message })
        yield* Effect.ignore(carrier.leave(stuck))
      })

    yield* scan
    yield* look
    const fibers = [
      yield* Effect.forkDaemon(Effect.interruptible(clock)),
      yield* every(millis("scanEvery"), scan),
      yield* every(millis("lookEvery"), look),
      yield* every(3_600_000, forget)
    ]
    yield* Effect.addFinalizer(() => drain(fibers))

    const status = Effect.sync((): Status => {
      const all = [...jobs.values()]
      return {
        owner: carrier.owner,
        startedAt,
        tickedAt,
        draining,
        next: heap.first(),
        pipelines: known.all().map((entry) => ({
          pipeline: entry.pipeline,
          file: entry.file,
          cron: entry.schedule.cron,
          timezone: entry.schedule.timezone,
          next: nextDue(entry)?.instant,
          pausedAt: paused.get(entry.pipeline),
          broken: entry.broken
        })),
        broken: known.broken(),
        running: all.flatMap(({ record: { instant, pipeline }, run, runId }) =>
          run === undefined ? [] : [{ pipeline, instant, runId }]
        ),
        waiting: all.filter(({ run }) => run === undefined).length,
        trouble: trouble.current()
      }
    })
    return {
      status,
      definition: known.definition,
      rescan: scan,
      await: carrier.lost
    }
  })
