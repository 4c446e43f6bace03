/**
 * Exit codes of the process. Scripts rely on these numbers. Separate from `TypedError.ts`, because the executable loads it without Effect.
 */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tooManyRejects: 3,
  /** The budget is used up; the run can be resumed. */
  budgetReached: 4,
  /** Another process holds the lock. */
  locked: 5,
  /** A check, a test or a pin failed. */
  checkFailed: 6,
  /** A definition or a setting is invalid. */
  invalid: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
