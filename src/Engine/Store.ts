/** The one SQL store of the engine: jobs, results, usage and the search index in one SQLite file. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migration from "./Store/Migration.ts"
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

const reasonOf = (cause: unknown): string => {
  const inner = typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : undefined
  const text = (error: unknown) => (error instanceof Error ? error.message : String(error))
  return inner === undefined ? text(cause) : text(inner)
}

/** Several processes may share the file: writers wait for each other, and a commit survives a killed process. */
const pragmas = [
  "busy_timeout = 10000",
  "synchronous = NORMAL",
  "temp_store = MEMORY",
  // 16 MB of pages, and 32 MB of log between two checkpoints: results are large, and come in bursts.
  "cache_size = -16000",
  "wal_autocheckpoint = 8000"
]

/** Makes the folder private (it holds keys and other people's pages) and opens `engine.db` in it. */
export const layer = (
  dataDir: string
): Layer.Layer<SqlClient.SqlClient, StoreError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const file = path.join(dataDir, "engine.db")
      const failed = (cause: unknown) =>
        new StoreError({
          file,
          reason: `${reasonOf(cause)}. Is the folder writable, and the file a database of this program?`,
          cause
        })
      yield* Effect.mapError(
        files
          .makeDirectory(dataDir, { recursive: true, mode: 0o700 })
          .pipe(Effect.zipRight(files.chmod(dataDir, 0o700))),
        failed
      )
      const open = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.forEach(pragmas, (pragma) => sql.unsafe(`PRAGMA ${pragma}`), { discard: true })
        yield* Migration.migrate(sql, parts)
        return sql
      }).pipe(
        Effect.catchTags({
          NewerStore: (newer) => Effect.fail(new StoreError({ file, reason: newer.message })),
          SqlError: (error) => Effect.fail(failed(error))
        })
      )
      return Layer.effect(SqlClient.SqlClient, open).pipe(
        Layer.provide(SqliteClient.layer({ filename: file })),
        // The driver throws when the file cannot be opened.
        Layer.catchAllCause((cause) => {
          const error = Cause.squash(cause)
          return Layer.fail(error instanceof StoreError ? error : failed(error))
        })
      )
    })
  )
