/** An instant that is carried out: begun in its turn, gone on with after failures, and told about when it is over. */

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { isSpent } from "../Ledger/Model.ts"
import { RunFailed, type Summary } from "../Run/RunResult.ts"
import { RunStopped } from "../Step/StepError.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { type Job, type Orders, sleep, type Workshop } from "./Job.ts"
import type { Ending } from "./Model.ts"
import { noticesFor } from "./Notice.ts"
import type { Failure, Refused } from "./Runner.ts"

/** Somebody else has the lock, or an earlier instant is not over elsewhere: looked at again after so long. */
const lookAgain = Duration.toMillis("5 seconds")

/** Attempts that were neither finished nor failed before it is taken for what ends whoever begins it. */
const lostAtMost = 20

/** Writes to the ledger are tried so often, once in a second. */
const writesAtMost = 10

/** Why a run failed; of one that did not begin, why not. */
const causeOf = (failure: RunFailed | Refused | Failure): Failure =>
  failure instanceof RunFailed ? failure.reason : failure

const summaryOf = (failure: RunFailed | Failure): Summary | undefined =>
  "summary" in failure ? failure.summary : undefined

/** The event of `notify` that a failure with this exit code is. */
const eventOf = (exitCode: ExitCode | undefined): "failed" | "budget" | "quality" => {
  switch (exitCode) {
    case ExitCode.budgetReached:
      return "budget"
    case ExitCode.tooManyRejects:
    case ExitCode.checkFailed:
      return "quality"
    default:
      return "failed"
  }
}

type Attempted =
  | { readonly _tag: "Over"; readonly ending: Ending }
  /** Somebody else has it now, or it is over already. */
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Later"; readonly at: number; readonly reason: string }
  /** Its turn has not come. */
  | { readonly _tag: "Wait" }

/** Carries an instant out until it is over, or is no longer this process's. */
export const carryOut = (job: Job, orders: () => Orders, shop: Workshop): Effect.Effect<void> => {
  const { carrier, ledger, runner, schedules, tell } = shop
  const { record } = job
  const { instant, pipeline } = record
  const which = { pipeline, instant }
  let { attempt, nextAt } = record
  /** The run that the last attempt went on with. */
  let resumed: string | undefined
  /** It was not its turn the last time: a run is made again only when it may be. */
  let refused = false
  /** The last attempt came to an end, or somebody wants it once more. */
  let again = record.status === "retrying" || record.cause === "hand"

  /** What the ledger does not take is tried again: a row that never ends would hold all later ones up. */
  const insist = <A>(write: Effect.Effect<A, LedgerError>): Effect.Effect<A | undefined> => {
    const tried = (left: number): Effect.Effect<A | undefined> =>
      Effect.catchAll(write, ({ message }) => {
        if (left === writesAtMost) tell({ _tag: "Trouble", message })
        return left === 0 ? Effect.as(Effect.void, undefined) : Effect.zipRight(Effect.sleep(1000), tried(left - 1))
      })
    return tried(writesAtMost)
  }

  const failing = (why: string, event: "failed" | "budget" | "quality", summary: Summary | undefined): Attempted => {
    const { checked, file } = orders()
    const status = event === "budget" ? "budget" : "failed"
    const happening = { pipeline, file, instant, status, reason: why, runId: job.runId, attempt, summary } as const
    return { _tag: "Over", ending: { status, reason: why, notices: noticesFor(checked, event, happening) } }
  }

  const failed = (failure: RunFailed | Refused | Failure) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { overlap, retry } = orders().schedule
      const cause = causeOf(failure)
      const summary = summaryOf(failure)
      const why = failure.message
      if (failure._tag === "InstantRefused") {
        const row = yield* schedules.find(which)
        if (row === undefined || row.endedAt !== undefined || row.owner !== carrier.owner)
          return { _tag: "Gone" } as const
        if (row.replacedBy === undefined) {
          refused = true
          return { _tag: "Wait" } as const
        }
        return { _tag: "Over", ending: replaced(row.replacedBy) } as const
      }
      if (cause.exitCode === ExitCode.locked) {
        // Its own run is let go of by whoever died with it; the state of the pipeline is used by a run of somebody's.
        const isOwn = summary !== undefined && resumed === summary.runId
        if (isOwn || overlap !== "skip") {
          job.runId = isOwn ? resumed : undefined
          yield* carrier.retry(which, { at: now + lookAgain, reason: why, runId: job.runId, counts: false })
          attempt--
          return { _tag: "Later", at: now + lookAgain, reason: why } as const
        }
        return { _tag: "Over", ending: { status: "skipped", reason: why, notices: [] } } as const
      }
      const event = eventOf(cause.exitCode)
      // Somebody wanted it to end.
      if (event === "budget" || cause instanceof RunStopped) return failing(why, event, summary)
      const run = job.runId === undefined ? undefined : yield* ledger.find(job.runId)
      const isOver = run !== undefined && isSpent(run)
      if (record.cause === "hand" || retry === undefined || attempt > retry.times || isOver) {
        return failing(why, event, summary)
      }
      const at = now + Duration.toMillis(retry.after)
      if (run === undefined) job.runId = undefined
      again = true
      yield* carrier.retry(which, { at, reason: why, runId: job.runId, counts: true })
      tell({ _tag: "Retrying", ...which, reason: why, nextAt: at })
      return { _tag: "Later", at, reason: why } as const
    })

  const replaced = (by: number): Ending => ({
    status: "replaced",
    reason: `the instant ${new Date(by).toISOString()} took its place`,
    notices: []
  })

  /** The run of an earlier attempt as it stands, unless a new one is to be begun. */
  const earlierRun = Effect.suspend(() =>
    job.runId === undefined ? Effect.succeed<RunRecord | undefined>(undefined) : ledger.find(job.runId)
  )

  /** An earlier instant of the pipeline is not over, wherever it is carried out. */
  const isBehind = Effect.map(
    schedules.instants({ pipeline, status: ["waiting", "running", "retrying"], limit: 1000 }),
    (open) => open.some((each) => each.instant < instant)
  )

  const attemptNow = Effect.gen(function* (): Effect.fn.Return<Attempted, LedgerError> {
    if (refused && (yield* isBehind)) return { _tag: "Wait" }
    refused = false
    const { checked } = orders()
    const found = yield* earlierRun
    // Who asks by hand for what came to nothing wants it from the beginning.
    const before = record.cause === "hand" && found !== undefined && isSpent(found) ? undefined : found
    resumed = before?.id
    if (before?.status === "completed") return { _tag: "Over", ending: { status: "completed", notices: [] } }
    if (before !== undefined && isSpent(before)) {
      return failing(before.error ?? "all of its rows were rejected", "quality", undefined)
    }
    if (checked === undefined) return failing("its definition is not there any more", "failed", undefined)
    if (record.cause !== "hand" && attempt - (orders().schedule.retry?.times ?? 0) > lostAtMost) {
      return failing(`it was begun ${attempt} times, and never came to an end`, "failed", undefined)
    }
    const begun = (runId: string): Effect.Effect<void, Refused> =>
      carrier.begin({ ...which, runId, alone: orders().schedule.overlap !== "allow" && record.cause !== "hand" }).pipe(
        Effect.catchAll(({ message }) => {
          tell({ _tag: "Trouble", message })
          return Effect.succeed(false)
        }),
        Effect.flatMap((may) => {
          if (!may) return Effect.fail<Refused>({ _tag: "InstantRefused", message: "it is not this process's turn" })
          job.runId = runId
          attempt++
          tell({ _tag: "Began", ...which, runId })
          return Effect.void
        })
      )
    const isReplaced = () => job.stop === "replaced"
    const task = { checked, instant, resume: before, begun, again, isReplaced }
    const run = yield* Effect.forkDaemon(Effect.interruptible(runner.run(task)))
    job.run = run
    // It may have been told to stop while the run was made.
    if (job.stop !== undefined) yield* Fiber.interruptFork(run)
    const exit = yield* Fiber.await(run)
    job.run = undefined
    if (Exit.isSuccess(exit)) return { _tag: "Over", ending: { status: "completed", notices: [] } }
    if (job.stop !== undefined && Cause.isInterrupted(exit.cause)) return { _tag: "Wait" }
    const failure = Cause.failureOption(exit.cause)
    if (failure._tag === "Some") return yield* failed(failure.value)
    return failing(`a fault of sluice: ${String(Cause.squash(exit.cause))}`, "failed", undefined)
  })

  const finish = (ending: Ending) =>
    Effect.gen(function* () {
      const isMine = yield* insist(carrier.end(which, ending))
      if (isMine !== true) return
      const endedAt = yield* Clock.currentTimeMillis
      const { reason, status } = ending
      tell({
        _tag: "Over",
        record: { ...record, attempt, status, reason, runId: job.runId, nextAt: undefined, endedAt }
      })
    })

  const live = Effect.gen(function* () {
    while (job.stop === undefined) {
      if (nextAt !== undefined) yield* sleep(job, nextAt - (yield* Clock.currentTimeMillis))
      nextAt = undefined
      const alone = orders().schedule.overlap !== "allow" && record.cause !== "hand"
      if (alone) {
        yield* Effect.raceFirst(
          Effect.forEach(shop.earlier(record), ({ done }) => Deferred.await(done), { discard: true }),
          Deferred.await(job.stopped)
        )
      }
      if (job.stop !== undefined) break
      const result = yield* Effect.suspend(() =>
        job.stop === undefined ? attemptNow : Effect.succeed<Attempted>({ _tag: "Wait" })
      ).pipe(
        shop.permits.withPermits(1),
        Effect.catchAll(({ message }) => {
          tell({ _tag: "Trouble", message })
          return Effect.succeed<Attempted>({ _tag: "Wait" })
        })
      )
      if (result._tag === "Gone") return
      if (result._tag === "Over") return yield* finish(result.ending)
      nextAt = result._tag === "Later" ? result.at : (yield* Clock.currentTimeMillis) + lookAgain
    }
    if (job.stop === "left") return yield* insist(carrier.leave([which]))
    const row = yield* insist(schedules.find(which))
    if (row?.replacedBy === undefined) return
    // What waited was over at once.
    if (row.endedAt === undefined) yield* finish(replaced(row.replacedBy))
    else tell({ _tag: "Over", record: row })
  })
  return Effect.asVoid(live).pipe(
    Effect.catchAllDefect((defect) => Effect.sync(() => tell({ _tag: "Trouble", message: String(defect) }))),
    Effect.ensuring(Deferred.succeed(job.done, undefined))
  )
}
