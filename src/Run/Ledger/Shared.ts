/** The ledger of many machines for whoever may want it: its driver takes time to load, and few do. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Ledger } from "../Ledger.ts"
import type { LedgerError } from "./Errors.ts"

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
      Effect.promise(() => import("./Postgres.ts")),
      ({ layer }) => layer(url)
    )
  )
