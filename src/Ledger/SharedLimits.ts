/**
 * Limits that several runs share: rate limits and the budget of a group (shards of a run), and the budget of a pipeline's day.
 *
 * A reservation of a budget is written before its call and removed in the transaction that books the call. One that a killed process
 * leaves stays until its run books that call, or is completed; a day's budget counts it until the day is over.
 *
 * The reservation of a job that is over is firm: its pages are paid for and will be booked, so nothing of it comes back.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../Database/Text.ts"
import { type Connection, reading } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import * as Runs from "./Runs.ts"

/** Whose budget it is: the credits of a pipeline since an instant, or what a group has used beyond `from`. */
export type Purse =
  | { readonly _tag: "Day"; readonly pipeline: string; readonly since: number }
  | { readonly _tag: "Group"; readonly group: string; readonly from: Used }

const nothing: Used = { credits: 0, pages: 0, rows: 0, bytes: 0 }

const nameOf = (purse: Purse): string => (purse._tag === "Day" ? `day ${purse.pipeline}` : `group ${purse.group}`)

/** Until the transaction ends, nobody else decides about this purse. */
const lock = (sql: SqlClient.SqlClient, purse: Purse) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtext(${nameOf(purse)}))`),
    // A transaction that has written is alone already.
    orElse: () => Effect.void
  })

/** What is booked of a purse, as a row like those of the reservations. */
const spentOf = (sql: SqlClient.SqlClient, purse: Purse) =>
  purse._tag === "Day"
    ? sql`SELECT NULL, NULL, coalesce(sum(credits), 0), 0, 0, 0, 1, NULL FROM spent
        WHERE pipeline = ${Text.encode(purse.pipeline)} AND slot >= ${Runs.slotOf(purse.since)}`
    : sql`SELECT NULL, NULL, coalesce(sum(call_credits + job_credits), 0), coalesce(sum(call_pages + job_pages), 0),
        coalesce(sum(output_rows), 0), coalesce(sum(bytes), 0), 1, NULL FROM runs
        WHERE group_id = ${Text.encode(purse.group)}`

/**
 * Decides by what is spent and reserved, and writes what is granted. Within a transaction that has written already.
 * `mine`: reservations that this process holds; what else the run has was left by one that was killed.
 */
export const reserve = (
  { pulse, sql }: Connection,
  run: string,
  id: string,
  purse: Purse,
  mine: ReadonlySet<string>,
  decide: (standing: Standing) => Decision
) =>
  Effect.gen(function* () {
    yield* lock(sql, purse)
    const now = yield* pulse.now
    // One statement: a call that is booked between two of them would count in neither.
    const amounts = yield* sql<{
      run_id: string | null
      id: string | null
      credits: number
      pages: number
      output_rows: number
      output_bytes: number
      firm: number
      silence: number | null
    }>`SELECT r.run_id, r.id, r.credits, r.pages, r.output_rows, r.output_bytes, r.firm,
      (SELECT ${now} - ${pulse.heard} FROM locks WHERE name = 'run ' || r.run_id) AS silence
      FROM reservations r WHERE ${
        purse._tag === "Day"
          ? sql`r.pipeline = ${Text.encode(purse.pipeline)}`
          : sql`r.group_id = ${Text.encode(purse.group)}`
      } AND NOT (r.run_id = ${run} AND r.id = ${Text.encode(id)})
        AND (r.at >= ${purse._tag === "Day" ? purse.since : 0} OR EXISTS (SELECT 1 FROM locks WHERE name = 'run ' || r.run_id))
      UNION ALL ${spentOf(sql, purse)}`
    const from = purse._tag === "Day" ? nothing : purse.from
    let [credits, pages, rows, bytes] = [-from.credits, -from.pages, -from.rows, -from.bytes]
    let isBusy = false
    for (const other of amounts) {
      credits += Number(other.credits)
      pages += Number(other.pages)
      rows += Number(other.output_rows)
      bytes += Number(other.output_bytes)
      if (other.id === null) continue
      const isHeld =
        other.run_id === run
          ? mine.has(Text.decode(other.id))
          : Number(other.firm) === 0 && other.silence !== null && Number(other.silence) <= pulse.stale
      isBusy ||= isHeld && (Number(other.credits) > 0 || Number(other.pages) > 0)
    }
    const decision = decide({ used: { credits, pages, rows, bytes }, isBusy })
    if (decision._tag === "Granted") {
      const row = {
        run_id: run,
        id: Text.encode(id),
        pipeline: purse._tag === "Day" ? Text.encode(purse.pipeline) : null,
        group_id: purse._tag === "Group" ? Text.encode(purse.group) : null,
        credits: decision.held.credits,
        pages: decision.held.pages,
        rows: decision.held.rows ?? 0,
        bytes: decision.held.bytes ?? 0
      }
      yield* sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${row.id}`
      yield* sql`INSERT INTO reservations
          (run_id, id, pipeline, group_id, credits, pages, output_rows, output_bytes, at)
        VALUES (${row.run_id}, ${row.id}, ${row.pipeline}, ${row.group_id}, ${row.credits}, ${row.pages}, ${row.rows},
          ${row.bytes}, ${now})`
    }
    return decision
  })

/** Gives reservations back. */
export const release = (sql: SqlClient.SqlClient, run: string, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${Text.encode(id)}`, {
    discard: true
  })

/** A reservation as it stands after a checkpoint; nothing is left of one without `held`. */
export interface Change {
  readonly id: string
  readonly held: Held | undefined
  /** True once it can only be booked, and no longer given back. */
  readonly isFirm: boolean
}

/** Takes down what is left of reservations. */
export const change = (sql: SqlClient.SqlClient, run: string, changes: ReadonlyArray<Change>) =>
  Effect.forEach(
    changes,
    ({ held, id, isFirm }) =>
      held === undefined
        ? sql`DELETE FROM reservations WHERE run_id = ${run} AND id = ${Text.encode(id)}`
        : sql`UPDATE reservations SET credits = ${held.credits}, pages = ${held.pages},
            firm = ${isFirm ? 1 : 0} WHERE run_id = ${run} AND id = ${Text.encode(id)}`,
    { discard: true }
  )

/** At most `limit` calls in `interval` milliseconds. */
export interface Rate {
  readonly limit: number
  readonly interval: number
}

/** Committed usage of the runs of a group. */
export interface Used {
  readonly credits: number
  /** Pages of calls that were answered and of the runs' own jobs. */
  readonly pages: number
  /** Rows that were admitted to outputs, or to the end of a branch without one. */
  readonly rows: number
  /** Their bytes at most. */
  readonly bytes: number
}

export interface Groups {
  /**
   * Takes the next slot of a named rate limit. Returns the milliseconds to wait: 0 for the first `limit` calls, then
   * evenly spaced.
   */
  readonly turn: (name: string, rate: Rate) => Effect.Effect<number, LedgerError>
  /** Usage of all runs of a group except one. */
  readonly used: (group: string, except?: string) => Effect.Effect<Used, LedgerError>
}

/** Age after which an unused rate is deleted. */
const idleMillis = 24 * 60 * 60_000

export const make = (connection: Connection): Groups => {
  const { pulse, sql } = connection
  return {
    turn: (name, { interval, limit }) =>
      Effect.gen(function* () {
        const now = yield* pulse.now
        const one = sql`CAST(${interval / limit} AS DOUBLE PRECISION)`
        // The time at which all taken slots are used up. A caller that is further ahead than the interval waits.
        const [row] = yield* sql<{ ahead: number }>`INSERT INTO rates (name, paid_at)
          VALUES (${Text.encode(name)}, ${now} + ${one}) ON CONFLICT (name) DO UPDATE SET paid_at =
            CASE WHEN rates.paid_at > excluded.paid_at - ${one} THEN rates.paid_at + ${one} ELSE excluded.paid_at END
          RETURNING paid_at - ${now} AS ahead`
        return Math.max(0, Math.ceil(Number(row?.ahead ?? 0) - interval))
      }).pipe(
        // One statement. A slot whose answer was lost does no harm.
        reading(connection, `waiting for a turn of ${name}`)
      ),
    used: (group, except = "") =>
      Effect.gen(function* () {
        const those = sql`group_id = ${Text.encode(group)} AND id <> ${except}`
        const [sums] = yield* sql<{
          credits: number | null
          pages: number | null
          n: number | null
          bytes: number | null
        }>`SELECT sum(call_credits + job_credits) AS credits, sum(call_pages + job_pages) AS pages,
          sum(output_rows) AS n, sum(bytes) AS bytes FROM runs WHERE ${those}`
        return {
          credits: Number(sums?.credits ?? 0),
          rows: Number(sums?.n ?? 0),
          pages: Number(sums?.pages ?? 0),
          bytes: Number(sums?.bytes ?? 0)
        }
      }).pipe(reading(connection, `adding up what ${group} has used`))
  }
}

/** Deletes unused rates. */
export const forget = ({ pulse, sql }: Connection) =>
  Effect.flatMap(pulse.now, (now) => sql`DELETE FROM rates WHERE paid_at < ${now} - ${idleMillis}`)

/** What counts against a budget at the moment: spent and reserved together. */
export interface Standing {
  readonly used: Used
  /** True while other reservations are held of which something may be given back. */
  readonly isBusy: boolean
}

export interface Held {
  readonly credits: number
  readonly pages: number
  /** Rows that were let into outputs since the last checkpoint, and their bytes at most. */
  readonly rows?: number
  readonly bytes?: number
}

/** `units`: results of a search, pages of a job. */
export type Decision =
  | { readonly _tag: "Granted"; readonly units: number; readonly held: Held }
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Refused"; readonly why: string }
