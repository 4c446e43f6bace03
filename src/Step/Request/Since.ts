/**
 * `since`: rows that are new or changed since the last run, by a field that grows.
 *
 * - The largest value of a read is state, like that of `dedupe`: it takes effect once the run has published its outputs. A read that was cut
 *   short leaves it as it was, because the rows it did not see may have smaller values.
 * - With `lag` the next run asks for a time before that value. Rows that come again are left out: those of the overlap are remembered by their
 *   key and value.
 * - What a read has seen so far is saved with the cursor of its source.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DurationText } from "../../Row/Amount.ts"
import { sha256 } from "../../Row/Hash.ts"
import { keyOf, type Row } from "../../Row.ts"
import type { Context, StateChange } from "../Context.ts"
import { ExpressionText, expressionFailed } from "../Field.ts"
import type { StepError } from "../StepError.ts"

const Value = Schema.Union(Schema.String, Schema.Number)
type Value = typeof Value.Type

export const Since = Schema.Struct({
  param: Schema.optional(Schema.NonEmptyString).annotations({
    description: "Parameter of the query that the value is sent in."
  }),
  body: Schema.optional(Schema.NonEmptyString).annotations({
    description: "Path in the JSON body that it is sent in; in place of `param`."
  }),
  field: Schema.propertySignature(ExpressionText).annotations({
    description: "Value of a row, as an expression over it: a time, or a number that grows."
  }),
  start: Schema.optional(Value.annotations({ description: "a string or a number" })).annotations({
    description: "Value of the first run, and of one with --backfill; without it the first run asks for everything."
  }),
  lag: Schema.optional(
    Schema.Union(DurationText, Schema.Positive).annotations({
      description: 'a duration like "1h", or a number for values that are no times'
    })
  ).annotations({
    description: "Overlap with the last run, for rows that appear late. Rows that come again are left out."
  }),
  key: Schema.optional(ExpressionText).annotations({
    description: "Identity of a row in the overlap; by default its whole content."
  })
}).pipe(
  Schema.filter(
    ({ body, param }) => (body === undefined) !== (param === undefined) || "needs param, or body: where is it sent?"
  )
)
export type Since = typeof Since.Type

/** Values that a read has seen so far, saved with its cursor. */
export const Seen = Schema.Struct({
  largest: Schema.optional(Value),
  /** Rows that the overlap with the next run has, by the hash of their key and value. */
  recent: Schema.Array(Schema.Tuple(Schema.String, Value))
})
export type Seen = typeof Seen.Type

export const seenNothing: Seen = { recent: [] }

/** Rows of an overlap that are remembered. */
const maxRecent = 20_000

const isTime = (text: string): boolean => /^\d{4}-\d\d/.test(text)

/** Order of values: as numbers, as times, else as text. */
const compare = (a: Value, b: Value): number => {
  if (typeof a === "string" && typeof b === "string") {
    if (/^\d+$/.test(a) && /^\d+$/.test(b)) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0
    const [first, second] = [Date.parse(a), Date.parse(b)]
    // Fractions below a millisecond are left to the text.
    if (isTime(a) && isTime(b) && first !== second) return first - second
    return a < b ? -1 : a > b ? 1 : 0
  }
  return Number(a) - Number(b)
}

/** Epoch seconds and milliseconds from the year 2001 on. */
const unitOf = (value: number): number | undefined =>
  value > 100_000_000_000 ? 1 : value > 1_000_000_000 ? 1000 : undefined

/** The value that much earlier, in the same form. */
const before = (value: Value, lag: Since["lag"]): Value => {
  if (lag === undefined) return value
  if (typeof value === "string" && isTime(value) && typeof lag !== "number") {
    const at = new Date(Date.parse(value) - Duration.toMillis(lag)).toISOString()
    if (value.length <= 10) return at.slice(0, 10)
    return value.includes(".") ? at : at.replace(/\.\d+/, "")
  }
  const number = Number(value)
  if (Number.isNaN(number)) return value
  const amount = typeof lag === "number" ? lag : Duration.toMillis(lag) / (unitOf(number) ?? 1000)
  return typeof value === "string" ? String(number - amount) : number - amount
}

const isValue = Schema.is(Value)

/** One read of a list, from where the last run left it. */
export interface Reading {
  /** Value to ask with; undefined where everything is asked for. */
  readonly value: Value | undefined
  /** Leaves out the rows that the last run had, and notes the others. */
  readonly take: (rows: ReadonlyArray<Row>, seen: Seen) => Effect.Effect<readonly [ReadonlyArray<Row>, Seen], StepError>
  /** Stages what the next run starts from. */
  readonly finish: (seen: Seen) => Effect.Effect<void>
}

/** Entry of the state with the largest value; others are rows of the overlap. */
const valueEntry = "since"
const rowEntry = "row "

/** Opens a read. Each row of `each: true` has a state of its own, under its key. */
export const open = (since: Since, context: Context, source: Row | undefined): Effect.Effect<Reading, StepError> =>
  Effect.gen(function* () {
    const { field, key, lag, start } = since
    const prefix = source === undefined ? "" : `${keyOf(source)} `
    const entries = (yield* context.state.load).filter((entry) => entry.key.startsWith(prefix))
    const known = entries.find((entry) => entry.key === prefix + valueEntry)?.value
    const last = isValue(known) ? known : undefined
    const remembered = new Map(
      entries.flatMap(({ key, value }) =>
        key.startsWith(prefix + rowEntry) && isValue(value)
          ? [[key.slice((prefix + rowEntry).length), value] as const]
          : []
      )
    )
    const value = last === undefined ? start : before(last, lag)
    // Rows that did not change since are still at the source.
    if (value !== undefined) yield* context.incomplete("seen")
    const take: Reading["take"] = (rows, seen) =>
      Effect.gen(function* () {
        const left: Array<Row> = []
        let { largest } = seen
        const recent = new Map(seen.recent)
        for (const row of rows) {
          const names = context.bindings(row)
          const own = yield* Effect.mapError(field.evaluate(row.data, names), expressionFailed)
          if (!isValue(own)) {
            yield* context.warnOnce(
              "since",
              `rows without a value of since.field (${field.source}), the first with ${JSON.stringify(own) ?? "nothing"}, do not count for the next run`
            )
            left.push(row)
            continue
          }
          const identity =
            key === undefined ? row.data : yield* Effect.mapError(key.evaluate(row.data, names), expressionFailed)
          const hash = sha256(JSON.stringify([identity ?? null, own])).slice(0, 32)
          if (largest === undefined || compare(own, largest) > 0) largest = own
          recent.set(hash, own)
          if (!remembered.has(hash)) left.push(row)
        }
        const edge = largest === undefined ? undefined : before(largest, lag)
        if (edge !== undefined) for (const [hash, own] of recent) if (compare(own, edge) < 0) recent.delete(hash)
        if (recent.size > maxRecent) {
          yield* context.warnOnce(
            "overlap",
            `more than ${maxRecent.toLocaleString("en")} rows are within the overlap (since.lag): the next run gives some of them again. Add dedupe with across: runs, or a smaller lag`
          )
          for (const hash of [...recent.keys()].slice(maxRecent)) recent.delete(hash)
        }
        return [left, { ...(largest === undefined ? {} : { largest }), recent: [...recent] }] as const
      })

    const finish = ({ largest, recent }: Seen) => {
      if (largest === undefined) return Effect.void
      const kept = last !== undefined && compare(last, largest) > 0 ? last : largest
      const edge = before(kept, lag)
      const next = new Map([...remembered, ...recent].filter(([, own]) => compare(own, edge) >= 0))
      const change = (key: string, value: Value | undefined): StateChange => ({ key: prefix + key, value, rowKey: "" })
      return context.state.put([
        change(valueEntry, kept),
        ...[...remembered.keys()].filter((hash) => !next.has(hash)).map((hash) => change(rowEntry + hash, undefined)),
        ...[...next].filter(([hash]) => !remembered.has(hash)).map(([hash, own]) => change(rowEntry + hash, own))
      ])
    }
    return { value, take, finish }
  })

/** A read without `since`. */
export const everything: Reading = {
  value: undefined,
  take: (rows, seen) => Effect.succeed([rows, seen] as const),
  finish: () => Effect.void
}
