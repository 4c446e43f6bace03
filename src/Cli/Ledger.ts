/** Which ledger a command works with: that of the data folder, or the Postgres of the settings, which machines share. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import * as Sqlite from "../Ledger.ts"
import { layerPostgres } from "../Ledger.ts"
import type { Values } from "./Profile.ts"

export const layer = (
  { databaseUrl }: Values,
  dataDir: string
): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem | Path.Path> =>
  databaseUrl === undefined ? Sqlite.layer(dataDir) : layerPostgres(databaseUrl)

/** Whether there is a ledger to look into; looking makes none in a folder. */
export const isThere = ({ databaseUrl }: Values, dataDir: string) =>
  Effect.gen(function* () {
    if (databaseUrl !== undefined) return true
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(dataDir, "ledger.db")
    // Where that cannot be told, opening it says why.
    return yield* Effect.orElseSucceed(files.exists(file), () => true)
  })
