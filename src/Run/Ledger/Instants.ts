/** Instants that were claimed: begun, ended, left, taken over and looked up. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import { type InstantRow, type Sql, textOf, toRecord, type Which } from "./InstantRows.ts"
import * as Notices from "./Notices.ts"
import type { Ending, InstantFilter, InstantRecord, Later } from "./Schedules.ts"

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
