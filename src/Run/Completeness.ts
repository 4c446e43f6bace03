/**
 * Decides whether a step has seen every row of its sources in this run.
 *
 * - Steps are marked as incomplete while they work, each with its reasons (`Counters.leaveOut`). A mark is never taken back,
 *   and checkpoints keep it, so a resumed run decides as the run would have done without the crash.
 * - Only a complete run reports rows as `gone` and forgets state: a row that was not seen may still be at the source.
 */
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import { describe, type Reason } from "../Step/Incomplete.ts"
import type { Counters } from "./Progress.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

/** A search leaves out hits in every run: its state may be forgotten all the same, or it would grow for ever. */
const forgettableReasons: ReadonlySet<Reason> = new Set(["ranking"])

export interface Completeness {
  /** Why the step has not seen every row; undefined when it has. */
  readonly whyIncomplete: (step: string) => string | undefined
  /** Like {@link Completeness.whyIncomplete}, for who warns of it: each step is warned of once. */
  readonly warningOnce: (step: string) => string | undefined
  /** False when state of the step that no run has met for long may still be at the source. */
  readonly mayForget: (step: string) => boolean
}

export const makeCompleteness = (
  checked: Checked,
  counters: Counters,
  { shutdown, isReplay }: { readonly shutdown?: ShutdownSignal | undefined; readonly isReplay: boolean }
): Completeness => {
  const reasonsOf = (step: string): ReadonlyArray<readonly [step: string, reasons: ReadonlyArray<Reason>]> =>
    [...before(checked, step).toReversed(), step].flatMap((each) => {
      // What the step itself leaves out because it knows it, it has seen.
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
