/** Reads the changes that `dedupe` steps with `history` have stored in the ledger. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Ledger } from "../Ledger.ts"
import { type ChangeRecord, changeIn, isHistory, visitIn, visitKey } from "../Step/ChangeHistory.ts"

type States = Pick<typeof Ledger.Service, "states">

/** Changes under a state key that pass a filter, oldest first, and for each step the entry about its last visit. */
const read = ({ states }: States, stateKey: string, accepts: (change: ChangeRecord) => boolean) =>
  Effect.gen(function* () {
    const changes: Array<ChangeRecord> = []
    const visits: Array<Option.Option.Value<ReturnType<typeof visitIn>>> = []
    for (const step of (yield* states.steps(stateKey)).filter(isHistory)) {
      yield* Stream.runForEach(states.entries(stateKey, step), (entry) =>
        Effect.sync(() => {
          if (entry.key === visitKey) visits.push(...Option.toArray(visitIn(entry.value)))
          else changes.push(...Option.toArray(Option.filter(changeIn(entry), accepts)))
        })
      )
    }
    return { changes: changes.sort((a, b) => a.at - b.at), visits }
  })

/** Changes under a state key, oldest first. */
export const changesUnder = (ledger: States, stateKey: string) =>
  Effect.map(
    read(ledger, stateKey, () => true),
    ({ changes }) => changes
  )

/** Changes that a run found, in the order in which it found them. `more`: number of further changes, for which `history` had no room. */
export const changesOfRun = (ledger: Pick<typeof Ledger.Service, "find" | "states">, runId: string) =>
  Effect.gen(function* () {
    const stateKey = (yield* ledger.find(runId))?.stateKey
    if (stateKey === undefined) return { changes: [], more: 0 }
    const { changes, visits } = yield* read(ledger, stateKey, ({ run }) => run === runId)
    const more = visits.reduce((sum, { more = 0, run }) => sum + (run === runId ? more : 0), 0)
    return { changes, more }
  })
