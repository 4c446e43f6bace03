/**
 * Occurrences in the database: one row for each scheduled time of a pipeline.
 *
 * - Daemons compete for occurrences: the one that inserts the row owns it and runs it.
 * - The overlap policy is applied when a row is inserted, under a lock on the pipeline's schedule, so that concurrent claims see each other.
 * - An owner writes only to its own unfinished rows. It holds a lock with a heartbeat; when that expires, others take its rows over.
 * - A row with `ended_at` is final, unless `reclaim` opens it again by hand.
 */
import { randomUUID } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Dialect from "../Database/Dialect.ts"
import * as GroupCommit from "../Database/GroupCommit.ts"
import { type Connection, decodeNullable, encodeOptional, numberOf, reading, writing } from "../Ledger/Connection.ts"
import * as Locks from "../Ledger/Locks.ts"
import {
  type Claim,
  isPausedAt,
  type LeaseHolder,
  type Occurrence,
  type OccurrenceFilter,
  type OccurrenceId,
  type Outcome,
  type Pause,
  type Retry
} from "./Model.ts"
import * as NotificationOutbox from "./NotificationOutbox.ts"
import type { OccurrenceStatus } from "./OccurrenceStatus.ts"
import * as Registrations from "./Registrations.ts"

export type Sql = SqlClient.SqlClient

export interface OccurrenceRow {
  readonly pipeline: string
  readonly scheduled_time: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: OccurrenceStatus
  readonly owner: string | null
  readonly run_id: string | null
  readonly attempt: number
  readonly reason: string | null
  readonly replaced_by: number | null
  readonly claimed_at: number
  readonly begun_at: number | null
  readonly next_at: number | null
  readonly ended_at: number | null
}

export const toRecord = (row: OccurrenceRow): Occurrence => ({
  pipeline: row.pipeline,
  scheduledTime: Number(row.scheduled_time),
  due: Number(row.due),
  cause: row.cause,
  status: row.status,
  owner: row.owner ?? undefined,
  runId: row.run_id ?? undefined,
  attempt: Number(row.attempt),
  reason: decodeNullable(row.reason),
  replacedBy: numberOf(row.replaced_by),
  claimedAt: Number(row.claimed_at),
  begunAt: numberOf(row.begun_at),
  nextAt: numberOf(row.next_at),
  endedAt: numberOf(row.ended_at)
})

/** Unfinished occurrences, oldest first. */
const unfinishedOccurrences = (sql: Sql) =>
  Effect.map(
    sql<OccurrenceRow>`SELECT * FROM occurrences WHERE ended_at IS NULL ORDER BY pipeline, scheduled_time`,
    (rows) => rows.map(toRecord)
  )

const isOwned = (sql: Sql, owner: string, { scheduledTime, pipeline }: OccurrenceId) =>
  sql`pipeline = ${pipeline} AND scheduled_time = ${scheduledTime} AND owner = ${owner} AND ended_at IS NULL`

const isThere = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0

export const start = (
  sql: Sql,
  owner: string,
  { alone, runId, ...which }: OccurrenceId & { readonly runId: string; readonly alone: boolean }
) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isFirst = alone
      ? sql` AND NOT EXISTS (SELECT 1 FROM occurrences AS earlier WHERE earlier.pipeline = ${which.pipeline}
          AND earlier.scheduled_time < ${which.scheduledTime} AND earlier.ended_at IS NULL)`
      : sql``
    const rows = yield* sql`UPDATE occurrences SET status = 'running', run_id = ${runId}, attempt = attempt + 1,
      next_at = NULL, reason = NULL, begun_at = coalesce(begun_at, ${now})
      WHERE ${isOwned(sql, owner, which)} AND replaced_by IS NULL${isFirst} RETURNING scheduled_time`
    return isThere(rows)
  })

export const retry = (sql: Sql, owner: string, which: OccurrenceId, { at, counts, reason, runId }: Retry) =>
  Effect.map(
    sql`UPDATE occurrences SET status = 'retrying', next_at = ${at}, reason = ${Dialect.encodeText(reason)},
      run_id = ${runId ?? null}, attempt = attempt - ${counts ? 0 : 1}
      WHERE ${isOwned(sql, owner, which)} RETURNING scheduled_time`,
    isThere
  )

export const end = (sql: Sql, owner: string, which: OccurrenceId, { notices, reason, status }: Outcome) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] =
      yield* sql<OccurrenceRow>`UPDATE occurrences SET status = ${status}, reason = ${encodeOptional(reason)},
      next_at = NULL, ended_at = ${now} WHERE ${isOwned(sql, owner, which)} RETURNING *`
    if (row === undefined) return false
    if (notices.length > 0) yield* NotificationOutbox.add(sql, toRecord(row), notices, now)
    return true
  })

/** Gives up ownership of occurrences. The attempt of a running one does not count; the next owner resumes its run. */
export const release = (sql: Sql, owner: string, which: ReadonlyArray<OccurrenceId>) =>
  Effect.forEach(
    which,
    (each) => sql`UPDATE occurrences SET owner = NULL,
      attempt = attempt - CASE WHEN status = 'running' THEN 1 ELSE 0 END,
      status = CASE WHEN status = 'running' THEN 'waiting' ELSE status END WHERE ${isOwned(sql, owner, each)}`,
    { discard: true }
  )

/** Takes ownership of occurrences without a living owner. Skips those whose owner has changed since they were read. */
const takeOver = (sql: Sql, owner: string, orphans: ReadonlyArray<Occurrence>) =>
  Effect.map(
    Effect.forEach(orphans, ({ scheduledTime, owner: former, pipeline }) => {
      const whose = former === undefined ? sql`owner IS NULL` : sql`owner = ${former}`
      return sql<OccurrenceRow>`UPDATE occurrences SET owner = ${owner}
        WHERE pipeline = ${pipeline} AND scheduled_time = ${scheduledTime} AND ended_at IS NULL AND ${whose} RETURNING *`
    }),
    (rows) => rows.flat().map(toRecord)
  )

export const find = (sql: Sql, { scheduledTime, pipeline }: OccurrenceId) =>
  Effect.map(
    sql<OccurrenceRow>`SELECT * FROM occurrences WHERE pipeline = ${pipeline} AND scheduled_time = ${scheduledTime}`,
    ([row]) => (row === undefined ? undefined : toRecord(row))
  )

const unfinishedStatuses: ReadonlyArray<OccurrenceStatus> = ["waiting", "running", "retrying"]

export const list = (sql: Sql, { limit, offset = 0, pipeline, since, status, until }: OccurrenceFilter) => {
  const isUnfinished = status?.every((each) => unfinishedStatuses.includes(each)) === true
  // Unfinished occurrences are few and have an index. Without `+ 0`, the index of the times would be read to its end instead.
  const byTime = sql.literal(isUnfinished ? "scheduled_time + 0" : "scheduled_time")
  return Effect.map(
    sql<OccurrenceRow>`SELECT * FROM occurrences WHERE ${sql.and([
      ...(pipeline === undefined ? [] : [sql`pipeline = ${pipeline}`]),
      ...(status === undefined ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)]),
      ...(isUnfinished ? [sql`ended_at IS NULL`] : []),
      ...(since === undefined ? [] : [sql`scheduled_time >= ${since}`]),
      ...(until === undefined ? [] : [sql`scheduled_time <= ${until}`])
    ])} ORDER BY ${byTime} DESC, pipeline LIMIT ${limit} OFFSET ${offset}`,
    (rows) => rows.map(toRecord)
  )
}

/** Last finished occurrences. The cross join makes SQLite start with the schedules, which are few. */
export const lastEnded = (sql: Sql) =>
  Effect.map(
    sql<OccurrenceRow>`SELECT occurrences.* FROM schedules CROSS JOIN occurrences WHERE occurrences.pipeline = schedules.pipeline
      AND occurrences.scheduled_time = (SELECT one.scheduled_time FROM occurrences AS one WHERE one.pipeline = schedules.pipeline
        AND one.ended_at IS NOT NULL AND one.status NOT IN ('missed', 'skipped') ORDER BY one.scheduled_time DESC LIMIT 1)`,
    (rows) => new Map(rows.map((row) => [row.pipeline, toRecord(row)]))
  )

/** Deletes old occurrences and notifications. Scheduled times before `before` are not caught up later. */
export const prune = (sql: Sql, before: number, lockPrefix: string) =>
  Effect.gen(function* () {
    yield* sql`UPDATE schedules SET since = ${before} WHERE since < ${before}`
    const deleted = yield* sql`DELETE FROM occurrences WHERE scheduled_time < ${before} AND (ended_at < ${before}
      OR ended_at IS NULL AND claimed_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM locks WHERE locks.name = ${lockPrefix} || occurrences.owner)) RETURNING scheduled_time`
    yield* sql`DELETE FROM notices WHERE made_at < ${before} AND next_at IS NULL`
    // A paused schedule stays, in case its definition comes back.
    yield* sql`DELETE FROM schedules WHERE removed_at < ${before} AND paused_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM occurrences WHERE occurrences.pipeline = schedules.pipeline)`
    return deleted.length
  })

/** Maximum unfinished occurrences of a pipeline with `overlap: queue`. */
const maxQueued = 1000

/** Tolerance for clocks, in milliseconds: a clock that is ahead by less than this is not corrected for. */
export const clockTolerance = 60_000

/** Maximum rows inserted or selected by one statement. */
const block = 50

const byTime = (one: OccurrenceId, other: OccurrenceId): number =>
  one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.scheduledTime - other.scheduledTime

const blocks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / block) }, (_, index) => items.slice(index * block, (index + 1) * block))

/** Locks the schedules, so that concurrent claims of a pipeline see each other. */
const lockSchedules = (sql: Sql, pipelines: ReadonlyArray<string>) =>
  sql.onDialectOrElse({
    // A SQLite transaction is exclusive already.
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.forEach(
        blocks(pipelines),
        (some) => sql`SELECT pipeline FROM schedules WHERE ${sql.in("pipeline", some)} ORDER BY pipeline FOR UPDATE`,
        { discard: true }
      )
  })

/** Turns the claim of a paused pipeline into one with the status `skipped`. */
const skipPaused = (claim: Claim, { pausedAt = 0, pausedUntil, pausedWhy }: Pause): Claim => {
  const until = pausedUntil === undefined ? "" : ` until ${new Date(pausedUntil).toISOString()}`
  const why = pausedWhy === undefined ? "" : `: ${pausedWhy}`
  const reason = `the pipeline is paused since ${new Date(pausedAt).toISOString()}${until}${why}`
  return { ...claim, status: "skipped", reason, notices: [] }
}

/** Applies the overlap policy to a claim, given the earlier occurrences that are unfinished. */
const applyOverlap = (claim: Claim, earlier: ReadonlyArray<OccurrenceId>): Pick<Claim, "status" | "reason"> => {
  const [first] = earlier
  if (claim.status !== "waiting" || first === undefined) return claim
  if (claim.overlap === "skip") {
    return { status: "skipped", reason: `the run for ${new Date(first.scheduledTime).toISOString()} was still active` }
  }
  return claim.overlap === "queue" && earlier.length >= maxQueued
    ? { status: "skipped", reason: `${maxQueued} earlier scheduled times were unfinished` }
    : claim
}

/** Replaces all earlier occurrences. Running ones are only marked; their owner stops them. */
const replace = (sql: Sql, { scheduledTime, pipeline }: OccurrenceId, now: number) =>
  Effect.zipRight(
    sql`UPDATE occurrences SET replaced_by = ${scheduledTime}
      WHERE pipeline = ${pipeline} AND scheduled_time < ${scheduledTime} AND ended_at IS NULL`,
    sql`UPDATE occurrences SET status = 'replaced', reason = ${`replaced by the run for ${new Date(scheduledTime).toISOString()}`},
      ended_at = ${now}, next_at = NULL
      WHERE pipeline = ${pipeline} AND scheduled_time < ${scheduledTime} AND ended_at IS NULL AND status <> 'running'`
  )

/** Inserts occurrences, and returns those that had not been claimed before. */
export const claim = (sql: Sql, owner: string, claims: ReadonlyArray<Claim>) =>
  Effect.gen(function* () {
    if (claims.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const wanted = [...claims].sort(byTime)
    yield* lockSchedules(sql, [...new Set(wanted.map(({ pipeline }) => pipeline))])
    const unfinished = new Map<string, Array<OccurrenceId>>()
    const note = (each: OccurrenceId) => {
      const known = unfinished.get(each.pipeline)
      if (known === undefined) unfinished.set(each.pipeline, [each])
      else known.push(each)
    }
    for (const each of yield* unfinishedOccurrences(sql)) note(each)
    const pauses = new Map((yield* Registrations.paused(sql)).map((each) => [each.pipeline, each]))
    const decided = wanted.map((each) => {
      const earlier =
        unfinished.get(each.pipeline)?.filter(({ scheduledTime }) => scheduledTime !== each.scheduledTime) ?? []
      const pause = each.cause === "hand" ? undefined : pauses.get(each.pipeline)
      const made: Claim =
        pause !== undefined && isPausedAt(pause, each.scheduledTime)
          ? skipPaused(each, pause)
          : { ...each, ...applyOverlap(each, earlier) }
      if (made.status === "waiting") note(made)
      return made
    })
    // A clock that was ahead, and has been corrected, wrote rows for times that have not passed yet: these rows are removed.
    yield* Effect.forEach(
      blocks([...new Set(wanted.map(({ pipeline }) => pipeline))]),
      (some) => sql`DELETE FROM occurrences WHERE ${sql.in("pipeline", some)} AND status = 'missed'
        AND claimed_at > ${now + clockTolerance}`,
      { discard: true }
    )
    const won = yield* Effect.forEach(
      blocks(decided),
      (some) =>
        sql<OccurrenceRow>`INSERT INTO occurrences ${sql.insert(
          some.map((each) => ({
            ...Struct.pick(each, "pipeline", "due", "cause", "status"),
            scheduled_time: each.scheduledTime,
            owner: each.status === "waiting" ? owner : null,
            attempt: 0,
            reason: encodeOptional(each.reason),
            claimed_at: now,
            ended_at: each.status === "waiting" ? null : now
          }))
        )} ON CONFLICT (pipeline, scheduled_time) DO NOTHING RETURNING *`
    )
    const mine = won.flat().map(toRecord).sort(byTime)
    const keyOf = ({ scheduledTime, pipeline }: OccurrenceId) => `${pipeline} ${scheduledTime}`
    const byKey = new Map(decided.map((each) => [keyOf(each), each]))
    for (const each of mine) {
      const made = byKey.get(keyOf(each))
      if (made === undefined) continue
      if (made.notices.length > 0) yield* NotificationOutbox.add(sql, each, made.notices, now)
      const isFirst = (unfinished.get(each.pipeline)?.length ?? 0) < 2
      if (made.status === "waiting" && made.overlap === "replace" && !isFirst) yield* replace(sql, each, now)
    }
    return mine
  })

/** Reopens a finished occurrence, unless it was completed. */
export const reclaim = (sql: Sql, owner: string, { scheduledTime, pipeline }: OccurrenceId) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<OccurrenceRow>`UPDATE occurrences SET status = 'waiting', owner = ${owner}, reason = NULL,
      replaced_by = NULL, next_at = NULL, ended_at = NULL, claimed_at = ${now}, cause = 'hand'
      WHERE pipeline = ${pipeline} AND scheduled_time = ${scheduledTime} AND ended_at IS NOT NULL AND status <> 'completed'
      RETURNING *`
    return row === undefined ? undefined : toRecord(row)
  })

/** Scheduled time of the last visit of a watch whose changes have been printed. */
export const printed = (sql: Sql, pipeline: string) =>
  Effect.map(sql<{ readonly printed: number }>`SELECT printed FROM watches WHERE pipeline = ${pipeline}`, ([row]) =>
    row === undefined ? undefined : Number(row.printed)
  )

export const markPrinted = (sql: Sql, pipeline: string, scheduledTime: number) =>
  Effect.asVoid(
    sql`INSERT INTO watches ${sql.insert({ pipeline, printed: scheduledTime })}
      ON CONFLICT (pipeline) DO UPDATE SET printed = excluded.printed`
  )

/** Prefix of the locks of lease holders. */
export const lockPrefix = "schedule "

/** Registers the caller as a lease holder until the scope closes. */
export const acquireLease = (connection: Connection) =>
  Effect.gen(function* () {
    const { sql } = connection
    const owner = randomUUID()
    const { lockLost: lost } = yield* Locks.acquire(connection, [`${lockPrefix}${owner}`])
    const unfinished = unfinishedOccurrences(sql).pipe(reading(connection, "looking for unfinished scheduled times"))
    const write = GroupCommit.make((items: ReadonlyArray<Effect.Effect<void, SqlError>>) =>
      Effect.forEach(items, (item) => item, { discard: true }).pipe(writing(connection, "updating scheduled times"))
    )
    /** Adds a write to a batch, and returns the result of this write. */
    const batched = (item: Effect.Effect<boolean, SqlError>) =>
      Effect.suspend(() => {
        let result = false
        const ownWrite = Effect.map(item, (written) => {
          result = written
        })
        return Effect.map(write(ownWrite), () => result)
      })
    const holder: LeaseHolder = {
      owner,
      lost,
      claim: (claims) => claim(sql, owner, claims).pipe(writing(connection, "claiming scheduled times")),
      reclaim: (which) => reclaim(sql, owner, which).pipe(writing(connection, "reclaiming a scheduled time")),
      start: (which) => batched(start(sql, owner, which)),
      retry: (which, later) => batched(retry(sql, owner, which, later)),
      end: (which, outcome) => batched(end(sql, owner, which, outcome)),
      release: (which) => Effect.asVoid(batched(Effect.as(release(sql, owner, which), true))),
      takeOver: Effect.fnUntraced(function* (accepts) {
        // Reads before it writes: usually there is nothing to take over.
        const others = (yield* unfinished).filter((each) => each.owner !== owner && accepts(each))
        if (others.length === 0) return []
        const living = yield* leaseHolders(connection)
        const orphans = others.filter((each) => each.owner === undefined || !living.has(each.owner))
        if (orphans.length === 0) return []
        return yield* takeOver(sql, owner, orphans).pipe(writing(connection, "taking over scheduled times"))
      }),
      owned: Effect.map(unfinished, (all) => all.filter((each) => each.owner === owner))
    }
    return holder
  })

/** Lease holders whose heartbeat is current. */
export const leaseHolders = (connection: Connection) =>
  Effect.map(
    Locks.heldNames(connection),
    (names) =>
      new Set([...names].flatMap((name) => (name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])))
  )
