/** Who works under which name: one at a time, known to be alive by a heartbeat, and found out when it is not. */
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

/** Locks that are held. */
export interface Held {
  /** The first statement of each transaction: nothing is written by somebody who has lost a lock. */
  readonly fence: Effect.Effect<void, LedgerError | SqlError>
  /** Never completes; fails when a lock was lost. */
  readonly lost: Effect.Effect<never, LedgerError>
  /** Makes sure of the locks when so much time has passed unseen that somebody else may have them. */
  readonly awake: Effect.Effect<void, LedgerError>
}

interface LockRow {
  readonly name: string
  readonly owner: string
  readonly host: string
  readonly pid: number
  readonly beat: number
  readonly heard: number
  /** The instant at which it was asked for. */
  readonly now: number
}

/** Owners in this process: another one may have had our pid before us. */
const ours = new Set<string>()

/** It has ended, and nobody has asked yet how: where the first process of a container is no init, that stays so. */
const isZombie = (pid: number): boolean => {
  if (process.platform !== "linux") return false
  const stat = Effect.runSync(Effect.option(Effect.try(() => readFileSync(`/proc/${pid}/stat`, "latin1"))))
  return stat._tag === "Some" && /^[ZX]/.test(stat.value.slice(stat.value.lastIndexOf(")") + 2))
}

const isGone = (pid: number): boolean => {
  // Signal 0 only asks whether there is such a process.
  const asked = Effect.runSync(Effect.either(Effect.try(() => process.kill(pid, 0))))
  return asked._tag === "Left" ? (asked.left.error as NodeJS.ErrnoException).code === "ESRCH" : isZombie(pid)
}

/** The owner was a process of this machine, and is no more. */
const hasEnded = (row: LockRow, host: string): boolean =>
  row.host === host && !ours.has(row.owner) && (Number(row.pid) === process.pid || isGone(Number(row.pid)))

const silence = ({ heard, now }: LockRow): number => Math.max(0, Number(now) - Number(heard))

const isDead = (row: LockRow, { host, pulse }: Connection): boolean => silence(row) > pulse.stale || hasEnded(row, host)

/** All locks, or the one of a name. */
const rows = ({ pulse, sql }: Connection, name?: string) =>
  Effect.flatMap(
    pulse.now,
    (now) => sql<LockRow>`SELECT name, owner, host, pid, beat, ${pulse.heard} AS heard, ${now} AS now FROM locks
      WHERE ${name === undefined ? sql`1 = 1` : sql`name = ${name}`}`
  )

/** Of other machines nobody can say that a process has ended: after a day of silence they are taken for gone. */
const aDay = 86_400_000

/** Lets go of what processes held that were killed: nobody may ever want those names again. */
const sweep = (connection: Connection) =>
  Effect.flatMap(rows(connection), (all) =>
    Effect.forEach(
      all.filter((row) => hasEnded(row, connection.host) || silence(row) > Math.max(aDay, connection.pulse.stale)),
      ({ beat, name, owner }) =>
        connection.sql`DELETE FROM locks WHERE name = ${name} AND owner = ${owner} AND beat = ${beat}`,
      { discard: true }
    )
  )

/** `process 12 on box`, without the number that tells containers of one host apart. */
const described = ({ host, pid }: LockRow): string => `process ${pid} on ${host.replace(/\/.*$/, "")}`

const take = (connection: Connection, name: string, owner: string) =>
  Effect.gen(function* () {
    const { host, pulse, sql } = connection
    const now = yield* pulse.now
    const made = yield* sql`INSERT INTO locks (name, owner, host, pid, since, beat)
      VALUES (${name}, ${owner}, ${host}, ${process.pid}, ${now}, ${now}) ON CONFLICT (name) DO NOTHING RETURNING name`
    if (made.length > 0) return
    const [row] = yield* rows(connection, name)
    if (row !== undefined && isDead(row, connection)) {
      // Somebody else may have found it dead too: only one of us sees the row as it was.
      const taken = yield* sql`UPDATE locks SET owner = ${owner}, host = ${host}, pid = ${process.pid}, since = ${now},
        beat = ${now} WHERE name = ${name} AND owner = ${row.owner} AND beat = ${row.beat} RETURNING name`
      if (taken.length > 0) return
    }
    const owned = row === undefined ? "somebody who just let go of it" : described(row)
    return yield* new Locked({ name, owner: owned, beat: row === undefined ? 0 : silence(row) })
  })

/** Takes all of these locks or none, and holds them until the scope closes. */
export const hold = (
  connection: Connection,
  wanted: ReadonlyArray<string>
): Effect.Effect<Held, LedgerError | Locked, Scope.Scope> =>
  Effect.gen(function* () {
    const { place, pulse, sql } = connection
    // In one order, whoever asks: no two wait for each other.
    const names = [...new Set(wanted)].toSorted()
    const owner = randomUUID()
    const lost = yield* Deferred.make<never, LedgerError>()
    const forget = Effect.sync(() => ours.delete(owner))
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        // Before anybody can see the lock: others in this process would take its owner for a process of before.
        ours.add(owner)
        return Effect.zipRight(
          sweep(connection),
          Effect.forEach(names, (name) => take(connection, name, owner), { discard: true })
        )
      }).pipe(
        writing(connection, `locking ${names.join(" and ")}`),
        Effect.onError(() => forget)
      ),
      () =>
        sql`DELETE FROM locks WHERE owner = ${owner}`.pipe(
          sql.withTransaction,
          Effect.ignoreLogged,
          Effect.ensuring(forget)
        )
    )
    /** By the clock of this machine: when it was last certain. */
    let certain = yield* Clock.currentTimeMillis
    const fence = Effect.gen(function* () {
      const asked = yield* Clock.currentTimeMillis
      const now = yield* pulse.now
      const kept = yield* sql`UPDATE locks SET beat = ${now} WHERE owner = ${owner} RETURNING name`
      if (kept.length === names.length) {
        certain = asked
        return
      }
      const reason = "another process has taken this work over, as this one gave no sign of life for a while"
      yield* Deferred.fail(
        lost,
        new LedgerError({ place, doing: `keeping the lock on ${names.join(" and ")}`, reason })
      )
    }).pipe(
      Effect.zipRight(
        Effect.flatMap(Deferred.poll(lost), (found) => (found._tag === "None" ? Effect.void : found.value))
      )
    )
    yield* fence.pipe(
      sql.withTransaction,
      // A beat that the database could not take is made up for by the next one, or the lock is found lost.
      Effect.ignore,
      Effect.schedule(Schedule.spaced(pulse.beat)),
      Effect.forkScoped
    )
    const awake = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - certain < pulse.stale
        ? Effect.void
        : Effect.asVoid(fence.pipe(writing(connection, `making sure of the lock on ${names.join(" and ")}`)))
    )
    return { fence, lost: Deferred.await(lost), awake }
  })

/** Names that somebody holds now. */
export const held = (connection: Connection): Effect.Effect<ReadonlySet<string>, LedgerError> =>
  Effect.map(
    rows(connection),
    (all) => new Set(all.filter((row) => !isDead(row, connection)).map(({ name }) => name))
  ).pipe(reading(connection, "looking for locks"))
