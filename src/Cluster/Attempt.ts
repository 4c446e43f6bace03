/**
 * One attempt of a worker at a part, until its outcome is recorded: completed, failed, deferred or returned.
 *
 * - Repeats a report until it succeeds, for as long as the worker lives. Otherwise the worker would count as still working on a finished
 *   part.
 * - When `halted` completes, the part commits its progress and is returned. An interrupt ends the attempt without a report: the worker then
 *   returns its parts itself.
 * - If this version cannot read a run's submission, the run's parts are deferred instead of failing, and left to a worker that can.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { SavedValueInvalid } from "../Row/SavedValue.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import { counter, gauge } from "../Telemetry/Metric.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { version } from "../Version.ts"
import type { Delivery } from "./Carrier.ts"
import { execute, PartFailed, type Place } from "./PartRun.ts"
import { maxAttempts, type Part } from "./Parts.ts"
import { Submissions, taskOf } from "./Submissions.ts"
import type { Task } from "./Task.ts"

const parts = counter(
  "sluice_worker_parts_total",
  "Parts of runs (splits, shards and finishes) that this worker has executed, by outcome.",
  ["kind", "outcome"]
)
const busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker is executing.", [])
const room = gauge("sluice_worker_parts_room", "Maximum number of parts of runs that this worker executes at once.", [])
const lost = counter("sluice_worker_parts_lost_total", "Parts of runs that this worker took over from lost workers.", [
  "kind"
])

const outcomeOf = (exit: Exit.Exit<unknown, { readonly status: string }>): string => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.isInterrupted(exit.cause)) return "given back"
  const failure = Cause.squash(exit.cause)
  return typeof failure === "object" && failure !== null && "status" in failure ? String(failure.status) : "failed"
}

/** Counts a part by its outcome, and traces it as part of its run. */
export const measured = <A, E extends { readonly status: string }, R>(
  execution: Effect.Effect<A, E, R>,
  { kind, part, runId }: Part,
  { pipeline, trace }: Task
): Effect.Effect<A, E, R> => {
  const attributes = {
    "sluice.run.id": runId,
    "sluice.pipeline": pipeline,
    "sluice.part": part,
    "sluice.part.kind": kind
  }
  const parent = Trace.parentOf(trace)
  const spanned = Effect.withSpan(execution, "Cluster.part", {
    captureStackTrace: false,
    attributes,
    ...(parent === undefined ? { root: true } : { parent })
  })
  return Effect.acquireUseRelease(
    Effect.sync(() => busy.add(1)),
    () => Effect.onExit(spanned, (exit) => Effect.sync(() => parts.add(1, kind, outcomeOf(exit)))),
    () => Effect.sync(() => busy.add(-1))
  )
}

/** Sets the metric for the maximum number of parts that this worker executes at once. */
export const setRoom = (concurrency: number): void => room.set(concurrency)

const nameOf = ({ kind, part, runId }: Part): string =>
  kind === "shard" ? `shard ${part} of ${runId}` : `the ${kind} of ${runId}`

/** Repeats a query or report until the database has answered. */
const reported = <A, R>(report: Effect.Effect<A, LedgerError, R>): Effect.Effect<A, LedgerError, R> =>
  report.pipe(
    warnOnce("This worker cannot read or record the state of a part of a run"),
    Effect.retry(Schedule.spaced("1 second"))
  )

interface Options {
  readonly place: Place
  /** Id of this worker. */
  readonly worker: string
  readonly say: (line: string) => void
}

export const make = ({ place, say, worker }: Options) =>
  Effect.gen(function* () {
    const submissions = yield* Submissions
    /** Ids of runs whose submission this version cannot read, and which this worker has left to others. */
    const unreadable = new Set<string>()

    const release = (delivery: Delivery) => reported(submissions.release(delivery, worker))

    /** Reports an outcome. If the delivery was lost meanwhile, for example through `sluice stop`, releases the part instead. */
    const recorded = (delivery: Delivery, report: Effect.Effect<boolean, LedgerError>) =>
      Effect.flatMap(reported(report), (isRecorded) => (isRecorded ? Effect.void : release(delivery)))

    const attempted = (delivery: Delivery, halted: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const begun = yield* reported(submissions.begin(delivery, worker))
        if (begun === undefined) return
        const { attempts, isSuspect, part } = begun
        if (delivery.attempt > 0 || isSuspect) lost.add(1, part.kind)
        if (attempts > maxAttempts) {
          const error = `${nameOf(part)} was started ${maxAttempts} times without progress, and its worker was lost each time: it may need more memory than a worker has, or its code may end the process`
          say(`gives up ${nameOf(part)}`)
          return yield* recorded(
            delivery,
            submissions.fail(delivery, { status: "failed", reason: "WorkersLost", error })
          )
        }
        const task = yield* Effect.catchTag(taskOf(begun), "SavedValueInvalid", Effect.succeed)
        if (task instanceof SavedValueInvalid) {
          const why = `${task.place} cannot be read by sluice ${version}: ${task.problem}. A worker of the version that submitted the run can continue it; or stop the run with sluice stop ${part.runId}`
          if (!unreadable.has(part.runId)) say(`leaves ${nameOf(part)} to another worker: ${why}`)
          unreadable.add(part.runId)
          return yield* recorded(delivery, submissions.defer(delivery, why))
        }
        const fiber = yield* Effect.fork(Effect.interruptible(measured(execute(part, task, place), part, task)))
        const exit = yield* Effect.raceFirst(Fiber.await(fiber), Effect.zipRight(halted, Fiber.interrupt(fiber))).pipe(
          Effect.onInterrupt(() => Fiber.interrupt(fiber))
        )
        if (Exit.isSuccess(exit)) {
          return yield* recorded(delivery, submissions.complete(delivery, part.kind, exit.value))
        }
        if (Cause.isInterrupted(exit.cause)) {
          say(`gives back ${nameOf(part)}`)
          return yield* release(delivery)
        }
        const failure = Cause.squash(exit.cause)
        const error = failure instanceof Error ? failure.message : String(failure)
        const { reason, status } =
          failure instanceof PartFailed ? failure : { status: "failed" as const, reason: "UnexpectedError" }
        say(`${nameOf(part)} ${status === "waiting" ? "waits" : "failed"}: ${error}`)
        yield* recorded(
          delivery,
          status === "waiting"
            ? submissions.defer(delivery, error)
            : submissions.fail(delivery, { status, reason, error })
        )
      })

    return (delivery: Delivery, halted: Effect.Effect<void>) =>
      attempted(delivery, halted).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.logWarning(`the outcome of a part of a run could not be recorded: ${Cause.pretty(cause)}`)
        )
      )
  })
