/** Suggests `sluice extract --repair` for a run that broke because `extract` no longer finds the values. */
import * as Effect from "effect/Effect"
import type { RunDetail } from "../../Ledger/History.ts"
import { Ledger } from "../../Ledger.ts"
import { place, shellWord } from "../Format.ts"
import { isReal } from "../RunOutputs.ts"
import { extractionsIn } from "./Extractions.ts"

/** True for a held run, and for a failed one in which `extract` has rejected rows. */
const isBroken = ({ run, steps }: RunDetail, ids: ReadonlyArray<string | undefined>): boolean => {
  const isExtract = (step: string) => ids.includes(step) || /^extract(-\d+)?$/.test(step)
  return (
    run.status === "held" ||
    (run.status === "failed" && steps.some(({ rejects, step }) => rejects > 0 && isExtract(step)))
  )
}

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
    const completed = yield* history.runs({ pipeline: run.pipeline, status: ["completed"], limit: 1000 })
    const hasGood = completed.some((each) => isReal(each) && each.rows > 0)
    return hasGood ? `sluice extract --repair ${shellWord(place(run.file))}` : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

/** {@link repairCommand} of a run that has just ended. */
export const repairCommandOf = (runId: string): Effect.Effect<string | undefined, never, Ledger> =>
  Effect.flatMap(Ledger, ({ history }) => history.run(runId)).pipe(
    Effect.flatMap((detail) => (detail === undefined ? Effect.succeed(undefined) : repairCommand(detail))),
    Effect.orElseSucceed(() => undefined)
  )
