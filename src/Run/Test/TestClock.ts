/**
 * Clock of pipeline tests: stands still while work is in progress, and jumps to the next sleeper when the process is
 * idle.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { after } from "../../Callback.ts"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/**
 * File operations in progress, which would time out if the clock jumped. Other resources, such as idle sockets or watched folders, may stay
 * open for ever and do not count.
 */
const files = /^(FSReq|FileHandle|CloseReq|DirHandle)/

const isBusy = (): boolean => process.getActiveResourcesInfo().some((name) => files.test(name))

/** Turns of the event loop after which the process counts as idle: two, so that work deferred to the next turn is included. */
const turns = 2

/** Makes a clock that starts at the given time. Polls, backoff and timeouts keep their order and take no time. */
export const make = (begin: Date): Clock.Clock => {
  let now = begin.getTime()
  let sleepers: Array<Sleeper> = []
  let watching = false

  const watch = (quiet: number) => {
    after(1, () => {
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
    })
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
        // An infinite sleep never ends.
        if (!Number.isFinite(millis)) return
        // Clocks count whole milliseconds, but jitter adds fractions.
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
