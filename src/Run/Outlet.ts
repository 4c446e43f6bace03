/** Where a station's rows go: to each of its readers, in order; from the last station, out of the run. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Execution } from "./Execution.ts"
import * as Metrics from "./Metrics.ts"
import type { Outlet, Room, Station } from "./Station.ts"

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
