/** Durable record of runs, in a SQLite file of the data folder or in a Postgres database that machines share. */
import { hostname } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Database from "./Database.ts"
import { type LedgerError, notOpened } from "./Ledger/LedgerErrors.ts"
import { migrations } from "./Ledger/Schema.ts"
import { Ledger, make } from "./Ledger/Service.ts"

export { LedgerError, Locked } from "./Ledger/LedgerErrors.ts"
export type { RunRecord } from "./Ledger/Model.ts"
export { Ledger } from "./Ledger/Service.ts"

const pragmas = [
  // Space that a forgotten run leaves can be given back to the disk.
  "auto_vacuum = INCREMENTAL",
  // A commit has reached the disk when it returns.
  "synchronous = FULL",
  "cache_size = -32000",
  // 32 MB of log: bursts of answers are copied into the file once.
  "wal_autocheckpoint = 8000"
]

/** The file with the ledger's tables. */
export const database = (file: string) => Database.layer({ file, parts: { ledger: migrations }, pragmas })

/** The host, and the space of its process numbers: containers may share a name and not their processes. */
const machine = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const space = yield* Effect.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => "")
  return `${hostname()}/${space}`
})

/** The ledger over a database that has its tables. */
export const over = (place: string): Layer.Layer<Ledger, never, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pulse = {
        beat: 5_000,
        // Three of them missed, and the lock is free.
        stale: 15_000,
        now: Effect.map(Clock.currentTimeMillis, (now) => sql`${now}`),
        heard: sql.literal("beat")
      }
      return make({ sql, place, host: yield* machine, pulse, isShared: false, again: (read) => read })
    })
  )

/** Opens `ledger.db` in the folder, which is made private. */
export const layer = (dataDir: string): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(Path.Path, (path) => {
      const file = path.join(dataDir, "ledger.db")
      return over(file).pipe(Layer.provide(database(file)), Layer.mapError(notOpened))
    })
  )

/**
 * The ledger in a Postgres database (13 or later) that any number of machines share, at
 * `postgres://user:password@host:port/database?schema=name`; without a schema it is `sluice`. Its tables are made when it
 * is first opened.
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
