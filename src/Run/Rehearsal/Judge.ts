/** What rows came to, held against what a test expects of them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Path } from "../../Pipeline/Mistake.ts"
import type { Count, Row, RowsExpectation } from "../../Pipeline/Test/Format.ts"
import { differences, lacks } from "../../Row/Difference.ts"
import type { Bindings, Expression } from "../../Row/Expression.ts"
import { truthy } from "../../Step/Where.ts"
import { align, type Deviation, match } from "./Align.ts"

/** An expectation that was not met. */
export interface Failure {
  /** Below the test: `["expect", "rows", "select", "count"]`. */
  readonly path: Path
  /** One line: what was expected, and what came. */
  readonly message: string
  /** Where rows differ, as far as they were compared. */
  readonly deviations?: ReadonlyArray<Deviation> | undefined
  /** Of `equals`: what would have met it, rows or the text of a file. */
  readonly actual?: ReadonlyArray<unknown> | string | undefined
}

/** Rows, and what expressions over them may name. */
export interface Judged {
  /** `rows of select`, `out/a.csv`. */
  readonly name: string
  /** As they are, for expressions. */
  readonly rows: ReadonlyArray<unknown>
  /** With marks in place of what is another in every run. */
  readonly shown: ReadonlyArray<unknown>
  readonly bindings: (index: number) => Bindings
}

const plural = (count: number): string => `${count} ${count === 1 ? "row" : "rows"}`

const describeCount = (count: Count): string => {
  if (typeof count === "number") return plural(count)
  const { max, min } = count
  if (max === undefined) return `at least ${plural(min ?? 0)}`
  return min === undefined ? `at most ${plural(max)}` : `${min} to ${plural(max)}`
}

const fits = (count: Count, length: number): boolean =>
  typeof count === "number"
    ? length === count
    : length >= (count.min ?? 0) && length <= (count.max ?? Number.POSITIVE_INFINITY)

/** Row numbers, the first few of them. */
const list = (rows: ReadonlyArray<number>): string =>
  `${rows.length === 1 ? "row" : "rows"} ${rows.slice(0, 5).join(", ")}${rows.length > 5 ? `, and ${rows.length - 5} more` : ""}`

/** Whether an expression is true for each row; a text is why that is not known. */
const judgeEach = (expression: Expression, { bindings, rows }: Judged) =>
  Effect.map(expression.evaluateChunk(rows, bindings), (values) =>
    values.map((value) => (Either.isRight(value) ? truthy(value.right) : value.left.message))
  )

const judgePredicates = (expected: RowsExpectation, judged: Judged) =>
  Effect.gen(function* () {
    const failures: Array<Failure> = []
    const fail = (key: keyof RowsExpectation, message: string) => failures.push({ path: [key], message })
    const all = judged.rows.length
    for (const key of ["every", "some", "none"] as const) {
      for (const expression of expected[key] ?? []) {
        const results = yield* judgeEach(expression, judged)
        const broken = results.find((each) => typeof each === "string")
        const rowsThat = (wanted: boolean) => results.flatMap((each, index) => (each === wanted ? [index + 1] : []))
        const text = expression.source.trim()
        if (broken !== undefined) fail(key, `\`${text}\` fails: ${broken}`)
        // A test that had nothing to look at has seen nothing.
        else if (key !== "none" && all === 0) fail(key, `\`${text}\`: there are no rows`)
        else if (key === "some" && rowsThat(true).length === 0) {
          fail(key, `\`${text}\` is true for none of ${plural(all)}`)
        } else if (key === "every" && rowsThat(false).length > 0) {
          fail(key, `\`${text}\` is not true for ${list(rowsThat(false))}`)
        } else if (key === "none" && rowsThat(true).length > 0) {
          fail(key, `\`${text}\` is true for ${list(rowsThat(true))}`)
        }
      }
    }
    for (const expression of expected.list ?? []) {
      const value = yield* Effect.either(expression.evaluate(judged.rows, judged.bindings(-1)))
      const text = expression.source.trim()
      if (Either.isLeft(value)) fail("list", `\`${text}\` fails: ${value.left.message}`)
      else if (!truthy(value.right))
        fail("list", `\`${text}\` is not true: ${JSON.stringify(value.right) ?? "nothing"}`)
    }
    return failures
  })

/** For each part that no row has: the row that comes nearest, and what it lacks. */
const judgeParts = (parts: ReadonlyArray<Row>, { name, shown }: Judged): ReadonlyArray<Failure> =>
  parts.flatMap((part, index): ReadonlyArray<Failure> => {
    const [nearest] = shown
      .map((row, at) => ({ row: at + 1, differences: lacks(part, row) }))
      .sort((a, b) => a.differences.length - b.differences.length)
    if (nearest?.differences.length === 0) return []
    const message = `no row has all of ${JSON.stringify(part)}`
    return [
      nearest === undefined
        ? { path: ["contains", index], message: `${message}: ${name} ${name.startsWith("rows") ? "are" : "is"} empty` }
        : {
            path: ["contains", index],
            message: `${message}; the nearest:`,
            deviations: [{ kind: "changed", ...nearest }]
          }
    ]
  })

const judgeFields = (fields: ReadonlyArray<string>, { shown }: Judged): ReadonlyArray<Failure> => {
  if (shown.length === 0) return [{ path: ["fields"], message: "there are no rows" }]
  const wanted = new Set(fields)
  const wrong = shown.flatMap((row, index) => {
    const keys = new Set(Object.keys((row ?? {}) as object))
    const missing = fields.filter((field) => !keys.has(field))
    const extra = [...keys].filter((key) => !wanted.has(key))
    return missing.length + extra.length === 0 ? [] : [{ row: index + 1, missing, extra }]
  })
  const [first] = wrong
  if (first === undefined) return []
  const parts = [
    ...(first.missing.length === 0 ? [] : [`lacks ${first.missing.join(", ")}`]),
    ...(first.extra.length === 0 ? [] : [`also has ${first.extra.join(", ")}`])
  ]
  const others = wrong.length > 1 ? `; so do ${wrong.length - 1} others, or the like` : ""
  return [{ path: ["fields"], message: `row ${first.row} ${parts.join(" and ")}${others}` }]
}

/** All rows, one by one. */
export const judgeEquals = (
  expected: ReadonlyArray<unknown>,
  order: RowsExpectation["order"],
  { name, shown }: Judged
): ReadonlyArray<Failure> => {
  const deviations = order === "any" ? match(expected, shown) : align(expected, shown)
  if (deviations.length === 0) return []
  const same = order !== "any" && match(expected, shown).length === 0
  const message = same
    ? `${name}: the rows are those expected, in another order; say \`order: any\` if that is fine`
    : `${name}: ${deviations.length === 1 ? "one row is" : `${deviations.length} rows are`} not as expected`
  return [{ path: ["equals"], message, deviations, actual: shown }]
}

/** Everything that a test expects of some rows, and that they are not. `equals` is given where it was in a file. */
export const judgeRows = (
  expected: RowsExpectation,
  judged: Judged,
  equals: ReadonlyArray<unknown> | undefined
): Effect.Effect<ReadonlyArray<Failure>> =>
  Effect.map(judgePredicates(expected, judged), (predicates) => {
    const { contains = [], count, fields, order } = expected
    const { length } = judged.rows
    return [
      ...(count === undefined || fits(count, length)
        ? []
        : [{ path: ["count"], message: `expected ${describeCount(count)}, got ${length}` }]),
      ...(equals === undefined ? [] : judgeEquals(equals, order, judged)),
      ...judgeParts(contains, judged),
      ...(fields === undefined ? [] : judgeFields(fields, judged)),
      ...predicates
    ]
  })

/** Two values that should be the same. */
export const judgeValue = (path: Path, expected: unknown, actual: unknown): ReadonlyArray<Failure> =>
  differences(expected, actual).length === 0
    ? []
    : [{ path, message: `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual) ?? "nothing"}` }]
