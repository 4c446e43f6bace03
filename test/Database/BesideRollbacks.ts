/** Statements beside transactions of other fibers that are rolled back. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Makes the table `kept` and inserts `count` rows, one statement each, while another fiber begins transactions and rolls them back. The first
 * fiber yields at other operations each time. Returns the number of rows in the table: fewer than `count` if statements fell into transactions.
 */
export const insertBesideRollbacks = (sql: SqlClient.SqlClient, count: number) =>
  Effect.gen(function* () {
    yield* sql`CREATE TABLE kept (id INTEGER PRIMARY KEY)`
    let isDone = false
    const alone = Effect.gen(function* () {
      for (let id = 0; id < count; id++) {
        yield* sql`INSERT INTO kept VALUES (${id})`
        for (let pause = id % 17; pause > 0; pause--) yield* Effect.void
      }
      isDone = true
    })
    const undone = sql.withTransaction(Effect.zipRight(Effect.yieldNow(), Effect.fail("undone")))
    const failing = Effect.zipRight(Effect.ignore(undone), Effect.yieldNow()).pipe(
      Effect.repeat({ until: () => isDone })
    )
    yield* Effect.all([Effect.withMaxOpsBeforeYield(alone, 13), failing], { concurrency: "unbounded" })
    return (yield* sql<{ count: number }>`SELECT count(*) AS count FROM kept`)[0]?.count
  })
