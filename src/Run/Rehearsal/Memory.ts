/** A ledger that is forgotten with the rehearsal: the real one, over a database in memory. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migration from "../../Database/Migration.ts"
import { withWholeTransactions } from "../../Database/Transaction.ts"
import { over } from "../Ledger/Sqlite.ts"
import { migrations } from "../Ledger/Tables.ts"
import type { Ledger } from "../Ledger.ts"

const database = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    const sql = withWholeTransactions(yield* SqlClient.SqlClient)
    yield* Migration.migrate(sql, { ledger: migrations })
    return sql
  })
).pipe(Layer.provide(SqliteClient.layer({ filename: ":memory:", disableWAL: true })), Layer.orDie)

export const ledger: Layer.Layer<Ledger, never, FileSystem.FileSystem> = Layer.provide(
  over(":memory:"),
  Layer.fresh(database)
)
