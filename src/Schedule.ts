/** Runs pipelines on their schedules: serves a folder of definitions, or runs a single scheduled time by hand. */
import { resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "./Ledger/LedgerErrors.ts"
import { Ledger } from "./Ledger.ts"
import type { Checked } from "./Pipeline/Check.ts"
import * as LocalSite from "./Run/LocalSite.ts"
import type { ResolvedOptions } from "./Run/RunSpec.ts"
import type * as Run from "./Run.ts"
import * as Daemon from "./Schedule/Daemon.ts"
import * as Job from "./Schedule/Job.ts"
import { defaultRetention, type Occurrence } from "./Schedule/Model.ts"
import * as Runners from "./Schedule/Runner.ts"
import type { Runner, Scheduler, SchedulerOptions } from "./Schedule/Scheduler.ts"
import * as Store from "./Schedule/Store.ts"
import type { Services } from "./Step.ts"

export type {
  Failure,
  PipelineStatus,
  Refused,
  Runner,
  Scheduler,
  SchedulerEvent,
  SchedulerOptions,
  SchedulerStatus,
  Task
} from "./Schedule/Scheduler.ts"
export { schedules } from "./Schedule/Store.ts"

/**
 * Runs the pipelines of a folder on their schedules until the scope closes. Then no new run starts, active runs get the
 * grace period and are stopped at a checkpoint, and unfinished occurrences are released to other schedulers. Any number of
 * processes may serve the same pipelines over one ledger: exactly one of them runs each scheduled time.
 *
 * @example
 * ```ts
 * const runner = yield* Schedule.runner({ out: "out", dataDir: ".sluice" })
 * yield* Effect.scoped(Effect.flatMap(Schedule.serve({ definitions: "pipelines", runner }), (served) => served.await))
 * ```
 */
export const serve = (
  options: SchedulerOptions
): Effect.Effect<Scheduler, LedgerError | Locked, Ledger | FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.flatMap(Ledger, (ledger) => Daemon.make(ledger, Store.of(ledger), options))

/**
 * Runs one scheduled time now, whatever the schedule says, and returns its occurrence afterwards. Runs it again when it was
 * missed, skipped or failed. Leaves it as it is when it is completed, or when another process is running it.
 */
export const runAt = (options: {
  readonly checked: Checked
  /** The scheduled time, in milliseconds since 1970. */
  readonly scheduledTime: number
  readonly runner: Runner
}): Effect.Effect<Occurrence, LedgerError | Locked, Ledger> =>
  Effect.gen(function* () {
    const { checked, scheduledTime, runner } = options
    const ledger = yield* Ledger
    const schedules = Store.of(ledger)
    const pipeline = checked.frame.name
    const which = { pipeline, scheduledTime }
    const holder = yield* schedules.acquireLease
    const claim = {
      ...which,
      due: scheduledTime,
      cause: "hand",
      status: "waiting",
      overlap: "allow",
      notices: []
    } as const
    const [won] = yield* holder.claim([claim])
    const reclaimed = won ?? (yield* holder.reclaim(which))
    // The occurrence may be unfinished: stopped, or started by a process that has ended.
    const abandoned =
      reclaimed === undefined
        ? yield* holder.takeOver((each) => each.pipeline === pipeline && each.scheduledTime === scheduledTime)
        : []
    const claimed = reclaimed ?? abandoned[0]
    if (claimed !== undefined) {
      const context: Job.JobContext = {
        ledger,
        schedules,
        holder,
        runner,
        permits: yield* Effect.makeSemaphore(1),
        onEvent: () => undefined,
        earlier: () => []
      }
      const snapshot: Job.PipelineSnapshot = {
        checked,
        file: checked.source.file,
        schedule: { overlap: "skip", retry: undefined }
      }
      // A pending retry starts now.
      const job = yield* Job.make({ ...claimed, nextAt: undefined })
      yield* Effect.forkDaemon(Effect.interruptible(Job.execute(job, () => snapshot, context)))
      yield* Deferred.await(job.done).pipe(
        Effect.onInterrupt(() => Effect.zipRight(Job.stop(job, "released"), Deferred.await(job.done)))
      )
    }
    // Without a daemon nothing else deletes old occurrences.
    yield* schedules.prune((yield* Clock.currentTimeMillis) - Duration.toMillis(defaultRetention))
    return (yield* schedules.find(which)) ?? (claimed as Occurrence)
  }).pipe(Effect.scoped)

/** Folders of a scheduler's runs, and what the runs may read. */
export interface RunnerOptions extends Pick<ResolvedOptions, "allowCode" | "dataDir" | "env" | "out" | "secrets"> {
  /** Values for inputs that a pipeline declares. They override `schedule.inputs`. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** Called before each run is executed. `run.progress` reports its progress. */
  readonly watch?: ((run: Run.Run) => Effect.Effect<void>) | undefined
}

/**
 * Runner for programs that serve schedules themselves, with the client, ledger and files of their own layers. A resumed run
 * uses the definition that it was started with. Code of the project (definitions in code, and `use` steps) only runs with
 * `allowCode`.
 *
 * @example
 * ```ts
 * const runner = yield* Schedule.runner({ out: "out", dataDir: ".sluice" })
 * ```
 */
export const runner = ({
  allowCode = false,
  dataDir,
  env = {},
  inputs,
  out,
  secrets = () => undefined,
  watch
}: RunnerOptions): Effect.Effect<Runner, never, Services | Ledger> =>
  Effect.flatMap(Effect.context<Services | Ledger>(), (context) => {
    const client = Layer.succeedContext(context)
    return Runners.make({
      allowCode,
      inputs,
      scope: { env, secrets },
      dataDir: resolve(dataDir),
      out: resolve(out),
      watch,
      serve: ({ frame, source }) =>
        frame.site === undefined
          ? Effect.succeed({ site: undefined, client })
          : Effect.map(LocalSite.serve(resolve(source.folder, frame.site)), (site) => ({ site, client }))
    })
  })
