/** Work that is done over and over: where it fails again and again, that is told once, and not each time. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { isSqlError, reasonOf } from "../Database/Failure.ts"

const whyOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return isSqlError(error) ? reasonOf(error) : error instanceof Error ? error.message : String(error)
}

/** Warns of a failure, as `cannot` says what it keeps from being done; not again before the work has gone well. */
export const steadily = (cannot: string) => {
  let isTold = false
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(
      Effect.tapErrorCause((cause) => {
        if (isTold || Cause.isInterruptedOnly(cause)) return Effect.logDebug(cause)
        isTold = true
        return Effect.logWarning(`${cannot}; it is tried again: ${whyOf(cause)}`)
      }),
      Effect.tap(() =>
        Effect.sync(() => {
          isTold = false
        })
      )
    )
}
