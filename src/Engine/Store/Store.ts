/**
 * The SQL store of the engine: jobs, results, usage and the search index in one SQLite file.
 *
 * There is one connection, and so one transaction at a time. Teams take turns on it: a statement or transaction belongs to the team in the
 * fiber's `Owner`. The fiber that holds the connection is scheduled before all others, because they may be waiting for it.
 */

import * as Reactivity from "@effect/experimental/Reactivity"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { withWholeTransactions } from "../../Database/Transaction.ts"
import * as Database from "../../Database.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { urgently } from "../Teams/TeamScheduler.ts"
import { parts } from "./Schema.ts"

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
  // A commit survives a killed process, though not always a power failure.
  "synchronous = NORMAL",
  // 8 MB of pages (the system caches them too); 32 MB of log between two checkpoints, because results are large and come in bursts.
  "cache_size = -8000",
  "wal_autocheckpoint = 8000"
]

const failed = (error: Database.DatabaseError) =>
  new StoreError({ file: error.file, reason: error.reason, cause: error.cause })

/** A client on the same connection that is shared fairly between teams. */
const fairly = Effect.gen(function* () {
  const connection = yield* (yield* SqlClient.SqlClient).reserve
  const succeeded = Effect.succeed(connection)
  const places = FairQueue.make({ capacity: 1 })
  /** Teams take turns only where one has to wait. */
  const turn = Effect.flatMap(FairQueue.Owner, (team) => places.withPlace(team)(succeeded)).pipe(urgently)
  const client = yield* SqlClient.make({
    acquirer: Effect.suspend(() => (places.active() === 0 ? succeeded : turn)),
    transactionAcquirer: Effect.flatMap(FairQueue.Owner, (team) => Effect.as(places.acquire(team), connection)),
    compiler: makeCompilerSqlite(),
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  const { withTransaction: inTurn } = withWholeTransactions(client)
  const withTransaction: typeof inTurn = (effect) => urgently(inTurn(effect))
  return Object.assign(client, { withTransaction })
})

const fair = <E, R>(database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.scoped(SqlClient.SqlClient, Effect.orDie(fairly)).pipe(Layer.provide(Layer.merge(database, Reactivity.layer)))

/** Store in memory, for jobs with zero data retention. */
export const memory: Layer.Layer<SqlClient.SqlClient, StoreError> = fair(
  Layer.mapError(Database.memory({ parts, pragmas: [] }), failed)
)

/** Opens `engine.db` in the data folder. */
export const layer = (
  dataDir: string
): Layer.Layer<SqlClient.SqlClient, StoreError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(Path.Path, (path) =>
      fair(Layer.mapError(Database.layer({ file: path.join(dataDir, "engine.db"), parts, pragmas }), failed))
    )
  )
