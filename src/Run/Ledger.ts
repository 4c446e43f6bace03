/** Durable record of runs: checkpoints, paid answers, pages, rejects, state and locks. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Json } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import type { Changes, Page, Saved, StateChange, StateEntry } from "../Step.ts"
import type { Decision, Standing } from "./Budget.ts"
import type { LedgerError, Locked } from "./Ledger/Errors.ts"
import type { Forgetting } from "./Ledger/Forgetting.ts"
import type { Groups } from "./Ledger/Groups.ts"
import type { History } from "./Ledger/History.ts"
import type { Change, Purse } from "./Ledger/Reservations.ts"
import type { Schedules } from "./Ledger/Schedules.ts"
import type { States } from "./Ledger/States.ts"
import type { Survey } from "./Ledger/Survey.ts"
import type { Reject } from "./Rejects.ts"
import type { Status } from "./Status.ts"

/** Run spec. It stays the same when the run is resumed. */
export interface Beginning {
  readonly id: string
  /** The pipeline's name. */
  readonly pipeline: string
  /** Absolute path of the definition. */
  readonly file: string
  /** The definition as it was read, and the SHA-256 of it and of the code that it uses. */
  readonly definition: string
  readonly definitionHash: string
  readonly inputs: Json
  /** Absolute folder of outputs. */
  readonly out: string
  /** Absolute folder of the run's rejects. */
  readonly folder: string
  /** `--limit`, `--backfill` and the like. */
  readonly options: Json
  /** Milliseconds since 1970; `$now` of the run. */
  readonly startedAt: number
  readonly scheduledFor?: number | undefined
  /** The key of the state across runs, when the pipeline has one. */
  readonly stateKey?: string | undefined
  /** The run that it is a shard of. Runs of a group share rate limits and a budget. */
  readonly group?: string | undefined
}

/** Stored run: its spec and its status. */
export interface RunRecord extends Beginning {
  readonly status: Status
  /** As the last checkpoint left it. */
  readonly progress: Json
  /** Bytes of its outputs, without those of its shards. */
  readonly bytes: number
  /** Credits of answers and of jobs together. */
  readonly credits: number
  readonly unpriced: number
  readonly rows: number
  readonly rejects: number
  /** Files the run has made, once it is completed. */
  readonly outputs: Json | undefined
  /** Why it failed. */
  readonly error?: string | undefined
  readonly updatedAt: number
  readonly endedAt?: number | undefined
}

/** A paid answer, durable before it is used. */
export interface Call {
  readonly step: string
  /** Identifies a call within its step: the task and the name of the call. */
  readonly mark: string
  readonly answer: Json
  /** Undefined when the call has no price; null when the service did not say. */
  readonly credits: number | null | undefined
  readonly page?: Page | undefined
  /** Pages that came with it; default: 1 with `page`, else none. */
  readonly pages?: number | undefined
  /** The budget reservation that this call replaces. */
  readonly reservation?: string | undefined
}

/** Rejects of another run, by their numbers there. */
export interface TakenUp {
  readonly of: string
  readonly numbers: ReadonlyArray<number>
}

/** Everything since the previous checkpoint, written in one transaction. */
export interface Checkpoint {
  /** Counters of the run, as they are now. */
  readonly progress: Json
  readonly rows: number
  readonly rejectCount: number
  /** Credits of jobs so far (those of calls are booked with the call), and calls or jobs of unknown price among them. */
  readonly jobCredits: number
  readonly jobUnpriced: number
  /** Pages of the run's own jobs, so far. */
  readonly jobPages?: number | undefined
  /** Rows that the budget has let into outputs so far, and their bytes at most. */
  readonly outputRows?: number | undefined
  readonly bytes?: number | undefined
  /** Remaining reservations of jobs after a part of them was booked. */
  readonly reservations?: ReadonlyArray<Change> | undefined
  readonly steps: ReadonlyArray<{ readonly step: string; readonly changes: Changes }>
  readonly pages: ReadonlyArray<{ readonly step: string; readonly page: Page }>
  readonly rejects: ReadonlyArray<Reject>
  readonly state: ReadonlyArray<{ readonly step: string; readonly change: StateChange }>
  /** Keys of rows that the next run will process. Their state changes are dropped. */
  readonly leftOut?: ReadonlyArray<string> | undefined
  /** Answers to drop, because this checkpoint contains their rows. */
  readonly settled: ReadonlyArray<{ readonly step: string; readonly mark: string }>
  /**
   * Rejects that this run replays, with their pending state changes. Fails when another run has claimed one of them.
   */
  readonly takenUp?: TakenUp | undefined
}

/** State to delete when the run is completed: entries of these steps that no run has seen for `after` milliseconds. */
export interface Forgetful {
  /** Milliseconds. */
  readonly after: number
  readonly steps: ReadonlyArray<string>
}

/** Write access to the ledger for one running run. */
export interface Journal {
  /** State of a step in the last checkpoint. */
  readonly saved: (step: string) => Effect.Effect<Saved, LedgerError>
  /** Stored answers of a step, by mark. */
  readonly answers: Effect.Effect<ReadonlyMap<string, ReadonlyMap<string, Json>>, LedgerError>
  /** Credits and calls of unknown price that were booked with answers. */
  readonly booked: Effect.Effect<
    { readonly credits: number; readonly unpriced: number; readonly pages: number },
    LedgerError
  >
  readonly remember: (call: Call) => Effect.Effect<void, LedgerError>
  /** Reserves a part of a shared budget: calls `decide` with what is spent and reserved, and stores what it grants. */
  readonly reserve: (asked: {
    readonly id: string
    readonly purse: Purse
    /** Reservations of this process. Others of the same run were left by a killed process. */
    readonly mine: ReadonlySet<string>
    readonly decide: (standing: Standing) => Decision
  }) => Effect.Effect<Decision, LedgerError>
  readonly release: (id: string) => Effect.Effect<void, LedgerError>
  /** Checkpoints are written one after the other. */
  readonly checkpoint: (checkpoint: Checkpoint) => Effect.Effect<void, LedgerError>
  /** Records the sealed files, so that a resume can publish them after a crash. */
  readonly publishing: (sealed: ReadonlyArray<Sealed>) => Effect.Effect<void, LedgerError>
  /** Files recorded by {@link publishing}, until the run is completed. A run that has them only publishes when it is resumed. */
  readonly sealed: Effect.Effect<ReadonlyArray<Sealed> | undefined, LedgerError>
  /** Completes the run: applies staged state (not that of rejected rows) and drops what only a resume needs. */
  readonly completed: (outputs: Json, forgetting?: Forgetful, note?: string) => Effect.Effect<void, LedgerError>
  readonly ended: (status: "stopped" | "budget" | "failed", error?: string) => Effect.Effect<void, LedgerError>
  /** State of a step from earlier runs. */
  readonly state: (step: string) => Effect.Effect<ReadonlyArray<StateEntry>, LedgerError>
  /** Keys of the pages of this run, without those that answered 404 or 410. */
  readonly met: Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * True when an earlier run with this state key, or the state itself, has one of these pages, or when runs that the
   * state comes from were pruned.
   */
  readonly knowsAny: (stateKey: string, keys: ReadonlyArray<string>) => Effect.Effect<boolean, LedgerError>
  /** Keys of the pages of a job that came with an error. */
  readonly failed: (jobId: string) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * Never succeeds; fails when another process has taken over a lock because the heartbeat of this one was late. All
   * writes fail from then on. Race a run with this to end it at once.
   */
  readonly lost: Effect.Effect<never, LedgerError>
  /**
   * Call before writing to a file. After a pause of the process it checks that the locks are still held, since another
   * process may own the files by now.
   */
  readonly awake: Effect.Effect<void, LedgerError>
}

/** The ledger of a data folder. */
export class Ledger extends Context.Tag("sluice/Run/Ledger")<
  Ledger,
  {
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
    readonly history: History
    /** Queries of the dashboard. */
    readonly survey: Survey
    /** State across runs, for `sluice state`. */
    readonly states: States
    readonly forgetting: Forgetting
    /** Rate limits and budgets that shards of a run share. */
    readonly groups: Groups
    /** Schedules and their occurrences. */
    readonly schedules: Schedules
  }
>() {}
