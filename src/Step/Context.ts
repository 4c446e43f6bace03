/**
 * Context that a run gives to a step: its settings, its state across runs, paid calls, the budget, and where failures go.
 *
 * - A paid call goes through `once`: its answer is durable before the step sees it, so that a resumed run never pays for it again.
 * - A job that is paid for while it runs holds a {@link Reservation} of the budget until it has ended.
 * - A row that fails goes to `failed`, which applies the step's `onError`; a step never drops a failed row itself.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Fault } from "../Client/Target.ts"
import type { ResolvedOutput } from "../Contract/Contract.ts"
import type { Recipe } from "../Login/SignIn.ts"
import type { Bindings } from "../Row/Expression.ts"
import type { Json, Row } from "../Row.ts"
import type { Cost } from "./Cost.ts"
import type { MatchesBefore } from "./Extract/FieldMatches.ts"
import type { Reason } from "./Incomplete.ts"
import type { Stdout, Trials } from "./Output.ts"
import type { StepError } from "./StepError.ts"

/** Record of a page in the ledger: one for each attempt. */
export interface Page {
  readonly key: string
  /** HTTP status of the site's answer; undefined if there was none. */
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** `metadata.blocked.kind`: why the site showed another page instead of the content. */
  readonly blocked?: string | undefined
  /** `metadata.unchanged`: why the page counts as unchanged since the service stored it; undefined if it does not. */
  readonly unchanged?: string | undefined
  /** `metadata.check`: set if the service visited the page although it could have skipped it; `missed` if the page had changed. */
  readonly check?: string | undefined
  /** `metadata.warning`: why a file, or some of its pages, have no text. */
  readonly warning?: string | undefined
  /** SHA-256 of the content. */
  readonly hash?: string | undefined
  readonly jobId?: string | undefined
  /** Undefined if the service reported no cost, or one cost for many pages. */
  readonly credits?: number | undefined
  readonly price: "known" | "shared" | "unknown"
}

/** Outcome of an attempt at a page. */
export interface PageOutcome {
  /** HTTP status of the site's answer; undefined if there was none. */
  readonly status: number | undefined
  /** Why there was no answer, if known. */
  readonly fault: Fault | undefined
  /** Seconds until the site wants to be asked again, if it says so. */
  readonly retryAfter?: number | undefined
}

/** Actual cost of a call, and the page that it fetched. */
export interface Booking {
  /** Undefined if the service did not report it. */
  readonly credits: number | undefined
  readonly page?: Page | undefined
  /** Number of fetched pages, for calls without a `page`. */
  readonly pages?: number | undefined
}

/** Upper bound of what a call may spend. The unit is a page for a job, and a result for a search. */
export interface Buying {
  /** Upper bound of the cost of `units` units. */
  readonly cost: (units: number) => Cost
  /** Maximum units wanted; the budget may grant fewer. Default: 1. */
  readonly most?: number | undefined
  /** Upper bound of the pages that `units` units need. Default: no pages. */
  readonly pages?: ((units: number) => number) | undefined
  /** True for a job, which reports its cost while it runs. */
  readonly isJob?: boolean | undefined
}

/** Reserved part of the budget. Exactly one of `settle`, `end` and `release` must end it. */
export interface Reservation {
  /** Id in the ledger, if the budget is shared with other runs. */
  readonly id: string | undefined
  /** Number of units that the budget has granted. */
  readonly units: number
  /** Counts credits and pages as spent. The caller must book them in the ledger. */
  readonly spend: (credits: number, pages: number) => void
  /** Ends the reservation after a call whose booking has also returned it in the ledger. */
  readonly settle: () => void
  /**
   * Keeps only this much for the rest of an ended job and returns the remainder to the budget. Other calls do not wait for the part kept,
   * because it will be booked.
   */
  readonly shrink: (credits: number, pages?: number) => void
  /** Ends the reservation after a job: the unspent part returns to the budget, in the ledger with the next checkpoint. */
  readonly end: () => void
  /** Ends the reservation if nothing was spent, or if that is unknown: returns all of it to the budget at once. */
  readonly release: Effect.Effect<void>
  /** Completes when another call waits for reserved budget. */
  readonly wanted: Effect.Effect<void>
}

/** State of a step across runs. Changes take effect when the run has published its outputs. */
export interface StepState {
  /** False when this run neither reads nor updates the saved state: with `--limit`, with `--backfill`, or in a test. */
  readonly active: boolean
  /** Entries of earlier runs, in the order of their keys. */
  readonly load: Effect.Effect<ReadonlyArray<StateEntry>, StepError>
  /**
   * Visits all entries of earlier runs, also those that held runs have removed, a page of them in memory at a time: for large states. In
   * the order of their keys, but for those that only held runs have.
   */
  readonly each: (visit: (entry: StateEntry) => void) => Effect.Effect<void, StepError>
  /** Stages changes, to be saved with the next checkpoint. Changes that belong to a row rejected by a later step are dropped. */
  readonly put: (entries: ReadonlyArray<StateChange>) => Effect.Effect<void>
  /** Entries of this step under a separate name; read and changed like its other entries. */
  readonly part: (name: string) => Pick<StepState, "load" | "put">
  /** Keys of pages that this run has fetched, unless the site answered 404 or 410, and of pages that failed: they still exist. */
  readonly met: Effect.Effect<ReadonlySet<string>, StepError>
  /**
   * True if an earlier run of the pipeline has fetched one of these pages, or its state has one of these addresses as a key. Also true if
   * the ledger cannot know, because retention has removed runs whose state still exists.
   */
  readonly knowsAny: (addresses: ReadonlyArray<string>) => Effect.Effect<boolean, StepError>
  /**
   * Why this step has not seen every row of its sources; undefined if it has, and only then may rows be reported as `gone`. Ask once the
   * input has ended: until then a step before this one may still become incomplete.
   */
  readonly whyIncomplete: Effect.Effect<string | undefined>
}

/** Entry of the state as left by earlier runs. */
export interface StateEntry {
  readonly key: string
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** True for an entry of a run whose outputs are held: it takes effect when they are published, and is removed when they are discarded. */
  readonly isHeld?: boolean | undefined
  /** Of an entry of a held run: the entry that published runs left; undefined if they left none. */
  readonly published?: StateEntry | undefined
  /** True if the held run has removed the entry. */
  readonly isRemoved?: boolean | undefined
}

/** A change of the state; an undefined `value` removes the entry. */
export interface StateChange {
  readonly key: string
  readonly value: Json | undefined
  /** `$key` of the row that the change belongs to; sources use `allRows`, `onlyWith` and `ofSource`. */
  readonly rowKey: string
  /**
   * True if the entry has this value already and no row of it is passed on, so that only its `lastSeen` changes. A later step cannot reject
   * it, and storing it costs a fraction.
   */
  readonly isSeenAgain?: boolean | undefined
  /**
   * True if the run changes this entry only once, which costs a fraction; of several such changes, the last holds. Do not set it for large
   * values.
   */
  readonly isFinal?: boolean | undefined
}

/** Login of a run, for its steps. */
export interface RunLogin {
  /** Signs in at the engine, once per run. Returns the profile to read pages with. */
  readonly profile: Effect.Effect<{ readonly name: string }, StepError>
  /** How to sign in for calls made by this process; undefined if code signs in, which happens inside a browser. */
  readonly recipe: Effect.Effect<Recipe | undefined, StepError>
  /** Deletes the cookies once the run has ended. */
  readonly close: Effect.Effect<void>
}

/** Everything that a run offers to a step. */
export interface Context {
  /** The step's fields as written in the definition. */
  readonly written: unknown
  /**
   * Names of the secrets in the step's headers and credentials: those sent to its address, and those sent to the address that issues
   * tokens.
   */
  readonly secrets: Readonly<Record<"url" | "tokenUrl", ReadonlyArray<string>>>
  /** The step's id. */
  readonly id: string
  readonly runId: string
  readonly startedAt: Date
  /** Folder of relative input paths: the folder of the definition. */
  readonly folder: string
  /** Folder of relative output paths (`--out`). */
  readonly out: string
  /** Folder in the data folder for files that the step needs until the run ends. Created at first use; the run removes it. */
  readonly scratch: string
  /** True if rejected rows are replayed, which adds to the outputs of an earlier run. */
  readonly adds: boolean
  /** Contract of the step's output; undefined without one. */
  readonly contract?: ResolvedOutput | undefined
  /** Name of the pipeline, for manifests in folders that several pipelines share. */
  readonly pipeline?: string | undefined
  /** Files that trials (`--limit`) have written, and whether this run is one; undefined if the ledger does not record them. */
  readonly trials?: Trials | undefined
  /** Ids of the pipeline's runs whose outputs wait for a decision. A run warns of these as a whole, with what to do. */
  readonly heldRuns?: Effect.Effect<ReadonlyArray<string>, Error> | undefined
  /** Ids of runs, of any pipeline, that a live process works on. */
  readonly aliveRuns?: Effect.Effect<ReadonlySet<string>, Error> | undefined
  /** Receives rows for `-`; undefined if the run has no standard output. */
  readonly stdout?: Stdout | undefined
  /** True if a worker that was declared dead may still write to files of this run. */
  readonly mayBeHeld?: boolean | undefined
  /** True if code of the project may run (`--allow-code`). */
  readonly allowCode: boolean
  /** Maximum rows to work on at once. */
  readonly concurrency: number
  /** Time limit for one row, if the definition sets one. */
  readonly timeout: Duration.Duration | undefined
  /** Maximum rows that a source should give (`--limit`); undefined for other steps. */
  readonly wanted: number | undefined
  /** False in a part of a run on many machines, a resumed run and a replay: other rows pass it elsewhere, or have passed it before. */
  readonly seesAllRows: boolean
  /** True if a later step compares the rows of this step with those of earlier runs. */
  readonly isCompared: boolean
  /** Values of `$key`, `$source`, `$run` and `$inputs` for expressions over a row. */
  readonly bindings: (row: Row) => Bindings
  /** Handles a failed row by the step's `onError`: returns the rows that replace it, or fails to end the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /**
   * Gets one answer of a service (plain JSON) for each run, task and `name`. It is stored before it is returned, and a resumed run gets the
   * same. After a failure, or a crash before the answer is stored, `ask` is called again with the same idempotency key. `ask` also receives
   * the number of granted units.
   *
   * Reserves what it `buys` first: fails with the reason `BudgetReached` if too little of the budget is left, and grants fewer `units` if
   * the budget covers only some.
   */
  readonly once: <A, R>(
    call: {
      readonly name?: string | undefined
      readonly book?: ((answer: A) => Booking) | undefined
      readonly buys?: Buying | undefined
    },
    ask: (key: string, units: number) => Effect.Effect<A, StepError, R>
  ) => Effect.Effect<A, StepError, R>
  /** True if a page with this status, or a blocked page, counts as failed (`failOn`). */
  readonly failsOn: (status: number | "blocked") => boolean
  /** Waits until this page may be retried (`retry`), then returns true; returns false at once if it is not to be retried. */
  readonly retryPage: (outcome: PageOutcome) => Effect.Effect<boolean>
  /** Records attempts at pages that gave no document. */
  readonly tried: (pages: ReadonlyArray<Page>) => Effect.Effect<void>
  /** Reserves budget for a job. `isRunning`: the job was started before, so reserves the budget that is left, up to its price. */
  readonly reserve: (name: string, buying: Buying, isRunning?: boolean) => Effect.Effect<Reservation, StepError>
  /** Books credits that are not part of a call or batch. */
  readonly spend: (credits: number) => Effect.Effect<void, StepError>
  /** Keys of a job's pages that the run recorded with an error. */
  readonly failedPages: (jobId: string) => Effect.Effect<ReadonlySet<string>, StepError>
  /** Reports that the budget ended the step early: there was more to read. */
  readonly cut: Effect.Effect<void>
  /**
   * Marks the step as incomplete: it did not return every row of its source. No later step then reports rows as `gone` in this run, and no
   * state is forgotten. A checkpoint keeps the mark, so call this before returning the rows after the gap.
   */
  readonly incomplete: (reason: Reason) => Effect.Effect<void>
  /** Counts a row that was compared with earlier runs (`new`, `changed`, `unchanged`) and is not emitted. Call it under the commit lock. */
  readonly withheld: (change: string) => void
  /** Adds to the counts of links that the run's crawls found but did not follow. */
  readonly notFollowed: (links: Readonly<Record<string, number>>) => Effect.Effect<void>
  /** Logs a warning once for each run, step and `matter`. */
  readonly warnOnce: (matter: string, message: string) => Effect.Effect<void>
  /** Completes when the budget is reached: the step should read what is paid for, and begin nothing new. */
  readonly stopping: Effect.Effect<void>
  /**
   * Reports, while the run stops, that a job keeps running at its service, so that a resume continues it. `giveUp` cancels the job if only
   * its row has failed.
   */
  readonly leaveRunning: (jobId: string, giveUp: Effect.Effect<void>) => void
  /** Stops the run because too little of the budget is left. */
  readonly usedUp: Effect.Effect<void>
  /** True if the run was stopped or has failed, so that a resume continues its work. */
  readonly isStopped: () => boolean
  /** Completes when {@link isStopped} becomes true. The run then waits up to 5 seconds for work in flight. */
  readonly stopRequested: Effect.Effect<void>
  /** State of earlier runs under the pipeline's state key. */
  readonly state: StepState
  /** Login of the definition; undefined without one. */
  readonly login?: RunLogin | undefined
  /** In how many rows each field had a value in the last completed run; undefined without one, or if health is not measured. Read it once. */
  readonly matchesBefore: Effect.Effect<MatchesBefore | undefined>
}
