/** Status of an occurrence of a schedule. Has no imports, because the dashboard's pages use it too. */

/**
 * `waiting`: claimed but not started. `retrying`: failed, to be resumed at `nextAt`. `held`: the outputs of its run were held, or those of
 * an earlier window of the backfill (`failed` in rows of earlier versions). `missed`: no daemon was running. `skipped`: an earlier run was
 * still active, or the pipeline was paused. `replaced`: a later occurrence replaced it.
 */
export const occurrenceStatuses = [
  "waiting",
  "running",
  "retrying",
  "completed",
  "failed",
  "held",
  "budget",
  "missed",
  "skipped",
  "replaced"
] as const

export type OccurrenceStatus = (typeof occurrenceStatuses)[number]
