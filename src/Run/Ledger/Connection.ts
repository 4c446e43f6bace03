/** The database of a ledger, and its failures as the ledger's own. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { reasonOf } from "../../Database/Failure.ts"
import type { Json } from "../../Row.ts"
import { LedgerError } from "./Errors.ts"

export interface Connection {
  readonly sql: SqlClient.SqlClient
  /** Path of the file, or the database's address without its password. */
  readonly place: string
  /** The machine, as far as it can look for processes: names of locks' owners. */
  readonly host: string
}

type Failures<E> = LedgerError | Exclude<E, SqlError>

/** Reads: what the database says no to is said with what was being done. */
export const reading =
  ({ place }: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    Effect.mapError(effect, (error) =>
      isSqlError(error)
        ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error })
        : (error as Exclude<E, SqlError>)
    )

const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/** Writes: all of it or nothing, and never cut short. */
export const writing =
  (connection: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    effect.pipe(connection.sql.withTransaction, reading(connection, doing), Effect.uninterruptible)

/** JSON as it is stored. */
export const toText = (json: Json | undefined): string => JSON.stringify(json ?? null)

export const fromText = (text: string): Json => JSON.parse(text)
