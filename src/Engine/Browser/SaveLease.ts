/**
 * The lease that permits one session to save a browser profile. It is kept in the row of the profile.
 *
 * A lease that is not renewed expires. On the same machine it also ends with the process that holds it.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type * as Statement from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { isDead, leaseMillis, ownersHere } from "../Store/Leases.ts"
import { failing, type Sql } from "../Store/Sql.ts"

export interface LeaseColumns {
  readonly saver: string | null
  readonly saver_host: string | null
  readonly saver_pid: number | null
  readonly saver_until: number | null
}

/** True while a living session holds the lease of this row. */
export const isHeld = ({ saver, saver_host, saver_pid, saver_until }: LeaseColumns, now: number): boolean =>
  saver !== null &&
  !isDead({ id: saver, host: saver_host ?? "", pid: saver_pid ?? 0, expires_at: saver_until ?? 0 }, now)

export interface Lease {
  readonly id: string
  /** Takes the lease. The caller has checked in the same transaction that it is free. */
  readonly take: (row: Statement.Fragment) => Effect.Effect<void>
  /** Renews the lease until interrupted. */
  readonly renew: (row: Statement.Fragment) => Effect.Effect<void>
  readonly release: (row: Statement.Fragment) => Effect.Effect<void>
}

/** Creates a lease that is not yet held, stored in a row of `browser_profiles`. */
export const make = (sql: Sql): Lease => {
  const id = randomUUID()
  const until = Effect.map(Clock.currentTimeMillis, (now) => now + leaseMillis)
  return {
    id,
    take: (row) =>
      Effect.gen(function* () {
        const held = { saver: id, saver_host: hostname(), saver_pid: process.pid, saver_until: yield* until }
        yield* sql`UPDATE browser_profiles SET ${sql.update(held)} WHERE ${row}`
        ownersHere.add(id)
      }),
    renew: (row) =>
      Effect.flatMap(
        until,
        (saver_until) => sql`UPDATE browser_profiles SET ${sql.update({ saver_until })} WHERE ${row} AND saver = ${id}`
      ).pipe(failing, Effect.ignoreLogged, Effect.schedule(Schedule.spaced(leaseMillis / 3)), Effect.asVoid),
    release: (row) =>
      sql`UPDATE browser_profiles SET saver = NULL, saver_host = NULL, saver_pid = NULL, saver_until = NULL
        WHERE ${row} AND saver = ${id}`.pipe(Effect.ensuring(Effect.sync(() => ownersHere.delete(id))), Effect.asVoid)
  }
}
