/** How runs stand. */
import type { RunRecord } from "./Ledger.ts"

/**
 * `running` also stands there after a crash: the lock tells whether somebody still works on it. `publishing`: all files
 * are whole, and some may have their names already.
 */
export const statuses = ["running", "stopped", "budget", "failed", "publishing", "completed"] as const
export type Status = (typeof statuses)[number]

/** It came to its end, and all of its rows were rejected: there is nothing to go on with. */
export const isSpent = ({ progress, rejects, rows }: Pick<RunRecord, "progress" | "rejects" | "rows">): boolean => {
  const { over } = (progress ?? {}) as { readonly over?: boolean }
  return over === true && rows === 0 && rejects > 0
}
