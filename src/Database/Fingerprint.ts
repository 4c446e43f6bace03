/**
 * Keys of any length in an index. Postgres takes some 2,700 bytes, and addresses may be longer: there the index has what
 * `fingerprint(key)` makes of them, a SHA-256. Statements are written with it; for SQLite, which knows no limit, it goes.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"

export const isNeeded = (sql: SqlClient.SqlClient): boolean =>
  sql.onDialectOrElse({ sqlite: () => false, orElse: () => true })

/** The statement as the database wants it. */
export const written = (isNeeded: boolean, statement: string): string =>
  isNeeded ? statement : statement.replaceAll("fingerprint(", "(")

/** A column by which rows are told apart or looked for. */
export const of = (sql: SqlClient.SqlClient, column: string): Statement.Fragment =>
  sql.literal(written(isNeeded(sql), `fingerprint(${column})`))

/** What is looked for. */
export const ofText = (sql: SqlClient.SqlClient, text: string): Statement.Fragment =>
  isNeeded(sql) ? sql`fingerprint(${text})` : sql`${text}`

/** Makes the function, in Postgres. */
export const definition = `CREATE FUNCTION fingerprint(TEXT) RETURNS BYTEA LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$`
