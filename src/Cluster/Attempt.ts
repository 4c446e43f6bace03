/**
 * One attempt of a worker at a part, until the queue has recorded the outcome: completed, failed, deferred or returned.
 *
 * - Reports to the queue are repeated for as long as the worker lives. Otherwise it would count as working on a part that it has ended.
 * - When `halted` completes, the part commits what it has and is returned. An interrupt ends the attempt without a report: the worker leaves
 *   the queue then, which returns its parts.
 * - A run whose submission this version cannot read is left to a worker that can: its parts are deferred, and do not fail.
 * - Suspects, which are parts that several workers in a row were lost with, are executed one at a time.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { SavedValueInvalid } from "../Row/SavedValue.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import { counter, gauge } from "../Telemetry/Metric.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { version } from "../Version.ts"
import { execute, PartFailed, type Place } from "./PartRun.ts"
import { type Claim, maxAttempts, type Part, ShardQueue } from "./ShardQueue.ts"
import type { Task } from "./Task.ts"

const parts = counter("sluice_worker_parts_total", "Parts of runs that this worker has had, by how they ended here.", [
  "kind",
  "outcome"
])
const busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker carries out now.", [])
const room = gauge("sluice_worker_parts_room", "Parts that it carries out at once at most.", [])
const lost = counter(
  "sluice_worker_parts_lost_total",
  "Parts that this worker took after another one was lost with them.",
  ["kind"]
)

const outcomeOf = (exit: Exit.Exit<unknown, { readonly status: string }>): string => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.isInterrupted(exit.cause)) return "given back"
  const failure = Cause.squash(exit.cause)
  return typeof failure === "object" && failure !== null && "status" in failure ? String(failure.status) : "failed"
}

/** Counts a part by its outcome, and puts it into the trace of its run. */
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

/** Publishes how many parts this worker executes at once. */
export const setRoom = (concurrency: number): void => room.set(concurrency)

const nameOf = ({ kind, part, runId }: Part): string =>
  kind === "shard" ? `shard ${part} of ${runId}` : `the ${kind} of ${runId}`

/** Repeats a query or report to the queue while the database fails. */
const reported = <A, R>(report: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  report.pipe(
    warnOnce("This worker cannot read or record the state of a part"),
    Effect.retry(Schedule.spaced("1 second"))
  )

interface Options {
  readonly place: Place
  readonly say: (line: string) => void
}

export const make = ({ place, say }: Options) =>
  Effect.gen(function* () {
    const queue = yield* ShardQueue
    const suspects = yield* Effect.makeSemaphore(1)
    /** Runs that this worker has left to others. */
    const unreadable = new Set<string>()

    const giveBack = (claim: Claim) => {
      say(`gives back ${nameOf(claim.part)}`)
      return reported(queue.release(claim))
    }

    const executed = (claim: Claim, halted: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const { part } = claim
        const task = yield* reported(Effect.catchTag(queue.task(part.runId), "SavedValueInvalid", Effect.succeed))
        if (task === undefined) return
        if (task instanceof SavedValueInvalid) {
          const why = `${task.place} cannot be read by sluice ${version}: ${task.problem}. A worker of the version that submitted it continues it; or stop it with sluice stop ${part.runId}`
          if (!unreadable.has(part.runId)) say(`leaves ${nameOf(part)} to another worker: ${why}`)
          unreadable.add(part.runId)
          yield* reported(queue.defer(claim, why))
          return
        }
        const fiber = yield* Effect.fork(Effect.interruptible(measured(execute(part, task, place), part, task)))
        const exit = yield* Effect.raceFirst(Fiber.await(fiber), Effect.zipRight(halted, Fiber.interrupt(fiber))).pipe(
          Effect.onInterrupt(() => Fiber.interrupt(fiber))
        )
        if (Exit.isSuccess(exit)) return yield* reported(queue.complete(claim, exit.value))
        if (Cause.isInterrupted(exit.cause)) return yield* giveBack(claim)
        const failure = Cause.squash(exit.cause)
        const error = failure instanceof Error ? failure.message : String(failure)
        const { reason, status } =
          failure instanceof PartFailed ? failure : { status: "failed" as const, reason: "UnexpectedError" }
        say(`${nameOf(part)} ${status === "waiting" ? "waits" : "failed"}: ${error}`)
        yield* reported(status === "waiting" ? queue.defer(claim, error) : queue.fail(claim, { status, reason, error }))
      })

    /** Executes a suspect when its turn comes, unless it was attempted too often. */
    const executedInTurn = (claim: Claim, halted: Effect.Effect<void>) => {
      const { attempts, part } = claim
      const mine = Effect.gen(function* () {
        yield* reported(queue.countAttempt(claim))
        if (attempts < maxAttempts) return yield* executed(claim, halted)
        const error = `${nameOf(part)} was begun ${maxAttempts} times without getting any further, and its worker was lost each time: it may need more memory than a worker has, or code of it ends the process`
        say(`gives up ${nameOf(part)}`)
        yield* reported(queue.fail(claim, { status: "failed", reason: "WorkersLost", error }))
      })
      let state: "waits" | "executed" | "returned" = "waits"
      const inTurn = Effect.suspend(() => {
        if (state === "returned") return Effect.void
        state = "executed"
        return mine
      })
      const returned = Effect.suspend(() => {
        if (state === "executed") return Effect.never
        state = "returned"
        return giveBack(claim)
      })
      return Effect.raceFirst(suspects.withPermits(1)(inTurn), Effect.zipRight(halted, returned))
    }

    return (claim: Claim, halted: Effect.Effect<void>) =>
      Effect.suspend(() => {
        if (!claim.isSuspect) return executed(claim, halted)
        lost.add(1, claim.part.kind)
        return executedInTurn(claim, halted)
      }).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.logWarning(`a part could not be ended: ${Cause.pretty(cause)}`)
        )
      )
  })
