/** The ledger, for verbs that look back; looking makes nothing. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { NothingYet } from "./Errors.ts"
import * as Ledger from "./Ledger.ts"
import * as Profile from "./Profile.ts"
import type { Terminal } from "./Terminal.ts"

export interface Where {
  readonly data?: string | undefined
  readonly profile?: string | undefined
}

/** Gives the effect the ledger; without one there has been no run. */
export const withLedger = <A, E, R>(options: Where, terminal: Terminal, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* Profile.read(terminal.env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    if (!(yield* Ledger.isThere(settings, dataDir))) return yield* new NothingYet({ dataDir })
    return yield* Effect.provide(effect, Ledger.layer(settings, dataDir))
  })
