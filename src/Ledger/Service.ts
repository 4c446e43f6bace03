/** The `Ledger` service: runs with their journal, history, state across runs, shared limits and retention. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Connection, reading, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import * as Held from "./Held.ts"
import * as History from "./History.ts"
import { make as makeJournal } from "./Journal.ts"
import type { LedgerError, Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import type { Journal, RunRecord, RunSpec } from "./Model.ts"
import * as Retention from "./Retention.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import * as StateStore from "./StateStore.ts"

/** Durable record of runs, in a data folder or a shared database. */
export class Ledger extends Context.Tag("sluice/Ledger")<
  Ledger,
  {
    /** For services that store their own tables in the same database, such as schedules. */
    readonly connection: Connection
    /** Path or address, for messages. */
    readonly place: string
    /** True when other machines may use it. */
    readonly isShared: boolean
    /**
     * Starts or resumes a run. Holds the locks of the run and of its state key until the scope closes. Fails with
     * {@link Locked} when another process holds one of them.
     */
    readonly open: (run: RunSpec) => Effect.Effect<Journal, LedgerError | Locked, Scope.Scope>
    readonly find: (id: string) => Effect.Effect<RunRecord | undefined, LedgerError>
    /** Credits that a pipeline has used since a time. */
    readonly creditsSince: (pipeline: string, since: number) => Effect.Effect<number, LedgerError>
    readonly history: History.History
    readonly health: Health.Health
    /** Runs whose outputs wait for somebody's decision. */
    readonly held: Held.Held
    /** State across runs (`sluice state`). */
    readonly states: StateStore.States
    readonly retention: Retention.Retention
    /** Rate limits and budgets that the shards of a run share. */
    readonly sharedLimits: SharedLimits.SharedLimits
  }
>() {}

const open = (connection: Connection, run: RunSpec) =>
  Effect.gen(function* () {
    const { id, stateKey } = run
    const names = [`run ${id}`, ...(stateKey === undefined ? [] : [StateStore.lockName(stateKey)])]
    const locks = yield* Locks.acquire(connection, names)
    yield* Effect.all([locks.fence, Held.refuseSuperseded(connection, id), Runs.start(connection, run)]).pipe(
      writing(connection, `starting run ${id}`)
    )
    return yield* makeJournal(connection, run, locks)
  })

export const make = (connection: Connection): typeof Ledger.Service => ({
  connection,
  place: connection.place,
  isShared: connection.isShared,
  open: (run) => open(connection, run),
  find: (id) => Runs.find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  creditsSince: (pipeline, since) =>
    Runs.creditsSince(connection.sql, pipeline, since).pipe(
      reading(connection, `adding up the credits of ${pipeline}`)
    ),
  history: History.make(connection),
  health: Health.make(connection),
  held: Held.make(connection),
  states: StateStore.make(connection),
  retention: Retention.make(connection),
  sharedLimits: SharedLimits.make(connection)
})
