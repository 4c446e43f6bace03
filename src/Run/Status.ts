/** How runs stand. */

/**
 * `running` also stands there after a crash: the lock tells whether somebody still works on it. `publishing`: all files
 * are whole, and some may have their names already.
 */
export const statuses = ["running", "stopped", "budget", "failed", "publishing", "completed"] as const
export type Status = (typeof statuses)[number]
