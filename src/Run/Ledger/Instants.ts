/** The rows of instants: claimed, begun, ended, left and taken over. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import * as Notices from "./Notices.ts"
import { untilOf } from "./Pause.ts"
import * as Scheduled from "./Scheduled.ts"
import type { Claim, Ending, InstantFilter, InstantRecord, InstantStatus, Later } from "./Schedules.ts"

export type SqlFailure = SqlError
type Sql = SqlClient.SqlClient
type Which = Pick<InstantRecord, "pipeline" | "instant">

interface InstantRow {
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

const toRecord = (row: InstantRow): InstantRecord => ({
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

const textOf = (reason: string | undefined) => (reason === undefined ? null : Text.encode(reason))

/** Instants of a pipeline that may wait for earlier ones. */
const queueAtMost = 1000

/** Rows of one statement. */
const block = 50

const byTime = (one: Which, other: Which): number =>
  one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.instant - other.instant

/** All that are not over, oldest first. */
export const open = (sql: Sql) =>
  Effect.map(sql<InstantRow>`SELECT * FROM instants WHERE ended_at IS NULL ORDER BY pipeline, instant`, (rows) =>
    rows.map(toRecord)
  )

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
    const paused = new Map((yield* Scheduled.paused(sql)).map((each) => [each.pipeline, each]))
    const decided = wanted.map((each) => {
      const earlier = unfinished.get(each.pipeline)?.filter(({ instant }) => instant !== each.instant) ?? []
      const pause = each.cause === "hand" ? undefined : paused.get(each.pipeline)
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
      if (made.notices.length > 0) yield* Notices.add(sql, each, made.notices, now)
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
    if (notices.length > 0) yield* Notices.add(sql, toRecord(row), notices, now)
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

export const list = (sql: Sql, { limit, offset = 0, pipeline, since, status }: InstantFilter) =>
  Effect.map(
    sql<InstantRow>`SELECT * FROM instants WHERE ${sql.and([
      ...(pipeline === undefined ? [] : [sql`pipeline = ${pipeline}`]),
      ...(status === undefined ? [] : [status.length === 0 ? sql`1 = 0` : sql.in("status", status)]),
      ...(since === undefined ? [] : [sql`instant >= ${since}`])
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
