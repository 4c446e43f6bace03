/** How runs stand. */
import type { RunRecord } from "./Ledger.ts"

/**
 * `running` also stands there after a crash: the lock says whether a process still works on it. `publishing`: all files
 * are whole, and some may have their names already.
 */
export const statuses = ["running", "stopped", "budget", "failed", "publishing", "completed"] as const
export type Status = (typeof statuses)[number]

/** True when the run came to its end with every delivered row rejected: nothing is left to resume. */
export const isSpent = ({ progress, rejects, rows }: Pick<RunRecord, "progress" | "rejects" | "rows">): boolean => {
  const { over, spent } = (progress ?? {}) as { readonly over?: boolean; readonly spent?: boolean }
  // Version 0.1 did not look at rows that were filtered.
  return over === true && (spent ?? (rows === 0 && rejects > 0))
}
