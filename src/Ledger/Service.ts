/** Durable record of runs: checkpoints, paid answers, pages, rejects, state and locks. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Connection, reading, writing } from "./Connection.ts"
import * as History from "./History.ts"
import { make as makeJournal } from "./Journal.ts"
import type { LedgerError, Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import type { Beginning, Journal, RunRecord } from "./Model.ts"
import * as Retention from "./Retention.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import * as StateStore from "./StateStore.ts"

/** The ledger of a data folder. */
export class Ledger extends Context.Tag("sluice/Ledger")<
  Ledger,
  {
    /** For services that keep what is theirs in the same database, such as schedules. */
    readonly connection: Connection
    /** Where it is, for messages. */
    readonly place: string
    /** True when other machines may use it at the same time. */
    readonly isShared: boolean
    /**
     * Starts or resumes a run. Holds the locks of the run and of its state key until the scope closes. Fails with
     * {@link Locked} when another process holds one of them.
     */
    readonly open: (beginning: Beginning) => Effect.Effect<Journal, LedgerError | Locked, Scope.Scope>
    readonly find: (id: string) => Effect.Effect<RunRecord | undefined, LedgerError>
    /** Credits that a pipeline has used since a time. */
    readonly spentSince: (pipeline: string, instant: number) => Effect.Effect<number, LedgerError>
    /** Queries about past runs. */
    readonly history: History.History
    /** State across runs, for `sluice state`. */
    readonly states: StateStore.States
    readonly forgetting: Retention.Forgetting
    /** Rate limits and budgets that shards of a run share. */
    readonly groups: SharedLimits.Groups
  }
>() {}

const open = (connection: Connection, beginning: Beginning) =>
  Effect.gen(function* () {
    const { id, stateKey } = beginning
    const names = [`run ${id}`, ...(stateKey === undefined ? [] : [StateStore.lockOf(stateKey)])]
    const held = yield* Locks.hold(connection, names)
    yield* Effect.zipRight(held.fence, Runs.begin(connection, beginning)).pipe(
      writing(connection, `beginning run ${id}`)
    )
    return yield* makeJournal(connection, beginning, held)
  })

export const make = (connection: Connection): typeof Ledger.Service => ({
  connection,
  place: connection.place,
  isShared: connection.isShared,
  open: (beginning) => open(connection, beginning),
  find: (id) => Runs.find(connection, id).pipe(reading(connection, `looking for run ${id}`)),
  spentSince: (pipeline, instant) =>
    Runs.since(connection.sql, pipeline, instant).pipe(reading(connection, `adding up what ${pipeline} has spent`)),
  history: History.make(connection),
  states: StateStore.make(connection),
  forgetting: Retention.make(connection),
  groups: SharedLimits.make(connection)
})
