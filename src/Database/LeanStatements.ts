/** Statements without the span and the scope that `@effect/sql` makes for each: those cost more than a short statement. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A statement as an effect: `commit` runs it. */
interface Runnable<A> {
  readonly commit: () => Effect.Effect<ReadonlyArray<A>, SqlError>
}

const lean = <A>(statement: Statement<A>, between: Connection | undefined): Statement<A> => {
  const { commit } = statement as unknown as Runnable<A>
  const run = () =>
    Effect.withFiberRuntime<ReadonlyArray<A>, SqlError>((fiber) => {
      const transaction = Context.getOption(fiber.currentContext, SqlClient.TransactionConnection)
      const connection = Option.isSome(transaction) ? transaction.value[0] : between
      if (connection === undefined) return commit.call(statement)
      const [text, parameters] = statement.compile()
      return connection.execute(text, parameters, undefined)
    })
  return Object.assign(statement, { commit: run } satisfies Runnable<A>)
}

const isStatement = (made: unknown): made is Statement<unknown> =>
  Effect.isEffect(made) && "compile" in made && "commit" in made

/**
 * Makes a client whose statements have no span and no scope. Within a transaction, statements run on its connection, even if another client
 * began it in this fiber. Outside of transactions they run on `between`, or as statements of the library if there is none. Ignores
 * `Statement.withTransformer` and `transformRows`, which this program does not use.
 */
export const withLeanStatements = <Client extends SqlClient.SqlClient>(sql: Client, between?: Connection): Client => {
  const library: (...words: ReadonlyArray<never>) => unknown = sql
  const make = (...words: ReadonlyArray<never>) => {
    const made = library(...words)
    return isStatement(made) ? lean(made, between) : made
  }
  const client = Object.assign(make, sql, {
    unsafe: <A extends object>(text: string, parameters?: ReadonlyArray<unknown>) =>
      lean(sql.unsafe<A>(text, parameters), between)
  })
  // `safe` is the client itself, so it also gets the transactions that are set on this client later.
  return Object.assign(client, { safe: client }) as unknown as Client
}
