/** The end of a run that does not publish: what is left for a resume, and what the ledger records. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import type { Journal } from "../Ledger/Model.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { BudgetReached, RunStopped } from "../Step/StepError.ts"
import type { StepError } from "../Step.ts"
import { type BuiltRun, type OpenRun, orWarn } from "./OpenRun.ts"
import type { RunHandle } from "./RunResult.ts"

/** Status of a run that ended without being published. */
export type EndStatus = "stopped" | "budget" | "failed"

/** Status of a run that ended for a certain reason. */
export const statusOf = (reason: StepError | DefinitionInvalid): EndStatus =>
  reason instanceof BudgetReached ? "budget" : reason instanceof RunStopped ? "stopped" : "failed"

/** Records in the ledger how a run ended before it started. */
export const recordEnd =
  (journal: Journal) =>
  <A, R>(effect: Effect.Effect<A, StepError | DefinitionInvalid, R>) =>
    effect.pipe(
      Effect.tapError((reason) => orWarn(journal.end(statusOf(reason), reason.message))),
      Effect.onInterrupt(() => orWarn(journal.end("stopped")))
    )

/** True if a resume has something to continue from. */
const isWorthResuming = ({ options, run: { buffer, counters } }: OpenRun): boolean => {
  if (counters.spent) return false
  if (options.resume !== undefined) return true
  const claim = buffer.claimStatus()
  if (claim !== "none") return claim === "committed"
  const { answers, bytes, credits, pages, rejects, unpriced } = counters
  return answers + bytes + credits + unpriced + pages + rejects > 0
}

/** Records how the run ended. Files of a run that cannot be resumed are removed first. */
export const conclude = (built: BuiltRun, status: EndStatus, why?: string) =>
  Effect.gen(function* () {
    const { handle, journal, topology } = built
    const resumable = isWorthResuming(built)
    yield* setResumable(handle, resumable)
    if (!resumable) {
      yield* Effect.forEach(topology.operators, ({ discard }) => discard ?? Effect.void, { discard: true })
    }
    yield* orWarn(journal.end(status, why))
  })

export const setResumable = ({ phase }: RunHandle, resumable: boolean) =>
  Ref.update(phase, (now) => (now._tag === "Running" || now._tag === "Ended" ? { ...now, resumable } : now))

/**
 * Ends a run in order: waits for calls in flight, at most for the grace period, stops all background work, takes a last checkpoint, and
 * records the end. Uninterruptible, and runs only once: stopping a run that already fails does not change how it ended. Never fails; if
 * something cannot be recorded, that is logged, and the run then counts as crashed.
 */
export const windDown = (built: BuiltRun, status: EndStatus, why?: string) =>
  Effect.gen(function* () {
    const { checkpoint, handle, run, workers } = built
    if ((yield* Ref.get(handle.phase))._tag === "Ended") return
    // After `budget` the run has drained already.
    if (status !== "budget") yield* run.shutdown.stopAndDrain
    yield* Scope.close(workers, Exit.void)
    yield* orWarn(run.lock.isConsistent() ? checkpoint : run.rejects.flush)
    yield* conclude(built, status, why)
    yield* Ref.update(handle.phase, (now) => (now._tag === "Running" ? { ...now, _tag: "Ended" as const } : now))
  }).pipe(Effect.uninterruptible)
