/** Changes in the ledger that `dedupe` steps with `history` have kept. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Ledger } from "../Ledger.ts"
import { type ChangeRecord, changeIn, isHistory } from "../Step/ChangeHistory.ts"

/** Changes under a state key, oldest first. */
export const changesUnder = (ledger: Pick<typeof Ledger.Service, "states">, stateKey: string) =>
  Effect.gen(function* () {
    const steps = (yield* ledger.states.steps(stateKey)).filter(isHistory)
    const found = yield* Effect.forEach(steps, (step) =>
      Effect.map(
        Stream.runCollect(Stream.filterMap(ledger.states.entries(stateKey, step), changeIn)),
        Chunk.toReadonlyArray
      )
    )
    return found.flat().sort((a, b) => a.at - b.at)
  })

/** Changes that a run has found, in the order in which it found them. */
export const changesOfRun = (ledger: Pick<typeof Ledger.Service, "find" | "states">, runId: string) =>
  Effect.gen(function* (): Effect.fn.Return<
    ReadonlyArray<ChangeRecord>,
    Effect.Effect.Error<ReturnType<typeof changesUnder>>
  > {
    const stateKey = (yield* ledger.find(runId))?.stateKey
    return stateKey === undefined ? [] : (yield* changesUnder(ledger, stateKey)).filter(({ run }) => run === runId)
  })
