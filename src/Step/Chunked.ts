/** Work on whole chunks of rows: per-row stream operators cost more than the work. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Bindings, EvaluationError, Expression } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import type { Context, Services, StepError } from "../Step.ts"
import { expressionFailed } from "./Field.ts"

type Rows = Stream.Stream<Row, StepError, Services>

/** Replaces every chunk by what `f` makes of it. */
export const mapChunks =
  (f: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError>) =>
  (rows: Rows): Rows =>
    Stream.mapChunksEffect(rows, (chunk) => Effect.map(f(Chunk.toReadonlyArray(chunk)), Chunk.unsafeFromArray))

/** Replaces every row by the rows that `use` makes of it and the expressions' values; failures are settled by the step. */
export const flatMapValues =
  (
    expressions: ReadonlyArray<Expression>,
    context: Context,
    use: (row: Row, values: ReadonlyArray<unknown>) => ReadonlyArray<Row>
  ) =>
  (rows: Rows): Rows =>
    mapChunks((chunk) =>
      Effect.gen(function* () {
        const data = chunk.map((row) => row.data)
        const bindings = chunk.map(context.bindings)
        const empty: Bindings = { names: {} }
        const columns = yield* Effect.forEach(expressions, (expression) =>
          expression.evaluateChunk(data, (index) => bindings[index] ?? empty)
        )
        const made: Array<Row> = []
        for (const [index, row] of chunk.entries()) {
          const values: Array<unknown> = []
          let failure: EvaluationError | undefined
          for (const column of columns) {
            const value = column[index]
            if (value === undefined) continue
            if (Either.isLeft(value)) failure ??= value.left
            else values.push(value.right)
          }
          const next = failure === undefined ? use(row, values) : yield* context.failed(row, expressionFailed(failure))
          for (const each of next) made.push(each)
        }
        return made
      })
    )(rows)
