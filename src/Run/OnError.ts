/** Settles failed rows by the `onError` of their step. */
import * as Effect from "effect/Effect"
import type { OnError } from "../Pipeline/Definition.ts"
import { type Row, withData } from "../Row.ts"
import type { StepError } from "../Step.ts"
import type { Counters } from "./Counters.ts"
import { type Rejects, tooManyRejects } from "./Rejects.ts"

/** While rows still come, a share is judged from this many rows on: the first row alone is not "100 %". */
const minRowsForShare = 100

/** True when `count` rejects of `seen` rows reach `stopAfter`. A share counts the rows that the step was given. */
export const isReached = (stopAfter: number | string, count: number, seen: number): boolean =>
  count > 0 && (typeof stopAfter === "number" ? count >= stopAfter : count * 100 >= seen * Number.parseFloat(stopAfter))

export interface Judge {
  readonly step: string
  readonly definedAt: string
  readonly onError: OnError | undefined
  readonly rejects: Rejects
  readonly counters: Counters
  /** The steps whose rows it was given; none for a source, which is judged by the rows that it makes. */
  readonly inputs: ReadonlyArray<string>
}

/** The end of one failed row. */
export interface RowEnd {
  /** Rows that go on instead of it; undefined when the row is left as it was, for a resumed run. */
  readonly instead: ReadonlyArray<Row> | undefined
  /** Ends the run once `instead` has been handed on. */
  readonly stop: StepError | undefined
}

export interface Settle {
  /** For a row that moves alone. Never fails, so that the last reject before the run ends can be committed. */
  readonly one: (row: Row, error: StepError) => Effect.Effect<RowEnd>
  /** For a row of a chunk: the rows that go on instead, or the failure that ends the run with the chunk half moved. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Why the run ends, once the limit is reached. */
  readonly stop: () => StepError | undefined
  /** At least 1: of so many more rows, none but the last one can be the reject that ends the run. */
  readonly room: () => number
  /** Does the work for at most {@link room} rows: a reject that reaches the limit does not fail it, and is given beside what it made. */
  readonly upToLimit: <A, E, R>(
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<{ readonly made: A; readonly stop: StepError | undefined }, E, R>
  /** Fails when a resumed run has reached `stopAfter` already. */
  readonly started: Effect.Effect<void, StepError>
  /** Judges the rejects once more, now that all rows were seen. */
  readonly ended: Effect.Effect<void, StepError>
}

/** The field `error` of a row that is kept. */
const told = ({ message, reason, status }: StepError) => ({
  reason,
  message,
  ...(status === undefined ? {} : { status })
})

/** Makes the step's rule. */
export const makeSettle = (judge: Judge): Settle => {
  const { counters, definedAt, onError = "reject", rejects, step } = judge
  const stopAfter = typeof onError === "object" ? onError.stopAfter : undefined
  let last: StepError | undefined
  /** While rows are worked on up to the limit: what ends the run after them. */
  let limit: { stop: StepError | undefined } | undefined

  const counted = () => {
    const count = counters.rejected.get(step) ?? 0
    const given = (id: string) => counters.given.get(id) ?? 0
    const seen = judge.inputs.length === 0 ? given(step) + count : judge.inputs.reduce((sum, id) => sum + given(id), 0)
    return { count, seen }
  }

  /** The failure that ends the run, when the limit is reached. A share of fewer rows than `minRows` is not judged. */
  const exceeded = (minRows: number): StepError | undefined => {
    if (stopAfter === undefined) return undefined
    const { count, seen } = counted()
    return (typeof stopAfter === "number" || seen >= minRows) && isReached(stopAfter, count, seen)
      ? tooManyRejects({ step, definedAt, rejects: count, allowed: stopAfter, file: rejects.path, last })
      : undefined
  }

  const reject = (row: Row, error: StepError) =>
    Effect.suspend((): Effect.Effect<RowEnd> => {
      // Rows that fail at the same time as the last one that is allowed are no rejects: the run has ended with that one.
      const before = exceeded(minRowsForShare)
      if (before !== undefined) return Effect.succeed({ instead: undefined, stop: before })
      last = error
      counters.reject(step)
      return Effect.map(rejects.add(step, definedAt, row, error), () => ({
        instead: [],
        stop: exceeded(minRowsForShare)
      }))
    })

  const one: Settle["one"] = (row, error) => {
    // Its key was not seen by the steps after this one, whatever takes the row's place.
    counters.leaveOut(step, "failed")
    switch (onError) {
      case "fail":
        return Effect.succeed({ instead: undefined, stop: error })
      case "drop":
        return Effect.succeed({ instead: [], stop: undefined })
      case "keep":
        return Effect.succeed({
          instead: [withData(row, { ...row.data, error: told(error) })],
          stop: undefined
        })
      default:
        return reject(row, error)
    }
  }

  const judged = (minRows: number) =>
    Effect.suspend(() => {
      const reason = exceeded(minRows)
      return reason === undefined ? Effect.void : Effect.fail(reason)
    })

  return {
    one,
    failed: (row, error) =>
      Effect.flatMap(one(row, error), ({ instead, stop }) => {
        if (stop === undefined) return Effect.succeed(instead ?? [])
        if (limit === undefined || instead === undefined) return Effect.fail(stop)
        limit.stop = stop
        return Effect.succeed(instead)
      }),
    stop: () => exceeded(minRowsForShare),
    room: () => {
      if (stopAfter === undefined) return Number.POSITIVE_INFINITY
      const { count, seen } = counted()
      if (typeof stopAfter === "number") return Math.max(1, stopAfter - count)
      if (seen < minRowsForShare) return Number.POSITIVE_INFINITY
      return Math.max(1, Math.ceil((seen * Number.parseFloat(stopAfter)) / 100) - count)
    },
    upToLimit: (work) =>
      Effect.suspend(() => {
        const own = { stop: undefined as StepError | undefined }
        limit = own
        return Effect.map(work, (made) => ({ made, stop: own.stop }))
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            limit = undefined
          })
        )
      ),
    // Rows of a share may still come.
    started: typeof stopAfter === "number" ? judged(0) : Effect.void,
    ended: judged(0)
  }
}
