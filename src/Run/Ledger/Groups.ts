/** Rate limits and budget that the runs of a group (shards of a run) share. */
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import { type Connection, reading } from "./Connection.ts"
import type { LedgerError } from "./Errors.ts"

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
