/** The one SQL store of the engine: jobs, results, usage and the search index in one SQLite file. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../Database.ts"
import { parts } from "./Store/Parts.ts"

/** The store cannot be opened. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly file: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `Cannot open the store ${this.file}: ${this.reason}`
  }
}

const pragmas = [
  // A commit survives a killed process.
  "synchronous = NORMAL",
  // 8 MB of pages (the system keeps them too), and 32 MB of log between two checkpoints: results are large, and come in bursts.
  "cache_size = -8000",
  "wal_autocheckpoint = 8000"
]

const failed = (error: Database.DatabaseError) =>
  new StoreError({ file: error.file, reason: error.reason, cause: error.cause })

/** The same store in memory, for what must not be kept. */
export const memory: Layer.Layer<SqlClient.SqlClient, StoreError> = Layer.mapError(
  Database.memory({ parts, pragmas: [] }),
  failed
)

/** Opens `engine.db` in the folder. */
export const layer = (
  dataDir: string
): Layer.Layer<SqlClient.SqlClient, StoreError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(Path.Path, (path) =>
      Layer.mapError(Database.layer({ file: path.join(dataDir, "engine.db"), parts, pragmas }), failed)
    )
  )
