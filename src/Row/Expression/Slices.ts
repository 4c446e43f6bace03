/** Evaluates rows in order, in slices of a few milliseconds. An evaluation is synchronous, so the event loop runs between slices. */
import * as Effect from "effect/Effect"
import { safely } from "../../Callback.ts"
import { wasLong } from "./Limits.ts"

/** Length of a slice in milliseconds. The event loop runs after each one. */
const slice = 25

/** Rows between two clock reads while each row takes few steps. */
const rowsAtOnce = 128

const turn = Effect.async<void>((resume) => {
  setImmediate(safely(() => resume(Effect.void)))
})

/** Evaluates rows until the slice ends, and appends their results. */
const run = <Row, A>(
  rows: ReadonlyArray<Row>,
  evaluate: (row: Row, index: number) => A,
  recover: (cause: unknown, index: number) => A,
  results: Array<A>
): void => {
  const end = performance.now() + slice
  do {
    const last = Math.min(rows.length, results.length + rowsAtOnce)
    for (let index = results.length; index < last; index++) {
      try {
        results.push(evaluate(rows[index] as Row, index))
      } catch (cause) {
        results.push(recover(cause, index))
      }
      if (wasLong()) break
    }
  } while (results.length < rows.length && performance.now() < end)
}

/** Returns the result of `evaluate` for each row, in order. When it throws, `recover` returns the result instead. */
export const inSlices = <Row, A>(
  rows: ReadonlyArray<Row>,
  evaluate: (row: Row, index: number) => A,
  recover: (cause: unknown, index: number) => A
): Effect.Effect<ReadonlyArray<A>> => {
  const results: Array<A> = []
  const next: Effect.Effect<ReadonlyArray<A>> = Effect.suspend(() => {
    run(rows, evaluate, recover, results)
    return results.length < rows.length ? Effect.zipRight(turn, next) : Effect.succeed(results)
  })
  return next
}
