/** Transactions that are rolled back after every failure, also one of the commit. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { nextTurn } from "../Callback/EventLoop.ts"
import { isBusy } from "./DriverErrors.ts"

interface TransactionOptions {
  readonly begin: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
  readonly commit: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
  /** Connection for the rollback, whose failure is ignored. Default: that of the transaction. */
  readonly control?: (connection: SqlConnection.Connection) => SqlConnection.Connection
}

/**
 * Runs an effect in a transaction, or in a savepoint of the current one. A failed commit, for example on a full disk, is an error, not a defect, and
 * leaves no transaction open.
 */
export const whole = (sql: SqlClient.SqlClient, { begin, commit, control = identity }: TransactionOptions) => {
  // Some failures end the transaction themselves; the rollback then fails.
  const rollback = (connection: SqlConnection.Connection) =>
    Effect.ignore(control(connection).execute("ROLLBACK", [], undefined))
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
      Effect.ignore(control(connection).execute(`ROLLBACK TO SAVEPOINT nested_${id}`, [], undefined))
  })
  return <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.catchSomeDefect(transaction(effect), (defect) =>
      defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
    )
}

/** Error of a client's statements: none of one that dies instead. */
export type StatementError<Client extends SqlClient.SqlClient> = Effect.Effect.Error<ReturnType<Client["unsafe"]>>

/**
 * Runs a statement on the connection of the current transaction, without the span and scope that the client gives each statement: those
 * cost more than a short one. Outside of transactions it is `sql.unsafe`. As there, a transaction of this fiber comes first, even if another
 * client has begun it.
 */
export const execute = <Client extends SqlClient.SqlClient>(
  sql: Client,
  text: string,
  parameters: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<object>, StatementError<Client>> =>
  Effect.withFiberRuntime<ReadonlyArray<object>, SqlError>((fiber) => {
    const transaction = Context.getOption(fiber.currentContext, SqlClient.TransactionConnection)
    return Option.isSome(transaction)
      ? transaction.value[0].execute(text, parameters, undefined)
      : sql.unsafe<object>(text, parameters)
  }) as Effect.Effect<ReadonlyArray<object>, StatementError<Client>>

/** {@link execute} for a statement as it is written. */
export const perform = <A>(sql: SqlClient.SqlClient, statement: Statement<A>) => {
  const [text, parameters] = statement.compile()
  return execute(sql, text, parameters) as Effect.Effect<ReadonlyArray<A>, SqlError>
}

/** Retries of BEGIN while another process writes. */
const beginRetries = 5

/**
 * The client with transactions that take the write lock when they begin. What they read is then still true when they write, and two
 * processes wait for each other instead of failing. `control`: the connection for BEGIN, COMMIT and ROLLBACK, if those of the client die
 * instead of failing.
 */
export const withWholeTransactions = (
  sql: SqlClient.SqlClient,
  control: NonNullable<TransactionOptions["control"]> = identity
): SqlClient.SqlClient =>
  Object.assign(sql, {
    withTransaction: whole(sql, {
      // The driver blocks the process while it waits for another writer; between retries the event loop runs.
      begin: (connection) =>
        Effect.retry(control(connection).execute("BEGIN IMMEDIATE", [], undefined), {
          while: (error) => Effect.as(nextTurn, isBusy(error)),
          times: beginRetries
        }),
      commit: (connection) => control(connection).execute("COMMIT", [], undefined),
      control
    })
  })
