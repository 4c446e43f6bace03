/** A folder of definitions, a ledger in memory or in a file, and a runner whose runs do what a test says. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Database from "../../src/Database.ts"
import { Locked } from "../../src/Ledger/LedgerErrors.ts"
import { migrations } from "../../src/Ledger/Schema.ts"
import { Ledger, over } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { read } from "../../src/Pipeline/Source.ts"
import { RunFailed, type Summary } from "../../src/Run/RunResult.ts"
import * as Daemon from "../../src/Schedule/Daemon.ts"
import type { Occurrence, ScheduleStore } from "../../src/Schedule/Model.ts"
import * as Store from "../../src/Schedule/Store.ts"
import type * as Schedule from "../../src/Schedule.ts"
import { restored } from "../../src/Step/StepError.ts"
import { tempDir } from "../Local.ts"
import { summary } from "../Project.ts"

export type Opened = typeof Ledger.Service

/** A ledger in memory, for as long as the scope is open. */
export const memory: Effect.Effect<Opened, never, Scope.Scope> = Layer.build(
  over("memory").pipe(
    Layer.provide(Database.memory({ parts: { ledger: migrations }, pragmas: [] })),
    Layer.provide(NodeContext.layer)
  )
).pipe(
  Effect.map((context) => Context.get(context, Ledger)),
  Effect.orDie
)

export const failure = (runId: string, reason: string, message: string): RunFailed =>
  new RunFailed({
    summary: summary(runId, { status: reason === "BudgetReached" ? "budget" : "failed" }),
    reason: restored({ reason, message }, [Locked])
  })

/** A run that was begun. */
export interface Ran {
  readonly runId: string
  readonly pipeline: string
  readonly scheduledTime: number
  readonly at: number
  readonly resumed: string | undefined
}

export interface World {
  readonly folder: string
  /** Writes a definition with this schedule; the file has the pipeline's name. */
  readonly write: (name: string, schedule: string, more?: string) => void
  readonly writeText: (file: string, text: string) => void
  readonly remove: (file: string) => void
  readonly runner: Schedule.Runner
  readonly ran: ReadonlyArray<Ran>
  readonly news: Array<Schedule.SchedulerEvent>
  /** The run of a task; by default it completes at once. */
  work: (ran: Ran) => Effect.Effect<Summary, RunFailed>
  readonly options: (more?: Partial<Schedule.SchedulerOptions>) => Schedule.SchedulerOptions
  readonly serve: (
    ledger: Opened,
    more?: Partial<Schedule.SchedulerOptions>,
    schedules?: ScheduleStore
  ) => Effect.Effect<Schedule.Scheduler, unknown, Scope.Scope>
}

export const make: Effect.Effect<World, never, Scope.Scope> = Effect.gen(function* () {
  const home = yield* tempDir
  const folder = join(home, "pipelines")
  mkdirSync(folder)
  const ran: Array<Ran> = []
  const news: Array<Schedule.SchedulerEvent> = []
  let written = 0
  const writeText = (file: string, text: string) => {
    const path = join(folder, file)
    writeFileSync(path, text)
    // Distinguishes two versions of equal size within a tick of the disk's clock.
    written++
    utimesSync(path, written, written)
  }
  const runner: Schedule.Runner = {
    load: (file) =>
      Effect.flatMap(read(file), (source) =>
        check(source, { env: {}, secrets: () => Redacted.make("http://127.0.0.1:9/hook"), inputs: {}, complete: true })
      ).pipe(Effect.provide(NodeContext.layer)),
    run: ({ begun, checked, scheduledTime, resume }) =>
      Effect.gen(function* () {
        const runId = resume?.id ?? `run-${ran.length + 1}`
        yield* begun(runId)
        const one: Ran = {
          runId,
          pipeline: checked.frame.name,
          scheduledTime,
          at: yield* Clock.currentTimeMillis,
          resumed: resume?.id
        }
        ran.push(one)
        return yield* world.work(one)
      })
  }
  const options = (more: Partial<Schedule.SchedulerOptions> = {}): Schedule.SchedulerOptions => ({
    definitions: folder,
    runner,
    onEvent: (each) => {
      news.push(each)
    },
    ...more
  })
  const world: World = {
    folder,
    write: (name, schedule, more = "") =>
      writeText(
        `${name}.yaml`,
        `version: 1\nname: ${name}\nschedule: { ${schedule} }\n${more}steps:\n  - urls: [https://example.com/]\n`
      ),
    writeText,
    remove: (file) => rmSync(join(folder, file)),
    runner,
    ran,
    news,
    work: ({ runId }) => Effect.succeed(summary(runId)),
    options,
    serve: (ledger, more, schedules = Store.of(ledger)) =>
      Daemon.make(ledger, schedules, options(more)).pipe(Effect.provide(NodeContext.layer), Effect.zipLeft(settle))
  }
  return world
})

/** Files that are being read or written: what waits for them goes on when the disk has answered, however long that takes. */
const isBusy = () => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))

/** Lets everything that is ready go on, files and writes included, without the clock. */
const turns = (count: number) =>
  Effect.gen(function* () {
    for (let turn = 0, calm = 0; calm < count && turn < 100_000; turn++) {
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      calm = isBusy() ? 0 : calm + 1
    }
  })

export const settle = turns(40)

/**
 * A clock that goes from one time to another in one stride: a year is as many strides as there are scheduled times, where the
 * test clock would stop at every look at the folder.
 */
class Strides implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  now = 0
  sleepers: Array<{ at: number; readonly wake: () => void }> = []
  unsafeCurrentTimeMillis = () => this.now
  unsafeCurrentTimeNanos = () => BigInt(this.now) * 1_000_000n
  currentTimeMillis = Effect.sync(() => this.now)
  currentTimeNanos = Effect.sync(() => BigInt(this.now) * 1_000_000n)
  sleep = (duration: Duration.Duration) =>
    Effect.async<void>((resume) => {
      const sleeper = { at: this.now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
      this.sleepers.push(sleeper)
      return Effect.sync(() => {
        this.sleepers = this.sleepers.filter((each) => each !== sleeper)
      })
    })
  /** Waits last as long as before when the clock is put back: timers do not look at it. */
  set(time: number) {
    for (const sleeper of this.sleepers) sleeper.at += Math.min(0, time - this.now)
    this.now = time
    const due = this.sleepers.filter(({ at }) => at <= time).sort((one, other) => one.at - other.at)
    this.sleepers = this.sleepers.filter(({ at }) => at > time)
    for (const { wake } of due) wake()
  }
}

/** Closes what is open in a scope, for which time may have to pass: runs are waited for. */
export const close = (scope: Scope.CloseableScope) =>
  Effect.gen(function* () {
    const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
    yield* settle
    for (let second = 0; second < 3600 && Option.isNone(yield* Fiber.poll(closing)); second++) {
      yield* until((yield* Clock.currentTimeMillis) + 1000)
    }
    yield* Fiber.join(closing)
  })

/** Carries a test out in a time of its own, in which what it leaves open is closed, too. */
export const inTime = <A, E, R>(test: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.suspend(() =>
    Effect.withClock(
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) => Effect.provideService(test, Scope.Scope, scope),
        (scope) => Effect.interruptible(close(scope))
      ),
      new Strides()
    )
  )

/** A generator that is carried out so. */
export const timed: typeof Effect.gen = ((body: () => Generator<never, unknown>) => inTime(Effect.gen(body))) as never

/** Puts the clock to a time and lets everybody do what is due. */
export const until = (time: string | number, count = 40) =>
  Effect.clockWith((clock) =>
    Effect.sync(() => (clock as Strides).set(typeof time === "string" ? Date.parse(time) : time))
  ).pipe(Effect.zipRight(turns(count)))

/** Waits for what takes the disk a while, and not the clock. */
export const eventually = (isSo: () => boolean) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 5_000 && !isSo(); turn++) {
      yield* Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))
    }
    yield* settle
  })

/** Lets time pass, in strides of so many seconds. */
export const pass = (time: string, seconds = 30) =>
  Effect.gen(function* () {
    const end = Date.parse(time)
    for (let now = yield* Clock.currentTimeMillis; now < end; ) {
      now = Math.min(end, now + seconds * 1000)
      yield* until(now)
    }
  })

export const iso = (scheduledTime: number): string => new Date(scheduledTime).toISOString().slice(0, 16)

/** The history of a pipeline, oldest first: `10:00 completed`. */
export const history = (ledger: Opened, pipeline: string) =>
  Effect.map(Store.of(ledger).occurrences({ pipeline, limit: 10_000 }), (rows: ReadonlyArray<Occurrence>) =>
    rows.toReversed().map(({ scheduledTime, status }) => `${iso(scheduledTime).slice(11)} ${status}`)
  )
