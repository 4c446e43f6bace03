/** What becomes of a row that fails, by its step's `onError` (pipelines 10). */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { OnError } from "../Pipeline/Definition.ts"
import type { Row } from "../Row.ts"
import type { StepError } from "../Step.ts"
import { type RejectFile, tooManyRejects } from "./Rejects.ts"

/** While a run goes on, a share is only judged once so many rows were seen: its first row is not "100 %". */
const enoughToJudge = 100

export interface Judge {
  readonly step: string
  readonly definedAt: string
  readonly onError: OnError | undefined
  readonly rejects: RejectFile
  /** Rows that the step was given, or made, so far; `rejected` of its own are known. */
  readonly seen: (rejected: number) => Effect.Effect<number>
  readonly counted: Effect.Effect<void>
}

export interface Settle {
  /** The rows that go on instead of the failed one, or the failure that stops the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Judges the share of rejects once more, now that all rows were seen. */
  readonly ended: Effect.Effect<void, StepError>
}

interface Rejected {
  readonly count: number
  readonly last: StepError | undefined
}

/** Makes the step's rule. */
export const makeSettle = (judge: Judge): Effect.Effect<Settle> =>
  Effect.map(Ref.make<Rejected>({ count: 0, last: undefined }), (ref) => {
    const { definedAt, onError = "reject", rejects, step } = judge
    const stopAfter = typeof onError === "object" ? onError.stopAfter : undefined

    const check = ({ count, last }: Rejected, enough: number) =>
      Effect.gen(function* () {
        if (stopAfter === undefined || last === undefined) return
        const seen = yield* judge.seen(count)
        const exceeded =
          typeof stopAfter === "number"
            ? count > stopAfter
            : seen >= enough && count * 100 > seen * Number.parseFloat(stopAfter)
        if (exceeded) {
          return yield* tooManyRejects({
            step,
            definedAt,
            rejects: count,
            allowed: stopAfter,
            file: rejects.path,
            last
          })
        }
      })

    const reject = (row: Row, error: StepError) =>
      Effect.gen(function* () {
        yield* rejects.write(step, definedAt, row, error)
        yield* judge.counted
        const now = yield* Ref.updateAndGet(ref, ({ count }) => ({ count: count + 1, last: error }))
        yield* check(now, enoughToJudge)
        return []
      })

    return {
      failed: (row, error) => {
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
      ended: Effect.flatMap(Ref.get(ref), (now) => check(now, 0))
    }
  })
