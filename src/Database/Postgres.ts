/** A Postgres database of this program: a bounded pool of connections to one schema, brought up to date, or refused with a clear reason. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { DatabaseError } from "../Database.ts"
import { reasonOf } from "./Failure.ts"
import * as Migration from "./Migration.ts"
import * as Address from "./Postgres/Address.ts"
import { withWholeTransactions } from "./Postgres/Transaction.ts"

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
    Address.read(url, { ...defaults, silence }),
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
const refusal = (sql: SqlClient.SqlClient) =>
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
        const reason = yield* refusal(sql)
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
