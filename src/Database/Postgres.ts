/**
 * A Postgres database of this program: a pool of connections to one schema, migrated when it is opened, or refused with the reason.
 *
 * Transactions are all or nothing, also when the connection is lost during a commit. They are READ COMMITTED: every write of a ledger first
 * updates the row of its lock, so writers of one run queue there until the commit, and writers of different runs share nothing but sums
 * that are added to. SERIALIZABLE would only add failures of transactions that do not disturb each other.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { DatabaseError } from "../Database.ts"
import { againAt, isLost } from "./ConnectionLoss.ts"
import { reasonOf } from "./DriverErrors.ts"
import * as Migration from "./Migration.ts"
import * as PostgresAddress from "./PostgresAddress.ts"
import { whole } from "./Transaction.ts"

export interface Options {
  readonly url: Redacted.Redacted
  readonly parts: Migration.Parts
  /** Connections of this process at most. */
  readonly connections?: number | undefined
  /** Milliseconds a process may be silent within a transaction, before others get what it holds. */
  readonly silence?: number | undefined
}

/** Versions before it do not say what became of a transaction. */
const oldest = 13

const defaults = { lock: 10_000, statement: 300_000, silence: 10_000 }

/** Reads an address; the failure is fit for people. */
export const addressOf = (url: Redacted.Redacted, silence = defaults.silence) =>
  Either.mapLeft(
    PostgresAddress.read(url, { ...defaults, silence }),
    ({ message }) => new DatabaseError({ file: "of Postgres", reason: message })
  )

/** Makes the schema and its tables; processes that start together do it one after the other. */
const migrated = (sql: SqlClient.SqlClient, schema: string, parts: Migration.Parts) =>
  Effect.gen(function* () {
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sluice migrations of ${schema}`}, 0))`
    const [row] = yield* sql<{ there: boolean }>`SELECT to_regnamespace(${schema}) IS NOT NULL AS there`
    if (row?.there !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`
    yield* Migration.migrate(sql, parts)
  }).pipe(sql.withTransaction)

/** Major version, and what keeps this database from being used. */
const unusable = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ version: number; encoding: string }>`SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('server_encoding') AS encoding`,
    ([row]) => {
      if (row === undefined || row.version < oldest) {
        return `it is Postgres ${row?.version ?? "of an unknown version"}; ${oldest} or a later one is needed`
      }
      return row.encoding === "UTF8"
        ? undefined
        : `its texts are ${row.encoding}; make a database with ENCODING 'UTF8' TEMPLATE template0, and name that one`
    }
  )

/** A pool of connections, with transactions that are all or nothing, and the tables of each part. */
export const layer = ({
  connections = 10,
  parts,
  silence,
  url
}: Options): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, DatabaseError> =>
  Layer.unwrapEffect(
    Effect.map(addressOf(url, silence), ({ place, schema, url: whole }) => {
      const failed = (error: SqlError) => new DatabaseError({ file: place, reason: reasonOf(error), cause: error })
      const open = Effect.gen(function* () {
        const sql = withWholeTransactions(yield* PgClient.PgClient)
        const reason = yield* unusable(sql)
        if (reason !== undefined) return yield* new DatabaseError({ file: place, reason })
        yield* migrated(sql, schema, parts)
        return Context.add(Context.make(PgClient.PgClient, sql), SqlClient.SqlClient, sql)
      }).pipe(
        Effect.catchTags({
          NewerDatabase: (newer) => Effect.fail(new DatabaseError({ file: place, reason: newer.message })),
          SqlError: (error) => Effect.fail(failed(error))
        })
      )
      const client = PgClient.layer({
        url: whole,
        maxConnections: connections,
        minConnections: 0,
        connectTimeout: "10 seconds",
        idleTimeout: "30 seconds",
        applicationName: "sluice"
      })
      return Layer.effectContext(open).pipe(Layer.provide(Layer.catchAll(client, (error) => Layer.fail(failed(error)))))
    })
  )

/** The database has undone it: it may be done again. */
const undone = (cause: unknown) =>
  new SqlError({
    cause: Object.assign(new Error("Connection terminated before the commit", { cause }), { code: "08006" })
  })

const rolledBack = new SqlError({
  cause: new Error("a statement of the transaction had failed, so that nothing of it was kept")
})

/** The client with transactions that are done again when they collide or lose their connection, and never done twice. */
export const withWholeTransactions = <C extends SqlClient.SqlClient>(sql: C): C => {
  const waited = againAt(sql)
  const ids = new WeakMap<SqlConnection.Connection, string>()

  /** What became of a transaction whose commit got no answer; the server may not have noticed yet that we are gone. */
  const outcome = (id: string): Effect.Effect<string | null | undefined, SqlError> =>
    waited(sql<{ status: string | null }>`SELECT pg_xact_status(${id}::xid8) AS status`).pipe(
      Effect.map(([row]) => row?.status),
      Effect.flatMap((status) =>
        status === "in progress"
          ? Effect.zipRight(
              Effect.sleep("100 millis"),
              Effect.suspend(() => outcome(id))
            )
          : Effect.succeed(status)
      )
    )

  const commit = (connection: SqlConnection.Connection) =>
    connection.executeRaw("COMMIT", []).pipe(
      Effect.flatMap((result) =>
        // A transaction that has failed says so with nothing but this word.
        (result as { readonly command?: string }).command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
      ),
      Effect.catchIf(isLost, (error) => {
        const id = ids.get(connection)
        if (id === undefined) return Effect.fail(error)
        return Effect.flatMap(outcome(id), (status) =>
          status === "committed" ? Effect.void : Effect.fail(status === "aborted" ? undone(error) : error)
        )
      })
    )

  const begin = (connection: SqlConnection.Connection) =>
    Effect.map(
      // Without parameters both go in one message.
      connection.execute("BEGIN; SELECT pg_current_xact_id()::text AS id", [], undefined),
      (results) => {
        const [row] = results[1] as ReadonlyArray<{ readonly id: string }>
        if (row !== undefined) ids.set(connection, row.id)
      }
    )

  const once = whole(sql, { begin, commit })

  return Object.assign(sql, {
    withTransaction: <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (around) =>
        // A part of a transaction cannot be done again without the whole.
        Option.isSome(around) ? once(effect) : waited(once(effect))
      )
  })
}
