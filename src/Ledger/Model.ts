/** What the ledger keeps of runs. */
import type * as Effect from "effect/Effect"
import type { Json } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import type { Changes, Page, Saved, StateChange, StateEntry } from "../Step.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { Change, Decision, Purse, Standing } from "./SharedLimits.ts"

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

/** A line of the reject file, and a row of the ledger. */
export interface Reject {
  readonly key: string
  /** True when the key was derived from the row's first content: a page that is fetched for the row has another one. */
  readonly isDerived?: boolean | undefined
  readonly step: string
  /** Where the step is defined: `file:line:column`. */
  readonly definedAt: string
  readonly error: string
  readonly message: string
  /** Status of the page, when the row failed for it. */
  readonly status?: number | undefined
  /** Calls that were made for the row, with their retries; 0 in steps that make none. Version 0.1 did not count them. */
  readonly attempts?: number | undefined
  readonly at: string
  readonly jobId?: string | undefined
  /** Trace and span in which the row was rejected. Logs have the same ids. */
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  /** Id of the failed request in the log of the service. */
  readonly requestId?: string | undefined
  readonly row: Json
  /** The value of `$source`. */
  readonly source?: Json | undefined
}

/**
 * `running` also stands there after a crash: the lock says whether a process still works on it. `publishing`: all files
 * are whole, and some may have their names already.
 */
export const statuses = ["running", "stopped", "budget", "failed", "publishing", "completed"] as const

export type Status = (typeof statuses)[number]

/** True when the run came to its end with every delivered row rejected: nothing is left to resume. */
export const isSpent = ({ progress, rejects, rows }: Pick<RunRecord, "progress" | "rejects" | "rows">): boolean => {
  const { over, spent } = (progress ?? {}) as { readonly over?: boolean; readonly spent?: boolean }
  // Version 0.1 did not look at rows that were filtered.
  return over === true && (spent ?? (rows === 0 && rejects > 0))
}
