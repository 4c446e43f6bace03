/** An instant at work, and what those who work on instants share. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { Schedule } from "../Pipeline/Schedule.ts"
import type { RunFailed, Summary } from "../Run/RunResult.ts"
import type { News } from "../Schedule.ts"
import type { Carrier, InstantRecord, Schedules } from "./Model.ts"
import type { Failure, Refused, Runner } from "./Runner.ts"

/** An instant at work. */
export interface Job {
  readonly record: InstantRecord
  readonly done: Deferred.Deferred<void>
  /** Why it is to stop, when it is: a later instant takes its place, or it is left to whoever comes next. */
  stop: "replaced" | "left" | undefined
  /** Completes when it is told to stop, so that nobody sleeps on. */
  readonly stopped: Deferred.Deferred<void>
  /** The run, while there is one. */
  run: Fiber.RuntimeFiber<Summary, RunFailed | Refused | Failure> | undefined
  runId: string | undefined
}

/** What jobs share. */
export interface Workshop {
  readonly ledger: typeof Ledger.Service
  readonly schedules: Schedules
  readonly carrier: Carrier
  readonly runner: Runner
  /** Runs at once. */
  readonly permits: Effect.Semaphore
  readonly tell: (news: News) => void
  /** The earlier instants of the pipeline that this process is working on. */
  readonly earlier: (record: InstantRecord) => ReadonlyArray<Job>
}

/** What a job is told of its pipeline. */
export interface Orders {
  readonly checked: Checked | undefined
  readonly file: string
  readonly schedule: Pick<Schedule, "overlap" | "retry">
}

export const make = (record: InstantRecord): Effect.Effect<Job> =>
  Effect.map(Effect.all([Deferred.make<void>(), Deferred.make<void>()]), ([done, stopped]) => ({
    record,
    done,
    stop: undefined,
    stopped,
    run: undefined,
    runId: record.runId
  }))

/** Ends what runs in order, and what waits at once. */
export const stop = (job: Job, why: "replaced" | "left"): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (job.stop === undefined) job.stop = why
    const { run } = job
    return Effect.zipRight(
      Deferred.succeed(job.stopped, undefined),
      run === undefined ? Effect.void : Fiber.interruptFork(run)
    )
  })

/** Sleeps so long, or until it is told to stop. */
export const sleep = (job: Job, millis: number): Effect.Effect<void> =>
  Effect.raceFirst(Effect.sleep(Math.max(0, millis)), Deferred.await(job.stopped))
