/** Ends the process of a page that takes too much memory: the request fails, and no other (spec 8). */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Resident bytes of one page's process, and how often that is looked at. */
const fatalBytes = 1024 * 1024 * 1024
const interval = "250 millis"

const pageBytes = 4096

/** As `SystemInfo.getProcessInfo` tells it. */
interface Process {
  readonly id: number
  readonly type: string
}

/** Asked of the system; 0 where unknown. */
const residentBytes = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It is gone already.
  }
}

/** Runs until it is interrupted, or the browser is gone. */
export const watch = <E>(processes: Effect.Effect<{ readonly processInfo: ReadonlyArray<Process> }, E>) =>
  process.platform !== "linux"
    ? Effect.void
    : processes.pipe(
        Effect.tap(({ processInfo }) =>
          Effect.sync(() => {
            for (const { id, type } of processInfo) {
              if (type === "renderer" && residentBytes(id) > fatalBytes) kill(id)
            }
          })
        ),
        Effect.repeat(Schedule.spaced(interval)),
        Effect.ignore
      )
