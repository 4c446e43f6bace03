/**
 * Transactions of Postgres that are all or nothing, also when the connection is lost while they are committed.
 *
 * They are READ COMMITTED: each write of a ledger first changes the row of its lock, which nobody else can touch until the
 * commit, so writers of one run stand in line there, and those of different runs have no row in common but sums that are
 * added to. SERIALIZABLE would only add failures of transactions that do not disturb each other.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { whole } from "../Transaction.ts"
import { againAt, isLost } from "./Lost.ts"

/** The database has undone it: it may be done again. */
const undone = (cause: unknown) =>
  new SqlError({
    cause: Object.assign(new Error("Connection terminated before the commit", { cause }), { code: "08006" })
  })

const rolledBack = new SqlError({
  cause: new Error("a statement of the transaction had failed, so that nothing of it was kept")
})

/** The client with transactions that are done again when they collide or lose their connection, and never done twice. */
export const withWholeTransactions = <C extends SqlClient.SqlClient>(sql: C): C => {
  const waited = againAt(sql)
  const ids = new WeakMap<SqlConnection.Connection, string>()

  /** What became of a transaction whose commit got no answer; the server may not have noticed yet that we are gone. */
  const outcome = (id: string): Effect.Effect<string | null | undefined, SqlError> =>
    waited(sql<{ status: string | null }>`SELECT pg_xact_status(${id}::xid8) AS status`).pipe(
      Effect.map(([row]) => row?.status),
      Effect.flatMap((status) =>
        status === "in progress"
          ? Effect.zipRight(
              Effect.sleep("100 millis"),
              Effect.suspend(() => outcome(id))
            )
          : Effect.succeed(status)
      )
    )

  const commit = (connection: SqlConnection.Connection) =>
    connection.executeRaw("COMMIT", []).pipe(
      Effect.flatMap((result) =>
        // A transaction that has failed says so with nothing but this word.
        (result as { readonly command?: string }).command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
      ),
      Effect.catchIf(isLost, (error) => {
        const id = ids.get(connection)
        if (id === undefined) return Effect.fail(error)
        return Effect.flatMap(outcome(id), (status) =>
          status === "committed" ? Effect.void : Effect.fail(status === "aborted" ? undone(error) : error)
        )
      })
    )

  const begin = (connection: SqlConnection.Connection) =>
    Effect.map(
      // Without parameters both go in one message.
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
        // A part of a transaction cannot be done again without the whole.
        Option.isSome(around) ? once(effect) : waited(once(effect))
      )
  })
}
