/** Implements `ScheduleStore` on the connection of a ledger. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Connection, reading, writing } from "../Ledger/Connection.ts"
import { Ledger } from "../Ledger.ts"
import type { ScheduleStore } from "./Model.ts"
import * as NotificationOutbox from "./NotificationOutbox.ts"
import * as Occurrences from "./Occurrences.ts"
import { acquireLease, leaseHolders, lockPrefix } from "./Occurrences.ts"
import * as Registrations from "./Registrations.ts"

const make = (connection: Connection): ScheduleStore => {
  const { sql } = connection
  const changing = writing(connection, "changing schedules")
  return {
    acquireLease: acquireLease(connection),
    leaseHolders: leaseHolders(connection),
    register: (pipelines) => Registrations.register(sql, pipelines).pipe(changing),
    remove: (pipelines) => Registrations.remove(sql, pipelines).pipe(changing),
    list: Registrations.listSchedules(sql).pipe(reading(connection, "listing schedules")),
    pause: (pipeline, why, until) => Registrations.pause(sql, pipeline, why, until).pipe(changing),
    resume: (pipeline) => Registrations.resume(sql, pipeline).pipe(changing),
    paused: Effect.map(
      Registrations.paused(sql),
      (rows) => new Map(rows.map(({ pausedAt, pipeline }) => [pipeline, pausedAt]))
    ).pipe(reading(connection, "looking for paused pipelines")),
    find: (which) => Occurrences.find(sql, which).pipe(reading(connection, "looking for a scheduled time")),
    occurrences: (filter) => Occurrences.list(sql, filter).pipe(reading(connection, "listing scheduled times")),
    lastEnded: Occurrences.lastEnded(sql).pipe(reading(connection, "listing scheduled times")),
    printed: (pipeline) =>
      Occurrences.printed(sql, pipeline).pipe(reading(connection, "looking for the last printed changes")),
    markPrinted: (pipeline, scheduledTime) =>
      Occurrences.markPrinted(sql, pipeline, scheduledTime).pipe(writing(connection, "marking changes as printed")),
    notifications: {
      take: (limit, hold) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.flatMap(NotificationOutbox.areDue(sql, now), (some) =>
            some ? NotificationOutbox.take(sql, now, limit, hold) : Effect.succeed([])
          )
        ).pipe(writing(connection, "leasing notifications")),
      sent: (id) => NotificationOutbox.sent(sql, id).pipe(writing(connection, "marking a notification as sent")),
      unsent: (pipeline, target, limit) =>
        NotificationOutbox.unsent(sql, pipeline, target, limit).pipe(
          reading(connection, "looking for notifications of a target")
        ),
      postpone: (id, until) =>
        NotificationOutbox.postpone(sql, id, until).pipe(writing(connection, "postponing a notification")),
      failed: (id, error, nextAt) =>
        NotificationOutbox.failed(sql, id, error, nextAt).pipe(
          writing(connection, "marking a notification as not sent")
        ),
      list: (filter) => NotificationOutbox.list(sql, filter).pipe(reading(connection, "listing notifications"))
    },
    prune: (before) =>
      Occurrences.prune(sql, before, lockPrefix).pipe(writing(connection, "deleting old scheduled times"))
  }
}

/** Schedules stored in the database of this ledger. */
export const of = ({ connection }: Pick<typeof Ledger.Service, "connection">): ScheduleStore => make(connection)

/** Schedules stored in the database of the ledger in context. */
export const schedules: Effect.Effect<ScheduleStore, never, Ledger> = Effect.map(Ledger, of)
