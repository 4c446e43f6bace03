/**
 * Postgres database of Sluice: a pool of connections to one schema. Opening migrates the schema, or fails with the reason.
 *
 * Transactions are all or nothing, even if the connection is lost during a commit. They are READ COMMITTED: every write of a ledger first
 * updates the row of its lock, so writers of one run queue there until the commit, and writers of different runs share only sums that are
 * incremented. SERIALIZABLE would only add failures of transactions that do not conflict.
 */
import { Socket } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { safely } from "../Callback.ts"
import { DatabaseError } from "../Database.ts"
import { isLost, retryAt } from "./ConnectionLoss.ts"
import { reasonOf } from "./DriverErrors.ts"
import { withLeanStatements } from "./LeanStatements.ts"
import * as Migration from "./Migration.ts"
import * as PostgresAddress from "./PostgresAddress.ts"
import { whole } from "./Transaction.ts"

export interface Options {
  readonly url: Redacted.Redacted
  readonly parts: Migration.Parts
  /** Maximum number of connections of this process. Default: 10. */
  readonly connections?: number | undefined
  /** Milliseconds that a process may be idle within a transaction before it loses its locks. Default: 10,000. */
  readonly idleTimeout?: number | undefined
  /**
   * Milliseconds without traffic after which a connection is closed as lost; not while migrating. Default: 310,000, more than a statement
   * may take.
   */
  readonly silence?: number | undefined
}

/** First version with `pg_xact_status` for `xid8`, which tells the outcome of a lost commit. */
const minVersion = 13

const timeouts = { lock: 10_000, statement: 300_000, idle: 10_000 }

/** Milliseconds until the first probe of a connection on which nothing is sent; ten more follow, one a second. */
const keepAlive = 10_000

/**
 * Makes the sockets of connections. One whose server has vanished, or does not answer, fails as lost, so that its statement is repeated on
 * another one. The driver's own limit would leave the connection in the pool, where later statements wait for the first.
 */
const socketWithin = (silence: number, isMigrated: () => boolean) => () => {
  const socket = new Socket().setKeepAlive(true, keepAlive)
  const giveUp = safely(() => {
    if (!isMigrated()) return
    const error = new Error(`The server has sent nothing for ${silence / 1000} s`)
    socket.destroy(Object.assign(error, { code: "ETIMEDOUT" }))
  })
  return socket.setTimeout(silence).on("timeout", giveUp)
}

/** Parses the URL of a database. */
export const addressOf = (url: Redacted.Redacted, idle = timeouts.idle) =>
  Either.mapLeft(
    PostgresAddress.read(url, { ...timeouts, idle }),
    ({ message }) => new DatabaseError({ file: "of Postgres", reason: message })
  )

/** New tables would not be in the schema of the URL. */
class WrongSchema extends Data.TaggedError("WrongSchema")<{ readonly reason: string }> {}

/** Fails if a pooler ignores the settings of the session, or the user may not use the schema: Postgres takes another one then. */
const checkSchema = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.flatMap(
    sql<{ name: string | null; may: boolean }>`SELECT current_schema() AS name,
      has_schema_privilege(${schema}, 'USAGE') AS may`,
    ([session]) => {
      if (session?.name === schema) return Effect.void
      return new WrongSchema({
        reason:
          session?.may === false
            ? `its user may not use the schema: GRANT USAGE, CREATE ON SCHEMA ${schema} TO the user`
            : `a pooler ignores the settings of its connections, so tables would go to the schema ${session?.name ?? "none"}: for the user, ALTER ROLE … SET search_path = ${schema}, and time limits (docs/cluster.md)`
      })
    }
  )

/** Makes the schema and its tables, under a lock: processes that start together do it one after the other. */
const migrated = (sql: SqlClient.SqlClient, schema: string, parts: Migration.Parts) =>
  Effect.gen(function* () {
    // Migrating a large ledger takes longer than the limit for a statement, and others wait for it.
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SET LOCAL lock_timeout = 0`
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sluice migrations of ${schema}`}, 0))`
    const [row] = yield* sql<{ there: boolean }>`SELECT to_regnamespace(${schema}) IS NOT NULL AS there`
    if (row?.there !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`
    yield* checkSchema(sql, schema)
    yield* Migration.migrate(sql, parts)
  }).pipe(sql.withTransaction)

/** Reason why this database is not usable; undefined if it is. */
const whyUnusable = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ version: number; encoding: string }>`SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('server_encoding') AS encoding`,
    ([row]) => {
      if (row === undefined || row.version < minVersion) {
        return `it is Postgres ${row?.version ?? "of an unknown version"}; version ${minVersion} or later is needed`
      }
      return row.encoding === "UTF8"
        ? undefined
        : `its encoding is ${row.encoding}; create a database with ENCODING 'UTF8' TEMPLATE template0, and use that one`
    }
  )

/** A pool of connections to a migrated schema. */
export const layer = ({
  connections = 10,
  parts,
  idleTimeout,
  silence = timeouts.statement + 10_000,
  url
}: Options): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, DatabaseError> =>
  Layer.unwrapEffect(
    Effect.map(addressOf(url, idleTimeout), ({ place, schema, url: whole }) => {
      let isMigrated = false
      const failed = (error: SqlError) => new DatabaseError({ file: place, reason: reasonOf(error), cause: error })
      const open = Effect.gen(function* () {
        const sql = withWholeTransactions(withLeanStatements(yield* PgClient.PgClient))
        const reason = yield* whyUnusable(sql)
        if (reason !== undefined) return yield* new DatabaseError({ file: place, reason })
        yield* migrated(sql, schema, parts)
        isMigrated = true
        return Context.add(Context.make(PgClient.PgClient, sql), SqlClient.SqlClient, sql)
      }).pipe(
        Effect.catchTags({
          WrongSchema: ({ reason }) => Effect.fail(new DatabaseError({ file: place, reason })),
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
        stream: socketWithin(silence, () => isMigrated),
        applicationName: "sluice"
      })
      return Layer.effectContext(open).pipe(Layer.provide(Layer.catchAll(client, (error) => Layer.fail(failed(error)))))
    })
  )

/** Error for a transaction that the server rolled back: it may run again. */
const aborted = (cause: unknown) =>
  new SqlError({
    cause: Object.assign(new Error("Connection terminated before the commit", { cause }), { code: "08006" })
  })

const rolledBack = new SqlError({
  cause: new Error("a statement of the transaction had failed, so it was rolled back")
})

/** The client with transactions that run again after a collision or a lost connection, and never commit twice. */
export const withWholeTransactions = <C extends SqlClient.SqlClient>(sql: C): C => {
  const withRetry = retryAt(sql)
  const ids = new WeakMap<SqlConnection.Connection, string>()

  /** Status of a transaction whose commit got no response. The server may still consider the connection open. */
  const statusOf = (id: string): Effect.Effect<string | null | undefined, SqlError> =>
    withRetry(sql<{ status: string | null }>`SELECT pg_xact_status(${id}::xid8) AS status`).pipe(
      Effect.map(([row]) => row?.status),
      Effect.flatMap((status) =>
        status === "in progress"
          ? Effect.zipRight(
              Effect.sleep("100 millis"),
              Effect.suspend(() => statusOf(id))
            )
          : Effect.succeed(status)
      )
    )

  const commit = (connection: SqlConnection.Connection) =>
    connection.executeRaw("COMMIT", []).pipe(
      Effect.flatMap((result) =>
        // COMMIT of a failed transaction succeeds, and only this word shows the rollback.
        (result as { readonly command?: string }).command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
      ),
      Effect.catchIf(isLost, (error) => {
        const id = ids.get(connection)
        if (id === undefined) return Effect.fail(error)
        return Effect.flatMap(statusOf(id), (status) =>
          status === "committed" ? Effect.void : Effect.fail(status === "aborted" ? aborted(error) : error)
        )
      })
    )

  const begin = (connection: SqlConnection.Connection) =>
    Effect.map(
      // Without parameters both statements are sent in one message.
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
        // A savepoint cannot run again without its transaction.
        Option.isSome(around) ? once(effect) : withRetry(once(effect))
      )
  })
}
