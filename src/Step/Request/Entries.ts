/**
 * State entries of a `request`: `since`, `row HASH` for each row remembered along with it, and `unchanged HASH` for each response. With
 * `each: true` the key of the row comes before these names.
 */
import * as Effect from "effect/Effect"
import type { Context, StateEntry } from "../Context.ts"
import type { StepError } from "../StepError.ts"

/** Name of the entry with the largest value of `since`. */
export const valueEntry = "since"

/** Prefix of the entries of remembered rows. */
export const rowEntry = "row "

type Entries = ReadonlyMap<string, StateEntry>
const none: Entries = new Map()

/** State of a run by row key (`""` without a row) and entry name, read once for all rows of a step. */
const loaded = new WeakMap<Context["state"], Effect.Effect<ReadonlyMap<string, Entries>, StepError>>()

const named = /^(?:(.*) )?(since|row [0-9a-f]{32}|unchanged [0-9a-f]{64})$/s

const byRow = (entries: ReadonlyArray<StateEntry>): ReadonlyMap<string, Entries> => {
  const all = new Map<string, Map<string, StateEntry>>()
  for (const entry of entries) {
    const [, row = "", name] = named.exec(entry.key) ?? []
    if (name === undefined) continue
    const known = all.get(row) ?? new Map<string, StateEntry>()
    all.set(row, known.set(name, entry))
  }
  return all
}

/** State that earlier runs saved for a row of `each: true`, or for the whole step. */
export const entriesOf = ({ state }: Context, rowKey = ""): Effect.Effect<Entries, StepError> =>
  Effect.gen(function* () {
    const known = loaded.get(state)
    if (known !== undefined) return (yield* known).get(rowKey) ?? none
    const load = yield* Effect.cached(
      Effect.tapError(Effect.map(state.load, byRow), () => Effect.sync(() => loaded.delete(state)))
    )
    const first = loaded.get(state) ?? load
    loaded.set(state, first)
    return (yield* first).get(rowKey) ?? none
  })

/** True for the entry with the largest value of the step or of a row. */
export const isSince = (entry: string): boolean => named.exec(entry)?.[2] === valueEntry

/** Entries of the rows remembered along with a `since` entry: once that entry is set by hand, these rows must be returned again. */
export const rememberedWith = (since: string, keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const row = named.exec(since)?.[1]
  return keys.filter((key) => {
    const [, own, kind = ""] = named.exec(key) ?? []
    return own === row && kind.startsWith(rowEntry)
  })
}
