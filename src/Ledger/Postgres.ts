/** Ledger in a Postgres database shared by several machines. The lock of a crashed process is free after four seconds. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { retryAt } from "../Database/ConnectionLoss.ts"
import * as Postgres from "../Database/Postgres.ts"
import { type LedgerError, notOpened } from "./LedgerErrors.ts"
import { migrations } from "./Schema.ts"
import { Ledger, make } from "./Service.ts"

/** Milliseconds between heartbeats; after `heartbeatTimeout`, another machine may take over. */
const heartbeatInterval = 1_000
const heartbeatTimeout = 4_000

/** Connection pool; creates or migrates the ledger's tables. */
export const database = (url: Redacted.Redacted, connections?: number) =>
  Postgres.layer({ url, parts: { ledger: migrations }, connections, idleTimeout: heartbeatTimeout })

/** Host name, boot id and PID namespace: cloned machines share a host name, and a PID is only valid on its own machine. */
const hostId = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const boot = yield* Effect.orElseSucceed(files.readFileString("/proc/sys/kernel/random/boot_id"), () => randomUUID())
  const space = yield* Effect.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => randomUUID())
  return `${hostname()}/${boot.trim()}/${space}`
})

/** Database URL without the password, for messages. */
export const placeOf = (url: Redacted.Redacted) => Effect.map(Postgres.addressOf(url), ({ place }) => place)

/** Ledger in an open database. */
export const over = (place: string): Layer.Layer<Ledger, never, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const millis = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::bigint`
      const heartbeat = {
        interval: heartbeatInterval,
        timeout: heartbeatTimeout,
        // Use the server's clock, because the clocks of machines differ.
        now: Effect.succeed(sql.literal(millis("clock_timestamp()"))),
        // Heartbeats cannot arrive while the server is down, so count from its start.
        lastBeat: sql.literal(`greatest(beat, ${millis("pg_postmaster_start_time()")})`)
      }
      return make({ sql, place, host: yield* hostId, heartbeat, isShared: true, retryRead: retryAt(sql) })
    })
  )

/** Opens the ledger at `postgres://user:password@host:port/database?schema=name`. The schema defaults to `sluice`. */
export const layer = (url: Redacted.Redacted): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem> =>
  Layer.unwrapEffect(Effect.map(placeOf(url), (place) => Layer.provide(over(place), database(url)))).pipe(
    Layer.mapError(notOpened)
  )
