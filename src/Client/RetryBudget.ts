/**
 * Retry budget: limits the share of calls that are retries, so that a failing service gets little more traffic than a healthy one.
 *
 * `ratio` of the calls so far may be retried, and at least `minimum`. First attempts are never held back. Retries requested by the service
 * (`Retry-After`) and probes of a circuit breaker do not count.
 */
import * as Effect from "effect/Effect"

/** Limit on the share of calls that may be retries. */
export interface RetryBudget {
  /** Retries per call: 0.1 is one retry per ten calls. */
  readonly ratio: number
  /** Number of retries that are always allowed. */
  readonly minimum: number
}

/** One retry per ten calls, and at least 20. */
export const standard: RetryBudget = { ratio: 0.1, minimum: 20 }

/** Remaining budget, shared by concurrent calls. Each method is one synchronous step. */
export interface BudgetState {
  /** Counts a first attempt. */
  readonly called: () => void
  readonly isLeft: () => boolean
  /** Takes one retry; false when none is left. */
  readonly take: () => boolean
  /** Logs once that the budget is used up. */
  readonly warn: Effect.Effect<void>
}

export const make = ({ minimum, ratio }: RetryBudget): BudgetState => {
  let calls = 0
  let retries = 0
  let isReported = false
  const isLeft = () => retries < Math.max(minimum, Math.floor(calls * ratio))
  return {
    called: () => {
      calls++
    },
    isLeft,
    take: () => {
      if (!isLeft()) return false
      retries++
      return true
    },
    warn: Effect.suspend(() => {
      if (isReported) return Effect.void
      isReported = true
      return Effect.logWarning(
        `The retry budget is used up (${retries} retries of ${calls} calls): failed calls are not retried until more calls have succeeded. Change it with \`retry: { retryBudget: … }\``
      )
    })
  }
}
