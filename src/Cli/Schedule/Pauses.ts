/** Pauses that end by themselves. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { pauseEnd, type ScheduleStore } from "../../Schedule/Model.ts"
import type { Terminal } from "../Terminal.ts"

/** Ends the pauses whose time has come; gives the names of their pipelines. */
export const end = (schedules: ScheduleStore) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const over = (yield* schedules.list).filter(({ pausedAt, pausedWhy }) => {
      const until = pauseEnd(pausedWhy)
      return pausedAt !== undefined && until !== undefined && until <= now
    })
    return yield* Effect.filter(
      over.map(({ pipeline }) => pipeline),
      (pipeline) => schedules.resume(pipeline)
    )
  })

/** Looks every other second until it is interrupted. */
export const watch = (schedules: ScheduleStore, terminal: Terminal, quiet: boolean) =>
  end(schedules).pipe(
    Effect.flatMap((names) =>
      Effect.sync(() => {
        for (const name of quiet ? [] : names) terminal.err.write(`${name} goes on: its pause is over\n`)
      })
    ),
    Effect.catchAll((error) => Effect.logDebug("Pauses could not be looked at; it is tried again", error)),
    Effect.zipRight(Effect.sleep("2 seconds")),
    Effect.forever
  )
