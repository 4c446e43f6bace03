/** Gives space that nothing uses any more back to the disk. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Needs `auto_vacuum = INCREMENTAL`; other databases look after themselves. */
export const shrink = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.zipRight(
        sql.unsafe("PRAGMA incremental_vacuum"),
        // What readers still look at stays in the log until the next time.
        sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
      ),
    orElse: () => Effect.void
  })
