/** A clock that nobody waits for: it stands still while anything is done, and jumps to the next sleeper when nothing is. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { safely } from "../../Callback.ts"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/**
 * Files that are being read or written: a clock that jumps now would let a timeout overtake them. Whatever else a process
 * has open, a socket that nobody reads or a folder that is watched, may stay for as long as it likes.
 */
const files = /^(FSReq|FileHandle|CloseReq|DirHandle)/

const isBusy = (): boolean => process.getActiveResourcesInfo().some((name) => files.test(name))

/** Two turns of the timers without work: what was put off to the next turn has been done by then. */
const turns = 2

/** Begins at an instant. Polls, backoff and timeouts keep their order, and take no time. */
export const make = (begin: Date): Clock.Clock => {
  let now = begin.getTime()
  let sleepers: Array<Sleeper> = []
  let watching = false

  const watch = (quiet: number) => {
    setTimeout(
      safely(() => {
        if (sleepers.length === 0) {
          watching = false
        } else if (isBusy()) {
          watch(0)
        } else if (quiet + 1 < turns) {
          watch(quiet + 1)
        } else {
          const next = sleepers.reduce((first, each) => (each.at < first.at ? each : first))
          sleepers = sleepers.filter((each) => each !== next)
          now = Math.max(now, next.at)
          next.wake()
          watch(0)
        }
      }),
      1
    )
  }

  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const millis = Duration.toMillis(duration)
        // What sleeps for ever is woken by nobody.
        if (!Number.isFinite(millis)) return
        // Clocks count in whole milliseconds; jitter does not.
        const sleeper = { at: now + Math.ceil(millis), wake: () => resume(Effect.void) }
        sleepers.push(sleeper)
        if (!watching) {
          watching = true
          watch(0)
        }
        return Effect.sync(() => {
          sleepers = sleepers.filter((each) => each !== sleeper)
        })
      })
  }
}
