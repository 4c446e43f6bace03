/** What the process says with its exit code; scripts rely on these numbers. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tooManyRejects: 3,
  /** What was to be checked does not hold. */
  checkFailed: 6,
  /** A definition or a setting is invalid. */
  invalid: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143
} as const
