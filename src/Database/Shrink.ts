/** Gives space that nothing uses any more back to the disk. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Needs `auto_vacuum = INCREMENTAL`; other databases look after themselves. The driver cannot carry `incremental_vacuum`
 * to its end, so the mode is changed for one commit: a commit in the mode FULL leaves no free page.
 */
export const shrink = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.gen(function* () {
        yield* Effect.acquireUseRelease(
          sql.unsafe("PRAGMA auto_vacuum = FULL"),
          // Any change will do.
          () => sql.withTransaction(sql`UPDATE migrations SET name = name`),
          () => Effect.ignore(sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL"))
        )
        // What readers still look at stays in the log until the next time.
        yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
      }),
    orElse: () => Effect.void
  })
