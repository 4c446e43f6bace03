/** Durable record of runs: a SQLite file in the data folder, or a Postgres database that machines share. */
import { hostname } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Database from "./Database.ts"
import { type LedgerError, notOpened } from "./Ledger/LedgerErrors.ts"
import { migrations } from "./Ledger/Schema.ts"
import { Ledger, make } from "./Ledger/Service.ts"

export { LedgerError, Locked } from "./Ledger/LedgerErrors.ts"
export type { RunRecord } from "./Ledger/Model.ts"
export type { PageRecord, RejectFilter, RejectRecord } from "./Ledger/Pages.ts"
export { health, pages, type RunQuery, rejects, runs, state } from "./Ledger/Queries.ts"
export { Ledger } from "./Ledger/Service.ts"
export type { StateFilter, StateRecord } from "./Ledger/StateStore.ts"

const pragmas = [
  // Lets Retention return the space of deleted runs to the disk.
  "auto_vacuum = INCREMENTAL",
  // A commit is on disk when it returns.
  "synchronous = FULL",
  "cache_size = -32000",
  // Checkpoint the WAL every 32 MB, so that a burst of answers is copied into the file only once.
  "wal_autocheckpoint = 8000"
]

/** SQLite connection; creates or migrates the ledger's tables. */
export const database = (file: string) => Database.layer({ file, parts: { ledger: migrations }, pragmas })

/** Host name and PID namespace: containers may share a host name, but see different processes. */
const hostId = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const space = yield* Effect.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => "")
  return `${hostname()}/${space}`
})

/** Ledger over an open database. */
export const over = (place: string): Layer.Layer<Ledger, never, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const heartbeat = {
        interval: 5_000,
        // The lock is free after three missed heartbeats.
        timeout: 15_000,
        now: Effect.clockWith((clock) => Effect.succeed(sql`${clock.unsafeCurrentTimeMillis()}`)),
        lastBeat: sql.literal("beat")
      }
      return make({ sql, place, host: yield* hostId, heartbeat, isShared: false, retryRead: (read) => read })
    })
  )

/** Opens `ledger.db` in the data folder, and makes it readable only by its owner. */
export const layer = (dataDir: string): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(Path.Path, (path) => {
      const file = path.join(dataDir, "ledger.db")
      return over(file).pipe(Layer.provide(database(file)), Layer.mapError(notOpened))
    })
  )

/**
 * Ledger in a Postgres database (13 or later) that any number of machines share:
 * `postgres://user:password@host:port/database?schema=name`. The schema defaults to `sluice`; its tables are created on
 * first use.
 *
 * @example
 * ```ts
 * const ledger = Ledger.layerPostgres(Redacted.make("postgres://sluice:secret@db.internal/sluice"))
 * ```
 */
export const layerPostgres = (url: Redacted.Redacted): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("./Ledger/Postgres.ts")),
      ({ layer }) => layer(url)
    )
  )
