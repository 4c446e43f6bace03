/** A run when it is opened: what it goes on from, and everything that its stations share. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import { Tariff } from "../Step/Cost.ts"
import type { Output, Trials } from "../Step/Output.ts"
import type { StepError } from "../Step.ts"
import * as Answers from "./Answers.ts"
import { leavesNoTrace } from "./Beginning.ts"
import * as Budget from "./Budget.ts"
import * as Completeness from "./Completeness.ts"
import type { Counters } from "./Counters.ts"
import type { Execution } from "./Execution.ts"
import * as Gate from "./Gate.ts"
import * as Halt from "./Halt.ts"
import { type Journal, Ledger } from "./Ledger.ts"
import { isTrial, type RunOptions, type Settled } from "./Options.ts"
import * as Pending from "./Pending.ts"
import * as Rejects from "./Rejects.ts"
import * as States from "./States.ts"
import * as Together from "./Together.ts"

/** A run that has been made, and what it may say of itself when it is over. */
export interface Made {
  readonly id: string
  readonly startedAt: number
  readonly counters: Counters
  begun: number
  outputs: ReadonlyArray<Output>
  rejectFile: string | undefined
  resumable: boolean
  /** True once its files have their names and the ledger knows. */
  isCompleted: boolean
  /** Why the budget ended the run, where it publishes what was paid for. */
  budgetMessage: string | undefined
}

/** What a resumed run has come to so far: as the last checkpoint has it, and what was paid for since. */
export const recount = (counters: Counters, resume: RunOptions["resume"], journal: Journal) =>
  Effect.gen(function* () {
    if (resume !== undefined) counters.restore(resume.progress, resume.bytes)
    const booked = yield* Effect.mapError(journal.booked, Answers.ledgerFailed)
    counters.callCredits = booked.credits
    counters.callUnpriced = booked.unpriced
    counters.callPages = booked.pages
  })

/** Facts about trials that sinks need; read from the ledger each time. */
export const trialsOf = (options: RunOptions) =>
  Effect.map(Ledger, ({ history }): Trials => ({ isTrial: isTrial(options), written: history.trialOutputs }))

/** Everything that the stations share. */
export const open = (
  checked: Checked,
  options: Settled,
  { counters, id, startedAt }: Made,
  journal: Journal,
  stateKey: string | undefined
) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const { resume } = options
    yield* recount(counters, resume, journal)
    const gate = yield* Gate.make(Effect.mapError(journal.awake, Answers.ledgerFailed))
    const halt = yield* Halt.make
    const pending = Pending.make(counters)
    const budget = yield* Budget.make({
      limits: checked.frame.budget,
      counters,
      halt,
      rate: (yield* Tariff).rate,
      account: Together.account(ledger, checked, options, id, journal),
      since: options.budgetFrom?.since
    })
    const answers = yield* Answers.make(journal, counters, budget, halt)
    const rejects = yield* Rejects.make(`${options.dataDir}/runs/${id}`, counters.rejectBytes, {
      mayBeHeld: options.group !== undefined
    })
    const completeness = Completeness.make(checked, counters, { halt, isReplay: options.replay !== undefined })
    const states = States.make({
      active: !leavesNoTrace(options),
      completeness,
      journal,
      knownUnder: options.parentRun === undefined ? stateKey : options.stateKey,
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
      publishing: { isOn: false },
      journal,
      answers,
      rejects,
      states,
      completeness,
      pending: pending.lists,
      commit: { now: Effect.void },
      trials: yield* trialsOf(options),
      turn: Together.turn(ledger, options),
      book: pending.book,
      settle: (step, marks) => {
        pending.settle(step, marks)
        answers.settle(step, marks)
      },
      fork: (step, work) =>
        work.pipe(
          Effect.catchIf(
            (error) => error._tag === "StepError" && Gate.isRefused(gate, error),
            () => Effect.void
          ),
          Effect.mapError((error) => Pending.placed(error, checked, step)),
          Effect.catchAllCause((cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.void : Deferred.failCause(outcome, cause)
          ),
          Scope.extend(workers),
          // It may be begun under the gate, where nothing is interrupted.
          Effect.interruptible,
          Effect.forkIn(workers),
          Effect.asVoid
        )
    }
    return { execution, outcome, workers }
  })
