/** The ledger in a Postgres database, which any number of machines share: what one of them leaves, another one takes up within seconds. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { againAt } from "../Database/Postgres/Lost.ts"
import * as Database from "../Database/Postgres.ts"
import { type LedgerError, notOpened } from "./LedgerErrors.ts"
import { migrations } from "./Schema.ts"
import { Ledger, make } from "./Service.ts"

/** Milliseconds between two signs of life: four of them missed, and another machine may go on. */
const beat = 1_000
const stale = 4_000

/** The pool of connections, with the ledger's tables. */
export const database = (url: Redacted.Redacted, connections?: number) =>
  Database.layer({ url, parts: { ledger: migrations }, connections, silence: stale })

/**
 * The host, since it was started, and the space of its process numbers: machines that were copied share their names, and
 * nobody may look for the processes of another one here.
 */
const machine = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const boot = yield* Effect.orElseSucceed(files.readFileString("/proc/sys/kernel/random/boot_id"), () => randomUUID())
  const space = yield* Effect.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => randomUUID())
  return `${hostname()}/${boot.trim()}/${space}`
})

/** Where it is, for messages. */
export const placeOf = (url: Redacted.Redacted) => Effect.map(Database.addressOf(url), ({ place }) => place)

/** The ledger over a database that has its tables. */
export const over = (place: string): Layer.Layer<Ledger, never, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const millis = (instant: string) => `floor(extract(epoch FROM ${instant}) * 1000)::bigint`
      const pulse = {
        beat,
        stale,
        // Clocks of machines differ; that of the server is one.
        now: Effect.succeed(sql.literal(millis("clock_timestamp()"))),
        // While the server was away nobody could be heard.
        heard: sql.literal(`greatest(beat, ${millis("pg_postmaster_start_time()")})`)
      }
      return make({ sql, place, host: yield* machine, pulse, isShared: true, again: againAt(sql) })
    })
  )

/** Opens the ledger at `postgres://user:password@host:port/database?schema=name`; without a schema it is `sluice`. */
export const layer = (url: Redacted.Redacted): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem> =>
  Layer.unwrapEffect(Effect.map(placeOf(url), (place) => Layer.provide(over(place), database(url)))).pipe(
    Layer.mapError(notOpened)
  )
