/** A step: one value that declares its key, its fields and what it does with rows. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Fault } from "./Client/Target.ts"
import type { Client } from "./Client.ts"
import type { Bindings } from "./Row/Expression.ts"
import type { Json, Row } from "./Row.ts"
import type { Cost } from "./Step/Cost.ts"
import type { Estimate, Given, Listing, ListingContext, Operation } from "./Step/Estimate.ts"
import type { Reason } from "./Step/Incomplete.ts"
import type { Fields, Need } from "./Step/Need.ts"
import type { Destination, Sealed, Stdout, Trials } from "./Step/Output.ts"
import type { StepState } from "./Step/State.ts"
import type { StepError } from "./Step/StepError.ts"

export type { StateChange, StateEntry, StepState } from "./Step/State.ts"
export { StepError } from "./Step/StepError.ts"

/** A row that could not go on, and why. */
export type Failure = readonly [row: Row, error: StepError]

/** Rows of a source with the cursor behind them, recorded together or not at all. */
export interface Batch {
  readonly rows: ReadonlyArray<Row>
  /** A resumed run gives it back as `from`, to continue after these rows. */
  readonly cursor: Json
  /** Rows that failed: settled by the step's `onError`, behind the good ones. */
  readonly failures?: ReadonlyArray<Failure> | undefined
  /** Pages that came with them, for the ledger. */
  readonly pages?: ReadonlyArray<Page> | undefined
  /** Rows that are known to come, these among them, and were not announced before: for progress. */
  readonly expected?: number | undefined
  /** Rows that the source left out, because an earlier run has had them and they are the same. */
  readonly unchanged?: number | undefined
  /** True when another client has paid for its pages: they do not count as bought by this run. */
  readonly isForeign?: boolean | undefined
  /** Called after the batch has been taken, with all rows at rest. */
  readonly taken?: (() => void) | undefined
  /** Credits of the job since the batch before; undefined for none, `unknown` once when the service never said. */
  readonly credits?: number | "unknown" | undefined
}

/** Changes to the state of a step since its last save, for the checkpoint. */
export interface Changes {
  /** Takes the place of the older value. */
  readonly value?: Json | undefined
  /** Put under their keys, or removed where there is no value. State that grows is written once this way. */
  readonly entries?: ReadonlyArray<readonly [key: string, value: Json | undefined]> | undefined
}

/** State of a step in the last checkpoint; empty at the first start. */
export interface Saved {
  readonly value: Json | undefined
  /** In the order of their keys. */
  readonly entries: ReadonlyArray<readonly [key: string, value: Json]>
}

/** A page in the ledger: one for each attempt. */
export interface Page {
  readonly key: string
  /** Status of the site's answer; undefined when there was none. */
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** SHA-256 of the content. */
  readonly hash?: string | undefined
  readonly jobId?: string | undefined
  /** Undefined when the service did not say, or said it for many pages together. */
  readonly credits?: number | undefined
  readonly price: "known" | "shared" | "unknown"
}

/** Cost of a call, and the page that it brought. */
export interface Booking {
  /** Undefined when the service did not say. */
  readonly credits: number | undefined
  readonly page?: Page | undefined
  /** Pages that came with it, where `page` does not say it. */
  readonly pages?: number | undefined
}

/** Purchase that a call is about to make; a job buys pages, a search buys results. */
export interface Buying {
  /** Upper bound of the cost of so many units. */
  readonly cost: (units: number) => Cost
  /** Units that are wanted: a budget may grant fewer. Default: 1. */
  readonly most?: number | undefined
  /** Pages that so many units bring at most; none where nothing is said. */
  readonly pages?: ((units: number) => number) | undefined
  /** True for a job, which tells what it has cost so far while it runs. */
  readonly isJob?: boolean | undefined
}

/** A reserved part of the budget. Exactly one of `settle`, `end` and `release` ends it. */
export interface Reservation {
  /** Id in the ledger, where the budget is shared with other runs. */
  readonly id: string | undefined
  /** Units that are granted. */
  readonly units: number
  /** So much of it has been booked. */
  readonly spend: (credits: number, pages: number) => void
  /** The call was booked together with giving the reservation back. */
  readonly settle: () => void
  /**
   * The job is over, and what is left to read of it costs so many credits and has so many pages at most. The rest is given
   * back. Calls no longer wait for what is left: it will be booked.
   */
  readonly shrink: (credits: number, pages?: number) => void
  /** The job is over: what was not spent is given back, in the ledger with the next checkpoint. */
  readonly end: () => void
  /** Nothing was spent, or that is unknown: gives it back at once. */
  readonly release: Effect.Effect<void>
  /** Completes when a call waits for reservations to be given back. */
  readonly wanted: Effect.Effect<void>
}

/** Outcome of an attempt at a page. */
export interface PageOutcome {
  /** Status of the site's answer; undefined when there was none. */
  readonly status: number | undefined
  /** Why there was no answer, where that is known. */
  readonly fault: Fault | undefined
}

/** The run, as a step may use it. */
export interface Context {
  /** The step's fields as they are written. */
  readonly written: unknown
  /** Names of the secrets that its headers hold. */
  readonly secrets: ReadonlyArray<string>
  /** The step's id. */
  readonly id: string
  readonly runId: string
  readonly startedAt: Date
  /** The folder that the definition's relative inputs are under. */
  readonly folder: string
  /** The folder that relative outputs are under. */
  readonly out: string
  /** True when the run adds to what another one has written: rejects that are taken up again. */
  readonly adds: boolean
  /** Without it the sink knows of no trials. */
  readonly trials?: Trials | undefined
  /** Receives rows for `-`; undefined where the run has no standard output. */
  readonly stdout?: Stdout | undefined
  /** True when a process that was taken for gone may still hold files of this run. */
  readonly mayBeHeld?: boolean | undefined
  /** True when code of the project may run (`use`). */
  readonly allowCode: boolean
  /** Rows worked on at once. */
  readonly concurrency: number
  /** The longest that one row may take, where the definition says so. */
  readonly timeout: Duration.Duration | undefined
  /** At most so many rows are wanted (`--limit`); undefined for all steps but sources. */
  readonly wanted: number | undefined
  /** `$key`, `$source`, `$run` and `$inputs` for a row's expressions. */
  readonly bindings: (row: Row) => Bindings
  /** Settles a row that failed by the step's `onError`: what is returned goes on, a failure stops the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /**
   * Asks a service once for each run, task and `name`: the answer (plain JSON) is durable before it is used, and a
   * resumed run is given it again. `ask` receives a key under which the service may recognise a repeated request.
   * Reserves what it `buys` first: fails with the reason `BudgetReached` when too little of the budget is left, and grants
   * fewer `units` when some is left.
   */
  readonly once: <A, R>(
    call: {
      readonly name?: string | undefined
      readonly book?: ((answer: A) => Booking) | undefined
      readonly buys?: Buying | undefined
    },
    ask: (key: string, units: number) => Effect.Effect<A, StepError, R>
  ) => Effect.Effect<A, StepError, R>
  /** True when a page with this status has failed (`failOn`). */
  readonly failsOn: (status: number) => boolean
  /** Waits before the page of a row is asked for again, and gives true; gives false at once where it is not (`retry`). */
  readonly retryPage: (outcome: PageOutcome) => Effect.Effect<boolean>
  /** Attempts at pages that brought no document, for the ledger. */
  readonly tried: (pages: ReadonlyArray<Page>) => Effect.Effect<void>
  /** Reserves a part of the budget for a job; for one that `goesOn` already, as much of its price as there is. */
  readonly reserve: (name: string, buying: Buying, goesOn?: boolean) => Effect.Effect<Reservation, StepError>
  /** Books credits that were spent otherwise than by a call or a batch. */
  readonly spend: (credits: number) => Effect.Effect<void, StepError>
  /** Keys of a job's pages that the run has recorded with an error. */
  readonly failedPages: (jobId: string) => Effect.Effect<ReadonlySet<string>, StepError>
  /** Says that the budget has cut the step short: it would have given more. */
  readonly cut: Effect.Effect<void>
  /**
   * Marks the step as incomplete: it did not give every row of its source. No step after it reports rows as `gone` in this
   * run, and no state is forgotten. A checkpoint keeps the mark, so call it before the rows behind the gap are given.
   */
  readonly incomplete: (reason: Reason) => Effect.Effect<void>
  /** Logs a warning, the first one about a matter only: once for each run and step, whatever the number of rows. */
  readonly warnOnce: (matter: string, message: string) => Effect.Effect<void>
  /** Completes when the budget is reached: what is paid for is read to its end, and nothing more is begun. */
  readonly stopping: Effect.Effect<void>
  /** Says that a job goes on at its service although the run stops; `giveUp` ends it if only the task's row has failed. */
  readonly leaveRunning: (jobId: string, giveUp: Effect.Effect<void>) => void
  /** Brings the run to its stop, because too little of the budget is left. */
  readonly usedUp: Effect.Effect<void>
  /** True when the run was stopped, or has failed: a resume continues what it has begun. */
  readonly isStopped: () => boolean
  /** State of earlier runs under the pipeline's state key. */
  readonly state: StepState
}

/** Services of a step that works on this machine alone. */
export type LocalServices = FileSystem.FileSystem | Path.Path

/** Services of a step that calls the web data service: the clients, too. */
export type Services = Client | LocalServices

type Batches<R> = Stream.Stream<Batch, StepError, R>

/** Start position of a source. */
export interface Begin {
  /** The incoming row, with `each: true`. */
  readonly row?: Row | undefined
  /** The cursor of the last batch that was committed. */
  readonly from?: Json | undefined
}

/** A step that sees all rows, in order. Its calls are made one after the other, and `push` and `save` never wait for a service. */
export interface Transform<R = Services> {
  /** Transforms rows. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError, R>
  /** True when no more rows are wanted. */
  readonly full?: (() => boolean) | undefined
  /** Rows after the last one, when the input has ended. */
  readonly end?: ((from: Json | undefined) => Batches<R>) | undefined
  /** Changes since the last call. */
  readonly save?: Effect.Effect<Changes, StepError> | undefined
  /** Rows that it still holds when its run publishes without them, as the budget is used up. */
  readonly left?: (() => ReadonlyArray<Row>) | undefined
}

/** An open sink: writes rows in order and passes them on. Its calls are made one after the other, and none waits for a service. */
export interface OpenSink {
  /** Writes rows and returns those that go on to the next step. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Syncs everything pushed so far to disk, then returns the changes since the last call. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Upper bound of the bytes that each row adds to the files, before compression. Called once per row, before `push`. */
  readonly sizeOf: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>
  /** Bytes that are safe on disk. */
  readonly bytes: () => number
  /** Called once, after the last `save`: does everything that can fail before the files get their final names. */
  readonly seal: Effect.Effect<Sealed, StepError>
  /** Removes what was written, when nothing of the run is worth keeping. */
  readonly discard: Effect.Effect<void>
}

/** The kinds of steps, by how they deal with rows. `R`: the services that they use. */
export type Behaviour<Config, R = Services> =
  /** Makes rows: 0 → n. */
  | {
      readonly kind: "source"
      /** True for one that is paid for once it has begun: it is read to its end when the budget is reached. */
      readonly drains?: boolean | undefined
      /** True when its rows are pages, so that `failOn` means something. */
      readonly pages?: boolean | undefined
      readonly read: (config: Config, context: Context, begin: Begin) => Batches<R>
    }
  /** Turns one row into one row; failures are the row's own. */
  | {
      readonly kind: "item"
      /** True when its rows are pages, so that `failOn` means something. */
      readonly pages?: boolean | undefined
      readonly apply: (config: Config, row: Row, context: Context) => Effect.Effect<Row, StepError, R>
    }
  /** Sees all rows: n → n. */
  | {
      readonly kind: "transform"
      /** True when it calls the service itself, so that `retry` means something. */
      readonly calls?: boolean | undefined
      /** True when it works on each row by itself, so that `concurrency` and `timeout` mean something. */
      readonly apart?: boolean | undefined
      /** True when the result for a row depends on no other row, so that a cluster may split the rows into shards. */
      readonly alone?: boolean | undefined
      /** True when its rows are pages, so that `failOn` means something. */
      readonly pages?: boolean | undefined
      /** True when its batches announce the rows to come (`Batch.expected`): progress then counts its rows as read. */
      readonly announces?: boolean | undefined
      /** True when it drops the rows after the first ones: state that a step above has put for them would lose them. */
      readonly truncates?: boolean | undefined
      /** True when it leaves rows out without judging them: they do not show that the run has kept any. Implied by `truncates`. */
      readonly leavesOut?: boolean | undefined
      readonly make: (
        config: Config,
        context: Context,
        saved: Saved
      ) => Effect.Effect<Transform<R>, StepError, R | Scope.Scope>
    }
  /** Writes rows to files, and passes them on: n → n. */
  | {
      readonly kind: "sink"
      /** Its file formats, for the reference. */
      readonly sinks?: ReadonlyArray<Pick<Step, "config" | "example" | "key" | "summary">> | undefined
      /** Its files, by its fields as written or as decoded; undefined while the path is not known. */
      readonly destination: (fields: Fields) => Destination | undefined
      readonly open: (
        config: Config,
        context: Context,
        saved: Saved
      ) => Effect.Effect<OpenSink, StepError, R | Scope.Scope>
    }
  /** Makes one value for other steps' `${{ steps.<id>.output }}`; rows pass by. */
  | {
      readonly kind: "value"
      /** True when it lasts no longer than the process: a resumed run asks for it again. */
      readonly fleeting?: boolean | undefined
      /** The scope closes when the run is over. */
      readonly get: (config: Config, context: Context) => Effect.Effect<unknown, StepError, R | Scope.Scope>
    }

/** A field that is wrong as it is written, although its schema has to let it pass. */
export interface Objection {
  /** Path in the step's fields. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** A file or a folder that a field names, relative to the definition's folder. */
export interface Reading {
  /** Path in the step's fields. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly file: string
  /** True where it can only be a folder. */
  readonly isFolder?: boolean
}

/** State that a step keeps from run to run. */
export interface StateUse {
  /** True when the step gives only rows that no earlier run has given. */
  readonly skipsSeen: boolean
  /** A change of its fields with which it gives all rows, after "or": `add unchanged to its emit`. */
  readonly otherwise?: string | undefined
}

/**
 * A step: one value with its key, its fields, what it does, and everything that depends on its kind elsewhere. There is no
 * table by key: `check`, `plan`, `graph`, progress, the dashboard and the cluster ask the step.
 *
 * `fields` are the step's fields before the run; what only the run knows is missing in them or stands as it is written.
 * `Traits` keeps for definitions in TypeScript which common keys the step carries out.
 */
export interface Step<Key extends string = string, Config = unknown, Encoded = unknown, Traits = unknown> {
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  /** Capabilities that not every service has and that the fields ask for; none by default. */
  readonly needs?: ((fields: Fields) => ReadonlyArray<Need>) | undefined
  /** The files and folders that it reads, as far as its fields name them; of a pattern the folder that it begins in. */
  readonly reads?: ((fields: Fields) => ReadonlyArray<Reading>) | undefined
  /** Mistakes in the fields that their schema cannot express. */
  readonly objections?: ((fields: Fields) => ReadonlyArray<Objection>) | undefined
  /**
   * The operation of the service that it calls. Only a step that declares one may use the clients; a run in which no step does
   * starts no service.
   */
  readonly service?: Operation | ((fields: Fields) => Operation | undefined) | undefined
  /**
   * Upper bound of the cost of one call, or of one page of a job. `plan` prices the step with it and a run reserves it before the
   * call. Undefined fields are not known before the run; `wanted` is `--limit`.
   */
  readonly cost?: ((fields: Fields, wanted?: number) => Cost) | undefined
  /** Requests, pages and rows of a run; by default what its kind and `service` say. */
  readonly estimate?: ((given: Given) => Estimate) | undefined
  /** Lists the rows of a source without a request; undefined where only the run can. A failure counts as unknown. */
  readonly list?:
    | ((config: unknown, context: ListingContext) => Effect.Effect<Listing | undefined, unknown, LocalServices>)
    | undefined
  /** Words for what it asks the service for, where `request` and `page` are wrong. */
  readonly nouns?: { readonly request?: string | undefined; readonly page?: string | undefined } | undefined
  /** A sentence for the reader of a plan, without a dot. */
  readonly note?: string | undefined
  /** The state that it keeps from run to run; undefined when it keeps none. */
  readonly state?: ((fields: Fields) => StateUse | undefined) | undefined
  /** Path of the field with headers that are sent to sites: the only place where a secret may stand. */
  readonly headers?: ReadonlyArray<string> | undefined
  /** Sites that it visits beside those that its fields name: those of its rows, or any that the service finds. */
  readonly sites?: ((fields: Fields) => "rows" | "any" | undefined) | undefined
  readonly behaviour: Behaviour<Config> & Traits
}

type Traits<Kind, Calls, Apart, Pages> = {
  readonly kind: Kind
  readonly calls?: Calls
  readonly apart?: Apart
  readonly pages?: Pages
}

/** Declares a step. Without `service` its effects cannot use the clients. */
export const make = <
  const Key extends string,
  Config,
  Encoded,
  Kind extends Behaviour<unknown>["kind"],
  Calls extends true | undefined = undefined,
  Apart extends true | undefined = undefined,
  Pages extends true | undefined = undefined,
  Service extends Operation | undefined = undefined
>(
  step: Omit<Step<Key, Config, Encoded>, "behaviour" | "service"> & {
    readonly service?: Service | ((fields: Fields) => Service)
    readonly behaviour: Behaviour<Config, [Service] extends [undefined] ? LocalServices : Services> &
      Traits<Kind, Calls, Apart, Pages>
  }
): Step<Key, Config, Encoded, Traits<Kind, Calls, Apart, Pages>> => step

/** A step of any fields. Only {@link make} builds one, so its parts fit each other. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where steps of different fields share a list
export type Any = Step<string, any, any>

/** The operation that a step calls with these fields; undefined when it calls none. */
export const operationOf = ({ service }: Any, fields: Fields): Operation | undefined =>
  typeof service === "function" ? service(fields) : service
