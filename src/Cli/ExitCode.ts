/** What the process says with its exit code; scripts rely on these numbers. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tooManyRejects: 3,
  /** Nothing more may be spent; the run can be resumed. */
  budgetReached: 4,
  /** Somebody else works on it. */
  locked: 5,
  /** What was to be checked does not hold. */
  checkFailed: 6,
  /** A definition or a setting is invalid. */
  invalid: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143
} as const
