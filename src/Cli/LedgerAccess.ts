/** Ledger of a command: in the data folder, or in the Postgres database from the settings. Reading never creates one. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import * as Sqlite from "../Ledger.ts"
import { type Ledger, layerPostgres } from "../Ledger.ts"
import { NothingYet } from "./CommandErrors.ts"
import type { SettingValues } from "./CommandSettings.ts"
import { readPlaces } from "./CommandSettings.ts"
import type { Terminal } from "./Terminal.ts"

export const ledgerLayer = (
  { databaseUrl }: SettingValues,
  dataDir: string
): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem | Path.Path> =>
  databaseUrl === undefined ? Sqlite.layer(dataDir) : layerPostgres(databaseUrl)

/** True when there is a ledger to read. Opening one in a folder would create it. */
export const ledgerExists = ({ databaseUrl }: SettingValues, dataDir: string) =>
  Effect.gen(function* () {
    if (databaseUrl !== undefined) return true
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(dataDir, "ledger.db")
    // If the file cannot be checked, opening it reports why.
    return yield* Effect.orElseSucceed(files.exists(file), () => true)
  })

export interface LedgerPlace {
  readonly data?: string | undefined
  readonly profile?: string | undefined
}

/** Provides the ledger. Fails when there is none, because no run has been made. */
export const withLedger = <A, E, R>(options: LedgerPlace, terminal: Terminal, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    if (!(yield* ledgerExists(settings, dataDir))) return yield* new NothingYet({ dataDir })
    return yield* Effect.provide(effect, ledgerLayer(settings, dataDir))
  })
