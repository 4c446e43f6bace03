/** Connection of a ledger, with two ways to use it: reads that may be retried, and writes in one transaction. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { mapError } from "../Callback/Lean.ts"
import * as Dialect from "../Database/Dialect.ts"
import { reasonOf } from "../Database/DriverErrors.ts"
import { isSqlError } from "../Database/StatementError.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import { LedgerError } from "./LedgerErrors.ts"

/** Timing of the heartbeats of lock holders: two durations in milliseconds, and two expressions for SQL. */
export interface Heartbeat {
  /** Milliseconds between heartbeats (`interval`), and from the last heartbeat until the lock is free (`timeout`). */
  readonly interval: number
  readonly timeout: number
  /** Milliseconds since 1970, by a clock shared by all users of the database. */
  readonly now: Effect.Effect<Statement.Fragment>
  /** Time of a lock's last heartbeat, or of the server's start if that is later. */
  readonly lastBeat: Statement.Fragment
}

export interface Connection {
  readonly sql: SqlClient.SqlClient
  /** Path of the file, or the database URL without its password. */
  readonly place: string
  /** Identifies the machine, because a PID is only valid on its own machine. */
  readonly host: string
  readonly heartbeat: Heartbeat
  /** True if other machines may use the database. */
  readonly isShared: boolean
  /** Retries a read for a while after a lost connection. */
  readonly retryRead: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

type Failures<E> = LedgerError | Exclude<E, SqlError>

/** Turns an `SqlError` into a `LedgerError` that names the ledger and the failed operation. Other errors stay. */
export const describing =
  ({ place }: Pick<Connection, "place">, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    mapError(effect, (error) =>
      isSqlError(error)
        ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error })
        : (error as Exclude<E, SqlError>)
    )

/** Runs a read, and retries it after a lost connection: the read may be executed more than once. */
export const reading =
  (connection: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    describing(connection, doing)(connection.retryRead(effect))

/** Runs writes in one transaction, uninterruptibly. */
export const writing =
  (connection: Connection, doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Failures<E>, R> =>
    effect.pipe(connection.sql.withTransaction, describing(connection, doing), Effect.uninterruptible)

/** Decodes JSON text of the database; `what` names the value in the error. */
export const decoding = <A, I>(
  schema: Schema.Schema<A, I>
): ((connection: Pick<Connection, "place">, what: string, text: string) => Either.Either<A, LedgerError>) => {
  const decode = decodeSaved(Schema.parseJson(schema))
  return ({ place }, what, text) =>
    Either.mapLeft(
      decode(what, text),
      (cause) =>
        new LedgerError({
          place,
          doing: `reading ${what}`,
          reason: `${cause.problem}. It is damaged, or another version of sluice wrote it: read it with that version, or start the run again`,
          cause
        })
    )
}

/** Converts SQL's NULL to `undefined`. */
export const numberOf = (value: number | null): number | undefined => (value === null ? undefined : Number(value))

export const decodeNullable = (text: string | null): string | undefined =>
  text === null ? undefined : Dialect.decodeText(text)

export const encodeOptional = (text: string | undefined): string | null =>
  text === undefined ? null : Dialect.encodeText(text)

export const toText = (json: Json | undefined): string => JSON.stringify(json ?? null)

export const fromText = (text: string): Json => JSON.parse(text)
