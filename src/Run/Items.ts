/** One-to-one steps: many rows at once, each with its own time limit, rate, retries and failure. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RateLimiter from "effect/RateLimiter"
import * as Stream from "effect/Stream"
import type { Common } from "../Pipeline/Definition.ts"
import type { Row } from "../Row.ts"
import { type Context, type Services, StepError } from "../Step.ts"

type Rows = Stream.Stream<Row, StepError, Services>

const ended = (limit: Duration.Duration): StepError =>
  new StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${Duration.format(limit)}` })

/** Applies `apply` to every row in completion order. */
export const runItems = (
  apply: (row: Row) => Effect.Effect<Row, StepError, Services>,
  common: Common,
  context: Context
) =>
  Effect.gen(function* () {
    const limited = common.rate === undefined ? undefined : yield* RateLimiter.make(common.rate)
    const { timeout } = common
    const once = (row: Row) => {
      const bounded =
        timeout === undefined
          ? apply(row)
          : Effect.timeoutFail(apply(row), { duration: timeout, onTimeout: () => ended(timeout) })
      return limited === undefined ? bounded : limited(bounded)
    }
    return (rows: Rows): Rows =>
      rows.pipe(
        Stream.mapEffect(
          (row) =>
            once(row).pipe(
              Effect.map((made): ReadonlyArray<Row> => [made]),
              Effect.catchAll((error) => context.failed(row, error))
            ),
          { concurrency: context.concurrency, unordered: true }
        ),
        Stream.mapConcat((made) => made)
      )
  })
