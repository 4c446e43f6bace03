/** Status of a run in the ledger, judged by whether a process works on it. */
import type { RunRecord } from "./Ledger.ts"
import { isSpent, type Status } from "./Status.ts"

/** `crashed`: no process works on it any more. `waiting`: it is shared among workers, and none has it now. */
export type Standing = Status | "crashed" | "waiting"

/** A run whose status says that it is running has crashed when no process works on it. */
export const standingOf = (run: Pick<RunRecord, "group" | "id" | "status">, alive: boolean): Standing => {
  if (alive || (run.status !== "running" && run.status !== "publishing")) return run.status
  // Shared among workers: the next one resumes it.
  return run.group === run.id ? "waiting" : "crashed"
}

/** Cut while it ran, also before its first commit. Of a run in shards only its end is work of this kind. */
const isCut = ({ group, id, progress, status }: RunRecord): boolean =>
  (status === "running" || status === "publishing") && (group !== id || progress !== null)

/** True when something is left to do, and worth going on with: the run has crashed, or something was done. Locks are not looked at. */
export const goesOn = (run: RunRecord): boolean => {
  const { credits, rejects, rows, status, unpriced } = run
  if (isCut(run)) return true
  return status !== "completed" && status !== "running" && !isSpent(run) && rows + rejects + credits + unpriced > 0
}

/** True for a run that did not end well, and may end otherwise when it is resumed, also when it had done nothing. */
export const mayEndWell = (run: RunRecord): boolean =>
  isCut(run) || (run.status !== "completed" && run.status !== "running" && run.status !== "publishing" && !isSpent(run))
