/** Transactions that are over when they have failed, whatever it was that failed. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { nextTurn } from "../Callback/EventLoop.ts"
import { isBusy } from "./DriverErrors.ts"

/** How a database begins and commits. */
interface Ends {
  readonly begin: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
  readonly commit: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
}

/**
 * Carries out what is given in a transaction, or in a part of the one around it. A commit that fails (a full disk) is a
 * failure, not a defect, and leaves no transaction open behind it.
 */
export const whole = (sql: SqlClient.SqlClient, { begin, commit }: Ends) => {
  // Some failures have ended the transaction, and a database then says that there is none.
  const rollback = (connection: SqlConnection.Connection) =>
    Effect.ignore(connection.execute("ROLLBACK", [], undefined))
  const transaction = SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [],
    acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
      Effect.map(Scope.extend(sql.reserve, scope), (connection) => [scope, connection] as const)
    ),
    begin: (connection) => Effect.asVoid(begin(connection)),
    savepoint: (connection, id) => connection.execute(`SAVEPOINT nested_${id}`, [], undefined),
    commit: (connection) => Effect.asVoid(Effect.tapError(commit(connection), () => rollback(connection))),
    rollback,
    rollbackSavepoint: (connection, id) =>
      Effect.ignore(connection.execute(`ROLLBACK TO SAVEPOINT nested_${id}`, [], undefined))
  })
  return <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.catchSomeDefect(transaction(effect), (defect) =>
      defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
    )
}

/** So many times more than once it is tried to begin. */
const attempts = 5

/**
 * The client with transactions of its own: they take the right to write when they begin, so that what they read is true
 * when they write, and so that two processes wait for each other instead of failing.
 */
export const withWholeTransactions = (sql: SqlClient.SqlClient): SqlClient.SqlClient =>
  Object.assign(sql, {
    withTransaction: whole(sql, {
      // The driver waits for another writer, and everything in this process with it; in between the others have a turn.
      begin: (connection) =>
        Effect.retry(connection.execute("BEGIN IMMEDIATE", [], undefined), {
          while: (error) => Effect.as(nextTurn, isBusy(error)),
          times: attempts
        }),
      commit: (connection) => connection.execute("COMMIT", [], undefined)
    })
  })
