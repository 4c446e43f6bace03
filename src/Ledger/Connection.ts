/** The database of a ledger, and its failures as the ledger's own. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { isSqlError, reasonOf } from "../Database/Failure.ts"
import type { Json } from "../Row.ts"
import { LedgerError } from "./LedgerErrors.ts"

/** How signs of life are given and judged. */
export interface Pulse {
  /** Milliseconds between two signs of life, and after the last one until the lock is free. */
  readonly beat: number
  readonly stale: number
  /** The instant, in milliseconds since 1970, of the one clock that all who share the database have. */
  readonly now: Effect.Effect<Statement.Fragment>
  /** When a lock was last heard of, as far as it could be heard. */
  readonly heard: Statement.Fragment
}

export interface Connection {
  readonly sql: SqlClient.SqlClient
  /** Path of the file, or the database's address without its password. */
  readonly place: string
  /** The machine, as far as it can look for processes: names of locks' owners. */
  readonly host: string
  readonly pulse: Pulse
  /** Other machines may work with it too. */
  readonly isShared: boolean
  /** Asks again, for a while, when the database has gone away. */
  readonly again: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

type Failures<E> = LedgerError | Exclude<E, SqlError>

/** What the database says no to is said with what was being done. */
const told =
  ({ place }: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    Effect.mapError(effect, (error) =>
      isSqlError(error)
        ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error })
        : (error as Exclude<E, SqlError>)
    )

/** Reads, which may be done again. */
export const reading =
  (connection: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    told(connection, doing)(connection.again(effect))

/** Writes: all of it or nothing, and never cut short. */
export const writing =
  (connection: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    effect.pipe(connection.sql.withTransaction, told(connection, doing), Effect.uninterruptible)

/** JSON as it is stored. */
export const toText = (json: Json | undefined): string => JSON.stringify(json ?? null)

export const fromText = (text: string): Json => JSON.parse(text)
