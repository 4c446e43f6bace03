/** Evaluates expressions over whole arrays of rows: operators for each row cost more than the work itself. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type EvaluationError, evaluationError } from "../Row/Expression/ExpressionErrors.ts"
import { inSlices } from "../Row/Expression/Limits.ts"
import type { Bindings, Expression } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import { type Context, StepError } from "../Step.ts"
import { expressionFailed } from "./Field.ts"

/** Results of expressions over some rows: a list of values per expression, and the rows in which an expression failed. */
interface Evaluated {
  readonly columns: ReadonlyArray<ReadonlyArray<unknown>>
  /** First failure of each row, by the row's index. */
  readonly failures: ReadonlyMap<number, EvaluationError>
}

type Failures = Map<number, EvaluationError>

type Sync = NonNullable<Expression["sync"]>

const nothing: Bindings = { names: {} }

/** Evaluates an expression for every row; makes bindings only if the expression uses a name. */
const evaluateSync = (
  { names, source }: Expression,
  sync: Sync,
  rows: ReadonlyArray<Row>,
  bindings: Context["bindings"],
  failures: Failures
): Effect.Effect<ReadonlyArray<unknown>> =>
  inSlices(
    rows,
    names.length === 0 ? ({ data }) => sync(data, nothing) : (row) => sync(row.data, bindings(row)),
    (cause, index) => fail(failures, index, evaluationError(source, cause))
  )

const fail = (failures: Failures, index: number, error: EvaluationError): undefined => {
  if (!failures.has(index)) failures.set(index, error)
}

/** Values of all expressions; failures are listed by row index. */
export const evaluate = (
  expressions: ReadonlyArray<Expression>,
  rows: ReadonlyArray<Row>,
  bindings: Context["bindings"]
): Effect.Effect<Evaluated> =>
  Effect.suspend(() => {
    const failures: Failures = new Map()
    const isSync = expressions.every(({ sync }) => sync !== undefined)
    const data = isSync ? [] : rows.map((row) => row.data)
    const given = isSync ? [] : rows.map(bindings)
    const columns = Effect.forEach(expressions, (expression) =>
      expression.sync === undefined
        ? Effect.map(
            expression.evaluateChunk(data, (index) => given[index] ?? nothing),
            (values) => values.map((value, index) => Either.getOrElse(value, (error) => fail(failures, index, error)))
          )
        : evaluateSync(expression, expression.sync, rows, bindings, failures)
    )
    return Effect.map(columns, (columns) => ({ columns, failures }))
  })

/** `value(n)` is the result of the n-th expression for the row. */
type Use<A> = (row: Row, value: (expression: number) => unknown, made: Array<Row>) => A

/**
 * Replaces every row, in order, by the rows that `use` makes of it and the values of the expressions; `use` adds them to `made`. A row
 * whose expression fails is resolved by the step.
 */
export const flatMapValues =
  (
    expressions: ReadonlyArray<Expression>,
    context: Pick<Context, "bindings" | "failed">,
    use: Use<StepError | undefined> | Use<void>
  ) =>
  (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<Row>, StepError> =>
    Effect.flatMap(evaluate(expressions, rows, context.bindings), ({ columns, failures }) => {
      const made: Array<Row> = []
      let at = 0
      const value = (expression: number) => columns[expression]?.[at]
      /** Processes the rows up to the next failure, without a fiber. */
      const run = (from: number): Effect.Effect<ReadonlyArray<Row>, StepError> => {
        for (at = from; at < rows.length; at++) {
          const row = rows[at]
          if (row === undefined) continue
          const evaluation = failures.get(at)
          const failure = evaluation === undefined ? use(row, value, made) : expressionFailed(evaluation)
          if (failure instanceof StepError) {
            return Effect.flatMap(context.failed(row, failure), (instead) => {
              for (const each of instead) made.push(each)
              return run(at + 1)
            })
          }
        }
        return Effect.succeed(made)
      }
      return run(0)
    })
