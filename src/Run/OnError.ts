/** What becomes of a row that fails, by its step's `onError` (pipelines 10). */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { OnError } from "../Pipeline/Definition.ts"
import type { Row } from "../Row.ts"
import type { StepError } from "../Step.ts"
import { type RejectFile, tooManyRejects } from "./Rejects.ts"

/** A share is only judged once so many rows were seen: the first row of a run is not "100 %". */
const enoughToJudge = 100

export interface Judge {
  readonly step: string
  readonly definedAt: string
  readonly onError: OnError | undefined
  readonly rejects: RejectFile
  /** Rows that the step was given or made so far. */
  readonly seen: Effect.Effect<number>
  readonly counted: Effect.Effect<void>
}

/** Makes the step's rule: the rows that go on instead of the failed one, or the failure that stops the run. */
export const makeSettle = (judge: Judge) =>
  Effect.map(Ref.make(0), (count) => {
    const { onError = "reject", rejects, step } = judge
    const stopAfter = typeof onError === "object" ? onError.stopAfter : undefined
    const exceeded = (rejected: number, seen: number): boolean =>
      typeof stopAfter === "number"
        ? rejected > stopAfter
        : stopAfter !== undefined && seen >= enoughToJudge && (rejected * 100) / seen > Number.parseFloat(stopAfter)
    return (row: Row, error: StepError): Effect.Effect<ReadonlyArray<Row>, StepError> => {
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
          return Effect.gen(function* () {
            yield* rejects.write(step, judge.definedAt, row, error)
            yield* judge.counted
            const rejected = yield* Ref.updateAndGet(count, (n) => n + 1)
            if (exceeded(rejected, yield* judge.seen)) {
              return yield* tooManyRejects(step, rejected, String(stopAfter), rejects.path, error)
            }
            return []
          })
      }
    }
  })
