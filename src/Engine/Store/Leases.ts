/**
 * Leases on the pages of jobs. Each pool of workers registers as an owner in `job_owners` and renews its lease; the pages of an owner that
 * has ended, or that has not renewed in time, are queued again.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { failing, Sql } from "./Sql.ts"

/** Milliseconds that a lease lasts without renewal. It is renewed three times in that time. */
export const leaseMillis = 30_000

/** Ids of the owners that this process has registered. Other owners with its pid belong to a predecessor (in a container), and are dead. */
export const ownersHere = new Set<string>()

/** True if no process has this id on this machine. */
export const isProcessGone = (pid: number): boolean => {
  // Signal 0 sends nothing and fails if there is no such process.
  const signalled = Effect.runSync(Effect.either(Effect.try(() => process.kill(pid, 0))))
  return signalled._tag === "Left" && (signalled.left.error as NodeJS.ErrnoException).code === "ESRCH"
}

interface Owner {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly expires_at: number
}

/** True if an owner has not renewed in time, or its process on this machine has ended. */
export const isDead = (owner: Owner, now: number): boolean => {
  if (ownersHere.has(owner.id)) return false
  if (owner.expires_at <= now) return true
  return owner.host === hostname() && (owner.pid === process.pid || isProcessGone(owner.pid))
}

/** Queues the pages of an owner again, and removes the owner. */
const release = (sql: Sql, id: string) =>
  sql`DELETE FROM job_owners WHERE id = ${id}`.pipe(
    Effect.zipRight(
      sql<{
        job_id: string
      }>`UPDATE job_pages SET state = 0, owner = NULL WHERE owner = ${id} AND state = 1 RETURNING job_id`
    ),
    Effect.flatMap((pages) => {
      const counts = new Map<string, number>()
      for (const { job_id } of pages) counts.set(job_id, (counts.get(job_id) ?? 0) + 1)
      return Effect.forEach(
        counts,
        ([jobId, pages]) => sql`UPDATE jobs SET active = active - ${pages}, claimed = claimed - ${pages},
          queued = queued + ${pages} WHERE id = ${jobId}`,
        { discard: true }
      )
    }),
    sql.withTransaction
  )

/** Queues the pages of all dead owners again. */
export const reap = (sql: Sql) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const owners = yield* sql<Owner>`SELECT id, host, pid, expires_at FROM job_owners`
    yield* Effect.forEach(
      owners.filter((owner) => isDead(owner, now)),
      ({ id }) => release(sql, id),
      { discard: true }
    )
  })

/** Extends the lease of an owner. */
export const renew = (sql: Sql, id: string) =>
  Effect.gen(function* () {
    const expires_at = (yield* Clock.currentTimeMillis) + leaseMillis
    yield* sql`INSERT INTO job_owners ${sql.insert({ id, host: hostname(), pid: process.pid, expires_at })}
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`
  })

/** Registers an owner while the scope is open. */
export const make = Effect.gen(function* () {
  const sql = yield* Sql
  const id = randomUUID()
  yield* Effect.acquireRelease(
    Effect.zipRight(
      Effect.sync(() => ownersHere.add(id)),
      renew(sql, id)
    ),
    () =>
      Effect.zipRight(
        Effect.ignoreLogged(failing(release(sql, id))),
        Effect.sync(() => ownersHere.delete(id))
      )
  )
  yield* reap(sql)
  return id
})
