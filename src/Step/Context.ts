/**
 * Context that a run gives to a step: its settings, its state across runs, paid calls, the budget, and where failures go.
 *
 * - A paid call goes through `once`: its answer is durable before the step sees it, so that a resumed run never pays for it again.
 * - A job that is paid for while it runs holds a {@link Reservation} of the budget until it has ended.
 * - A row that fails goes to `failed`, which decides by the step's `onError`; a step throws no row away itself.
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

/** A page in the ledger: one for each attempt. */
export interface Page {
  readonly key: string
  /** Status of the site's answer; undefined when there was none. */
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** `metadata.blocked.kind`, for a page that the site showed in place of its content. */
  readonly blocked?: string | undefined
  /** `metadata.unchanged`: why the page counts as unchanged since the service stored it; undefined when it does not. */
  readonly unchanged?: string | undefined
  /** `metadata.check`: present when the service visited the page although it could have left it out; `missed` when it had changed. */
  readonly check?: string | undefined
  /** `metadata.warning`: why a file has no text, or which of its pages have none. */
  readonly warning?: string | undefined
  /** SHA-256 of the content. */
  readonly hash?: string | undefined
  readonly jobId?: string | undefined
  /** Undefined when the service reported no cost, or one cost for many pages. */
  readonly credits?: number | undefined
  readonly price: "known" | "shared" | "unknown"
}

/** Outcome of an attempt at a page. */
export interface PageOutcome {
  /** Status of the site's answer; undefined when there was none. */
  readonly status: number | undefined
  /** Why there was no answer, where that is known. */
  readonly fault: Fault | undefined
  /** Seconds after which the site wants to be asked again, where it says so. */
  readonly retryAfter?: number | undefined
}

/** Actual cost of a call, and the page that it fetched. */
export interface Booking {
  /** Undefined when the service did not report it. */
  readonly credits: number | undefined
  readonly page?: Page | undefined
  /** Number of fetched pages, for calls without a `page`. */
  readonly pages?: number | undefined
}

/** Upper bound of what a call may spend. The unit of a job is a page, that of a search a result. */
export interface Buying {
  /** Upper bound of the cost of a number of units. */
  readonly cost: (units: number) => Cost
  /** Units that are wanted: the budget may grant fewer. Default: 1. */
  readonly most?: number | undefined
  /** Upper bound of the pages of a number of units. Default: no pages. */
  readonly pages?: ((units: number) => number) | undefined
  /** True for a job, which reports its cost while it runs. */
  readonly isJob?: boolean | undefined
}

/** A reserved part of the budget. Exactly one of `settle`, `end` and `release` ends it. */
export interface Reservation {
  /** Id in the ledger, where the budget is shared with other runs. */
  readonly id: string | undefined
  /** Units that the budget has granted. */
  readonly units: number
  /** Counts credits and pages as spent. The caller books them in the ledger. */
  readonly spend: (credits: number, pages: number) => void
  /** Ends it after a call whose booking also returned the reservation in the ledger. */
  readonly settle: () => void
  /**
   * Keeps only this much for the rest of an ended job and returns the remainder to the budget. Other calls do not wait for the
   * kept part: it will be booked.
   */
  readonly shrink: (credits: number, pages?: number) => void
  /** Ends it after a job: the unspent part returns to the budget, in the ledger with the next checkpoint. */
  readonly end: () => void
  /** Ends it when nothing was spent, or when that is unknown: returns it to the budget at once. */
  readonly release: Effect.Effect<void>
  /** Completes when another call waits for budget that is reserved. */
  readonly wanted: Effect.Effect<void>
}

/** State of a step across runs. Changes take effect when the run has published its outputs. */
export interface StepState {
  /** False when this run neither reads nor updates the saved state: with `--limit`, with `--backfill`, or in a test. */
  readonly active: boolean
  /** Entries of earlier runs, in the order of their keys. Large states are read once. */
  readonly load: Effect.Effect<ReadonlyArray<StateEntry>, StepError>
  /** Stages changes with the next checkpoint. Changes of a row that is rejected further down are dropped. */
  readonly put: (entries: ReadonlyArray<StateChange>) => Effect.Effect<void>
  /** Entries of this step under a name of their own, read and changed like its others. */
  readonly part: (name: string) => Pick<StepState, "load" | "put">
  /** Keys of pages that this run has fetched with another status than 404 or 410, or that failed: they still exist. */
  readonly met: Effect.Effect<ReadonlySet<string>, StepError>
  /**
   * True when an earlier run of the pipeline has fetched one of these pages, or has one of these addresses as a key of its
   * state. Also true when the ledger cannot know, because retention has removed runs whose state is still there.
   */
  readonly knowsAny: (addresses: ReadonlyArray<string>) => Effect.Effect<boolean, StepError>
  /**
   * Why this step has not seen every row of its sources; undefined when it has. Only then may rows be reported as `gone`.
   * Ask once the input has ended: until then a step before this one may still become incomplete.
   */
  readonly whyIncomplete: Effect.Effect<string | undefined>
}

/** An entry of the state, as earlier runs left it. */
export interface StateEntry {
  readonly key: string
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** True for one of a run whose outputs are held: it takes effect when they are published, and is gone when they are discarded. */
  readonly isHeld?: boolean | undefined
}

/** A change of the state; an undefined `value` removes the entry. */
export interface StateChange {
  readonly key: string
  readonly value: Json | undefined
  /** `$key` of the row that the change belongs to; sources give what `allRows` and `ofSource` say. */
  readonly rowKey: string
}

/** The login of a run, as its steps use it. */
export interface RunLogin {
  /** Signs in at the engine, once in the run. Gives the profile of the pages. */
  readonly profile: Effect.Effect<{ readonly name: string }, StepError>
  /** How to sign in, for calls that go out from here; undefined for code, which signs in within a browser. */
  readonly recipe: Effect.Effect<Recipe | undefined, StepError>
  /** Deletes the cookies of a run that has ended. */
  readonly close: Effect.Effect<void>
}

/** The run, as a step may use it. */
export interface Context {
  /** The step's fields as written in the definition. */
  readonly written: unknown
  /** Names of the secrets in its headers and credentials: those sent to its address, and those sent to the one that gives tokens. */
  readonly secrets: Readonly<Record<"url" | "tokenUrl", ReadonlyArray<string>>>
  /** The step's id. */
  readonly id: string
  readonly runId: string
  readonly startedAt: Date
  /** Folder that relative inputs are under: that of the definition. */
  readonly folder: string
  /** Folder that relative outputs are under (`--out`). */
  readonly out: string
  /** Folder for files that the step needs until the run has ended, in the data folder. Made at first use; the run removes it. */
  readonly scratch: string
  /** True for a replay of rejected rows, which adds to the outputs of an earlier run. */
  readonly adds: boolean
  /** Contract of the step's output; undefined without one. */
  readonly contract?: ResolvedOutput | undefined
  /** Name of the pipeline, where manifests of several pipelines could meet. */
  readonly pipeline?: string | undefined
  /** Files of trials (`--limit`); undefined where the ledger knows none. */
  readonly trials?: Trials | undefined
  /** Receives rows for `-`; undefined where the run has no standard output. */
  readonly stdout?: Stdout | undefined
  /** True when a worker that was declared dead may still write into files of this run. */
  readonly mayBeHeld?: boolean | undefined
  /** True when code of the project may run (`--allow-code`). */
  readonly allowCode: boolean
  /** Rows to work on at once. */
  readonly concurrency: number
  /** Time limit for one row, where the definition sets one. */
  readonly timeout: Duration.Duration | undefined
  /** Most rows that a source should give (`--limit`); undefined for other steps. */
  readonly wanted: number | undefined
  /** True when a step after it compares its rows with those of earlier runs. */
  readonly isCompared: boolean
  /** `$key`, `$source`, `$run` and `$inputs` for expressions over a row. */
  readonly bindings: (row: Row) => Bindings
  /** Handles a failed row by the step's `onError`: returns the rows that go on in its place, or fails to end the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /**
   * Calls a service at most once for each run, task and `name`. The answer (plain JSON) is durable before it is returned, and a
   * resumed run gets the same answer. `ask` receives an idempotency key for the service, and the number of granted units.
   *
   * First reserves what it `buys`: fails with the reason `BudgetReached` when too little of the budget is left, and grants fewer
   * `units` when it covers only some.
   */
  readonly once: <A, R>(
    call: {
      readonly name?: string | undefined
      readonly book?: ((answer: A) => Booking) | undefined
      readonly buys?: Buying | undefined
    },
    ask: (key: string, units: number) => Effect.Effect<A, StepError, R>
  ) => Effect.Effect<A, StepError, R>
  /** True when a page with this status, or one that was blocked, counts as failed (`failOn`). */
  readonly failsOn: (status: number | "blocked") => boolean
  /** Returns true after the wait before a retry of this page (`retry`); false at once when it is not to be retried. */
  readonly retryPage: (outcome: PageOutcome) => Effect.Effect<boolean>
  /** Records attempts at pages that brought no document. */
  readonly tried: (pages: ReadonlyArray<Page>) => Effect.Effect<void>
  /** Reserves budget for a job. With `isRunning` the job was started before: reserves what is left, up to its price. */
  readonly reserve: (name: string, buying: Buying, isRunning?: boolean) => Effect.Effect<Reservation, StepError>
  /** Books credits that no call and no batch has booked. */
  readonly spend: (credits: number) => Effect.Effect<void, StepError>
  /** Keys of a job's pages that the run has recorded with an error. */
  readonly failedPages: (jobId: string) => Effect.Effect<ReadonlySet<string>, StepError>
  /** Reports that the budget has cut the step short: there was more to read. */
  readonly cut: Effect.Effect<void>
  /**
   * Marks the step as incomplete: it did not give every row of its source. No step after it reports rows as `gone` in this
   * run, and no state is forgotten. A checkpoint keeps the mark, so call it before the rows behind the gap are given.
   */
  readonly incomplete: (reason: Reason) => Effect.Effect<void>
  /** Adds to the links that the run's crawls have found and not followed. */
  readonly notFollowed: (links: Readonly<Record<string, number>>) => Effect.Effect<void>
  /** Logs a warning once for each run, step and `matter`. */
  readonly warnOnce: (matter: string, message: string) => Effect.Effect<void>
  /** Completes when the budget is reached: read what is paid for, begin nothing new. */
  readonly stopping: Effect.Effect<void>
  /**
   * Reports, while the run stops, that a job keeps running at its service: a resume continues it. `giveUp` cancels the job when only
   * its row has failed.
   */
  readonly leaveRunning: (jobId: string, giveUp: Effect.Effect<void>) => void
  /** Stops the run, because too little of the budget is left. */
  readonly usedUp: Effect.Effect<void>
  /** True when the run was stopped or has failed, so that a resume continues its work. */
  readonly isStopped: () => boolean
  /** Completes when {@link isStopped} becomes true. The run then waits 5 seconds for work in flight. */
  readonly stopRequested: Effect.Effect<void>
  /** State of earlier runs under the pipeline's state key. */
  readonly state: StepState
  /** The login of the definition; undefined without one. */
  readonly login?: RunLogin | undefined
  /** What the fields of the step matched in the last good run; undefined without one, or in a run that is not measured. Read once. */
  readonly matchesBefore: Effect.Effect<MatchesBefore | undefined>
}
