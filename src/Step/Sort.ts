/** `sort`: sorts the rows once all have arrived. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Json, type Row, toJson } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { atMost, idle, numberOf, spillNote } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { type LineOrder, Merge } from "./Merge.ts"
import { watchingFields } from "./MisspeltFields.ts"
import { mapping } from "./Requirements.ts"
import { bufferedRows, decodeEntries, decodeState, ordinal } from "./SavedState.ts"
import { LineStore } from "./Scratch.ts"
import { comparison, isMark, type Marks, SavedMarks, sortedIndices } from "./SortOrder.ts"
import { charactersAtOnce, linesAtOnce, memoryOf, SavedSpill, Spill } from "./Spill.ts"

const Order = Schema.Struct({
  expr: ExpressionText,
  order: Schema.optionalWith(Schema.Literal("asc", "desc").annotations({ description: "asc or desc" }), {
    default: () => "asc" as const
  }).annotations({ description: "Smallest first, or largest first." })
})

const Count = Schema.Int.pipe(Schema.positive())

const defaultMost = 100_000

/** Maximum rows that checkpoints keep in the ledger: more rows go to the log on disk, which is several times faster. */
const rowsInLedger = 10_000
const bytesInLedger = 8_000_000

/** Memory overhead of a row held as a line. */
const bytesPerRow = 150

const Config = Schema.Struct({
  by: Schema.Union(
    ExpressionText,
    Schema.Array(Schema.Union(Order, ExpressionText))
      .pipe(Schema.minItems(1))
      .annotations({ description: "an array of expressions" })
  ).annotations({
    description: "Expressions that rows are ordered by; where the first one is equal, the next one decides."
  }),
  limit: Schema.optional(Count).annotations({ description: "Number of rows to keep after sorting, the first ones." }),
  maxRows: Schema.optionalWith(Count, { default: () => defaultMost }).annotations({
    description: "Maximum number of rows in memory, and at most 64 MB of them; with more, rows go to disk."
  })
})

const decodeHeld = decodeEntries(Schema.Struct({ marks: SavedMarks, row: SavedRow }))

/** Number of rows so far; together with their files, once rows are on disk. */
const decodeValue = decodeState(
  Schema.Union(Schema.Number, Schema.Struct({ position: Schema.Number, spill: SavedSpill }))
)

/** Row in memory that checkpoints keep in the ledger. */
interface Held {
  /** `saved` if the ledger has the row, `gone` if it was dropped. */
  state: "fresh" | "saved" | "gone"
  readonly position: number
  readonly marks: Marks
  readonly row: Row
}

/** A row as a line: its sort keys, then a tab, which JSON never contains, then the row. */
const lineOf = (marks: Marks, row: Row): string =>
  // If a row has its original content, its key is derived again when the line is read.
  `${JSON.stringify(marks)}\t${JSON.stringify(row.origin === undefined ? row : toJson(row))}`

const marksOf = (line: string): Marks => JSON.parse(line.slice(0, line.indexOf("\t")))

const rowOf = (line: string): Row => JSON.parse(line.slice(line.indexOf("\t") + 1))

const decodeCursor = decodeState(Schema.Struct({ given: Schema.Number, offsets: Schema.Array(Schema.Number) }))

/** Rows of the sorted files, merged; the cursor has the offset in each file. */
const mergedRows = (
  spill: Spill,
  order: LineOrder<Marks>,
  limit: number,
  context: Step.Context,
  from: Json | undefined
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { given, offsets } = (yield* decodeCursor(context, from)) ?? { given: 0, offsets: [] }
      const merge = yield* Merge.open(spill.folder, spill.runs, order, offsets)
      return Stream.unfoldEffect(given, (given) =>
        Effect.map(merge.take(Math.min(linesAtOnce, limit - given), charactersAtOnce), (lines) => {
          if (lines.length === 0) return Option.none()
          const now = given + lines.length
          const rows = lines.map(({ line }) => rowOf(line))
          return Option.some([{ rows, cursor: { given: now, offsets: merge.offsets() } }, now])
        })
      )
    })
  )

export const sort = Step.make({
  key: "sort",
  summary:
    "Gives the rows in order once all have come: numbers before strings (by code unit) before true and false, null and missing last; equal rows keep their order. Rows that do not fit into memory are sorted on disk.",
  example: "sort: { by: [{ expr: words, order: desc }, title], limit: 20 }",
  config: Config,
  estimate: ({ config, rows }) => {
    const { limit, maxRows } = mapping(config)
    return {
      ...idle,
      rows: atMost(rows, numberOf(limit)),
      note: spillNote("sort", rows, numberOf(maxRows) ?? defaultMost)
    }
  },
  behaviour: {
    kind: "transform",
    make: ({ by, limit, maxRows }, context, saved) =>
      Effect.gen(function* () {
        const orders = [by].flat().map((each) => ("expr" in each ? each : { expr: each, order: "asc" as const }))
        const directions = orders.map(({ order }) => order)
        const order: LineOrder<Marks> = { parse: marksOf, compare: comparison(directions) }
        const before = (yield* decodeValue(context, saved.value)) ?? 0
        const isResumedOnDisk = typeof before !== "number"
        const spill = yield* Spill.open(context.scratch, isResumedOnDisk ? before.spill : undefined)
        let position = isResumedOnDisk ? before.position : before
        /** Rows in memory: in `held` as long as the ledger keeps them, later in `lines`. */
        let held = (yield* decodeHeld(context, saved)).map(
          ([key, { marks, row }]): Held => ({ state: "saved", position: Number(key), marks, row })
        )
        const lines = new LineStore()
        let lineMarks: Array<Marks> = []
        let memory = held.reduce((sum, { row }) => sum + memoryOf(row.data), 0)
        let fresh: Array<Held> = []
        /** Positions of rows in the ledger that the sort no longer needs. */
        let dropped: Array<number> = []

        const holdLine = (marks: Marks, line: string): void => {
          memory += lines.add(line) + bytesPerRow
          lineMarks.push(marks)
        }
        yield* spill.readLogs((line) => holdLine(marksOf(line), line))

        const drop = (each: Held): void => {
          if (each.state === "saved") dropped.push(each.position)
          each.state = "gone"
        }

        const sortHeld = (): ReadonlyArray<Held> => {
          const inOrder = held.toSorted((a, b) => a.position - b.position)
          const marks = inOrder.map((each) => each.marks)
          return Array.from(sortedIndices(marks, directions)).flatMap((index) => inOrder[index] ?? [])
        }

        /** If there is a limit, drops rows that can no longer be among the first. */
        const prune = (wanted: number): void => {
          if (held.length < wanted * 2 + 1000 && held.length <= maxRows) return
          const sorted = sortHeld()
          for (const each of sorted.slice(wanted)) drop(each)
          held = sorted.slice(0, wanted)
          memory = held.reduce((sum, { row }) => sum + memoryOf(row.data), 0)
        }

        /** Moves rows from the ledger to a log on disk, which is faster for many rows. */
        const beginLog = (): void => {
          memory = 0
          for (const each of held.toSorted((a, b) => a.position - b.position)) {
            drop(each)
            const line = lineOf(each.marks, each.row)
            spill.add(line)
            holdLine(each.marks, line)
          }
          held = []
          fresh = []
        }

        /** Writes the rows in memory to disk, sorted. */
        const seal = Effect.suspend(() => {
          const sorted = sortedIndices(lineMarks, directions).subarray(0, limit)
          return spill.sealBlocks(lines.blocks(sorted), () => {
            lines.clear()
            lineMarks = []
            memory = 0
          })
        })

        const expressions = orders.map(({ expr }) => expr)
        const collect = flatMapValues(expressions, context, (row, value) => {
          const marks = orders.map((_, index) => value(index) ?? null)
          const at = marks.findIndex((value) => !isMark(value))
          if (at >= 0) {
            const kind = Array.isArray(marks[at]) ? "an array" : "an object"
            return new Step.StepError({
              reason: "NotSortable",
              message: `${orders[at]?.expr.source ?? "by"} gives ${kind}: sort rows by numbers, strings, true and false`
            })
          }
          const own = marks as Marks
          if (spill.isUsed) {
            const line = lineOf(own, row)
            position++
            spill.add(line)
            holdLine(own, line)
            return undefined
          }
          const each: Held = { state: "fresh", position: position++, marks: own, row }
          held.push(each)
          fresh.push(each)
          memory += memoryOf(row.data)
          return undefined
        })

        const settle = Effect.suspend(() => {
          if (!spill.isUsed) {
            if (limit !== undefined) prune(limit)
            if (held.length <= Math.min(maxRows, rowsInLedger) && memory <= bytesInLedger) return Effect.void
            beginLog()
          }
          return lines.size > maxRows || memory > spill.folder.limits.memory ? seal : spill.flush
        })

        return watchingFields(expressions, context, {
          // Rows that replace failed rows are passed on unsorted.
          push: (rows) => Effect.zipLeft(collect(rows), settle),
          end: (from) => {
            const left = limit !== undefined && limit < position ? context.incomplete("limit") : Effect.void
            if (!spill.isUsed) {
              const sorted = sortHeld().slice(0, limit)
              const rows = bufferedRows(
                sorted.map(({ row }) => row),
                from
              )
              return Stream.concat(Stream.drain(left), rows)
            }
            const ready = Effect.suspend(() => (lines.size === 0 ? Effect.void : seal)).pipe(
              Effect.zipRight(from === undefined ? spill.compact(order) : Effect.void),
              Effect.zipRight(left)
            )
            return Stream.concat(
              Stream.drain(ready),
              mergedRows(spill, order, limit ?? Number.POSITIVE_INFINITY, context, from)
            )
          },
          save: Effect.gen(function* () {
            const files = spill.isUsed ? yield* spill.save : undefined
            const added = fresh.filter(({ state }) => state === "fresh")
            const entries = [
              ...dropped.map((each) => [ordinal(each), undefined] as const),
              ...added.map((each) => [ordinal(each.position), { marks: each.marks, row: toJson(each.row) }] as const)
            ]
            for (const each of added) each.state = "saved"
            fresh = []
            dropped = []
            return { value: files === undefined ? position : { position, spill: files }, entries }
          })
        })
      })
  }
})
