/** SQLite on libsql as a client of `@effect/sql`: one connection that caches prepared statements. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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
    after(millis, () => resume(Effect.void))
  })

/**
 * Makes the functions that run calls of the driver. A call that finds the file locked is repeated for `busyTimeout` milliseconds. SQLite
 * would wait for the lock itself, but block the event loop meanwhile, and with it a transaction of another connection of this process.
 *
 * A statement that was refused stays in progress until it has run, and no transaction can be committed before. So the wait is
 * uninterruptible, and outside of transactions it keeps the turn.
 */
const makeAttempts = (busyTimeout: number, { release, take, takeNow }: Turns.Turns) => {
  const attempted = <A>(run: () => A, tries: number, deadline: number): Effect.Effect<A, SqlError> => {
    try {
      return Effect.succeed(run())
    } catch (cause) {
      if (!isBusy(cause) || performance.now() >= deadline) {
        return Effect.fail(new SqlError({ cause, message: "Failed to execute statement" }))
      }
      return Effect.flatMap(pause(delays[tries] ?? 100), () => attempted(run, tries + 1, deadline))
    }
  }
  const first = <A>(run: () => A) => attempted(run, 0, performance.now() + busyTimeout)
  /** Runs a call within a transaction. */
  const within: Attempt = (run) => Effect.uninterruptible(Effect.suspend(() => first(run)))
  /** Runs a call outside of transactions, and never inside another fiber's transaction. */
  const between: Attempt = (run) =>
    Effect.uninterruptibleMask((restore) => {
      if (!takeNow()) return Effect.flatMap(take(restore), () => Effect.ensuring(first(run), Effect.sync(release)))
      // Usually nothing else is at work, and the call is one operation of the fiber.
      const result = first(run)
      if (!Exit.isExit(result)) return Effect.ensuring(result, Effect.sync(release))
      release()
      return result
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
 * `Transaction.ts`. `busyTimeout`: milliseconds that a call waits for the writes of other connections and processes.
 */
const make = (
  filename: string,
  busyTimeout = 60_000
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
    const attempts = makeAttempts(busyTimeout, turns)
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

export const layer = (filename: string, busyTimeout?: number): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(filename, busyTimeout)), Reactivity.layer)
