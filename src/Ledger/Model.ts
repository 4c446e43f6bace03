/** Types of the ledger: runs, checkpoints, paid calls, rejects, and the journal of a running run. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { JsonValue } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import type { Changes, Page, Saved, StateChange, StateEntry } from "../Step.ts"
import type { SealedHealth } from "./Health.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { Reject } from "./RejectLine.ts"

const others = Schema.Record({ key: Schema.String, value: Schema.UndefinedOr(JsonValue) })

/** Options that a run began with, such as `--limit` and `--backfill`. A resume keeps keys that this version does not know. */
export const SavedOptions = Schema.Struct(
  {
    limit: Schema.optional(Schema.Number),
    backfill: Schema.optional(Schema.Boolean),
    /** Maximum credits of the run, set at its start. */
    maxCredits: Schema.optional(Schema.Number),
    /** Id of the run whose rejects are replayed. */
    replayOf: Schema.optional(Schema.String),
    /** Pages stored since this time are not fetched again: milliseconds since 1970. */
    pagesSince: Schema.optional(Schema.Number)
  },
  others
)
export interface SavedOptions extends Schema.Schema.Type<typeof SavedOptions> {}

/** True for a run that may complete a window of a backfill: neither a trial nor a replay. */
export const isWindow = ({ backfill, limit, replayOf }: SavedOptions): boolean =>
  backfill === true && limit === undefined && replayOf === undefined

const count = Schema.optional(Schema.Number)
const countsByStep = Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number }))

/**
 * Counters at a checkpoint; null before the first one. Earlier versions stored fewer of them. Keys that are not listed here are for
 * progress displays.
 */
export const SavedProgress = Schema.NullOr(
  Schema.Struct(
    {
      rows: count,
      rejects: count,
      expected: count,
      jobCredits: count,
      jobUnpriced: count,
      jobPages: count,
      outputRows: count,
      outputBytes: count,
      rejectBytes: count,
      unchanged: count,
      given: countsByStep,
      changes: countsByStep,
      withheld: countsByStep,
      /** Links not followed, by reason. */
      notFollowed: countsByStep,
      rejected: countsByStep,
      jobs: countsByStep,
      over: Schema.optional(Schema.Boolean),
      spent: Schema.optional(Schema.Boolean),
      budgetMessage: Schema.optional(Schema.String),
      /** Steps that did not read every row of their source, with the reasons. Version 0.1 wrote a list of steps. */
      incomplete: Schema.optional(
        Schema.Union(
          Schema.Array(Schema.String),
          Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
        )
      )
    },
    others
  )
)
export type SavedProgress = typeof SavedProgress.Type

/** Spec of a run; does not change when the run is resumed. */
export interface RunSpec {
  readonly id: string
  /** The pipeline's name. */
  readonly pipeline: string
  /** Absolute path of the definition. */
  readonly file: string
  /** Text of the definition; `definitionHash` is the SHA-256 of the text and of the code it uses. */
  readonly definition: string
  readonly definitionHash: string
  readonly inputs: Json
  /** Absolute path of the output folder. */
  readonly out: string
  /** Absolute path of the folder for the run's rejects. */
  readonly folder: string
  readonly options: SavedOptions
  /** Milliseconds since 1970; the value of `$now` in the run. */
  readonly startedAt: number
  readonly scheduledFor?: number | undefined
  /** Key of the state across runs, if the pipeline has one. */
  readonly stateKey?: string | undefined
  /** Id of the run of which this one is a shard. Runs of a group share rate limits and a budget. */
  readonly group?: string | undefined
}

/** Stored run: its spec, its status and its totals. */
export interface RunRecord extends RunSpec {
  readonly status: Status
  /** Counters as of the last checkpoint. */
  readonly progress: SavedProgress
  /** Size of the run's outputs, without those of its shards. */
  readonly bytes: number
  /** Credits of calls and jobs. */
  readonly credits: number
  readonly unpriced: number
  readonly rows: number
  readonly rejects: number
  /** Files written by the run, once it is completed. */
  readonly outputs: Json | undefined
  readonly error?: string | undefined
  readonly updatedAt: number
  readonly endedAt?: number | undefined
}

/**
 * What a replay of an ended run reads again: all pages if none of the run's rows are published, otherwise its rejects. The pages of a run
 * on the cluster cannot be read again.
 */
export const replayReads = ({
  group,
  id,
  options,
  status
}: Pick<RunRecord, "group" | "id" | "options" | "status">): "pages" | "rejects" | "nothing" => {
  const isPublished = status !== "held" && (status !== "failed" || options.replayOf !== undefined)
  return isPublished ? "rejects" : group === id ? "nothing" : "pages"
}

/** A paid answer, durable before it is used. */
export interface Call {
  readonly step: string
  /** Identifies a call within its step: by the task and the name of the call. */
  readonly mark: string
  readonly answer: Json
  /** Undefined if the call is free; null if the service did not state a price. */
  readonly credits: number | null | undefined
  readonly page?: Page | undefined
  /** Pages in the answer; default: 1 with `page`, else 0. */
  readonly pages?: number | undefined
  /** The budget reservation that this call replaces. */
  readonly reservation?: string | undefined
}

/** Rejects of another run that this run takes over to replay them, by their numbers in that run. */
export interface ReplayClaim {
  readonly of: string
  readonly numbers: ReadonlyArray<number>
}

/** Rows that a budget kept from being processed, at one place of the pipeline. The next run processes them. */
export interface DeferredRows {
  /** For each row, the possible keys of the rows that it was made from. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Steps that the rows have already passed. */
  readonly steps: ReadonlyArray<string>
}

/** Everything that has happened since the previous checkpoint; written in one transaction. */
export interface Checkpoint {
  /** Current counters of the run. */
  readonly progress: Json
  readonly rows: number
  readonly rejectCount: number
  /** Total credits of jobs, and number of jobs with an unknown price. Credits of calls are booked with the call. */
  readonly jobCredits: number
  readonly jobUnpriced: number
  /** Total pages of the run's own jobs. */
  readonly jobPages?: number | undefined
  /** Total rows that the budget admitted to outputs, and an upper bound of their size. */
  readonly outputRows?: number | undefined
  readonly bytes?: number | undefined
  /** Reservations of jobs that were partly booked. */
  readonly reservations?: ReadonlyArray<ReservationChange> | undefined
  readonly steps: ReadonlyArray<{ readonly step: string; readonly changes: Changes }>
  readonly pages: ReadonlyArray<{ readonly step: string; readonly page: Page }>
  readonly rejects: ReadonlyArray<Reject>
  readonly state: ReadonlyArray<{ readonly step: string; readonly change: StateChange }>
  /**
   * Rows left out because a budget has cut the run short. Drops the state changes of these rows, and those that hold only if all rows were
   * processed.
   */
  readonly deferredRows?: ReadonlyArray<DeferredRows> | undefined
  /** Answers to drop, because this checkpoint contains the rows made from them. */
  readonly resolvedCalls: ReadonlyArray<{ readonly step: string; readonly mark: string }>
  /** Takes over these rejects with their pending state changes. The checkpoint fails if another run has already taken one of them. */
  readonly replayClaim?: ReplayClaim | undefined
}

/** Expiry of state, applied when the run is completed: deletes entries of these steps that no run has seen for `after` milliseconds. */
export interface StateExpiry {
  readonly after: number
  readonly steps: ReadonlyArray<string>
}

/** Write access to the ledger for one running run. */
export interface Journal {
  /** Saved state of a step in the last checkpoint. */
  readonly savedState: (step: string) => Effect.Effect<Saved, LedgerError>
  /** Stored answers, by step and by the `mark` of their call. */
  readonly answers: Effect.Effect<ReadonlyMap<string, ReadonlyMap<string, Json>>, LedgerError>
  /** Credits booked with answers, number of calls with an unknown price, pages and calls. */
  readonly booked: Effect.Effect<
    { readonly credits: number; readonly unpriced: number; readonly pages: number; readonly calls: number },
    LedgerError
  >
  readonly recordCall: (call: Call) => Effect.Effect<void, LedgerError>
  /** Reserves a part of a shared budget: calls `decide` with the spent and reserved amounts, and stores what it grants. */
  readonly reserve: (asked: {
    readonly id: string
    readonly scope: BudgetScope
    /** Reservations of this process. Other reservations of the run were left by a killed process. */
    readonly mine: ReadonlySet<string>
    readonly decide: (standing: BudgetUsage) => Decision
  }) => Effect.Effect<Decision, LedgerError>
  readonly release: (id: string) => Effect.Effect<void, LedgerError>
  /** Must not be called concurrently. */
  readonly checkpoint: (checkpoint: Checkpoint) => Effect.Effect<void, LedgerError>
  /**
   * Records the sealed files and the run's health, so that a resume can publish them after a crash. With a reason to
   * hold them, the run becomes `held`: it has ended, and `Ledger.held` publishes or discards it.
   */
  readonly recordSealed: (sealed: ReadonlyArray<Sealed>, health?: SealedHealth) => Effect.Effect<void, LedgerError>
  /** Files recorded by {@link recordSealed}, until the run is completed. Resuming a run with sealed files only publishes them. */
  readonly sealed: Effect.Effect<ReadonlyArray<Sealed> | undefined, LedgerError>
  /** Completes the run: applies staged state except that of rejected rows, and deletes everything that only a resume needs. */
  readonly complete: (outputs: Json, expiry?: StateExpiry, note?: string) => Effect.Effect<void, LedgerError>
  readonly end: (status: "stopped" | "budget" | "failed", error?: string) => Effect.Effect<void, LedgerError>
  /** Visits the state of a step from earlier runs, held ones included; entries that those have removed are marked. */
  readonly state: (step: string, visit: (entry: StateEntry) => void) => Effect.Effect<void, LedgerError>
  /** Keys of the run's pages that still exist: excludes those that responded with 404 or 410. */
  readonly presentPages: Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * True if an earlier run with this state key, or the state itself, contains one of these pages. Also true if this cannot be ruled out
   * because runs that contributed to the state were pruned.
   */
  readonly hasSeenAny: (stateKey: string, keys: ReadonlyArray<string>) => Effect.Effect<boolean, LedgerError>
  /** Keys of a job's pages that had an error. */
  readonly failedPages: (jobId: string) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /**
   * Never succeeds; fails when another process has taken over a lock because this process missed its heartbeat. All
   * writes fail from then on. Race the run with this effect to end it at once.
   */
  readonly lockLost: Effect.Effect<never, LedgerError>
  /** Completes when another process has asked to stop this run (`Ledger.requestStop`). */
  readonly stopRequested: Effect.Effect<void>
  /**
   * Call before writing to a file: fails if the locks were lost, because another process may own the files after a suspension.
   */
  readonly verifyLocks: Effect.Effect<void, LedgerError>
}

/**
 * `running`: also after a crash; the lock tells whether a process is alive. `publishing`: all files are complete, and some
 * may already have their final names. `held`: all files are complete and wait for `sluice publish` or `sluice discard`.
 */
export const statuses = [
  "running",
  "stopped",
  "budget",
  "failed",
  "held",
  "publishing",
  "completed",
  "discarded"
] as const

export type Status = (typeof statuses)[number]

/** Statuses of runs that cannot be resumed. */
export const finalStatuses = ["completed", "held", "discarded"] as const satisfies ReadonlyArray<Status>

/** Reason why a run with a final status cannot be resumed; undefined for any other status. */
export const finalReason = ({ id, status }: { readonly id: string; readonly status: Status }): string | undefined => {
  switch (status) {
    case "completed":
      return "it is complete; start another with sluice run"
    case "held":
      return `its outputs are held: sluice publish ${id} releases them, sluice discard ${id} drops them`
    case "discarded":
      return "its outputs were discarded; start another with sluice run"
    default:
      return undefined
  }
}

export const isOver = (status: Status): boolean => finalStatuses.some((final) => final === status)

/** True if the run reached its end and all rows were rejected, so that nothing is left to resume. */
export const isSpent = ({ progress, rejects, rows }: Pick<RunRecord, "progress" | "rejects" | "rows">): boolean => {
  // Version 0.1 did not store `spent`.
  return progress?.over === true && (progress.spent ?? (rows === 0 && rejects > 0))
}

/** Usage that the runs of a group have committed to the ledger. */
export const Usage = Schema.Struct({
  credits: Schema.Number,
  /** Pages of answered calls and of the runs' own jobs. */
  pages: Schema.Number,
  /** Answered calls, and jobs started. */
  calls: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** Rows that the budget admitted to outputs, or to the end of a branch that has no output. */
  rows: Schema.Number,
  /** Upper bound of the rows' size. */
  bytes: Schema.Number
})
export type Usage = typeof Usage.Type

/** What a budget counts: the credits of a pipeline since a time, or the usage of a group of runs beyond `from`. */
export type BudgetScope =
  | { readonly _tag: "Day"; readonly pipeline: string; readonly since: number }
  | { readonly _tag: "Group"; readonly group: string; readonly from: Usage }

export interface ReservedAmount {
  readonly credits: number
  readonly pages: number
  readonly calls?: number
  /** Rows that the budget admitted to outputs since the last checkpoint, and an upper bound of their size. */
  readonly rows?: number
  readonly bytes?: number
}

/** Update of a reservation at a checkpoint. Without `remaining` it is deleted. */
export interface ReservationChange {
  readonly id: string
  readonly remaining: ReservedAmount | undefined
  /** True if the reservation will be booked and cannot be released. */
  readonly isFirm: boolean
}

/** Usage of a budget: what is booked and what is reserved. */
export interface BudgetUsage {
  readonly used: Usage
  /** True if the budget has other reservations that may still be released, so that waiting makes sense. */
  readonly isBusy: boolean
}

/** Decision on a reservation. `units`: number of granted search results, or of pages of a job. */
export type Decision =
  | { readonly _tag: "Granted"; readonly units: number; readonly reserved: ReservedAmount }
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Refused"; readonly why: string }
