/** Ledgers in folders or schemas of their own, and runs to put into them. */
import { join } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Database from "../../src/Database/Sqlite.ts"
import type { LedgerError } from "../../src/Ledger/LedgerErrors.ts"
import type { Checkpoint, Journal, RunSpec } from "../../src/Ledger/Model.ts"
import * as Postgres from "../../src/Ledger/Postgres.ts"
import type { Reject } from "../../src/Ledger/RejectLine.ts"
import { Ledger } from "../../src/Ledger.ts"
import type { StateEntry } from "../../src/Step.ts"
import * as Server from "../Postgres.ts"
import * as Fresh from "./Fresh.ts"

export type Opened = typeof Ledger.Service

const isAddress = (place: string) => place.startsWith("postgres://")

const layerOf = (place: string): Layer.Layer<Ledger, LedgerError, FileSystem.FileSystem | Path.Path> =>
  isAddress(place) ? Postgres.layer(Redacted.make(place)) : Fresh.layer(place)

/** A ledger of its own connection, for as long as the scope is open. */
export const ledgerIn = (place: string) =>
  Effect.map(Layer.build(Layer.provide(layerOf(place), NodeContext.layer)), (context) => Context.get(context, Ledger))

/** Opens the ledger of a folder, uses it, closes it. */
export const withLedger = <A, E, R>(folder: string, use: (ledger: Opened) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(ledgerIn(folder), use))

/** Looks into the database, or changes it, behind the ledger's back. */
export const behind = <A>(place: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>) =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(isAddress(place) ? Server.client(place) : Database.layer(join(place, "ledger.db"))),
    Effect.orDie
  )

export const run = (id: string, more: Partial<RunSpec> = {}): RunSpec => ({
  id,
  pipeline: "watch",
  file: "/home/me/watch.yaml",
  definition: "version: 1\nname: watch\n",
  definitionHash: "abc",
  inputs: { site: "https://a.example" },
  out: "/home/me/out",
  folder: `/home/me/.sluice/runs/${id}`,
  options: {},
  startedAt: 1_000,
  ...more
})

export const checkpoint = (more: Partial<Checkpoint> = {}): Checkpoint => ({
  progress: {},
  rows: 0,
  rejectCount: 0,
  jobCredits: 0,
  jobUnpriced: 0,
  steps: [],
  pages: [],
  rejects: [],
  state: [],
  resolvedCalls: [],
  ...more
})

/** The state of a step that a run has before it. */
export const stateOf = (journal: Journal, step: string): Effect.Effect<ReadonlyArray<StateEntry>, LedgerError> =>
  Effect.suspend(() => {
    const entries: Array<StateEntry> = []
    return Effect.as(
      journal.state(step, (entry) => entries.push(entry)),
      entries
    )
  })

export const reject = (key: string, more: Partial<Reject> = {}): Reject => ({
  key,
  step: "scrape",
  definedAt: "watch.yaml:7:5",
  error: "HttpError",
  message: "the site said 500",
  at: "2026-01-01T00:00:00.000Z",
  row: { url: key },
  ...more
})
