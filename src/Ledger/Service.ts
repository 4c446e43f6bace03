/** The service `Ledger`: runs with their journal, history, state across runs, shared limits, retention, and more. */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Dialect from "../Database/Dialect.ts"
import { sha256 } from "../Row/Hash.ts"
import * as Agents from "./Agents.ts"
import { type Connection, describing, reading, toText, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import * as Held from "./Held.ts"
import * as History from "./History.ts"
import { make as makeJournal } from "./Journal.ts"
import type { LedgerError, Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import * as Logs from "./Logs.ts"
import { isWindow, type Journal, type RunRecord, type RunSpec } from "./Model.ts"
import * as Retention from "./Retention.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import * as StateStore from "./StateStore.ts"

/** A contract, and the first run that used it. */
export interface ContractRecord {
  readonly text: string
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Contracts {
  /** Records a contract; does nothing if the pipeline had the same contract before. */
  readonly record: (pipeline: string, contract: Omit<ContractRecord, "at">) => Effect.Effect<void, LedgerError>
  /** Contracts of a pipeline, newest first. */
  readonly of: (pipeline: string, limit: number) => Effect.Effect<ReadonlyArray<ContractRecord>, LedgerError>
}

/** Durable record of runs, in a data folder or a shared database. */
export class Ledger extends Context.Tag("sluice/Ledger")<
  Ledger,
  {
    /** Connection for services that store their own tables in the same database, such as schedules. */
    readonly connection: Connection
    /** Path or database URL, for messages. */
    readonly place: string
    /** True if other machines may use the ledger. */
    readonly isShared: boolean
    /**
     * Starts or resumes a run. Holds the locks of the run, and of its state key or its window of a backfill, until the scope closes. Fails
     * with {@link Locked} if another process holds one of them.
     */
    readonly open: (run: RunSpec, isResume?: boolean) => Effect.Effect<Journal, LedgerError | Locked, Scope.Scope>
    readonly find: (id: string) => Effect.Effect<RunRecord | undefined, LedgerError>
    /**
     * Asks the process that executes a run to stop it, like Ctrl-C in that process. The run reacts within a few seconds. Returns
     * false if no process executes the run.
     */
    readonly requestStop: (id: string) => Effect.Effect<boolean, LedgerError>
    /** Credits that a pipeline has used since a time. */
    readonly creditsSince: (pipeline: string, since: number) => Effect.Effect<number, LedgerError>
    /** Contracts that the runs of pipelines began with. */
    readonly contracts: Contracts
    readonly history: History.History
    readonly health: Health.Health
    readonly logs: Logs.Logs
    /** Runs whose outputs are held until they are published or discarded. */
    readonly held: Held.Held
    /** State across runs (`sluice state`). */
    readonly states: StateStore.States
    readonly retention: Retention.Retention
    /** Rate limits and budgets that the shards of a run share. */
    readonly sharedLimits: SharedLimits.SharedLimits
    /** Calls, plans and drafts of agents (`sluice mcp`). */
    readonly agents: Agents.Agents
  }
>() {}

/** Client of the ledger's database. */
export const ledgerSql = Effect.map(Ledger, ({ connection }) => connection.sql)

/** Applies `describing` with the ledger of the context. Use it after retries and transactions: they need the `SqlError`. */
export const inLedger =
  (doing: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Ledger, ({ connection }) => describing(connection, doing)(effect))

const lockName = (run: string): string => `run ${run}`

const open = (connection: Connection, run: RunSpec, isResume: boolean) =>
  Effect.gen(function* () {
    const { group, id, inputs, options, pipeline, stateKey } = run
    // A backfill has no state: without this lock, two processes could run the same window at once. Shards share their window.
    const window = `backfill ${sha256(`${pipeline}\n${toText(inputs)}`).slice(0, 16)} of ${Dialect.encodeText(pipeline)}`
    const names = [
      lockName(id),
      ...(stateKey === undefined ? [] : [StateStore.lockName(stateKey)]),
      ...(isWindow(options) && group === undefined ? [window] : [])
    ]
    const locks = yield* Locks.acquire(connection, names)
    yield* Effect.all([locks.fence, Runs.start(connection, run, isResume)]).pipe(
      writing(connection, `starting run ${id}`)
    )
    return yield* makeJournal(connection, run, locks)
  })

const makeContracts = (connection: Connection): Contracts => {
  const { sql } = connection
  return {
    record: (pipeline, { run, text }) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const content = Dialect.encodeText(text)
        yield* sql`INSERT INTO contracts ${sql.insert({
          pipeline: Dialect.encodeText(pipeline),
          hash: sha256(text),
          content,
          run_id: run,
          at
        })} ON CONFLICT (pipeline, hash) DO NOTHING`
      }).pipe(writing(connection, `recording the contract of ${pipeline}`)),
    of: (pipeline, limit) =>
      Effect.map(
        sql<{ content: string; run_id: string; at: number }>`SELECT content, run_id, at FROM contracts
          WHERE pipeline = ${Dialect.encodeText(pipeline)} ORDER BY at DESC, hash LIMIT ${limit}`,
        (rows) =>
          rows.map(({ at, content, run_id }) => ({ text: Dialect.decodeText(content), run: run_id, at: Number(at) }))
      ).pipe(reading(connection, `reading the contracts of ${pipeline}`))
  }
}

export const make = (connection: Connection): typeof Ledger.Service => ({
  connection,
  place: connection.place,
  isShared: connection.isShared,
  open: (run, isResume = false) => open(connection, run, isResume),
  find: (id) => Runs.find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  requestStop: (id) => Locks.requestStop(connection, lockName(id)),
  creditsSince: (pipeline, since) =>
    Runs.creditsSince(connection.sql, pipeline, since).pipe(
      reading(connection, `adding up the credits of ${pipeline}`)
    ),
  contracts: makeContracts(connection),
  history: History.make(connection),
  health: Health.make(connection),
  logs: Logs.make(connection),
  held: Held.make(connection),
  states: StateStore.make(connection),
  retention: Retention.make(connection),
  sharedLimits: SharedLimits.make(connection),
  agents: Agents.make(connection)
})
