/** Gives the rejects of an earlier run to the steps that rejected them. */
import * as Effect from "effect/Effect"
import type { Checked } from "../Pipeline/Check.ts"
import type { Execution } from "./Execution.ts"
import type { Replay } from "./Options.ts"
import type { Station } from "./Station.ts"

/** Under the gate, before the sources begin, which give nothing in such a run. */
export const give = (
  { numbers, of, rows }: Replay,
  { nodes }: Checked,
  stations: ReadonlyArray<Station>,
  { counters, pending }: Execution
) =>
  Effect.gen(function* () {
    for (const station of stations) {
      const again = rows.get(station.id) ?? []
      const [input] = nodes.find(({ id }) => id === station.id)?.inputs ?? []
      // Rows that a step was given are what its rejects are a share of.
      if (input !== undefined) counters.give(input, again.length)
      if (again.length > 0) yield* station.push(again)
    }
    pending.takenUp = { of, numbers }
  })
