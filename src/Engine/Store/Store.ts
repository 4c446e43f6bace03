/**
 * The SQL store of the engine: jobs, results, usage and the search index in one SQLite file.
 *
 * There is one connection, and therefore one transaction at a time. Teams take turns on it: a statement or transaction belongs to the team
 * in the fiber's `Owner`. The fiber that holds the connection is scheduled before all others, because they may be waiting for it.
 */

import * as Reactivity from "@effect/experimental/Reactivity"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { withLeanStatements } from "../../Database/LeanStatements.ts"
import { withWholeTransactions } from "../../Database/Transaction.ts"
import * as Database from "../../Database.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { urgently } from "../Teams/TeamScheduler.ts"
import { parts } from "./Schema.ts"
import { dying, dyingConnection, Sql, StoreError } from "./Sql.ts"

const pragmas = [
  // A commit survives the end of the process, but after a power failure the last commits may be lost.
  "synchronous = NORMAL",
  // 8 MB of pages (the system caches them too); 32 MB of log between two checkpoints, because results are large and come in bursts.
  "cache_size = -8000",
  "wal_autocheckpoint = 8000"
]

const failed = (error: Database.DatabaseError) =>
  new StoreError({ file: error.file, reason: error.reason, cause: error.cause })

/** Creates a client on the same connection that is shared fairly between teams, and whose statements die on errors. */
const fairly = (file: string) =>
  Effect.gen(function* () {
    const connection = yield* (yield* SqlClient.SqlClient).reserve
    const end = dying(file)
    const shared = dyingConnection(connection, end)
    const places = FairQueue.make({ capacity: 1 })
    /**
     * Runs a statement outside of transactions. It takes a turn at the connection: without one, the statement could run inside another
     * fiber's transaction.
     */
    const inTurn = <A>(run: Effect.Effect<A, SqlError>) => {
      const placed = Effect.flatMap(FairQueue.Owner, (team) => places.withPlace(team)(run))
      return Effect.suspend(() => (places.active() === 0 ? placed : urgently(placed)))
    }
    const acquirer = Effect.flatMap(FairQueue.Owner, (team) => Effect.as(places.acquire(team), shared))
    const client = yield* SqlClient.make({
      acquirer: urgently(acquirer),
      transactionAcquirer: acquirer,
      compiler: makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    const between = {
      ...shared,
      execute: (...statement: Parameters<Connection["execute"]>) => inTurn(shared.execute(...statement))
    }
    const lean = withLeanStatements(client, between)
    const { withTransaction: whole } = withWholeTransactions(lean, { control: () => connection })
    const withTransaction: Sql["withTransaction"] = (effect) => urgently(end(whole(effect)))
    return Object.assign(lean, { withTransaction }) as Sql
  })

const fair = <E, R>(file: string, database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.scoped(Sql, Effect.orDie(fairly(file))).pipe(Layer.provide(Layer.merge(database, Reactivity.layer)))

/** In-memory store for jobs with zero data retention. */
export const memory: Layer.Layer<Sql, StoreError> = fair(
  ":memory:",
  Layer.mapError(Database.memory({ parts, pragmas: [] }), failed)
)

/** Opens `engine.db` in the data folder. */
export const layer = (dataDir: string): Layer.Layer<Sql, StoreError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(Path.Path, (path) => {
      const file = path.join(dataDir, "engine.db")
      return fair(file, Layer.mapError(Database.layer({ file, parts, pragmas }), failed))
    })
  )
