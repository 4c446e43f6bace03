/** State across runs as steps see it; changes are staged, and take effect when the run has published its outputs. */
import * as Effect from "effect/Effect"
import type { Journal } from "../Ledger/Model.ts"
import { spellings } from "../Row/Url.ts"
import type { StateChange, StepError, StepState } from "../Step.ts"
import type { Completeness } from "./Completeness.ts"
import type { Rejects } from "./Rejects.ts"
import { ledgerFailed } from "./RunErrors.ts"

export interface StepStates {
  readonly of: (step: string) => StepState
}

interface StateOptions {
  /** False for runs that are to leave no trace: `--limit`, `--backfill`, tests. */
  readonly active: boolean
  readonly journal: Journal
  /** State key of the runs that this one follows: its own, or for a part that of its run. */
  readonly historyKey: string | undefined
  readonly rejects: Rejects
  readonly stage: (step: string, changes: ReadonlyArray<StateChange>) => void
  readonly completeness: Completeness
  /** Pages that no checkpoint has yet. */
  readonly recentPages: () => Iterable<string>
}

export const make = ({
  active,
  completeness,
  journal,
  historyKey,
  recentPages,
  rejects,
  stage
}: StateOptions): StepStates => ({
  of: (step) => ({
    active,
    load: active ? Effect.mapError(journal.state(step), ledgerFailed) : Effect.succeed([]),
    put: (changes) =>
      Effect.sync(() => {
        if (active) stage(step, changes)
      }),
    met: Effect.suspend(() => {
      // Asked for first: a checkpoint may take them down while the ledger is read.
      const late = [...recentPages(), ...rejects.pending().map(({ key }) => key)]
      return Effect.map(
        Effect.mapError(journal.presentPages, ledgerFailed),
        (met): ReadonlySet<string> => new Set([...met, ...late])
      )
    }) satisfies Effect.Effect<ReadonlySet<string>, StepError>,
    knowsAny: (addresses) =>
      // Without a state key there is no state that a mark could spare.
      historyKey === undefined
        ? Effect.succeed(true)
        : Effect.mapError(journal.hasSeenAny(historyKey, [...new Set(addresses.flatMap(spellings))]), ledgerFailed),
    whyIncomplete: Effect.sync(
      // The step warns of it; once it has, there is nothing more to say of forgetting.
      () => completeness.warningOnce(step) ?? completeness.whyIncomplete(step)
    )
  })
})
