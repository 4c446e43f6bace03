/**
 * One occurrence while this process runs it: waits for its turn, runs, retries, and records the outcome.
 *
 * - Unless overlap is allowed, a job waits until the earlier jobs of its pipeline are done. For jobs of other processes, the ledger decides
 *   when the run starts.
 * - `stop` ends the job: "replaced" when a later occurrence replaces this one, "released" when another process should continue it.
 * - The runner fails with `ScheduledTimeRefused` when the job may not start its run; the job then waits, or ends if it no longer owns the
 *   occurrence.
 * - Writes of the outcome are repeated: an occurrence that never ends would block all later ones.
 * - `done` completes in any case, also after a defect.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { sleepUntil } from "../Callback/Lean.ts"
import { describeVerdict } from "../Health/Verdict.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { isSpent } from "../Ledger/Model.ts"
import type { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { Event, Schedule } from "../Pipeline/Schedule.ts"
import { count } from "../Row/Count.ts"
import { RunFailed, type Summary } from "../Run/RunResult.ts"
import { OutputsHeld, RunStopped } from "../Step/StepError.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { WindowHeld, WindowsDone } from "./Backfill.ts"
import { changesOfRun } from "./Changes.ts"
import type { LeaseHolder, Occurrence, Outcome, ProposedRepair, ScheduleStore } from "./Model.ts"
import { notificationsFor } from "./NotificationOutbox.ts"
import type { Failure, Refused, Runner, SchedulerEvent } from "./Scheduler.ts"

/** An occurrence that this process runs. */
export interface Job {
  readonly record: Occurrence
  readonly done: Deferred.Deferred<void>
  /** Reason to stop; undefined as long as the job runs. */
  stop: "replaced" | "released" | undefined
  /** Completes when the job should stop; ends its sleep. */
  readonly stopped: Deferred.Deferred<void>
  run: Fiber.RuntimeFiber<Summary, RunFailed | Refused | Failure> | undefined
  runId: string | undefined
}

/** Services that all jobs of a scheduler share. */
export interface JobContext {
  readonly ledger: typeof Ledger.Service
  readonly schedules: ScheduleStore
  readonly holder: LeaseHolder
  readonly runner: Runner
  /** Limits concurrent runs. */
  readonly permits: Effect.Semaphore
  readonly onEvent: (event: SchedulerEvent) => void
  /** Jobs of this process for earlier occurrences of the same pipeline. */
  readonly earlier: (record: Occurrence) => ReadonlyArray<Job>
}

/** Current definition of a job's pipeline. */
export interface PipelineSnapshot {
  readonly checked: Checked | undefined
  readonly file: string
  readonly schedule: Pick<Schedule, "overlap" | "retry">
}

export const make = (record: Occurrence): Effect.Effect<Job> =>
  Effect.map(Effect.all([Deferred.make<void>(), Deferred.make<void>()]), ([done, stopped]) => ({
    record,
    done,
    stop: undefined,
    stopped,
    run: undefined,
    runId: record.runId
  }))

/** Stops a running job at a checkpoint, and a waiting one at once. */
export const stop = (job: Job, why: "replaced" | "released"): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (job.stop === undefined) job.stop = why
    const { run } = job
    return Effect.zipRight(
      Deferred.succeed(job.stopped, undefined),
      run === undefined ? Effect.void : Fiber.interruptFork(run)
    )
  })

/** Sleeps until the time is over, or until the job is stopped. */
const sleep = (job: Job, end: number): Effect.Effect<void> =>
  Effect.raceFirst(sleepUntil(end), Deferred.await(job.stopped))

/** Milliseconds between checks while another process holds a lock or runs an earlier occurrence. */
const pollInterval = Duration.toMillis("5 seconds")

/**
 * Maximum attempts that end without an outcome, because their process died. Then the occurrence fails: its run probably crashes every
 * process that starts it.
 */
const maxLostAttempts = 20

/** Maximum retries of a write to the ledger, once a second. */
const maxWriteRetries = 10

/** Error that made a run fail or prevented its start. */
const causeOf = (failure: RunFailed | Refused | Failure): Failure =>
  failure instanceof RunFailed ? failure.reason : failure

const summaryOf = (failure: RunFailed | Failure): Summary | undefined =>
  "summary" in failure ? failure.summary : undefined

type FailureEvent = "failed" | "budget" | "quality" | "health"

/** Event for `notify` that a failure belongs to. */
const eventOf = (cause: Failure): FailureEvent => {
  if (cause instanceof OutputsHeld || cause instanceof WindowHeld) return "health"
  switch (cause.exitCode) {
    case ExitCode.budgetReached:
      return "budget"
    case ExitCode.tooManyRejects:
    case ExitCode.checkFailed:
      return "quality"
    default:
      return "failed"
  }
}

/** Sentences that say what is broken in a run; undefined if nothing is. */
const brokenIn = ({ health }: typeof Ledger.Service, runId: string) =>
  Effect.map(Effect.all([health.of(runId), health.sinksOf(runId)]), ([whole, sinks]) => {
    const verdicts = [...(whole?.verdicts ?? []), ...sinks.flatMap((sink) => sink.verdicts)]
    const broken = verdicts.filter(({ level }) => level === "broken").map(describeVerdict)
    return broken.length === 0 ? undefined : broken.join("; ")
  })

const wants = (checked: Checked | undefined, event: Event): boolean =>
  checked?.frame.notify?.some(({ on }) => on.includes(event)) === true

/** Maximum failed runs in a row to count. */
const maxFailures = 100

/** Maximum changes in one notification, with their diffs; the rest stay in the ledger. */
const maxChanges = 20
const maxDiffLength = 4000

/** Changes that a run found; undefined if there are none. */
const changesOf = (ledger: typeof Ledger.Service, runId: string) =>
  Effect.gen(function* () {
    const { changes, more } = yield* changesOfRun(ledger, runId)
    if (changes.length === 0) return undefined
    const first = changes.slice(0, maxChanges).map(({ run: _, diff, ...change }) => ({
      ...change,
      ...(diff === undefined ? {} : { diff: diff.length > maxDiffLength ? `${diff.slice(0, maxDiffLength)}…` : diff })
    }))
    return { total: changes.length + more, first }
  })

type Attempted =
  | { readonly _tag: "Over"; readonly outcome: Outcome }
  /** Another process owns the occurrence, or it has ended. */
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Retry"; readonly at: number; readonly reason: string }
  /** It is not this occurrence's turn yet. */
  | { readonly _tag: "Wait" }

const replaced = (by: number): Outcome => ({
  status: "replaced",
  reason: `replaced by the run for ${new Date(by).toISOString()}`,
  notices: []
})

/** Carries an occurrence from its first attempt in this process to its end or release. */
class Execution {
  readonly #job: Job
  readonly #snapshot: () => PipelineSnapshot
  readonly #context: JobContext
  readonly #which: Pick<Occurrence, "scheduledTime" | "pipeline">
  #attempt: number
  #nextAt: number | undefined
  /** Run that the last attempt resumed. */
  #resumed: string | undefined
  /** True if the last attempt was refused: check the turn before starting another run. */
  #refused = false
  /** True if the last attempt has ended, or the user asked for another one. */
  #again: boolean

  constructor(job: Job, snapshot: () => PipelineSnapshot, context: JobContext) {
    const { attempt, cause, scheduledTime, nextAt, pipeline, status } = job.record
    this.#job = job
    this.#snapshot = snapshot
    this.#context = context
    this.#which = { pipeline, scheduledTime }
    this.#attempt = attempt
    this.#nextAt = nextAt
    this.#again = status === "retrying" || cause === "hand"
  }

  #retryWrite<A>(write: Effect.Effect<A, LedgerError>): Effect.Effect<A | undefined> {
    const { onEvent } = this.#context
    const tried = (left: number): Effect.Effect<A | undefined> =>
      Effect.catchAll(write, ({ message }) => {
        if (left === maxWriteRetries) onEvent({ _tag: "Trouble", message })
        return left === 0 ? Effect.as(Effect.void, undefined) : Effect.zipRight(Effect.sleep(1000), tried(left - 1))
      })
    return tried(maxWriteRetries)
  }

  /** Proposal for repairing a run whose outputs are held or whose rows were rejected; undefined if the pipeline notifies nobody. */
  #proposal(event: FailureEvent): Effect.Effect<ProposedRepair | undefined> {
    const { runner } = this.#context
    const { runId } = this.#job
    const { checked, file } = this.#snapshot()
    const hears = (checked?.frame.notify ?? []).length > 0 && checked?.nodes.some(({ step }) => step.key === "extract")
    return hears === true && runId !== undefined && (event === "health" || event === "quality")
      ? (runner.propose?.(file, runId) ?? Effect.succeed(undefined))
      : Effect.succeed(undefined)
  }

  #failing(why: string, event: FailureEvent, summary: Summary | undefined): Effect.Effect<Attempted> {
    return Effect.map(this.#proposal(event), (repair) => this.#over(why, event, summary, repair))
  }

  #over(why: string, event: FailureEvent, summary: Summary | undefined, repair: ProposedRepair | undefined): Attempted {
    const job = this.#job
    const { scheduledTime, pipeline } = this.#which
    const { checked, file } = this.#snapshot()
    const status = event === "quality" ? "failed" : event === "health" ? "held" : event
    const details = {
      pipeline,
      file,
      scheduledTime,
      status,
      reason: why,
      runId: job.runId,
      attempt: this.#attempt,
      summary,
      repair
    } as const
    return { _tag: "Over", outcome: { status, reason: why, notices: notificationsFor(checked, event, details) } }
  }

  /** Describes the pipeline's failed runs in a row before this one; undefined if the run before it succeeded. */
  #failuresBefore(): Effect.Effect<string | undefined, LedgerError> {
    const { scheduledTime, pipeline } = this.#which
    const ended = {
      pipeline,
      status: ["completed", "failed", "held", "budget"],
      until: scheduledTime - 1,
      limit: maxFailures
    } as const
    return Effect.map(this.#context.schedules.occurrences(ended), (newestFirst) => {
      const good = newestFirst.findIndex(({ status }) => status === "completed")
      const failures = good === -1 ? newestFirst : newestFirst.slice(0, good)
      const first = failures.at(-1)
      if (first === undefined) return undefined
      const many = failures.length === maxFailures ? `${maxFailures} or more runs` : count(failures.length, "run")
      return `completed after ${many} that did not complete, the first at ${new Date(first.scheduledTime).toISOString()}`
    })
  }

  /** Completes the occurrence. Also notifies if the run was published although its outputs are broken (`onBroken: warn`). */
  #completed(runId: string, summary?: Summary): Effect.Effect<Attempted, LedgerError> {
    const { ledger } = this.#context
    return Effect.gen(this, function* (): Effect.fn.Return<Attempted, LedgerError> {
      const { checked, file } = this.#snapshot()
      const reason = yield* brokenIn(ledger, runId)
      const recovered = wants(checked, "recovered") ? yield* this.#failuresBefore() : undefined
      const changes = wants(checked, "changed") ? yield* changesOf(ledger, runId) : undefined
      const details = {
        ...this.#which,
        file,
        status: "completed",
        runId,
        attempt: this.#attempt,
        summary
      } as const
      const health = checked?.frame.health
      const isSilent = reason === undefined || health === "off" || health?.onBroken === "off"
      const notices = [
        ...(isSilent ? [] : notificationsFor(checked, "health", { ...details, reason })),
        ...(recovered === undefined ? [] : notificationsFor(checked, "recovered", { ...details, reason: recovered })),
        ...(changes === undefined
          ? []
          : notificationsFor(checked, "changed", { ...details, reason: undefined, changes }))
      ]
      return { _tag: "Over", outcome: { status: "completed", notices } }
    })
  }

  #failed(failure: RunFailed | Refused | Failure): Effect.Effect<Attempted, LedgerError> {
    const { holder, ledger, onEvent, schedules } = this.#context
    const job = this.#job
    const which = this.#which
    return Effect.gen(this, function* (): Effect.fn.Return<Attempted, LedgerError> {
      const now = yield* Clock.currentTimeMillis
      const { overlap, retry } = this.#snapshot().schedule
      const cause = causeOf(failure)
      const summary = summaryOf(failure)
      const why = failure.message
      if (failure instanceof WindowsDone) {
        return { _tag: "Over", outcome: { status: "skipped", reason: why, notices: [] } }
      }
      if (failure._tag === "ScheduledTimeRefused") {
        const row = yield* schedules.find(which)
        if (row === undefined || row.endedAt !== undefined || row.owner !== holder.owner) return { _tag: "Gone" }
        if (row.replacedBy === undefined) {
          this.#refused = true
          return { _tag: "Wait" }
        }
        return { _tag: "Over", outcome: replaced(row.replacedBy) }
      }
      if (cause.exitCode === ExitCode.locked) {
        // If the resumed run itself is locked, the lock expires with the process that died. Otherwise another run uses the pipeline's
        // state.
        const isOwn = summary !== undefined && this.#resumed === summary.runId
        if (isOwn || overlap !== "skip") {
          job.runId = isOwn ? this.#resumed : undefined
          yield* holder.retry(which, { at: now + pollInterval, reason: why, runId: job.runId, counts: false })
          this.#attempt--
          return { _tag: "Retry", at: now + pollInterval, reason: why }
        }
        return { _tag: "Over", outcome: { status: "skipped", reason: why, notices: [] } }
      }
      const event = eventOf(cause)
      // A run that a user has stopped (`RunStopped`) is not retried either.
      if (event === "budget" || event === "health" || cause instanceof RunStopped)
        return yield* this.#failing(why, event, summary)
      const run = job.runId === undefined ? undefined : yield* ledger.find(job.runId)
      const isOver = run !== undefined && isSpent(run)
      if (job.record.cause === "hand" || retry === undefined || this.#attempt > retry.times || isOver) {
        return yield* this.#failing(why, event, summary)
      }
      const at = now + Duration.toMillis(retry.after)
      if (run === undefined) job.runId = undefined
      this.#again = true
      yield* holder.retry(which, { at, reason: why, runId: job.runId, counts: true })
      onEvent({ _tag: "Retrying", ...which, reason: why, nextAt: at })
      return { _tag: "Retry", at, reason: why }
    })
  }

  /** True when an earlier occurrence of the pipeline is unfinished, in any process. */
  #isBehind(): Effect.Effect<boolean, LedgerError> {
    const { scheduledTime, pipeline } = this.#which
    return Effect.map(
      this.#context.schedules.occurrences({ pipeline, status: ["waiting", "running", "retrying"], limit: 1000 }),
      (open) => open.some((each) => each.scheduledTime < scheduledTime)
    )
  }

  #attemptNow(): Effect.Effect<Attempted, LedgerError> {
    const { holder, ledger, onEvent, runner } = this.#context
    const job = this.#job
    const { record } = job
    const which = this.#which
    return Effect.gen(this, function* (): Effect.fn.Return<Attempted, LedgerError> {
      if (this.#refused && (yield* this.#isBehind())) return { _tag: "Wait" }
      this.#refused = false
      const { checked } = this.#snapshot()
      const found = job.runId === undefined ? undefined : yield* ledger.find(job.runId)
      // If requested by hand, an occurrence whose run is final starts a new run.
      const isFinal = found !== undefined && (isSpent(found) || found.status === "held" || found.status === "discarded")
      const before = record.cause === "hand" && isFinal ? undefined : found
      this.#resumed = before?.id
      // The process died after the run had ended but before the occurrence was ended, which also records its notifications.
      if (before?.status === "completed") return yield* this.#completed(before.id)
      if (before?.status === "held")
        return yield* this.#failing(before.error ?? "its outputs are held", "health", undefined)
      if (before?.status === "discarded") return yield* this.#failing("its outputs were discarded", "failed", undefined)
      if (before !== undefined && isSpent(before)) {
        return yield* this.#failing(before.error ?? "all of its rows were rejected", "quality", undefined)
      }
      if (checked === undefined) return yield* this.#failing("its definition was removed", "failed", undefined)
      if (record.cause !== "hand" && this.#attempt - (this.#snapshot().schedule.retry?.times ?? 0) > maxLostAttempts) {
        return yield* this.#failing(`it was started ${this.#attempt} times, and never finished`, "failed", undefined)
      }
      const begun = (runId: string): Effect.Effect<void, Refused> =>
        holder
          .start({ ...which, runId, alone: this.#snapshot().schedule.overlap !== "allow" && record.cause !== "hand" })
          .pipe(
            Effect.catchAll(({ message }) => {
              onEvent({ _tag: "Trouble", message })
              return Effect.succeed(false)
            }),
            Effect.flatMap((may) => {
              if (!may)
                return Effect.fail<Refused>({ _tag: "ScheduledTimeRefused", message: "it is not this process's turn" })
              job.runId = runId
              this.#attempt++
              onEvent({ _tag: "Began", ...which, runId })
              return Effect.void
            })
          )
      const isReplaced = () => job.stop === "replaced"
      const task = {
        checked,
        scheduledTime: which.scheduledTime,
        resume: before,
        begun,
        again: this.#again,
        isReplaced
      }
      const attempts = this.#attempt
      const run = yield* Effect.forkDaemon(Effect.interruptible(runner.run(task)))
      job.run = run
      // The job may have been stopped meanwhile: then interrupt its run.
      if (job.stop !== undefined) yield* Fiber.interruptFork(run)
      const exit = yield* Fiber.await(run)
      job.run = undefined
      if (Exit.isSuccess(exit)) return yield* this.#completed(exit.value.runId, exit.value)
      if (job.stop !== undefined && Cause.isInterrupted(exit.cause)) return { _tag: "Wait" }
      const failure = Cause.failureOption(exit.cause)
      if (failure._tag === "Some") {
        // A run that could not start counts as an attempt, too: otherwise it would be retried for ever without a service, and nobody would
        // be notified.
        if (failure.value._tag !== "ScheduledTimeRefused" && this.#attempt === attempts) this.#attempt++
        return yield* this.#failed(failure.value)
      }
      return yield* this.#failing(`internal error of sluice: ${String(Cause.squash(exit.cause))}`, "failed", undefined)
    })
  }

  #finish(outcome: Outcome): Effect.Effect<void> {
    const { holder, onEvent } = this.#context
    const job = this.#job
    return Effect.gen(this, function* () {
      const isMine = yield* this.#retryWrite(holder.end(this.#which, outcome))
      if (isMine !== true) return
      const endedAt = yield* Clock.currentTimeMillis
      const { reason, status } = outcome
      onEvent({
        _tag: "Over",
        record: { ...job.record, attempt: this.#attempt, status, reason, runId: job.runId, nextAt: undefined, endedAt }
      })
    })
  }

  run(): Effect.Effect<void> {
    const { holder, onEvent, permits, schedules } = this.#context
    const job = this.#job
    const { record } = job
    const which = this.#which
    return Effect.asVoid(
      Effect.gen(this, function* () {
        while (job.stop === undefined) {
          if (this.#nextAt !== undefined) yield* sleep(job, this.#nextAt)
          this.#nextAt = undefined
          const alone = this.#snapshot().schedule.overlap !== "allow" && record.cause !== "hand"
          if (alone) {
            yield* Effect.raceFirst(
              Effect.forEach(this.#context.earlier(record), ({ done }) => Deferred.await(done), { discard: true }),
              Deferred.await(job.stopped)
            )
          }
          if (job.stop !== undefined) break
          const result = yield* Effect.suspend(() =>
            job.stop === undefined ? this.#attemptNow() : Effect.succeed<Attempted>({ _tag: "Wait" })
          ).pipe(
            permits.withPermits(1),
            Effect.catchAll(({ message }) => {
              onEvent({ _tag: "Trouble", message })
              return Effect.succeed<Attempted>({ _tag: "Wait" })
            })
          )
          if (result._tag === "Gone") return
          if (result._tag === "Over") return yield* this.#finish(result.outcome)
          this.#nextAt = result._tag === "Retry" ? result.at : (yield* Clock.currentTimeMillis) + pollInterval
        }
        if (job.stop === "released") return yield* this.#retryWrite(holder.release([which]))
        const row = yield* this.#retryWrite(schedules.find(which))
        if (row?.replacedBy === undefined) return
        // A waiting occurrence ended when it was replaced; a running one ends now.
        if (row.endedAt === undefined) yield* this.#finish(replaced(row.replacedBy))
        else onEvent({ _tag: "Over", record: row })
      })
    )
  }
}

/** Runs an occurrence until it has ended or was released. */
export const execute = (job: Job, snapshot: () => PipelineSnapshot, context: JobContext): Effect.Effect<void> =>
  new Execution(job, snapshot, context).run().pipe(
    Effect.catchAllDefect((defect) => Effect.sync(() => context.onEvent({ _tag: "Trouble", message: String(defect) }))),
    Effect.ensuring(Deferred.succeed(job.done, undefined))
  )
