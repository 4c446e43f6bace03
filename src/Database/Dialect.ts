/**
 * Differences between SQLite and Postgres in keys and searches.
 *
 * - Postgres indexes at most about 2,700 bytes per key, and URLs may be longer. So statements are written with `fingerprint(column)`, the
 *   SHA-256 of the key. SQLite has no such limit: `forDialect` removes the call there.
 * - Postgres does not store NUL or half of a surrogate pair. `encodeText` escapes them, for both databases.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"

export const needsFingerprints = (sql: SqlClient.SqlClient): boolean =>
  sql.onDialectOrElse({ sqlite: () => false, orElse: () => true })

/** The statement for the database: for SQLite, without the calls of `fingerprint`. */
export const forDialect = (needsFingerprints: boolean, statement: string): string =>
  needsFingerprints ? statement : statement.replaceAll("fingerprint(", "(")

/** SQL for a key column, in comparisons and indexes. */
export const fingerprintOf = (sql: SqlClient.SqlClient, column: string): Statement.Fragment =>
  sql.literal(forDialect(needsFingerprints(sql), `fingerprint(${column})`))

/** SQL for a value that is compared with a key column. */
export const fingerprintOfText = (sql: SqlClient.SqlClient, text: string): Statement.Fragment =>
  needsFingerprints(sql) ? sql`fingerprint(${text})` : sql`${text}`

/** Condition that a column contains an encoded string, ignoring the case of A to Z. */
export const contains = (sql: SqlClient.SqlClient, column: string, text: string): Statement.Fragment => {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`
  return sql.onDialectOrElse({
    pg: () => sql`${sql.literal(column)} ILIKE ${pattern}`,
    orElse: () => sql`${sql.literal(column)} LIKE ${pattern} ESCAPE '\\'`
  })
}

/** SQL that creates the function in Postgres. */
export const fingerprintFunction = `CREATE FUNCTION fingerprint(TEXT) RETURNS BYTEA LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$`

const escape = "\u001b"
/** NUL, the escape character itself, and half of a surrogate pair. */
const unsupported = new RegExp(`[\\0${escape}\\p{Surrogate}]`, "gu")
/** Any half of a pair, too: takes a fraction of the time, and finds nothing in almost all texts. */
const suspect = new RegExp(`[\\0${escape}\\ud800-\\udfff]`)
const escaped = new RegExp(`${escape}([0-9a-f]{4})`, "g")

/** Escapes a string so that both databases can store it. Different strings stay different. */
export const encodeText = (text: string): string =>
  suspect.test(text)
    ? text.replace(unsupported, (character) => escape + character.charCodeAt(0).toString(16).padStart(4, "0"))
    : text

/** Decodes a string stored by {@link encodeText}. */
export const decodeText = (stored: string): string =>
  stored.includes(escape)
    ? stored.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : stored
