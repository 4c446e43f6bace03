/** Transactions that are rolled back after every failure, including a failed commit. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"

/** A connection reserved for one user until released. */
interface Reserved {
  readonly connection: SqlConnection.Connection
  readonly release: Effect.Effect<unknown>
}

interface TransactionOptions {
  readonly begin: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
  readonly commit: (connection: SqlConnection.Connection) => Effect.Effect<unknown, SqlError>
  /** Connection for the rollback, whose failure is ignored. Default: the transaction's connection. */
  readonly control?: ((connection: SqlConnection.Connection) => SqlConnection.Connection) | undefined
  /** Reserves a connection; must be uninterruptible. Default: the client reserves one. */
  readonly reserve?: Effect.Effect<Reserved, SqlError> | undefined
}

/** Reserves a connection of a client. */
const reserveOf = (sql: SqlClient.SqlClient): Effect.Effect<Reserved, SqlError> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.map(Scope.extend(sql.reserve, scope), (connection) => ({
      connection,
      release: Scope.close(scope, Exit.void)
    }))
  )

/** Effects that begin, commit and roll back a transaction or a savepoint. */
interface Bounds {
  readonly begin: Effect.Effect<unknown, SqlError>
  readonly commit: Effect.Effect<unknown, SqlError>
  readonly rollback: Effect.Effect<unknown>
}

/**
 * Runs an effect in a transaction, or in a savepoint of the current one. A failed commit, for example on a full disk, is an error instead
 * of a defect, and leaves no transaction open. Uninterruptible, except for the effect itself. Cheaper than the library's version, which
 * makes a span and two scopes each time.
 */
export const whole = (
  sql: SqlClient.SqlClient,
  { begin, commit, control = identity, reserve = reserveOf(sql) }: TransactionOptions
) => {
  const run = (connection: SqlConnection.Connection, statement: string) =>
    control(connection).execute(statement, [], undefined)
  /**
   * Connections whose transaction the database itself has ended, with the error of the failed ROLLBACK TO. What follows would be stored
   * without what came before, so later savepoints and the commit fail with that error. Plain statements are not checked.
   */
  const ended = new WeakMap<SqlConnection.Connection, SqlError>()
  const unlessEnded = (
    connection: SqlConnection.Connection,
    next: () => Effect.Effect<unknown, SqlError>
  ): Effect.Effect<unknown, SqlError> =>
    Effect.suspend(() => {
      const why = ended.get(connection)
      return why === undefined ? next() : Effect.fail(why)
    })
  return <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiberRuntime<A, E | SqlError, R>((fiber) => {
        const context = fiber.currentContext
        const leave = FiberRef.set(FiberRef.currentContext, context)
        const enter = (connection: SqlConnection.Connection, depth: number) =>
          FiberRef.set(
            FiberRef.currentContext,
            Context.add(context, SqlClient.TransactionConnection, [connection, depth])
          )
        const within = (
          connection: SqlConnection.Connection,
          depth: number,
          { begin, commit, rollback }: Bounds,
          release: Effect.Effect<unknown>
        ) =>
          begin.pipe(
            Effect.zipRight(enter(connection, depth)),
            Effect.zipRight(restore(effect)),
            Effect.flatMap((value) => Effect.as(Effect.zipRight(leave, commit), value)),
            Effect.matchCauseEffect({
              onFailure: (cause) =>
                Effect.zipRight(leave, rollback).pipe(
                  Effect.ensuring(release),
                  Effect.zipRight(Effect.failCause(cause))
                ),
              onSuccess: (value) => Effect.as(release, value)
            })
          )
        const around = Context.getOption(context, SqlClient.TransactionConnection)
        if (Option.isSome(around)) {
          const [connection, depth] = around.value
          const savepoint = `SAVEPOINT nested_${depth + 1}`
          let hasBegun = true
          const bounds = {
            // A savepoint that has not begun may share its name with an earlier one, which must stay.
            begin: Effect.tapError(
              unlessEnded(connection, () => run(connection, savepoint)),
              () =>
                Effect.sync(() => {
                  hasBegun = false
                })
            ),
            commit: Effect.void,
            rollback: Effect.suspend(() =>
              hasBegun
                ? Effect.catchAll(run(connection, `ROLLBACK TO ${savepoint}`), (error) =>
                    Effect.sync(() => ended.set(connection, error))
                  )
                : Effect.void
            )
          }
          return within(connection, depth + 1, bounds, Effect.void)
        }
        return Effect.flatMap(reserve, ({ connection, release }) => {
          const bounds = {
            begin: Effect.suspend(() => {
              ended.delete(connection)
              return begin(connection)
            }),
            commit: unlessEnded(connection, () => commit(connection)),
            // Some failures end the transaction themselves; the rollback then fails.
            rollback: Effect.suspend(() => Effect.ignore(run(connection, "ROLLBACK")))
          }
          return within(connection, 0, bounds, release)
        })
      })
    )
}

/**
 * The client with transactions that take the write lock when they begin. What they read is then still true when they write, and two
 * processes wait for each other instead of failing. `control`: connection for BEGIN, COMMIT and ROLLBACK, for clients whose own connection
 * turns SQL errors into defects.
 */
export const withWholeTransactions = (
  sql: SqlClient.SqlClient,
  { control = identity, reserve }: Pick<TransactionOptions, "control" | "reserve"> = {}
): SqlClient.SqlClient =>
  Object.assign(sql, {
    withTransaction: whole(sql, {
      begin: (connection) => control(connection).execute("BEGIN IMMEDIATE", [], undefined),
      commit: (connection) => control(connection).execute("COMMIT", [], undefined),
      control,
      reserve
    })
  })
