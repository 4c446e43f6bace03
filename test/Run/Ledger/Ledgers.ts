/** Ledgers in folders of their own, and runs to put into them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Sqlite from "../../../src/Run/Ledger/Sqlite.ts"
import { type Beginning, type Checkpoint, Ledger } from "../../../src/Run/Ledger.ts"

export type Opened = typeof Ledger.Service

/** Opens the ledger of a folder, uses it, closes it. */
export const withLedger = <A, E, R>(folder: string, use: (ledger: Opened) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Ledger, use).pipe(
    Effect.scoped,
    Effect.provide(Sqlite.layer(folder)),
    Effect.provide(NodeContext.layer)
  )

export const run = (id: string, more: Partial<Beginning> = {}): Beginning => ({
  id,
  pipeline: "watch",
  file: "/home/me/watch.yaml",
  definition: "version: 1\nname: watch\n",
  definitionHash: "abc",
  inputs: { site: "https://a.example" },
  out: "/home/me/out",
  folder: `/home/me/.sluice/runs/${id}`,
  options: { limit: null },
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
  settled: [],
  ...more
})
