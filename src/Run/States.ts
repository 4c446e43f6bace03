/** What a pipeline keeps from run to run; it takes effect when a run has published (pipelines 15). */
import * as Effect from "effect/Effect"
import type { StateChange, StepError, StepState } from "../Step.ts"
import { ledgerFailed } from "./Answers.ts"
import type { Counters } from "./Counters.ts"
import type { Halt } from "./Halt.ts"
import type { Journal } from "./Ledger.ts"
import type { Rejects } from "./Rejects.ts"

export interface StepStates {
  readonly of: (step: string) => StepState
}

interface Parts {
  /** False for runs that are to leave no trace: `--limit`, `--backfill`, tests. */
  readonly active: boolean
  /** True for a run that only takes up rejects: what its sources do not give is not gone. */
  readonly isReplay: boolean
  readonly journal: Journal
  readonly counters: Counters
  readonly halt: Halt
  readonly rejects: Rejects
  readonly stage: (step: string, changes: ReadonlyArray<StateChange>) => void
  /** The steps that a step's rows have come through. */
  readonly before: (step: string) => ReadonlyArray<string>
  /** Pages that no checkpoint has yet. */
  readonly metLately: () => Iterable<string>
}

export const make = ({
  active,
  before,
  counters,
  halt,
  isReplay,
  journal,
  metLately,
  rejects,
  stage
}: Parts): StepStates => ({
  of: (step) => ({
    active,
    load: active ? Effect.mapError(journal.state(step), ledgerFailed) : Effect.succeed([]),
    put: (changes) =>
      Effect.sync(() => {
        if (active) stage(step, changes)
      }),
    met: Effect.suspend(() => {
      // Asked for first: a checkpoint may take them down while the ledger is read.
      const late = [...metLately(), ...rejects.pending().map(({ key }) => key)]
      return Effect.map(
        Effect.mapError(journal.met, ledgerFailed),
        (met): ReadonlySet<string> => new Set([...met, ...late])
      )
    }) satisfies Effect.Effect<ReadonlySet<string>, StepError>,
    isComplete: Effect.sync(
      () => !isReplay && halt.reason() === undefined && !before(step).some((each) => counters.incomplete.has(each))
    )
  })
})
