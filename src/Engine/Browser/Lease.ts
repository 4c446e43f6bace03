/** The right to save a profile: held by a row of the store, and lost by whoever dies or falls silent. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { isGone } from "../Jobs/Owners.ts"

/** A lease lasts this long without renewal; it is renewed three times in that time. */
const leaseMillis = 30_000

/** Those of this process: a container's new process may well have its predecessor's number. */
const ours = new Set<string>()

export interface Held {
  readonly saver: string | null
  readonly saver_host: string | null
  readonly saver_pid: number | null
  readonly saver_until: number | null
}

export const isHeld = ({ saver, saver_host, saver_pid, saver_until }: Held, now: number): boolean => {
  if (saver === null) return false
  if (ours.has(saver)) return true
  if ((saver_until ?? 0) <= now) return false
  return saver_host !== hostname() || (saver_pid !== process.pid && !isGone(saver_pid ?? 0))
}

export interface Lease {
  readonly id: string
  /** Writes itself into the row, which the caller has seen to be free in the same transaction. */
  readonly take: (row: Statement.Fragment) => Effect.Effect<void, SqlError.SqlError>
  /** Keeps it for as long as it runs. */
  readonly renew: (row: Statement.Fragment) => Effect.Effect<void>
  readonly release: (row: Statement.Fragment) => Effect.Effect<void, SqlError.SqlError>
}

export const make = (sql: SqlClient.SqlClient): Lease => {
  const id = randomUUID()
  const until = Effect.map(Clock.currentTimeMillis, (now) => now + leaseMillis)
  return {
    id,
    take: (row) =>
      Effect.gen(function* () {
        const held = { saver: id, saver_host: hostname(), saver_pid: process.pid, saver_until: yield* until }
        yield* sql`UPDATE browser_profiles SET ${sql.update(held)} WHERE ${row}`
        ours.add(id)
      }),
    renew: (row) =>
      Effect.flatMap(
        until,
        (saver_until) => sql`UPDATE browser_profiles SET ${sql.update({ saver_until })} WHERE ${row} AND saver = ${id}`
      ).pipe(Effect.ignoreLogged, Effect.schedule(Schedule.spaced(leaseMillis / 3)), Effect.asVoid),
    release: (row) =>
      sql`UPDATE browser_profiles SET saver = NULL, saver_host = NULL, saver_pid = NULL, saver_until = NULL
        WHERE ${row} AND saver = ${id}`.pipe(Effect.ensuring(Effect.sync(() => ours.delete(id))), Effect.asVoid)
  }
}
