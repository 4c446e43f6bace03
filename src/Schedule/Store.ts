/** Schedules in the ledger's database: one row for each scheduled time (occurrence). The daemon that inserts the row runs it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Connection, reading, writing } from "../Ledger/Connection.ts"
import { Ledger } from "../Ledger.ts"
import type { Schedules } from "./Model.ts"
import * as NotificationOutbox from "./NotificationOutbox.ts"
import * as Occurrences from "./Occurrences.ts"
import { carriers, carry, lockPrefix } from "./Occurrences.ts"

const make = (connection: Connection): Schedules => {
  const { sql } = connection
  const changing = writing(connection, "changing schedules")
  return {
    carry: carry(connection),
    carriers: carriers(connection),
    register: (pipelines) => Occurrences.register(sql, pipelines).pipe(changing),
    remove: (pipelines) => Occurrences.remove(sql, pipelines).pipe(changing),
    list: Occurrences.listSchedules(sql).pipe(reading(connection, "listing schedules")),
    pause: (pipeline, why) => Occurrences.pause(sql, pipeline, why).pipe(changing),
    resume: (pipeline) => Occurrences.resume(sql, pipeline).pipe(changing),
    paused: Effect.map(Occurrences.paused(sql), (rows) => new Map(rows.map(({ at, pipeline }) => [pipeline, at]))).pipe(
      reading(connection, "looking for paused pipelines")
    ),
    find: (which) => Occurrences.find(sql, which).pipe(reading(connection, "looking for an instant")),
    instants: (filter) => Occurrences.list(sql, filter).pipe(reading(connection, "listing instants")),
    last: Occurrences.last(sql).pipe(reading(connection, "listing instants")),
    notices: {
      take: (limit, hold) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.flatMap(NotificationOutbox.areDue(sql, now), (some) =>
            some ? NotificationOutbox.take(sql, now, limit, hold) : Effect.succeed([])
          )
        ).pipe(writing(connection, "taking notices")),
      sent: (id) => NotificationOutbox.sent(sql, id).pipe(writing(connection, "marking a notice as sent")),
      leave: (id, until) =>
        NotificationOutbox.leave(sql, id, until).pipe(writing(connection, "leaving a notice to others")),
      failed: (id, error, nextAt) =>
        NotificationOutbox.failed(sql, id, error, nextAt).pipe(writing(connection, "marking a notice as not sent")),
      list: (filter) => NotificationOutbox.list(sql, filter).pipe(reading(connection, "listing notices"))
    },
    forget: (before) => Occurrences.forget(sql, before, lockPrefix).pipe(writing(connection, "forgetting old instants"))
  }
}

/** The schedules that are stored beside a ledger. */
export const of = ({ connection }: Pick<typeof Ledger.Service, "connection">): Schedules => make(connection)

/** The schedules that are stored beside the ledger. */
export const schedules: Effect.Effect<Schedules, never, Ledger> = Effect.map(Ledger, of)
