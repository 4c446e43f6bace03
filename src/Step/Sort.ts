/** `sort`: the rows in another order, once all have come. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Row, toJson } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { atMost, idle, numberOf } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { mapping } from "./Requirements.ts"
import { bufferedRows, decodeEntries, ordinal } from "./SavedState.ts"

const Order = Schema.Struct({
  expr: ExpressionText,
  order: Schema.optionalWith(Schema.Literal("asc", "desc").annotations({ description: "asc or desc" }), {
    default: () => "asc" as const
  })
})

const Count = Schema.Int.pipe(Schema.positive())

const defaultMost = 100_000

const Config = Schema.Struct({
  by: Schema.Union(
    ExpressionText,
    Schema.Array(Schema.Union(Order, ExpressionText))
      .pipe(Schema.minItems(1))
      .annotations({ description: "an array of expressions" })
  ).annotations({
    description: "Expressions that rows are ordered by: later ones decide where earlier ones are equal."
  }),
  limit: Schema.optional(Count).annotations({ description: "Number of rows that are kept, from the first one on." }),
  maxRows: Schema.optionalWith(Count, { default: () => defaultMost }).annotations({
    description: "Maximum number of rows in memory: with more, the step fails."
  })
}).pipe(
  Schema.filter(({ limit = 1, maxRows }) =>
    limit <= maxRows ? true : { path: ["limit"], message: `a limit over maxRows (${maxRows}) is never reached` }
  )
)

/** A sort key of a row; null where there is no value. */
type Mark = number | string | boolean | null

const isMark = (value: unknown): value is Mark =>
  value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean"

const ranks: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 }

/** Numbers before texts before true and false; texts by their code units. */
const compareMarks = (a: Exclude<Mark, null>, b: Exclude<Mark, null>): number => {
  const rank = (ranks[typeof a] ?? 0) - (ranks[typeof b] ?? 0)
  return rank !== 0 ? rank : a < b ? -1 : a > b ? 1 : 0
}

const decodeHeld = decodeEntries(
  Schema.Struct({ marks: Schema.Array(Schema.declare(isMark, { title: "a mark" })), row: SavedRow })
)

interface Held {
  /** `saved` once the ledger has it, `gone` once it was dropped. */
  state: "fresh" | "saved" | "gone"
  readonly position: number
  readonly marks: ReadonlyArray<Mark>
  readonly row: Row
}

const comparison =
  (orders: ReadonlyArray<"asc" | "desc">) =>
  (a: Held, b: Held): number => {
    for (let index = 0; index < orders.length; index++) {
      const one = a.marks[index] ?? null
      const other = b.marks[index] ?? null
      if (one === null && other === null) continue
      // Nothing comes last in either order.
      if (one === null) return 1
      if (other === null) return -1
      const compared = compareMarks(one, other)
      if (compared !== 0) return orders[index] === "desc" ? -compared : compared
    }
    return a.position - b.position
  }

export const sort = Step.make({
  key: "sort",
  summary:
    "Gives the rows in order once all have come: numbers before texts (by code unit) before true and false, null and missing last; equal rows keep their order. Rows are held in memory, up to `maxRows`.",
  example: "sort: { by: [{ expr: words, order: desc }, title], limit: 20 }",
  config: Config,
  estimate: ({ config, rows }) => ({ ...idle, rows: atMost(rows, numberOf(mapping(config).limit)) }),
  behaviour: {
    kind: "transform",
    make: ({ by, limit, maxRows }, context, saved) =>
      Effect.gen(function* () {
        const orders = [by].flat().map((each) => ("expr" in each ? each : { expr: each, order: "asc" as const }))
        const compare = comparison(orders.map(({ order }) => order))
        let held = (yield* decodeHeld(context, saved)).map(
          ([key, { marks, row }]): Held => ({ state: "saved", position: Number(key), marks, row })
        )
        let position = typeof saved.value === "number" ? saved.value : 0
        let fresh: Array<Held> = []
        /** Rows that the ledger has and the sort no longer needs. */
        let dropped: Array<number> = []

        /** Drops rows that can no longer be among the first, where there is a limit. */
        const prune = (wanted: number): void => {
          if (held.length < wanted * 2 + 1000 && held.length <= maxRows) return
          const sorted = held.toSorted(compare)
          for (const each of sorted.slice(wanted)) {
            if (each.state === "saved") dropped.push(each.position)
            each.state = "gone"
          }
          held = sorted.slice(0, wanted)
        }

        const collect = flatMapValues(
          orders.map(({ expr }) => expr),
          context,
          (row, value) => {
            const marks = orders.map((_, index) => value(index) ?? null)
            const at = marks.findIndex((value) => !isMark(value))
            if (at >= 0) {
              const kind = Array.isArray(marks[at]) ? "an array" : "an object"
              return new Step.StepError({
                reason: "NotSortable",
                message: `${orders[at]?.expr.source ?? "by"} gives ${kind}: rows are sorted by numbers, texts, true and false`
              })
            }
            const each: Held = { state: "fresh", position: position++, marks: marks as ReadonlyArray<Mark>, row }
            held.push(each)
            fresh.push(each)
            return undefined
          }
        )

        return {
          // Rows that replace failed ones pass unsorted.
          push: (rows) =>
            Effect.flatMap(collect(rows), (instead) => {
              if (limit !== undefined) prune(limit)
              return held.length <= maxRows
                ? Effect.succeed(instead)
                : new Step.StepError({
                    reason: "TooManyRows",
                    message: `sort holds ${maxRows.toLocaleString("en")} rows in memory, and more have come: raise maxRows, or ask for the first with limit`
                  })
            }),
          end: (from) => {
            const sorted = held.toSorted(compare).slice(0, limit)
            const rows = bufferedRows(
              sorted.map(({ row }) => row),
              from
            )
            return sorted.length < position ? Stream.concat(Stream.drain(context.incomplete("limit")), rows) : rows
          },
          save: Effect.sync(() => {
            const added = fresh.filter(({ state }) => state === "fresh")
            const entries = [
              ...dropped.map((each) => [ordinal(each), undefined] as const),
              ...added.map((each) => [ordinal(each.position), { marks: each.marks, row: toJson(each.row) }] as const)
            ]
            for (const each of added) each.state = "saved"
            fresh = []
            dropped = []
            return { value: position, entries }
          })
        }
      })
  }
})
