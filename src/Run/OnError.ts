/** What becomes of a row that fails, by its step's `onError` (pipelines 10). */
import * as Effect from "effect/Effect"
import type { OnError } from "../Pipeline/Definition.ts"
import type { Row } from "../Row.ts"
import type { StepError } from "../Step.ts"
import type { Counters } from "./Counters.ts"
import { type Rejects, tooManyRejects } from "./Rejects.ts"

/** While a run goes on, a share is only judged once so many rows were seen: its first row is not "100 %". */
const enoughToJudge = 100

/** Whether so many rejects are more than `stopAfter` allows, of so many rows. */
export const isTooMany = (stopAfter: number | string, count: number, seen: number): boolean =>
  typeof stopAfter === "number" ? count > stopAfter : count * 100 > seen * Number.parseFloat(stopAfter)

export interface Judge {
  readonly step: string
  readonly definedAt: string
  readonly onError: OnError | undefined
  readonly rejects: Rejects
  readonly counters: Counters
  /** The step whose rows it was given; a source is judged by what it makes. */
  readonly input: string | undefined
}

export interface Settle {
  /** The rows that go on instead of the failed one, or the failure that stops the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Judges the share of rejects once more, now that all rows were seen. */
  readonly ended: Effect.Effect<void, StepError>
}

/** Makes the step's rule. */
export const makeSettle = (judge: Judge): Settle => {
  const { counters, definedAt, onError = "reject", rejects, step } = judge
  const stopAfter = typeof onError === "object" ? onError.stopAfter : undefined
  let last: StepError | undefined

  const check = (enough: number) =>
    Effect.suspend(() => {
      if (stopAfter === undefined) return Effect.void
      const count = counters.rejected.get(step) ?? 0
      const seen =
        judge.input === undefined ? (counters.given.get(step) ?? 0) + count : (counters.given.get(judge.input) ?? 0)
      return (typeof stopAfter === "number" || seen >= enough) && isTooMany(stopAfter, count, seen)
        ? tooManyRejects({ step, definedAt, rejects: count, allowed: stopAfter, file: rejects.path, last })
        : Effect.void
    })

  const reject = (row: Row, error: StepError) =>
    Effect.suspend(() => {
      last = error
      counters.reject(step)
      return rejects.add(step, definedAt, row, error).pipe(Effect.zipRight(check(enoughToJudge)), Effect.as([]))
    })

  return {
    failed: (row, error) => {
      // Its key was not seen by the steps after this one, whatever takes the row's place.
      counters.leaveOut(step, "failed")
      switch (onError) {
        case "fail":
          return Effect.fail(error)
        case "drop":
          return Effect.succeed([])
        case "keep":
          return Effect.succeed([
            { ...row, data: { ...row.data, error: { reason: error.reason, message: error.message } } }
          ])
        default:
          return reject(row, error)
      }
    },
    ended: Effect.suspend(() => check(0))
  }
}
