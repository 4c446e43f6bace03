/** Memory of other processes: parsers and browsers are ended when they use too much. */
import { readFileSync } from "node:fs"

/** Resident bytes of a process, read from the system, so that it also works for a hung process; 0 if unknown, as on systems without /proc. */
export const residentBytes = (pid: number): number => {
  try {
    return 1024 * Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0)
  } catch {
    return 0
  }
}
