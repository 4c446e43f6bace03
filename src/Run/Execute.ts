/** A run from its opening to its end, whatever that is: stopped in order, resumable, or with its files under their names. */
import * as NodePath from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { makeState, RetryScope } from "../Client/Retry.ts"
import { forDefinition, Permissions, protectedIn } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { stateKey } from "../Pipeline/StateKey.ts"
import { growthOf, type Touches, touchesOf } from "../Pipeline/Touches.ts"
import type { Json } from "../Row.ts"
import { publish } from "../Sink/Publish.ts"
import { incompleteWarning } from "../Step/Incomplete.ts"
import { mapping } from "../Step/Need.ts"
import type { Sealed } from "../Step/Output.ts"
import { type Services, StepError } from "../Step.ts"
import * as Answers from "./Answers.ts"
import { assemble } from "./Assembly.ts"
import { beginningOf, leavesNoTrace } from "./Beginning.ts"
import * as Checkpoint from "./Checkpoint.ts"
import * as Completeness from "./Completeness.ts"
import { isAllRejected, mostRejected } from "./Delivered.ts"
import { describeRun } from "./Execution.ts"
import { isRefused } from "./Gate.ts"
import { type Journal, Ledger } from "./Ledger.ts"
import * as Metrics from "./Metrics.ts"
import { type Made, open, recount, trialsOf } from "./Opening.ts"
import type { RunOptions, Settled } from "./Options.ts"
import { RunFailed, type Summary } from "./Outcome.ts"
import * as Rejects from "./Rejects.ts"
import * as Replay from "./Replay.ts"

/** How long a stopped run waits for its calls in flight: their answers are paid for. */
const grace = "5 seconds"

/** What became of it, or what has become of it so far. */
export const summarise = (made: Made, status: Summary["status"]): Effect.Effect<Summary> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { counters } = made
    return {
      runId: made.id,
      // Who interrupts it behind its end has a run that is completed.
      status: made.budgetMessage !== undefined && made.isCompleted ? "budget" : made.isCompleted ? "completed" : status,
      rows: counters.rows,
      rejects: counters.rejects,
      credits: counters.credits,
      unpricedCalls: counters.unpriced,
      durationMs: made.begun === 0 ? 0 : now - made.begun,
      outputs: made.outputs,
      rejectFile: counters.rejects > 0 ? made.rejectFile : undefined,
      resumable: made.resumable,
      ...(counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] })
    }
  })

/** Why it ended counts more than that it could not be written down. */
const warned = <R>(effect: Effect.Effect<unknown, { readonly message: string }, R>): Effect.Effect<void, never, R> =>
  Effect.catchAll(Effect.asVoid(effect), ({ message }) => Effect.logWarning(message))

/** Gives the files their names, and tells the ledger that the run is done; may be done again after a crash or a failure. */
const finish = (
  sealed: ReadonlyArray<Sealed>,
  checked: Checked,
  options: Settled,
  made: Made,
  journal: Journal,
  completeness: Completeness.Completeness
) =>
  Effect.gen(function* () {
    const { forgetAfter } = checked.frame.state ?? {}
    const outputs = yield* Effect.mapError(
      publish(sealed, yield* trialsOf(options)),
      (error) => new StepError({ reason: error._tag, message: error.message, cause: error })
    )
    yield* Effect.forEach(
      sealed.flatMap(({ warnings }) => warnings),
      (warning) => Effect.logWarning(warning),
      { discard: true }
    )
    yield* Effect.mapError(
      journal.completed(
        outputs as unknown as Json,
        forgetAfter && {
          after: Duration.toMillis(forgetAfter),
          steps: checked.remembering.filter((step) => completeness.mayForget(step))
        },
        made.budgetMessage
      ),
      Answers.ledgerFailed
    )
    if (forgetAfter !== undefined && options.replay === undefined && !leavesNoTrace(options)) {
      for (const step of checked.remembering.filter((each) => !completeness.mayForget(each))) {
        const why = completeness.whyToWarn(step)
        if (why !== undefined) yield* Effect.logWarning(incompleteWarning(step, why))
      }
    }
    made.outputs = outputs
    made.isCompleted = true
    made.resumable = false
  }).pipe(
    Effect.tapError(({ message }) => {
      // Some files may have their names already, so that no step can go on: a resumed run gives the others theirs.
      made.resumable = true
      return warned(journal.ended("failed", message))
    })
  )

/** How a run stands that ended for this reason. */
const statusOf = (reason: StepError | DefinitionInvalid) =>
  reason._tag === "StepError" && reason.reason === "BudgetReached" ? "budget" : "failed"

/** Said of a run that has published what was paid for. */
const publishedMore = "; what was paid for is published, the rest is left to the next run"

const usedUp = (message: string) => new StepError({ reason: "BudgetReached", message })

/** True when no checkpoint has anything of the run yet. */
const isFresh = ({ resume }: RunOptions): boolean => resume === undefined || resume.progress === null

/** All of it, once the journal is open. */
const carryOut = (checked: Checked, options: Settled, made: Made, journal: Journal, stateKey: string | undefined) =>
  Effect.gen(function* () {
    const { counters } = made
    made.resumable = options.resume !== undefined
    made.budgetMessage = options.budgetMessage
    const unfinished = yield* Effect.mapError(journal.sealed, Answers.ledgerFailed)
    if (unfinished !== undefined) {
      yield* recount(counters, options.resume, journal)
      made.budgetMessage ??= counters.budgetMessage
      made.rejectFile = yield* Rejects.pathIn(`${options.dataDir}/runs/${made.id}`)
      const isReplay = options.replay !== undefined
      return yield* finish(
        unfinished,
        checked,
        options,
        made,
        journal,
        Completeness.make(checked, counters, { isReplay })
      )
    }
    const prepare = Effect.gen(function* () {
      const opened = yield* open(checked, options, made, journal, stateKey)
      made.budgetMessage ??= counters.budgetMessage
      made.rejectFile = opened.execution.rejects.path
      return { ...opened, ...(yield* assemble(checked, opened.execution)) }
    })
    const { cutShort, ended, execution, judge, judgeStart, outcome, stations, workers } = yield* prepare.pipe(
      Effect.tapError((reason) => warned(journal.ended(statusOf(reason), reason.message))),
      Effect.onInterrupt(() => warned(journal.ended("stopped")))
    )
    const { budget, completeness, gate, halt, rejects } = execution
    const checkpoint = Metrics.committing(Checkpoint.make(execution, stations), checked.frame.name, counters)
    execution.commit.now = Effect.zipRight(
      checkpoint,
      Effect.suspend(() =>
        gate.isWhole() && execution.tap?.isHere() !== false
          ? Effect.void
          : new StepError({ reason: "Stopped", message: "a part of the run has failed, or nobody reads its rows" })
      )
    )

    /** Rejects of another run were given to the stations: with the next checkpoint they are this run's. */
    let tookUp = false
    /** Tells the ledger how it ended; what is worth nothing goes. */
    const conclude = (status: "stopped" | "budget" | "failed", why?: string) =>
      Effect.gen(function* () {
        const isDone = tookUp
          ? execution.pending.takenUp === undefined
          : counters.answers +
              counters.bytes +
              counters.credits +
              counters.unpriced +
              counters.pages +
              counters.rejects >
            0
        made.resumable = !counters.spent && (options.resume !== undefined || isDone)
        if (!made.resumable) {
          yield* Effect.forEach(stations, ({ discard }) => discard ?? Effect.void, { discard: true })
        }
        yield* warned(journal.ended(status, why))
      })

    /** True once the end of the run is recorded: stopping a run that is already failing does not change it. */
    let isTold = false
    /** Waits for calls in flight, and makes a last checkpoint. */
    const windDown = (status: "stopped" | "budget" | "failed", why?: string) =>
      Effect.gen(function* () {
        if (isTold) return
        if (status !== "budget") {
          yield* halt.ask("stop")
          // On a fiber of its own: who interrupts now does not end the wait, and is not waited for a second time.
          yield* Effect.flatMap(Effect.fork(Effect.interruptible(Effect.timeout(halt.quiet, grace))), Fiber.await)
        }
        yield* Scope.close(workers, Exit.void)
        yield* warned(gate.isWhole() ? checkpoint : rejects.flush)
        yield* conclude(status, why)
        isTold = true
      }).pipe(Effect.uninterruptible)

    const flow = Effect.gen(function* () {
      yield* judgeStart
      if (options.replay !== undefined && isFresh(options)) {
        yield* gate.move(Replay.give(options.replay, checked, stations, execution))
        tookUp = true
        yield* checkpoint
      }
      yield* Effect.forEach(stations, ({ start }) => start, { discard: true })
      yield* execution.fork("", Effect.mapError(journal.lost, Answers.ledgerFailed))
      yield* execution.fork("", Checkpoint.keepMaking(execution, checkpoint))
      const done = Effect.as(ended, "ended" as const)
      const halted = Effect.as(halt.quiet, "halted" as const)
      // Calls that have no answer a little after the time is over are left for a resume.
      const late = Effect.zipRight(budget.timeOver, Effect.delay(Effect.succeed("halted" as const), grace))
      const how = yield* Effect.raceFirst(
        Deferred.await(outcome),
        Effect.raceFirst(done, Effect.raceFirst(halted, late))
      )
      const isCut = counters.cut || (halt.reason() === "budget" && how === "halted")
      if (isCut) {
        const limit = (yield* budget.reached) ?? "it was reached"
        const message = `the budget is used up: ${limit}`
        if (checked.frame.budget?.onReached !== "publish") return yield* usedUp(message)
        yield* halt.ask("budget")
        execution.pending.leftOut = yield* Effect.raceFirst(
          cutShort,
          Effect.zipRight(Deferred.await(outcome), Effect.never)
        )
        made.budgetMessage = `${message}${publishedMore}`
        counters.budgetMessage = made.budgetMessage
      }
    }).pipe(
      Effect.catchIf(
        (error) => error._tag === "StepError" && isRefused(gate, error),
        () => Deferred.await(outcome)
      )
    )

    const whole = flow.pipe(
      Effect.tap(() => {
        counters.over = true
        counters.spent = options.parentRun === undefined && isAllRejected(checked, counters)
      }),
      Effect.zipRight(checkpoint),
      // Rows that were moved only half are never published, whatever ended first.
      Effect.zipRight(Effect.suspend(() => (gate.isWhole() ? Effect.void : Deferred.await(outcome)))),
      Effect.zipRight(judge),
      Effect.zipRight(
        Effect.suspend(() => (counters.spent ? Rejects.allRejected(counters.rejects, rejects) : Effect.void))
      ),
      Effect.tapError((reason) => windDown(statusOf(reason), reason.message)),
      Effect.tapDefect((cause) => windDown("failed", `a fault of sluice: ${String(Cause.squash(cause))}`)),
      Effect.onInterrupt(() => Effect.ignoreLogged(windDown("stopped")))
    )
    const seal = Effect.forEach(
      stations.toReversed().flatMap(({ seal }) => (seal === undefined ? [] : [seal])),
      (seal) => seal
    ).pipe(
      Effect.tap((sealed) => Effect.mapError(journal.publishing(sealed), Answers.ledgerFailed)),
      // The last checkpoint has everything, and no sink goes on behind its seal.
      Effect.tapError(({ message }) => conclude("failed", message))
    )
    yield* Effect.uninterruptibleMask((restore) =>
      restore(whole).pipe(
        Effect.zipRight(Scope.close(workers, Exit.void)),
        Effect.zipRight(seal),
        Effect.flatMap((sealed) => finish(sealed, checked, options, made, journal, completeness)),
        Effect.zipRight(
          Effect.suspend(() => {
            const warning =
              options.parentRun === undefined && mostRejected(checked, counters, options.replay !== undefined)
            return warning ? Effect.logWarning(warning) : Effect.void
          })
        )
      )
    )
  })

/** Warns when the definition names more than in the pipeline's last run; values of inputs do not count. */
const tellGrowth = (pipeline: string, touches: Touches) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const [last] = yield* Effect.mapError(history.runs({ pipeline, limit: 1 }), Answers.ledgerFailed)
    const grown = last === undefined ? undefined : growthOf(touches, mapping(last.options).named)
    if (grown !== undefined)
      yield* Effect.logWarning(
        `${pipeline} names hosts, files or variables that its last run (${last?.id}) did not: ${grown}`
      )
  })

/** The permissions as they are for the definition, and with the run's own data folder among those that are never read. */
const permissionsOf = ({ source }: Checked, { dataDir }: Settled) =>
  Effect.map(Permissions, (permissions) => ({
    ...forDefinition(permissions, NodePath.resolve(source.folder, NodePath.basename(source.file))),
    dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
  }))

/** Runs to the end, or as far as it goes. */
export const execute = (
  checked: Checked,
  options: Settled,
  made: Made
): Effect.Effect<Summary, RunFailed, Services | Ledger> =>
  Effect.gen(function* () {
    made.begun = yield* Clock.currentTimeMillis
    const ledger = yield* Ledger
    const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
    yield* Pin.require(checked, scope)
    const run = describeRun(checked, { ...options, id: made.id, startedAt: new Date(made.startedAt) })
    const settled = yield* stateKey(checked, { ...scope, run })
    const key = typeof settled === "string" ? settled : undefined
    const touches = yield* touchesOf(checked, undefined)
    // Parts of a run touch what the whole of it does.
    if (options.resume === undefined && options.group === undefined) yield* tellGrowth(checked.frame.name, touches)
    const beginning = beginningOf(checked, options, made, { key, touches })
    const journal = yield* Effect.mapError(ledger.open(beginning), Answers.ledgerFailed)
    yield* options.opened?.(made.id) ?? Effect.void
    // The retry budget and the circuit breakers are the run's: another run starts with its own.
    yield* Effect.provideService(carryOut(checked, options, made, journal, key), RetryScope, makeState())
    // Its files have their names, and they are a part. Where it is itself a part of a run, that run says so at its end.
    if (made.budgetMessage !== undefined && options.parentRun === undefined) return yield* usedUp(made.budgetMessage)
  }).pipe(
    Effect.scoped,
    Effect.provideServiceEffect(Permissions, permissionsOf(checked, options)),
    Effect.zipRight(Effect.suspend(() => summarise(made, "completed"))),
    Effect.catchAll((reason) =>
      Effect.flatMap(summarise(made, statusOf(reason)), (summary) => new RunFailed({ summary, reason }))
    )
  )
