/** What becomes of an instant of a schedule. It stands alone, as the dashboard's pages have it too. */

/**
 * `waiting`: claimed, and not begun. `retrying`: failed, and gone on with at `nextAt`. `missed`: nothing was running then.
 * `skipped`: an earlier run went on, or the pipeline was paused. `replaced`: a later instant took its place.
 */
export const instantStatuses = [
  "waiting",
  "running",
  "retrying",
  "completed",
  "failed",
  "budget",
  "missed",
  "skipped",
  "replaced"
] as const
export type InstantStatus = (typeof instantStatuses)[number]
