/**
 * Occurrences and schedules in the database.
 *
 * Daemons compete for occurrences: the insert of its row decides who runs it. Each daemon holds a lock with a heartbeat, and writes only to
 * rows of its own; those of a daemon whose lock has expired are taken over by others.
 */
import { randomUUID } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../Database/Text.ts"
import * as WriteBatch from "../Database/WriteBatch.ts"
import { type Connection, reading, writing } from "../Ledger/Connection.ts"
import * as Locks from "../Ledger/Locks.ts"
import type { InstantStatus } from "./InstantStatus.ts"
import {
  type Carrier,
  type Claim,
  type Ending,
  type InstantFilter,
  type InstantRecord,
  type Later,
  type Registration,
  type ScheduleRecord,
  untilOf
} from "./Model.ts"
import * as NotificationOutbox from "./NotificationOutbox.ts"

export type Sql = SqlClient.SqlClient
export type Which = Pick<InstantRecord, "pipeline" | "instant">

export interface InstantRow {
  readonly pipeline: string
  readonly instant: number
  readonly due: number
  readonly cause: "schedule" | "hand"
  readonly status: InstantStatus
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

const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

export const toRecord = (row: InstantRow): InstantRecord => ({
  pipeline: row.pipeline,
  instant: Number(row.instant),
  due: Number(row.due),
  cause: row.cause,
  status: row.status,
  owner: row.owner ?? undefined,
  runId: row.run_id ?? undefined,
  attempt: Number(row.attempt),
  reason: row.reason === null ? undefined : Text.decode(row.reason),
  replacedBy: numberOf(row.replaced_by),
  claimedAt: Number(row.claimed_at),
  begunAt: numberOf(row.begun_at),
  nextAt: numberOf(row.next_at),
  endedAt: numberOf(row.ended_at)
})

export const textOf = (reason: string | undefined) => (reason === undefined ? null : Text.encode(reason))

/** All that are not over, oldest first. */
export const open = (sql: Sql) =>
  Effect.map(sql<InstantRow>`SELECT * FROM instants WHERE ended_at IS NULL ORDER BY pipeline, instant`, (rows) =>
    rows.map(toRecord)
  )

const own = (sql: Sql, owner: string, { instant, pipeline }: Which) =>
  sql`pipeline = ${pipeline} AND instant = ${instant} AND owner = ${owner} AND ended_at IS NULL`

const isThere = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0

export const begin = (
  sql: Sql,
  owner: string,
  { alone, runId, ...which }: Which & { readonly runId: string; readonly alone: boolean }
) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isFirst = alone
      ? sql` AND NOT EXISTS (SELECT 1 FROM instants AS earlier WHERE earlier.pipeline = ${which.pipeline}
          AND earlier.instant < ${which.instant} AND earlier.ended_at IS NULL)`
      : sql``
    const rows = yield* sql`UPDATE instants SET status = 'running', run_id = ${runId}, attempt = attempt + 1,
      next_at = NULL, reason = NULL, begun_at = coalesce(begun_at, ${now})
      WHERE ${own(sql, owner, which)} AND replaced_by IS NULL${isFirst} RETURNING instant`
    return isThere(rows)
  })

export const retry = (sql: Sql, owner: string, which: Which, { at, counts, reason, runId }: Later) =>
  Effect.map(
    sql`UPDATE instants SET status = 'retrying', next_at = ${at}, reason = ${Text.encode(reason)},
      run_id = ${runId ?? null}, attempt = attempt - ${counts ? 0 : 1}
      WHERE ${own(sql, owner, which)} RETURNING instant`,
    isThere
  )

export const end = (sql: Sql, owner: string, which: Which, { notices, reason, status }: Ending) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<InstantRow>`UPDATE instants SET status = ${status}, reason = ${textOf(reason)},
      next_at = NULL, ended_at = ${now} WHERE ${own(sql, owner, which)} RETURNING *`
    if (row === undefined) return false
    if (notices.length > 0) yield* NotificationOutbox.add(sql, toRecord(row), notices, now)
    return true
  })

/** What ran goes on with its run, and that it was stopped was no try; what waited begins. Nobody has them until then. */
export const leave = (sql: Sql, owner: string, which: ReadonlyArray<Which>) =>
  Effect.forEach(
    which,
    (each) => sql`UPDATE instants SET owner = NULL,
      attempt = attempt - CASE WHEN status = 'running' THEN 1 ELSE 0 END,
      status = CASE WHEN status = 'running' THEN 'waiting' ELSE status END WHERE ${own(sql, owner, each)}`,
    { discard: true }
  )

/** Takes those that still are whose they were. */
export const take = (sql: Sql, owner: string, orphans: ReadonlyArray<InstantRecord>) =>
  Effect.map(
    Effect.forEach(orphans, ({ instant, owner: former, pipeline }) => {
      const whose = former === undefined ? sql`owner IS NULL` : sql`owner = ${former}`
      return sql<InstantRow>`UPDATE instants SET owner = ${owner}
        WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NULL AND ${whose} RETURNING *`
    }),
    (rows) => rows.flat().map(toRecord)
  )

export const find = (sql: Sql, { instant, pipeline }: Which) =>
  Effect.map(sql<InstantRow>`SELECT * FROM instants WHERE pipeline = ${pipeline} AND instant = ${instant}`, ([row]) =>
    row === undefined ? undefined : toRecord(row)
  )

export const list = (sql: Sql, { limit, offset = 0, pipeline, since, status, until }: InstantFilter) =>
  Effect.map(
    sql<InstantRow>`SELECT * FROM instants WHERE ${sql.and([
      ...(pipeline === undefined ? [] : [sql`pipeline = ${pipeline}`]),
      ...(status === undefined ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)]),
      ...(since === undefined ? [] : [sql`instant >= ${since}`]),
      ...(until === undefined ? [] : [sql`instant <= ${until}`])
    ])} ORDER BY instant DESC, pipeline LIMIT ${limit} OFFSET ${offset}`,
    (rows) => rows.map(toRecord)
  )

export const last = (sql: Sql) =>
  Effect.map(
    sql<InstantRow>`SELECT instants.* FROM schedules JOIN instants ON instants.pipeline = schedules.pipeline
      AND instants.instant = (SELECT max(one.instant) FROM instants AS one WHERE one.pipeline = schedules.pipeline
        AND one.ended_at IS NOT NULL AND one.status NOT IN ('missed', 'skipped'))`,
    (rows) => new Map(rows.map((row) => [row.pipeline, toRecord(row)]))
  )

interface ScheduleRow {
  readonly pipeline: string
  readonly file: string
  readonly times: string
  readonly schedule: string
  readonly since: number
  readonly reached: number | null
  readonly paused_at: number | null
  readonly paused_why: string | null
  readonly removed_at: number | null
}

const toSchedule = (row: ScheduleRow): ScheduleRecord => ({
  pipeline: row.pipeline,
  file: Text.decode(row.file),
  times: row.times,
  schedule: Text.decode(row.schedule),
  reached: Math.max(Number(row.since), Number(row.reached ?? 0)),
  pausedAt: numberOf(row.paused_at),
  pausedWhy: row.paused_why === null ? undefined : Text.decode(row.paused_why),
  removedAt: numberOf(row.removed_at)
})

/** Who asks for an instant by hand has not looked at those before it. */
export const listSchedules = (sql: Sql) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.map(
      sql<ScheduleRow>`SELECT schedules.*, (SELECT max(instants.instant) FROM instants
          WHERE instants.pipeline = schedules.pipeline AND instants.instant <= ${now}
            AND instants.cause = 'schedule') AS reached
        FROM schedules ORDER BY pipeline`,
      (rows) => rows.map(toSchedule)
    )
  )

/** Who writes a file anew may take it away before: what is back within a minute was never gone. */
const swapped = 60_000

/** A pipeline that is new, that has come back, or that has other times begins now: what was before does not count. */
export const register = (sql: Sql, pipelines: ReadonlyArray<Registration>) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { file, pipeline, schedule, times } of [...pipelines].sort((a, b) =>
      a.pipeline < b.pipeline ? -1 : 1
    )) {
      yield* sql`INSERT INTO schedules ${sql.insert({
        pipeline,
        file: Text.encode(file),
        times,
        schedule: Text.encode(schedule),
        since: now,
        seen_at: now
      })} ON CONFLICT (pipeline) DO UPDATE SET file = excluded.file, schedule = excluded.schedule,
        since = CASE WHEN schedules.times = excluded.times AND coalesce(schedules.removed_at, ${now}) >= ${now - swapped}
          THEN schedules.since ELSE excluded.since END,
        times = excluded.times, seen_at = excluded.seen_at, removed_at = NULL`
    }
    const names = new Set(pipelines.map(({ pipeline }) => pipeline))
    return (yield* listSchedules(sql)).filter(({ pipeline }) => names.has(pipeline))
  })

export const remove = (sql: Sql, pipelines: ReadonlyArray<string>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.forEach(
      pipelines,
      (pipeline) => sql`UPDATE schedules SET removed_at = ${now} WHERE pipeline = ${pipeline} AND removed_at IS NULL`,
      { discard: true }
    )
  )

export const pause = (sql: Sql, pipeline: string, why: string | undefined) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.map(
      sql`UPDATE schedules SET paused_at = coalesce(paused_at, ${now}),
        paused_why = ${why === undefined ? null : Text.encode(why)} WHERE pipeline = ${pipeline} RETURNING pipeline`,
      (rows) => rows.length > 0
    )
  )

export const paused = (sql: Sql) =>
  Effect.map(
    sql<
      Pick<ScheduleRow, "pipeline" | "paused_at" | "paused_why">
    >`SELECT pipeline, paused_at, paused_why FROM schedules
      WHERE paused_at IS NOT NULL`,
    (rows) =>
      rows.map(({ paused_at, paused_why, pipeline }) => ({
        pipeline,
        at: Number(paused_at),
        why: paused_why === null ? undefined : Text.decode(paused_why)
      }))
  )

export const resume = (sql: Sql, pipeline: string) =>
  Effect.map(
    sql`UPDATE schedules SET paused_at = NULL, paused_why = NULL WHERE pipeline = ${pipeline} RETURNING pipeline`,
    (rows) => rows.length > 0
  )

/** What was let go is not missed afterwards. */
export const forget = (sql: Sql, before: number, lockPrefix: string) =>
  Effect.gen(function* () {
    yield* sql`UPDATE schedules SET since = ${before} WHERE since < ${before}`
    const gone = yield* sql`DELETE FROM instants WHERE instant < ${before} AND (ended_at < ${before}
      OR ended_at IS NULL AND claimed_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM locks WHERE locks.name = ${lockPrefix} || instants.owner)) RETURNING instant`
    yield* sql`DELETE FROM notices WHERE made_at < ${before} AND next_at IS NULL`
    // Who was paused stays so when its definition comes back.
    yield* sql`DELETE FROM schedules WHERE removed_at < ${before} AND paused_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM instants WHERE instants.pipeline = schedules.pipeline)`
    return gone.length
  })

/** Instants of a pipeline that may wait for earlier ones. */
const queueAtMost = 1000

/** Rows of one statement. */
const block = 50

const byTime = (one: Which, other: Which): number =>
  one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.instant - other.instant

const blocks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / block) }, (_, index) => items.slice(index * block, (index + 1) * block))

/** Of two who claim instants of one pipeline at once, one sees what the other has claimed. */
const inTurn = (sql: Sql, pipelines: ReadonlyArray<string>) =>
  sql.onDialectOrElse({
    // A transaction has the file to itself.
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.forEach(
        blocks(pipelines),
        (some) => sql`SELECT pipeline FROM schedules WHERE ${sql.in("pipeline", some)} ORDER BY pipeline FOR UPDATE`,
        { discard: true }
      )
  })

/** What becomes of the claims of a pipeline that is paused. */
const held = (claim: Claim, { at, why }: { readonly at: number; readonly why: string | undefined }): Claim => ({
  ...claim,
  status: "skipped",
  reason: `the pipeline is paused since ${new Date(at).toISOString()}${why === undefined ? "" : `: ${why}`}`,
  notices: []
})

/** What becomes of a claim while these instants are not over. */
const settled = (claim: Claim, earlier: ReadonlyArray<Which>): Pick<Claim, "status" | "reason"> => {
  const [first] = earlier
  if (claim.status !== "waiting" || first === undefined) return claim
  if (claim.overlap === "skip") {
    return { status: "skipped", reason: `the run for ${new Date(first.instant).toISOString()} was not over` }
  }
  return claim.overlap === "queue" && earlier.length >= queueAtMost
    ? { status: "skipped", reason: `${queueAtMost} earlier instants were not over` }
    : claim
}

/** A later instant takes the place of those before it: what runs is to be stopped by whoever runs it. */
const replace = (sql: Sql, { instant, pipeline }: Which, now: number) =>
  Effect.zipRight(
    sql`UPDATE instants SET replaced_by = ${instant}
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL`,
    sql`UPDATE instants SET status = 'replaced', reason = ${`the instant ${new Date(instant).toISOString()} took its place`},
      ended_at = ${now}, next_at = NULL
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL AND status <> 'running'`
  )

/** The first to write an instant down has it; of the others nothing is written. */
export const claim = (sql: Sql, owner: string, claims: ReadonlyArray<Claim>) =>
  Effect.gen(function* () {
    if (claims.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const wanted = [...claims].sort(byTime)
    yield* inTurn(sql, [...new Set(wanted.map(({ pipeline }) => pipeline))])
    const unfinished = new Map<string, Array<Which>>()
    const note = (each: Which) => {
      const known = unfinished.get(each.pipeline)
      if (known === undefined) unfinished.set(each.pipeline, [each])
      else known.push(each)
    }
    for (const each of yield* open(sql)) note(each)
    const pauses = new Map((yield* paused(sql)).map((each) => [each.pipeline, each]))
    const decided = wanted.map((each) => {
      const earlier = unfinished.get(each.pipeline)?.filter(({ instant }) => instant !== each.instant) ?? []
      const pause = each.cause === "hand" ? undefined : pauses.get(each.pipeline)
      // A pause ends with its instant, whenever somebody comes to write that down.
      const made: Claim =
        pause === undefined || each.instant >= (untilOf(pause.why) ?? Number.POSITIVE_INFINITY)
          ? { ...each, ...settled(each, earlier) }
          : held(each, pause)
      if (made.status === "waiting") note(made)
      return made
    })
    const won = yield* Effect.forEach(
      blocks(decided),
      (some) =>
        sql<InstantRow>`INSERT INTO instants ${sql.insert(
          some.map((each) => ({
            pipeline: each.pipeline,
            instant: each.instant,
            due: each.due,
            cause: each.cause,
            status: each.status,
            owner: each.status === "waiting" ? owner : null,
            attempt: 0,
            reason: textOf(each.reason),
            claimed_at: now,
            ended_at: each.status === "waiting" ? null : now
          }))
        )} ON CONFLICT (pipeline, instant) DO NOTHING RETURNING *`
    )
    const mine = won.flat().map(toRecord).sort(byTime)
    const keyOf = ({ instant, pipeline }: Which) => `${pipeline} ${instant}`
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

/** Claims one that is over and was not completed. */
export const again = (sql: Sql, owner: string, { instant, pipeline }: Which) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<InstantRow>`UPDATE instants SET status = 'waiting', owner = ${owner}, reason = NULL,
      replaced_by = NULL, next_at = NULL, ended_at = NULL, claimed_at = ${now}, cause = 'hand'
      WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NOT NULL AND status <> 'completed'
      RETURNING *`
    return row === undefined ? undefined : toRecord(row)
  })

/** Before the names of locks that say who is alive. */
export const lockPrefix = "schedule "

/** Makes its caller a carrier, until the scope closes. */
export const carry = (connection: Connection) =>
  Effect.gen(function* () {
    const { sql } = connection
    const owner = randomUUID()
    const { lockLost: lost } = yield* Locks.acquire(connection, [`${lockPrefix}${owner}`])
    const write = WriteBatch.make((items: ReadonlyArray<Effect.Effect<void, SqlError>>) =>
      Effect.forEach(items, (item) => item, { discard: true }).pipe(writing(connection, "writing down instants"))
    )
    /** One of the many that are written together, and what it says. */
    const grouped = (item: Effect.Effect<boolean, SqlError>) =>
      Effect.suspend(() => {
        let said = false
        const noted = Effect.map(item, (answer) => {
          said = answer
        })
        return Effect.map(write(noted), () => said)
      })
    const carrier: Carrier = {
      owner,
      lost,
      claim: (claims) => claim(sql, owner, claims).pipe(writing(connection, "claiming instants")),
      again: (which) => again(sql, owner, which).pipe(writing(connection, "claiming an instant again")),
      begin: (which) => grouped(begin(sql, owner, which)),
      retry: (which, later) => grouped(retry(sql, owner, which, later)),
      end: (which, ending) => grouped(end(sql, owner, which, ending)),
      leave: (which) => Effect.asVoid(grouped(Effect.as(leave(sql, owner, which), true))),
      takeOver: Effect.fnUntraced(
        function* (accepts) {
          // Most of the time there is nothing to take over: looking costs no write.
          const unfinished = (yield* open(sql)).filter((each) => each.owner !== owner && accepts(each))
          if (unfinished.length === 0) return []
          const living = yield* carriers(connection)
          const orphans = unfinished.filter((each) => each.owner === undefined || !living.has(each.owner))
          if (orphans.length === 0) return []
          return yield* take(sql, owner, orphans).pipe(writing(connection, "taking over instants"))
        },
        reading(connection, "looking for instants that were left")
      ),
      own: Effect.map(open(sql), (all) => all.filter((each) => each.owner === owner)).pipe(
        reading(connection, "looking for instants")
      )
    }
    return carrier
  })

/** Owners that are alive. */
export const carriers = (connection: Connection) =>
  Effect.map(
    Locks.heldNames(connection),
    (names) =>
      new Set([...names].flatMap((name) => (name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])))
  )
