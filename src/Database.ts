/** Opens a SQLite file of Sluice: makes it private, sets its pragmas and migrates its tables, or fails with the reason. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { reasonOf } from "./Database/DriverErrors.ts"
import * as Migration from "./Database/Migration.ts"
import * as Sqlite from "./Database/Sqlite.ts"
import * as Files from "./Files.ts"

/** The file cannot be opened. */
export class DatabaseError extends Data.TaggedError("DatabaseError")<{
  readonly file: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `Cannot open the database ${this.file}: ${this.reason}`
  }
}

export interface Options {
  readonly file: string
  readonly parts: Migration.Parts
  /** SQLite pragmas such as `synchronous = FULL`. Set before the first page is written, because `auto_vacuum` requires that. */
  readonly pragmas: ReadonlyArray<string>
  /** Milliseconds that a writer waits for the transaction of another connection or process; see `Sqlite.ts`. */
  readonly busyTimeout?: number | undefined
}

/** Opens a file or `:memory:`, with its pragmas and tables. */
const opened = ({ file, parts, busyTimeout, pragmas }: Options): Layer.Layer<SqlClient.SqlClient, DatabaseError> => {
  const failed = (cause: unknown) => new DatabaseError({ file, reason: reasonOf(cause), cause })
  const open = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.forEach(
      // Several processes may share the file: writers wait for each other (`Sqlite.ts`), readers never wait.
      ["busy_timeout = 0", ...pragmas, "temp_store = MEMORY", "journal_mode = WAL"],
      (pragma) => sql.unsafe(`PRAGMA ${pragma}`),
      { discard: true }
    )
    yield* Migration.migrate(sql, parts)
    return sql
  }).pipe(
    Effect.catchTags({
      NewerDatabase: (newer) => Effect.fail(new DatabaseError({ file, reason: newer.message })),
      SqlError: (error) => Effect.fail(failed(error))
    })
  )
  return Layer.effect(SqlClient.SqlClient, open).pipe(
    Layer.provide(Sqlite.layer(file, busyTimeout)),
    Layer.catchAllCause((cause) => {
      const error = Cause.squash(cause)
      return Layer.fail(error instanceof DatabaseError ? error : failed(error))
    })
  )
}

/** True for a folder that all users share, like /tmp, which must not be made private. An empty one is a mounted volume of our own. */
const isShared = (files: FileSystem.FileSystem, folder: string) =>
  Effect.flatMap(files.stat(folder), ({ mode }) =>
    (mode & 0o1002) === 0o1002
      ? Effect.map(files.readDirectory(folder), (names) => names.length > 0)
      : Effect.succeed(false)
  )

/** Opens a database file. Creates its folder and makes it private, because the file contains keys and page content. */
export const layer = (
  options: Options
): Layer.Layer<SqlClient.SqlClient, DatabaseError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { file } = options
      const files = yield* FileSystem.FileSystem
      const folder = (yield* Path.Path).dirname(file)
      const failed = (cause: unknown) => new DatabaseError({ file, reason: reasonOf(cause), cause })
      yield* Effect.mapError(Files.makeFolder(files, folder), failed)
      if (yield* Effect.mapError(isShared(files, folder), failed)) {
        const reason = `${folder} is shared by all users of this machine, and the data in it would have to be private: use a folder below it`
        return yield* new DatabaseError({ file, reason })
      }
      yield* Effect.mapError(files.chmod(folder, 0o700), failed)
      return opened(options)
    })
  )

/** Database with the same tables in memory, until the scope closes. */
export const memory = (options: Omit<Options, "file">): Layer.Layer<SqlClient.SqlClient, DatabaseError> =>
  opened({ ...options, file: ":memory:" })

/**
 * Returns free pages of a SQLite file to the disk; Postgres does so by itself. Needs `auto_vacuum = INCREMENTAL`. The driver cannot run
 * `incremental_vacuum` to its end, so the mode changes to FULL for one commit, which leaves no free page.
 */
export const shrink = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.gen(function* () {
        yield* Effect.acquireUseRelease(
          sql.unsafe("PRAGMA auto_vacuum = FULL"),
          // A write that changes nothing, to cause a commit.
          () => sql.withTransaction(sql`UPDATE migrations SET name = name`),
          () => Effect.ignore(sql.unsafe("PRAGMA auto_vacuum = INCREMENTAL"))
        )
        // Pages that readers still use stay in the log until the next call.
        yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
      }),
    orElse: () => Effect.void
  })
