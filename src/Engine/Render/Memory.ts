/** Ends the process of a page that takes too much memory: the request fails, and no other. */
import { readFileSync } from "node:fs"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Resident bytes of one page's process, of all of them together, of the browser itself, and how often that is looked at. */
export interface Limits {
  readonly page: number
  readonly all: number
  readonly browser: number
  readonly interval: Duration.DurationInput
}

const unbounded = Number.POSITIVE_INFINITY
const usual: Limits = { page: 1024 * 1024 * 1024, all: unbounded, browser: unbounded, interval: "250 millis" }

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

/** Those that take too much, and of all that take too much together the largest. */
const culprits = (processes: ReadonlyArray<Process>, { all, page }: Limits): ReadonlyArray<number> => {
  const sizes = processes.flatMap(({ id, type }) => (type === "renderer" ? [{ id, bytes: residentBytes(id) }] : []))
  const sum = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = Math.max(...sizes.map(({ bytes }) => bytes))
  return sizes.flatMap(({ bytes, id }) => (bytes > page || (sum > all && bytes === most) ? [id] : []))
}

/**
 * Runs until it is interrupted, or the browser is gone. The browser itself is looked at also while it leaves the question
 * unanswered: what nobody reads of its other answers is in its memory meanwhile.
 */
export const watch = <E>(
  processes: Effect.Effect<{ readonly processInfo: ReadonlyArray<Process> }, E>,
  limits = usual
): Effect.Effect<void> =>
  process.platform !== "linux"
    ? Effect.void
    : Effect.suspend(() => {
        let browser: number | undefined
        const cull = processes.pipe(
          Effect.tap(({ processInfo }) =>
            Effect.sync(() => {
              browser = processInfo.find(({ type }) => type === "browser")?.id
              culprits(processInfo, limits).forEach(kill)
            })
          ),
          Effect.repeat(Schedule.spaced(limits.interval))
        )
        const look = Effect.sync(() => {
          if (browser !== undefined && residentBytes(browser) > limits.browser) kill(browser)
        }).pipe(Effect.repeat(Schedule.spaced(limits.interval)))
        return Effect.ignore(Effect.raceFirst(cull, look))
      })
