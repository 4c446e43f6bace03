/** What is known about runs after they are gone: runs, checkpoints, paid answers, pages, rejects, state and locks. */
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

/** What a run was begun with; it does not change when it is resumed. */
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
  /** What it is a shard of: runs of one group share their rates and their budget. */
  readonly group?: string | undefined
}

/** A run as the ledger has it: what it began with, and what has become of it. */
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
  /** Tells the calls of a step apart: the task and the name of the call. */
  readonly mark: string
  readonly answer: Json
  /** Undefined when the call has no price; null when the service did not say. */
  readonly credits: number | null | undefined
  readonly page?: Page | undefined
  /** Pages that came with it; default: 1 with `page`, else none. */
  readonly pages?: number | undefined
  /** What was reserved for it, and is booked now. */
  readonly reservation?: string | undefined
}

/** Rejects of another run, by their numbers there. */
export interface TakenUp {
  readonly of: string
  readonly numbers: ReadonlyArray<number>
}

/** Everything that has happened since the last one; taken down in one transaction. */
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
  /** What is left of reservations of jobs, now that a part of these is booked. */
  readonly reservations?: ReadonlyArray<Change> | undefined
  readonly steps: ReadonlyArray<{ readonly step: string; readonly changes: Changes }>
  readonly pages: ReadonlyArray<{ readonly step: string; readonly page: Page }>
  readonly rejects: ReadonlyArray<Reject>
  readonly state: ReadonlyArray<{ readonly step: string; readonly change: StateChange }>
  /** Keys of rows that the run leaves to the next one: what they have put into the state is dropped. */
  readonly leftOut?: ReadonlyArray<string> | undefined
  /** Answers that nobody needs any more, because what they led to is part of this checkpoint. */
  readonly settled: ReadonlyArray<{ readonly step: string; readonly mark: string }>
  /**
   * Rejects whose rows are this run's from now on, with what they would have put into the state. Fails when another run
   * has taken one of them up.
   */
  readonly takenUp?: TakenUp | undefined
}

/** State that a run forgets when it is completed: entries of these steps that no run has met for so long. */
export interface Forgetful {
  /** Milliseconds. */
  readonly after: number
  readonly steps: ReadonlyArray<string>
}

/** The ledger of one run while somebody works on it. */
export interface Journal {
  /** What a step kept at the last checkpoint. */
  readonly saved: (step: string) => Effect.Effect<Saved, LedgerError>
  /** The answers that are kept for a step, by their marks. */
  readonly answers: Effect.Effect<ReadonlyMap<string, ReadonlyMap<string, Json>>, LedgerError>
  /** Credits and calls of unknown price that were booked with answers. */
  readonly booked: Effect.Effect<
    { readonly credits: number; readonly unpriced: number; readonly pages: number },
    LedgerError
  >
  readonly remember: (call: Call) => Effect.Effect<void, LedgerError>
  /** Reserves a part of a budget that several runs spend from: decides by what counts, and keeps what is granted. */
  readonly reserve: (asked: {
    readonly id: string
    readonly purse: Purse
    /** Reservations that this process holds; what else the run has was left by one that was killed. */
    readonly mine: ReadonlySet<string>
    readonly decide: (standing: Standing) => Decision
  }) => Effect.Effect<Decision, LedgerError>
  readonly release: (id: string) => Effect.Effect<void, LedgerError>
  /** One after the other. */
  readonly checkpoint: (checkpoint: Checkpoint) => Effect.Effect<void, LedgerError>
  /** All files are whole; what is left to do is kept, so that it is done also after a crash. */
  readonly publishing: (sealed: ReadonlyArray<Sealed>) => Effect.Effect<void, LedgerError>
  /** What {@link publishing} kept, until the run is completed: from then on a run only publishes, however often it fails. */
  readonly sealed: Effect.Effect<ReadonlyArray<Sealed> | undefined, LedgerError>
  /** The run is done: staged state takes effect (not for rejected rows), and what only a resume would need is dropped. */
  readonly completed: (outputs: Json, forgetting?: Forgetful, note?: string) => Effect.Effect<void, LedgerError>
  readonly ended: (status: "stopped" | "budget" | "failed", error?: string) => Effect.Effect<void, LedgerError>
  /** What earlier runs left under the state key for a step. */
  readonly state: (step: string) => Effect.Effect<ReadonlyArray<StateEntry>, LedgerError>
  /** Keys of the pages of this run but for those that the site says are gone (404, 410). */
  readonly met: Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * Whether earlier runs under a state key have one of these pages, or the state has one of them as a key. True when the
   * runs that the state comes from are no longer all in the ledger.
   */
  readonly knowsAny: (stateKey: string, keys: ReadonlyArray<string>) => Effect.Effect<boolean, LedgerError>
  /** Keys of the pages of a job that came with an error. */
  readonly failed: (jobId: string) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * Never completes; fails when another process has taken a lock over, because this one gave no sign of life. Every write
   * fails from then on: a run that races with this ends at once instead of at its next write.
   */
  readonly lost: Effect.Effect<never, LedgerError>
  /**
   * Asked before anything is written to a file: a process that was stopped for a while may have been taken for dead, and
   * its files be another one's. Costs nothing but after such a pause.
   */
  readonly awake: Effect.Effect<void, LedgerError>
}

/** The ledger of a data folder. */
export class Ledger extends Context.Tag("sluice/Run/Ledger")<
  Ledger,
  {
    /** Where it is, for messages. */
    readonly place: string
    /** Other machines may work with it at the same time. */
    readonly isShared: boolean
    /**
     * Begins a run, or goes on with one. Holds the locks of the run, and of its state key, until the scope closes:
     * {@link Locked} when another process has one of them.
     */
    readonly open: (beginning: Beginning) => Effect.Effect<Journal, LedgerError | Locked, Scope.Scope>
    readonly find: (id: string) => Effect.Effect<RunRecord | undefined, LedgerError>
    /** Credits that runs under this state key, or of this pipeline, have used since an instant. */
    readonly spentSince: (pipeline: string, instant: number) => Effect.Effect<number, LedgerError>
    /** Questions about runs that were. */
    readonly history: History
    /** What a dashboard asks. */
    readonly survey: Survey
    /** The state across runs, for people who look after it. */
    readonly states: States
    readonly forgetting: Forgetting
    /** What runs share that are shards of one. */
    readonly groups: Groups
    /** When pipelines run by themselves, and what became of it. */
    readonly schedules: Schedules
  }
>() {}
