/** `aggregate`: gives one row for each group of rows, with measures such as the count or the sum of its rows. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Expression } from "../Row/Expression.ts"
import { fieldsOf, keysAsWritten } from "../Row/FieldOrder.ts"
import { JsonValue } from "../Row/SavedValue.ts"
import type { Json, Row } from "../Row.ts"
import * as Step from "../Step.ts"
import {
  type Columns,
  type Group,
  type GroupLine,
  GroupReader,
  type GroupRow,
  Groups,
  lineOrder,
  rowOf,
  rowOfGroup
} from "./Aggregate/Groups.ts"
import { type Measure, measureNames, objection } from "./Aggregate/Measure.ts"
import { flatMapValues } from "./Chunked.ts"
import { exactly, idle, numberOf, some, spillNote } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { Merge } from "./Merge.ts"
import { watchingFields } from "./MisspeltFields.ts"
import { mapping } from "./Requirements.ts"
import { countedBatches, decodeEntries, decodeState, ordinal } from "./SavedState.ts"
import { isMark, type Marks, SavedMarks } from "./SortOrder.ts"
import { charactersAtOnce, linesAtOnce, SavedSpill, Spill } from "./Spill.ts"

const defaultGroups = 200_000
const defaultListLength = 1000

/** Maximum groups, and their bytes, in the ledger, where a checkpoint writes only the changed ones; more groups go to disk. */
const groupsInLedger = 1000
const bytesInLedger = 1_000_000

/** Maximum rows received since groups were last written to disk: a resumed run reads these rows again from the log. */
const rowsInLog = 2_000_000

const measured = (description: string) => Schema.optional(ExpressionText).annotations({ description })

const MeasureFields = Schema.Union(
  Schema.Literal("count").annotations({ description: "count: the number of rows" }),
  Schema.Struct({
    count: measured("Number of rows in which the expression has a value."),
    sum: measured("Sum of the numbers; null if there is none."),
    avg: measured("Average of the numbers; null if there is none."),
    min: measured("Smallest value, in the order of `sort`; null if there is none."),
    max: Schema.optional(
      Schema.Union(
        Schema.Int.pipe(Schema.between(1, 100_000)).annotations({ description: "a whole number from 1 to 100000" }),
        ExpressionText
      )
    ).annotations({
      description: `Largest value, in the order of \`sort\`; null if there is none. Beside \`list\`, the maximum number of values in the list, the first ones (default: ${defaultListLength}).`
    }),
    first: measured("Value of the first row that has one; null if no row has one."),
    list: measured("Array of the values, in the order of the rows."),
    countDistinct: measured("Number of different values.")
  }).pipe(
    Schema.filter((fields) => {
      const { list, max, ...others } = fields
      const isExpression = max !== undefined && typeof max !== "number"
      if (list === undefined && typeof max === "number")
        return { path: ["max"], message: "expected an expression: a number is only allowed beside list" }
      if (list !== undefined && isExpression)
        return { path: ["max"], message: "expected a whole number: the maximum number of values in the list" }
      const asked = [list, isExpression ? max : undefined, ...Object.values(others)].filter(
        (each) => each !== undefined
      )
      return asked.length === 1 || `expected one of ${measureNames.join(", ")}, got ${asked.length}`
    })
  )
).annotations({ description: "count, or one measure with an expression, like { sum: words }" })
type MeasureFields = typeof MeasureFields.Type

const By = Schema.Union(
  ExpressionText,
  Schema.Array(ExpressionText).pipe(Schema.minItems(1)).annotations({ description: "an array of fields" }),
  Schema.Record({ key: Schema.NonEmptyString, value: ExpressionText }).annotations({
    description: "names with expressions"
  })
)

const isExpression = (by: object): by is Expression => "evaluate" in by && typeof by.evaluate === "function"

/** Columns of the groups with their expressions. A field name is a column of the same name. */
const byOf = (
  by: typeof By.Type | undefined,
  written?: unknown
): ReadonlyArray<readonly [name: string, expression: Expression]> => {
  if (by === undefined) return []
  if (Array.isArray(by)) return by.map((each: Expression) => [each.source.trim(), each])
  if (isExpression(by)) return [[by.source.trim(), by]]
  const named = by as Readonly<Record<string, Expression>>
  return keysAsWritten(named, written).flatMap((name) => (named[name] === undefined ? [] : [[name, named[name]]]))
}

const isField = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)

const Config = Schema.Struct({
  by: Schema.optional(By).annotations({
    description:
      "Values that the rows of a group have in common: a field, an array of fields, or names with expressions. Rows without a value, or with null, form one group. Without `by`, all rows are one group."
  }),
  measures: Schema.optionalWith(Schema.Record({ key: Schema.NonEmptyString, value: MeasureFields }), {
    default: () => ({})
  }).annotations({
    description:
      "Columns of the result by name, after those of `by`: count (of rows), or { count } of values, { sum }, { avg }, { min } and { max } in the order of sort, { first }, { list } of at most `max` values (1,000), { countDistinct }, each with an expression. Null and missing values are ignored; without a value, count and countDistinct are 0, a list is empty, and the others are null."
  }),
  maxGroups: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { default: () => defaultGroups }).annotations({
    description: "Maximum number of groups in memory, and at most 64 MB of them; with more, groups go to disk."
  })
}).pipe(
  Schema.filter(({ by, measures }) => {
    const names = byOf(by).map(([name]) => name)
    const isNamed = by !== undefined && !Array.isArray(by) && !isExpression(by)
    const unnamed = isNamed ? undefined : names.find((name) => !isField(name))
    if (unnamed !== undefined)
      return { path: ["by"], message: `${unnamed} is not a column name: give it one, like by: { name: ${unnamed} }` }
    const twice = names.find((name, index) => names.indexOf(name) !== index || Object.hasOwn(measures, name))
    if (twice !== undefined) return { path: ["by"], message: `two columns have the name ${twice}` }
    return true
  })
)

const measureOf = (fields: MeasureFields): readonly [Measure, Expression | undefined] => {
  if (fields === "count") return [{ kind: "count", source: undefined, max: 0 }, undefined]
  const { list, max } = fields
  if (list !== undefined) {
    return [{ kind: "list", source: list.source, max: typeof max === "number" ? max : defaultListLength }, list]
  }
  for (const kind of measureNames) {
    const expression = fields[kind]
    if (typeof expression === "object") return [{ kind, source: expression.source, max: 0 }, expression]
  }
  throw new Error("a measure without an expression was decoded")
}

const decodeGroups = decodeEntries(
  Schema.Struct({
    marks: SavedMarks,
    states: Schema.Array(Schema.Array(JsonValue).pipe(Schema.mutable)),
    distinct: Schema.Array(Schema.NullOr(Schema.Array(Schema.String)))
  })
)

const decodeSpill = decodeState(Schema.Struct({ spill: SavedSpill }))

const decodeOffsets = decodeState(Schema.Array(Schema.Number))

const isRow = (made: GroupRow): made is Row => !Array.isArray(made)

/** Rows of the groups on disk. The cursor has the offset of each file, always between two groups. */
const mergedRows = (spill: Spill, columns: Columns, context: Step.Context, from: Json | undefined) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const offsets = yield* decodeOffsets(context, from)
      const merge = yield* Merge.open(spill.folder, spill.runs, lineOrder(columns), offsets)
      const reader = new GroupReader(columns)
      const isInside = (next: GroupLine | undefined): boolean => next !== undefined && reader.continues(next)
      const next = Effect.gen(function* () {
        const made: Array<GroupRow> = []
        const add = (row: GroupRow | undefined) => {
          if (row !== undefined) made.push(row)
        }
        do {
          const lines = yield* merge.take(linesAtOnce, charactersAtOnce)
          if (lines.length === 0 && made.length === 0) return Option.none()
          for (const { line, value } of lines) add(reader.take(value, line))
        } while (isInside(merge.next))
        add(reader.end())
        const batch: Step.Batch = {
          rows: made.filter(isRow),
          failures: made.filter((each) => !isRow(each)) as ReadonlyArray<Step.Failure>,
          cursor: merge.offsets()
        }
        return Option.some([batch, undefined] as const)
      })
      return Stream.unfoldEffect(undefined, () => next)
    })
  )

export const aggregate = Step.make({
  key: "aggregate",
  summary:
    "Gives one row for each group of rows: the columns of `by`, and measures of its rows. The rows come once all rows have been read, in the order of `by` (numbers before strings, by code unit, before true and false, null last). Groups that do not fit into memory are built on disk.",
  example: `aggregate:
  by: { host: $host(url), language: metadata.language }
  measures:
    pages: count
    words: { sum: words }
    newest: { max: modified }
    titles: { list: title, max: 5 }
    authors: { countDistinct: author }`,
  config: Config,
  objections: (fields) => {
    const { by, measures } = mapping(fields)
    const isEmpty = by === undefined && Object.keys(mapping(measures)).length === 0
    return isEmpty ? [{ path: [], message: "name a measure, or `by`" }] : []
  },
  estimate: ({ config, rows }) => {
    const { by, maxGroups } = mapping(config)
    const groups = by === undefined ? exactly(1) : some(rows)
    return {
      ...idle,
      rows: groups,
      note: spillNote("aggregate", groups, numberOf(maxGroups) ?? defaultGroups, "groups")
    }
  },
  behaviour: {
    kind: "transform",
    make: ({ by, maxGroups, measures }, context, saved) =>
      Effect.gen(function* () {
        const { by: writtenBy, measures: writtenMeasures } = mapping(context.written)
        const groupedBy = byOf(by, writtenBy)
        const measuredBy = keysAsWritten(measures, writtenMeasures).flatMap((name) => {
          const fields = measures[name]
          return fields === undefined ? [] : [[name, ...measureOf(fields)] as const]
        })
        const columns: Columns = {
          by: groupedBy.map(([name]) => name),
          measures: measuredBy.map(([name, measure]) => [name, measure]),
          fields: fieldsOf([...groupedBy, ...measuredBy].map(([name]) => name))
        }
        const spill = yield* Spill.open(context.scratch, (yield* decodeSpill(context, saved.value))?.spill)
        const groups = new Groups(columns)
        /** Entry numbers of the groups saved in the ledger, as long as nothing is on disk. */
        const entries = new Map<Group, number>()
        for (const [key, group] of yield* decodeGroups(context, saved)) entries.set(groups.restore(group), Number(key))
        let changed = new Set<Group>()
        let dropped: Array<number> = []
        let logged = 0

        yield* spill.readLogs((line) => {
          const [marks, values]: [Marks, ReadonlyArray<unknown>] = JSON.parse(line)
          groups.add(marks, values)
          logged++
        })

        const names = [
          ...groupedBy.map(([, expression]) => expression),
          ...measuredBy.flatMap(([, , each]) => each ?? [])
        ]
        /** Index of each measure's expression; undefined for the number of rows. */
        let nextIndex = groupedBy.length
        const indices = measuredBy.map(([, , each]) => (each === undefined ? undefined : nextIndex++))

        const collect = flatMapValues(names, context, (_, value) => {
          const marks = groupedBy.map((_, index) => value(index) ?? null)
          const at = marks.findIndex((mark) => !isMark(mark))
          if (at >= 0) {
            const kind = Array.isArray(marks[at]) ? "an array" : "an object"
            return new Step.StepError({
              reason: "NotGroupable",
              message: `${groupedBy[at]?.[1].source ?? "by"} gives ${kind}: group rows by numbers, strings, true and false`
            })
          }
          const values = indices.map((index) => (index === undefined ? null : (value(index) ?? null)))
          for (const [index, [, measure]] of columns.measures.entries()) {
            const error = objection(measure, values[index])
            if (error !== undefined) return error
          }
          const group = groups.add(marks as Marks, values)
          if (spill.isUsed) {
            spill.add(JSON.stringify([marks, values]))
            logged++
          } else changed.add(group)
          return undefined
        })

        /** Writes the groups in memory to disk. */
        const seal = spill.seal({ [Symbol.iterator]: () => groups.lines()[Symbol.iterator]() }, () => {
          groups.clear()
          dropped.push(...entries.values())
          entries.clear()
          changed = new Set()
          logged = 0
        })

        const settle = Effect.suspend(() => {
          const { memory } = spill.folder.limits
          if (groups.size > maxGroups || groups.memory > memory || logged > rowsInLog) return seal
          if (spill.isUsed) return spill.flush
          return groups.size > Math.min(groupsInLedger, maxGroups) || groups.memory > bytesInLedger ? seal : Effect.void
        })

        const saveGroup = (group: Group): readonly [string, Json] => {
          const number = entries.get(group) ?? entries.size
          entries.set(group, number)
          const { distinct, marks, states } = group
          return [
            ordinal(number),
            { marks, states, distinct: distinct.map((seen) => (seen === undefined ? null : [...seen])) }
          ]
        }

        return watchingFields(names, context, {
          // Rows that replace failed rows are passed on.
          push: (rows) => Effect.zipLeft(collect(rows), settle),
          end: (from) => {
            if (!spill.isUsed) {
              const rows = groups.sorted().map((group) => rowOfGroup(columns, group))
              // As in SQL, no rows still give one group if there are no columns to group by.
              if (rows.length === 0 && groupedBy.length === 0) rows.push(rowOf(columns, [], [], []))
              return countedBatches({ from }, rows)
            }
            const ready = Effect.suspend(() => (groups.size === 0 ? Effect.void : seal)).pipe(
              Effect.zipRight(from === undefined ? spill.compact(lineOrder(columns)) : Effect.void)
            )
            return Stream.concat(Stream.drain(ready), mergedRows(spill, columns, context, from))
          },
          save: Effect.gen(function* () {
            const files = spill.isUsed ? yield* spill.save : undefined
            const removed = dropped.map((number) => [ordinal(number), undefined] as const)
            const written = Array.from(changed, saveGroup)
            changed = new Set()
            dropped = []
            return { ...(files === undefined ? {} : { value: { spill: files } }), entries: [...removed, ...written] }
          })
        })
      })
  }
})
