/** Transactions that are over when they have failed, whatever it was that failed. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { isBusy } from "./Failure.ts"
import { turn } from "./Turn.ts"

/** So many times more than once it is tried to begin. */
const attempts = 5

/**
 * The client with transactions of its own: they take the right to write when they begin, so that what they read is true
 * when they write, and so that two processes wait for each other instead of failing. A commit that fails (a full disk)
 * is a failure, not a defect, and leaves no transaction open behind it.
 */
export const withWholeTransactions = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const begin = sql.onDialectOrElse({ sqlite: () => "BEGIN IMMEDIATE", orElse: () => "BEGIN" })
  const transaction = SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [],
    acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
      Effect.map(Scope.extend(sql.reserve, scope), (connection) => [scope, connection] as const)
    ),
    begin: (connection) =>
      // The driver waits for another writer, and everything in this process with it; in between the others have a turn.
      Effect.retry(connection.execute(begin, [], undefined), {
        while: (error) => Effect.as(turn, isBusy(error)),
        times: attempts
      }),
    savepoint: (connection, id) => connection.execute(`SAVEPOINT nested_${id}`, [], undefined),
    commit: (connection) =>
      Effect.tapError(connection.execute("COMMIT", [], undefined), () =>
        Effect.ignore(connection.execute("ROLLBACK", [], undefined))
      ),
    // SQLite has rolled back by itself after some failures, and then says that there is no transaction.
    rollback: (connection) => Effect.ignore(connection.execute("ROLLBACK", [], undefined)),
    rollbackSavepoint: (connection, id) =>
      Effect.ignore(connection.execute(`ROLLBACK TO SAVEPOINT nested_${id}`, [], undefined))
  })
  return Object.assign(sql, {
    withTransaction: <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      Effect.catchSomeDefect(transaction(effect), (defect) =>
        defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
      )
  })
}
