/** Failures of SQL statements, for the modules that contain SQL. Other modules get those modules' own errors. */
import type { SqlError } from "@effect/sql/SqlError"

export const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/** True for an SQL error, and for an error caused by one: work in a transaction may wrap it in an error of its own. */
export const isOfStatement = (error: unknown): boolean =>
  isSqlError(error) || (error instanceof Error && error.cause !== undefined && isOfStatement(error.cause))
