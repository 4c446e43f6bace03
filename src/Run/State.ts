/**
 * Gives steps their state across runs, and tracks whether a run has seen every row of its sources.
 *
 * - Changes are staged with the checkpoints and take effect when the run has published its outputs.
 * - Running steps are marked as incomplete, each with its reasons (`Counters.markIncomplete`). A mark is never removed, and checkpoints
 *   save it, so a resumed run decides as it would have done without the crash.
 * - Only a complete run reports rows as `gone` and forgets state: a row that was not seen may still be at the source.
 */
import * as Effect from "effect/Effect"
import type { Journal } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import { isEqual } from "../Row/Difference.ts"
import { urlVariants } from "../Row/Url.ts"
import type { Json } from "../Row.ts"
import { describe, type Reason } from "../Step/Incomplete.ts"
import type { StateEntry, StepError, StepState } from "../Step.ts"
import type { CheckpointBuffer } from "./Checkpoint.ts"
import type { Counters } from "./Progress.ts"
import type { Rejects } from "./Rejects.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

export interface StepStates {
  readonly of: (step: string) => StepState
}

interface StateOptions {
  /** False for runs that neither read nor change state: `--limit`, `--backfill`, tests. */
  readonly active: boolean
  readonly journal: Journal
  /** State key of the earlier runs: the key of this run, or that of its parent run. */
  readonly historyKey: string | undefined
  readonly rejects: Rejects
  readonly completeness: Completeness
  readonly buffer: Pick<CheckpointBuffer, "addState" | "recentPages">
}

export const make = ({ active, buffer, completeness, journal, historyKey, rejects }: StateOptions): StepStates => {
  /** Values of runs whose outputs are held, by step and key. */
  const held = new Map<string, ReadonlyMap<string, Json>>()
  const eachOf =
    (step: string): StepState["each"] =>
    (visit) =>
      Effect.suspend(() => {
        if (!active) return Effect.void
        const values = new Map<string, Json>()
        const seen = (entry: StateEntry) => {
          if (entry.isHeld === true && entry.isRemoved !== true) values.set(entry.key, entry.value)
          visit(entry)
        }
        return journal
          .state(step, seen)
          .pipe(Effect.mapError(ledgerFailed), Effect.tap(Effect.sync(() => held.set(step, values))))
      })
  const entriesOf = (step: string): Pick<StepState, "load" | "put"> => ({
    load: Effect.suspend(() => {
      const entries: Array<StateEntry> = []
      const collect = (entry: StateEntry) => {
        if (entry.isRemoved !== true) entries.push(entry)
      }
      return Effect.map(eachOf(step)(collect), () =>
        entries.some(({ isHeld }) => isHeld === true)
          ? entries.sort((one, other) => (one.key < other.key ? -1 : 1))
          : entries
      )
    }),
    put: (changes) =>
      Effect.sync(() => {
        if (!active) return
        const values = held.get(step)
        // Changes that the held run has made, too, stay with that run: they are removed if it is discarded.
        const own =
          values === undefined || values.size === 0
            ? changes
            : changes.filter(({ key, value }) => !(values.has(key) && isEqual(values.get(key), value)))
        if (own.length > 0) buffer.addState(step, own)
      })
  })
  const of = (step: string): StepState => ({
    ...entriesOf(step),
    each: eachOf(step),
    active,
    part: (name) => entriesOf(`${step}~${name}`),
    met: Effect.suspend(() => {
      // Keys in memory are read first: a checkpoint may move them to the ledger while the ledger is read.
      const late = [...buffer.recentPages(), ...rejects.pending().map(({ key }) => key)]
      return Effect.map(
        Effect.mapError(journal.presentPages, ledgerFailed),
        (met): ReadonlySet<string> => new Set([...met, ...late])
      )
    }) satisfies Effect.Effect<ReadonlySet<string>, StepError>,
    knowsAny: (addresses) =>
      // Without a state key there is no state to protect, so the answer "known" is always safe.
      historyKey === undefined
        ? Effect.succeed(true)
        : Effect.mapError(journal.hasSeenAny(historyKey, [...new Set(addresses.flatMap(urlVariants))]), ledgerFailed),
    whyIncomplete: Effect.sync(
      // The step itself prints the warning, so the warning about forgetting is not repeated.
      () => completeness.warningOnce(step) ?? completeness.whyIncomplete(step)
    )
  })
  return { of }
}

/**
 * Reasons that do not stop a step from forgetting: a search leaves out results in every run, and its state would otherwise grow without
 * end.
 */
const forgettableReasons: ReadonlySet<Reason> = new Set(["ranking"])

export interface Completeness {
  /** Why the step may not have seen every row; undefined if it has seen all. */
  readonly whyIncomplete: (step: string) => string | undefined
  /** Like {@link Completeness.whyIncomplete}, but only once for each step, for warnings. */
  readonly warningOnce: (step: string) => string | undefined
  /** False if rows that no run has seen for a long time may still be at the source. */
  readonly mayForget: (step: string) => boolean
}

export const makeCompleteness = (
  checked: Checked,
  counters: Counters,
  { shutdown, isReplay }: { readonly shutdown?: ShutdownSignal | undefined; readonly isReplay: boolean }
): Completeness => {
  const reasonsOf = (step: string): ReadonlyArray<readonly [step: string, reasons: ReadonlyArray<Reason>]> =>
    [...before(checked, step).toReversed(), step].flatMap((each) => {
      // A step has seen the rows that it left out itself because earlier runs had them.
      const reasons = [...(counters.incomplete.get(each) ?? [])].filter((reason) => each !== step || reason !== "seen")
      return reasons.length === 0 ? [] : [[each, reasons] as const]
    })
  const whyNone = (): string | undefined => {
    if (isReplay) return "a replay gives only the rows that were rejected"
    const reason = shutdown?.reason()
    return reason === undefined ? undefined : reason === "budget" ? "the budget was reached" : "the run was stopped"
  }
  const whyIncomplete = (step: string): string | undefined => {
    const reasons = reasonsOf(step)
    return whyNone() ?? (reasons.length === 0 ? undefined : describe(reasons))
  }
  const warned = new Set<string>()
  return {
    whyIncomplete,
    warningOnce: (step) => {
      const why = warned.has(step) ? undefined : whyIncomplete(step)
      if (why !== undefined) warned.add(step)
      return why
    },
    mayForget: (step) =>
      whyNone() === undefined &&
      reasonsOf(step).every(([, reasons]) => reasons.every((reason) => forgettableReasons.has(reason)))
  }
}
