/** Change detection: compares this run's rows with those that earlier runs have seen. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { type Json, keyOf, type Row } from "../Row.ts"
import type { Batch, Context, StateChange, StateEntry, StepError } from "../Step.ts"
import { incompleteWarning } from "./Incomplete.ts"
import type { Marks } from "./Marks.ts"
import { decodeState } from "./SavedState.ts"

/** Change of a row since earlier runs. */
export type Kind = "new" | "changed" | "unchanged" | "gone"

/** The fields of a row that is gone, beside the one that says so. */
export const goneFields: ReadonlyArray<string> = ["key", "url", "firstSeen", "lastSeen"]

/** Longer keys are kept as their hash: a key is to find an entry with, and not for content. */
const longest = 2000

/** The key that state is kept under. */
export const stateKey = (identity: string): string =>
  identity.length > longest ? `sha256:${sha256(identity)}` : identity

/** Rows that are gone, given together. */
const together = 1000

/** Cursor of the removed rows. Plain JSON. */
const Place = Schema.Struct({ key: Schema.String, given: Schema.Number })

const decodePlace = decodeState(Place)

export interface Memory {
  /** Compares a row that this run has not seen yet, and records it. `content` is undefined where changes are not detected. */
  readonly compare: (row: Row, key: string, content: string | undefined) => Exclude<Kind, "gone">
  /** Stages what was recorded. */
  readonly stage: Effect.Effect<void>
  /** Rows that earlier runs have seen and this run has not, in the order of keys; the cursor says which came last. */
  readonly gone: (from: Json | undefined) => Stream.Stream<Batch, StepError>
}

/** Reads what earlier runs left. */
export const makeMemory = (context: Context, seen: Marks, as: string): Effect.Effect<Memory, StepError> =>
  Effect.gen(function* () {
    const { state } = context
    const entries = state.active ? yield* state.load : []
    const earlier = new Map(entries.map(({ key, value }) => [key, value]))
    let changes: Array<StateChange> = []

    const goneRow = ({ firstSeen, key, lastSeen }: StateEntry, position: number): Row => {
      const url = canonicalUrl(key)
      const times = { firstSeen: new Date(firstSeen).toISOString(), lastSeen: new Date(lastSeen).toISOString() }
      return {
        data: { key, ...(url === undefined ? {} : { url: key }), [as]: "gone", ...times },
        key: url ?? key,
        position
      }
    }

    /** The run may have met more keys since the last of these rows was given: finds the rest by its keys. */
    const goneBehind = (last: string | undefined) =>
      Effect.map(state.met, (met) =>
        entries
          .filter(
            ({ key }) => (last === undefined || key > last) && !seen.has(key) && !met.has(canonicalUrl(key) ?? key)
          )
          .sort((a, b) => (a.key < b.key ? -1 : 1))
      )

    return {
      compare: (row, key, content) => {
        const before = earlier.get(key)
        const now = content === undefined ? null : sha256(content)
        if (state.active) changes.push({ key, value: now, rowKey: keyOf(row) })
        if (before === undefined) return "new"
        // An entry that was saved without changedWhen cannot show a change.
        return before === null || now === null || before === now ? "unchanged" : "changed"
      },
      stage: Effect.suspend(() => {
        if (changes.length === 0) return Effect.void
        const staged = changes
        changes = []
        return state.put(staged)
      }),
      gone: (from) =>
        Stream.unwrap(
          Effect.gen(function* () {
            if (entries.length === 0) return Stream.empty
            const why = yield* state.whyIncomplete
            if (why !== undefined) {
              yield* Effect.logWarning(incompleteWarning(context.id, why))
              return Stream.empty
            }
            const { given = 0, key: last } = (yield* decodePlace(context, from)) ?? {}
            const gone = yield* goneBehind(last)
            const starts = Array.from({ length: Math.ceil(gone.length / together) }, (_, index) => index * together)
            return Stream.mapEffect(Stream.fromIterable(starts), (start) => {
              const some = gone.slice(start, start + together)
              const rows = some.map((entry, index) => goneRow(entry, given + start + index))
              const removed = some.map(({ key }, index) => ({ key, value: undefined, rowKey: rows[index]?.key ?? key }))
              const place = {
                key: some.at(-1)?.key ?? "",
                given: given + start + rows.length
              } satisfies typeof Place.Type
              return Effect.as(state.put(removed), { rows, cursor: place })
            })
          })
        )
    }
  })
