/**
 * Reservations of budgets that several runs spend from: a pipeline's day, or a run and its shards.
 *
 * A reservation is written before its call and removed in the transaction that books the call. One that a killed process
 * leaves stays until its run books that call, or is completed; a day's budget counts it until the day is over.
 *
 * The reservation of a job that is over is firm: its pages are paid for and will be booked, so nothing of it comes back.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { Decision, Held, Standing } from "../Budget.ts"
import type { Connection } from "./Connection.ts"
import type { Used } from "./Groups.ts"
import * as Spent from "./Spent.ts"

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
        WHERE pipeline = ${Text.encode(purse.pipeline)} AND slot >= ${Spent.slotOf(purse.since)}`
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
