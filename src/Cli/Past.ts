/** The ledger of a data folder, for verbs that look back; looking makes nothing. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Sqlite from "../Run/Ledger/Sqlite.ts"
import { NothingYet } from "./Errors.ts"
import * as Profile from "./Profile.ts"
import type { Terminal } from "./Terminal.ts"

export interface Where {
  readonly data?: string | undefined
  readonly profile?: string | undefined
}

/** Gives the effect the ledger; without one there has been no run. */
export const withLedger = <A, E, R>(options: Where, terminal: Terminal, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const settings = yield* Profile.read(terminal.env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const isThere = yield* Effect.orElseSucceed(files.exists(paths.join(dataDir, "ledger.db")), () => false)
    if (!isThere) return yield* new NothingYet({ dataDir })
    return yield* Effect.provide(effect, Sqlite.layer(dataDir))
  })
