/** Rows one after the other: an evaluation never leaves the event loop its turn, so it gets one between rows. */
import * as Effect from "effect/Effect"
import { safely } from "../../Callback.ts"
import { wasLong } from "./Limits.ts"

/** Rows are evaluated for this many milliseconds before the event loop gets a turn. */
const slice = 25

/** Rows between two looks at the clock while each takes few steps. */
const rowsAtOnce = 128

const turn = Effect.async<void>((resume) => {
  setImmediate(safely(() => resume(Effect.void)))
})

/** Adds the results of the next rows, up to the end of a slice. */
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

/** The results of `evaluate` for each row, in order; `recover` gives the result where it throws. */
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
