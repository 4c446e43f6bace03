/** Where a station's rows go: to each of its readers, in order; from the last station, out of the run. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Execution } from "./Execution.ts"
import * as Metrics from "./Metrics.ts"
import type { Outlet, Room, Station } from "./Station.ts"

/**
 * A station where branches merge, as each of its upstream steps sees it. Rows pass as they come; the station finishes
 * when all upstream steps have finished. Nothing of it is saved: on a resume every finished step says so once more.
 */
export const merge = (station: Station, upstream: ReadonlyArray<string>): ((from: string) => Station) => {
  const open = new Set(upstream)
  return (from) => ({
    ...station,
    finish: Effect.suspend(() => {
      open.delete(from)
      return open.size === 0 ? station.finish : Effect.void
    })
  })
}

/** The end of a branch: rows that come to it have left the run. */
export const exit = ({
  counters,
  tap
}: Pick<Execution, "counters" | "tap">): Pick<Station, "finish" | "push" | "room" | "wants"> => ({
  push: (rows) =>
    Effect.suspend(() => {
      counters.rows += rows.length
      return tap?.take(rows) ?? Effect.void
    }),
  finish: Effect.void,
  room: tap?.room ?? { isFree: () => true, wait: Effect.void },
  wants: () => true
})

/** `ended` completes when the last row has passed. */
export const make = (
  id: string,
  readers: ReadonlyArray<Station>,
  ended: Deferred.Deferred<void>,
  { counters, halt, observe, tap }: Pick<Execution, "counters" | "halt" | "observe" | "tap">
): Outlet => {
  const isEnd = readers.length === 0
  const room: Room =
    isEnd && tap !== undefined
      ? tap.room
      : {
          isFree: () => readers.every((reader) => reader.room.isFree()),
          wait: Effect.forEach(readers, (reader) => reader.room.wait, { discard: true })
        }
  return {
    push: (rows) =>
      Effect.gen(function* () {
        if (rows.length === 0) return
        counters.give(id, rows.length)
        if (isEnd) counters.rows += rows.length
        if (observe !== undefined) yield* observe(id, rows)
        if (isEnd && tap !== undefined) yield* tap.take(rows)
        for (const reader of readers) {
          if (reader.wants()) yield* reader.push(rows)
          else counters.leaveOut(reader.id, "wanted")
        }
      }),
    finish: Effect.zipRight(
      Effect.forEach(readers, (reader) => reader.finish, { discard: true }),
      Deferred.succeed(ended, undefined)
    ),
    room,
    // A run that comes to a stop makes no more room.
    welcome: Effect.suspend(() =>
      room.isFree() ? Effect.void : Metrics.waiting(Effect.raceFirst(room.wait, halt.asked), id)
    ),
    wants: () => isEnd || readers.some((reader) => reader.wants())
  }
}
