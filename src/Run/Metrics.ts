/** Metrics of runs. Rows are reported with each commit, at no cost while they flow. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { counter, gauge, histogram } from "../Telemetry/Metric.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Counters } from "./Progress.ts"

const underway = gauge("sluice_runs_underway", "Runs of this process that have not ended.", [])
const runs = counter("sluice_runs_total", "Runs that have ended, by outcome.", ["pipeline", "status"])
const rows = counter("sluice_run_rows_total", "Rows that have reached the end of a pipeline.", ["pipeline"])
const rejects = counter("sluice_run_rejects_total", "Rejected rows.", ["pipeline"])
const credits = counter("sluice_run_credits_total", "Credits that runs have used.", ["pipeline"])
const commits = histogram(
  "sluice_run_commit_duration_seconds",
  "Duration of a commit, from the wait for moving rows to the end of its transaction.",
  []
)
const backpressure = counter(
  "sluice_run_backpressure_seconds_total",
  "Time that a step has waited because downstream steps were full.",
  ["step"]
)

/** Totals of a run that were already reported. */
interface Reported {
  rows: number
  rejects: number
  credits: number
}

const reported = new WeakMap<Counters, Reported>()

/** Starts with the totals from before the resume, which an earlier process has reported. */
const begin = (counters: Counters): void =>
  void reported.set(counters, { rows: counters.rows, rejects: counters.rejects, credits: counters.credits })

/** Reports the increase since the last report. */
const report = (pipeline: string, counters: Counters): void => {
  const before = reported.get(counters)
  if (before === undefined) return
  rows.add(Math.max(0, counters.rows - before.rows), pipeline)
  rejects.add(Math.max(0, counters.rejects - before.rejects), pipeline)
  credits.add(Math.max(0, counters.credits - before.credits), pipeline)
  begin(counters)
}

/** Measures a commit, and reports the rows in it. */
export const measureCommit = <A, E, R>(
  commit: Effect.Effect<A, E, R>,
  pipeline: string,
  counters: Counters
): Effect.Effect<A, E, R> => {
  begin(counters)
  return Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    const result = yield* commit
    commits.record(((yield* Clock.currentTimeMillis) - from) / 1000)
    report(pipeline, counters)
    yield* Trace.note({ "sluice.rows": counters.rows, "sluice.rejects": counters.rejects })
    return result
  }).pipe(Trace.within("Run.commit"))
}

/** Measures how long a step waits because its downstream is full. */
export const measureBackpressure = <A, E, R>(wait: Effect.Effect<A, E, R>, step: string): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const from = clock.unsafeCurrentTimeMillis()
    return Effect.ensuring(
      wait,
      Effect.sync(() => backpressure.add(Math.max(0, clock.unsafeCurrentTimeMillis() - from) / 1000, step))
    )
  })

interface Failure {
  readonly summary: { readonly status: string }
}

/** Status of a run from its exit; the error of a failed run contains the status. */
const statusOf = (exit: Exit.Exit<unknown, Failure>): string =>
  Exit.match(exit, {
    onSuccess: () => "completed",
    onFailure: (cause) =>
      Cause.isInterrupted(cause)
        ? "stopped"
        : Option.match(Cause.failureOption(cause), {
            onNone: () => "failed",
            onSome: ({ summary }) => summary.status
          })
  })

/** Measures a run, whatever its result. */
export const measureRun = <A, E extends Failure, R>(
  run: Effect.Effect<A, E, R>,
  pipeline: string,
  counters: Counters,
  isCompleted: Effect.Effect<boolean>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => underway.add(1)),
    () =>
      Effect.onExit(run, (exit) =>
        Effect.map(isCompleted, (isCompleted) => {
          report(pipeline, counters)
          runs.add(1, pipeline, isCompleted ? "completed" : statusOf(exit))
        })
      ),
    () => Effect.sync(() => underway.add(-1))
  )
