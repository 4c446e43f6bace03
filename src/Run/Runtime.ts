/**
 * Runtime of one run: open → build → drive → checkpoint → wind down → publish. Stages 1 and 2 are in `OpenRun.ts`, 5 in `WindDown.ts`, 6 in
 * `Publication.ts`.
 *
 * 1. `openJournal`, `open`: the ledger records the run and locks what no other run may touch; a resumed run restores its counters and the
 *    answers it has paid for.
 * 2. `build`: every step becomes an operator. A step that cannot be opened ends the run before its first request.
 * 3. `drive`: rows flow, and a checkpoint is committed every 1,000 rows or 2 seconds, until all rows have passed, an operator fails, the
 *    budget is used up, or the run is interrupted.
 * 4. `commitAll`: takes the last checkpoint, after all rows; runs with too many rejects fail here.
 * 5. `windDown`, if 3 or 4 did not succeed, replaces the rest: lets calls in flight finish, takes a last checkpoint, and records in the
 *    ledger how the run ended. The run is resumable if it has a checkpoint or a paid answer worth keeping; otherwise its files are removed.
 * 6. `seal`, `publish`: the ledger records the files before the first one gets its final name, so after a crash from here on, a resume only
 *    publishes again. Outputs that fail their checks are held instead: the run ends here, and they wait to be published or discarded.
 *
 * A failure or an interrupt in 1 or 2 is recorded as `failed` or `stopped`; one in 3 or 4 leads to 5. From 6 on the run cannot be
 * interrupted. A crash at any moment leaves the last checkpoint: the ledger still says `running`, and a resume continues from there.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { makeRetryState, RetryScope } from "../Client/RetryLoop.ts"
import type { Ledger } from "../Ledger.ts"
import { Permissions, protectedIn } from "../Permissions.ts"
import { type Checked, permissionsOf as definitionPermissions } from "../Pipeline/Check.ts"
import { withPage } from "../Step/Extract/StoredPage.ts"
import { BudgetReached, OutputsHeld, RunStopped, Stopped } from "../Step/StepError.ts"
import type { Services } from "../Step.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { isRefused } from "./Checkpoint.ts"
import { type BuiltRun, build, isResumable, type JournaledRun, open, openJournal } from "./OpenRun.ts"
import { publish, publishAgain, seal } from "./Publication.ts"
import * as Rejects from "./Rejects.ts"
import { type RunContext, scratchOf } from "./RunContext.ts"
import { ledgerFailed } from "./RunErrors.ts"
import { RunFailed, type RunHandle, type Summary, summarize } from "./RunResult.ts"
import type { Replay, ResolvedOptions, RunOptions } from "./RunSpec.ts"
import * as Shutdown from "./Shutdown.ts"
import { recordEnd, setResumable, statusOf, windDown } from "./WindDown.ts"

// 3. Drive

/** True when the run has no checkpoint yet. */
const isFresh = ({ resume }: RunOptions): boolean => resume === undefined || resume.progress === null

/**
 * Maximum age, in milliseconds (30 days), of stored pages from which a replay extracts rejected rows again, as the earlier run read them.
 */
const maxStored = 30 * 86_400_000

/** Pushes rejects of an earlier run into the steps that rejected them, before any source starts. Under the commit lock. */
const pushReplay = ({ numbers, of, rows }: Replay, { checked, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    for (const operator of topology.operators) {
      const node = checked.nodes.find(({ id }) => id === operator.id)
      const rejected = rows.get(operator.id) ?? []
      const again =
        node?.step.key === "extract"
          ? yield* Effect.forEach(rejected, (row) => withPage(row, node.config, maxStored))
          : rejected
      const [input] = node?.inputs ?? []
      // Counts the rows as given to the step: the allowed share of rejects is relative to them.
      if (input !== undefined) run.counters.give(input, again.length)
      if (again.length > 0) yield* operator.push(again)
    }
    run.buffer.claim({ of, numbers })
  })

/** Waits until all rows have passed, or the run has drained after a shutdown. Fails as soon as background work does. */
const awaitRows = ({ failure, run: { budget, shutdown }, topology }: BuiltRun) => {
  const ended = Effect.as(topology.ended, "ended" as const)
  const drained = Effect.as(shutdown.drained, "drained" as const)
  // Calls still unanswered 5 seconds after the time limit are left for a resume.
  const timedOut = Effect.zipRight(
    budget.timeOver,
    Effect.delay(Effect.succeed("drained" as const), Shutdown.gracePeriod)
  )
  return Effect.raceFirst(Deferred.await(failure), Effect.raceFirst(ended, Effect.raceFirst(drained, timedOut)))
}

/**
 * Ends a run whose budget is used up. With `onReached: publish`, paid work finishes, the rest is left to the next run, and the returned
 * message says so; otherwise fails with `BudgetReached`, and the run can be resumed.
 */
const cut = ({ checked, failure, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    const { budget, buffer, counters, shutdown } = run
    const message = `the budget is used up: ${(yield* budget.reached) ?? "it was reached"}`
    if (checked.frame.budget?.onReached !== "publish") return yield* new BudgetReached({ message })
    yield* shutdown.request("budget")
    buffer.deferRows(yield* Effect.raceFirst(topology.abandonRest, Deferred.await(failure)))
    // Saved with the last checkpoint, so that a run that crashes while it publishes still reports it.
    counters.budgetMessage = `${message}; rows that were paid for are published, and the next run does the rest`
    return counters.budgetMessage
  })

const stoppedByCommand = (id: string) => new RunStopped({ message: `run ${id} was stopped from another process` })

/**
 * Starts the operators and waits until all rows have passed. Returns why the budget cut the run short, if it did. Fails with the first
 * failure of any operator; background work goes on until its scope is closed.
 */
const drive = (built: BuiltRun) => {
  const { checkpoint, failure, journal, options, run, topology } = built
  const { counters, lock, shutdown, tap } = run
  const commit = Effect.zipRight(
    checkpoint,
    Effect.suspend(() =>
      lock.isConsistent() && tap?.isHere() !== false
        ? Effect.void
        : new Stopped({ message: "a part of the run has failed, or nothing reads its rows" })
    )
  )
  return Effect.gen(function* () {
    yield* topology.checkRejectsAtStart
    if (options.replay !== undefined && isFresh(options)) {
      yield* lock.move(pushReplay(options.replay, built))
      yield* checkpoint
    }
    yield* Effect.forEach(topology.operators, ({ start }) => start, { discard: true })
    yield* run.fork("", Effect.mapError(journal.lockLost, ledgerFailed))
    yield* run.fork("", Effect.zipRight(journal.stopRequested, stoppedByCommand(run.id)))
    yield* run.fork("", Checkpoint.repeat(counters, checkpoint, topology.operators))
    const how = yield* awaitRows(built)
    const isCut = counters.isCut || (shutdown.reason() === "budget" && how === "drained")
    return isCut ? yield* cut(built) : undefined
  }).pipe(
    Effect.catchIf(
      (error) => isRefused(lock, error),
      () => Deferred.await(failure)
    ),
    Effect.provideService(Checkpoint.Commit, commit)
  )
}

// 4. Checkpoint

/**
 * Takes the last checkpoint, after all rows, and checks the number of rejects. After a crash, a resume continues from here without reading
 * any row again. Half-moved rows are never published, whatever ended first.
 */
const commitAll = ({ checked, checkpoint, failure, options, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    const { counters, lock, rejects } = run
    counters.over = true
    counters.spent = options.parentRun === undefined && Rejects.isEveryRowRejected(checked, counters)
    yield* checkpoint
    if (!lock.isConsistent()) return yield* Deferred.await(failure)
    yield* topology.checkRejectsAtEnd
    if (counters.spent) return yield* Rejects.allRejected(counters.rejects, rejects)
  })

// The whole run

/** Removes the files that steps used while they ran. A file that cannot be removed is deleted together with the run. */
const removeScratch = (run: Pick<RunContext, "dataDir" | "id">) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.ignore(files.remove(scratchOf(run), { recursive: true, force: true }))
  )

/**
 * Removes the scratch files at the end of a run that cannot be resumed. Never after another process has taken the run over: the files then
 * belong to that process.
 */
const removeScratchAtEnd = ({ handle, journal, options }: JournaledRun) =>
  Effect.gen(function* () {
    if ((yield* isResumable(handle)) || Exit.isFailure(yield* Effect.exit(journal.verifyLocks))) return
    yield* removeScratch({ dataDir: options.dataDir, id: handle.id })
  })

/** Runs a run whose journal is open. Returns why the budget cut it short, if it did and the run has published. */
const carryOut = (journaled: JournaledRun) =>
  Effect.gen(function* () {
    const { checked, handle, journal, options } = journaled
    const { counters } = handle
    yield* setResumable(handle, options.resume !== undefined)
    const sealedBefore = yield* Effect.mapError(journal.sealed, ledgerFailed)
    if (sealedBefore !== undefined) return yield* publishAgain(journaled, sealedBefore)
    const built = yield* open(journaled).pipe(Effect.flatMap(build), recordEnd(journal))
    const cutBefore = options.budgetMessage ?? counters.budgetMessage
    const flow = drive(built).pipe(
      Effect.tap(() => commitAll(built)),
      Effect.tapError((reason) =>
        windDown(built, statusOf(reason), reason instanceof RunStopped ? undefined : reason.message)
      ),
      Effect.tapDefect((cause) =>
        windDown(built, "failed", `internal error of sluice: ${String(Cause.squash(cause))}`)
      ),
      Effect.onInterrupt(() => Effect.ignoreLogged(windDown(built, "stopped")))
    )
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const budgetMessage = (yield* restore(flow)) ?? cutBefore
        yield* Scope.close(built.workers, Exit.void)
        const { held, sealed } = yield* seal(built, budgetMessage !== undefined)
        if (held !== undefined) {
          yield* setResumable(handle, false)
          return yield* new OutputsHeld({ message: held })
        }
        yield* removeScratch(built.run)
        yield* publish(built, sealed, built.run.completeness, budgetMessage)
        const isReplay = options.replay !== undefined
        const warning = options.parentRun === undefined && Rejects.manyRejectedWarning(checked, counters, isReplay)
        if (warning) yield* Effect.logWarning(warning)
        return budgetMessage
      })
    )
  })

/** Permissions of the definition; the run's own data folder is added to the paths that are never read. */
const permissionsOf = ({ source }: Checked, { dataDir }: ResolvedOptions) =>
  Effect.map(definitionPermissions(source), (permissions) => ({
    ...permissions,
    dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
  }))

/**
 * Runs to the end, or as far as possible. A failure carries the summary, which says whether the run can be resumed. With `onReached:
 * publish`, a run that the budget cut short publishes, and then fails with `BudgetReached`; a shard succeeds instead, and its parent run
 * reports it.
 */
export const execute = (
  checked: Checked,
  options: ResolvedOptions,
  handle: RunHandle
): Effect.Effect<Summary, RunFailed, Services | Ledger> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    yield* Ref.set(handle.phase, { _tag: "Running", begun, resumable: false })
    const journaled = yield* openJournal(checked, options, handle)
    // Each run has its own retry budget and circuit breakers.
    const message = yield* carryOut(journaled).pipe(
      Effect.provideService(RetryScope, makeRetryState()),
      Effect.ensuring(removeScratchAtEnd(journaled))
    )
    if (message !== undefined && options.parentRun === undefined) return yield* new BudgetReached({ message })
  }).pipe(
    Effect.scoped,
    Effect.provideServiceEffect(Permissions, permissionsOf(checked, options)),
    Effect.zipRight(summarize(handle, "completed")),
    Effect.catchAll((reason) =>
      Effect.flatMap(
        summarize(handle, reason instanceof OutputsHeld ? "held" : statusOf(reason)),
        (summary) => new RunFailed({ summary, reason })
      )
    )
  )
