/** Schedules in the ledger: every instant is a row, made by the one who carries it out. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Event } from "../../Pipeline/Notify.ts"
import { carriers, carry, lockPrefix } from "./Carrier.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import type { LedgerError, Locked } from "./Errors.ts"
import type { InstantStatus } from "./InstantStatus.ts"
import * as Instants from "./Instants.ts"
import * as NoticeRows from "./Notices.ts"
import * as Scheduled from "./Scheduled.ts"

/** A pipeline with a schedule, as its definition has it. */
export interface Registration {
  readonly pipeline: string
  /** Absolute path of the definition. */
  readonly file: string
  /** The schedule as JSON; it stays known when the definition is broken later. */
  readonly schedule: string
  /** What decides about its instants: where this changes, earlier instants do not count. */
  readonly times: string
}

/** A pipeline with a schedule, as the ledger has it. Times are in milliseconds since 1970. */
export interface ScheduleRecord extends Registration {
  /** Instants up to here have been looked at. */
  readonly reached: number
  readonly pausedAt: number | undefined
  readonly pausedWhy: string | undefined
  /** Its definition has gone. */
  readonly removedAt: number | undefined
}

/** An instant of a pipeline, and what has become of it. */
export interface InstantRecord {
  readonly pipeline: string
  readonly instant: number
  /** The instant and its jitter. */
  readonly due: number
  /** By the schedule, or because somebody asked for it. */
  readonly cause: "schedule" | "hand"
  readonly status: InstantStatus
  /** Who carries it out; undefined when it was left for whoever comes. */
  readonly owner: string | undefined
  /** Of its last attempt. */
  readonly runId: string | undefined
  /** Attempts that have begun, but for those that were stopped in order. */
  readonly attempt: number
  readonly reason: string | undefined
  /** The later instant that takes its place. */
  readonly replacedBy: number | undefined
  readonly claimedAt: number
  /** When the first attempt began. */
  readonly begunAt: number | undefined
  readonly nextAt: number | undefined
  readonly endedAt: number | undefined
}

/** What somebody has to be told; which of the definition's `notify` is meant is said by its number there. */
export interface NewNotice {
  readonly event: Event
  readonly target: number
  /** JSON. */
  readonly body: string
}

/** An instant that somebody wants to carry out, or to write down with what has become of it. */
export interface Claim {
  readonly pipeline: string
  readonly instant: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: "waiting" | "missed" | "skipped" | "failed"
  readonly reason?: string | undefined
  /** What becomes of it while an earlier instant is not over. */
  readonly overlap: "skip" | "queue" | "replace" | "allow"
  /** Written down only if the claim is won. */
  readonly notices: ReadonlyArray<NewNotice>
}

/** How an attempt came to its end. */
export interface Ending {
  readonly status: "completed" | "failed" | "budget" | "skipped" | "replaced" | "missed"
  readonly reason?: string | undefined
  readonly notices: ReadonlyArray<NewNotice>
}

/** When an instant is gone on with, and why. */
export interface Later {
  readonly at: number
  readonly reason: string
  /** The run to go on with; a new one is begun without it. */
  readonly runId: string | undefined
  /** False when the attempt does not count: it was only too early. */
  readonly counts: boolean
}

type Which = Pick<InstantRecord, "pipeline" | "instant">

/** Instants that are asked for; what is left out excludes none. */
export interface InstantFilter {
  readonly pipeline?: string | undefined
  readonly status?: ReadonlyArray<InstantStatus> | undefined
  /** Instants from this one on. */
  readonly since?: number | undefined
  /** Instants up to this one. */
  readonly until?: number | undefined
  readonly limit: number
  readonly offset?: number | undefined
}

/** A notice on its way. */
export interface NoticeRecord extends NewNotice {
  readonly id: string
  readonly pipeline: string
  readonly instant: number
  readonly runId: string | undefined
  readonly madeAt: number
  /** Tries that have begun, this one among them. */
  readonly attempts: number
  readonly sentAt: number | undefined
  readonly gaveUpAt: number | undefined
  readonly error: string | undefined
}

/** Notices to be sent: at least once each, by one sender at a time. */
export interface Notices {
  /** Takes up to so many that are due. Nobody else is given them for `hold` milliseconds; then they are due again. */
  readonly take: (limit: number, hold: number) => Effect.Effect<ReadonlyArray<NoticeRecord>, LedgerError>
  readonly sent: (id: string) => Effect.Effect<void, LedgerError>
  /** Whoever took it does not know whom to tell: it is due again at an instant, and this was no try. */
  readonly leave: (id: string, until: number) => Effect.Effect<void, LedgerError>
  /** It could not be sent: tried again at an instant, or never when there is none. */
  readonly failed: (id: string, error: string, nextAt: number | undefined) => Effect.Effect<void, LedgerError>
  /** Newest first. */
  readonly list: (filter: {
    readonly pipeline?: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<NoticeRecord>, LedgerError>
}

/** Whoever carries instants out, known to be alive by a heartbeat. Where an instant is no longer its own, nothing is written. */
export interface Carrier {
  readonly owner: string
  /** Never completes; fails when others have taken it for dead for so long that they do not know it any more. */
  readonly lost: Effect.Effect<never, LedgerError>
  /** Claims all of them in one transaction; gives those that are its own from now on, as they were written down. */
  readonly claim: (claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** Claims an instant that is over again, as far as nothing was completed: `waiting` and its own. */
  readonly again: (which: Which) => Effect.Effect<InstantRecord | undefined, LedgerError>
  /**
   * A run begins for it. False when it may not: it is not its own any more, or, with `alone`, an earlier instant of the
   * pipeline is not over.
   */
  readonly begin: (
    which: Which & { readonly runId: string; readonly alone: boolean }
  ) => Effect.Effect<boolean, LedgerError>
  /** It is to be gone on with later. */
  readonly retry: (which: Which, later: Later) => Effect.Effect<boolean, LedgerError>
  readonly end: (which: Which, ending: Ending) => Effect.Effect<boolean, LedgerError>
  /** Leaves what is not over to whoever comes next. */
  readonly leave: (which: ReadonlyArray<Which>) => Effect.Effect<void, LedgerError>
  /** Takes over what was left, or is owned by somebody who is gone, as far as it is accepted. */
  readonly takeOver: (accepts: (which: Which) => boolean) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** Its own instants that are not over. */
  readonly own: Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
}

/** Schedules and their instants. */
export interface Schedules {
  /** Makes its caller one of those who carry out instants, until the scope closes. */
  readonly carry: Effect.Effect<Carrier, LedgerError | Locked, Scope.Scope>
  /** Owners that are alive. */
  readonly carriers: Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Makes pipelines known; gives them as they stand. */
  readonly register: (
    pipelines: ReadonlyArray<Registration>
  ) => Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** Their definitions have gone: when they come back, what was in between does not count. */
  readonly remove: (pipelines: ReadonlyArray<string>) => Effect.Effect<void, LedgerError>
  /** All that are known, by name. */
  readonly list: Effect.Effect<ReadonlyArray<ScheduleRecord>, LedgerError>
  /** False when there is no such pipeline. */
  readonly pause: (pipeline: string, why: string | undefined) => Effect.Effect<boolean, LedgerError>
  readonly resume: (pipeline: string) => Effect.Effect<boolean, LedgerError>
  /** Since when pipelines are paused, of those that are. */
  readonly paused: Effect.Effect<ReadonlyMap<string, number>, LedgerError>
  readonly find: (which: Which) => Effect.Effect<InstantRecord | undefined, LedgerError>
  /** Newest first. */
  readonly instants: (filter: InstantFilter) => Effect.Effect<ReadonlyArray<InstantRecord>, LedgerError>
  /** The newest instant of each pipeline that is over and was not missed or skipped. */
  readonly last: Effect.Effect<ReadonlyMap<string, InstantRecord>, LedgerError>
  readonly notices: Notices
  /**
   * Lets go of what is older than an instant: instants and notices that are over, instants that nobody has taken up
   * since, and pipelines that are gone. Says how many instants.
   */
  readonly forget: (before: number) => Effect.Effect<number, LedgerError>
}

export const make = (connection: Connection): Schedules => {
  const { sql } = connection
  const changing = writing(connection, "changing schedules")
  return {
    carry: carry(connection),
    carriers: carriers(connection),
    register: (pipelines) => Scheduled.register(sql, pipelines).pipe(changing),
    remove: (pipelines) => Scheduled.remove(sql, pipelines).pipe(changing),
    list: Scheduled.list(sql).pipe(reading(connection, "listing schedules")),
    pause: (pipeline, why) => Scheduled.pause(sql, pipeline, why).pipe(changing),
    resume: (pipeline) => Scheduled.resume(sql, pipeline).pipe(changing),
    paused: Effect.map(Scheduled.paused(sql), (rows) => new Map(rows.map(({ at, pipeline }) => [pipeline, at]))).pipe(
      reading(connection, "looking for paused pipelines")
    ),
    find: (which) => Instants.find(sql, which).pipe(reading(connection, "looking for an instant")),
    instants: (filter) => Instants.list(sql, filter).pipe(reading(connection, "listing instants")),
    last: Instants.last(sql).pipe(reading(connection, "listing instants")),
    notices: {
      take: (limit, hold) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.flatMap(NoticeRows.areDue(sql, now), (some) =>
            some ? NoticeRows.take(sql, now, limit, hold) : Effect.succeed([])
          )
        ).pipe(writing(connection, "taking notices")),
      sent: (id) => NoticeRows.sent(sql, id).pipe(writing(connection, "marking a notice as sent")),
      leave: (id, until) => NoticeRows.leave(sql, id, until).pipe(writing(connection, "leaving a notice to others")),
      failed: (id, error, nextAt) =>
        NoticeRows.failed(sql, id, error, nextAt).pipe(writing(connection, "marking a notice as not sent")),
      list: (filter) => NoticeRows.list(sql, filter).pipe(reading(connection, "listing notices"))
    },
    forget: (before) => Scheduled.forget(sql, before, lockPrefix).pipe(writing(connection, "forgetting old instants"))
  }
}
