/** Suggests `sluice extract --repair` for a run that broke because `extract` no longer finds the values. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { RunDetail } from "../../Ledger/History.ts"
import { Ledger } from "../../Ledger.ts"
import { place, shellWord } from "../Format.ts"
import { isReal } from "../RunOutputs.ts"
import { extractionsIn } from "./Extractions.ts"

/** True for a held run, and for a failed one with more rejects of `extract` than of all other steps. */
const isBroken = ({ run, steps }: RunDetail, ids: ReadonlyArray<string | undefined>): boolean => {
  const isExtract = (step: string) => ids.includes(step) || /^extract(-\d+)?$/.test(step)
  const rejectsOf = (some: RunDetail["steps"]) => some.reduce((sum, { rejects }) => sum + rejects, 0)
  const ofExtract = rejectsOf(steps.filter(({ step }) => isExtract(step)))
  return run.status === "held" || (run.status === "failed" && ofExtract > rejectsOf(steps) / 2)
}

/** A suggestion never fails the command that makes it. */
const neverFails = Effect.catchAllCause(() => Effect.succeed(undefined))

/**
 * Command that looks for the lost values on the pages of the run. Undefined if the run broke otherwise, if its definition has no `extract`
 * that can be repaired, or if no other run has good rows to compare with.
 */
export const repairCommand = (detail: RunDetail): Effect.Effect<string | undefined, never, Ledger> =>
  Effect.gen(function* () {
    const { run } = detail
    const ids = extractionsIn(run.file, run.definition).map(({ id }) => id)
    if (ids.length === 0 || !isReal(run) || !isBroken(detail, ids)) return undefined
    const { history } = yield* Ledger
    const good = yield* history.allRuns({ pipeline: run.pipeline, status: ["completed"] }).pipe(
      Stream.filter((each) => isReal(each) && each.rows > 0),
      Stream.runHead
    )
    return Option.isSome(good) ? `sluice extract --repair ${shellWord(place(run.file))}` : undefined
  }).pipe(neverFails)

/** {@link repairCommand} of a run that has just ended. */
export const repairCommandOf = (runId: string): Effect.Effect<string | undefined, never, Ledger> =>
  Effect.flatMap(Ledger, ({ history }) => history.run(runId)).pipe(
    Effect.flatMap((detail) => (detail === undefined ? Effect.succeed(undefined) : repairCommand(detail))),
    neverFails
  )
