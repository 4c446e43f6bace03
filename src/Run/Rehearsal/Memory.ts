/** A ledger that is forgotten with the rehearsal: the real one, over a database in memory. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Layer from "effect/Layer"
import * as Database from "../../Database.ts"
import { over } from "../Ledger/Sqlite.ts"
import { migrations } from "../Ledger/Tables.ts"
import type { Ledger } from "../Ledger.ts"

const database = Layer.orDie(Database.memory({ parts: { ledger: migrations }, pragmas: [] }))

export const ledger: Layer.Layer<Ledger, never, FileSystem.FileSystem> = Layer.provide(
  over(":memory:"),
  Layer.fresh(database)
)
