/** SQLite on libsql as a client of `@effect/sql`: one connection that caches prepared statements. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import Database from "libsql"
import * as Turns from "../Callback/Turns.ts"
import { after } from "../Callback.ts"
import { isBusy } from "./DriverErrors.ts"
import { withLeanStatements } from "./LeanStatements.ts"
import { withWholeTransactions } from "./Transaction.ts"

/** Maximum prepared statements; the one prepared first is dropped first. */
const maxPrepared = 200

interface Prepared {
  readonly statement: Database.Statement<Array<unknown>>
  readonly isReader: boolean
}

/** Runs a call of the driver. */
type Attempt = <A>(run: () => A) => Effect.Effect<A, SqlError>

/** Milliseconds before the driver is called again while another connection writes to the file; the last one repeats. */
const delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

const pause = (millis: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = after(millis, () => resume(Effect.void))
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * Makes the functions that run calls of the driver. A call that finds the file locked is repeated for `patience` milliseconds. SQLite would
 * wait for the lock itself, but block the event loop meanwhile, and with it a transaction of another connection of this process.
 */
const makeAttempts = (patience: number, { isTaken, release, take }: Turns.Turns) => {
  interface Wait {
    readonly tries: number
    readonly until: number
  }
  const attempted = <A>(
    run: () => A,
    again: (run: () => A, wait: Wait) => Effect.Effect<A, SqlError>,
    wait: Wait | undefined
  ): Effect.Effect<A, SqlError> => {
    try {
      return Effect.succeed(run())
    } catch (cause) {
      const { tries, until } = wait ?? { tries: 0, until: performance.now() + patience }
      if (!isBusy(cause) || performance.now() >= until) {
        return Effect.fail(new SqlError({ cause, message: "Failed to execute statement" }))
      }
      return Effect.zipRight(pause(delays[tries] ?? 100), again(run, { tries: tries + 1, until }))
    }
  }
  /** Runs a call within a transaction. */
  const within = <A>(run: () => A, wait?: Wait): Effect.Effect<A, SqlError> =>
    Effect.suspend(() => attempted(run, within, wait))
  /**
   * Runs a call outside of transactions, and never inside another fiber's transaction: checking the turn and calling the driver are one
   * operation, because the fiber may yield between two.
   */
  const between = <A>(run: () => A, wait?: Wait): Effect.Effect<A, SqlError> =>
    Effect.suspend(() => {
      if (!isTaken()) return attempted(run, between, wait)
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(take(restore), () => {
          const result = attempted(run, between, wait)
          release()
          return restore(result)
        })
      )
    })
  return { within, between }
}

/** Makes connections that share the prepared statements of a database. */
const connectionsOf = (database: Database.Database): ((attempt: Attempt) => Connection) => {
  const prepared = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const statement = database.prepare<Array<unknown>>(text)
    return { statement, isReader: statement.reader }
  }
  const find = (text: string): Prepared => {
    const found = prepared.get(text)
    if (found !== undefined) return found
    const made = prepare(text)
    for (const oldest of prepared.keys()) {
      if (prepared.size < maxPrepared) break
      prepared.delete(oldest)
    }
    prepared.set(text, made)
    return made
  }
  // The driver gets the parameters as one array: separate arguments would be copied, and a single buffer would be taken for named
  // parameters.
  const rowsOf = <A>({ isReader, statement }: Prepared, parameters: ReadonlyArray<unknown>): ReadonlyArray<A> => {
    if (isReader) return statement.all(parameters) as Array<A>
    statement.run(parameters)
    return []
  }
  return (attempt) => {
    const execute =
      (statementOf: (text: string) => Prepared): Connection["executeUnprepared"] =>
      (text, parameters, transform) =>
        attempt(() => {
          const rows = rowsOf<object>(statementOf(text), parameters)
          return transform === undefined ? rows : transform(rows)
        })
    return {
      execute: execute(find),
      executeUnprepared: execute(prepare),
      executeRaw: (text, parameters) =>
        attempt(() => {
          const { isReader, statement } = find(text)
          return isReader ? statement.all(parameters) : statement.run(parameters)
        }),
      executeValues: (text, parameters) =>
        attempt(() => {
          const found = find(text)
          if (found.isReader) found.statement.raw(true)
          try {
            return rowsOf<Array<unknown>>(found, parameters)
          } finally {
            if (found.isReader) found.statement.raw(false)
          }
        }),
      executeStream: () => Effect.die("SQLite has no streams of rows")
    }
  }
}

/**
 * Opens a file or `:memory:` until the scope closes. Statements and transactions take turns on the connection. Transactions behave as in
 * `Transaction.ts`. `patience`: milliseconds that a call waits for the writes of other connections and processes, a minute by default.
 */
const make = (
  filename: string,
  patience = 60_000
): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.try({
        try: () => new Database(filename),
        catch: (cause) => new SqlError({ cause, message: "Failed to open database" })
      }),
      (opened) => Effect.sync(() => opened.close())
    )
    const turns = Turns.make()
    const attempts = makeAttempts(patience, turns)
    const connections = connectionsOf(database)
    const connection = connections(attempts.within)
    const release = Effect.sync(turns.release)
    const between = connections(attempts.between)
    const client = yield* SqlClient.make({
      acquirer: Effect.succeed(between),
      transactionAcquirer: Effect.uninterruptibleMask((restore) =>
        turns.take(restore).pipe(Effect.zipRight(Effect.addFinalizer(() => release)), Effect.as(connection))
      ),
      compiler: makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    return withWholeTransactions(withLeanStatements(client, between), {
      reserve: Effect.as(turns.take(identity), { connection, release })
    })
  })

export const layer = (filename: string, patience?: number): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(filename, patience)), Reactivity.layer)
