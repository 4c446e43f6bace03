/**
 * Limits shared by several runs: rate limits and the budget that the shards of a run share (a group), and the daily budget of a pipeline.
 *
 * - A reservation is written before its call, and removed in the transaction that books the call.
 * - After a crash, a reservation stays until its run is resumed and books the call, or is completed. A daily budget counts it until the end
 *   of the day.
 * - The reservation of a finished job is firm: its pages are paid for and will be booked, so it cannot be released.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, reading } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { BudgetScope, BudgetUsage, Decision, ReservationChange, Usage } from "./Model.ts"
import * as Runs from "./Runs.ts"

const noUsage: Usage = { credits: 0, pages: 0, calls: 0, rows: 0, bytes: 0 }

const nameOf = (scope: BudgetScope): string => (scope._tag === "Day" ? `day ${scope.pipeline}` : `group ${scope.group}`)

/** Serializes decisions on a budget until the transaction ends. */
const lock = (sql: SqlClient.SqlClient, scope: BudgetScope) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext(${nameOf(scope)}))`),
    // A SQLite transaction that has written something is already exclusive.
    orElse: () => Effect.void
  })

/** Booked usage, selected with the same columns as reservations. */
const bookedUsage = (sql: SqlClient.SqlClient, scope: BudgetScope) =>
  scope._tag === "Day"
    ? sql`SELECT NULL, NULL, coalesce(sum(credits), 0), 0, 0, 0, 0, 1, NULL FROM spent
        WHERE pipeline = ${Dialect.encodeText(scope.pipeline)} AND slot >= ${Runs.slotOf(scope.since)}`
    : sql`SELECT NULL, NULL, coalesce(sum(call_credits + job_credits), 0), coalesce(sum(call_pages + job_pages), 0),
        coalesce(sum(call_count), 0), coalesce(sum(output_rows), 0), coalesce(sum(bytes), 0), 1, NULL FROM runs
        WHERE group_id = ${Dialect.encodeText(scope.group)}`

/**
 * Calls `decide` with the booked and reserved amounts, and stores what it grants. Must run in a transaction that has already written.
 * `mine`: reservations of this process. Other reservations of the run were left by a killed process.
 */
export const reserve = (
  { heartbeat, sql }: Connection,
  run: string,
  id: string,
  scope: BudgetScope,
  mine: ReadonlySet<string>,
  decide: (standing: BudgetUsage) => Decision
) =>
  Effect.gen(function* () {
    yield* lock(sql, scope)
    const now = yield* heartbeat.now
    // One statement reads both amounts, so that a call booked in the meantime counts exactly once.
    const amounts = yield* sql<{
      run_id: string | null
      id: string | null
      credits: number
      pages: number
      calls: number
      output_rows: number
      output_bytes: number
      firm: number
      silence: number | null
    }>`SELECT r.run_id, r.id, r.credits, r.pages, r.calls, r.output_rows, r.output_bytes, r.firm,
      (SELECT ${now} - ${heartbeat.lastBeat} FROM locks WHERE name = 'run ' || r.run_id) AS silence
      FROM reservations r WHERE ${
        scope._tag === "Day"
          ? sql`r.pipeline = ${Dialect.encodeText(scope.pipeline)}`
          : sql`r.group_id = ${Dialect.encodeText(scope.group)}`
      } AND NOT (r.run_id = ${run} AND r.id = ${Dialect.encodeText(id)})
        AND (r.at >= ${scope._tag === "Day" ? scope.since : 0} OR EXISTS (SELECT 1 FROM locks WHERE name = 'run ' || r.run_id))
      UNION ALL ${bookedUsage(sql, scope)}`
    const from = scope._tag === "Day" ? noUsage : scope.from
    let [credits, pages, calls, rows, bytes] = [-from.credits, -from.pages, -from.calls, -from.rows, -from.bytes]
    let isBusy = false
    for (const other of amounts) {
      credits += Number(other.credits)
      pages += Number(other.pages)
      calls += Number(other.calls)
      rows += Number(other.output_rows)
      bytes += Number(other.output_bytes)
      if (other.id === null) continue
      const isLive =
        other.run_id === run
          ? mine.has(Dialect.decodeText(other.id))
          : Number(other.firm) === 0 && other.silence !== null && Number(other.silence) <= heartbeat.timeout
      isBusy ||= isLive && (Number(other.credits) > 0 || Number(other.pages) > 0 || Number(other.calls) > 0)
    }
    const decision = decide({ used: { credits, pages, calls, rows, bytes }, isBusy })
    if (decision._tag === "Granted") {
      const row = {
        run_id: run,
        id: Dialect.encodeText(id),
        pipeline: scope._tag === "Day" ? Dialect.encodeText(scope.pipeline) : null,
        group_id: scope._tag === "Group" ? Dialect.encodeText(scope.group) : null,
        credits: decision.reserved.credits,
        pages: decision.reserved.pages,
        calls: decision.reserved.calls ?? 0,
        rows: decision.reserved.rows ?? 0,
        bytes: decision.reserved.bytes ?? 0
      }
      yield* sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${row.id}`
      yield* sql`INSERT INTO reservations
          (run_id, id, pipeline, group_id, credits, pages, calls, output_rows, output_bytes, at)
        VALUES (${row.run_id}, ${row.id}, ${row.pipeline}, ${row.group_id}, ${row.credits}, ${row.pages}, ${row.calls},
          ${row.rows}, ${row.bytes}, ${now})`
    }
    return decision
  })

export const release = (sql: SqlClient.SqlClient, run: string, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.void
    : Effect.forEach(
        ids,
        (id) => sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${Dialect.encodeText(id)}`,
        {
          discard: true
        }
      )

export const updateReservations = (sql: SqlClient.SqlClient, run: string, changes: ReadonlyArray<ReservationChange>) =>
  Effect.forEach(
    changes,
    ({ id, isFirm, remaining }) =>
      remaining === undefined
        ? sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${Dialect.encodeText(id)}`
        : sql`UPDATE reservations SET credits = ${remaining.credits}, pages = ${remaining.pages}, calls = ${remaining.calls ?? 0},
            firm = ${isFirm ? 1 : 0} WHERE run_id = ${run} AND id = ${Dialect.encodeText(id)}`,
    { discard: true }
  )

/** Rate limit: at most `limit` calls in `interval` milliseconds. */
export interface Rate {
  readonly limit: number
  readonly interval: number
}

export interface SharedLimits {
  /**
   * Takes the next turn under a named rate limit. Returns the milliseconds to wait: 0 for the first `limit` calls, later calls are spaced
   * evenly.
   */
  readonly takeTurn: (name: string, rate: Rate) => Effect.Effect<number, LedgerError>
  /** Usage of all runs of a group except one. */
  readonly used: (group: string, except?: string) => Effect.Effect<Usage, LedgerError>
}

/** Milliseconds after which an unused rate limit is deleted. */
const idleMillis = 24 * 60 * 60_000

export const make = (connection: Connection): SharedLimits => {
  const { heartbeat, sql } = connection
  return {
    takeTurn: (name, { interval, limit }) =>
      Effect.gen(function* () {
        const now = yield* heartbeat.now
        const one = sql`CAST(${interval / limit} AS DOUBLE PRECISION)`
        // `paid_at`: time until which the calls granted so far use up the average rate. A caller waits if that is more than `interval`
        // ahead.
        const [row] = yield* sql<{ ahead: number }>`INSERT INTO rates (name, paid_at)
          VALUES (${Dialect.encodeText(name)}, ${now} + ${one}) ON CONFLICT (name) DO UPDATE SET paid_at =
            CASE WHEN rates.paid_at > excluded.paid_at - ${one} THEN rates.paid_at + ${one} ELSE excluded.paid_at END
          RETURNING paid_at - ${now} AS ahead`
        return Math.max(0, Math.ceil(Number(row?.ahead ?? 0) - interval))
      }).pipe(
        // If this read is retried, it takes a second turn, which only delays the next call.
        reading(connection, `taking a slot of the rate limit ${name}`)
      ),
    used: (group, except = "") =>
      Effect.gen(function* () {
        const those = sql`group_id = ${Dialect.encodeText(group)} AND id <> ${except}`
        const [sums] = yield* sql<{
          credits: number | null
          pages: number | null
          calls: number | null
          n: number | null
          bytes: number | null
        }>`SELECT sum(call_credits + job_credits) AS credits, sum(call_pages + job_pages) AS pages,
          sum(call_count) AS calls, sum(output_rows) AS n, sum(bytes) AS bytes FROM runs WHERE ${those}`
        return {
          credits: Number(sums?.credits ?? 0),
          rows: Number(sums?.n ?? 0),
          pages: Number(sums?.pages ?? 0),
          calls: Number(sums?.calls ?? 0),
          bytes: Number(sums?.bytes ?? 0)
        }
      }).pipe(reading(connection, `adding up what ${group} has used`))
  }
}

/** Deletes rate limits that were unused for a day. */
export const deleteUnusedRates = ({ heartbeat, sql }: Connection) =>
  Effect.flatMap(heartbeat.now, (now) => sql`DELETE FROM rates WHERE paid_at < ${now} - ${idleMillis}`)
