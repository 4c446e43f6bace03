/** How a run of the ledger stands, as far as it is told by who works on it. */
import type { RunRecord } from "./Ledger.ts"
import { isSpent, type Status } from "./Status.ts"

/** `crashed`: nobody works on it any more. `waiting`: shared out among workers, and none has it now. */
export type Standing = Status | "crashed" | "waiting"

/** A run that nobody works on any more has crashed, whatever it says itself. */
export const standingOf = (run: Pick<RunRecord, "group" | "id" | "status">, alive: boolean): Standing => {
  if (alive || (run.status !== "running" && run.status !== "publishing")) return run.status
  // Shared out among workers: the next one goes on with it.
  return run.group === run.id ? "waiting" : "crashed"
}

/** True when something was done, and something is left to be done. Who works on it is not asked. */
export const goesOn = (run: RunRecord): boolean => {
  const { credits, progress, rejects, rows, status, unpriced } = run
  if (status === "completed" || isSpent(run)) return false
  const isCut = (status === "running" || status === "publishing") && progress !== null
  return isCut || rows + rejects + credits + unpriced > 0
}
