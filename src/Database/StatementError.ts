/** Failures of statements, for the rooms that hold SQL. Others get the errors of these rooms. */
import type { SqlError } from "@effect/sql/SqlError"

export const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/** True for the error of a statement, also as the cause of another one: a transaction that contains its work may run again. */
export const isOfStatement = (error: unknown): boolean =>
  isSqlError(error) || (error instanceof Error && error.cause !== undefined && isOfStatement(error.cause))
