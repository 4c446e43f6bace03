/** A run from its opening in the ledger to the names of its outputs. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { stateKey } from "../Pipeline/StateKey.ts"
import type { Json } from "../Row.ts"
import { publish } from "../Sink/Publish.ts"
import type { Output, Sealed } from "../Step/Output.ts"
import { type Services, StepError } from "../Step.ts"
import * as Answers from "./Answers.ts"
import { assemble } from "./Assembly.ts"
import { beginningOf, leavesNoTrace } from "./Beginning.ts"
import * as Budget from "./Budget.ts"
import * as Checkpoint from "./Checkpoint.ts"
import type { Counters } from "./Counters.ts"
import { describeRun, type Execution } from "./Execution.ts"
import * as Gate from "./Gate.ts"
import * as Halt from "./Halt.ts"
import { type Journal, Ledger } from "./Ledger.ts"
import type { RunOptions } from "./Options.ts"
import { RunFailed, type Summary } from "./Outcome.ts"
import * as Pending from "./Pending.ts"
import * as Rejects from "./Rejects.ts"
import * as Replay from "./Replay.ts"
import * as States from "./States.ts"

/** Calls that are under way when a run is told to stop are waited for so long: their answers are paid for. */
const grace = "5 seconds"

/** A run that has been made, and what it may say of itself when it is over. */
export interface Made {
  readonly id: string
  readonly startedAt: number
  readonly counters: Counters
  begun: number
  outputs: ReadonlyArray<Output>
  rejectFile: string | undefined
  resumable: boolean
}

/** What became of it, or what has become of it so far. */
export const summarise = (made: Made, status: Summary["status"]): Effect.Effect<Summary> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { counters } = made
    return {
      runId: made.id,
      status,
      rows: counters.rows,
      rejects: counters.rejects,
      credits: counters.credits,
      unpricedCalls: counters.unpriced,
      durationMs: made.begun === 0 ? 0 : now - made.begun,
      outputs: made.outputs,
      rejectFile: counters.rejects > 0 ? made.rejectFile : undefined,
      resumable: made.resumable
    }
  })

/** Everything that the stations share. */
const open = (checked: Checked, options: RunOptions, { counters, id, startedAt }: Made, journal: Journal) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const { resume } = options
    if (resume !== undefined) counters.restore(resume.progress)
    const booked = yield* Effect.mapError(journal.booked, Answers.ledgerFailed)
    counters.callCredits = booked.credits
    counters.callUnpriced = booked.unpriced
    counters.callPages = booked.pages
    const gate = yield* Gate.make
    const halt = yield* Halt.make
    const pending = Pending.make(counters)
    const limits = checked.frame.budget
    const before = yield* Pending.usedBefore(ledger, checked.frame, limits?.per, startedAt)
    const budget = yield* Budget.make(limits, before, counters, () => counters.bytes, halt)
    const answers = yield* Answers.make(journal, counters, budget)
    const rejects = yield* Rejects.make(`${options.dataDir}/runs/${id}`, counters.rejectBytes)
    const states = States.make({
      active: !leavesNoTrace(options),
      before: (step) => Pending.before(checked, step),
      journal,
      counters,
      halt,
      rejects,
      stage: pending.stage,
      metLately: pending.metLately
    })
    const workers = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
    const outcome = yield* Deferred.make<void, StepError | DefinitionInvalid>()
    const execution: Execution = {
      ...options,
      id,
      startedAt: new Date(startedAt),
      counters,
      gate,
      halt,
      budget,
      journal,
      answers,
      rejects,
      states,
      pending: pending.lists,
      book: pending.book,
      settle: pending.settle,
      fork: (step, work) =>
        work.pipe(
          Effect.mapError((error) => Pending.placed(error, checked, step)),
          Effect.catchAllCause((cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.void : Deferred.failCause(outcome, cause)
          ),
          Scope.extend(workers),
          Effect.forkIn(workers),
          Effect.asVoid
        )
    }
    return { execution, outcome, workers }
  })

/** Gives the files their names, and tells the ledger that the run is done; may be done again after a crash. */
const finish = (sealed: ReadonlyArray<Sealed>, journal: Journal) =>
  Effect.gen(function* () {
    const outputs = yield* Effect.mapError(
      publish(sealed),
      (error) => new StepError({ reason: error._tag, message: error.message, cause: error })
    )
    yield* Effect.forEach(
      sealed.flatMap(({ warnings }) => warnings),
      (warning) => Effect.logWarning(warning),
      { discard: true }
    )
    yield* Effect.mapError(journal.completed(outputs as unknown as Json), Answers.ledgerFailed)
    return outputs
  })

/** True when no checkpoint has anything of the run yet. */
const isFresh = ({ resume }: RunOptions): boolean => resume === undefined || resume.progress === null

/** All of it, once the journal is open. */
const carryOut = (checked: Checked, options: RunOptions, made: Made, journal: Journal) =>
  Effect.gen(function* () {
    const { counters } = made
    const unfinished = yield* Effect.mapError(journal.sealed, Answers.ledgerFailed)
    if (unfinished !== undefined) {
      if (options.resume !== undefined) counters.restore(options.resume.progress)
      made.outputs = yield* finish(unfinished, journal)
      return
    }
    const { execution, outcome, workers } = yield* open(checked, options, made, journal)
    const { budget, gate, halt, rejects } = execution
    made.rejectFile = rejects.path
    const { ended, judge, stations } = yield* Effect.tapError(assemble(checked, execution), ({ message }) =>
      Effect.mapError(journal.ended("failed", message), Answers.ledgerFailed)
    )
    const checkpoint = Checkpoint.make(execution, stations)

    /** Lets what is under way come to its end, and takes down where everybody stands. */
    const windDown = (status: "stopped" | "budget" | "failed", why?: string) =>
      Effect.gen(function* () {
        if (status !== "budget") {
          yield* halt.ask("stop")
          yield* Effect.ignore(Effect.timeout(halt.quiet, grace))
        }
        yield* Scope.close(workers, Exit.void)
        // Why it ended counts more than what cannot be written any more.
        yield* Effect.catchAll(gate.isWhole() ? checkpoint : rejects.flush, ({ message }) => Effect.logWarning(message))
        const worth =
          options.resume !== undefined ||
          counters.bytes > 0 ||
          counters.credits > 0 ||
          counters.unpriced > 0 ||
          counters.pages > 0
        made.resumable = worth
        if (!worth) {
          yield* Effect.forEach(stations, ({ discard }) => discard ?? Effect.void, { discard: true })
        }
        yield* Effect.catchAll(journal.ended(status, why), ({ message }) => Effect.logWarning(message))
      }).pipe(Effect.uninterruptible)

    const flow = Effect.gen(function* () {
      if (options.replay !== undefined && isFresh(options)) {
        yield* gate.move(Replay.give(options.replay, checked, stations, counters))
        yield* checkpoint
      }
      yield* Effect.forEach(stations, ({ start }) => start, { discard: true })
      yield* execution.fork("", Effect.mapError(journal.lost, Answers.ledgerFailed))
      yield* execution.fork("", Checkpoint.keepMaking(execution, checkpoint))
      const done = Effect.as(ended, "ended" as const)
      const halted = Effect.as(halt.quiet, "halted" as const)
      const how = yield* Effect.raceFirst(Deferred.await(outcome), Effect.raceFirst(done, halted))
      const isCut = halt.reason() === "budget" && (how === "halted" || counters.incomplete.size > 0)
      if (isCut) {
        const limit = (yield* budget.reached) ?? "it was reached"
        return yield* new StepError({ reason: "BudgetReached", message: `the budget is used up: ${limit}` })
      }
    })

    yield* flow.pipe(
      Effect.zipRight(checkpoint),
      Effect.zipRight(judge),
      Effect.zipRight(
        Effect.suspend(() =>
          counters.rows === 0 && counters.rejects > 0 ? Rejects.allRejected(counters.rejects, rejects) : Effect.void
        )
      ),
      Effect.tapError((reason) =>
        windDown(reason._tag === "StepError" && reason.reason === "BudgetReached" ? "budget" : "failed", reason.message)
      ),
      Effect.onInterrupt(() => Effect.ignoreLogged(windDown("stopped")))
    )
    yield* Scope.close(workers, Exit.void)
    made.outputs = yield* Effect.uninterruptible(
      Effect.gen(function* () {
        const sealed = yield* Effect.forEach(
          stations.toReversed().flatMap(({ seal }) => (seal === undefined ? [] : [seal])),
          (seal) => seal
        )
        yield* Effect.mapError(journal.publishing(sealed), Answers.ledgerFailed)
        return yield* finish(sealed, journal)
      })
    ).pipe(Effect.tapError((error) => windDown("failed", error.message)))
  })

/** Runs to the end, or as far as it goes. */
export const execute = (
  checked: Checked,
  options: RunOptions,
  made: Made
): Effect.Effect<Summary, RunFailed, Services | Ledger> =>
  Effect.gen(function* () {
    made.begun = yield* Clock.currentTimeMillis
    const ledger = yield* Ledger
    const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
    yield* Pin.require(checked, scope)
    const run = describeRun(checked, { ...options, id: made.id, startedAt: new Date(made.startedAt) })
    const key = yield* stateKey(checked, { ...scope, run })
    const beginning = beginningOf(checked, options, made, typeof key === "string" ? key : undefined)
    const journal = yield* Effect.mapError(ledger.open(beginning), Answers.ledgerFailed)
    yield* carryOut(checked, options, made, journal)
  }).pipe(
    Effect.scoped,
    Effect.zipRight(Effect.suspend(() => summarise(made, "completed"))),
    Effect.catchAll((reason) =>
      Effect.flatMap(
        summarise(made, reason._tag === "StepError" && reason.reason === "BudgetReached" ? "budget" : "failed"),
        (summary) => new RunFailed({ summary, reason })
      )
    )
  )
