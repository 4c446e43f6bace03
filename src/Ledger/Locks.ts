/**
 * Named locks with a heartbeat, one holder each.
 *
 * - A holder renews its heartbeat while its scope is open. When the heartbeat expires, or the holder was a process of this machine
 *   that has ended, the next caller takes the lock.
 * - `fence` is the first statement of every write transaction: a process that has lost a lock can no longer write.
 * - The owner is a random id, not the process, because PIDs are reused.
 * - Another process may ask the holder to stop. The holder reads the request at its next heartbeat; a new holder does not inherit it.
 */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { type Connection, reading, writing } from "./Connection.ts"
import { LedgerError, Locked } from "./LedgerErrors.ts"

/** Locks that this process holds. */
export interface HeldLocks {
  /** Renews the heartbeat inside the caller's transaction. Fails once a lock was lost. */
  readonly fence: Effect.Effect<void, LedgerError | SqlError>
  /** Never succeeds; fails when a lock was lost. */
  readonly lockLost: Effect.Effect<never, LedgerError>
  /** Completes when another process has asked the holder to stop; noticed no later than at the next heartbeat. */
  readonly stopRequested: Effect.Effect<void>
  /** Checks the locks if the last successful heartbeat is older than the timeout, for example after the machine was suspended. */
  readonly verify: Effect.Effect<void, LedgerError>
}

interface LockRow {
  readonly name: string
  readonly owner: string
  readonly host: string
  readonly pid: number
  readonly beat: number
  readonly last_beat: number
  /** Time of the query, by the clock that the heartbeats use. */
  readonly now: number
}

/** Owners created by this process. A row with our PID and another owner was left by an earlier process. */
const ownersHere = new Set<string>()

/** True for a zombie process, which has ended but still has its PID: a container without an init process never reaps them. */
const isZombie = (pid: number): boolean => {
  if (process.platform !== "linux") return false
  const stat = Effect.runSync(Effect.option(Effect.try(() => readFileSync(`/proc/${pid}/stat`, "latin1"))))
  return stat._tag === "Some" && /^[ZX]/.test(stat.value.slice(stat.value.lastIndexOf(")") + 2))
}

const hasExited = (pid: number): boolean => {
  // Signal 0 only checks that the process exists.
  const asked = Effect.runSync(Effect.either(Effect.try(() => process.kill(pid, 0))))
  return asked._tag === "Left" ? (asked.left.error as NodeJS.ErrnoException).code === "ESRCH" : isZombie(pid)
}

/** True if the owner was a process of this machine and has ended. */
const hasEnded = (row: LockRow, host: string): boolean =>
  row.host === host && !ownersHere.has(row.owner) && (Number(row.pid) === process.pid || hasExited(Number(row.pid)))

const silence = ({ last_beat, now }: LockRow): number => Math.max(0, Number(now) - Number(last_beat))

const isDead = (row: LockRow, { host, heartbeat }: Connection): boolean =>
  silence(row) > heartbeat.timeout || hasEnded(row, host)

/** All locks, or the one with this name. */
const rows = ({ heartbeat, sql }: Connection, name?: string) =>
  Effect.flatMap(
    heartbeat.now,
    (
      now
    ) => sql<LockRow>`SELECT name, owner, host, pid, beat, ${heartbeat.lastBeat} AS last_beat, ${now} AS now FROM locks
      WHERE ${name === undefined ? sql`1 = 1` : sql`name = ${name}`}`
  )

/** A lock of another machine is deleted after this many milliseconds without a heartbeat. */
const abandonedAfter = 86_400_000

/** Deletes locks of dead holders, including those that no caller asks for again. */
const deleteAbandoned = (connection: Connection) =>
  Effect.flatMap(rows(connection), (all) =>
    Effect.forEach(
      all.filter(
        (row) => hasEnded(row, connection.host) || silence(row) > Math.max(abandonedAfter, connection.heartbeat.timeout)
      ),
      ({ beat, name, owner }) =>
        connection.sql`DELETE FROM locks WHERE name = ${name} AND owner = ${owner} AND beat = ${beat}`,
      { discard: true }
    )
  )

/** Description like `process 12 on box`. */
const describeOwner = ({ host, pid }: LockRow): string => `process ${pid} on ${host.replace(/\/.*$/, "")}`

const acquireOne = (connection: Connection, name: string, owner: string) =>
  Effect.gen(function* () {
    const { host, heartbeat, sql } = connection
    const now = yield* heartbeat.now
    const made = yield* sql`INSERT INTO locks (name, owner, host, pid, since, beat)
      VALUES (${name}, ${owner}, ${host}, ${process.pid}, ${now}, ${now}) ON CONFLICT (name) DO NOTHING RETURNING name`
    if (made.length > 0) return
    const [row] = yield* rows(connection, name)
    if (row !== undefined && isDead(row, connection)) {
      // Another process may find the holder dead too; the update succeeds for only one of them.
      const taken = yield* sql`UPDATE locks SET owner = ${owner}, host = ${host}, pid = ${process.pid}, since = ${now},
        beat = ${now}, stop_at = NULL WHERE name = ${name} AND owner = ${row.owner} AND beat = ${row.beat} RETURNING name`
      if (taken.length > 0) return
    }
    const owned = row === undefined ? "a process that has just released it" : describeOwner(row)
    return yield* new Locked({ name, owner: owned, beat: row === undefined ? 0 : silence(row) })
  })

/** Acquires all of the locks or none; releases them when the scope closes. */
export const acquire = (
  connection: Connection,
  wanted: ReadonlyArray<string>
): Effect.Effect<HeldLocks, LedgerError | Locked, Scope.Scope> =>
  Effect.gen(function* () {
    const { place, heartbeat, sql } = connection
    // Sorted, so that two callers cannot deadlock.
    const names = [...new Set(wanted)].toSorted()
    const owner = randomUUID()
    const lost = yield* Deferred.make<never, LedgerError>()
    const stopRequested = yield* Deferred.make<void>()
    const removeOwner = Effect.sync(() => ownersHere.delete(owner))
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        // Added before the row is visible: otherwise this process could mistake the row for one of an earlier process.
        ownersHere.add(owner)
        return Effect.zipRight(
          deleteAbandoned(connection),
          Effect.forEach(names, (name) => acquireOne(connection, name, owner), { discard: true })
        )
      }).pipe(
        writing(connection, `locking ${names.join(" and ")}`),
        Effect.onError(() => removeOwner)
      ),
      () =>
        sql`DELETE FROM locks WHERE owner = ${owner}`.pipe(
          sql.withTransaction,
          Effect.ignoreLogged,
          Effect.ensuring(removeOwner)
        )
    )
    /** Time of the last successful heartbeat, by this process's clock. */
    let lastRenewal = yield* Clock.currentTimeMillis
    let failure: LedgerError | undefined
    const checkKept = (asked: number, kept: ReadonlyArray<{ readonly stop_at: number | null }>) => {
      if (kept.length === names.length) lastRenewal = asked
      else {
        const reason = "another process has taken this work over, because this one sent no heartbeat in time"
        failure ??= new LedgerError({ place, doing: `keeping the lock on ${names.join(" and ")}`, reason })
        Deferred.unsafeDone(lost, Effect.fail(failure))
      }
      if (kept.some(({ stop_at }) => stop_at !== null)) Deferred.unsafeDone(stopRequested, Effect.void)
      return failure === undefined ? Effect.void : Effect.fail(failure)
    }
    const fence = Effect.clockWith((clock) => {
      const asked = clock.unsafeCurrentTimeMillis()
      return heartbeat.now.pipe(
        Effect.flatMap(
          (now) =>
            sql<{ stop_at: number | null }>`UPDATE locks SET beat = ${now} WHERE owner = ${owner} RETURNING stop_at`
        ),
        Effect.flatMap((kept) => checkKept(asked, kept))
      )
    })
    yield* fence.pipe(
      sql.withTransaction,
      // After a failed heartbeat, the next one renews the lock or finds that it was lost.
      Effect.ignore,
      Effect.schedule(Schedule.spaced(heartbeat.interval)),
      Effect.forkScoped
    )
    const verify = Effect.clockWith((clock) =>
      clock.unsafeCurrentTimeMillis() - lastRenewal < heartbeat.timeout
        ? Effect.void
        : Effect.asVoid(fence.pipe(writing(connection, `checking the lock on ${names.join(" and ")}`)))
    )
    return { fence, lockLost: Deferred.await(lost), stopRequested: Deferred.await(stopRequested), verify }
  })

/** Asks the holder of a lock to stop. Returns false if the lock is free. */
export const requestStop = (connection: Connection, name: string): Effect.Effect<boolean, LedgerError> =>
  Effect.gen(function* () {
    const { heartbeat, sql } = connection
    const [row] = yield* rows(connection, name)
    if (row === undefined || isDead(row, connection)) return false
    yield* sql`UPDATE locks SET stop_at = ${yield* heartbeat.now} WHERE name = ${name} AND owner = ${row.owner}`
    return true
  }).pipe(writing(connection, `asking the holder of ${name} to stop`))

/** Names of all locks held by live processes. */
export const heldNames = (connection: Connection): Effect.Effect<ReadonlySet<string>, LedgerError> =>
  Effect.map(
    rows(connection),
    (all) => new Set(all.filter((row) => !isDead(row, connection)).map(({ name }) => name))
  ).pipe(reading(connection, "looking for locks"))

/** Like `acquire`, for the lock of a run. Also fails while a process works on a part of the run, which does not lock the run itself. */
export const acquireRun = (connection: Connection, id: string, others: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const held = yield* acquire(connection, [`run ${id}`, ...others])
    const part = [...(yield* heldNames(connection))].find((name) => name.startsWith(`run ${id}.`))
    return part === undefined ? held : yield* new Locked({ name: part, owner: "a worker", beat: 0 })
  })
