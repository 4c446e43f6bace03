/**
 * `since`: returns only rows that are new or changed since the last run, according to a field whose values grow.
 *
 * - The largest value of a read is state, like that of `dedupe`: it takes effect once the run has published all of its rows. A read or run
 *   that was cut short, or whose answers may lack rows, leaves it unchanged, because the missing rows may have smaller values. A time in
 *   the future does not count: the next run would miss the rows dated before it.
 * - Each returned row is remembered by its key and value until the largest value has passed it, and is left out if it comes again. With
 *   `lag` the next run requests rows from a time before the largest value, and the rows of this overlap are remembered.
 * - Rows that wait in a held run are left out, too. As long as there are any, the largest value stays, so that they come again if the run
 *   is discarded.
 * - The values seen so far in a read are saved with the cursor of its source.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DurationText } from "../../Row/Amount.ts"
import { sha256 } from "../../Row/Hash.ts"
import { allRows, keyOf, ofSource, onlyWith, type Row } from "../../Row.ts"
import type { Context, StateChange } from "../Context.ts"
import { ExpressionText, expressionFailed } from "../Field.ts"
import { StepError } from "../StepError.ts"
import { entriesOf, rowEntry, valueEntry } from "./Entries.ts"
import { before, compare, isAhead, isOtherDate, isValue, Value } from "./Value.ts"

export const Since = Schema.Struct({
  param: Schema.optional(Schema.NonEmptyString).annotations({
    description: "Query parameter for the value."
  }),
  body: Schema.optional(Schema.NonEmptyString).annotations({
    description: "Path in the JSON body for the value; in place of `param`."
  }),
  field: Schema.propertySignature(ExpressionText).annotations({
    description: "Value of a row, as an expression over the row: a time, or a number that grows."
  }),
  start: Schema.optional(Value.annotations({ description: "a string or a number" })).annotations({
    description:
      "Value that the first run sends, and a run with --backfill; without `start`, these runs ask for everything."
  }),
  lag: Schema.optional(
    Schema.Union(DurationText, Schema.Positive).annotations({
      description: 'a duration like "1h", or a number for values that are not times'
    })
  ).annotations({
    description: "Overlap with the last run, for rows that appear late. Rows that come again are left out."
  }),
  key: Schema.optional(ExpressionText).annotations({
    description: "Identity of a row in the overlap; by default its whole content."
  })
}).pipe(
  Schema.filter(
    ({ body, param }) =>
      (body === undefined) !== (param === undefined) || "needs param or body, to say where it is sent"
  )
)
export type Since = typeof Since.Type

/** Values seen so far in a read, saved with its cursor. */
export const Seen = Schema.Struct({
  largest: Schema.optional(Value),
  /** Rows in the overlap with the next run, by the hash of their key and value. */
  recent: Schema.Array(Schema.Tuple(Schema.String, Value)),
  /** Set if rows of held runs may have been left out, or rows may be missing: the largest value stays, and all rows are remembered. */
  stays: Schema.optional(Schema.Literal(true))
})
export type Seen = typeof Seen.Type

export const seenNothing: Seen = { recent: [] }

/** The values seen so far in a read that may lack rows, before the rows of this page are taken. */
export const seenWithGap = (seen: Seen): Seen => ({ ...seen, stays: true })

/** Maximum rows of an overlap to remember. */
const maxRecent = 20_000

/** Result of filtering a page. */
export interface Taken {
  /** State changes for each row; undefined for a row that is left out. */
  readonly rows: ReadonlyArray<ReadonlyArray<StateChange> | undefined>
  readonly seen: Seen
  /** State changes to stage once all rows of the page have been returned. */
  readonly after: ReadonlyArray<StateChange>
}

/** One read of a list, starting where the last run ended. */
export interface Reading {
  /** Value to send in the request; undefined to request everything. */
  readonly value: Value | undefined
  /** Leaves out rows that earlier runs had, and records the others. */
  readonly take: (rows: ReadonlyArray<Row>, seen: Seen) => Effect.Effect<Taken, StepError>
  /** State changes from which the next run starts. */
  readonly finish: (seen: Seen) => ReadonlyArray<StateChange>
  /** Warns if many rows are remembered after a read that did not reach the end of the list: each such read adds more. */
  readonly warnOfMany: Effect.Effect<void>
}

/** Opens a read. With `each: true` each row has its own state, under its key. */
export const open = (since: Since, context: Context, source: Row | undefined): Effect.Effect<Reading, StepError> =>
  Effect.gen(function* () {
    const { field, key, lag, start } = since
    const own = source === undefined ? undefined : keyOf(source)
    const prefix = own === undefined ? "" : `${own} `
    const entries = yield* entriesOf(context, own)
    const known = entries.get(valueEntry)?.value
    if (known !== undefined && !isValue(known)) {
      const message = `the state has ${JSON.stringify(known)} for ${prefix}since, but the value must be a string or a number: set it with sluice state set`
      return yield* new StepError({ reason: "StateInvalid", scope: "run", message })
    }
    const last = known
    const remembered = new Map<string, Value>()
    let isHeld = false
    for (const [name, entry] of entries) {
      if (!name.startsWith(rowEntry) || !isValue(entry.value)) continue
      remembered.set(name.slice(rowEntry.length), entry.value)
      isHeld ||= entry.isHeld === true
    }
    const value = last === undefined ? start : before(last, lag)
    if (last !== undefined && lag !== undefined && value === last) {
      const what = `${JSON.stringify(last)} is not a ${typeof lag === "number" ? "number" : "time"} that it can be subtracted from`
      yield* context.warnOnce("lag", `since.lag has no effect: the last value ${what}`)
    }
    // Rows that did not change since then are left out, but are still at the source.
    if (value !== undefined) yield* context.incomplete("seen")
    const isLastAhead = last !== undefined && isAhead(last, yield* Clock.currentTimeMillis, lag)
    if (isLastAhead) {
      yield* context.warnOnce(
        "ahead",
        `the last run ended at ${JSON.stringify(last)}, which is in the future, so rows dated before it are not asked for: set it back with sluice state set`
      )
    }
    const change = (name: string, to: Value | undefined, rowKey: string): StateChange => ({
      key: prefix + name,
      value: to,
      rowKey
    })
    // Forget rows only if the largest value changes, too. After a read that was cut short it stays, and the next run gets these rows again.
    const forget = (hash: string) => change(rowEntry + hash, undefined, onlyWith(prefix + valueEntry))

    const warnOfMany =
      remembered.size <= maxRecent
        ? Effect.void
        : context.warnOnce(
            "remembered",
            `since did not advance, so more than ${maxRecent.toLocaleString("en")} rows are remembered: let a run read the whole list without errors, and publish or discard held runs`
          )

    const take: Reading["take"] = (rows, seen) =>
      Effect.gen(function* () {
        const taken: Array<ReadonlyArray<StateChange> | undefined> = []
        let { largest } = seen
        const recent = new Map(seen.recent)
        const now = yield* Clock.currentTimeMillis
        for (const row of rows) {
          const names = context.bindings(row)
          const at = yield* Effect.mapError(field.evaluate(row.data, names), expressionFailed)
          if (!isValue(at)) {
            yield* context.warnOnce(
              "since",
              `some rows have no string or number in since.field (${field.source}), the first has ${JSON.stringify(at) ?? "nothing"}: they do not change the value from which the next run starts`
            )
            taken.push([])
            continue
          }
          if (isOtherDate(at)) {
            yield* context.warnOnce(
              "order",
              `since.field gives ${JSON.stringify(at)}, whose order is that of text, not of time: convert it with $date, or sort by another field`
            )
          }
          const identity =
            key === undefined ? row.data : yield* Effect.mapError(key.evaluate(row.data, names), expressionFailed)
          const hash = sha256(JSON.stringify([identity ?? null, at])).slice(0, 32)
          if (!isAhead(at, now, lag) && (largest === undefined || compare(at, largest) > 0)) largest = at
          recent.set(hash, at)
          taken.push(remembered.has(hash) ? undefined : [change(rowEntry + hash, at, ofSource(own ?? keyOf(row)))])
        }
        if (isHeld || seen.stays === true) {
          yield* warnOfMany
          return { rows: taken, seen: { ...seen, stays: true, recent: [] }, after: [] }
        }
        const after: Array<StateChange> = []
        const drop = (hash: string) => {
          recent.delete(hash)
          after.push(forget(hash))
        }
        const edge = largest === undefined ? undefined : before(largest, lag)
        if (edge !== undefined) for (const [hash, at] of recent) if (compare(at, edge) < 0) drop(hash)
        if (recent.size > maxRecent) {
          yield* context.warnOnce(
            "overlap",
            `more than ${maxRecent.toLocaleString("en")} rows are within the overlap (since.lag), or dated in the future: the next run gives some of them again. Add dedupe with across: runs, or a smaller lag`
          )
          const smallest = [...recent].sort(([, one], [, other]) => compare(one, other))
          for (const [hash] of smallest.slice(0, recent.size - maxRecent)) drop(hash)
        }
        return { rows: taken, seen: { ...(largest === undefined ? {} : { largest }), recent: [...recent] }, after }
      })

    const finish: Reading["finish"] = ({ largest, recent, stays }) => {
      if (stays === true || isHeld) return []
      const isBefore = last !== undefined && !isLastAhead && largest !== undefined && compare(last, largest) > 0
      const kept = isBefore ? last : (largest ?? last)
      if (kept === undefined) return []
      const edge = before(kept, lag)
      const now = new Map(recent)
      const passed = [...remembered, ...recent].filter(([hash, at]) => compare(now.get(hash) ?? at, edge) < 0)
      return [change(valueEntry, kept, allRows), ...passed.map(([hash]) => forget(hash))]
    }
    return { value, take, finish, warnOfMany }
  })

/** Read without `since`. */
export const everything: Reading = {
  value: undefined,
  take: (rows, seen) => Effect.succeed({ rows: rows.map(() => []), seen, after: [] }),
  finish: () => [],
  warnOfMany: Effect.void
}
